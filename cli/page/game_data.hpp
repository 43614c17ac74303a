// The game as data, for the page's script.
#pragma once

#include "game_page.hpp"
#include "stage.hpp"

#include <cstdint>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// JSON that can stand within `<script>` as it is. It is for game.js alone: nobody else may rely on
/// the format. It brings every rule of the game and every sentence about it that the page needs:
///
/// - moves: each different move of a turn, as move_of() of turn_data.hpp makes it
/// - seats: the seat of each recorded turn, a digit each
/// - played: the index of each turn's move
/// - undone: [index, turn] of turns that were taken back
/// - moments: the positions that are worth stopping at, ascending (ranked_moments.hpp)
/// - highlights: [position, seat, words after the name] of each player's luckiest throw
/// - chances: to win, in 1/10,000, of each seat at each position; or null
/// - never: a digit for each position: 0 somebody will win, 1 perhaps nobody, 2 surely nobody. Null
///   if all are 0.
/// - spots: where 1, 2, … pieces that share a cell stand, from its middle: [x, y, scale] each
/// - words: the page's words (words.hpp)
std::string game_data(const GamePage& page, const Stage& stage);

/// The JSON in a form that can stand within `<script>`: nothing in it ends the script, begins a
/// comment or steers how the source is shown.
std::string within_script(const std::string& json);

/// The lines of the game's export as a JSON list that can stand within `<script>` as it is.
std::string export_data(const GamePage& page);

/// The proof, as JSON that can stand within `<script>` as it is; main_in_log.js reads it, and so
/// does snl verify.
std::string proof_data(const ProofInLog& proof);

/// Whether nobody will win from a position.
enum class NobodyWins : std::uint8_t { never, perhaps, always };
NobodyWins nobody_wins(const RaceOdds& odds);

}  // namespace cli
}  // namespace snl
