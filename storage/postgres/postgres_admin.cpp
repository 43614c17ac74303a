#include "postgres_admin.hpp"

#include "postgres_store.hpp"
#include "upgrade.hpp"

#include <fmt/format.h>

namespace snl {

using postgres::ServerConnection;
using postgres::ServerStatement;

namespace {

[[noreturn]] void leave_to_server(std::string_view what) {
  throw StoreError(StoreError::Cause::failed,
                   fmt::format("a store on PostgreSQL is {}; see snl-store(5)", what));
}

[[noreturn]] void refuse_log() {
  throw StoreError(
      StoreError::Cause::failed,
      "a log that is signed is kept by a store in a file alone; snl db copy copies the games "
      "to one");
}

std::int64_t number(ServerConnection& connection, const char* name, const char* sql) {
  return connection.run({name, sql}).integer(0, 0);
}

/// Notes the settings with which the server reports a commit that a loss of power may undo.
void note_settings(ServerConnection& connection, std::vector<std::string>& notes) {
  const postgres::Rows rows = connection.execute(
      "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') "
      "AND setting = 'off' ORDER BY name");
  for (int row = 0; row < rows.size(); ++row)
    notes.push_back(
        fmt::format("{} is off: a loss of power may damage the store", rows.text(row, 0)));
}

}  // namespace

bool PostgresAdmin::exists() {
  ServerConnection connection(location_, ServerConnection::Use::read);
  return postgres::schema_version(connection) > 0;
}

StoreAdmin::Ownership PostgresAdmin::owns(const std::string& /*file*/) {
  return Ownership::none;
}

StoreFacts PostgresAdmin::facts() {
  StoreFacts facts;
  {
    ServerConnection connection(location_, ServerConnection::Use::read);
    facts.schema_version = postgres::schema_version(connection);
    facts.latest_schema_version = static_cast<std::int64_t>(postgres::server_migrations().size());
    facts.bytes = number(connection, "bytes",
                         "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint "
                         "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                         "WHERE n.nspname = 'snl' AND c.relkind = 'r'");
    note_settings(connection, facts.notes);
    if (facts.schema_version != facts.latest_schema_version) return facts;
    connection.execute("SET enable_seqscan = on");
    facts.games = number(connection, "games", "SELECT count(*) FROM snl.games");
    facts.commits = number(connection, "commits", "SELECT count(*) FROM snl.commits");
    facts.hosted_games = number(connection, "hosted", "SELECT count(*) FROM snl.hosted_games");
  }
  PostgresStore store(location_, PostgresStore::Use::read);
  for (const std::string& who : store.holding_up())
    facts.notes.push_back(fmt::format("subscribers wait: {}", who));
  return facts;
}

SchemaUpgrade PostgresAdmin::migrate() {
  ServerConnection connection(location_, ServerConnection::Use::write);
  SchemaUpgrade done{.from = postgres::schema_version(connection)};
  postgres::upgrade(connection, postgres::server_migrations());
  postgres::mend_clock(connection);
  done.to = postgres::schema_version(connection);
  return done;
}

std::vector<Problem> PostgresAdmin::check() {
  try {
    return PostgresStore(location_, PostgresStore::Use::read).check();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return {{std::nullopt, std::nullopt, "file", error.what()}};
  }
}

AuditReport PostgresAdmin::audit(const transparency::LogExpectations& expected) {
  if (expected.policy || !expected.kept.empty()) refuse_log();
  PostgresStore store(location_, PostgresStore::Use::read);
  return in_read_transaction(store, [&](ReadTransaction& now) {
    const auto problems = store.check();
    AuditReport report = audit_store(now);
    report.problems.insert(report.problems.begin(), problems.begin(), problems.end());
    if (!report.ok()) report.head.reset();
    return report;
  });
}

void PostgresAdmin::read_log(const std::function<void(transparency::LogReader& log)>& /*work*/) {
  refuse_log();
}

void PostgresAdmin::write_log(const std::function<void(transparency::LogStore& log)>& /*work*/) {
  refuse_log();
}

AuditReport PostgresAdmin::back_up(const std::string& /*file*/, const BackupOptions& /*options*/) {
  leave_to_server("backed up by pg_dump or pg_basebackup; snl db copy copies its games to a file");
}

AuditReport PostgresAdmin::restore(const std::string& /*copy*/, Occupied /*occupied*/) {
  leave_to_server("restored by pg_restore; snl db copy copies the games of a file to it");
}

std::expected<Compaction, std::vector<Problem>> PostgresAdmin::compact() {
  leave_to_server("given back unused space by its server: VACUUM");
}

}  // namespace snl
