// Starting a game: valid setups, and every fault of invalid ones.
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace snl;
using namespace snl::test;

namespace {

using Strings = std::vector<std::string>;

void check_refused(const Table& table, const Strings& faults) {
  const auto refusal = given({}).when(StartGame{setup_of(table)}).refused<InvalidSetup>();
  BOOST_TEST(refusal.faults == faults, boost::test_tools::per_element());
}

void check_started(const Table& table) {
  const auto setup = setup_of(table);
  given({}).when(StartGame{setup}).then({started(setup)});
}

Strings names(std::size_t count) {
  Strings players;
  for (std::size_t i = 0; i < count; ++i)
    players.push_back("P" + std::to_string(i));
  return players;
}

Origin origin_at(const Position& position) {
  return {.game = "first", .head = std::string(64, 'a'), .position = position};
}
/// Ann stands on 9 and Bob on 40 after turn 12, and Ann is to move.
Position twelve_turns_in() {
  return {.cells = {9, 40}, .next = 0, .winner = std::nullopt, .turn = 12};
}

void check_impossible(const Position& position) {
  check_refused({.origin = origin_at(position)}, {"the position it branches from is impossible"});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(starting_a_game)

BOOST_AUTO_TEST_CASE(everybody_stands_at_the_start_and_the_first_player_is_to_move) {
  const auto setup = setup_of({.players = {"Ann", "Bob", "Cy"}});
  const GameState state = given({}).when(StartGame{setup}).then({started(setup)});
  const Position expected{.cells = {1, 1, 1}, .next = 0, .winner = std::nullopt, .turn = 0};
  BOOST_TEST(state.position == expected);
  BOOST_TEST(state.version == 1);
  BOOST_TEST(state.undoable() == 0);
  BOOST_TEST(state.redoable == 0);
}

BOOST_AUTO_TEST_CASE(everybody_can_start_off_the_board) {
  const auto setup = setup_of({.rules = {.start = 0, .sixes = Sixes::plain}});
  const GameState state = given({}).when(StartGame{setup}).then({started(setup)});
  BOOST_TEST((state.position == Position{}));
}

BOOST_AUTO_TEST_CASE(a_game_starts_once) {
  const auto setup = setup_of({});
  given({started(setup)}).when(StartGame{setup}).refused<WrongStart>();
}

BOOST_AUTO_TEST_CASE(nothing_can_be_done_before) {
  given({}).when(PlayTurn{0, {3}}).refused<WrongStart>();
  given({}).when(RollTurn{}).refused<WrongStart>();
  given({}).when(UndoTurns{1}).refused<WrongStart>();
  given({}).when(UndoToTurn{0}).refused<WrongStart>();
  given({}).when(RedoTurns{1}).refused<WrongStart>();
}

BOOST_AUTO_TEST_CASE(two_to_ten_players_take_part) {
  check_started({.players = names(2)});
  check_started({.players = names(10)});
  check_refused({.players = {}}, {"0 players: a game has 2 to 10"});
  check_refused({.players = names(1)}, {"1 player: a game has 2 to 10"});
  check_refused({.players = names(11)}, {"11 players: a game has 2 to 10"});
  BOOST_TEST(first_position(*setup_of({.players = names(11)})).cells ==
             first_position(*setup_of({.players = names(10)})).cells);
}

BOOST_AUTO_TEST_CASE(all_faults_are_named_at_once) {
  check_refused({.players = {""}, .rules = {.start = 2, .dice = 2}},
                {"1 player: a game has 2 to 10", "player \"\": the name is empty",
                 "start 2: pieces start on cell 1 or on 0, off the board",
                 "sixes again: a 6 rolls again only with one die of 6 faces"});
}

BOOST_AUTO_TEST_CASE(a_setup_is_needed) {
  const auto refusal = given({}).when(StartGame{nullptr}).refused<InvalidSetup>();
  BOOST_TEST(refusal.faults == Strings{"there is no setup"}, boost::test_tools::per_element());
  BOOST_TEST(!evolve({}, GameStarted{nullptr}).has_value());
  BOOST_TEST((GameStarted{nullptr} == GameStarted{nullptr}));
  BOOST_TEST((GameStarted{nullptr} != GameStarted{setup_of({})}));
}

BOOST_AUTO_TEST_CASE(a_player_is_found_by_the_whole_name) {
  const auto setup = setup_of({.players = {"Ann", "Ann ", "é"}});
  BOOST_TEST(seat_of(*setup, "Ann") == 0);
  BOOST_TEST(seat_of(*setup, "Ann ") == 1);
  BOOST_TEST(seat_of(*setup, "é") == 2);
  BOOST_TEST(seat_of(*setup, "ann") == unknown_seat);
  BOOST_TEST(seat_of(*setup, "") == unknown_seat);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(naming_players)

BOOST_AUTO_TEST_CASE(any_utf_8_text_is_a_name) {
  for (const char* name : {"A", " ", "trail  ", "a,b", "\"q\"", "back\\slash", "INVALID MOVE", "é",
                           "玩家一", "🐍", "\u00a0", "\u07ff", "\ue000", "\U0010ffff"})
    BOOST_TEST(!fault_of_name(name).has_value(), name);
}

BOOST_AUTO_TEST_CASE(names_are_unique) {
  check_refused(
      {.players = {"Ann", "Bob", "Ann", "Ann"}},
      {"player \"Ann\": two players have this name", "player \"Ann\": two players have this name"});
}

BOOST_AUTO_TEST_CASE(a_name_isnt_empty) {
  check_refused({.players = {"Ann", ""}}, {"player \"\": the name is empty"});
}

BOOST_AUTO_TEST_CASE(a_name_has_at_most_256_bytes) {
  check_started({.players = {"Ann", std::string(256, 'x')}});
  const std::string longer(257, 'x');
  check_refused({.players = {"Ann", longer}}, {"player \"" + longer.substr(0, 64) +
                                               "…\": the name has 257 bytes; at most 256 fit"});
}

BOOST_AUTO_TEST_CASE(control_characters_are_no_part_of_a_name) {
  using namespace std::string_literals;
  for (const std::string& name :
       {"\0"s, "a\nb"s, "\x1b[2J"s, "tab\t"s, "\x7f"s, "\u0080"s, "\u009f"s, "good until\r"s})
    BOOST_TEST((fault_of_name(name) == "has a control character"));
}

BOOST_AUTO_TEST_CASE(only_utf_8_is_a_name) {
  const Strings broken{
      "\x80",              // a continuation alone
      "\xc3",              // cut short
      "\xc3(",             // not continued
      "\xc0\xaf",          // overlong, two bytes
      "\xc1\xbf",          //
      "\xe0\x9f\xbf",      // overlong, three
      "\xf0\x8f\xbf\xbf",  // overlong, four
      "\xed\xa0\x80",      // a surrogate
      "\xe2\x82",          // cut short
      "\xf0\x9f\x90",      //
      "\xf4\x90\x80\x80",  // past U+10FFFF
      "\xf5\x80\x80\x80",  //
      "\xff",              //
      "Ann\xfe",
  };
  for (const std::string& name : broken)
    BOOST_TEST((fault_of_name(name) == "is not UTF-8"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(starting_a_branch)

BOOST_AUTO_TEST_CASE(it_begins_in_the_position_it_was_taken_from) {
  const auto setup = setup_of({.origin = origin_at(twelve_turns_in())});
  const GameState state = given({}).when(StartGame{setup}).then({started(setup)});
  BOOST_TEST(state.position == twelve_turns_in());
  BOOST_TEST(state.version == 1);
}

BOOST_AUTO_TEST_CASE(its_turns_count_on) {
  const auto setup = setup_of({.origin = origin_at(twelve_turns_in())});
  given({started(setup)})
      .when(PlayTurn{0, {4}})
      .then({TurnPlayed{.turn = 13,
                        .seat = 0,
                        .dice = {4},
                        .from = 9,
                        .landed = 13,
                        .to = 13,
                        .next = 1,
                        .previous = 0}});
}

BOOST_AUTO_TEST_CASE(it_has_no_draw_of_its_own) {
  GameSetup setup = *setup_of({.seed = 42, .origin = origin_at(twelve_turns_in())});
  BOOST_TEST(faults_of(setup).empty());
  setup.draw = Draw{.entropy = {std::nullopt, std::nullopt}};
  BOOST_REQUIRE_EQUAL(faults_of(setup).size(), 1U);
  BOOST_TEST(faults_of(setup).front() == "a branch has its origin's seed, so it can't have a draw");
  setup.origin.reset();
  BOOST_TEST(faults_of(setup).empty());
}

BOOST_AUTO_TEST_CASE(its_rolled_dice_are_those_the_first_game_would_have_had) {
  const auto setup = setup_of({.seed = 42, .origin = origin_at(twelve_turns_in())});
  given({started(setup)})
      .when(RollTurn{})
      .then({TurnPlayed{.turn = 13,
                        .seat = 0,
                        .dice = roll_dice({}, 42, 13),
                        .rolled = true,
                        .from = 9,
                        .landed = 12,
                        .to = 12,
                        .next = 1,
                        .previous = 0}});
}

BOOST_AUTO_TEST_CASE(a_won_position_can_be_looked_at_but_not_played) {
  Position won = twelve_turns_in();
  won.cells[1] = 100;
  won.winner = won.next = 1;
  const auto setup = setup_of({.origin = origin_at(won)});
  given({started(setup)}).when(PlayTurn{1, {4}}).refused<GameCompleted>();
  given({started(setup)}).when(UndoTurns{1}).refused<NotEnoughTurns>();
}

BOOST_AUTO_TEST_CASE(its_position_must_be_possible) {
  check_started({.origin = origin_at(twelve_turns_in())});
  Position position = twelve_turns_in();
  position.turn = -1;
  check_impossible(position);
  position = twelve_turns_in();
  position.next = 2;
  check_impossible(position);
  position.next = 1;
  check_impossible(position);
  position = twelve_turns_in();
  position.turn = 0;
  check_impossible(position);
  check_impossible({.cells = {1, 1}, .next = 1, .winner = std::nullopt, .turn = 0});
  check_started({.origin = origin_at({.cells = {1, 1}})});
  position = twelve_turns_in();
  position.winner = 2;
  check_impossible(position);
  position = twelve_turns_in();
  position.cells[0] = 101;
  check_impossible(position);
  position.cells[0] = 0;
  check_impossible(position);
}

BOOST_AUTO_TEST_CASE(nobody_stands_on_the_end_of_it_unless_they_have_won) {
  Position position = twelve_turns_in();
  position.cells[0] = 100;
  check_impossible(position);
  position.winner = position.next = 1;  // who stands on 40
  check_impossible(position);
}

BOOST_AUTO_TEST_CASE(the_winner_of_it_is_the_one_kept_as_next) {
  Position position = twelve_turns_in();
  position.cells[1] = 100;
  position.winner = position.next = 1;
  check_started({.origin = origin_at(position)});
  position.next = 0;
  check_impossible(position);
}

BOOST_AUTO_TEST_CASE(whoever_had_the_last_turn_of_it_has_won) {
  Position position = twelve_turns_in();
  position.cells[0] = 100;
  position.winner = position.next = 0;
  check_impossible(position);
  position.turn = 13;
  check_started({.origin = origin_at(position)});
  position.turn = 0;
  check_impossible(position);
}

BOOST_AUTO_TEST_CASE(nobody_has_left_the_start_before_their_first_turn) {
  const Strings three = names(3);
  check_started({.players = three,
                 .origin = origin_at({.cells = {9, 40, 1}, .next = 2, .winner = {}, .turn = 2})});
  check_refused({.players = three,
                 .origin = origin_at({.cells = {9, 40, 5}, .next = 2, .winner = {}, .turn = 2})},
                {"the position it branches from is impossible"});
}

BOOST_AUTO_TEST_CASE(nobody_stands_behind_its_last_player) {
  Position position = twelve_turns_in();
  position.cells[2] = 50;
  check_impossible(position);
}

BOOST_AUTO_TEST_CASE(its_turn_leaves_room_to_count_on) {
  Position position = twelve_turns_in();
  position.turn = INT64_MAX;
  check_impossible(position);
}

BOOST_AUTO_TEST_SUITE_END()
