// The parts of every picture in SVG: text that can't become markup, and short paths.
#pragma once

#include "board_layout.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// `utf8` as text, or as a quoted attribute, of XML and of HTML. `&<>"'` become entities.
/// Characters that printable() (terminal_text.hpp) shows instead of sending are shown here too: XML
/// allows no controls at all.
std::string escaped(std::string_view utf8);

/// The least width at which printable text (terminal_text.hpp) is drawn, in ems. Letters are
/// measured by classes that hold for bold DejaVu Sans and Verdana, which are wider than most fonts.
double ems_of(std::string_view printable);

/// At most so many ems (≥ 1) of printable text. If it was cut, "…" ends it.
std::string shortened_to(double ems, std::string_view printable);

/// Printable text, broken between words into lines of at most so many ems. A word that is longer is
/// shortened.
std::vector<std::string> wrapped_to(double ems, std::string_view printable);

/// A point of a curve, and the curve's speed there: its movement within a whole piece.
struct CurvePoint {
  Point at;
  Point speed;
};

/// The `d` of a path, in tenths of a user unit or in whole units. It goes from point to point in
/// relative steps, so that it is short. Errors don't add up: each point is rounded by itself.
class SvgPath {
 public:
  enum class Precision : std::uint8_t { whole = 1, tenths = 10 };
  explicit SvgPath(Precision precision = Precision::tenths)
      : steps_(std::to_underlying(precision)) {}

  SvgPath& move_to(Point point);
  SvgPath& line_to(Point point);
  SvgPath& curve_to(Point control1, Point control2, Point point);
  /// Continues from the pen's place, which is points.front(), as a smooth curve through all other
  /// points (Catmull-Rom splines as cubic Bézier curves).
  SvgPath& smooth_through(std::span<const Point> points);
  /// Continues from the pen's place, which is the first point, through all others, with each
  /// point's speed.
  SvgPath& curve_through(std::span<const CurvePoint> points);
  SvgPath& close();

  const std::string& text() const { return text_; }

 private:
  /// A point in so many steps a unit.
  struct Rounded {
    std::int64_t x = 0;
    std::int64_t y = 0;
  };
  Rounded rounded(Point point) const;
  void command(char letter);
  void number(std::int64_t steps);
  void offset(Rounded from, Rounded to);

  std::int64_t steps_;  // steps in a unit

  std::string text_;
  char last_command_ = ' ';
  bool separate_ = false;  // the next number needs a separator
  Rounded pen_;
  Rounded start_;
};

/// A picture to write as a file.
struct SvgDocument {
  double width;  // user units
  double height;
  std::string title;
  std::string description;  // in words, for people who don't see the picture
  std::string style;        // CSS: .page is the background
  std::string body;
  std::string size = {};  // on paper: attributes width and height, each after a space
};

/// The whole file: XML in UTF-8, without a declaration. Title and description may be any text.
std::string svg_text(const SvgDocument& document);

/// A length or a coordinate, rounded to tenths: "12", "-0.5".
std::string svg_number(double value);

}  // namespace cli
}  // namespace snl
