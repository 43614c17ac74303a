// Every player's chances to win, at positions of a recorded game.
#pragma once

#include "domain/stop_requested.hpp"
#include "domain/timeline.hpp"
#include "odds.hpp"

#include <expected>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The chances at each of these positions of a game with this setup, in their order. An error is a
/// sentence without its full stop. It says that there are no exact chances, or none within
/// `most_work` (see max_work), or that `stop` answered true meanwhile.
std::expected<std::vector<RaceOdds>, std::string> chances_at(const GameSetup& setup,
                                                             std::span<const Position> positions,
                                                             double most_work = max_work,
                                                             const StopRequested& stop = {});

/// The chances after each turn in force, from first_turn() (before any) to last_turn().
std::expected<std::vector<RaceOdds>, std::string> chances_of(const Timeline& timeline);

}  // namespace snl
