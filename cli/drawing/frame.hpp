// A picture of a whole terminal screen, and what must be written to turn one into another. No I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The colours that every terminal has; what they look like is for the terminal's theme to say.
enum class Colour : std::uint8_t { usual, red, green, yellow, blue, magenta, cyan };

/// One of the 256 colours that xterm and most terminals since have; they look the same in every
/// theme. 0 is none: nothing is drawn in the first of them, a theme's black.
using Shade = std::uint8_t;
inline constexpr Shade black_shade = 16;

/// Which of a style's colours are written.
enum class Colours : std::uint8_t {
  none,
  eight,    // Colour, bold, faint, reverse
  palette,  // Shade too, where a style has any
};

struct Style {
  Colour colour = Colour::usual;
  bool bold = false;
  bool faint = false;
  bool reverse = false;
  /// Where there is a palette, a style that has one of these is drawn in them, instead of what
  /// `colour`, `faint` and `reverse` say.
  Shade ink = 0;
  Shade paper = 0;
  friend bool operator==(const Style&, const Style&) = default;
};

/// The parameters of the SGR sequence (ECMA-48, 8.3.117; 38;5 and 48;5 as in xterm) that turns a
/// style on where none was; empty for the usual one.
std::string sgr_parameters(Style style, Colours colours = Colours::eight);

struct Size {
  int columns = 80;
  int rows = 24;
  friend bool operator==(const Size&, const Size&) = default;
};

/// A grid of characters. Column 0, row 0 is the top left one.
class Frame {
 public:
  /// One column of the screen.
  struct Spot {
    // A character with what combines with it; empty for the right half of the wide one before it.
    std::string text = " ";
    int columns = 1;  // that the character takes; 0 for a right half
    Style style = {};
    friend bool operator==(const Spot&, const Spot&) = default;
  };

  /// All blank; at least one column and one row.
  explicit Frame(Size size);

  Size size() const { return size_; }
  const Spot& at(int column, int row) const { return spots_[index(column, row)]; }

  /// Puts printable text (see printable()) where it is on the screen and left of column `end`; a
  /// wide character that is only half there becomes a blank. Answers the column after the text,
  /// were none of it cut off.
  int put(int column, int row, std::string_view text, Style style, int end);
  int put(int column, int row, std::string_view text, Style style = {}) {
    return put(column, row, text, style, size_.columns);
  }

  /// Fills an area, whose top left corner this is, with blanks.
  void clear(int column, int row, Size area);

  /// A part of it, whose top left corner this is, and the same put back; all of it is on the
  /// screen.
  Frame cut_out(int column, int row, Size area) const;
  void paste(int column, int row, const Frame& part);

  /// Draws what stands there in another style.
  void restyle(int column, int row, Style style) { spots_[index(column, row)].style = style; }

  /// A row as it reads, without blanks at its end.
  std::string text(int row) const;

  friend bool operator==(const Frame&, const Frame&) = default;

 private:
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) +
           static_cast<std::size_t>(column);
  }
  void put_spot(int column, int row, Spot spot);

  Size size_;
  std::vector<Spot> spots_;
};

/// What to write to a terminal that shows `shown` (of the same size, drawn by this function too) so
/// that it shows `wanted`: only what differs. Sequences of ECMA-48: CUP, and SGR for colours.
std::string changes(const Frame& shown, const Frame& wanted, Colours colours);

/// What to write to an empty terminal so that it shows `wanted`, wherever its cursor is.
std::string whole(const Frame& wanted, Colours colours);

}  // namespace cli
}  // namespace snl
