// What a game that is played back looks like: a state and a size in, a picture of the screen out.
// No I/O.
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

/// How a screen is drawn. Colours are always in the picture; whoever writes it may leave them out:
/// nothing is told by them alone.
struct Look {
  std::string title;              // of the game; any text
  Glyphs glyphs = Glyphs::ascii;  // but for what the players' names hold
  // The keys that help most, in the last line. A recording has nobody to press them.
  bool key_bar = true;
};

/// Smaller screens only say that they are too small.
inline constexpr Size smallest_screen{.columns = 28, .rows = 9};
/// Narrower ones show the board with a few lines around it, and no lists.
inline constexpr int least_full_columns = 60;

/// A part of the screen that a pointer can be on.
enum class Pane : std::uint8_t { timeline, graph, turns };

struct Pointed {
  Pane pane;
  std::size_t shot;  // that stands there, or is nearest
  std::size_t step;  // shots from there to the next place of the pane, at least 1
};

/// Draws the screens of one playback, one after another: what moves slowly (the window over a large
/// board) goes on from where it was on the screen before.
class Viewer {
 public:
  Frame view(const Playback& playback, Size size, const Look& look);

  /// What is there on the screen that was drawn last.
  std::optional<Pointed> at(int column, int row) const;
  /// The same of one pane, however far beside it: for a pointer that was pressed on it and is drawn
  /// away. None if it isn't on the screen.
  std::optional<Pointed> nearest(Pane pane, int column, int row) const;

 private:
  friend class View;
  /// A pane with the shots `first` to `last`, evenly from its left to its right, or from its top
  /// down.
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

Frame view(const Playback& playback, Size size, const Look& look);

}  // namespace snl::cli
