// Every player's chances to win, all through a recorded game.
#pragma once

#include "domain/analysis/odds.hpp"
#include "domain/timeline.hpp"

#include <expected>
#include <string>
#include <vector>

namespace snl::cli {

/// The chances after each turn in force, from first_turn() (before any) to last_turn(); or why they
/// can't be had exactly, or not within max_work, as a sentence without its full stop.
std::expected<std::vector<RaceOdds>, std::string> chances_of(const Timeline& timeline);

}  // namespace snl::cli
