// Boards of 100 cells in the texts of other programs, which are read and not written:
//
//   HackerRank's "The Quickest Way Up": the number of boards, which is 1; then the number of
//   ladders and a pair of cells for each, and the same for the snakes.
//
//   Lines such as L 1 38 and C 6 16: the two ends of a ladder, and of a chute or snake (S), in any
//   order. Empty lines and lines that begin with # are skipped.
#pragma once

#include "domain/board.hpp"
#include "domain/faults.hpp"

#include <expected>
#include <optional>
#include <string_view>

namespace snl {

/// The board of such a text, or its first fault, with the line; none if the text looks like
/// neither.
std::optional<std::expected<BoardDescription, Faults>> read_board_text(std::string_view text);

}  // namespace snl
