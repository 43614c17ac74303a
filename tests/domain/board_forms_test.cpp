// The forms of a board: the meaning of each, its possible faults, and the boards that it can hold.
#include "domain/board_forms.hpp"

#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace snl;
using snl::test::board_of;

namespace {

void check_faults(const std::expected<Board, Faults>& board, const Faults& expected) {
  BOOST_REQUIRE(!board.has_value());
  BOOST_TEST(board.error() == expected, boost::test_tools::per_element());
}

/// One snake 8 → 2 and one ladder 3 → 5, on three rows: the rows 1 2 3, 6 5 4, 7 8 9.
Board three_rows() {
  return board_of({.cells = 9, .snakes = {{8, 2}}, .ladders = {{3, 5}}});
}

using Kind = EntryKind;

Faults faults_of_entries(std::int64_t size, const std::vector<BoardEntry>& entries) {
  const auto board = board_from_entries({.size = size, .entries = entries});
  return board ? Faults{} : board.error();
}

void check_entries(const std::vector<BoardEntry>& entries, const Faults& expected) {
  BOOST_TEST(faults_of_entries(4, entries) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_matrix_of_cells)

BOOST_AUTO_TEST_CASE(has_the_top_row_first_and_turns_at_the_end_of_each) {
  const BoardMatrix matrix{{-1, 2, -1}, {-1, -1, -1}, {-1, -1, 5}};
  BOOST_TEST(board_from_matrix(matrix).value() == three_rows());
  BOOST_TEST((matrix_from(three_rows()).value() == matrix));
}

BOOST_AUTO_TEST_CASE(has_the_last_cell_at_the_left_where_rows_are_even) {
  const BoardMatrix matrix{{-1, -1}, {-1, 4}};
  BOOST_TEST(board_from_matrix(matrix).value() == board_of({.cells = 4, .ladders = {{2, 4}}}));
  check_faults(board_from_matrix({{1, -1}, {-1, -1}}),
               {"row 0, column 0: nothing may start on the last cell"});
  check_faults(board_from_matrix({{-1, -1, 1}, {-1, -1, -1}, {-1, -1, -1}}),
               {"row 0, column 2: nothing may start on the last cell"});
}

BOOST_AUTO_TEST_CASE(has_as_many_landings_as_its_rows_need) {
  check_faults(board_from_square({.rows = 1, .landings = {0, 1}}),
               {"1 row: a square board has 2 to 4096"});
  const Faults two{"2 rows: the landings of such a square are 5, the first of them 0"};
  check_faults(board_from_square({.rows = 2, .landings = {0, 1, 2, 3}}), two);
  check_faults(board_from_square({.rows = 2, .landings = {7, 1, 2, 3, 4}}), two);
  check_faults(board_from_square({.rows = 4096, .landings = {}}),
               {"4096 rows: the landings of such a square are 16777217, the first of them 0"});
}

BOOST_AUTO_TEST_CASE(has_every_place_where_a_walk_along_the_track_comes_by) {
  for (const std::int32_t rows : {2, 3, 4, 5, 8, 9, 31, 32}) {
    const Cell cells = rows * rows;
    Cell cell = 0;
    for (std::int32_t row = rows - 1; row >= 0; --row) {
      for (std::int32_t step = 0; step < rows; ++step) {
        const bool to_the_right = (rows - 1 - row) % 2 == 0;
        const std::int32_t column = to_the_right ? step : rows - 1 - step;
        if (++cell == cells) continue;
        const auto size = static_cast<std::size_t>(rows);
        BoardMatrix matrix(size, std::vector<Cell>(size, no_jump));
        matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
            cell == 1 ? 2 : cells;
        const Board board = board_from_matrix(matrix).value();
        BOOST_TEST_REQUIRE(board.landing(cell) != cell);
        BOOST_TEST_REQUIRE((matrix_from(board).value() == matrix));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(may_name_each_cell_in_itself) {
  BOOST_TEST(board_from_matrix({{4, 3}, {1, 2}}).value() == board_of({.cells = 4}));
}

BOOST_AUTO_TEST_CASE(has_two_rows_or_more_all_as_long_as_there_are_rows) {
  check_faults(board_from_matrix({}), {"0 rows: a square board has 2 to 4096"});
  check_faults(board_from_matrix({{-1}}), {"1 row: a square board has 2 to 4096"});
  check_faults(board_from_matrix({{-1, -1}, {-1, 99, -1}}),
               {"row 1: it has 3 columns, but the matrix has 2 rows: it must be square"});
  BOOST_TEST(board_from_matrix(BoardMatrix(4097)).error().front() ==
             "4097 rows: a square board has 2 to 4096");
}

BOOST_AUTO_TEST_CASE(has_all_its_faults_named_at_once) {
  check_faults(board_from_matrix({{INT32_MAX, 0}, {-7, 5}}),
               {"row 0, column 0: 2147483647 is off the board (1 to 4, or -1 for no jump)",
                "row 0, column 0: nothing may start on the last cell",
                "row 0, column 1: 0 is off the board (1 to 4, or -1 for no jump)",
                "row 1, column 0: -7 is off the board (1 to 4, or -1 for no jump)",
                "row 1, column 1: 5 is off the board (1 to 4, or -1 for no jump)"});
}

BOOST_AUTO_TEST_CASE(cant_hold_a_board_that_is_not_square) {
  const std::string why = "matrices hold square boards only, and this one has ";
  BOOST_TEST(matrix_from(board_of({.cells = 30, .width = 6})).error() ==
             why + "30 cells in rows of 6");
  BOOST_TEST(matrix_from(board_of({.cells = 100, .width = 20})).error() ==
             why + "100 cells in rows of 20");
}

BOOST_AUTO_TEST_CASE(of_more_faults_than_anybody_reads_ends_with_their_number) {
  const BoardMatrix matrix(1100, std::vector<Cell>(1100, 0));
  const auto board = board_from_matrix(matrix);
  BOOST_REQUIRE(!board.has_value());
  BOOST_TEST(board.error().size() == max_faults + 1);
  BOOST_TEST(board.error().back() == "and 210001 more faults");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_list_of_moves)

BOOST_AUTO_TEST_CASE(has_a_move_for_each_cell_both_less_1) {
  const BoardMoves moves{-1, -1, 4, -1, -1, -1, -1, 1, -1};
  BOOST_TEST(board_from_moves(moves).value() == three_rows());
  BOOST_TEST(moves_from(three_rows()) == moves, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(may_name_each_cell_in_itself) {
  BOOST_TEST(board_from_moves(BoardMoves{0, 1}).value() == board_of({.cells = 2}));
}

BOOST_AUTO_TEST_CASE(has_the_usual_width) {
  BOOST_TEST(board_from_moves(BoardMoves(30, no_jump)).value().width() == 10);
  BOOST_TEST(board_from_moves(BoardMoves(36, no_jump)).value().width() == 6);
  BOOST_TEST(board_from_moves(BoardMoves(7, no_jump)).value().width() == 7);
}

BOOST_AUTO_TEST_CASE(has_two_or_more_and_at_most_as_many_as_the_largest_board) {
  check_faults(board_from_moves({}), {"0 cells: a board has 2 to 16777216"});
  check_faults(board_from_moves(BoardMoves{-1}), {"1 cell: a board has 2 to 16777216"});
  check_faults(board_from_moves(BoardMoves(max_cells + 1, no_jump)),
               {"16777217 cells: a board has 2 to 16777216"});
}

BOOST_AUTO_TEST_CASE(has_all_its_faults_named_at_once) {
  check_faults(board_from_moves(BoardMoves{4, INT32_MAX, -2, 0}),
               {"index 0: 4 is off the board (0 to 3, or -1 for no jump)",
                "index 1: 2147483647 is off the board (0 to 3, or -1 for no jump)",
                "index 2: -2 is off the board (0 to 3, or -1 for no jump)",
                "index 3: nothing may start on the last cell"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_list_of_entries)

BOOST_AUTO_TEST_CASE(has_both_ends_of_each_jump_with_row_0_at_the_bottom) {
  const BoardEntries entries{.size = 3,
                             .entries = {{2, 1, Kind::snake_upper, 0, 1},
                                         {0, 1, Kind::snake_lower, 2, 1},
                                         {0, 2, Kind::ladder_lower, 1, 1},
                                         {1, 1, Kind::ladder_upper, 0, 2}}};
  BOOST_TEST(board_from_entries(entries).value() == three_rows());
  BOOST_TEST((entries_from(three_rows()).value() == entries));
}

BOOST_AUTO_TEST_CASE(may_be_in_any_order) {
  BoardEntries entries = entries_from(three_rows()).value();
  std::ranges::reverse(entries.entries);
  BOOST_TEST(board_from_entries(entries).value() == three_rows());
}

BOOST_AUTO_TEST_CASE(may_have_jumps_that_share_the_cell_where_they_end) {
  const Board board = board_of({.cells = 16, .snakes = {{9, 5}}, .ladders = {{2, 5}, {3, 9}}});
  BOOST_TEST(board_from_entries(entries_from(board).value()).value() == board);
}

BOOST_AUTO_TEST_CASE(has_2_to_4096_rows) {
  for (const std::int64_t size :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{4097}, INT64_MAX})
    BOOST_TEST(faults_of_entries(size, {}).front() ==
               "size " + std::to_string(size) + ": a square board has 2 to 4096 rows");
}

BOOST_AUTO_TEST_CASE(has_an_end_off_the_board_named) {
  check_entries({{4, 0, Kind::snake_upper, 0, 0}},
                {"entry 0: row 4, column 0 is off the board (0 to 3)"});
  check_entries({{1, 0, Kind::snake_upper, -1, INT64_MAX}},
                {"entry 0: row -1, column 9223372036854775807 is off the board (0 to 3)"});
  check_entries({{9, 0, Kind::snake_upper, 0, 9}},
                {"entry 0: row 9, column 0 is off the board (0 to 3)",
                 "entry 0: row 0, column 9 is off the board (0 to 3)"});
}

BOOST_AUTO_TEST_CASE(has_an_end_without_the_other_named) {
  check_entries({{1, 0, Kind::snake_upper, 0, 0}},
                {"entry 0: its other end isn't listed: SL at row 0, column 0"});
  check_entries({{0, 0, Kind::ladder_lower, 1, 0}},
                {"entry 0: its other end isn't listed: LU at row 1, column 0"});
  check_entries({{1, 0, Kind::ladder_upper, 0, 0}, {1, 1, Kind::snake_lower, 2, 2}},
                {"entry 0: its other end isn't listed: LL at row 0, column 0",
                 "entry 1: its other end isn't listed: SU at row 2, column 2"});
}

BOOST_AUTO_TEST_CASE(has_ends_that_disagree_named) {
  check_entries({{1, 0, Kind::snake_upper, 0, 0}, {0, 0, Kind::snake_lower, 1, 1}},
                {"entry 0: its other end isn't listed: SL at row 0, column 0",
                 "entry 1: its other end isn't listed: SU at row 1, column 1"});
}

BOOST_AUTO_TEST_CASE(has_an_entry_that_is_listed_twice_named) {
  check_entries({{1, 0, Kind::snake_upper, 0, 0},
                 {0, 0, Kind::snake_lower, 1, 0},
                 {1, 0, Kind::snake_upper, 0, 0},
                 {0, 0, Kind::snake_lower, 1, 0},
                 {1, 0, Kind::snake_upper, 0, 0}},
                {"entry 2: it repeats entry 0", "entry 3: it repeats entry 1",
                 "entry 4: it repeats entry 0"});
}

BOOST_AUTO_TEST_CASE(has_two_jumps_from_one_cell_named) {
  check_entries({{1, 0, Kind::snake_upper, 0, 0},
                 {0, 1, Kind::snake_lower, 1, 0},
                 {0, 0, Kind::snake_lower, 1, 0},
                 {1, 0, Kind::snake_upper, 0, 1}},
                {"entry 1: the jump of entry 0 starts on the same cell"});
}

BOOST_AUTO_TEST_CASE(has_a_jump_that_is_upside_down_named) {
  check_entries({{0, 0, Kind::snake_upper, 1, 0}, {1, 0, Kind::snake_lower, 0, 0}},
                {"entry 0: SU is an upper end, but row 0, column 0 is below row 1, column 0",
                 "entry 1: SL is a lower end, but row 1, column 0 is above row 0, column 0"});
  check_entries({{0, 1, Kind::ladder_upper, 0, 2}, {0, 2, Kind::ladder_lower, 0, 1}},
                {"entry 0: LU is an upper end, but row 0, column 1 is below row 0, column 2",
                 "entry 1: LL is a lower end, but row 0, column 2 is above row 0, column 1"});
}

BOOST_AUTO_TEST_CASE(has_a_jump_from_a_cell_to_itself_and_one_from_the_last_cell_named) {
  check_entries({{1, 1, Kind::snake_upper, 1, 1}},
                {"entry 0: it starts and ends on the same cell"});
  check_entries({{3, 0, Kind::snake_upper, 0, 0}, {0, 0, Kind::snake_lower, 3, 0}},
                {"entry 0: nothing may start on the last cell",
                 "entry 1: nothing may start on the last cell"});
}

BOOST_AUTO_TEST_CASE(cant_hold_a_board_that_is_not_square) {
  BOOST_TEST(entries_from(board_of({.cells = 30, .width = 6})).error() ==
             "entries hold square boards only, and this one has 30 cells in rows of 6");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(one_cell)

BOOST_AUTO_TEST_CASE(is_known_in_each_form) {
  BOOST_TEST(is_one_cell(BoardMatrix{{-1}}));
  BOOST_TEST(is_one_cell(BoardMatrix{{1}}));
  BOOST_TEST(!is_one_cell(BoardMatrix{{2}}));
  BOOST_TEST(!is_one_cell(BoardMatrix{{}}));
  BOOST_TEST(is_one_cell(BoardMoves{-1}));
  BOOST_TEST(is_one_cell(BoardMoves{0}));
  BOOST_TEST(!is_one_cell(BoardMoves{1}));
  BOOST_TEST(is_one_cell(BoardEntries{.size = 1, .entries = {}}));
  BOOST_TEST(is_one_cell(BoardDescription{.cells = 1}));
  BOOST_TEST(!is_one_cell(BoardDescription{.cells = 1, .snakes = {{1, 1}}}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(landings)

BOOST_AUTO_TEST_CASE(make_the_board_on_which_pieces_land_so) {
  BOOST_TEST(Board::from_landings(3, {0, 1, 2, 5, 4, 5, 6, 7, 2, 9}).value() == three_rows());
}

BOOST_AUTO_TEST_CASE(make_no_board_that_would_be_refused_otherwise) {
  BOOST_TEST(!Board::from_landings(1, {}).has_value());
  BOOST_TEST(!Board::from_landings(1, {0, 1}).has_value());
  BOOST_TEST(!Board::from_landings(0, {0, 1, 2}).has_value());
  BOOST_TEST(!Board::from_landings(3, {0, 1, 2}).has_value());
  BOOST_TEST(!Board::from_landings(2, {1, 1, 2}).has_value());
  BOOST_TEST(!Board::from_landings(2, {0, 0, 2}).has_value());
  BOOST_TEST(!Board::from_landings(2, {0, 3, 2}).has_value());
  BOOST_TEST(!Board::from_landings(2, {0, INT32_MIN, 2}).has_value());
  BOOST_TEST(!Board::from_landings(2, {0, 1, 1}).has_value());
  BOOST_TEST(Board::from_landings(2, {0, 2, 2}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
