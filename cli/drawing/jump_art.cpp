#include "jump_art.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace snl::cli {
namespace {

constexpr std::array<std::array<unsigned, 4>, 2> dot_bits{
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

constexpr double rail_units = 11;     // from the middle of a ladder to each of its rails
constexpr double between_rungs = 25;  // units
constexpr double head_swelling = 1.5;

/// The characters drawn so far, by row and column. Each belongs to one jump.
class Canvas {
 public:
  void dot(int x, int y, Jump jump) {
    if (x < 0 || y < 0) return;
    Spot& spot = begun(x / 2, y / 4, jump);
    spot.dots |= braille_bit(x % 2, y % 4);
  }
  void put(int column, int row, char character, Jump jump) {
    if (column < 0 || row < 0) return;
    begun(column, row, jump).character = character;
  }
  std::vector<ArtSpot> spots() const {
    std::vector<ArtSpot> spots;
    spots.reserve(spots_.size());
    for (const auto& [place, spot] : spots_)
      spots.push_back({.column = place.second,
                       .row = place.first,
                       .text = spot.dots != 0 ? braille(spot.dots) : std::string{spot.character},
                       .jump = spot.jump});
    return spots;
  }

 private:
  struct Spot {
    Jump jump{};
    unsigned dots = 0;
    char character = ' ';
  };
  /// Starts a character of this jump; it covers another jump's.
  Spot& begun(int column, int row, Jump jump) {
    Spot& spot = spots_[{row, column}];
    if (spot.jump != jump) spot = {.jump = jump};
    return spot;
  }
  std::map<std::pair<int, int>, Spot> spots_;
};

/// Turns units of a layout into characters.
class Scale {
 public:
  Scale(const ArtShape& shape, int rows) : shape_(shape), rows_(rows) {}
  ArtPlace at(Point point) const {
    const double y = shape_.flipped ? cell_units * rows_ - point.y : point.y;
    return {.column = point.x / cell_units * shape_.pitch.columns + 0.5,
            .row = y / cell_units * shape_.pitch.rows + 0.5};
  }
  double columns(double units) const { return units / cell_units * shape_.pitch.columns; }
  double rows(double units) const { return units / cell_units * shape_.pitch.rows; }

 private:
  const ArtShape& shape_;
  int rows_;
};

Point way_between(Point a, Point b, double t) {
  return {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)};
}

/// A point beside `at`, so many units off the way from `a` to `b`.
Point beside(Point at, Point a, Point b, double units) {
  const double length = distance(a, b);
  return {at.x - (b.y - a.y) / length * units, at.y + (b.x - a.x) / length * units};
}

// ---- In dots

class DotPen {
 public:
  DotPen(Canvas& canvas, const Scale& scale) : canvas_(canvas), scale_(scale) {}

  void line(Point from, Point to, Jump jump) {
    const int steps = steps_between(from, to);
    for (int i = 0; i <= steps; ++i) {
      const ArtPlace at = scale_.at(way_between(from, to, static_cast<double>(i) / steps));
      canvas_.dot(floor_of(at.column * 2), floor_of(at.row * 4), jump);
    }
  }

  /// A filled ellipse, which looks like a circle on the screen.
  void disc(Point centre, double units, Jump jump) {
    constexpr double least = 0.75;  // dots
    const ArtPlace at = scale_.at(centre);
    const double x = at.column * 2;
    const double y = at.row * 4;
    const double across = std::max(least, scale_.columns(units) * 2);
    const double down = std::max(least, scale_.rows(units) * 4);
    for (int j = floor_of(y - down); j <= floor_of(y + down); ++j)
      for (int i = floor_of(x - across); i <= floor_of(x + across); ++i)
        if (std::hypot((i + 0.5 - x) / across, (j + 0.5 - y) / down) <= 1) canvas_.dot(i, j, jump);
    canvas_.dot(floor_of(x), floor_of(y), jump);
  }

  /// Enough steps that no dot is left out.
  int steps_between(Point from, Point to) const {
    const ArtPlace a = scale_.at(from);
    const ArtPlace b = scale_.at(to);
    return 2 + static_cast<int>(
                   2 * std::max(std::abs(a.column - b.column) * 2, std::abs(a.row - b.row) * 4));
  }

 private:
  static int floor_of(double value) { return static_cast<int>(std::floor(value)); }
  Canvas& canvas_;
  const Scale& scale_;
};

void draw_in_dots(const DrawnLadder& ladder, Canvas& canvas, const Scale& scale) {
  DotPen pen(canvas, scale);
  const auto [foot, top] = std::pair(ladder.foot, ladder.top);
  for (const double side : {rail_units, -rail_units})
    pen.line(beside(foot, foot, top, side), beside(top, foot, top, side), ladder.jump);
  const double length = distance(foot, top);
  const auto rungs = static_cast<int>(std::ceil(length / between_rungs - 0.5));
  for (int rung = 0; rung < rungs; ++rung) {
    const Point middle = way_between(foot, top, (rung + 0.5) * between_rungs / length);
    pen.line(beside(middle, foot, top, rail_units), beside(middle, foot, top, -rail_units),
             ladder.jump);
  }
}

void draw_in_dots(const DrawnSnake& snake, Canvas& canvas, const Scale& scale) {
  DotPen pen(canvas, scale);
  const Point head = snake.spine.front();
  const int steps = 2 * pen.steps_between(head, snake.spine.back());
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    pen.disc(spine_at(snake, t), half_width_at(snake, t), snake.jump);
  }
  pen.disc(head, snake.half_width * head_swelling, snake.jump);
}

