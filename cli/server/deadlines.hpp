// The deadlines of games: when a game has waited long enough for a turn that isn't rolled, or for
// entropy that isn't sent. A game that doesn't wait costs nothing here; one that waits costs
// nothing until it is due.
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

/// Since when a game waits for a player, and how long.
struct Wait {
  UnixMilliseconds since = 0;
  std::chrono::milliseconds length{0};
};
/// None for a game that waits for ever.
std::optional<Wait> wait_of(const GameView& view, const GameSettings& settings);

/// For one thread.
class Deadlines {
 public:
  /// The game as it was when its deadline was set. If it has changed since, it is set again.
  struct Seen {
    Head head;
    std::int64_t change = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };

  /// A game that has waited since the same moment and the same commit keeps its deadline, moved by
  /// as much as its wait has grown: setting the clock meanwhile moves no deadline.
  void set(const std::string& game, const Wait& wait, SteadyTime at, const Seen& seen);
  void forget(const std::string& game);
  std::optional<SteadyTime> first() const;
  /// The games that are due, the first ones first. They are due again at `until`.
  std::vector<std::pair<std::string, Seen>> postpone(SteadyTime now, SteadyTime until,
                                                     std::size_t most);

 private:
  struct Deadline {
    SteadyTime at;
    Seen seen;
    std::optional<Wait> wait;  // none once it was postponed
  };
  void put(const std::string& game, const Deadline& deadline);

  std::unordered_map<std::string, Deadline> by_game_;
  std::set<std::pair<SteadyTime, std::string>> in_order_;
};

}  // namespace snl::cli
