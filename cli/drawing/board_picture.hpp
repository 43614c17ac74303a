// A board and the pieces on it, drawn for a terminal.
//
//   ┬97───┬96───┬95 R↓┬
//   │     │  1  │     │
//   ┼84 F=┼85───┼86───┼
//   │ 2 3 │     │ [4] │
//
// The track runs in rows from the bottom left and turns at the end of each. A jump has one letter
// at both of its ends: a ladder leads from F↑ to F=, a snake from R↓ to R~. Pieces are seats: 1 to
// 9, then 0. The last move was [4]'s.
#pragma once

#include "domain/game.hpp"
#include "domain/narration.hpp"

#include <optional>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

struct Picture {
  std::vector<std::string> players = {};     // their own spelling, in turn order
  std::optional<Position> position = {};     // none: the board alone
  std::optional<TurnPlayed> last_move = {};  // the turn that led to the position
  Glyphs glyphs = Glyphs::ascii;             // except for the players' names
  bool colour = false;                       // SGR sequences
  int columns = 80;                          // of the terminal; at least 1
  int rows = 24;                             // of the terminal; with many rows, jumps are drawn too
};

/// The whole drawing, each line with its end: the jumps, the board, the players (and the jumps)
/// beside it where there is room, the last move. No line is wider than the picture's columns. The
/// jumps get letters in the order of the cells where they start: A to Z, a to z, AA, AB, ….
///
/// The board looks as in a replay (board_view.hpp), but has all of its rows. A board may have too
/// many cells (most_drawn_cells), or be too wide for the columns. Then the drawing shows the part
/// where the last move was, the board's size, and the next jumps ahead of each player.
std::string draw_board(const Board& board, const Picture& picture);

}  // namespace cli
}  // namespace snl
