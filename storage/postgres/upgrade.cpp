#include "upgrade.hpp"

#include "retry.hpp"

#include <fmt/format.h>

#include <string>

namespace snl::postgres {
namespace {

constexpr ServerStatement is_there{"is_there", "SELECT to_regclass('snl.migrations') IS NOT NULL"};

[[noreturn]] void refuse(const ServerConnection& connection, StoreError::Cause cause,
                         std::string_view what) {
  throw StoreError(cause, fmt::format("store {}: {}", connection.name(), what));
}

/// Compares the recorded migrations with the known ones; returns how many were applied.
std::int64_t applied(ServerConnection& connection, std::span<const ServerMigration> known) {
  static constexpr ServerStatement recorded{"recorded_migrations",
                                            "SELECT number, name, sha256 FROM snl.migrations "
                                            "ORDER BY number"};
  if (!connection.run(is_there).boolean(0, 0)) return 0;
  const Rows rows = connection.run(recorded);
  const auto latest = static_cast<std::int64_t>(known.size());
  if (rows.size() > latest)
    refuse(connection, StoreError::Cause::other_version,
           fmt::format("its schema is version {}, and this snl knows up to {}; use a newer snl",
                       rows.size(), latest));
  for (int row = 0; row < rows.size(); ++row) {
    const ServerMigration& migration = known[static_cast<std::size_t>(row)];
    if (rows.integer(row, 0) != migration.number || rows.text(row, 1) != migration.name ||
        rows.hash(row, 2) != hash_of(migration.sql))
      refuse(connection, StoreError::Cause::damaged,
             fmt::format("migration {} isn't the one that this snl knows: one of the two was "
                         "edited; restore a dump, or use the snl that made the store",
                         row + 1));
  }
  return rows.size();
}

void apply(ServerConnection& connection, const ServerMigration& migration) {
  static constexpr ServerStatement record{
      "record_migration", "INSERT INTO snl.migrations (number, name, sha256) VALUES ($1, $2, $3)"};
  connection.execute(std::string(migration.sql).c_str());
  const Hash checksum = hash_of(migration.sql);
  connection.run(record, Values().add(migration.number).add(migration.name).add(checksum));
}

}  // namespace

std::int64_t schema_version(ServerConnection& connection) {
  static constexpr ServerStatement count{"count_migrations", "SELECT count(*) FROM snl.migrations"};
  if (!connection.run(is_there).boolean(0, 0)) return 0;
  return connection.run(count).integer(0, 0);
}

void require_schema(ServerConnection& connection, std::span<const ServerMigration> migrations) {
  const std::int64_t version = applied(connection, migrations);
  const auto latest = static_cast<std::int64_t>(migrations.size());
  if (version == 0)
    refuse(connection, StoreError::Cause::failed, "there is no store yet; snl new makes one");
  if (version < latest)
    refuse(
        connection, StoreError::Cause::other_version,
        fmt::format("its schema is version {}, and this snl reads {}; snl db migrate upgrades it",
                    version, latest));
}

namespace {

/// Uses one transaction, in which nobody else upgrades.
void apply_missing(ServerConnection& connection, std::span<const ServerMigration> migrations) {
  connection.execute("BEGIN; SELECT pg_advisory_xact_lock(1397640241)");  // "SNL1"
  if (applied(connection, migrations) < static_cast<std::int64_t>(migrations.size())) {
    connection.execute(
        "SET LOCAL search_path = snl; CREATE SCHEMA IF NOT EXISTS snl;"
        "CREATE TABLE IF NOT EXISTS snl.migrations (number bigint PRIMARY KEY, name text NOT NULL, "
        "sha256 bytea NOT NULL CHECK (length(sha256) = 32))");
    const auto first = static_cast<std::size_t>(schema_version(connection));
    for (const ServerMigration& migration : migrations.subspan(first))
      apply(connection, migration);
  }
  connection.execute("COMMIT");
}

}  // namespace

void upgrade(ServerConnection& connection, std::span<const ServerMigration> migrations) {
  // Readers and players may wait for a table that we have locked, while we wait for theirs.
  constexpr std::chrono::seconds budget{10};
  retry(budget, [&] {
    if (applied(connection, migrations) == static_cast<std::int64_t>(migrations.size())) return;
    try {
      apply_missing(connection, migrations);
    } catch (const StoreError& error) {
      const auto* const server_error = dynamic_cast<const ServerError*>(&error);
      if (server_error == nullptr || !server_error->is_lost()) connection.execute("ROLLBACK");
      throw;
    }
  });
}

std::int64_t mend_clock(ServerConnection& connection) {
  static constexpr ServerStatement is_behind{
      "clock_is_behind",
      "SELECT current_setting('transaction_read_only') = 'off', "
      "(SELECT max(position) + 1 FROM snl.commits) WHERE snl.clock_is_behind()"};
  static constexpr ServerStatement mend{"mend_clock", "SELECT snl.mend_clock()"};
  const Rows behind = connection.run(is_behind);
  if (behind.empty()) return 0;
  if (!behind.boolean(0, 0)) return behind.integer(0, 1);
  connection.run(mend);
  return 0;
}

}  // namespace snl::postgres
