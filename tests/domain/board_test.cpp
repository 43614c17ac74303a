// The boards that are accepted or refused, the reasons, and the layout of a boustrophedon's cells.
// Each fault is tested alone, then all of them at once.
#include "domain/board.hpp"

#include "domain/board_warnings.hpp"
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace snl;
using snl::test::board_of;

namespace {

using Strings = std::vector<std::string>;

std::vector<BoardFault> faults_in(const BoardDescription& description) {
  auto board = Board::make(description);
  BOOST_REQUIRE(!board.has_value());
  return std::move(board).error();
}

Strings messages_of(const std::vector<BoardFault>& faults) {
  Strings messages;
  for (const BoardFault& fault : faults)
    messages.push_back(fault.message);
  return messages;
}

void check_faults(const BoardDescription& description, const Strings& expected) {
  BOOST_TEST(messages_of(faults_in(description)) == expected, boost::test_tools::per_element());
}

void check_warnings(const BoardDescription& description, const Rules& rules,
                    const Strings& expected) {
  BOOST_TEST(warnings_about(board_of(description), rules) == expected,
             boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(describing_a_board)

BOOST_AUTO_TEST_CASE(its_jumps_are_kept_in_the_order_of_their_starts) {
  const Board board = board_of({.snakes = {{62, 19}, {17, 7}}, .ladders = {{20, 29}, {3, 22}}});
  BOOST_TEST(board.snakes() == (std::vector<Jump>{{17, 7}, {62, 19}}),
             boost::test_tools::per_element());
  BOOST_TEST(board.ladders() == (std::vector<Jump>{{3, 22}, {20, 29}}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_order_of_the_description_makes_no_difference) {
  const Board board = board_of({.snakes = {{62, 19}, {17, 7}}});
  BOOST_TEST(board == board_of({.snakes = {{17, 7}, {62, 19}}}));
  BOOST_TEST((board != board_of({.snakes = {{17, 7}}})));
}

BOOST_AUTO_TEST_CASE(a_landing_is_the_other_end_of_a_jump_or_the_cell_itself) {
  const Board board = board_of({.snakes = {{17, 7}}, .ladders = {{3, 22}}});
  BOOST_TEST(board.landing(0) == 0);
  BOOST_TEST(board.landing(3) == 22);
  BOOST_TEST(board.landing(4) == 4);
  BOOST_TEST(board.landing(7) == 7);
  BOOST_TEST(board.landing(17) == 7);
  BOOST_TEST(board.landing(22) == 22);
  BOOST_TEST(board.landing(100) == 100);
}

BOOST_AUTO_TEST_CASE(a_large_board_of_few_jumps_is_the_same_board_without_a_table_of_its_cells) {
  const Board board = board_of({.cells = max_cells,
                                .width = 4096,
                                .snakes = {{max_cells - 1, 1}, {17, 7}, {5000, 3}},
                                .ladders = {{1, 2}, {3, 22}, {4999, max_cells}}});
  BOOST_TEST(board.landings().empty());
  std::vector<Cell> landings(max_cells + 1);
  std::iota(landings.begin(), landings.end(), 0);
  for (const auto jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      landings[static_cast<std::size_t>(jump.from)] = jump.to;
  const Board with_table = Board::from_landings(4096, landings).value();
  BOOST_TEST(!with_table.landings().empty());
  BOOST_TEST(board == with_table);
  BOOST_TEST(board.snakes().front() == (Jump{17, 7}));
  for (const Cell cell :
       {0, 1, 2, 3, 4, 7, 16, 17, 18, 22, 4999, 5000, 5001, 16'777'215, 16'777'216})
    BOOST_TEST(board.landing(cell) == with_table.landing(cell), "cell " << cell);
}

BOOST_AUTO_TEST_CASE(a_large_board_of_few_jumps_is_refused_as_any_other) {
  const std::int64_t cells = 100'000;
  using Jumps = std::vector<DescribedJump>;
  const auto refused = [&](const Jumps& snakes, const Jumps& ladders, std::int64_t width = 10) {
    return !Board::make({.cells = cells, .width = width, .snakes = snakes, .ladders = ladders});
  };
  BOOST_TEST(!refused({{17, 7}}, {{3, 22}}));
  BOOST_TEST(refused({{17, 7}}, {{17, 22}}));
  BOOST_TEST(refused({{17, 7}, {20, 5}, {17, 6}}, {}));
  BOOST_TEST(refused({{7, 17}}, {}));
  BOOST_TEST(refused({}, {{17, 7}}));
  BOOST_TEST(refused({}, {{7, 7}}));
  BOOST_TEST(refused({{cells, 7}}, {}));
  BOOST_TEST(refused({}, {{7, cells + 1}}));
  BOOST_TEST(refused({}, {{0, 7}}));
  BOOST_TEST(refused({}, {}, cells + 1));
}

BOOST_AUTO_TEST_CASE(without_a_width_a_square_is_as_wide_as_high) {
  BOOST_TEST(board_of({.cells = 4}).width() == 2);
  BOOST_TEST(board_of({.cells = 100}).width() == 10);
  BOOST_TEST(board_of({.cells = 144}).width() == 12);
  BOOST_TEST(board_of({.cells = max_cells}).width() == 4096);
}

BOOST_AUTO_TEST_CASE(without_a_width_anything_else_has_rows_of_ten_or_one_row) {
  BOOST_TEST(board_of({.cells = 101}).width() == 10);
  BOOST_TEST(board_of({.cells = max_cells - 1}).width() == 10);
  BOOST_TEST(board_of({.cells = 11}).width() == 10);
  BOOST_TEST(board_of({.cells = 7}).width() == 7);
  BOOST_TEST(board_of({.cells = 2}).width() == 2);
}

BOOST_AUTO_TEST_CASE(the_last_row_may_be_short) {
  BOOST_TEST(board_of({.cells = 30, .width = 6}).rows() == 5);
  BOOST_TEST(board_of({.cells = 31, .width = 6}).rows() == 6);
  BOOST_TEST(board_of({.cells = 7, .width = 1}).rows() == 7);
  BOOST_TEST(board_of({.cells = 7, .width = 7}).rows() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_board_that_is_allowed)

BOOST_AUTO_TEST_CASE(has_two_cells) {
  BOOST_TEST(board_of({.cells = 2}).cells() == 2);
}

BOOST_AUTO_TEST_CASE(has_a_jump_that_starts_on_cell_1) {
  BOOST_TEST(board_of({.ladders = {{1, 38}}}).landing(1) == 38);
}

BOOST_AUTO_TEST_CASE(has_a_ladder_that_ends_on_the_last_cell) {
  BOOST_TEST(board_of({.ladders = {{80, 100}}}).landing(80) == 100);
}

BOOST_AUTO_TEST_CASE(has_a_snake_that_ends_on_cell_1) {
  BOOST_TEST(board_of({.snakes = {{99, 1}}}).landing(99) == 1);
}

BOOST_AUTO_TEST_CASE(has_a_jump_that_ends_where_another_starts) {
  const Board board = board_of({.snakes = {{17, 7}}, .ladders = {{3, 17}}});
  BOOST_TEST(board.landing(3) == 17);
  BOOST_TEST(board.landing(17) == 7);
}

BOOST_AUTO_TEST_CASE(has_two_jumps_that_end_on_one_cell) {
  const Board board = board_of({.snakes = {{17, 7}}, .ladders = {{3, 7}}});
  BOOST_TEST(board.landing(3) == 7);
  BOOST_TEST(board.landing(17) == 7);
}

BOOST_AUTO_TEST_CASE(has_a_jump_on_every_cell_but_the_last) {
  BOOST_TEST(board_of({.cells = 4, .ladders = {{1, 4}, {2, 4}, {3, 4}}}).ladders().size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_board_that_is_refused)

BOOST_AUTO_TEST_CASE(has_too_few_or_too_many_cells) {
  check_faults({.cells = 1}, {"1 cell: a board has 2 to 16777216"});
  check_faults({.cells = 0}, {"0 cells: a board has 2 to 16777216"});
  check_faults({.cells = -100}, {"-100 cells: a board has 2 to 16777216"});
  check_faults({.cells = max_cells + 1}, {"16777217 cells: a board has 2 to 16777216"});
  check_faults({.cells = INT64_MAX}, {"9223372036854775807 cells: a board has 2 to 16777216"});
}

BOOST_AUTO_TEST_CASE(has_a_width_that_no_row_can_have) {
  check_faults({.width = 0}, {"width 0: a row has 1 to 100 cells"});
  check_faults({.width = -1}, {"width -1: a row has 1 to 100 cells"});
  check_faults({.width = 101}, {"width 101: a row has 1 to 100 cells"});
}

BOOST_AUTO_TEST_CASE(has_a_jump_that_starts_on_the_last_cell) {
  check_faults({.snakes = {{100, 50}}}, {"snake 100,50: nothing may start on the last cell"});
}

BOOST_AUTO_TEST_CASE(has_two_jumps_from_one_cell) {
  check_faults({.snakes = {{17, 7}, {17, 8}}},
               {"snake 17,8: the snake 17,7 starts on the same cell"});
  check_faults({.snakes = {{17, 7}}, .ladders = {{17, 20}}},
               {"ladder 17,20: the snake 17,7 starts on the same cell"});
  check_faults({.ladders = {{3, 22}, {3, 22}}},
               {"ladder 3,22: the ladder 3,22 starts on the same cell"});
}

BOOST_AUTO_TEST_CASE(has_a_jump_from_a_cell_to_itself) {
  check_faults({.snakes = {{17, 17}}}, {"snake 17,17: it starts and ends on the same cell"});
  check_faults({.ladders = {{17, 17}}}, {"ladder 17,17: it starts and ends on the same cell"});
}

BOOST_AUTO_TEST_CASE(has_a_snake_that_goes_up) {
  check_faults({.snakes = {{7, 17}}},
               {"snake 7,17: a snake leads down, from a higher cell to a lower one"});
}

BOOST_AUTO_TEST_CASE(has_a_ladder_that_goes_down) {
  check_faults({.ladders = {{22, 3}}},
               {"ladder 22,3: a ladder leads up, from a lower cell to a higher one"});
}

BOOST_AUTO_TEST_CASE(has_an_end_off_the_board) {
  check_faults({.snakes = {{17, 0}}}, {"snake 17,0: cell 0 is off the board (1 to 100)"});
  check_faults({.snakes = {{17, -3}}}, {"snake 17,-3: cell -3 is off the board (1 to 100)"});
  check_faults({.snakes = {{101, 3}}}, {"snake 101,3: cell 101 is off the board (1 to 100)"});
  check_faults({.ladders = {{0, 9}}}, {"ladder 0,9: cell 0 is off the board (1 to 100)"});
  check_faults({.ladders = {{9, 101}}}, {"ladder 9,101: cell 101 is off the board (1 to 100)"});
  check_faults({.ladders = {{9, 4294967305}}},
               {"ladder 9,4294967305: cell 4294967305 is off the board (1 to 100)"});
}

BOOST_AUTO_TEST_CASE(has_all_its_faults_named_at_once) {
  check_faults(
      {.cells = 30,
       .width = 31,
       .snakes = {{30, 2}, {40, -1}, {5, 9}, {6, 2}, {6, 6}},
       .ladders = {{9, 3}, {6, 12}, {30, 31}}},
      {"width 31: a row has 1 to 30 cells", "snake 30,2: nothing may start on the last cell",
       "snake 40,-1: cell 40 is off the board (1 to 30)",
       "snake 40,-1: cell -1 is off the board (1 to 30)",
       "snake 5,9: a snake leads down, from a higher cell to a lower one",
       "snake 6,6: it starts and ends on the same cell",
       "snake 6,6: the snake 6,2 starts on the same cell",
       "ladder 9,3: a ladder leads up, from a lower cell to a higher one",
       "ladder 6,12: the snake 6,2 starts on the same cell",
       "ladder 30,31: cell 31 is off the board (1 to 30)",
       "ladder 30,31: nothing may start on the last cell",
       "ladder 30,31: the snake 30,2 starts on the same cell"});
}

BOOST_AUTO_TEST_CASE(has_all_its_faults_named_even_if_its_size_is_one) {
  check_faults({.cells = 1, .width = 9, .snakes = {{1, 5}}},
               {"1 cell: a board has 2 to 16777216", "width 9: a row has 1 to 1 cells",
                "snake 1,5: cell 5 is off the board (1 to 1)",
                "snake 1,5: nothing may start on the last cell",
                "snake 1,5: a snake leads down, from a higher cell to a lower one"});
  check_faults({.cells = 0, .width = 0, .snakes = {{9, 9}}, .ladders = {{3, 7}, {3, 8}}},
               {"0 cells: a board has 2 to 16777216", "width 0: a row has at least 1 cell",
                "snake 9,9: it starts and ends on the same cell",
                "ladder 3,8: the ladder 3,7 starts on the same cell"});
  check_faults({.cells = max_cells + 1, .ladders = {{9, 3}}},
               {"16777217 cells: a board has 2 to 16777216",
                "ladder 9,3: a ladder leads up, from a lower cell to a higher one"});
}

BOOST_AUTO_TEST_CASE(has_each_fault_traced_to_its_place_in_the_description) {
  const auto faults =
      faults_in({.width = 0, .snakes = {{17, 7}, {7, 17}}, .ladders = {{3, 22}, {4, 5}, {4, 6}}});
  BOOST_REQUIRE(faults.size() == 3U);
  BOOST_TEST(!faults[0].jump.has_value());
  BOOST_TEST((faults[1].jump == JumpRef{JumpKind::snake, 1}));
  BOOST_TEST((faults[2].jump == JumpRef{JumpKind::ladder, 2}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drawing_a_board)

BOOST_AUTO_TEST_CASE(rows_turn_at_their_ends) {
  BOOST_TEST((place_of(1, 10) == Place{0, 0}));
  BOOST_TEST((place_of(10, 10) == Place{0, 9}));
  BOOST_TEST((place_of(11, 10) == Place{1, 9}));
  BOOST_TEST((place_of(20, 10) == Place{1, 0}));
  BOOST_TEST((place_of(21, 10) == Place{2, 0}));
  BOOST_TEST((place_of(100, 10) == Place{9, 0}));
}

BOOST_AUTO_TEST_CASE(one_column_goes_straight_up) {
  BOOST_TEST((place_of(1, 1) == Place{0, 0}));
  BOOST_TEST((place_of(2, 1) == Place{1, 0}));
  BOOST_TEST(cell_at({7, 0}, 1) == 8);
}

BOOST_AUTO_TEST_CASE(neighbours_on_the_track_are_neighbours_in_the_picture) {
  for (const std::int32_t width : {1, 2, 3, 7, 10}) {
    for (Cell cell = 1; cell < 100; ++cell) {
      const Place here = place_of(cell, width);
      const Place there = place_of(cell + 1, width);
      BOOST_TEST(std::abs(here.row - there.row) + std::abs(here.column - there.column) == 1);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(what_may_surprise_on_a_board)

BOOST_AUTO_TEST_CASE(nothing_does_on_an_ordinary_one) {
  check_warnings({.snakes = {{17, 7}}, .ladders = {{3, 22}}}, {}, {});
}

BOOST_AUTO_TEST_CASE(a_jump_on_cell_1_is_worth_a_warning) {
  check_warnings({.ladders = {{1, 38}}}, {},
                 {"the ladder 1,38 starts on cell 1: nobody who begins there takes it"});
}

BOOST_AUTO_TEST_CASE(a_jump_that_ends_where_another_starts_is_worth_a_warning) {
  check_warnings({.snakes = {{17, 7}}, .ladders = {{3, 17}, {7, 12}}}, {},
                 {"the snake 17,7 ends where the ladder 7,12 starts: jumps are not chained",
                  "the ladder 3,17 ends where the snake 17,7 starts: jumps are not chained"});
}

BOOST_AUTO_TEST_CASE(an_end_behind_a_wall_of_snakes_cant_be_reached) {
  const BoardDescription wall{.cells = 20,
                              .snakes = {{5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {10, 1}}};
  const Rules plain{.sixes = Sixes::plain};
  check_warnings(wall, plain, {"cell 20 can't be reached: under these rules nobody can ever win"});
  check_warnings(wall, {}, {});  // 6-1 and more leap over the wall
}

BOOST_AUTO_TEST_CASE(an_end_that_only_a_list_cut_short_could_reach_is_a_warning_that_says_so) {
  // A 6 alone would lead from 1 to 7, and another to 13; rolled on, it leads to neither.
  BoardDescription only_by_sixes{.cells = 20};
  for (const Cell cell : {2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18})
    only_by_sixes.snakes.push_back({cell, 1});
  check_warnings(only_by_sixes, {},
                 {"cell 20 can't be reached: under these rules, with dice rolled to their end, "
                  "nobody can ever win"});
}

BOOST_AUTO_TEST_CASE(two_dice_cant_take_a_last_step_of_one) {
  const Rules two_dice{.finish = Finish::exact, .dice = 2, .sixes = Sixes::plain};
  const Rules bounce{.finish = Finish::bounce, .dice = 2, .sixes = Sixes::plain};
  check_warnings({.cells = 2}, two_dice,
                 {"cell 2 can't be reached: under these rules nobody can ever win"});
  check_warnings({.cells = 2}, bounce, {});
}

BOOST_AUTO_TEST_SUITE_END()
