// Rooms as they were read last, for as long as nobody changes any: a game that is played is asked
// for with each turn, and its room hardly ever changes then.
#pragma once

#include "storage/rooms.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace snl::cli {

/// For one thread. All of it throws StoreError.
class KnownRooms {
 public:
  /// The store must outlive it. What this changes in it is changed by keep() and forget() here.
  explicit KnownRooms(RoomStore& rooms) : rooms_(rooms) {}

  /// Asks the store once whether others have changed any room.
  void look_for_others();

  /// The room as it was at the last look_for_others() or later; none for a game without one.
  std::optional<Room> room(const std::string& id);

  /// The room as it was when it was last asked for, which may be long ago; null if that isn't
  /// known. Asks nobody.
  const Room* remembered(const std::string& id) const;

  /// As RoomStore's.
  std::vector<std::optional<std::int64_t>> keep(std::span<const Room> rooms);
  bool forget(const std::string& id, std::int64_t changed);

 private:
  void know_nothing();
  void changed_here(const std::string& id, std::int64_t change);

  /// A room, and the look since which nobody but this has changed it.
  struct Known {
    Room room;
    std::uint64_t look = 0;
  };

  RoomStore& rooms_;
  std::unordered_map<std::string, Known> known_;
  std::uint64_t look_ = 1;
  std::optional<std::int64_t> last_change_;  // of the store, if nobody else changes a room
};

}  // namespace snl::cli
