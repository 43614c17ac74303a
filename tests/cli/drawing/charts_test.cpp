// Goal: charts show their data, in any width. Method: properties of every histogram and heat map,
// for distributions of all shapes. test_svg.py checks whole charts.
#include "cli/drawing/charts.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>
#include <sstream>

using namespace snl;
using namespace snl::cli;

namespace {

/// `count` numbers of turns from `first` on, each rarer than the one before.
std::vector<TurnShare> geometric(std::int64_t first, int count, double ratio) {
  std::vector<TurnShare> shares;
  for (int i = 0; i < count; ++i)
    shares.push_back({first + i, (1 - ratio) * std::pow(ratio, i)});
  return shares;
}

std::vector<std::vector<TurnShare>> shares_of_all_shapes() {
  return {{{7, 1}},
          {{0, 0.5}, {1, 0.5}},
          {{3, 0.999}, {1'000'000'000'000, 0.001}},
          geometric(1, 8, 0.5),
          geometric(7, 500, 0.96),
          geometric(123, 5000, 0.999),
          geometric(999, 17, 0.99)};
}

double all_of(const std::vector<TurnShare>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.,
                         [](double sum, const TurnShare& share) { return sum + share.share; });
}

bool is_nice(std::int64_t width) {
  while (width % 10 == 0)
    width /= 10;
  return width == 1 || width == 2 || width == 5;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_bins_of_a_histogram)

