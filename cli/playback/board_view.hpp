// A board with its pieces in a part of a screen: whole where it fits, else the part of it where the
// move is.
#pragma once

#include "cli/drawing/frame.hpp"
#include "domain/board.hpp"
#include "playback.hpp"

#include <string>

namespace snl::cli {

/// A part of a screen.
struct Area {
  int column = 0;
  int row = 0;
  Size size;
};

/// How a board is drawn.
struct BoardShape {
  /// Around each cell a frame with its number in it; or nothing, with the number above what stands
  /// on it, or nothing, with the number only where nothing stands.
  enum class Lines : std::uint8_t { framed, open, dense };

  Lines lines = Lines::framed;
  Size cell = {};  // inside the frame
  Size shown =
      {};  // cells across and rows of them; fewer than the board has if it is shown in part

  /// From a cell to the next.
  Size pitch() const {
    return {.columns = cell.columns + 1, .rows = cell.rows + (lines == Lines::dense ? 0 : 1)};
  }
  /// Of the whole drawing.
  Size size() const {
    const int framed = lines == Lines::framed ? 1 : 0;
    return {.columns = shown.columns * pitch().columns - 1 + 2 * framed,
            .rows = shown.rows * pitch().rows + framed};
  }
};

/// The roomiest shape that fits: of the whole board if it has at most 20 × 20 cells and any does.
BoardShape shape_for(const Board& board, Size room);

struct BoardLook {
  bool unicode = false;
  bool flipped = false;  // upside down: the first row at the top
};

/// Draws into `area`, which is at least as large as the shape. Jumps have a letter at both ends as
/// in `snl show`, A to Z, a to z, AA, …; on larger boards than those, where they lead instead.
void draw_board(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
                const Scene& scene, std::size_t players, const BoardLook& look);

/// The colour of a seat's piece. Pieces are digits too: nothing is told by colour alone.
Colour colour_of(Seat seat);
/// "1" to "9", and "0" for the tenth.
std::string digit_of(Seat seat);

}  // namespace snl::cli
