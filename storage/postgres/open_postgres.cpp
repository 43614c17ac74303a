#include "open_postgres.hpp"

#include "postgres_keeper.hpp"
#include "postgres_rooms.hpp"
#include "postgres_store.hpp"

namespace snl::postgres {

std::unique_ptr<StoreReader> open_to_read(const std::string& location) {
  return std::make_unique<PostgresStore>(location, PostgresStore::Use::read);
}

std::unique_ptr<EventStore> open_to_write(const std::string& location) {
  return std::make_unique<PostgresStore>(location, PostgresStore::Use::write);
}

std::unique_ptr<RoomStore> open_rooms(const std::string& location) {
  return std::make_unique<PostgresRooms>(location);
}

std::unique_ptr<StoreKeeper> keeper_of(const std::string& location) {
  return std::make_unique<PostgresKeeper>(location);
}

}  // namespace snl::postgres
