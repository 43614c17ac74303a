// The odds of a race in which pieces meet, by equations over all states of the pieces together
// (joint_chain.hpp).
//
// Method. Gauss-Seidel, highest sums of cells first, so that most of a state's equation is known
// when it comes; where all players may stay where they are, their states are solved as one block.
// Every eighth sweep is extrapolated. How far a solution may be off is then certified by one more
// pass, whatever led to it. Be P the chances of a turn between the states from which somebody can
// still win, and T any values with T − PT ≥ c > 0: the sum of all powers of P, applied to 1, is at
// most T ÷ c, so a solution whose equations are off by at most r is off by at most r T ÷ c. As T
// the expected turns are taken, and r counts every rounding in. That is some 10^-12 for chances
// where games last a hundred turns, and 10^-9 where they last 10^5. Slower games are given to
// Absorption.
#pragma once

#include "odds.hpp"

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {

/// Answers for `races`, which all have the same number of players. `question` says which quantiles
/// are asked for, how much work that may take and when to stop. Numbers are rounded to digits that
/// are known. An error is a sentence without its full stop.
std::expected<std::vector<RaceOdds>, std::string> joint_odds(const Board& board, const Rules& rules,
                                                             std::span<const Race> races,
                                                             const OddsQuestion& question);

}  // namespace snl
