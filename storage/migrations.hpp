// The schema: numbered SQL files of migrations/, embedded at build time by embed_migrations.cpp.
#pragma once

#include "hash.hpp"
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

/// What schema_of answers for a sound store that all migrations have been applied to.
std::vector<SchemaObject> expected_schema();

/// Applies those after the store's user_version, in one transaction with their checksums. Safe for
/// two processes at once: the second finds nothing left to do.
void migrate(sqlite::Connection& connection);

Hash checksum_of(const Migration& migration);

/// "SNL1": what an snl store has as its application_id.
inline constexpr std::int64_t application_id = 0x534E4C31;

}  // namespace snl
