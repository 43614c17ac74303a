#include "open_store.hpp"

#include "storage/sqlite/sqlite_keeper.hpp"
#include "storage/sqlite/sqlite_rooms.hpp"
#include "storage/sqlite/sqlite_store.hpp"

namespace snl {

std::unique_ptr<StoreReader> open_store(const std::string& location, ForReading /*access*/) {
  return SqliteStore::open(location, SqliteStore::Access::read);
}

std::unique_ptr<EventStore> open_store(const std::string& location, ForWriting /*access*/) {
  return SqliteStore::open(location, SqliteStore::Access::write);
}

std::unique_ptr<RoomStore> open_rooms(const std::string& location) {
  return SqliteRooms::open(location);
}

std::unique_ptr<StoreKeeper> keeper_of_store(const std::string& location) {
  return std::make_unique<SqliteKeeper>(location);
}

}  // namespace snl