BOOST_AUTO_TEST_CASE(hold_every_share_in_order) {
  for (const auto& shares : shares_of_all_shapes())
    for (const std::size_t most : {2U, 5U, 16U, 60U}) {
      const std::vector<Bin> bins = bins_of(shares, most);
      BOOST_TEST_REQUIRE(!bins.empty());
      BOOST_TEST(bins.size() <= most);
      double sum = 0;
      for (std::size_t i = 0; i < bins.size(); ++i) {
        sum += bins[i].share;
        double expected = 0;
        for (const auto& [turns, share] : shares)
          if (turns >= bins[i].first && (!bins[i].last || turns <= *bins[i].last))
            expected += share;
        BOOST_TEST(std::abs(bins[i].share - expected) < 1e-12);
        if (i > 0) BOOST_TEST(bins[i].first == bins[i - 1].last.value() + 1);
      }
      BOOST_TEST(std::abs(sum - all_of(shares)) < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(are_of_one_round_width_and_begin_at_its_multiples) {
  for (const auto& shares : shares_of_all_shapes()) {
    const std::vector<Bin> bins = bins_of(shares, 16);
    const std::int64_t width = bins[0].last.value() - bins[0].first + 1;
    BOOST_TEST(is_nice(width));
    for (const Bin& bin : bins) {
      BOOST_TEST(bin.first % width == 0);
      if (bin.last) BOOST_TEST(*bin.last - bin.first + 1 == width);
    }
  }
}

BOOST_AUTO_TEST_CASE(leave_a_long_tail_to_the_last_one) {
  const std::vector<Bin> bins = bins_of(shares_of_all_shapes()[2], 16);
  BOOST_TEST_REQUIRE(bins.size() == 2U);
  BOOST_TEST((bins[0].first == 3 && bins[0].last == 3));
  BOOST_TEST((bins[1].first == 4 && !bins[1].last));
}

BOOST_AUTO_TEST_CASE(are_none_for_no_shares) {
  BOOST_TEST(bins_of({}, 16).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_chart_on_a_terminal)

BOOST_AUTO_TEST_CASE(is_never_wider_than_it) {
  const Board board = find_named_board("milton-bradley")->board();
  const std::vector<double> chances(101, 0.5);
  for (const Glyphs glyphs : {Glyphs::ascii, Glyphs::unicode})
    for (int columns = 40; columns <= 130; columns += 7)
      for (const auto& shares : shares_of_all_shapes()) {
        const std::string text = chart_page_text({.title = "",
                                                  .facts = {},
                                                  .histogram_title = "turns",
                                                  .shares = shares,
                                                  .heat_map_title = "chances",
                                                  .heat_map = {{board, chances}}},
                                                 {.columns = columns, .glyphs = glyphs});
        for (const std::string& line : lines_of(text))
          BOOST_TEST(display_width(line) <= columns, line);
      }
}

BOOST_AUTO_TEST_CASE(has_bars_as_long_as_their_shares) {
  const std::vector<Bin> bins{{0, 9, 0.5}, {10, 19, 0.25}, {20, std::nullopt, 0.01}};
  BOOST_TEST(histogram_text(bins, {.columns = 48, .glyphs = Glyphs::ascii}) ==
             "  0-9  50.00 % ################################\n"
             "10-19  25.00 % ################\n"
             ">= 20   1.00 % #\n");
  BOOST_TEST(histogram_text(bins, {.columns = 24, .glyphs = Glyphs::unicode}) ==
             "  0-9  50.00 % ████████\n"
             "10-19  25.00 % ████\n"
             " ≥ 20   1.00 % ▏\n");
}

BOOST_AUTO_TEST_CASE(maps_each_cell_where_the_board_has_it) {
  const Board board = *Board::make({.cells = 5, .width = 3});
  const std::vector<double> chances{1, 0, 0.004, 0.125, 0.5, 1};
  BOOST_TEST(*heat_map_text(board, chances, {.columns = 40, .glyphs = Glyphs::ascii}) ==
             "  |    100  50 | 4\n"
             "1 |  .  <1  12 | 3\n");
  BOOST_TEST(*heat_map_text(board, chances, {.columns = 40, .glyphs = Glyphs::unicode}) ==
             "  │     █100 ▄ 50 │ 4\n"
             "1 │   · ▁ <1 ▁ 12 │ 3\n");
}

BOOST_AUTO_TEST_CASE(maps_each_cell_in_one_column_where_there_is_no_more_room) {
  const Board board = *Board::make({.cells = 12, .width = 9});
  std::vector<double> chances(13, 0.3);
  chances[2] = 0;
  chances[3] = 1;
  chances[4] = 0.004;
  chances[10] = 0.99;
  BOOST_TEST(*heat_map_text(board, chances, {.columns = 40, .glyphs = Glyphs::ascii}) ==
             "   |       339 | 10\n"
             " 1 | 3.*033333 |  9\n"
             "as tenths: 0 to 9, * all, . none\n");
  BOOST_TEST(*heat_map_text(board, chances, {.columns = 40, .glyphs = Glyphs::unicode}) ==
             "   │       ▃▃█ │ 10\n"
             " 1 │ ▃·█▁▃▃▃▃▃ │  9\n"
             "as eighths: ▁ to █, · none\n");
}

/// 0 to 1, as WCAG 2 defines it, of "#rgb" or "#rrggbb".
double luminance_of(std::string hex) {
  if (hex.size() == 4) hex = {'#', hex[1], hex[1], hex[2], hex[2], hex[3], hex[3]};
  const auto linear = [&](std::size_t at) {
    const double part = std::stoi(hex.substr(at, 2), nullptr, 16) / 255.;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

BOOST_AUTO_TEST_CASE(in_svg_has_ink_that_can_be_read_on_every_colour) {
  const Board board = *Board::make({.cells = 2000, .width = 50});
  std::vector<double> chances(2001);
  for (std::size_t cell = 0; cell < chances.size(); ++cell)
    chances[cell] = static_cast<double>(cell) / 2000;
  const std::string svg = chart_page_svg({.title = "",
                                          .facts = {},
                                          .histogram_title = "",
                                          .heat_map_title = "",
                                          .heat_map = {{board, chances}}});
  static const std::regex cell("class=\"heat\" fill=\"(#[0-9a-f]+)\">.*?fill=\"(#[0-9a-f]+)\"");
  int cells = 0;
  for (std::sregex_iterator match(svg.begin(), svg.end(), cell), end; match != end; ++match) {
    const double ink = luminance_of((*match)[1]);
    const double paper = luminance_of((*match)[2]);
    const double contrast = (std::max(ink, paper) + 0.05) / (std::min(ink, paper) + 0.05);
    BOOST_TEST(contrast >= 4.5, match->str());
    ++cells;
  }
  BOOST_TEST(cells == 2000);
}

BOOST_AUTO_TEST_CASE(says_so_where_there_is_no_room_for_a_map) {
  const Board board = *Board::make({.cells = 400, .width = 100});
  const std::string text = chart_page_text({.title = "",
                                            .facts = {},
                                            .histogram_title = "",
                                            .heat_map_title = "chances",
                                            .heat_map = {{board, std::vector<double>(401, 0.5)}}},
                                           {});
  BOOST_TEST(text == "chances: too wide to draw here; see --svg\n");
}

BOOST_AUTO_TEST_SUITE_END()
