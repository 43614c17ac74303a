// Boards that a command line names, or gives in a file.
#pragma once

#include "cli/session/output.hpp"
#include "cli/session/session.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// A board that was named, read or described, with the rules and the start that come with it.
struct ChosenBoard {
  Board board;
  Rules rules = {};
  Cell start = 1;         // the cell from which its fewest throws are counted
  std::string name = {};  // or its file's; empty for a board that was described
};

/// The board of this name, else of this file ("-": stdin). Throws Failure with the first faults.
ChosenBoard board_from(const std::string& name_or_file);

/// The file that board_from() reads; empty for a named board.
std::string file_of_board(const std::string& name_or_file);

/// The board in the text of a board file. Throws Failure with the first faults.
ChosenBoard board_from_text(const std::string& file, std::string_view text);

/// The board of a game if nobody asks for another one.
ChosenBoard default_board();

/// "100 cells, 10 snakes, 9 ladders", and its powers if it has any.
std::string cells_and_contents_of(const Board& board);

/// Names the board on stderr, if the answer is words on a terminal.
void announce_board(const Session& session, OutputForm form, const ChosenBoard& board);

/// The text of a board file. Throws Failure.
std::string read_board_file(const std::string& path);

/// Warns on stderr of surprises that a board holds under these rules.
void warn_about(const Board& board, const Rules& rules);

/// The same warnings, and whether a game of so many players may never end where pieces meet.
std::vector<std::string> warnings_about_games(const Board& board, const Rules& rules,
                                              std::size_t players);

}  // namespace snl::cli
