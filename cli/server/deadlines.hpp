// When what waits in games has waited long enough: turns that aren't rolled, entropy that isn't
// sent. A game that doesn't wait costs nothing here, and one that does nothing until it is due.
#pragma once

#include "game_settings.hpp"
#include "game_view.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace snl::cli {

/// From when on, and how long, a game waits for whom it waits for now.
struct Wait {
  UnixMilliseconds since = 0;
  std::chrono::milliseconds length{0};
};
/// None for a game that waits for ever.
std::optional<Wait> wait_of(const GameView& view, const GameSettings& settings);

/// For one thread.
class Deadlines {
 public:
  /// As the game was when it was given its deadline: one that isn't so any more has another.
  struct Seen {
    Head head;
    std::int64_t change = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };

  void set(const std::string& game, SteadyTime at, const Seen& seen);
  void forget(const std::string& game);
  std::optional<SteadyTime> first() const;
  /// Those whose deadline has come, the first ones first; they are due again at another time.
  std::vector<std::pair<std::string, Seen>> postpone(SteadyTime now, SteadyTime until,
                                                     std::size_t most);

 private:
  struct Deadline {
    SteadyTime at;
    Seen seen;
  };
  std::unordered_map<std::string, Deadline> by_game_;
  std::set<std::pair<SteadyTime, std::string>> in_order_;
};

}  // namespace snl::cli
