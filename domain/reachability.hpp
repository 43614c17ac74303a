// Where a piece can get to under the rules, whatever the dice, and from where it can still get
// home.
#pragma once

#include "board.hpp"
#include "rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace snl {

/// One truth for each cell, 0 (off the board) to cells().
using CellSet = std::vector<bool>;

/// Where a cell stands in a list of one value for each.
constexpr std::size_t index_of(Cell cell) {
  return static_cast<std::size_t>(cell);
}

/// Every cell that a piece on `from` may stand on after any number of turns, `from` itself too.
/// O(cells × distances of a turn), as all of these.
CellSet reachable_from(const Board& board, const Rules& rules, Cell from);

/// Every cell from which a piece can come to one of `goals`, those too. No piece goes on from the
/// last cell.
CellSet can_reach(const Board& board, const Rules& rules, const CellSet& goals);

/// Every cell from which a piece can reach the last one, the last one too.
CellSet can_finish(const Board& board, const Rules& rules);

/// The lowest cell that a piece on `from` may come to and never finish from; none if it can finish
/// from wherever it gets to.
std::optional<Cell> stranding_cell(const Board& board, const Rules& rules, Cell from);

/// The fewest turns in which a piece on `from` can finish; none if it can't.
std::optional<std::int64_t> fewest_turns(const Board& board, const Rules& rules, Cell from);

}  // namespace snl
