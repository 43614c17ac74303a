// Which part of a large board is seen, and what is outside of it. Columns and rows of cells count
// from the top left of the whole board as it is seen. No picture yet.
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

/// The middle of a cell as it is seen; of cell 0, of the first.
Spot seen_at(Cell cell, const Board& board, bool flipped);

/// The window over a board follows what moves, with a dead zone in its middle half (of a small
/// window all but its margins): it stays where it is while the move is there, and once the move
/// leaves it, has the move in its middle again, or as near to it as the board's ends allow.
class FollowingWindow {
 public:
  /// Where the window of `shown` cells is when the move is at `focus`. It begins anew on another
  /// board's size, in another size of its own, or when the board is turned.
  GridWindow follow(Spot focus, const Board& board, Size shown, bool flipped);

 private:
  std::optional<GridWindow> window_;
  Size all_;
  Size shown_;
};

/// What is beyond an edge of the window.
struct Outside {
  enum class Edge : std::uint8_t { left, right, above, below };
  Edge edge;
  int along;  // the row, or the column, of the window that is nearest: from 0
  std::optional<Seat> seat = std::nullopt;  // whose piece it is
  std::optional<JumpKind> jump =
      std::nullopt;  // the other end of one that has an end in the window
  friend bool operator==(const Outside&, const Outside&) = default;
};

/// All pieces outside, by seat, then the jumps that lead outside, in the order of the cells where
/// they start, snakes first. What is beyond a corner is left or right.
std::vector<Outside> outside_of(const GridWindow& window, Size shown, const Board& board,
                                const Position& position, std::size_t players);

}  // namespace cli
}  // namespace snl
