// Random boards. The same seed gives the same board everywhere.
#pragma once

#include "board.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace [[gnu::visibility("default")]] snl {

struct RandomBoardRequest {
  std::int64_t size = 10;  // rows, 2 to max_rows
  std::int64_t snakes = 0;
  std::int64_t ladders = 0;
  std::int64_t powers = 0;
};

/// The most jumps that fit on a board with both kinds, and on one with only snakes or only ladders.
/// Every jump takes two cells for itself. One kind alone leaves a cell over: no snake can touch the
/// last cell. No ladder can end on cell 1, and none starts there, so that each can be taken.
/// `cells` ≥ 4.
constexpr std::int64_t most_jumps_of_both_kinds(std::int64_t cells) {
  return cells / 2;
}
constexpr std::int64_t most_jumps_of_one_kind(std::int64_t cells) {
  return (cells - 1) / 2;
}

/// The most snakes on a square of `size` rows that can all lead to another row. They start neither
/// in the first row nor on the last cell, and no two start on neighbouring cells.
constexpr std::int64_t most_snakes_across_rows(std::int64_t size) {
  return size * (size - 1) / 2;
}

/// A square board with the requested numbers of snakes, ladders and powers, on which
/// - every jump has its two cells for itself, so that no jump ends where another starts;
/// - no jump starts on cell 1;
/// - no two snakes start on neighbouring cells. So a throw of 1 or 2 leads up from any cell but the
///   last. (If the next cell starts a snake, it isn't the last one, and the cell after it exists
///   and starts none.) One die of two or more faces is enough to climb to the end from any cell, so
///   the board can always be won;
/// - every jump leads to another row, ladders too. With more snakes than most_snakes_across_rows,
///   some jumps stay within their row;
/// - powers are of any kind that can act (no `shield` without a snake). They are on cells where no
///   jump starts, and on cell 1 only if no other cell is left;
/// - `restart` is neither beside a snake's head or another restart, nor where a jump ends, so that
///   it is as harmless to winning as a snake;
/// - with at least 4 rows and 2 jumps, the jumps aren't all in one quarter.
///
/// Randomness is philox4x32 of `seed` alone; the board is the same on every platform. An error is a
/// sentence that names the limit that the request exceeds. Takes about a second for a million
/// jumps, and several where it is full of snakes.
std::expected<Board, std::string> random_board(const RandomBoardRequest& request,
                                               std::uint64_t seed);

}  // namespace snl
