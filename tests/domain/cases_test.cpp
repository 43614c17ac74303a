// Answers on which two independent programs agree (tests/cases): whole games of the class
// SnakeAndLadderGame, to the character, and the named boards.
#include "../cases.hpp"

#include "domain/named_boards.hpp"
#include "domain/snake_and_ladder_game.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace snl;
namespace json = boost::json;

namespace {

std::string text_of(const json::value& value) {
  return json::value_to<std::string>(value);
}

/// The result of the call, as JSON, so that it compares with `expect` whatever its type.
json::value answer(SnakeAndLadderGame& game, const json::value& call) {
  const std::string op = text_of(call.at("op"));
  if (op == "getWinner") return json::value_from(game.getWinner());
  const std::string player = text_of(call.at("playerId"));
  if (op == "getPlayerPosition") return game.getPlayerPosition(player);
  BOOST_REQUIRE_EQUAL(op, "playTurn");
  const auto dice = json::value_to<std::vector<int>>(call.at("diceValues"));
  return json::value_from(game.playTurn(player, dice));
}

void check_final(const SnakeAndLadderGame& game, const json::value& final) {
  BOOST_TEST(game.getWinner() == text_of(final.at("winner")));
  for (const json::value& position : final.at("positions").as_array())
    BOOST_TEST(game.getPlayerPosition(text_of(position.at(0))) == position.at(1).to_number<int>());
}

void check_game(const json::value& played) {
  using Strings = std::vector<std::string>;
  SnakeAndLadderGame game(json::value_to<Strings>(played.at("playerIds")),
                          json::value_to<Strings>(played.at("snakes")),
                          json::value_to<Strings>(played.at("ladders")));
  for (const json::value& call : played.at("calls").as_array()) {
    const json::value answered = answer(game, call);
    BOOST_TEST((answered == call.at("expect")), call << " answered " << answered);
  }
  check_final(game, played.at("final"));
}

json::value sorted(json::value jumps) {
  std::ranges::sort(jumps.as_array(), {},
                    [](const json::value& jump) { return jump.at(0).as_int64(); });
  return jumps;
}

json::value listed(std::span<const Jump> jumps) {
  json::array list;
  for (const Jump jump : jumps)
    list.push_back({jump.from, jump.to});
  return list;
}

void check_board(const json::value& described) {
  const NamedBoard* named = find_named_board(text_of(described.at("name")));
  BOOST_REQUIRE(named != nullptr);
  const Board board = named->board();
  BOOST_TEST(board.cells() == described.at("cells").to_number<int>());
  BOOST_TEST(board.width() == described.at("width").to_number<int>());
  BOOST_TEST((listed(board.snakes()) == sorted(described.at("snakes"))));
  BOOST_TEST((listed(board.ladders()) == sorted(described.at("ladders"))));
  BOOST_TEST(named->source == text_of(described.at("source")));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(playing_known_games_of_the_class)

BOOST_AUTO_TEST_CASE(every_call_answers_as_expected) {
  const json::value cases = test::read_cases("playturn.json");
  BOOST_TEST_REQUIRE(cases.at("cases").as_array().size() == 64U);
  for (const json::value& played : cases.at("cases").as_array())
    BOOST_TEST_CONTEXT("case " << text_of(played.at("id")))
  check_game(played);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(choosing_a_named_board)

BOOST_AUTO_TEST_CASE(each_is_the_one_its_source_describes) {
  const json::value boards = test::read_cases("boards.json");
  for (const json::value& described : boards.at("boards").as_array())
    BOOST_TEST_CONTEXT("board " << text_of(described.at("name")))
  check_board(described);
}

BOOST_AUTO_TEST_CASE(they_are_listed_in_the_order_of_their_sources_and_empty_is_last) {
  std::vector<std::string> expected;
  const json::value boards = test::read_cases("boards.json");
  for (const json::value& described : boards.at("boards").as_array())
    expected.push_back(text_of(described.at("name")));
  expected.emplace_back("party");
  expected.emplace_back("empty");
  std::vector<std::string> names;
  for (const NamedBoard& board : named_boards())
    names.emplace_back(board.name);
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_is_100_cells_without_a_jump) {
  const NamedBoard* empty = find_named_board("empty");
  BOOST_REQUIRE(empty != nullptr);
  BOOST_TEST((empty->board() == Board::make({.cells = 100, .width = 10}).value()));
}

BOOST_AUTO_TEST_CASE(each_brings_rules_that_exist) {
  for (const NamedBoard& board : named_boards())
    BOOST_TEST(value_named(preset_names, board.rules).has_value(), board.name);
  BOOST_TEST(find_named_board("lld")->rules == "lld");
  BOOST_TEST(find_named_board("milton-bradley")->rules == "milton-bradley");
  BOOST_TEST(find_named_board("milton-bradley-48")->rules == "milton-bradley");
  BOOST_TEST(find_named_board("class")->rules == "standard");
}

BOOST_AUTO_TEST_CASE(other_names_are_no_boards) {
  for (const std::string_view name : {"", "LLD", "milton", "lld "})
    BOOST_TEST(find_named_board(name) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
