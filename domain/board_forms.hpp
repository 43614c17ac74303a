// The forms in which programs exchange boards, to a Board and back.
//
//   matrix    A square as in LeetCode 909: rows from the top one down. The track begins at the
//             bottom left, and its rows turn at their ends. In each cell -1, or the cell where it
//             leads.
//   moves     A flat list as in the GeeksforGeeks problem: index = cell − 1. In each place -1, or
//             the cell where it leads less 1.
//   entries   A square and the ends of its jumps, each by its row and column.
//
// In the matrix and in the moves a cell may name itself, for no jump. Rows, columns, indexes and
// entries count from 0 wherever a fault names them. Row 0 of a matrix is the top one, as it is
// written; row 0 of the entries is the bottom one, where the track starts.
#pragma once

#include "board.hpp"
#include "faults.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The most rows of a square board.
inline constexpr std::int64_t max_rows = 4096;

/// In a matrix or in moves: nothing starts here.
inline constexpr Cell no_jump = -1;

/// Row by row from the top: no_jump, or a cell from 1 to rows².
using BoardMatrix = std::vector<std::vector<Cell>>;

/// A matrix of `rows` rows, as a reader of large files fills it: its destinations in the order of
/// the track, from index 1 on. Index 0 holds 0, and a cell without a jump names itself.
struct BoardSquare {
  std::int32_t rows;
  std::vector<Cell> landings;  // rows² + 1
  friend bool operator==(const BoardSquare&, const BoardSquare&) = default;
};

/// The places of one row in BoardSquare::landings: `rows` of them from `first` on, upwards or
/// downwards.
struct RowPlace {
  std::ptrdiff_t first;
  std::ptrdiff_t step;  // 1 or −1
};
/// `row` counts from 0 at the top.
RowPlace place_of_row(std::int32_t row, std::int32_t rows);

/// For each cell from 1 on: no_jump, or the destination less 1, from 0 to cells − 1.
using BoardMoves = std::vector<Cell>;

/// The upper or the lower end of a snake or a ladder.
enum class EntryKind : std::uint8_t { snake_upper, snake_lower, ladder_upper, ladder_lower };

/// "SU", "SL", "LU" or "LL".
std::string to_string(EntryKind kind);

/// The kind of that name.
std::optional<EntryKind> entry_kind_named(std::string_view name);

/// One end of a jump at (row, column), the other at (row2, column2). Both may be off the board.
struct BoardEntry {
  std::int64_t row;
  std::int64_t column;
  EntryKind kind;
  std::int64_t row2;
  std::int64_t column2;
  friend auto operator<=>(const BoardEntry&, const BoardEntry&) = default;
};

/// A square of `size` rows. Both ends of a jump are listed, each once, in any order.
struct BoardEntries {
  std::int64_t size;
  std::vector<BoardEntry> entries;
  friend bool operator==(const BoardEntries&, const BoardEntries&) = default;
};

/// The board that a matrix means, or every fault it has. Each fault begins with its place. The
/// faults are fewer than 2 rows or more than max_rows, rows that don't make a square, a destination
/// off the board, and a jump that starts on the last cell.
std::expected<Board, Faults> board_from_matrix(const BoardMatrix& matrix);

/// The same for a square of 2 to max_rows rows. The board takes over its memory.
std::expected<Board, Faults> board_from_square(BoardSquare square);

/// The board of usual_width() that 2 to max_cells moves mean, or every fault they have.
std::expected<Board, Faults> board_from_moves(std::span<const Cell> moves);

/// The board that entries mean, or every fault they have. Beside those of a matrix, the faults are
/// an end whose other end isn't listed, an entry twice, two jumps from one cell, and an upper end
/// below its lower end.
std::expected<Board, Faults> board_from_entries(const BoardEntries& entries);

/// A board in one of the forms, or a sentence that says why the form can't hold it. A matrix and
/// entries hold only square boards. Moves hold every board, without its width.
std::expected<BoardMatrix, std::string> matrix_from(const Board& board);
BoardMoves moves_from(const Board& board);
std::expected<BoardEntries, std::string> entries_from(const Board& board);

/// True for one cell without a jump. Nobody could play on it, so it isn't a Board. But the fewest
/// throws have an answer there: 0.
bool is_one_cell(const BoardMatrix& matrix);
bool is_one_cell(std::span<const Cell> moves);
bool is_one_cell(const BoardEntries& entries);
bool is_one_cell(const BoardDescription& description);

}  // namespace snl
