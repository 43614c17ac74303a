#include "migrations.hpp"

#include "store_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

namespace snl {
namespace {

using sqlite::Connection;
using sqlite::Statement;

void apply(Connection& connection, const Migration& migration) {
  connection.execute(std::string(migration.sql).c_str());
  const Hash checksum = hash_of(migration.sql);
  Statement record(connection, "INSERT INTO migrations (number, name, sha256) VALUES (?1, ?2, ?3)");
  record.bind(1, migration.number).bind(2, migration.name).bind(3, sqlite::Blob(checksum)).run();
}

/// How many of the schema's migrations make these objects; none if something else made them.
std::optional<std::size_t> applied_to(const std::vector<SchemaObject>& objects,
                                      const Schema& schema, const std::string& store) {
  if (objects == schema.objects) return schema.migrations.size();
  if (objects.empty()) return 0;  // a new store: no other database is needed to recognise it
  for (std::size_t count = schema.migrations.size(); count-- > 0;)
    if (objects == schema_made_by(schema.migrations.first(count), store).objects) return count;
  return std::nullopt;
}

[[noreturn]] void refuse(const Connection& connection, std::string_view what) {
  throw StoreError(StoreError::Cause::damaged,
                   fmt::format("store {}: {}", connection.path(), what));
}

void require_objects(const Connection& connection, const std::vector<SchemaObject>& actual,
                     const std::vector<SchemaObject>& expected) {
  if (actual == expected) return;
  // Both are in order, so of the first two that differ, the lesser is missing in the other list.
  const auto [here, there] = std::ranges::mismatch(actual, expected);
  const auto key = [](const SchemaObject& object) { return std::tie(object.type, object.name); };
  const bool is_here =
      here != actual.end() && (there == expected.end() || key(*here) <= key(*there));
  const SchemaObject& odd = is_here ? *here : *there;
  refuse(connection, fmt::format("its schema isn't the one that snl makes: {} \"{}\" differs; "
                                 "export its games from a sound copy",
                                 odd.type, odd.name));
}

void require_checksums(const Connection& connection, const Schema& schema) {
  Statement recorded(connection, "SELECT number, name, sha256 FROM migrations ORDER BY number");
  for (const Migration& migration : schema.migrations) {
    if (!recorded.step() || recorded.integer(0) != migration.number ||
        recorded.text(1) != migration.name || hash_at(recorded, 2) != hash_of(migration.sql))
      refuse(connection,
             fmt::format("migration {} isn't the one that this snl knows: one of the two "
                         "was edited; restore a copy, or use the snl that made the store",
                         migration.number));
  }
  if (recorded.step())
    refuse(connection, "it records a migration that this snl doesn't know; use a newer snl");
}

/// How many of the schema's migrations made the database. Throws StoreError if something else did.
std::size_t require_applied(const Connection& connection, const Schema& schema) {
  const auto objects = schema_of(connection);
  if (const auto applied = applied_to(objects, schema, connection.path())) return *applied;
  // user_version says which version the schema claims to be; the error names the difference from
  // that.
  Statement version(connection, "PRAGMA user_version");
  version.step();
  const auto claimed = std::clamp<std::int64_t>(version.integer(0), 1, schema.version());
  const auto first = schema.migrations.first(static_cast<std::size_t>(claimed));
  require_objects(connection, objects, schema_made_by(first, connection.path()).objects);
  return first.size();  // never reached: this is no version's schema
}

}  // namespace

void upgrade(Connection& connection, const Schema& schema) {
  sqlite::Transaction transaction(connection);
  for (const Migration& migration : schema.migrations.subspan(require_applied(connection, schema)))
    apply(connection, migration);
  if (connection.integer("PRAGMA user_version") == schema.version()) return;
  connection.execute(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}",
                                 schema.version(), application_id)
                         .c_str());
  require_schema(connection, schema);
  transaction.commit();
}

void require_schema(const Connection& connection, const Schema& schema) {
  require_objects(connection, schema_of(connection), schema.objects);
  require_checksums(connection, schema);
}

void require_schema_on_the_way_to(const Connection& connection, const Schema& schema) {
  (void)require_applied(connection, schema);
}

Schema schema_of_today() {
  return {migrations(), expected_schema()};
}

Schema schema_made_by(std::span<const Migration> migrations, std::string store) {
  auto connection = Connection::in_memory(std::move(store));
  for (const Migration& migration : migrations)
    connection.execute(std::string(migration.sql).c_str());
  return {migrations, schema_of(connection)};
}

}  // namespace snl
