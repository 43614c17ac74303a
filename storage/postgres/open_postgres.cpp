#include "open_postgres.hpp"

#include "postgres_admin.hpp"
#include "postgres_hosted_games.hpp"
#include "postgres_store.hpp"

namespace snl::postgres {

std::unique_ptr<StoreReader> open_to_read(const std::string& location) {
  return std::make_unique<PostgresStore>(location, PostgresStore::Use::read);
}

std::unique_ptr<EventStore> open_to_write(const std::string& location) {
  return std::make_unique<PostgresStore>(location, PostgresStore::Use::write);
}

std::unique_ptr<HostedGameStore> open_hosted_games(const std::string& location) {
  return std::make_unique<PostgresHostedGames>(location, PostgresHostedGames::Use::write);
}

std::unique_ptr<HostedGameStore> open_hosted_games_to_read(const std::string& location) {
  return std::make_unique<PostgresHostedGames>(location, PostgresHostedGames::Use::read);
}

std::unique_ptr<StoreAdmin> admin_of(const std::string& location) {
  return std::make_unique<PostgresAdmin>(location);
}

}  // namespace snl::postgres
