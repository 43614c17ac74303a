// The schema of a store on PostgreSQL: numbered SQL files of migrations/postgres, embedded at build
// time.
#pragma once

#include "connection.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace snl::postgres {

struct ServerMigration {
  std::int64_t number;  // from 1, without gaps
  std::string_view name;
  std::string_view sql;
};

/// In order.
std::span<const ServerMigration> server_migrations();

/// The number of the last migration that was applied; 0 if there is no store yet. Throws
/// ServerError.
std::int64_t schema_version(ServerConnection& connection);

/// Throws StoreError unless these migrations made the store, all of them and no others.
void require_schema(ServerConnection& connection, std::span<const ServerMigration> migrations);

/// Makes a store, or brings an older one to these migrations, all in one transaction and under a
/// lock: of several at once, all but the first find nothing left to do. Throws StoreError; then
/// nothing has changed.
void upgrade(ServerConnection& connection, std::span<const ServerMigration> migrations);

/// A server to which a dump was restored may count from positions that are already taken. This
/// makes it go on after them. If this session can't write, it can't do that, but then all commits
/// there were restored: returns the position below which all are visible, whatever the horizon is;
/// else 0. Throws ServerError.
std::int64_t mend_clock(ServerConnection& connection);

}  // namespace snl::postgres
