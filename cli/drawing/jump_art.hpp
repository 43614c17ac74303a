// Snakes and ladders drawn with characters, over a board whose cells have several columns and rows.
// Bodies wind, and rails have rungs: in dots of braille, or in ASCII with slashes and bars.
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

/// The bit of a dot, by column and row, in U+2800 to U+28FF: two columns of four dots each (The
/// Unicode Standard, 21.1).
unsigned braille_bit(int column, int row);
std::string braille(unsigned dots);

/// The layout of the whole board on the screen.
struct ArtShape {
  Size pitch;            // characters from a cell to the next, at least 4 × 2
  bool flipped = false;  // the board's first row at the top
  Glyphs glyphs = Glyphs::ascii;
  friend bool operator==(const ArtShape&, const ArtShape&) = default;
};

/// One character of a snake or a ladder. Columns and rows count from the line to the left of the
/// board's first column, and from the line above its top row.
struct ArtSpot {
  int column;
  int row;
  std::string text;
  Jump jump;
};

/// A place in characters, counted from the same corner.
struct ArtPlace {
  double column;
  double row;
};

/// The jumps of a board, laid out once.
class JumpArt {
 public:
  explicit JumpArt(const Board& board);

  /// All jumps. Where two cross, only the upper one's characters are there.
  std::vector<ArtSpot> drawn(const ArtShape& shape) const;

  /// The place of a piece that has moved `part` (0 to 1) of the way along a jump of this board.
  ArtPlace along(Jump jump, double part, const ArtShape& shape) const;

 private:
  int rows_;
  BoardLayout layout_;
};

/// The characters of ASCII art, for the text that explains it.
inline constexpr std::string_view ascii_ladder = "|--|";
inline constexpr std::string_view ascii_snake = "&()~";

}  // namespace cli
}  // namespace snl
