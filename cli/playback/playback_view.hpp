// The looks of a playback: a state and a size in, a picture of the screen out. No I/O.
#pragma once

#include "cli/drawing/board_view.hpp"
#include "cli/drawing/frame.hpp"
#include "domain/narration.hpp"
#include "playback.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

/// How to draw a screen. The picture always has colours, but colour alone tells nothing: the caller
/// may leave colours out when it writes the picture.
struct Look {
  std::string title;              // of the game; any text
  Glyphs glyphs = Glyphs::ascii;  // except for the players' names
  // The keys that help most, in the last line. A recording has no viewer to press them.
  bool key_bar = true;
};

/// Smaller screens show only a message that they are too small.
inline constexpr Size smallest_screen{.columns = 28, .rows = 9};
/// Narrower screens show the board with a few lines around it, and no lists.
inline constexpr int least_full_columns = 60;

/// A part of the screen that the mouse can be on.
enum class Pane : std::uint8_t { timeline, graph, turns };

struct Pointed {
  Pane pane;
  std::size_t shot;  // the shot there, or the nearest one
  std::size_t step;  // shots from there to the next place of the pane, at least 1
};

/// Draws the screens of one playback, one after another. Slow things, such as the window over a
/// large board, continue from where they were on the screen before.
class Viewer {
 public:
  Frame view(const Playback& playback, Size size, const Look& look);

  /// The thing at this place of the screen that was drawn last.
  std::optional<Pointed> at(int column, int row) const;
  /// The nearest thing of one pane, however far beside it the place is: for dragging that began on
  /// the pane. None if the pane isn't on the screen.
  std::optional<Pointed> nearest(Pane pane, int column, int row) const;

 private:
  friend class View;
  /// A pane with the shots `first` to `last`, spread evenly from left to right or top to bottom.
  struct Placed {
    Pane pane;
    Area area;
    std::size_t first;
    std::size_t last;
  };
  static Pointed pointed(const Placed& placed, int column, int row);

  BoardMemory memory_;
  std::vector<Placed> panes_;
};

}  // namespace snl::cli
