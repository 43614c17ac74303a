// The progress of a long command, on one line of a terminal that is redrawn.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace snl::cli {

/// Draws on stderr a few times a second until it is destroyed, then removes its line. Draws nothing
/// if stderr is no terminal, or a dumb one.
class ProgressBar {
 public:
  /// `done` counts up to `all` and outlives the bar.
  ProgressBar(const std::atomic<std::uint64_t>& done, std::uint64_t all, std::string_view things);

 private:
  void run(const std::stop_token& stopped);

  const std::atomic<std::uint64_t>& done_;
  std::uint64_t all_;
  std::string things_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread drawer_;  // last: it uses all the others
};

}  // namespace snl::cli
