// Rooms in memory, for tests and for embedding. Safe for use by several threads.
#pragma once

#include "storage/rooms.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace snl {

class MemoryRooms final : public RoomStore {
 public:
  std::optional<Room> room(const std::string& game) override;
  std::optional<std::string> hosted_by(const Hash& token) override;
  std::vector<Waiting> waiting(const std::optional<Waiting>& after, std::size_t limit) override;
  std::vector<std::optional<Listing>> listings(std::span<const std::string> games) override;
  std::int64_t count_waiting() override;
  std::vector<std::string> settled(std::size_t limit) override;
  std::vector<std::string> started_after(const std::string& after, std::size_t limit) override;
  std::int64_t last_change() override;
  std::vector<Changed> changed_after(std::int64_t after, std::size_t limit) override;
  std::vector<std::optional<std::int64_t>> keep(std::span<const Room> rooms) override;
  bool forget(const std::string& game, std::int64_t changed) override;

 private:
  using Lock = std::lock_guard<std::mutex>;

  std::mutex mutex_;
  std::map<std::string, Room> rooms_;  // by ID
  std::map<Hash, std::string> hosts_;  // IDs, by the hosts' tokens
  std::int64_t changes_ = 0;
};

}  // namespace snl
