// Goal: a board file in any form is read as the board that it means, or every fault is named with
// its position. No bytes have any other effect.
//
// Method: each fault alone, with its exact message; properties over random boards; and many
// thousands of valid files with random changes, the same ones in every run. A general JSON parser
// reads their lists too.
#include "storage/exchange/board_json.hpp"

#include "../../domain/generators.hpp"
#include "domain/analysis/fewest_throws.hpp"
#include "domain/board_forms.hpp"
#include "domain/random_board.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace snl::test {
namespace {

namespace json = boost::json;

Board board_of(const BoardDescription& description) {
  return Board::make(description).value();
}

Board board_in(std::string_view text) {
  auto file = parse_board(text);
  if (!file) BOOST_FAIL(text << ": " << file.error().front());
  return std::move(file->board);
}

void check_faults(std::string_view text, const Faults& beginnings) {
  const auto board = parse_board(text);
  BOOST_REQUIRE_MESSAGE(!board, text << " is taken");
  BOOST_TEST_CONTEXT(text << ": " << board.error().front()) {
    BOOST_REQUIRE_EQUAL(board.error().size(), beginnings.size());
    for (std::size_t i = 0; i < beginnings.size(); ++i)
      BOOST_CHECK_MESSAGE(board.error()[i].starts_with(beginnings[i]),
                          board.error()[i] << " doesn't begin with " << beginnings[i]);
  }
}

/// As above, with the exact messages.
void check_exact_faults(std::string_view text, const Faults& faults) {
  const auto board = parse_board(text);
  BOOST_REQUIRE_MESSAGE(!board, text << " is taken");
  BOOST_TEST_CONTEXT(text)
  BOOST_TEST(board.error() == faults, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_board_as_json)

BOOST_AUTO_TEST_CASE(is_read) {
  const auto board =
      parse_board(R"({"cells":50,"width":5,"snakes":[[17,7],"27, 1"],"ladders":["3,22"]})");
  BOOST_REQUIRE(board.has_value());
  BOOST_CHECK(
      board->board ==
      board_of({.cells = 50, .width = 5, .snakes = {{17, 7}, {27, 1}}, .ladders = {{3, 22}}}));
  BOOST_CHECK(board->form == BoardForm::snl);
}

BOOST_AUTO_TEST_CASE(may_leave_out_all_but_its_cells) {
  BOOST_CHECK(board_in(R"({"cells":49})") == board_of({.cells = 49, .width = 7}));
  BOOST_CHECK(board_in(R"({"cells":5e1,"width":7.0})") == board_of({.cells = 50, .width = 7}));
  BOOST_CHECK(board_in(" {\n\"cells\" : 50 }\n") == board_of({.cells = 50, .width = 10}));
  BOOST_CHECK(parse_board(R"({"cells":9,"name":"x","source":"y","snakes":[]})").has_value());
}

BOOST_AUTO_TEST_CASE(is_written_in_one_line_and_read_back) {
  const Board board = board_of({.cells = 50, .snakes = {{27, 1}, {17, 7}}, .ladders = {{3, 22}}});
  const std::string json = R"({"cells":50,"width":10,"snakes":[[17,7],[27,1]],"ladders":[[3,22]]})";
  BOOST_TEST(board_to_json(board) == json);
  BOOST_TEST(rc::check("parse(write(board)) == board", [](const Board& any) {
    RC_ASSERT(parse_board(board_to_json(any)).value().board == any);
  }));
}

BOOST_AUTO_TEST_CASE(has_all_its_faults_named_with_their_places) {
  check_faults(
      R"({"cells":100,"snakes":[[17,7],[7,17],[5,5]],"ladders":[[17,20],[3,101],[100,2]]})",
      {"snakes[1]: ", "snakes[2]: ", "ladders[0]: ", "ladders[1]: ", "ladders[2]: ",
       "ladders[2]: "});
}

BOOST_AUTO_TEST_CASE(has_every_odd_value_named_with_its_place) {
  check_faults(R"({"cells":"100"})", {"cells: a whole number is expected, not \"100\""});
  check_faults(R"({"cells":1.5,"width":null})", {"cells: ", "width: "});
  check_faults(R"({"cells":1e-2})", {"cells: a whole number is expected, not 0.01"});
  check_faults(R"({"snakes":[]})", {"cells: it is missing"});
  check_faults(R"({"cells":100,"snakes":7,"ladders":{}})",
               {"snakes: a list of pairs", "ladders: a list of pairs"});
  check_faults(
      R"({"cells":100,"snakes":[[17,7],[17],[1,2,3],17,"17","17,","a,b",",", " , ",["17","7"],null,[1.5,1]]})",
      {"snakes[1]: ", "snakes[2]: ", "snakes[3]: ", "snakes[4]: ", "snakes[5]: ", "snakes[6]: ",
       "snakes[7]: ", "snakes[8]: ", "snakes[9]: ", "snakes[10]: ", "snakes[11]: "});
  check_faults(R"({"cells":100,"snakes":[[3,7],[100,1],"5,5",[7]],"ladders":[[3,200]]})",
               {"snakes[3]: a pair",
                "snakes[0]: ", "snakes[1]: ", "snakes[2]: ", "ladders[0]: ", "ladders[0]: "});
  check_faults(R"({"cells":100,"colour":"red","x":1})", {"colour: a board has", "x: a board has"});
}

BOOST_AUTO_TEST_CASE(has_numbers_that_no_board_holds_refused) {
  check_faults(R"({"cells":16777217})", {""});
  check_faults(R"({"cells":9223372036854775807})", {""});
  check_faults(R"({"cells":18446744073709551615})", {"cells: "});
  check_faults(R"({"cells":1e400})", {""});
  check_faults(R"({"cells":-1})", {""});
  check_faults(R"({"cells":100,"width":0})", {""});
  check_faults(R"({"cells":100,"width":101})", {""});
  check_faults(R"({"cells":100,"snakes":["99999999999999999999,1",[9223372036854775807,1]]})",
               {"snakes[0]: ", "snakes[1]: "});
}

BOOST_AUTO_TEST_CASE(that_is_not_json_names_line_and_column) {
  check_faults("", {"line 1, column 1: this isn't JSON"});
  check_faults("{\"cells\":100,\n \"snakes\":[[17,7],\n  [5,x]]}",
               {"line 3, column 6: this isn't JSON"});
  check_faults("{\"cells\":100", {"line 1, column 13: this isn't JSON"});
  check_faults("{\"cells\":100}\n}", {"line "});
  check_faults("{\"cells\":100,}", {"line 1, column 14: "});
  check_faults("{\"name\":\"\xFF\",\"cells\":9}", {"line 1, column 10: "});
  check_faults("[[-1,-1],\n[-1,-1]", {"line 2, column 8: this isn't JSON"});
  check_faults("[-1,\n-1 -1]", {"line 2, column 4: this isn't JSON"});
  check_faults("[-1,01]", {"line 1, column 6: this isn't JSON"});
  check_faults("[-1,-1] [", {"line 1, column 9: this isn't JSON"});
  check_faults("[-1,-1,]", {"line 1, column 8: this isn't JSON"});
}

BOOST_AUTO_TEST_CASE(of_another_shape_is_told_what_a_board_is) {
  for (const char* json : {"[]", " [ ] ", "7", "null", "\"x\""})
    check_faults(json, {"a board is an object such as"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_text_of_another_program)

BOOST_AUTO_TEST_CASE(is_read_as_hackerrank_has_it) {
  const auto file = parse_board("1\n2\n3 54\n37 100\n1\n56 33\n");
  BOOST_REQUIRE(file.has_value());
  BOOST_CHECK(file->board == board_of({.snakes = {{56, 33}}, .ladders = {{3, 54}, {37, 100}}}));
  BOOST_TEST(usual_start(file->form) == 1);
  BOOST_CHECK(board_in("\xEF\xBB\xBF 1 0\r\n0 ") == board_of({.cells = 100}));
}

BOOST_AUTO_TEST_CASE(is_read_as_lines_whose_ends_stand_in_any_order) {
  const Board expected = board_of({.snakes = {{16, 6}, {98, 78}}, .ladders = {{1, 38}, {4, 14}}});
  BOOST_CHECK(board_in("L 1 38\nC 6 16\nS 98 78\nl 14 4\n") == expected);
  BOOST_CHECK(board_in("# a board\r\n\r\n L 1\t38 \r\nL 4 14\r\nC 16 6\r\nC 78 98") == expected);
}

BOOST_AUTO_TEST_CASE(has_its_faults_named_with_their_lines) {
  check_exact_faults("2\n0\n0\n", {"line 1: a file holds 1 board, and its text begins with that "
                                   "number, not \"2\""});
  check_exact_faults("1\n2\n3 54\n",
                     {"line 4: a whole number is expected, not the end of the text"});
  check_exact_faults("1\n1\n3 x\n0", {"line 3: a whole number is expected, not \"x\""});
  check_exact_faults("1\n100\n", {"line 2: a number of ladders is 0 to 99, not \"100\""});
  check_exact_faults("1\n0\n-1", {"line 3: a number of snakes is 0 to 99, not \"-1\""});
  check_exact_faults("1\n0\n0\n7", {"line 4: the text ends after the snakes, not \"7\""});
  for (const char* line : {"X 1 2", "L 1", "L 1 2 3", "L one 2", "L"})
    check_exact_faults(fmt::format("L 3 4\n{}\n", line),
                       {fmt::format("line 2: a ladder such as L 1 38 or a chute such as C 6 16 is "
                                    "expected, not \"{}\"",
                                    line)});
  check_exact_faults("L 1 38\nX 16 6\n\nL 5",
                     {"line 2: a ladder such as L 1 38 or a chute such as C 6 16 is expected, not "
                      "\"X 16 6\"",
                      "line 4: a ladder such as L 1 38 or a chute such as C 6 16 is expected, not "
                      "\"L 5\""});
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "L 1 38\n";
  check_exact_faults(many, {"line 100: a board of 100 cells has no more jumps, not \"L 1 38\""});
}

BOOST_AUTO_TEST_CASE(is_a_board_with_the_faults_of_any) {
  check_faults("1\n1\n54 3\n1\n100 7", {"snakes[0]: ", "ladders[0]: "});
  check_faults("L 1 101\n", {"ladders[0]: "});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_matrix)

BOOST_AUTO_TEST_CASE(is_read_from_the_top_row_down) {
  const auto file = parse_board("[[-1,-1,-1],[-1,9,8],[-1,8,9]]");
  BOOST_REQUIRE(file.has_value());
  BOOST_CHECK(file->form == BoardForm::matrix);
  BOOST_CHECK(file->board == board_of({.cells = 9, .ladders = {{2, 8}, {3, 9}, {4, 8}, {5, 9}}}));
  BOOST_TEST(usual_start(file->form) == 1);
}

BOOST_AUTO_TEST_CASE(may_have_blanks_anywhere) {
  BOOST_CHECK(board_in(" [ [ -1 ,\n-1 ] ,\t[-1,\r\n4]]\n ") == board_in("[[-1,-1],[-1,4]]"));
}

BOOST_AUTO_TEST_CASE(may_name_a_cell_in_itself) {
  BOOST_CHECK(board_in("[[4,3],[1,2]]") == board_of({.cells = 4}));
}

BOOST_AUTO_TEST_CASE(that_is_not_square_has_each_row_named) {
  check_exact_faults("[[]]",
                     {"1 row: a square board has 2 to 4096",
                      "row 0: it has 0 columns, but the matrix has 1 row: it must be square"});
  check_exact_faults("[[-1,-1],[-1]]",
                     {"row 1: it has 1 column, but the matrix has 2 rows: it must be square"});
  check_exact_faults("[[-1,-1,-1],[-1,-1,-1]]",
                     {"row 0: it has 3 columns, but the matrix has 2 rows: it must be square",
                      "row 1: it has 3 columns, but the matrix has 2 rows: it must be square"});
}

BOOST_AUTO_TEST_CASE(of_one_cell_is_refused) {
  for (const char* text : {"[[-1]]", "[[1]]", "[[7]]"})
    check_exact_faults(text, {"1 row: a square board has 2 to 4096"});
}

BOOST_AUTO_TEST_CASE(has_each_bad_cell_named) {
  check_exact_faults("[[-1,5],[-1,-2]]",
                     {"row 0, column 1: 5 is off the board (1 to 4, or -1 for no jump)",
                      "row 1, column 1: -2 is off the board (1 to 4, or -1 for no jump)"});
  check_exact_faults("[[-1,0],[-1,-1]]",
                     {"row 0, column 1: 0 is off the board (1 to 4, or -1 for no jump)"});
  check_exact_faults("[[3,-1],[-1,-1]]", {"row 0, column 0: nothing may start on the last cell"});
  check_exact_faults("[[9,-1],[-1,-1]]",
                     {"row 0, column 0: 9 is off the board (1 to 4, or -1 for no jump)",
                      "row 0, column 0: nothing may start on the last cell"});
}

BOOST_AUTO_TEST_CASE(has_what_is_no_number_named) {
  const auto check = [](const std::string& value, const std::string& fault) {
    check_exact_faults("[[-1,-1],[-1," + value + "]]", {"row 1, column 1: " + fault});
  };
  check("1.5", "a whole number is expected, not 1.5");
  check("1.5e0", "a whole number is expected, not 1.5e0");
  check("null", "a whole number is expected, not null");
  check("true", "a whole number is expected, not true");
  check("\"3\"", "a whole number is expected, not a string");
  check("\"\\n\\u20ac and more\"", "a whole number is expected, not a string");
  check("[1,[2,{\"a\":[3]}]]", "a whole number is expected, not a list");
  check("{\"a\":[1,2],\"b\":3}", "a whole number is expected, not an object");
  check("99999999999", "99999999999 is off any board");
  check("-99999999999", "-99999999999 is off any board");
  check("18446744073709551615", "18446744073709551615 is off any board");
  check("123456789012345678901234567890", "123456789012345678901234567890 is off any board");
  check(std::string(1000, '7'), std::string(40, '7') + "… is off any board");
  check("2147483648", "2147483648 is off any board");
  check("2147483647", "2147483647 is off the board (1 to 4, or -1 for no jump)");
}

BOOST_AUTO_TEST_CASE(has_what_is_no_row_named_and_the_rest_still_in_its_place) {
  check_exact_faults("[[-1,-1,-1],7,[-1,0,-1]]",
                     {"row 1: it isn't a list",
                      "row 2, column 1: 0 is off the board (1 to 9, or -1 for no jump)"});
  check_exact_faults("[[-1,-1],{\"a\":[1]}]", {"row 1: it isn't a list"});
  check_exact_faults("[[-1,-1],null]", {"row 1: it isn't a list"});
}

BOOST_AUTO_TEST_CASE(that_is_nested_too_deep_is_refused) {
  check_exact_faults(std::string(100'000, '['),
                     {"line 1, column 33: no board has lists in lists as deep as this"});
}

BOOST_AUTO_TEST_CASE(that_is_too_large_is_refused_before_it_is_read_to_its_end) {
  std::string row = "[-1";
  for (int i = 0; i < 4096; ++i)
    row += ",-1";
  check_exact_faults("[" + row + "],x", {"row 0: more than 4096 columns: a board has no more"});
  std::string rows = "[[-1]";
  for (int i = 0; i < 4096; ++i)
    rows += ",[-1]";
  check_exact_faults(rows + ",x", {"more than 4096 rows: a board has no more"});
}

BOOST_AUTO_TEST_CASE(with_faults_everywhere_names_them_all) {
  std::string text = "[";
  for (int row = 0; row < 200; ++row) {
    text += row == 0 ? "[0" : ",[0";
    for (int column = 1; column < 200; ++column)
      text += ",0";
    text += "]";
  }
  const auto board = parse_board(text + "]");
  BOOST_REQUIRE(!board);
  BOOST_TEST(board.error().size() == 40'001U);  // the last cell twice
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(moves)

BOOST_AUTO_TEST_CASE(are_read_from_the_first_cell_on) {
  const auto file = parse_board("[-1,3,-1,0,-1]");
  BOOST_REQUIRE(file.has_value());
  BOOST_CHECK(file->form == BoardForm::moves);
  BOOST_CHECK(file->board == board_of({.cells = 5, .snakes = {{4, 1}}, .ladders = {{2, 4}}}));
  BOOST_TEST(usual_start(file->form) == 1);
}

BOOST_AUTO_TEST_CASE(may_name_a_cell_in_itself) {
  BOOST_CHECK(board_in("[0,1,2]") == board_of({.cells = 3}));
}

BOOST_AUTO_TEST_CASE(of_one_cell_are_refused) {
  for (const char* text : {"[-1]", "[0]", "[7]"})
    check_exact_faults(text, {"1 cell: a board has 2 to 16777216"});
}

BOOST_AUTO_TEST_CASE(have_each_bad_one_named) {
  check_exact_faults("[-1,3,-2]", {"index 1: 3 is off the board (0 to 2, or -1 for no jump)",
                                   "index 2: -2 is off the board (0 to 2, or -1 for no jump)",
                                   "index 2: nothing may start on the last cell"});
  check_exact_faults("[-1,-1,0]", {"index 2: nothing may start on the last cell"});
  check_exact_faults(
      "[-1,1.5,[2],{\"a\":1},\"x\",false,99999999999,7]",
      {"index 1: a whole number is expected, not 1.5",
       "index 2: a whole number is expected, not a list",
       "index 3: a whole number is expected, not an object",
       "index 4: a whole number is expected, not a string",
       "index 5: a whole number is expected, not false", "index 6: 99999999999 is off any board"});
  check_exact_faults("[2147483647,-1]",
                     {"index 0: 2147483647 is off the board (0 to 1, or -1 for no jump)"});
}

BOOST_AUTO_TEST_CASE(of_a_larger_board_than_there_is_are_refused) {
  std::string text = "[0";
  for (std::int64_t cell = 0; cell < max_cells; ++cell)
    text += ",0";
  check_exact_faults(text + ",x", {"more than 16777216 cells: a board has no more"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(entries)

BOOST_AUTO_TEST_CASE(are_read_from_the_first_row_on) {
  const auto file =
      parse_board(R"({"size":3,"entries":[[0,1,"LL",1,2],[1,2,"LU",0,1]],"name":"x"})");
  BOOST_REQUIRE(file.has_value());
  BOOST_CHECK(file->form == BoardForm::entries);
  BOOST_CHECK(file->board == board_of({.cells = 9, .ladders = {{2, 4}}}));
  BOOST_TEST(usual_start(file->form) == 0);
}

BOOST_AUTO_TEST_CASE(may_be_none) {
  BOOST_CHECK(board_in(R"({"entries":[],"size":2})") == board_of({.cells = 4}));
}

BOOST_AUTO_TEST_CASE(of_no_size_are_refused) {
  check_exact_faults(R"({"entries":[]})", {"size: it is missing"});
  check_exact_faults(R"({"size":"3","entries":[]})",
                     {"size: a whole number is expected, not \"3\""});
  check_exact_faults(R"({"size":1,"entries":[]})", {"size 1: a square board has 2 to 4096 rows"});
  check_exact_faults(R"({"size":4097,"entries":[]})",
                     {"size 4097: a square board has 2 to 4096 rows"});
  check_exact_faults(R"({"size":-3,"entries":[]})", {"size -3: a square board has 2 to 4096 rows"});
}

BOOST_AUTO_TEST_CASE(that_cant_be_read_are_named_and_the_others_still_in_their_place) {
  check_exact_faults(
      R"({"size":3,"entries":[[0,1,"LL",1,2],7,[0,0,"XX",1,1],[0,0,5,1,1],[0,0.5,"SU",1,1],[0,9,"LL",1,1]],"cells":9})",
      {"entry 1: [row,column,kind,row2,column2] is expected, not 7",
       "entry 2: its kind is \"SU\", \"SL\", \"LU\" or \"LL\", not \"XX\"",
       "entry 3: its kind is \"SU\", \"SL\", \"LU\" or \"LL\", not 5",
       "entry 4: rows and columns are whole numbers, not [0,0.5,\"SU\",1,1]",
       "cells: a board of entries has a size and entries",
       "entry 0: its other end isn't listed: LU at row 1, column 2",
       "entry 5: row 0, column 9 is off the board (0 to 2)"});
  check_exact_faults(R"({"size":3,"entries":7})", {"entries: a list is expected, not 7"});
}

BOOST_AUTO_TEST_CASE(with_a_very_long_value_are_told_of_in_a_short_line) {
  const auto board =
      parse_board("{\"size\":3,\"entries\":[\"" + std::string(100'000, 'x') + "\"]}");
  BOOST_REQUIRE(!board);
  BOOST_TEST(board.error().front().size() < 200U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(writing_a_form)

BOOST_AUTO_TEST_CASE(gives_one_line) {
  const Board board = board_of({.cells = 4, .snakes = {{3, 1}}, .ladders = {{2, 4}}});
  const auto text = [&](BoardForm form) { return board_to_json(board, form).value(); };
  BOOST_TEST(text(BoardForm::snl) == R"({"cells":4,"width":2,"snakes":[[3,1]],"ladders":[[2,4]]})");
  BOOST_TEST(text(BoardForm::matrix) == "[[-1,1],[-1,4]]");
  BOOST_TEST(text(BoardForm::moves) == "[-1,3,0,-1]");
  BOOST_TEST(
      text(BoardForm::entries) ==
      R"({"size":2,"entries":[[1,1,"SU",0,0],[0,0,"SL",1,1],[0,1,"LL",1,0],[1,0,"LU",0,1]]})");
}

BOOST_AUTO_TEST_CASE(is_refused_where_the_form_cant_hold_the_board) {
  const Board board = board_of({.cells = 30, .width = 6});
  BOOST_TEST(board_to_json(board, BoardForm::matrix).error() ==
             "matrices hold square boards only, and this one has 30 cells in rows of 6");
  BOOST_TEST(board_to_json(board, BoardForm::entries).error() ==
             "entries hold square boards only, and this one has 30 cells in rows of 6");
  BOOST_TEST(board_to_json(board, BoardForm::moves).has_value());
}

BOOST_AUTO_TEST_CASE(can_be_read_back) {
  BOOST_TEST(rc::check("read(write(board, form)) == board", [](const Board& any) {
    for (const BoardForm form :
         {BoardForm::snl, BoardForm::matrix, BoardForm::moves, BoardForm::entries}) {
      const auto text = board_to_json(any, form);
      if (!text) continue;
      const auto file = parse_board(*text);
      RC_ASSERT(file.has_value());
      RC_ASSERT(file->form == form);
      if (form == BoardForm::moves && any.width() != usual_width(any.cells()))
        RC_ASSERT(moves_from(file->board) == moves_from(any));
      else
        RC_ASSERT(file->board == any);
    }
  }));
}

BOOST_AUTO_TEST_CASE(has_a_name) {
  for (const BoardForm form :
       {BoardForm::snl, BoardForm::matrix, BoardForm::moves, BoardForm::entries})
    BOOST_CHECK(board_form_named(to_string(form)) == form);
  BOOST_CHECK(!board_form_named("Matrix"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_board_of_one_cell)

BOOST_AUTO_TEST_CASE(is_known_in_every_form) {
  for (const char* text :
       {"[[-1]]", "[[1]]", "[-1]", " [ 0 ]\n", R"({"cells":1})",
        R"({"cells":1,"width":1,"snakes":[],"name":"x"})", R"({"size":1,"entries":[]})"})
    BOOST_TEST(is_one_cell_board(text), text);
  for (const char* text :
       {"[[2]]", "[[0]]", "[1]", "[-1,-1]", "[]", "[[]]", "[null]", R"({"cells":1,"width":2})",
        R"({"cells":1,"snakes":[[1,1]]})", R"({"cells":1,"x":1})", R"({"cells":2})",
        R"({"size":1,"entries":[[0,0,"SU",0,0]]})", R"({"size":2,"entries":[]})", "", "[[-1]"})
    BOOST_TEST(!is_one_cell_board(text), text);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Files changed at random

namespace {

using Random = std::mt19937_64;  // the same everywhere; a distribution isn't

std::size_t below(Random& random, std::size_t n) {
  return static_cast<std::size_t>(random() % n);
}

/// Valid files of every form.
std::vector<std::string> sound_files() {
  std::vector<std::string> files;
  for (const RandomBoardRequest& request :
       {RandomBoardRequest{2, 1, 1}, RandomBoardRequest{3, 2, 1}, RandomBoardRequest{6, 4, 5}}) {
    const Board board = random_board(request, 1).value();
    for (const BoardForm form :
         {BoardForm::snl, BoardForm::matrix, BoardForm::moves, BoardForm::entries})
      files.push_back(board_to_json(board, form).value());
  }
  return files;
}

/// A part inserted, removed, doubled or replaced.
std::string changed(std::string text, Random& random) {
  static const std::vector<std::string> words{"-1",
                                              "0",
                                              "1",
                                              "-",
                                              "4",
                                              "36",
                                              "37",
                                              "99999999999",
                                              "1e3",
                                              "1.5",
                                              "[",
                                              "]",
                                              ",",
                                              "{",
                                              "}",
                                              ":",
                                              "\"",
                                              "\"SU\"",
                                              "\"LL\"",
                                              "null",
                                              " ",
                                              "\n",
                                              "[[",
                                              "]]",
                                              "],[",
                                              "true",
                                              "[-1]",
                                              "-0",
                                              "00",
                                              "\\u0000",
                                              "\xFF",
                                              "size",
                                              "cells",
                                              "[]",
                                              "{}",
                                              "\0",
                                              "2147483648",
                                              "9007199254740993",
                                              "\"entries\":",
                                              "\"17,7\""};
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(below(random, 6), text.size() - at);
  switch (below(random, 5)) {
    case 0:
      return text.insert(at, words[below(random, words.size())]);
    case 1:
      return text.erase(at, length);
    case 2:
      return text.insert(at, text.substr(at, length));
    case 3:
      return text.replace(at, length, words[below(random, words.size())]);
    default:
      if (at < text.size()) text[at] = static_cast<char>(random());
      return text;
  }
}

/// The meaning of a list to a parser that knows nothing of boards. None if it isn't a list of whole
/// numbers, or of lists of them.
std::optional<Board> board_by_general_parser(const std::string& text) {
  json::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_array()) return std::nullopt;
  if (const auto matrix = json::try_value_to<BoardMatrix>(value))
    if (auto board = board_from_matrix(*matrix)) return *std::move(board);
  if (const auto moves = json::try_value_to<BoardMoves>(value))
    if (auto board = board_from_moves(*moves)) return *std::move(board);
  return std::nullopt;
}

void check_changed_file(const std::string& text) {
  const auto file = parse_board(text);
  BOOST_TEST_CONTEXT(text) {
    if (!file) {
      BOOST_TEST_REQUIRE(!file.error().empty());
      for (const std::string& fault : file.error())
        BOOST_TEST_REQUIRE(!fault.empty());
      BOOST_TEST_REQUIRE(!board_by_general_parser(text).has_value());
      (void)is_one_cell_board(text);
      return;
    }
    BOOST_TEST_REQUIRE(!is_one_cell_board(text));
    BOOST_TEST_REQUIRE((board_in(board_to_json(file->board)) == file->board));
    BOOST_TEST_REQUIRE(fewest_throws(file->board, usual_start(file->form), 6).count >= -1);
    if (file->form == BoardForm::matrix || file->form == BoardForm::moves)
      BOOST_TEST_REQUIRE((board_by_general_parser(text) == file->board));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_file_changed_at_random)

BOOST_AUTO_TEST_CASE(is_a_board_or_has_faults) {
  constexpr int changes_of_each = 4000;
  Random random(20240817);
  for (const std::string& sound : sound_files()) {
    for (int i = 0; i < changes_of_each; ++i) {
      std::string text = sound;
      for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes)
        text = changed(std::move(text), random);
      check_changed_file(text);
    }
  }
}

BOOST_AUTO_TEST_CASE(is_no_board_where_it_was_cut_off) {
  for (const std::string& sound : sound_files())
    for (std::size_t length = 0; length < sound.size(); ++length)
      BOOST_TEST_REQUIRE(!parse_board(sound.substr(0, length)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