// ---- In ASCII

struct CharacterPlace {
  int column;
  int row;
};

CharacterPlace character_at(ArtPlace place) {
  return {.column = static_cast<int>(std::floor(place.column)),
          .row = static_cast<int>(std::floor(place.row))};
}

/// Two rails of slashes or bars, with rungs in every other row; a flat ladder is "===".
void draw_in_ascii(const DrawnLadder& ladder, Canvas& canvas, const Scale& scale) {
  const ArtPlace from = scale.at(ladder.foot);
  const ArtPlace to = scale.at(ladder.top);
  const double columns = to.column - from.column;
  const double rows = to.row - from.row;
  constexpr double flat = 4;  // columns a row
  if (std::abs(columns) > flat * std::abs(rows)) {
    const int steps = static_cast<int>(std::abs(columns));
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / std::max(1, steps);
      const auto [column, row] = character_at({.column = std::lerp(from.column, to.column, part),
                                               .row = std::lerp(from.row, to.row, part)});
      canvas.put(column, row, '=', ladder.jump);
    }
    return;
  }
  const double slope = columns / rows;
  const char rail = std::abs(slope) < 0.5 ? '|' : slope > 0 ? '\\' : '/';
  const auto [first, last] = std::minmax({character_at(from).row, character_at(to).row});
  for (int row = first; row <= last; ++row) {
    const double part = std::clamp((row + 0.5 - from.row) / rows, 0.0, 1.0);
    const int left = character_at({std::lerp(from.column, to.column, part) - 1.5, 0}).column;
    canvas.put(left, row, rail, ladder.jump);
    canvas.put(left + 3, row, rail, ladder.jump);
    if ((row - first) % 2 == 0) continue;
    canvas.put(left + 1, row, '-', ladder.jump);
    canvas.put(left + 2, row, '-', ladder.jump);
  }
}

/// A wave of "~" where the snake is flat; elsewhere one character in each row that it passes.
void draw_in_ascii(const DrawnSnake& snake, Canvas& canvas, const Scale& scale) {
  constexpr int steps = 600;
  constexpr double nearby = 0.02;  // of the way
  constexpr double flat = 2.5;     // columns a row
  constexpr double steep = 0.8;
  int last_row = -1;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const ArtPlace place = scale.at(spine_at(snake, t));
    const ArtPlace before = scale.at(spine_at(snake, std::max(0.0, t - nearby)));
    const ArtPlace after = scale.at(spine_at(snake, std::min(1.0, t + nearby)));
    const double columns = after.column - before.column;
    const double rows = after.row - before.row;
    const auto [column, row] = character_at(place);
    const double from_middle = std::abs(place.row - row - 0.5);
    if (std::abs(columns) > flat * std::abs(rows)) {
      canvas.put(column, row, '~', snake.jump);
    } else if (row != last_row && from_middle < 0.25) {
      const bool slanted = std::abs(columns) > steep * std::abs(rows);
      const char body = !slanted ? (row % 2 == 0 ? '(' : ')') : columns * rows > 0 ? '\\' : '/';
      canvas.put(column, row, body, snake.jump);
      last_row = row;
    }
  }
  const auto [column, row] = character_at(scale.at(snake.spine.front()));
  canvas.put(column, row, ascii_snake.front(), snake.jump);
}

}  // namespace

unsigned braille_bit(int column, int row) {
  return dot_bits[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
}

std::string braille(unsigned dots) {
  std::string text = "\xE2\xA0\x80";
  text[1] = static_cast<char>(0xA0U + (dots >> 6U));
  text[2] = static_cast<char>(0x80U + (dots & 0x3FU));
  return text;
}

JumpArt::JumpArt(const Board& board) : rows_(board.rows()), layout_(lay_out(board)) {}

std::vector<ArtSpot> JumpArt::drawn(const ArtShape& shape) const {
  Canvas canvas;
  const Scale scale(shape, rows_);
  const auto draw = [&](const auto& thing) {
    if (shape.glyphs == Glyphs::unicode)
      draw_in_dots(thing, canvas, scale);
    else
      draw_in_ascii(thing, canvas, scale);
  };
  for (const DrawnLadder& ladder : layout_.ladders)
    draw(ladder);
  for (const DrawnSnake& snake : layout_.snakes)
    draw(snake);
  return canvas.spots();
}

ArtPlace JumpArt::along(Jump jump, double part, const ArtShape& shape) const {
  const Scale scale(shape, rows_);
  const auto snake = std::ranges::find(layout_.snakes, jump, &DrawnSnake::jump);
  if (snake != layout_.snakes.end()) return scale.at(spine_at(*snake, part));
  const auto ladder = std::ranges::find(layout_.ladders, jump, &DrawnLadder::jump);
  return scale.at(way_between(ladder->foot, ladder->top, part));
}

}  // namespace snl::cli
