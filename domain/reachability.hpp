// The cells that a piece can get to under the rules, whatever the dice, and those from which it can
// still reach the end. Assumes dice that are rolled to their end (turn_dice.hpp).
#pragma once

#include "board.hpp"
#include "rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A set of cells: for each cell from 0 (off the board) to the last, whether it is in the set.
using CellSet = std::vector<bool>;

/// The place of a cell in a list with a value for each cell from 0 on.
constexpr std::size_t index_of(Cell cell) {
  return static_cast<std::size_t>(cell);
}

/// Every cell that a piece on `from` may stand on after any number of turns, including `from`
/// itself. This function and all below take O(cells × distances of a turn) time.
CellSet reachable_from(const Board& board, const Rules& rules, Cell from);

/// Every cell from which a piece can come to one of `goals`, and the goals themselves. No piece
/// moves on from the last cell.
CellSet can_reach(const Board& board, const Rules& rules, const CellSet& goals);

/// Every cell from which a piece can reach the last one, and the last one itself.
CellSet can_finish(const Board& board, const Rules& rules);

/// The lowest cell that a piece on `from` may come to and never finish from; none if it can finish
/// from every cell that it gets to.
std::optional<Cell> stranding_cell(const Board& board, const Rules& rules, Cell from);

/// Whether a piece on `from` can finish. This function and stranding_cell take powers, captures and
/// faces that enter into account (see effects_reach.hpp). The others move a piece by dice and jumps
/// alone.
bool can_finish_from(const Board& board, const Rules& rules, Cell from);

/// Whether one piece may move another, by a swap or a capture, in games in which pieces stand on
/// `from` and players have up to this many shields. False if these rules can't act, as with
/// captures where every cell is safe, or a swap on a cell that no move leads to.
bool can_meet(const Board& board, const Rules& rules, std::span<const Cell> from,
              std::int32_t shields = 0);

/// The fewest turns by these rules in which a piece on `from` can finish; none if it can't. A turn
/// may be several throws. fewest_throws() in domain/analysis counts throws of one die, without
/// rules of turns.
std::optional<std::int64_t> fewest_turns(const Board& board, const Rules& rules, Cell from);

}  // namespace snl
