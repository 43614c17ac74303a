// Boards at random, for those who need another one: the same seed gives the same board everywhere.
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

/// The most jumps that fit where there are snakes and ladders, and where there are only one of the
/// two: every jump takes two cells for itself, and one kind alone leaves a cell over: nothing can
/// start on the last one, and a ladder neither ends on cell 1 nor, if it is to be taken, starts
/// there. `cells` ≥ 4.
constexpr std::int64_t most_jumps_of_both_kinds(std::int64_t cells) {
  return cells / 2;
}
constexpr std::int64_t most_jumps_of_one_kind(std::int64_t cells) {
  return (cells - 1) / 2;
}

/// The most snakes on a square of `size` rows that can all lead to another row: they start neither
/// in the first row nor on the last cell, and on no two neighbouring cells.
constexpr std::int64_t most_snakes_across_rows(std::int64_t size) {
  return size * (size - 1) / 2;
}

/// A square board of so many snakes, ladders and powers, on which
/// - every jump has its two cells for itself, so that no jump ends where another starts;
/// - no jump starts on cell 1;
/// - no two snakes start on neighbouring cells. So from any cell but the last, a throw of 1 or 2
///   leads to a higher cell: if the next cell starts a snake, it isn't the last one, and the one
///   after it exists and starts none. Whoever throws one die of two or more faces can climb to the
///   end from wherever a piece may be: the board can always be won;
/// - every jump leads to another row, ladders too, unless there are more snakes than
///   most_snakes_across_rows; with more, some jumps stay within theirs;
/// - powers are of any kind that can act (no `shield` without a snake), and on cells where no jump
///   starts: on cell 1 only if no other is left;
/// - `restart` is neither beside a snake's head or another restart nor where a jump ends: it is as
///   harmless to winning as a snake;
/// - from 4 rows and 2 jumps on the jumps aren't all in one quarter.
///
/// Randomness is philox4x32 of `seed` alone; the board is the same on every platform. An error is a
/// sentence that names the limit that is passed. About a second a million jumps.
std::expected<Board, std::string> random_board(const RandomBoardRequest& request,
                                               std::uint64_t seed);

}  // namespace snl
