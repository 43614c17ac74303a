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

/// At each of these positions of a game with this setup, in their order; or why there is no answer,
/// as a sentence without its full stop: they can't be had exactly, or not within `most_work` (see
/// max_work), or `stop` answered true meanwhile.
std::expected<std::vector<RaceOdds>, std::string> chances_at(const GameSetup& setup,
                                                             std::span<const Position> positions,
                                                             double most_work = max_work,
                                                             const StopRequested& stop = {});

/// After each turn in force, from first_turn() (before any) to last_turn().
std::expected<std::vector<RaceOdds>, std::string> chances_of(const Timeline& timeline);

}  // namespace snl
