// What the readers and the writer of a server are set to.
#pragma once

#include "storage/hash.hpp"
#include "storage/time.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace snl::cli {

/// 32 bytes that nobody can guess, from the operating system.
Hash random_bytes();

struct GameSettings {
  Clock clock = system_time;
  std::function<Hash()> random = random_bytes;
  std::int64_t most_cells = 10'000;   // of a board of a new game; 0: any
  std::int64_t most_waiting = 1'000;  // games that aren't started; 0: any number
  /// Is told, in a line for the operator, why a request was answered 503; on the thread that
  /// answers. Clients aren't told.
  std::function<void(std::string_view why)> report_failure = [](std::string_view) {};
};

}  // namespace snl::cli
