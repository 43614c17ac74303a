// The part of a large board that is in view, and what lies outside it. Columns and rows of cells
// count from the top left of the whole board, as it is seen. No picture yet.
#pragma once

#include "board_grid.hpp"
#include "domain/board.hpp"
#include "domain/game.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// A place on the whole board, or between two cells.
struct Spot {
  double column;
  double row;
};

Spot between(Spot from, Spot to, double part);

/// The middle of a cell as it is seen; for cell 0, that of the first cell.
Spot seen_at(Cell cell, const Board& board, bool flipped);

/// The window over a board follows the move, with a dead zone: its middle half, or in a small
/// window all but its margins. While the move is in the zone, the window stays. Once the move
/// leaves the zone, the window has it in its middle again, or as near to it as the board's ends
/// allow.
class FollowingWindow {
 public:
  /// The place of a window of `shown` cells when the move is at `focus`. The window starts afresh
  /// if the board's size or its own changes, or if the board is turned.
  GridWindow follow(Spot focus, const Board& board, Size shown, bool flipped);

 private:
  std::optional<GridWindow> window_;
  Size all_;
  Size shown_;
};

/// A thing beyond an edge of the window.
struct Outside {
  enum class Edge : std::uint8_t { left, right, above, below };
  Edge edge;
  int along;                                // the nearest row, or column, of the window: from 0
  std::optional<Seat> seat = std::nullopt;  // the owner, if it is a piece
  std::optional<JumpKind> jump =
      std::nullopt;  // the other end of one that has an end in the window
  friend bool operator==(const Outside&, const Outside&) = default;
};

/// Everything outside: all pieces by seat, then the jumps that lead outside, ordered by the cells
/// where they start, snakes first. A thing beyond a corner counts as left or right.
std::vector<Outside> outside_of(const GridWindow& window, Size shown, const Board& board,
                                const Position& position, std::size_t players);

}  // namespace cli
}  // namespace snl
