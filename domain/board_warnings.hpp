// Warnings about a board that is valid, but may surprise its players under the chosen rules.
#pragma once

#include "board.hpp"
#include "rules.hpp"

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Warnings, a sentence each, about things that are allowed but may surprise:
/// - a jump that ends where another starts, or a jump on cell 1;
/// - an end that can't be reached under `rules`, with dice rolled to their end, from the start or
///   from some cell that a piece can come to;
/// - powers that can't act.
std::vector<std::string> warnings_about(const Board& board, const Rules& rules);

}  // namespace snl
