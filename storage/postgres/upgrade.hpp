// The schema of a store on PostgreSQL: numbered SQL files of migrations/postgres, embedded at build
// time.
#pragma once

#include "connection.hpp"
#include "storage/hash.hpp"

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

/// The number of the last migration that was applied; 0 where there is no store yet. Throws
/// ServerError.
std::int64_t schema_version(ServerConnection& connection);

/// Throws StoreError unless these migrations made the store, all of them and no others.
void require_schema(ServerConnection& connection, std::span<const ServerMigration> migrations);

/// Makes a store, or brings an older one to these migrations, all in one transaction, under a lock:
/// of several at once all but the first find nothing left to do. Throws StoreError; then nothing
/// has changed.
void upgrade(ServerConnection& connection, std::span<const ServerMigration> migrations);

/// A server that counts from where positions are already, as one does that a dump was restored to,
/// is made to go on after them. Where this session can't do that, since it can't write, whatever is
/// there was restored: answers the position below which all can be seen, whatever the horizon is;
/// else 0. Throws ServerError.
std::int64_t mend_clock(ServerConnection& connection);

}  // namespace snl::postgres
