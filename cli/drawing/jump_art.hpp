// Snakes and ladders drawn with characters, over a board whose cells have several columns and rows:
// bodies that wind, and rails with rungs, in dots of braille; in ASCII with slashes and bars.
#pragma once

#include "board_layout.hpp"
#include "domain/board.hpp"
#include "domain/narration.hpp"
#include "frame.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// U+2800 to U+28FF, two columns of four dots each: by column and row, the bit of a dot (The
/// Unicode Standard, 21.1).
unsigned braille_bit(int column, int row);
std::string braille(unsigned dots);

/// How the whole board is laid out on the screen.
struct ArtShape {
  Size pitch;            // characters from a cell to the next, at least 4 × 2
  bool flipped = false;  // the board's first row at the top
  Glyphs glyphs = Glyphs::ascii;
  friend bool operator==(const ArtShape&, const ArtShape&) = default;
};

/// One character of a snake or a ladder. Columns and rows count from the line to the left of the
/// board's first column and the one above the row at its top.
struct ArtSpot {
  int column;
  int row;
  std::string text;
  Jump jump;
};

/// A place that is counted in characters, from the same corner.
struct ArtPlace {
  double column;
  double row;
};

/// The jumps of a board, laid out once.
class JumpArt {
 public:
  explicit JumpArt(const Board& board);

  /// All of them: of two that cross, the upper one's characters are there alone.
  std::vector<ArtSpot> drawn(const ArtShape& shape) const;

  /// Where a piece is that has come `part` (0 to 1) of the way along a jump of this board.
  ArtPlace along(Jump jump, double part, const ArtShape& shape) const;

 private:
  int rows_;
  BoardLayout layout_;
};

/// What ASCII art is made of, for whoever explains it.
inline constexpr std::string_view ascii_ladder = "|--|";
inline constexpr std::string_view ascii_snake = "&()~";

}  // namespace cli
}  // namespace snl
