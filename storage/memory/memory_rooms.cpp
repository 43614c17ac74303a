#include "memory_rooms.hpp"

#include "storage/hosted_game_codec.hpp"

#include <algorithm>
#include <tuple>

namespace snl {

std::optional<Room> MemoryRooms::room(const std::string& game) {
  const Lock lock(mutex_);
  const auto found = rooms_.find(game);
  return found == rooms_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> MemoryRooms::hosted_by(const Hash& token) {
  const Lock lock(mutex_);
  const auto found = hosts_.find(token);
  return found == hosts_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<RoomStore::Waiting> MemoryRooms::waiting(const std::optional<Waiting>& after,
                                                     std::size_t limit) {
  const Lock lock(mutex_);
  const auto newer = [](const Waiting& one, const Waiting& other) {
    return std::tie(one.created, one.id) > std::tie(other.created, other.id);
  };
  std::vector<Waiting> found;
  for (const auto& [id, room] : rooms_) {
    const Waiting waiting{id, room.created};
    if (room.stage != RoomStage::started && (!after || newer(*after, waiting)))
      found.push_back(waiting);
  }
  std::ranges::sort(found, newer);
  found.resize(std::min(found.size(), limit));
  return found;
}

std::vector<std::optional<RoomStore::Listing>> MemoryRooms::listings(
    std::span<const std::string> games) {
  const Lock lock(mutex_);
  std::vector<std::optional<Listing>> found;
  for (const std::string& game : games) {
    const auto entry = rooms_.find(game);
    std::optional<Listing>& listing = found.emplace_back();
    if (entry == rooms_.end()) continue;
    const Room& room = entry->second;
    listing = Listing{.visibility = room.visibility, .given_up = room.given_up.has_value()};
  }
  return found;
}

std::int64_t MemoryRooms::count_waiting() {
  const Lock lock(mutex_);
  return std::ranges::count_if(rooms_, [](const auto& entry) {
    return entry.second.stage != RoomStage::started && !entry.second.given_up;
  });
}

std::vector<std::string> MemoryRooms::settled(std::size_t limit) {
  const Lock lock(mutex_);
  std::vector<std::string> found;
  for (const auto& [id, room] : rooms_)
    if (room.stage == RoomStage::settled && found.size() < limit) found.push_back(id);
  return found;
}

std::vector<std::string> MemoryRooms::started_after(const std::string& after, std::size_t limit) {
  const Lock lock(mutex_);
  std::vector<std::string> found;
  for (auto at = rooms_.upper_bound(after); at != rooms_.end() && found.size() < limit; ++at)
    if (at->second.stage == RoomStage::started && !at->second.given_up) found.push_back(at->first);
  return found;
}

std::int64_t MemoryRooms::last_change() {
  const Lock lock(mutex_);
  return changes_;
}

std::vector<RoomStore::Changed> MemoryRooms::changed_after(std::int64_t after, std::size_t limit) {
  const Lock lock(mutex_);
  std::vector<Changed> found;
  for (const auto& [id, room] : rooms_)
    if (room.changed > after) found.push_back({id, room.changed});
  std::ranges::sort(found, {}, &Changed::changed);
  found.resize(std::min(found.size(), limit));
  return found;
}

std::vector<std::optional<std::int64_t>> MemoryRooms::keep(std::span<const Room> rooms) {
  const Lock lock(mutex_);
  std::vector<std::optional<std::int64_t>> changes;
  for (const Room& room : rooms) {
    const auto found = rooms_.find(room.id);
    const std::int64_t changed = found == rooms_.end() ? 0 : found->second.changed;
    const bool is_new = found == rooms_.end();
    if (changed != room.changed || (is_new && hosts_.contains(room.host_token))) {
      changes.emplace_back();
      continue;
    }
    changes.emplace_back(++changes_);
    hosts_.insert_or_assign(room.host_token, room.id);
    // As it is read from its document, which is all that another store has of it.
    rooms_.insert_or_assign(room.id,
                            decode_hosted_game(room.id, changes_, encode_hosted_game(room)));
  }
  return changes;
}

bool MemoryRooms::forget(const std::string& game, std::int64_t changed) {
  const Lock lock(mutex_);
  const auto found = rooms_.find(game);
  if (found == rooms_.end() || found->second.changed != changed) return false;
  hosts_.erase(found->second.host_token);
  rooms_.erase(found);
  ++changes_;
  return true;
}

}  // namespace snl
