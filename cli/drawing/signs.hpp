// The table of signs that a playback draws its screen with, and what the help says of each. A
// drawing function asks here for its glyph, so nothing is on the screen that isn't explained.
#pragma once

#include "domain/board.hpp"
#include "domain/narration.hpp"
#include "frame.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

enum class Sign : std::uint8_t {
  // On the board.
  trail,
  more_left,
  more_right,
  more_above,
  more_below,
  more_pieces,
  snake_beyond,
  ladder_beyond,
  chip_left,  // of a piece on a board that has room
  chip_right,
  // On the small map.
  seen,
  unseen,
  // Of players and turns.
  next,
  here,
  winner,
  climbed,
  slid,
  stays,
  lead,
  undone,
  anew,
  cut,
  shields,
  misses,
  // Of time.
  playing,
  paused,
  passed,
  knob,
  to_come,
  now,  // in the graph
};

/// The glyph, one column wide.
std::string_view glyph(Sign sign, Glyphs glyphs);
/// The style of a sign, unless the style is to say something of its own.
Style style_of(Sign sign);

/// The help on a power: what it does to a player who ends a move on its cell.
std::string_view about(PowerKind power);
/// The same of one power: "end here and miss 2 turns".
std::string about(const Power& power);

/// The parts of a screen that are shown: the help explains only those.
struct SignsInUse {
  Glyphs glyphs = Glyphs::ascii;
  bool timeline = false;  // the progress in a line below the board
  bool lettered = false;  // jumps have letters at both ends, else the cell where they lead
  bool drawn = false;     // jumps are drawn too
  bool dense = false;     // pieces stand in the place of numbers
  bool window = false;    // only a part of the board is in view
  bool map = false;
  bool flipped = false;  // upside down: arrows point to where jumps lead on the screen
  bool chances = false;
  bool graph = false;
  bool turns = false;       // the list
  bool taken_back = false;  // undone turns
};

struct SignHelp {
  std::string sign;
  Style style;
  std::string what;
};

/// One line per sign, or per group of signs.
std::vector<SignHelp> help_of_signs(const SignsInUse& use, const Board& board);

}  // namespace cli
}  // namespace snl
