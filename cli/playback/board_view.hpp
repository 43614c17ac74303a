// A board with its pieces in a part of a screen: whole where it fits, else the part of it where the
// move is.
#pragma once

#include "cli/drawing/board_grid.hpp"
#include "cli/drawing/frame.hpp"
#include "domain/board.hpp"
#include "playback.hpp"

namespace snl::cli {

/// A part of a screen.
struct Area {
  int column = 0;
  int row = 0;
  Size size;
};

/// The roomiest shape that fits: of the whole board if it has at most 20 × 20 cells and any does.
GridShape shape_for(const Board& board, Size room);

struct BoardLook {
  bool unicode = false;
  bool flipped = false;  // upside down: the first row at the top
};

/// Draws into `area`, which is at least as large as the shape. Jumps have a letter at both ends as
/// in `snl show`, A to Z, a to z, AA, …; on larger boards than those, where they lead instead.
void draw_board(Frame& frame, const Area& area, const GridShape& shape, const Board& board,
                const Scene& scene, std::size_t players, const BoardLook& look);

}  // namespace snl::cli
