// The class SnakeAndLadderGame, beyond the known games of tests/cases. Every illegal call throws
// with the value in its message and changes nothing.
#include "domain/snake_and_ladder_game.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <climits>
#include <ctime>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

using namespace snl;

namespace {

using Strings = std::vector<std::string>;

/// `call` throws std::invalid_argument with all of `parts` in its message.
void check_throws(const std::function<void()>& call, const Strings& parts,
                  std::source_location here = std::source_location::current()) {
  BOOST_TEST_INFO_SCOPE("line " << here.line());
  const auto tells_all = [&](const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const std::string& part : parts)
      BOOST_TEST(message.find(part) != std::string::npos, part << " isn't in: " << message);
    return true;
  };
  BOOST_CHECK_EXCEPTION(call(), std::invalid_argument, tells_all);
}

void check_refused(const Strings& players, const Strings& snakes, const Strings& ladders,
                   const Strings& parts,
                   std::source_location here = std::source_location::current()) {
  check_throws([&] { const SnakeAndLadderGame game(players, snakes, ladders); }, parts, here);
}

const Strings two{"A", "B"};

/// A is on 6 and B to move.
SnakeAndLadderGame one_turn_in() {
  SnakeAndLadderGame game(two, {"17,7"}, {"3,22"});
  game.playTurn("A", {5});
  return game;
}

void check_unchanged(SnakeAndLadderGame& game) {
  BOOST_TEST(game.getPlayerPosition("A") == 6);
  BOOST_TEST(game.getPlayerPosition("B") == 1);
  BOOST_TEST(game.getWinner().empty());
  BOOST_TEST(game.playTurn("A", {1}) == "INVALID MOVE");
  BOOST_TEST(game.playTurn("B", {1}) == "B,2,A,CONTINUE");
}

