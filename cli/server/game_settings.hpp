// The settings of a server's readers and writer.
#pragma once

#include "storage/hash.hpp"
#include "storage/time.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// 32 bytes that nobody can guess, from the operating system.
Hash random_bytes();

using SteadyTime = std::chrono::steady_clock::time_point;

class PublishedLog;

struct GameSettings {
  Clock clock = system_time;
  /// The clock of deadlines: it doesn't jump.
  std::function<SteadyTime()> steady_clock = std::chrono::steady_clock::now;
  std::chrono::milliseconds auto_wait{1500};  // before the server rolls for a seat with auto
  std::chrono::seconds draw_wait{60};         // for entropy; 0: for ever
  /// Whether somebody follows a game now; and the games that somebody began to follow since the
  /// last call.
  std::function<bool(const std::string& game)> is_watched = [](const std::string&) {
    return false;
  };
  std::function<std::vector<std::string>()> newly_watched = [] {
    return std::vector<std::string>();
  };
  std::function<Hash()> random = random_bytes;
  const PublishedLog* log = nullptr;  // proves games; outlives its users
  std::int64_t most_cells = 10'000;   // of a board of a new game; 0: any
  std::int64_t most_waiting = 1'000;  // games that aren't started; 0: any number
  /// Gets a line for the operator that says why a request was answered 503, on the thread that
  /// answers. Clients don't see it.
  std::function<void(std::string_view why)> report_failure = [](std::string_view) {};
  /// Gets, for each commit and each change of a hosted game, whether the store took it. False if
  /// the store is full, read-only or away. On the writer's thread.
  std::function<void(bool is_taken)> report_write = [](bool) {};
};

}  // namespace snl::cli
