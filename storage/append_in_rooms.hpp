// Appends that are made only while the rooms of their games are as whoever decided them knows: for
// stores that keep rooms in the same place as the log, where to look at a room first would take as
// long as the append. For stores' own use, and GroupCommit's.
#pragma once

#include "event_store.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace snl {

/// The number of the last change of a game's room; none where an append doesn't depend on it.
using RoomChange = std::optional<std::int64_t>;

/// The game's room isn't as the append depends on.
struct RoomChanged {
  std::string game;
};
using RefusedInRooms = std::variant<RefusedAppend, RoomChanged>;

/// What an EventStore is too that sees rooms.
class AppendsInRooms {
 public:
  AppendsInRooms() = default;
  virtual ~AppendsInRooms() = default;
  AppendsInRooms(const AppendsInRooms&) = delete;
  AppendsInRooms& operator=(const AppendsInRooms&) = delete;
  AppendsInRooms(AppendsInRooms&&) = delete;
  AppendsInRooms& operator=(AppendsInRooms&&) = delete;

  /// EventStore::append; and of each game that depends on its room, `changes` has the number at the
  /// same place. The room is looked at first, then command IDs, then the expectation.
  virtual std::expected<std::vector<Head>, RefusedInRooms> append_in_rooms(
      std::span<const Append> appends, std::span<const RoomChange> changes) = 0;
};

}  // namespace snl
