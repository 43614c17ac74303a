// Boards of 100 cells in the texts of other programs, which are read and not written:
//
//   HackerRank's "The Quickest Way Up": the number of boards, which is 1; then the number of
//   ladders and a pair of cells for each, and the same of the snakes.
//
//   Lines such as L 1 38 and C 6 16: the two ends of a ladder, and of a chute or snake (S), in any
//   order. Empty lines and those that begin with # are passed over.
#pragma once

#include "domain/board.hpp"
#include "domain/faults.hpp"

#include <expected>
#include <optional>
#include <string_view>

namespace snl {

/// The board of such a text, or the first thing that is wrong with it, with its line; none of a
/// text that looks like neither.
std::optional<std::expected<BoardDescription, Faults>> read_board_text(std::string_view text);

}  // namespace snl
