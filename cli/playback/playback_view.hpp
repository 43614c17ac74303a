// What a game that is played back looks like: a state and a size in, a picture of the screen out.
// No I/O.
#pragma once

#include "cli/drawing/frame.hpp"
#include "playback.hpp"

#include <string>

namespace snl::cli {

/// How a screen is drawn. Colours are always in the picture; whoever writes it may leave them out:
/// nothing is told by them alone.
struct Look {
  std::string title;     // of the game; any text
  bool unicode = false;  // else ASCII, but for what the players' names hold
  // The keys that help most, in the last line. A recording has nobody to press them.
  bool key_bar = true;
};

/// Smaller screens only say that they are too small.
inline constexpr Size smallest_screen{.columns = 28, .rows = 9};
/// Narrower ones show the board with a few lines around it, and no lists.
inline constexpr int least_full_columns = 60;

/// The whole screen.
Frame view(const Playback& playback, Size size, const Look& look);

}  // namespace snl::cli
