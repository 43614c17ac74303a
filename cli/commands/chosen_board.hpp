// Boards that commands are given by a name or in a file.
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

/// A board that was named, read or described, and what it brings.
struct ChosenBoard {
  Board board;
  Rules rules = {};
  Cell start = 1;         // from where its fewest throws are counted
  std::string name = {};  // or its file's; none of one that was described
};

/// The board of this name, else in this file ("-": stdin). Throws Failure with the first faults.
ChosenBoard board_from(const std::string& name_or_file);

/// The board in the text of a board file, or as above.
ChosenBoard board_from_text(const std::string& file, std::string_view text);

/// The board that is played on where none is asked for.
ChosenBoard default_board();

/// "100 cells, 10 snakes, 9 ladders", and its powers if it has any.
std::string cells_and_contents_of(const Board& board);

/// Says on stderr which board it is, where a person is told in words on a terminal.
void announce_board(const Session& session, OutputForm form, const ChosenBoard& board);

/// The text of a board file. Throws Failure.
std::string read_board_file(const std::string& path);

/// Says on stderr what may surprise about a board under these rules.
void warn_about(const Board& board, const Rules& rules);

/// The same, with whether a game of so many players may never end where pieces meet.
std::vector<std::string> warnings_about_games(const Board& board, const Rules& rules,
                                              std::size_t players);

}  // namespace snl::cli
