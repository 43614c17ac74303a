// A board with its pieces in a part of a screen: whole where it fits, else the part of it where the
// move is. That part stays where it is until the move comes near its edge.
#pragma once

#include "cli/drawing/board_grid.hpp"
#include "cli/drawing/frame.hpp"
#include "domain/board.hpp"
#include "domain/narration.hpp"
#include "playback.hpp"

namespace snl::cli {

/// A part of a screen.
struct Area {
  int column = 0;
  int row = 0;
  Size size;
};

/// How a board is shown: whole, or a part of it between two edges that say where it goes on.
struct BoardShape {
  GridShape grid;
  bool is_part = false;

  static constexpr int edge_columns = 2;  // at the left, and at the right
  Size size() const {
    const Size size = grid.size();
    return {.columns = size.columns + (is_part ? 2 * edge_columns : 0), .rows = size.rows};
  }
};

/// The roomiest shape that fits: of the whole board if it has at most 20 × 20 cells and any does.
BoardShape shape_for(const Board& board, Size room);

struct BoardLook {
  Glyphs glyphs = Glyphs::ascii;
  bool flipped = false;  // upside down: the first row at the top
};

/// Draws into `area`, which is at least as large as the shape. Jumps have a letter at both ends as
/// in `snl show`, A to Z, a to z, AA, …; on larger boards than those, where they lead instead.
void draw_board_view(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
                     const Scene& scene, std::size_t players, const BoardLook& look);

}  // namespace snl::cli
