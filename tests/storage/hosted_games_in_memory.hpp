// Hosted games in memory, beside a MemoryStore.
#pragma once

#include "storage/sqlite/migrations.hpp"
#include "storage/sqlite/sqlite_hosted_games.hpp"

#include <memory>
#include <utility>

namespace snl::test {

inline std::unique_ptr<HostedGameStore> hosted_games_in_memory() {
  auto connection = sqlite::Connection::in_memory();
  upgrade(connection, schema_of_today());
  return std::make_unique<SqliteHostedGames>(std::move(connection));
}

}  // namespace snl::test
