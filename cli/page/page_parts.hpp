// The parts of a page that you can read without its script: names, tables, the turns, the record.
// Everything is HTML. Words from a user stand in it as text only.
#pragma once

#include "game_page.hpp"

#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Whether a name is so long that the page shows only its beginning, with the whole in its title.
bool is_cut_short(const std::string& name);

/// "A board of 100 cells."
std::string board_words(const Board& board);

std::string page_title(const GamePage& page);
std::string heading(const GamePage& page);
/// "Ann wins after 37 turns."
std::string result(const GamePage& page);
std::string game_line(const GamePage& page);
/// The board in words, for a reader who doesn't see it.
std::string board_label(const GamePage& page);
std::string chances_column(const GamePage& page);
std::string player_rows(const GamePage& page);
/// Why there are no chances to win, or why they don't add up; or nothing.
std::string note_on_chances(const GamePage& page);
std::string turn_items(const GamePage& page);
std::string cell_rows(const GamePage& page);
/// The record of the game: its origin, its rules, how to verify it.
std::string facts(const GamePage& page);

}  // namespace cli
}  // namespace snl
