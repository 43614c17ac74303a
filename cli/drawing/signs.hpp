// The table of signs: what a playback draws its screen with, and what the help says of each. Who
// draws one asks here for its glyph, so nothing is on the screen that isn't explained.
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

/// One column wide.
std::string_view glyph(Sign sign, Glyphs glyphs);
/// In which it is drawn, where nothing else is to be said by it.
Style style_of(Sign sign);

/// What a power does to whoever ends a move on its cell.
std::string_view about(PowerKind power);

/// What there is on a screen, for the help to tell of that alone.
struct SignsInUse {
  Glyphs glyphs = Glyphs::ascii;
  bool timeline = false;  // how far it is, in a line below the board
  bool lettered = false;  // jumps have letters at both ends, else the number where they lead
  bool drawn = false;     // jumps are drawn too
  bool dense = false;     // pieces stand where numbers do
  bool window = false;    // a part of the board is seen
  bool map = false;
  bool flipped = false;  // arrows point to where jumps lead on the screen
  bool chances = false;
  bool graph = false;
  bool turns = false;       // the list
  bool taken_back = false;  // turns that were
};

struct SignHelp {
  std::string sign;
  Style style;
  std::string what;
};

/// A line for each sign, or for those that belong together.
std::vector<SignHelp> help_of_signs(const SignsInUse& use, const Board& board);

}  // namespace cli
}  // namespace snl
