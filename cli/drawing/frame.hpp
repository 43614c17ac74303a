// A picture of a terminal screen, and the text that turns one such picture into another. No I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The colours that every terminal has. The terminal's theme decides how they look.
enum class Colour : std::uint8_t { usual, red, green, yellow, blue, magenta, cyan };

/// One of the 256 colours of xterm, which most terminals have today. They look the same in every
/// theme. 0 means none: nothing is drawn in the palette's first colour, which is a theme's black.
using Shade = std::uint8_t;
inline constexpr Shade black_shade = 16;

/// The colours of a style that are written.
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
  /// With a palette, a style that has one of these is drawn in them, instead of in `colour`,
  /// `faint` and `reverse`.
  Shade ink = 0;
  Shade paper = 0;
  friend bool operator==(const Style&, const Style&) = default;
};

/// The parameters of the SGR sequence (ECMA-48, 8.3.117; 38;5 and 48;5 as in xterm) that turns a
/// style on if none was on. Empty for the usual style.
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
    // A character with its combining marks; empty for the right half of a wide character.
    std::string text = " ";
    int columns = 1;  // columns that the character takes; 0 for a right half
    Style style = {};
    friend bool operator==(const Spot&, const Spot&) = default;
  };

  /// All blank; at least one column and one row.
  explicit Frame(Size size);

  Size size() const { return size_; }
  const Spot& at(int column, int row) const { return spots_[index(column, row)]; }

  /// Puts printable text (see printable()) at this place. Only the part on the screen and left of
  /// column `end` shows; half of a wide character becomes a blank. Returns the column after the
  /// text, as if nothing were cut off.
  int put(int column, int row, std::string_view text, Style style, int end);
  int put(int column, int row, std::string_view text, Style style = {}) {
    return put(column, row, text, style, size_.columns);
  }

  /// Fills an area with blanks. Its top left corner is at this place.
  void clear(int column, int row, Size area);

  /// Copies out an area, and puts one back. The place is its top left corner; all of it is on the
  /// screen.
  Frame cut_out(int column, int row, Size area) const;
  void paste(int column, int row, const Frame& part);

  /// Changes the style of the character there.
  void restyle(int column, int row, Style style) { spots_[index(column, row)].style = style; }

  /// A row's text, without blanks at its end.
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

/// The text to write so that a terminal that shows `shown` shows `wanted`: only the differences.
/// `shown` has the same size and was drawn by this function too. Sequences of ECMA-48: CUP, and SGR
/// for colours.
std::string changes(const Frame& shown, const Frame& wanted, Colours colours);

/// The text to write so that an empty terminal shows `wanted`, wherever its cursor is.
std::string whole(const Frame& wanted, Colours colours);

}  // namespace cli
}  // namespace snl
