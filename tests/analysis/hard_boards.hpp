// Boards that are hard to have exact odds of: games that last 10^15 turns, cells that are visited
// in turns, several regions that pieces leave at all but the same rate, ends that are all but out
// of reach, traps; under all rules.
//
// A board is made from a small machine, whose states lead on by the distance of a throw. A state is
// a cell with nothing but jumps behind it, one for each distance, to where that distance leads.
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
  std::vector<Cell> cells;  // where pieces may be put to make it harder, the start among them
};

/// The same for the same seed. Up to 400 cells, but for rules that need more for three states.
HardBoard hard_board(std::uint64_t seed);

/// A race of so many players on some of its cells, perhaps the same ones; any of them to move.
Race hard_race(const HardBoard& board, std::size_t players, std::uint64_t seed);

/// As `snl board analyze` is asked about it.
std::ostream& operator<<(std::ostream& out, const HardBoard& board);

}  // namespace snl::test
