// Goal: a board in SVG can be read, whatever the board. Method: properties of every layout are
// measured on boards of all sizes. The promises of the drawing to pages that use it are counted in
// the SVG. test_svg.py checks that it is XML, and how a renderer draws it.
#include "cli/drawing/board_svg.hpp"

#include "../random_boards.hpp"
#include "cli/drawing/svg.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace snl;
using namespace snl::cli;

namespace {

std::vector<Board> boards() {
  std::vector<Board> all;
  for (const NamedBoard& named : named_boards())
    all.push_back(named.board());
  for (const auto& [cells, width] :
       {std::pair{2, 2}, {2, 1}, {4, 2}, {13, 5}, {30, 30}, {30, 1}, {60, 10}, {225, 15}})
    for (unsigned seed = 0; seed < 3; ++seed)
      all.push_back(random_board(cells, width, cells / 5 + 1, seed));
  return all;
}

std::ptrdiff_t count(std::string_view text, std::string_view part) {
  std::ptrdiff_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

bool in_cell(Point point, Cell cell, const Board& board) {
  const Point centre = centre_of(cell, board);
  return std::abs(point.x - centre.x) < 50 && std::abs(point.y - centre.y) < 50;
}

bool on_board(Point point, double margin, const Board& board) {
  return point.x >= margin && point.x <= 100. * board.width() - margin && point.y >= margin &&
         point.y <= 100. * board.rows() - margin;
}

/// How much of snake `a` is covered by snake `b`, as a fraction of its spine.
double covered(const DrawnSnake& a, const DrawnSnake& b) {
  const auto near = std::ranges::count_if(a.spine, [&](Point point) {
    return std::ranges::any_of(
        b.spine, [&](Point other) { return distance(point, other) < a.half_width + b.half_width; });
  });
  return static_cast<double>(near) / static_cast<double>(a.spine.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_layout_of_a_board)

BOOST_AUTO_TEST_CASE(has_the_first_cell_at_the_bottom_left_and_turns_at_the_end_of_a_row) {
  const Board board = *Board::make({});
  BOOST_TEST((centre_of(1, board) == Point{50, 950}));
  BOOST_TEST((centre_of(10, board) == Point{950, 950}));
  BOOST_TEST((centre_of(11, board) == Point{950, 850}));
  BOOST_TEST((centre_of(100, board) == Point{50, 50}));
}

BOOST_AUTO_TEST_CASE(leads_every_jump_from_its_own_cell_to_its_own_cell) {
  for (const Board& board : boards()) {
    const BoardLayout layout = lay_out(board);
    BOOST_REQUIRE_EQUAL(layout.snakes.size(), board.snakes().size());
    BOOST_REQUIRE_EQUAL(layout.ladders.size(), board.ladders().size());
    for (std::size_t i = 0; i < layout.snakes.size(); ++i) {
      const DrawnSnake& snake = layout.snakes[i];
      BOOST_TEST((snake.jump == board.snakes()[i]));
      BOOST_TEST((snake.spine.front() == centre_of(snake.jump.from, board)));
      BOOST_TEST((snake.spine.back() == centre_of(snake.jump.to, board)));
      BOOST_TEST(snake.spine.size() >= 5U);
    }
    for (std::size_t i = 0; i < layout.ladders.size(); ++i) {
      const DrawnLadder& ladder = layout.ladders[i];
      BOOST_TEST((ladder.jump == board.ladders()[i]));
      BOOST_TEST(in_cell(ladder.foot, ladder.jump.from, board));
      BOOST_TEST(in_cell(ladder.top, ladder.jump.to, board));
    }
  }
}

BOOST_AUTO_TEST_CASE(keeps_every_snake_on_the_board) {
  for (const Board& board : boards())
    for (const DrawnSnake& snake : lay_out(board).snakes)
      for (const Point point : snake.spine)
        BOOST_TEST(on_board(point, 5, board));
}

BOOST_AUTO_TEST_CASE(keeps_snakes_off_one_another_where_straight_ones_would_lie_on_one_another) {
  // Three snakes in one column, each inside the next.
  const Board board = *Board::make({.snakes = {{95, 6}, {86, 15}, {75, 26}}});
  const BoardLayout layout = lay_out(board);
  for (const DrawnSnake& a : layout.snakes)
    for (const DrawnSnake& b : layout.snakes)
      if (&a != &b) BOOST_TEST(covered(a, b) < 0.5);
}

BOOST_AUTO_TEST_CASE(has_snakes_that_taper_to_a_point) {
  const DrawnSnake snake{{.from = 90, .to = 10}, {}, 10};
  BOOST_TEST(half_width_at(snake, 0.2) == 10);
  for (double t = 0.2; t < 1; t += 0.05)
    BOOST_TEST(half_width_at(snake, t + 0.05) < half_width_at(snake, t));
  BOOST_TEST(half_width_at(snake, 0) < 10);
  BOOST_TEST(half_width_at(snake, 1) < 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_art_of_a_board)

BOOST_AUTO_TEST_CASE(shows_each_cell_each_number_and_each_jump_once) {
  for (const Board& board : boards()) {
    const std::string art = board_art_svg(board);
    BOOST_TEST(count(art, "</text>") == board.cells() + std::ssize(board.powers()));
    for (Cell cell = 1; cell <= board.cells(); ++cell)
      BOOST_TEST(count(art, ">" + std::to_string(cell) + "</text>") == 1);
    BOOST_TEST(count(art, "<g class=\"snake tint-") == std::ssize(board.snakes()));
    BOOST_TEST(count(art, "<path class=\"spine\"") == std::ssize(board.snakes()));
    BOOST_TEST(count(art, "<g class=\"ladder\"") == std::ssize(board.ladders()));
    for (const auto jumps : {board.snakes(), board.ladders()})
      for (const Jump jump : jumps)
        BOOST_TEST(art.contains("data-from=\"" + std::to_string(jump.from) + "\" data-to=\"" +
                                std::to_string(jump.to) + "\""));
  }
}

BOOST_AUTO_TEST_CASE(can_stand_in_a_page_that_allows_no_styles_scripts_or_references) {
  const std::string art = board_art_svg(find_named_board("milton-bradley")->board());
  BOOST_TEST(art.starts_with("<g class=\"board\">"));
  for (const char* part : {" style=", " on", "<style", "<script", "url("})
    BOOST_TEST(count(art, part) == 0, part);
  BOOST_TEST(count(art, " id=") == 1);
  BOOST_TEST(count(art, " id=\"snake-head\"") == 1);
  BOOST_TEST(count(art, "href=") == count(art, "<use href=\"#snake-head\""));
}

BOOST_AUTO_TEST_CASE(is_small) {
  BOOST_TEST(board_art_svg(find_named_board("milton-bradley")->board()).size() < 20'000U);
  BOOST_TEST(board_art_svg(random_board(400, 20, 40, 1)).size() < 45'000U);
}

BOOST_AUTO_TEST_CASE(shows_no_cell_where_the_top_row_has_none) {
  const std::string odd_width = board_art_svg(*Board::make({.cells = 13, .width = 5}));
  BOOST_TEST(
      odd_width.contains("class=\"cells even\" d=\"m0 0l300 0 0 100-300 0zm0 100l500 0 0 200"));
  const std::string from_the_right = board_art_svg(*Board::make({.cells = 7, .width = 4}));
  BOOST_TEST(
      from_the_right.contains("class=\"cells even\" d=\"m100 0l300 0 0 100-300 0zm-100 100l"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_path)

BOOST_AUTO_TEST_CASE(is_relative_and_short) {
  SvgPath path;
  path.move_to({10, 20}).line_to({10.5, 19.26}).line_to({30, 20}).close();
  BOOST_TEST(path.text() == "m10 20l.5-.7 19.5 .7z");
}

BOOST_AUTO_TEST_CASE(is_rounded_point_by_point) {
  SvgPath path;
  path.move_to({0, 0});
  for (int i = 1; i <= 100; ++i)
    path.line_to({i * 0.04, 0});  // 4 in all, in steps that would each be rounded to 0
  BOOST_TEST(std::abs(0.1 * static_cast<double>(count(path.text(), ".1")) - 4) < 0.01);
}

BOOST_AUTO_TEST_CASE(through_points_goes_through_them) {
  SvgPath path;
  const std::vector<Point> line{{0, 0}, {10, 0}, {20, 0}};
  path.move_to(line[0]).smooth_through(line);
  BOOST_TEST(path.text() == "m0 0c1.7 0 6.7 0 10 0 3.3 0 8.3 0 10 0");
}

BOOST_AUTO_TEST_CASE(has_text_that_is_never_markup) {
  BOOST_TEST(escaped("<b a=\"1\" c='2'>&amp;\x1b\n") ==
             "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\\x1b\\x0a");
}

BOOST_AUTO_TEST_SUITE_END()
