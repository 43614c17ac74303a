#include "board_svg.hpp"

#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ranges>

namespace snl::cli {
namespace {

// ---- Cells

std::string_view parity(Cell cell, const Board& board) {
  const Place place = place_of(cell, board.width());
  return (place.row + place.column) % 2 == 0 ? "even" : "odd";
}

/// By attributes of their own where they differ from what their group says.
std::string cell_fill(Cell cell, const Board& board) {
  if (cell == board.cells()) return " fill=\"#f6d673\"";
  return parity(cell, board) == "odd" ? " fill=\"#f2e5c9\"" : "";
}

std::string cells_svg(const Board& board) {
  std::string svg = "<g fill=\"#fdf8ec\" stroke=\"#dccba6\" stroke-width=\"1.5\">\n";
  for (Cell cell = 1; cell <= board.cells(); ++cell) {
    const Point centre = centre_of(cell, board);
    svg += fmt::format(
        "<rect class=\"cell {}{}\" x=\"{}\" y=\"{}\" width=\"100\" height=\"100\"{}/>\n",
        parity(cell, board), cell == board.cells() ? " finish" : "",
        svg_number(centre.x - cell_units / 2), svg_number(centre.y - cell_units / 2),
        cell_fill(cell, board));
  }
  return svg + "</g>\n";
}

/// Five points, the first one upwards.
std::string star_svg(Point centre, double radius) {
  constexpr double inner = 0.42;
  SvgPath path;
  for (int i = 0; i < 10; ++i) {
    const double angle = std::numbers::pi * (i / 5. - 0.5);
    const double reach = i % 2 == 0 ? radius : radius * inner;
    const Point tip{centre.x + reach * std::cos(angle), centre.y + reach * std::sin(angle)};
    if (i == 0)
      path.move_to(tip);
    else
      path.line_to(tip);
  }
  return fmt::format(
      "<path class=\"star\" d=\"{}\" fill=\"#fff7d6\" stroke=\"#c99a1c\" stroke-width=\"3\" "
      "stroke-linejoin=\"round\"/>\n",
      path.close().text());
}

/// Edged with the cell's own colour, so that whatever passes below leaves it readable.
std::string numbers_svg(const Board& board) {
  const int font = board.cells() < 1000 ? 21 : 18;
  std::string svg = fmt::format(
      "<g font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"{}\" font-weight=\"bold\" "
      "fill=\"#5c4a26\" stroke=\"#fdf8ec\" stroke-width=\"6\" stroke-linejoin=\"round\" "
      "paint-order=\"stroke\">\n",
      font);
  for (Cell cell = 1; cell <= board.cells(); ++cell) {
    const Point centre = centre_of(cell, board);
    const bool finish = cell == board.cells();
    const bool odd = parity(cell, board) == "odd";
    svg += fmt::format("<text class=\"number {}{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n",
                       odd ? "odd" : "even", finish ? " finish" : "", svg_number(centre.x - 43),
                       svg_number(centre.y - 25),
                       finish ? " stroke=\"#f6d673\"" : (odd ? " stroke=\"#f2e5c9\"" : ""), cell);
  }
  return svg + "</g>\n";
}

// ---- Ladders

/// A place along a line, and beside it.
Point beside(Point from, Point to, double along, double aside) {
  const double length = distance(from, to);
  const Point unit{(to.x - from.x) / length, (to.y - from.y) / length};
  return {from.x + unit.x * along - unit.y * aside, from.y + unit.y * along + unit.x * aside};
}

std::string ladder_svg(const DrawnLadder& ladder) {
  constexpr double half_width = 13;
  constexpr double beyond_ends = 14;  // of the rails
  constexpr double rung_gap = 25;
  const double length = distance(ladder.foot, ladder.top);
  SvgPath rails;
  for (const double side : {-half_width, half_width})
    rails.move_to(beside(ladder.foot, ladder.top, -beyond_ends, side))
        .line_to(beside(ladder.foot, ladder.top, length + beyond_ends, side));
  SvgPath rungs;
  const int gaps = std::max(2, static_cast<int>(std::lround(length / rung_gap)));
  for (int i = 0; i <= gaps; ++i)
    rungs.move_to(beside(ladder.foot, ladder.top, length * i / gaps, -half_width))
        .line_to(beside(ladder.foot, ladder.top, length * i / gaps, half_width));
  return fmt::format(
      "<g class=\"ladder\" data-from=\"{}\" data-to=\"{}\">"
      "<path d=\"{}\" stroke=\"#a06a35\" stroke-width=\"6\"/>"
      "<path d=\"{}\" stroke=\"#6b4119\" stroke-width=\"10\"/>"
      "<path d=\"{}\" stroke=\"#cf9350\" stroke-width=\"6\"/></g>\n",
      ladder.jump.from, ladder.jump.to, rungs.text(), rails.text(), rails.text());
}

// ---- Snakes

/// Colours that stand out on light and dark cells and next to one another.
constexpr std::array<std::string_view, 8> snake_tints{"#3f9b52", "#c0483f", "#7a5bb5", "#d98a2b",
                                                      "#2b8c93", "#b8488a", "#7d8c2c", "#4472b8"};

/// The unit vector that a spine has at its point i.
Point direction_at(std::span<const Point> spine, std::size_t i) {
  const Point a = spine[i == 0 ? 0 : i - 1];
  const Point b = spine[std::min(i + 1, spine.size() - 1)];
  const double length = distance(a, b);
  return {(b.x - a.x) / length, (b.y - a.y) / length};
}

std::string body_path(const DrawnSnake& snake) {
  std::vector<Point> left;
  std::vector<Point> right;
  for (std::size_t i = 0; i < snake.spine.size(); ++i) {
    const double half =
        half_width_at(snake, static_cast<double>(i) / static_cast<double>(snake.spine.size() - 1));
    const Point along = direction_at(snake.spine, i);
    const Point at = snake.spine[i];
    left.push_back({at.x + along.y * half, at.y - along.x * half});
    right.push_back({at.x - along.y * half, at.y + along.x * half});
  }
  std::ranges::reverse(right);
  SvgPath path;
  path.move_to(left.front()).smooth_through(left).line_to(right.front()).smooth_through(right);
  return path.close().text();
}

std::string spine_path(const DrawnSnake& snake) {
  SvgPath path;
  return path.move_to(snake.spine.front()).smooth_through(snake.spine).text();
}

/// The dashes of the pattern on a snake's back: spots as far as the body is wide enough.
std::string spots(const DrawnSnake& snake) {
  constexpr double gap = 16;
  double length = 0;
  for (std::size_t i = 1; i < snake.spine.size(); ++i)
    length += distance(snake.spine[i - 1], snake.spine[i]);
  const int all = static_cast<int>(length / gap) - 1;
  std::string dashes = fmt::format("0 {}", svg_number(gap));
  for (int i = 2; i <= all && half_width_at(snake, i * gap / length) > 5; ++i)
    dashes += fmt::format(" .1 {}", svg_number(gap));
  return dashes + fmt::format(" 0 {}", svg_number(length));
}

/// Looking along +x from the middle of the head.
constexpr std::string_view head_of_snake =
    "<path d=\"m24 0h11l7-5m-7 5l7 5\" fill=\"none\" stroke=\"#d3202a\" stroke-width=\"2.5\"/>"
    "<path d=\"m-17-8c9-10 22-9 33-7c11 2 11 28 0 30c-11 2-24 3-33-7c-3-5-3-11 0-16z\"/>"
    "<path d=\"m21-4v.1m0 8v-.1\" stroke=\"#222\" stroke-width=\"2.5\"/>"
    "<path d=\"m6-9v.1m0 18v-.1\" stroke=\"#fff\" stroke-width=\"10\"/>"
    "<path d=\"m8-9v.1m0 18v-.1\" stroke=\"#1c1c1c\" stroke-width=\"5\"/>";

std::string snake_svg(const DrawnSnake& snake, std::size_t index) {
  const Point head = snake.spine.front();
  const Point along = direction_at(snake.spine, 0);
  const double turned = std::atan2(-along.y, -along.x) * 180 / std::numbers::pi;
  const std::size_t tint = index % snake_tints.size();
  return fmt::format(
      "<g class=\"snake tint-{}\" data-from=\"{}\" data-to=\"{}\" fill=\"{}\">"
      "<path d=\"{}\"/>"
      "<path class=\"spine\" d=\"{}\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\".55\" "
      "stroke-width=\"5\" stroke-dasharray=\"{}\"/>"
      "<g transform=\"translate({} {}) rotate({}) scale({})\">{}</g></g>\n",
      tint, snake.jump.from, snake.jump.to, snake_tints[tint], body_path(snake), spine_path(snake),
      spots(snake), svg_number(head.x), svg_number(head.y), svg_number(turned),
      svg_number(snake.half_width / 9), head_of_snake);
}

}  // namespace

std::string board_art_svg(const Board& board) {
  const BoardLayout layout = lay_out(board);
  std::string svg = "<g class=\"board\">\n" + cells_svg(board);
  svg +=
      star_svg({centre_of(board.cells(), board).x + 8, centre_of(board.cells(), board).y + 8}, 32);
  svg += "<g fill=\"none\" stroke-linecap=\"round\">\n";
  for (const DrawnLadder& ladder : layout.ladders)
    svg += ladder_svg(ladder);
  svg +=
      "</g>\n<g stroke=\"#1d1d1d\" stroke-width=\"2\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">\n";
  for (std::size_t i = 0; i < layout.snakes.size(); ++i)
    svg += snake_svg(layout.snakes[i], i);
  svg += "</g>\n" + numbers_svg(board);
  return svg + "</g>\n";
}

std::string_view dark_board_style() {
  return ".cell{stroke:#4a5160}"
         ".cell.even{fill:#2b303b}"
         ".cell.odd{fill:#353c49}"
         ".cell.finish{fill:#6d5a1c}"
         ".star{fill:#f0d98a;stroke:#c99a1c}"
         ".number{fill:#d5dae4}"
         ".number.even{stroke:#2b303b}"
         ".number.odd{stroke:#353c49}"
         ".number.finish{stroke:#6d5a1c}";
}

}  // namespace snl::cli
