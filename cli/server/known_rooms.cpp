#include "known_rooms.hpp"

#include <cstddef>

namespace snl::cli {

void KnownRooms::know_nothing() {
  ++look_;
  last_change_.reset();
}

void KnownRooms::look_for_others() {
  const std::int64_t last = rooms_.last_change();
  if (last_change_ == last) return;
  ++look_;
  last_change_ = last;
}

std::optional<Room> KnownRooms::room(const std::string& id) {
  if (const auto known = known_.find(id); known != known_.end() && known->second.look == look_)
    return known->second.room;
  auto room = rooms_.room(id);
  constexpr std::size_t most = 1024;
  if (known_.size() >= most) known_.clear();
  if (room && last_change_)
    known_.insert_or_assign(id, Known{*room, look_});
  else
    known_.erase(id);
  return room;
}

const Room* KnownRooms::remembered(const std::string& id) const {
  const auto known = known_.find(id);
  return known == known_.end() ? nullptr : &known->second.room;
}

std::vector<std::optional<std::int64_t>> KnownRooms::keep(std::span<const Room> rooms) {
  try {
    auto changes = rooms_.keep(rooms);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i])
        changed_here(rooms[i].id, *changes[i]);
      else
        know_nothing();
    }
    return changes;
  } catch (...) {
    know_nothing();
    throw;
  }
}

bool KnownRooms::forget(const std::string& id, std::int64_t changed) {
  know_nothing();
  return rooms_.forget(id, changed);
}

/// Where others have made a change in between, this one has another number than the next one.
void KnownRooms::changed_here(const std::string& id, std::int64_t change) {
  if (!last_change_ || change != *last_change_ + 1) return know_nothing();
  last_change_ = change;
  known_.erase(id);
}

}  // namespace snl::cli
