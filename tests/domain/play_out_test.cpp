// Whole games without a store: played out with dice from any source, narrated event by event, and
// reviewed through a timeline.
#include "domain/timeline.hpp"
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace snl;
using namespace snl::test;

namespace {

GameState start_of(const Table& table) {
  return given({started(setup_of(table))}).state();
}

Dice always_three(const GameState& /*state*/) {
  return {3};
}

Timeline timeline_of(const std::vector<Event>& events) {
  Timeline timeline;
  for (const Event& event : events)
    BOOST_REQUIRE(timeline.add(event).has_value());
  return timeline;
}

/// Turns 1 to 3, of which the last two were undone. Then turn 2 was played again.
std::vector<Event> a_game_with_regrets() {
  return events_of(setup_of({}), {PlayTurn{0, {1}}, PlayTurn{1, {2}}, PlayTurn{0, {3}},
                                  UndoTurns{2}, PlayTurn{1, {4}}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(playing_a_game_out)

BOOST_AUTO_TEST_CASE(it_goes_on_until_somebody_wins) {
  std::vector<Event> events;
  const GameState start = start_of({.board = {.cells = 10}});
  const auto end =
      play_out(start, always_three, [&](const Event& event) { events.push_back(event); }, 100);
  BOOST_REQUIRE(end.has_value());
  BOOST_TEST((end->position.winner == Seat{0}));
  BOOST_TEST(end->position.turn == 5);
  BOOST_TEST(events.size() == 5U);
}

BOOST_AUTO_TEST_CASE(the_observer_is_told_everything_in_order) {
  std::vector<Event> events;
  const GameState start = start_of({.seed = 42});
  const auto end =
      play_out(start, seeded_dice, [&](const Event& event) { events.push_back(event); }, 1000);
  BOOST_REQUIRE(end.has_value());
  BOOST_TEST(end->completed());
  BOOST_TEST((fold(start, events).value() == *end));
}

BOOST_AUTO_TEST_CASE(it_stops_after_so_many_more_turns) {
  const auto ignore = [](const Event&) {};
  const GameState start = start_of({});
  const auto two = play_out(start, always_three, ignore, 2);
  BOOST_REQUIRE(two.has_value());
  BOOST_TEST(two->position.turn == 2);
  BOOST_TEST(play_out(*two, always_three, ignore, 3).value().position.turn == 5);
  BOOST_TEST((play_out(start, always_three, ignore, 0).value() == start));
}

BOOST_AUTO_TEST_CASE(the_dice_are_asked_for_each_turn) {
  std::vector<Turn> asked;
  const auto dice = [&](const GameState& state) {
    asked.push_back(state.position.turn);
    return Dice{1};
  };
  BOOST_REQUIRE(play_out(start_of({}), dice, [](const Event&) {}, 3).has_value());
  BOOST_TEST(asked == (std::vector<Turn>{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_turn_tells_where_its_dice_come_from) {
  const GameState start = start_of({.seed = 42});
  const auto check = [](bool expected) {
    return [expected](const Event& event) {
      BOOST_TEST(std::get<TurnPlayed>(event).rolled == expected);
    };
  };
  BOOST_REQUIRE(play_out(start, seeded_dice, check(true), 9).has_value());
  BOOST_REQUIRE(play_out(start, always_three, check(false), 9).has_value());
}

BOOST_AUTO_TEST_CASE(it_ends_before_the_next_turn_once_a_stop_is_requested) {
  bool stop = false;
  const auto end = play_out(
      start_of({}), always_three,
      [&](const Event& event) {
        if (std::get<TurnPlayed>(event).turn == 3) stop = true;
      },
      100, [&] { return stop; });
  BOOST_REQUIRE(end.has_value());
  BOOST_TEST(end->position.turn == 3);
}

BOOST_AUTO_TEST_CASE(impossible_dice_end_it) {
  const auto end =
      play_out(start_of({}), [](const GameState&) { return Dice{7}; }, [](const Event&) {}, 3);
  BOOST_REQUIRE(!end.has_value());
  BOOST_TEST(std::holds_alternative<ImpossibleDice>(end.error()));
}

BOOST_AUTO_TEST_CASE(the_same_seed_plays_the_same_game) {
  const auto play = [](std::uint64_t seed) {
    return play_out(
               start_of({.players = {"Ann", "Bob", "Cy"}, .seed = seed}), seeded_dice,
               [](const Event&) {}, 1000)
        .value();
  };
  BOOST_TEST(play(7).position == play(7).position);
  BOOST_TEST((play(7).position != play(8).position));
}

BOOST_AUTO_TEST_CASE(seeded_games_end_so_for_ever) {
  const auto end = play_out(start_of({.seed = 42}), seeded_dice, [](const Event&) {}, 1000).value();
  BOOST_TEST((end.position.winner == Seat{0}));
  BOOST_TEST(end.position.turn == 49);
  BOOST_TEST(end.position.cells[1] == 98);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(looking_back)

BOOST_AUTO_TEST_CASE(turns_in_force_are_found_by_their_number) {
  const Timeline timeline = timeline_of(a_game_with_regrets());
  BOOST_TEST(timeline.first_turn() == 0);
  BOOST_TEST(timeline.last_turn() == 2);
  BOOST_TEST(timeline.turn(1).to == 2);
  BOOST_TEST(timeline.turn(2).to == 5);
}

BOOST_AUTO_TEST_CASE(undone_turns_stay_on_record) {
  const Timeline timeline = timeline_of(a_game_with_regrets());
  BOOST_REQUIRE(timeline.recorded().size() == 4U);
  std::vector<bool> undone;
  for (const auto& entry : timeline.recorded())
    undone.push_back(entry.undone);
  BOOST_TEST(undone == (std::vector<bool>{false, true, true, false}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_turn_that_was_put_back_isnt_undone) {
  const auto events =
      events_of(setup_of({}), {PlayTurn{0, {1}}, PlayTurn{1, {2}}, UndoTurns{2}, RedoTurns{1}});
  const Timeline timeline = timeline_of(events);
  BOOST_TEST(!timeline.recorded()[0].undone);
  BOOST_TEST(timeline.recorded()[1].undone);
  BOOST_TEST(timeline.last_turn() == 1);
}

BOOST_AUTO_TEST_CASE(every_position_can_be_seen_again) {
  const Timeline timeline = timeline_of(a_game_with_regrets());
  BOOST_TEST(timeline.position_after(0) == first_position(*timeline.state().setup));
  BOOST_TEST(timeline.position_after(1) ==
             (Position{.cells = {2, 1}, .next = 1, .winner = {}, .turn = 1}));
  BOOST_TEST(timeline.position_after(2) ==
             (Position{.cells = {2, 5}, .next = 0, .winner = {}, .turn = 2}));
}

BOOST_AUTO_TEST_CASE(a_branch_begins_with_its_origins_turn) {
  const Position position{.cells = {40, 9}, .next = 1, .winner = std::nullopt, .turn = 13};
  const Origin origin{.game = "first", .head = std::string(64, '0'), .position = position};
  const Timeline timeline =
      timeline_of(events_of(setup_of({.origin = origin}), {PlayTurn{1, {1}}}));
  BOOST_TEST(timeline.first_turn() == 13);
  BOOST_TEST(timeline.position_after(13) == position);
  BOOST_TEST(timeline.turn(14).to == 10);
}

BOOST_AUTO_TEST_CASE(damage_changes_nothing) {
  const auto events = a_game_with_regrets();
  Timeline timeline = timeline_of(events);
  const GameState before = timeline.state();
  BOOST_TEST(!timeline.add(events.back()).has_value());
  BOOST_TEST(timeline.state() == before);
  BOOST_TEST(timeline.recorded().size() == 4U);
}

BOOST_AUTO_TEST_SUITE_END()
