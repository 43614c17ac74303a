// Boards whose exact odds are hard to compute, under all rules. Their games last 10^15 turns; they
// have cells that pieces visit alternately, several regions that pieces leave at nearly the same
// rate, ends that are almost unreachable, and traps.
//
// A board is made from a small state machine, in which the distance of a throw selects the next
// state. A state is a cell followed only by jumps: one for each distance, to the state where that
// distance leads.
#pragma once

#include "domain/analysis/race_sums.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <cstdint>
#include <ostream>
#include <vector>

namespace snl::test {

struct HardBoard {
  Board board;
  Rules rules;
  std::vector<Cell> cells;  // hard places for pieces, the start among them
};

/// The same for the same seed. Up to 400 cells, unless rules need more for three states.
HardBoard hard_board(std::uint64_t seed);

/// A race of this number of players on some of the board's cells, perhaps all on one. Any of them
/// may be next to move.
Race hard_race(const HardBoard& board, std::size_t players, std::uint64_t seed);

/// The arguments of `snl board analyze` for it.
std::ostream& operator<<(std::ostream& out, const HardBoard& board);

}  // namespace snl::test
