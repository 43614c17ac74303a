// The cells where a piece spends its turns: exact, not simulated.
#pragma once

#include "chain.hpp"

#include <expected>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// The visits of one piece alone, from its first cell until it finishes; by cell, 0 to the last.
struct CellVisits {
  /// The chance that the piece ever stands on the cell between two turns, or finishes on it. 1 for
  /// the cell where it begins and for the last.
  CellValues chance;
  /// The expected number of turns that it begins on the cell. They add up to the expected turns.
  CellValues turns;
};

/// The most multiplications that cell_visits may take: some seconds.
inline constexpr double max_visits_work = 1e10;

/// The visits from `from` (0 to cells − 1). An error is a sentence that says why there are no exact
/// values: the piece may never finish, or the board is too large.
///
/// The turns from a cell are an entry of the chain's fundamental matrix N. The chance ever to come
/// to cell c is N(from, c) ÷ N(c, c) (Kemeny and Snell, Finite Markov Chains, 1960, theorem 3.5.4).
/// With powers, a piece may be on a cell with more or fewer shields. It is alone, and finds nobody
/// to swap with or to capture.
std::expected<CellVisits, std::string> cell_visits(const Board& board, const Rules& rules,
                                                   Cell from);

}  // namespace snl
