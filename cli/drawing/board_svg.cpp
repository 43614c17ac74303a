#include "board_svg.hpp"

#include "signs.hpp"
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace snl::cli {
namespace {

// ---- Cells

/// A row's columns with cells: from the first to the one after the last, counted from the left.
struct Columns {
  std::int32_t first;
  std::int32_t end;
};

/// Only the top row can be short.
Columns columns_of(std::int32_t row, const Board& board) {
  const std::int32_t cells = std::min(board.width(), board.cells() - row * board.width());
  return row % 2 == 0 ? Columns{0, cells} : Columns{board.width() - cells, board.width()};
}

bool is_odd(Place place) {
  return (place.row + place.column) % 2 != 0;
}

double left_of(std::int32_t column) {
  return cell_units * column;
}

double top_of(std::int32_t row, const Board& board) {
  return cell_units * (board.rows() - 1 - row);
}

/// All cells: the even ones, and the odd ones, which the next element hides.
std::string all_cells_path(const Board& board) {
  SvgPath path;
  const auto add_rectangle = [&](Point from, Point to) {
    path.move_to(from).line_to({to.x, from.y}).line_to(to).line_to({from.x, to.y}).close();
  };
  const double bottom = cell_units * board.rows();
  const auto [first, end] = columns_of(board.rows() - 1, board);
  add_rectangle({left_of(first), 0}, {left_of(end), board.rows() == 1 ? bottom : cell_units});
  if (board.rows() > 1) add_rectangle({0, cell_units}, {left_of(board.width()), bottom});
  return path.text();
}

/// A line along each row, whose dashes are the odd cells.
std::string odd_cells_path(const Board& board) {
  SvgPath path;
  for (std::int32_t row = 0; row < board.rows(); ++row) {
    const auto [first, end] = columns_of(row, board);
    const std::int32_t odd = is_odd({row, first}) ? first : first + 1;
    const double middle = top_of(row, board) + cell_units / 2;
    if (odd < end) path.move_to({left_of(odd), middle}).line_to({left_of(end), middle});
  }
  return path.text();
}

std::string grid_path(const Board& board) {
  const auto [first, end] = columns_of(board.rows() - 1, board);
  const double bottom = cell_units * board.rows();
  SvgPath path;
  path.move_to({left_of(first), 0}).line_to({left_of(end), 0});
  for (std::int32_t line = 1; line <= board.rows(); ++line)
    path.move_to({0, cell_units * line}).line_to({left_of(board.width()), cell_units * line});
  for (std::int32_t column = 0; column <= board.width(); ++column) {
    const double top = column >= first && column <= end ? 0 : cell_units;
    path.move_to({left_of(column), top}).line_to({left_of(column), bottom});
  }
  return path.text();
}

std::string cells_svg(const Board& board) {
  const Place finish = place_of(board.cells(), board.width());
  return fmt::format(
      "<path class=\"cells even\" d=\"{}\" fill=\"#fdf8ec\"/>\n"
      "<path class=\"cells odd\" d=\"{}\" stroke=\"#f2e5c9\" stroke-width=\"100\" "
      "stroke-dasharray=\"100\"/>\n"
      "<rect class=\"cells finish\" x=\"{}\" y=\"{}\" width=\"100\" height=\"100\" "
      "fill=\"#f6d673\"/>\n"
      "<path class=\"grid\" d=\"{}\" fill=\"none\" stroke=\"#dccba6\" stroke-width=\"1.5\"/>\n",
      all_cells_path(board), odd_cells_path(board), svg_number(left_of(finish.column)),
      svg_number(top_of(finish.row, board)), grid_path(board));
}

/// A star with five points; the first one is at the top.
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

double number_size(const Board& board) {
  return board.cells() < 1000 ? 21 : 18;
}

struct PlacedNumber {
  std::int32_t column;
  Cell cell;
};

std::string numbers_apart(const std::vector<PlacedNumber>& row) {
  std::string svg;
  for (const auto& [column, cell] : row)
    svg += column == 0 ? fmt::format("<text>{}</text>", cell)
                       : fmt::format("<text x=\"{}\">{}</text>", 100 * column, cell);
  return svg;
}

/// Numbers with equally many digits, on every other cell, as the words of one text. Spaces get the
/// width that the usual font needs, and textLength fixes the whole width for any font.
std::string text_of_run(std::span<const PlacedNumber> run, double size) {
  constexpr double digit = 0.696;  // of DejaVu Sans Bold, in ems
  constexpr double space = 0.348;
  constexpr double pitch = 2 * cell_units;
  std::string words;
  for (const PlacedNumber& number : run)
    words += (words.empty() ? "" : " ") + std::to_string(number.cell);
  const double width = digit * size * static_cast<double>(std::to_string(run.front().cell).size());
  const std::int32_t x = 100 * run.front().column;
  if (run.size() == 1) return fmt::format("<text x=\"{}\">{}</text>", x, words);
  return fmt::format("<text x=\"{}\" word-spacing=\"{:.1f}\" textLength=\"{:.0f}\">{}</text>", x,
                     pitch - width - space * size,
                     pitch * static_cast<double>(run.size() - 1) + width, words);
}

std::string numbers_in_rows(const std::vector<PlacedNumber>& row, double size) {
  const auto digits = [](const PlacedNumber& number) { return std::to_string(number.cell).size(); };
  std::string svg;
  for (auto begin = row.begin(); begin != row.end();) {
    const auto end = std::ranges::find_if(
        begin, row.end(), [&](std::size_t count) { return count != digits(*begin); }, digits);
    svg += text_of_run({begin, end}, size);
    begin = end;
  }
  return svg;
}

/// The numbers of all odd or all even cells except the last cell, row by row.
std::string numbers_of(const Board& board, bool odd, Numbers form) {
  std::string svg;
  for (std::int32_t row = 0; row < board.rows(); ++row) {
    std::vector<PlacedNumber> numbers;
    const auto [first, end] = columns_of(row, board);
    for (std::int32_t column = first; column < end; ++column) {
      const Cell cell = cell_at({row, column}, board.width());
      if (is_odd({row, column}) == odd && cell != board.cells()) numbers.push_back({column, cell});
    }
    if (!numbers.empty())
      svg +=
          fmt::format("<g transform=\"translate(0 {})\">{}</g>\n", svg_number(top_of(row, board)),
                      form == Numbers::apart ? numbers_apart(numbers)
                                             : numbers_in_rows(numbers, number_size(board)));
  }
  return svg;
}

/// The numbers. Each is edged with its cell's own colour, so that it stays readable over a jump.
std::string numbers_svg(const Board& board, Numbers form) {
  const Place finish = place_of(board.cells(), board.width());
  return fmt::format(
      "<g class=\"numbers\" transform=\"translate(7 25)\" "
      "font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"{}\" font-weight=\"bold\" "
      "fill=\"#5c4a26\" stroke-width=\"6\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n"
      "<g class=\"even\" stroke=\"#fdf8ec\">\n{}</g>\n"
      "<g class=\"odd\" stroke=\"#f2e5c9\">\n{}</g>\n"
      "<text class=\"finish\" x=\"{}\" y=\"{}\" stroke=\"#f6d673\">{}</text>\n</g>\n",
      number_size(board), numbers_of(board, false, form), numbers_of(board, true, form),
      svg_number(left_of(finish.column)), svg_number(top_of(finish.row, board)), board.cells());
}

// ---- Levels of detail

struct JumpDetail {
  SvgPath::Precision precision;
  int pieces_a_half_wave;
  double most_spots;
  std::string_view rail_edge;  // of a ladder: its colour and width, as attributes
  enum class Body : std::uint8_t { edged, line } body = Body::edged;
};

/// Where a cell has few pixels, less detail is enough.
JumpDetail detail_on(const Board& board) {
  constexpr std::int32_t usual_cells = 12;
  constexpr std::int32_t shaped_cells = 30;  // with more cells, nobody could see spots or a taper
  constexpr std::string_view usual_edge = " stroke=\"#6b4119\" stroke-width=\"10\"";
  const std::int32_t side = std::max(board.width(), board.rows());
  if (side <= usual_cells) return {SvgPath::Precision::tenths, 2, 40, usual_edge};
  if (side <= shaped_cells) return {SvgPath::Precision::whole, 1, 12, {}};
  return {SvgPath::Precision::whole, 1, 0, {}, JumpDetail::Body::line};
}

// ---- Ladders

/// A place on a line, and so far beside it.
Point beside(Point from, Point to, double along, double aside) {
  const double length = distance(from, to);
  const Point unit{(to.x - from.x) / length, (to.y - from.y) / length};
  return {from.x + unit.x * along - unit.y * aside, from.y + unit.y * along + unit.x * aside};
}

/// A ladder, in a group that has the rails' colour.
std::string ladder_svg(const DrawnLadder& ladder, const JumpDetail& detail) {
  constexpr double half_width = 13;
  constexpr double beyond_ends = 14;  // of the rails
  constexpr double rung_gap = 25;
  constexpr double rung = 6;
  const double length = distance(ladder.foot, ladder.top);
  const int gaps = std::max(2, static_cast<int>(std::lround(length / rung_gap)));
  // The rungs are the dashes of one line, which is as wide as a rung is long.
  SvgPath rungs(detail.precision);
  rungs.move_to(beside(ladder.foot, ladder.top, -rung / 2, 0))
      .line_to(beside(ladder.foot, ladder.top, length + rung / 2, 0));
  SvgPath rails(detail.precision);
  for (const double side : {-half_width, half_width})
    rails.move_to(beside(ladder.foot, ladder.top, -beyond_ends, side))
        .line_to(beside(ladder.foot, ladder.top, length + beyond_ends, side));
  const std::string edge = detail.rail_edge.empty()
                               ? ""
                               : fmt::format("<path d=\"{}\"{}/>", rails.text(), detail.rail_edge);
  return fmt::format(
      "<g class=\"ladder\" data-from=\"{}\" data-to=\"{}\">"
      "<path d=\"{}\" stroke=\"#a06a35\" stroke-width=\"{}\" stroke-dasharray=\"{} {:.2f}\" "
      "stroke-linecap=\"butt\"/>{}<path d=\"{}\"/></g>\n",
      ladder.jump.from, ladder.jump.to, rungs.text(), 2 * half_width, rung, length / gaps - rung,
      edge, rails.text());
}

// ---- Snakes

/// Colours that stand out on light and dark cells and next to one another.
constexpr std::array<std::string_view, 8> snake_tints{"#3f9b52", "#c0483f", "#7a5bb5", "#d98a2b",
                                                      "#2b8c93", "#b8488a", "#7d8c2c", "#4472b8"};

/// The direction of a snake's spine at `t`: its movement over the whole way from head to tail.
Point direction_at(const DrawnSnake& snake, double t) {
  constexpr double step = 1e-4;
  const Point a = spine_at(snake, t - step);
  const Point b = spine_at(snake, t + step);
  return {(b.x - a.x) / (2 * step), (b.y - a.y) / (2 * step)};
}

/// A point on a side of a snake's body, -1 or 1; 0 is its spine.
Point side_at(const DrawnSnake& snake, double t, int side) {
  const Point along = direction_at(snake, t);
  const double half =
      side * half_width_at(snake, std::clamp(t, 0., 1.)) / std::hypot(along.x, along.y);
  const Point at = spine_at(snake, t);
  return {at.x - along.y * half, at.y + along.x * half};
}

/// Points along a snake's side from head to tail: as many as a sine wave needs.
std::vector<CurvePoint> side_of(const DrawnSnake& snake, int side, const JumpDetail& detail) {
  constexpr double step = 1e-3;
  const int pieces = std::max(2, snake.wave.halves) * detail.pieces_a_half_wave;
  std::vector<CurvePoint> points;
  for (int i = 0; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces;
    const Point a = side_at(snake, t - step, side);
    const Point b = side_at(snake, t + step, side);
    const double scale = 1 / (2 * step * pieces);
    points.push_back({side_at(snake, t, side), {(b.x - a.x) * scale, (b.y - a.y) * scale}});
  }
  return points;
}

std::string body_path(const DrawnSnake& snake, const JumpDetail& detail) {
  const std::vector<CurvePoint> left = side_of(snake, -1, detail);
  std::vector<CurvePoint> right = side_of(snake, 1, detail);
  std::ranges::reverse(right);
  for (CurvePoint& point : right)
    point.speed = {-point.speed.x, -point.speed.y};
  SvgPath path(detail.precision);
  path.move_to(left.front().at).curve_through(left);
  path.line_to(right.front().at).curve_through(right);
  return path.close().text();
}

std::string spine_path(const DrawnSnake& snake, const JumpDetail& detail) {
  const std::vector<CurvePoint> spine = side_of(snake, 0, detail);
  SvgPath path(detail.precision);
  return path.move_to(spine.front().at).curve_through(spine).text();
}

/// The dashes for the pattern on a snake's back: spots where the body is wide enough.
std::string spots(const DrawnSnake& snake, double most) {
  constexpr double least_gap = 16;
  double length = 0;
  for (std::size_t i = 1; i < snake.spine.size(); ++i)
    length += distance(snake.spine[i - 1], snake.spine[i]);
  const double gap = std::round(std::max(least_gap, length / std::max(1., most)));
  const int all = static_cast<int>(length / gap) - 1;
  std::string dashes;
  for (int i = 1; i < all && half_width_at(snake, (i + 1) * gap / length) > 5; ++i)
    dashes += fmt::format("{} {} ", i == 1 ? "0" : ".1", svg_number(gap));
  return dashes + fmt::format("0 {}", svg_number(std::ceil(length)));
}

/// The head looks along +x; its middle is the origin.
constexpr std::string_view head_of_snake =
    "<defs><g id=\"snake-head\">"
    "<path d=\"m24 0h11l7-5m-7 5l7 5\" fill=\"none\" stroke=\"#d3202a\" stroke-width=\"2.5\"/>"
    "<path d=\"m-17-8c9-10 22-9 33-7c11 2 11 28 0 30c-11 2-24 3-33-7c-3-5-3-11 0-16z\"/>"
    "<path d=\"m21-4v.1m0 8v-.1\" stroke=\"#222\" stroke-width=\"2.5\"/>"
    "<path d=\"m6-9v.1m0 18v-.1\" stroke=\"#fff\" stroke-width=\"10\"/>"
    "<path d=\"m8-9v.1m0 18v-.1\" stroke=\"#1c1c1c\" stroke-width=\"5\"/></g></defs>\n";

/// A snake without its head: its body with spots along its spine, or one line.
std::string trunk_svg(const DrawnSnake& snake, std::string_view tint, const JumpDetail& detail) {
  const std::string spine = spine_path(snake, detail);
  if (detail.body == JumpDetail::Body::line)
    return fmt::format(
        "<path class=\"spine\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>", spine,
        tint, svg_number(1.5 * snake.half_width));
  return fmt::format(
      "<path d=\"{}\"/>"
      "<path class=\"spine\" d=\"{}\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\".55\" "
      "stroke-width=\"5\" stroke-dasharray=\"{}\"/>",
      body_path(snake, detail), spine, spots(snake, detail.most_spots));
}

std::string snake_svg(const DrawnSnake& snake, std::size_t index, const JumpDetail& detail) {
  const Point head = snake.spine.front();
  const Point along = direction_at(snake, 0);
  const double turned = std::atan2(-along.y, -along.x) * 180 / std::numbers::pi;
  const std::size_t tint = index % snake_tints.size();
  return fmt::format(
      "<g class=\"snake tint-{}\" data-from=\"{}\" data-to=\"{}\" fill=\"{}\">{}"
      "<use href=\"#snake-head\" transform=\"translate({} {})rotate({:.0f})scale({})\"/></g>\n",
      tint, snake.jump.from, snake.jump.to, snake_tints[tint],
      trunk_svg(snake, snake_tints[tint], detail), svg_number(head.x), svg_number(head.y), turned,
      svg_number(snake.half_width / 9));
}

// ---- Powers

/// A label at the foot of each cell with a power. It is a word, so nobody needs colours to know it.
std::string powers_svg(const Board& board) {
  if (board.powers().empty()) return {};
  std::string svg =
      "<g class=\"powers\" font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"16\" "
      "font-weight=\"bold\" text-anchor=\"middle\">\n";
  for (const auto& [cell, power] : board.powers()) {
    const Point centre = centre_of(cell, board);
    std::string words = to_string(power);
    std::ranges::replace(words, ',', ' ');
    svg += fmt::format(
        "<g class=\"power\" data-cell=\"{}\" data-power=\"{}\" aria-label=\"Cell {}, {}: {}\" "
        "transform=\"translate({} {})\">"
        "<rect x=\"-44\" y=\"-14\" width=\"88\" height=\"20\" rx=\"10\" fill=\"#fff7d6\" "
        "stroke=\"#6b4119\" stroke-width=\"2\"/><text y=\"2\" fill=\"#3b2a10\">{}</text></g>\n",
        cell, to_string(power.kind), cell, words, about(power), svg_number(centre.x),
        svg_number(centre.y + 38), words);
  }
  return svg + "</g>\n";
}

}  // namespace

std::string board_art_svg(const Board& board, Numbers numbers) {
  const BoardLayout layout = lay_out(board);
  std::string svg = "<g class=\"board\">\n" + cells_svg(board);
  svg +=
      star_svg({centre_of(board.cells(), board).x + 8, centre_of(board.cells(), board).y + 8}, 32);
  svg += "<g fill=\"none\" stroke=\"#cf9350\" stroke-width=\"6\" stroke-linecap=\"round\">\n";
  for (const DrawnLadder& ladder : layout.ladders)
    svg += ladder_svg(ladder, detail_on(board));
  svg +=
      "</g>\n<g stroke=\"#1d1d1d\" stroke-width=\"2\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">\n";
  if (!layout.snakes.empty()) svg += head_of_snake;
  for (std::size_t i = 0; i < layout.snakes.size(); ++i)
    svg += snake_svg(layout.snakes[i], i, detail_on(board));
  svg += "</g>\n" + powers_svg(board) + numbers_svg(board, numbers);
  return svg + "</g>\n";
}

std::string_view dark_board_style() {
  return ".cells.even{fill:#2b303b}"
         ".cells.odd{stroke:#353c49}"
         ".cells.finish{fill:#6d5a1c}"
         ".grid{stroke:#4a5160}"
         ".star{fill:#f0d98a;stroke:#c99a1c}"
         ".numbers{fill:#d5dae4}"
         ".numbers .even{stroke:#2b303b}"
         ".numbers .odd{stroke:#353c49}"
         ".numbers .finish{stroke:#6d5a1c}";
}

}  // namespace snl::cli
