// Boards as JSON files, in one of four forms that are told apart by their shape:
//
//   snl      {"cells":100,"width":10,"snakes":[[17,7]],"ladders":["3,22"],
//             "powers":[{"cell":12,"power":"again"},{"cell":30,"power":"skip","n":2}]}
//   matrix   [[-1,-1],[-1,4]]                rows from the top one down, as in LeetCode 909
//   moves    [-1,29,-1]                      index = cell − 1, as in the GeeksforGeeks problem
//   entries  {"size":4,"entries":[[0,1,"SL",1,2],[1,2,"SU",0,1]]}
//
// domain/board_forms.hpp says what the last three mean; they hold no powers. In the first form,
// width, snakes, ladders and powers can be left out. Both objects may have a name and a source,
// which are ignored. A key may appear once. A byte order mark before the text is skipped.
// board_text.hpp has the texts of other programs, which are read like the first form.
#pragma once

#include "domain/board.hpp"
#include "domain/faults.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// The largest board file that is read, in bytes.
inline constexpr std::size_t max_board_bytes = std::size_t{256} << 20U;

enum class BoardForm : std::uint8_t { snl, matrix, moves, entries };

/// "snl", "matrix", "moves" or "entries".
std::string to_string(BoardForm form);

std::optional<BoardForm> board_form_named(std::string_view name);

/// The cell from which users of a form count the fewest throws: 0 for entries, else 1.
Cell usual_start(BoardForm form);

struct BoardFile {
  Board board;
  BoardForm form;
};

/// The board in a file's text, or every fault of the text, each with its place. If it isn't JSON,
/// that is a line and column. Otherwise it is the list and index ("snakes[2]"), the row and column
/// of a matrix, the index of a move, or the entry, all from 0. Memory is bounded: of a list it
/// keeps at most what a board of max_cells needs, of an object at most ten million values.
std::expected<BoardFile, Faults> parse_board(std::string_view json);

/// True for the text of a board of one cell in any form, which parse_board refuses. See is_one_cell
/// in domain/board_forms.hpp.
bool is_one_cell_board(std::string_view json);

/// The snl form in one line, with pairs as lists, and with powers only if there are some.
std::string board_to_json(const Board& board);

/// The board in a form, in one line. The error is a sentence that says why the form can't hold it.
std::expected<std::string, std::string> board_to_json(const Board& board, BoardForm form);

}  // namespace snl
