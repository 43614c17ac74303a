// Chances to win, worked out on a thread of their own while a game is played back.
#pragma once

#include "domain/analysis/race_sums.hpp"
#include "domain/stop_requested.hpp"
#include "playback.hpp"

#include <condition_variable>
#include <cstdint>
#include <expected>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace snl::cli {

/// The chances at positions of a game with this setup, in their order. The error is a sentence that
/// says why there are none: no exact chances exist, they would take longer than some ten seconds,
/// or `stop` returned true.
std::expected<std::vector<RaceOdds>, std::string> exact_odds(const GameSetup& setup,
                                                             const std::vector<Position>& positions,
                                                             const StopRequested& stop);

/// A thread that works out the chances of positions, at first those of a whole recording.
class BackgroundChances {
 public:
  BackgroundChances();
  ~BackgroundChances();  // stops the work under way

  /// Gives the playback the chances that are ready, and starts on those that it still lacks.
  void serve(Playback& playback);

  /// A file descriptor that becomes readable when there is something to serve. serve() reads it.
  int wake() const { return wake_; }

 private:
  struct Question {
    std::uint64_t edition;
    std::size_t first;
    GameSetup setup;
    std::vector<Position> positions;
  };
  struct Result {
    std::uint64_t edition;
    std::size_t first;
    std::expected<std::vector<RaceOdds>, std::string> chances;
  };
  void run(const std::stop_token& stop);
  void ask(const Playback& playback);

  int wake_;
  bool is_asked_ = false;
  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::optional<Question> question_;
  std::optional<Result> result_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace snl::cli
