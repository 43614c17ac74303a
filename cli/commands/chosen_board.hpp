// Boards that commands are given by a name or in a file.
#pragma once

#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// A board that was named or read, and what it brings.
struct ChosenBoard {
  Board board;
  std::optional<std::string> rules;  // a preset
  Cell start = 1;                    // from where its fewest throws are counted
};

/// The board of this name, else in this file ("-": stdin). Throws Failure with the first faults.
ChosenBoard board_from(const std::string& name_or_file);

/// The board in the text of a board file, or as above.
ChosenBoard board_from_text(const std::string& file, std::string_view text);

/// The text of a board file. Throws Failure.
std::string read_board_file(const std::string& path);

/// Says on stderr what may surprise about a board under these rules.
void warn_about(const Board& board, const Rules& rules);

}  // namespace snl::cli
