// The schema: numbered SQL files of migrations/, embedded at build time by embed_migrations.cpp.
#pragma once

#include "schema.hpp"
#include "sqlite.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace snl {

struct Migration {
  std::int64_t number;  // from 1, without gaps; the store's user_version once it is applied
  std::string_view name;
  std::string_view sql;
};

/// In order.
std::span<const Migration> migrations();

/// The result of schema_of for a sound store with all migrations.
std::vector<SchemaObject> expected_schema();

/// A list of migrations, and the schema that they make.
struct Schema {
  std::span<const Migration> migrations;
  std::vector<SchemaObject> objects;
  std::int64_t version() const { return static_cast<std::int64_t>(migrations.size()); }
};

/// The schema that this program knows.
Schema schema_of_today();
/// The schema that another list of migrations makes, in memory. If that fails, the StoreError names
/// the store that is to be compared with it.
Schema schema_made_by(std::span<const Migration> migrations, std::string store = ":memory:");

/// Throws StoreError unless the store has exactly this schema, made by these migrations.
void require_schema(const sqlite::Connection& connection, const Schema& schema);

/// The same for a store to which only the first migrations, or all, were applied, whatever its
/// user_version says.
void require_schema_on_the_way_to(const sqlite::Connection& connection, const Schema& schema);

/// Brings a blank database, or a store of an earlier schema, to this one, in one transaction, which
/// is rolled back unless require_schema holds at its end. Safe for several processes at once: all
/// but the first find nothing left to do. The schema itself shows which migrations were applied, so
/// an edited user_version is put right. Throws StoreError; then nothing has changed.
void upgrade(sqlite::Connection& connection, const Schema& schema);

/// "SNL1", the application_id of an snl store.
inline constexpr std::int64_t application_id = 0x534E4C31;

}  // namespace snl
