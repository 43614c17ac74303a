// The game as data: what the page's script reads.
#pragma once

#include "game_page.hpp"
#include "stage.hpp"

#include <cstdint>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// JSON that can stand within `<script>` as it is. It is for game.js alone and no format that
/// anyone else may rely on. Whatever is a rule of the game or a sentence about it comes with it:
///
///   moves    each different thing that a turn did: [dice, way, to, what it brought], and of a win
///            that it was one. The way is the cells where the piece set out, turned round and
///            landed
///   seats    whose each recorded turn was, a digit each
///   played   which of the moves each was
///   undone   [index, turn] of those that were taken back
///   moments  the positions that are worth stopping at, ascending (ranked_moments.hpp)
///   highlights  [position, seat, what is said after the name] of each player's luckiest throw
///   chances  to win, in 1/10,000, of each seat at each position; or null
///   never    a digit for each position: 0 somebody will win, 1 perhaps nobody, 2 surely nobody.
///            Null if all are 0
///   spots    where 1, 2, … pieces that share a cell stand, from its middle: [x, y, scale] each
///   words    what is said (see words.hpp)
std::string game_data(const GamePage& page, const Stage& stage);

/// JSON, as it can stand within `<script>`: nothing in it can end that or begin a comment, and
/// nothing steers how the source is shown.
std::string within_script(const std::string& json);

/// The lines of the game's export as a JSON list that can stand within `<script>` as it is.
std::string export_data(const GamePage& page);

/// Whether nobody will win from a position.
enum class NobodyWins : std::uint8_t { never, perhaps, always };
NobodyWins nobody_wins(const RaceOdds& odds);

}  // namespace cli
}  // namespace snl
