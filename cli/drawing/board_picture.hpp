// A board and the pieces on it, drawn for a terminal.
//
//   ┬97───┬96───┬95 R↓┬   The track runs in rows from the bottom left and turns at the end of each.
//   │     │  1  │     │   A jump has one letter at both of its ends: a ladder leads from F↑ to F=,
//   ┼84 F=┼85───┼86───┼   a snake from R↓ to R~. Pieces are seats: 1 to 9, then 0. The last move
//   │ 2 3 │     │ [4] │   was [4]'s.
#pragma once

#include "domain/game.hpp"
#include "domain/narration.hpp"

#include <optional>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

struct Picture {
  std::vector<std::string> players = {};     // as they call themselves, in turn order
  std::optional<Position> position = {};     // none: the board alone
  std::optional<TurnPlayed> last_move = {};  // the turn that led to the position
  Glyphs glyphs = Glyphs::ascii;             // but for what the players' names hold
  bool colour = false;                       // SGR sequences
  int columns = 80;                          // of the terminal; at least 1
  int rows = 24;                             // of it; where there are many, jumps are drawn too
};

/// The whole drawing, each line with its end: the jumps, the board, the players (and the jumps)
/// beside it where there is room, the last move. No line is wider than the picture's columns.
/// Letters go to the jumps in the order of the cells where they start: A to Z, a to z, AA, AB, ….
///
/// The board looks as in a replay (board_view.hpp), but for its rows: all of them are there. Of one
/// that has too many cells (most_drawn_cells), or is too wide for the columns, the part is drawn
/// where the last move was, and its size and the next jumps ahead of each player are told.
std::string draw_board(const Board& board, const Picture& picture);

}  // namespace cli
}  // namespace snl
