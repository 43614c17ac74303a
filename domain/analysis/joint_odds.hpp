// The odds of a race in which pieces meet, by equations over all states of the pieces together
// (joint_chain.hpp).
//
// Method. Gauss-Seidel, highest sums of cells first, so that most of a state's equation is known
// when its turn comes. If all players may stay where they are, their states are solved as one
// block. The values are extrapolated after every eighth sweep.
//
// One more pass then certifies how far a solution may be off, however it came about. Let P be the
// chances of a turn between the states from which somebody can still win. Take any values T with T
// − PT ≥ c > 0. Then the sum of all powers of P, applied to 1, is at most T ÷ c. So a solution
// whose equations are off by at most r is off by at most r T ÷ c. Here T is the expected turns, and
// r includes every rounding. That makes some 10^-12 for chances where games last a hundred turns,
// and 10^-9 where they last 10^5. Slower games go to Absorption.
#pragma once

#include "odds.hpp"

#include <expected>
#include <span>
#include <string>
#include <vector>

namespace snl {

/// Answers for `races`, which all have the same number of players. `question` gives the quantiles
/// to find, the work that is allowed, and the request to stop. Numbers are rounded to digits that
/// are known. An error is a sentence without its full stop.
std::expected<std::vector<RaceOdds>, std::string> joint_odds(const Board& board, const Rules& rules,
                                                             std::span<const Race> races,
                                                             const OddsQuestion& question);

}  // namespace snl