SnakeAndLadderGame won_by_a() {
  SnakeAndLadderGame game(two, {}, {"2,100"});
  BOOST_TEST(game.playTurn("A", {1}) == "WIN");
  return game;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(making_a_game_of_the_class)

BOOST_AUTO_TEST_CASE(everybody_begins_on_cell_1) {
  const SnakeAndLadderGame game({"A", "B", "C"}, {}, {});
  for (const char* player : {"A", "B", "C"})
    BOOST_TEST(game.getPlayerPosition(player) == 1);
  BOOST_TEST(game.getWinner().empty());
}

BOOST_AUTO_TEST_CASE(every_board_that_is_allowed_is_taken) {
  BOOST_CHECK_NO_THROW(SnakeAndLadderGame(two, {"99,1", "17,3"}, {"1,38", "3,17", "80,100"}));
}

BOOST_AUTO_TEST_CASE(copies_go_their_own_ways) {
  SnakeAndLadderGame game = one_turn_in();
  SnakeAndLadderGame copy = game;
  copy.playTurn("B", {1});
  check_unchanged(game);
  BOOST_TEST(copy.getPlayerPosition("B") == 2);
}

BOOST_AUTO_TEST_CASE(two_to_ten_different_players_are_needed) {
  check_refused({}, {}, {}, {"0 players"});
  check_refused({"A"}, {}, {}, {"1 player:"});
  check_refused(Strings(11, "A"), {}, {}, {"11 players", "\"A\""});
  check_refused({"A", ""}, {}, {}, {"\"\"", "empty"});
  check_refused({"Ann", "Bob", "Ann"}, {}, {}, {"\"Ann\"", "two players"});
}

BOOST_AUTO_TEST_CASE(an_id_may_be_any_text) {
  const Strings ids{"a\tb", std::string(300, 'x'), "\xff", "\x1b[2J"};
  SnakeAndLadderGame game(ids, {}, {});
  BOOST_TEST(game.playTurn("a\tb", {2}) == "a\tb,3," + ids[1] + ",CONTINUE");
  BOOST_TEST(game.getPlayerPosition("\xff") == 1);
  BOOST_CHECK_THROW(game.playTurn("1", {2}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_jump_is_two_numbers_and_a_comma) {
  for (const char* text :
       {"", ",", "17", "17,", ",7", "17 7", "17, 7", " 17,7", "17,7 ", "17;7", "a,7", "17,b",
        "17,7,3", "17.5,7", "+17,7", "0x11,7", "99999999999999999999,7"}) {
    check_refused(two, {text}, {}, {"snake", "\"" + std::string(text) + "\""});
    check_refused(two, {}, {text}, {"ladder", "\"" + std::string(text) + "\""});
  }
}

BOOST_AUTO_TEST_CASE(every_fault_of_the_board_is_named) {
  check_refused(two, {"100,5", "7,17", "9,9"}, {"22,3", "7,8", "5,101", "-5,6"},
                {"snake 100,5", "last cell", "snake 7,17", "leads down", "snake 9,9", "same cell",
                 "ladder 22,3", "leads up", "ladder 7,8", "cell 101", "cell -5"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(calling_the_class_wrongly)

BOOST_AUTO_TEST_CASE(forty_thousand_players_are_refused_at_once) {
  std::vector<std::string> ids;
  for (int id = 0; id < 40'000; ++id)
    ids.push_back("P" + std::to_string(id));
  const std::clock_t begin =
      std::clock();  // processor time, independent of other load on the machine
  check_throws([&] { SnakeAndLadderGame(ids, {}, {}); }, {"40000 players: a game has 2 to 10"});
  BOOST_TEST(std::clock() - begin < CLOCKS_PER_SEC / 2);  // comparing all pairs would take seconds
}

BOOST_AUTO_TEST_CASE(an_unknown_player_throws_and_changes_nothing) {
  SnakeAndLadderGame game = one_turn_in();
  check_throws([&] { game.playTurn("Zoe", {3}); }, {"\"Zoe\""});
  check_throws([&] { game.playTurn("", {3}); }, {"\"\""});
  check_throws([&] { game.getPlayerPosition("b"); }, {"\"b\""});
  check_unchanged(game);
}

BOOST_AUTO_TEST_CASE(impossible_dice_throw_and_change_nothing) {
  SnakeAndLadderGame game = one_turn_in();
  check_throws([&] { game.playTurn("B", {}); }, {"[]"});
  check_throws([&] { game.playTurn("B", {0}); }, {"[0]"});
  check_throws([&] { game.playTurn("B", {7}); }, {"[7]"});
  check_throws([&] { game.playTurn("B", {-3}); }, {"[-3]"});
  check_throws([&] { game.playTurn("B", {1, 2}); }, {"[1,2]"});
  check_throws([&] { game.playTurn("B", {6, 7}); }, {"[6,7]"});
  check_throws([&] { game.playTurn("B", {5, 6}); }, {"[5,6]"});
  check_throws([&] { game.playTurn("B", {6, 6, 6, 1}); }, {"[6,6,6,1]"});
  check_throws([&] { game.playTurn("B", {INT_MAX}); }, {"[2147483647]"});
  check_throws([&] { game.playTurn("B", {INT_MIN, 6}); }, {"[-2147483648,6]"});
  check_unchanged(game);
}

BOOST_AUTO_TEST_CASE(a_very_long_list_is_told_whole) {
  SnakeAndLadderGame game = one_turn_in();
  check_throws([&] { game.playTurn("B", {6, 6, 6, 6, 6, 5}); }, {"[6,6,6,6,6,5]"});
  check_unchanged(game);
}

BOOST_AUTO_TEST_CASE(another_players_turn_is_refused_whatever_the_dice) {
  SnakeAndLadderGame game = one_turn_in();
  BOOST_TEST(game.playTurn("A", {3}) == "INVALID MOVE");
  BOOST_TEST(game.playTurn("A", {}) == "INVALID MOVE");
  check_unchanged(game);
}

BOOST_AUTO_TEST_CASE(a_completed_game_is_told_before_all_else) {
  SnakeAndLadderGame game = won_by_a();
  BOOST_TEST(game.playTurn("A", {1}) == "GAME COMPLETED");
  BOOST_TEST(game.playTurn("B", {1}) == "GAME COMPLETED");
  BOOST_TEST(game.playTurn("Zoe", {1}) == "GAME COMPLETED");
  BOOST_TEST(game.playTurn("B", {}) == "GAME COMPLETED");
  BOOST_TEST(game.getWinner() == "A");
  BOOST_TEST(game.getPlayerPosition("A") == 100);
  BOOST_TEST(game.getPlayerPosition("B") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
