// The forms in which boards are passed around: what each one means as a Board, and back.
//
//   matrix    a square as in LeetCode 909: rows from the top one down, the track from the bottom
//             left in rows that turn at their ends; in each cell -1 or the cell where it leads
//   moves     a flat list as in the GeeksforGeeks problem: index = cell − 1; in each place -1, or
//             the cell where it leads less 1
//   entries   a square and the ends of its jumps, each by its row and column
//
// In the matrix and in the moves a cell may name itself: no jump. Rows, columns, indexes and
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

/// A matrix of `rows` rows as it is read from a large file: its destinations in the order of the
/// track, from index 1 on. In index 0 there is a 0, and a cell without a jump names itself.
struct BoardSquare {
  std::int32_t rows;
  std::vector<Cell> landings;  // rows² + 1
  friend bool operator==(const BoardSquare&, const BoardSquare&) = default;
};

/// Where a row of a square goes in that order: `rows` places from `first` on, or down from it.
struct RowPlace {
  std::ptrdiff_t first;
  std::ptrdiff_t step;  // 1 or −1
};
/// `row` counts from 0 at the top.
RowPlace place_of_row(std::int32_t row, std::int32_t rows);

/// From cell 1 on: no_jump, or a cell less 1, from 0 to cells − 1.
using BoardMoves = std::vector<Cell>;

/// What stands at an end of a jump: its upper or its lower end.
enum class EntryKind : std::uint8_t { snake_upper, snake_lower, ladder_upper, ladder_lower };

/// "SU", "SL", "LU" or "LL".
std::string to_string(EntryKind kind);

/// The kind of that name.
std::optional<EntryKind> entry_kind_named(std::string_view name);

/// One end of a jump at (row, column), the other at (row2, column2); wide enough for numbers that
/// no board holds.
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

/// The board that a matrix means, or every fault it has, each beginning with its place: fewer than
/// 2 rows or more than max_rows, rows that aren't as long as there are rows, a destination off the
/// board, a jump that starts on the last cell.
std::expected<Board, Faults> board_from_matrix(const BoardMatrix& matrix);

/// The same of a square of 2 to max_rows rows. Its memory becomes the board's.
std::expected<Board, Faults> board_from_square(BoardSquare square);

/// The board of usual_width() that 2 to max_cells moves mean, or every fault they have.
std::expected<Board, Faults> board_from_moves(std::span<const Cell> moves);

/// The board that entries mean, or every fault they have: those of a matrix, and an end whose other
/// end isn't listed, an entry twice, two jumps from one cell, an upper end below its lower end.
std::expected<Board, Faults> board_from_entries(const BoardEntries& entries);

/// A board in one of the forms, or a sentence that says why the form can't hold it. A matrix and
/// entries hold only boards that are as wide as high. Moves hold every board, without its width.
std::expected<BoardMatrix, std::string> matrix_from(const Board& board);
BoardMoves moves_from(const Board& board);
std::expected<BoardEntries, std::string> entries_from(const Board& board);

/// True for one cell without a jump. It isn't a Board, as nobody could play on it; but the question
/// of the fewest throws has an answer there: none are needed.
bool is_one_cell(const BoardMatrix& matrix);
bool is_one_cell(std::span<const Cell> moves);
bool is_one_cell(const BoardEntries& entries);
bool is_one_cell(const BoardDescription& description);

}  // namespace snl
