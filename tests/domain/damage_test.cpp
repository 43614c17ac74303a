// A log that contradicts itself. Each field of every right event is falsified alone. evolve must
// report a field that is out of bounds or out of sequence, and accept the rest.
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <string>
#include <utility>

using namespace snl;
using namespace snl::test;

namespace {

/// 100 cells, three players; Ann on 2, Bob on 3, Cy on 4 after turn 3, and Ann to move.
std::vector<Command> opening() {
  return {PlayTurn{0, {1}}, PlayTurn{1, {2}}, PlayTurn{2, {3}}};
}
std::vector<Event> after(std::vector<Command> then) {
  auto commands = opening();
  commands.insert(commands.end(), then.begin(), then.end());
  return events_of(setup_of({.players = {"Ann", "Bob", "Cy"}}), commands);
}

template <class E>
struct Falsified {
  const char* what;
  std::function<void(E&)> change;
};

/// After the earlier events, each falsification of the last one must be damage.
template <class E>
void check_damage(std::vector<Event> events, const std::vector<Falsified<E>>& falsified) {
  const auto right = std::get<E>(events.back());
  events.pop_back();
  const GameState before = given(events).state();
  BOOST_REQUIRE(evolve(before, Event{right}).has_value());
  for (const auto& [what, change] : falsified) {
    E wrong = right;
    change(wrong);
    BOOST_TEST(!evolve(before, Event{wrong}).has_value(), "undetected: " << what);
  }
}

std::string damage(const GameState& state, const Event& event) {
  const auto evolved = evolve(state, event);
  return evolved ? "no damage" : evolved.error().what;
}

std::shared_ptr<const GameSetup> with_players(std::vector<std::string> players) {
  return setup_of({.players = std::move(players)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reading_a_turn_that_was_falsified)

BOOST_AUTO_TEST_CASE(each_contradiction_with_the_turns_before_is_damage) {
  check_damage<TurnPlayed>(after({PlayTurn{0, {4}}}),
                           {
                               {"a turn left out", [](auto& e) { e.turn = 5; }},
                               {"a turn twice", [](auto& e) { e.turn = 3; }},
                               {"a negative turn", [](auto& e) { e.turn = -4; }},
                               {"another player", [](auto& e) { e.seat = 1; }},
                               {"nobody", [](auto& e) { e.seat = 3; }},
                               {"an unknown seat", [](auto& e) { e.seat = unknown_seat; }},
                               {"from another cell", [](auto& e) { e.from = 3; }},
                               {"to before the start", [](auto& e) { e.to = 0; }},
                               {"to a negative cell", [](auto& e) { e.to = -1; }},
                               {"past the end", [](auto& e) { e.to = 101; }},
                               {"nobody next", [](auto& e) { e.next.reset(); }},
                               {"an unknown next", [](auto& e) { e.next = 3; }},
                               {"won but goes on", [](auto& e) { e.outcome = Outcome::won; }},
                               {"a wrong chain", [](auto& e) { e.previous = 3; }},
                               {"no chain", [](auto& e) { e.previous = 0; }},
                           });
}

BOOST_AUTO_TEST_CASE(each_contradiction_within_the_event_is_damage) {
  check_damage<TurnPlayed>(
      after({PlayTurn{0, {4}}}),
      {
          {"landed before the start", [](auto& e) { e.landed = 0; }},
          {"landed past the end", [](auto& e) { e.landed = 101; }},
          {"landed far past the end", [](auto& e) { e.landed = std::numeric_limits<Cell>::max(); }},
          {"a face that no die has", [](auto& e) { e.dice = {7}; }},
          {"no face", [](auto& e) { e.dice = {6, 0}; }},
          {"more dice than any turn has", [](auto& e) { e.dice = {6, 6, 6, 6}; }},
          {"effects where no turn has any", [](auto& e) { e.effects.emplace(); }},
          {"won before the end",
           [](auto& e) {
             e.outcome = Outcome::won;
             e.next.reset();
           }},
          {"on the end but not won", [](auto& e) { e.to = 100; }},
      });
}

BOOST_AUTO_TEST_CASE(a_jump_that_the_board_doesnt_have_is_damage) {
  const auto setup = setup_of({.board = {.snakes = {{17, 7}}, .ladders = {{3, 22}}}});
  check_damage<TurnPlayed>(events_of(setup, {PlayTurn{0, {2}}}),
                           {
                               {"another ladder", [](auto& e) { e.to = 23; }},
                               {"a ladder from elsewhere", [](auto& e) { e.landed = 17; }},
                               {"a snake", [](auto& e) { e.to = 2; }},
                           });
}

BOOST_AUTO_TEST_CASE(what_follows_from_dice_and_board_is_taken_as_it_is_told) {
  auto events = after({PlayTurn{0, {4}}});
  auto turn = std::get<TurnPlayed>(events.back());
  events.pop_back();
  turn.landed = 70;
  turn.to = 70;
  turn.next = 2;
  turn.outcome = Outcome::blocked;
  const auto state = evolve(given(events).state(), turn);
  BOOST_REQUIRE(state.has_value());
  BOOST_TEST(state->position.cells[0] == 70);
  BOOST_TEST(int{state->position.next} == 2);
}

BOOST_AUTO_TEST_CASE(what_a_turn_does_to_others_is_damage_where_it_is_out_of_bounds) {
  const auto setup =
      setup_of({.players = {"Ann", "Bob", "Cy"},
                .board = {.cells = 30, .powers = {{.cell = 5, .kind = PowerKind::swap}}}});
  const auto nobody = [](SeatCounts& counts) { counts.set(3, 1); };
  const std::vector<Command> commands{PlayTurn{0, {2}}, PlayTurn{1, {4}}, PlayTurn{2, {1}},
                                      UndoTurns{1}};
  auto events = events_of(setup, commands);
  check_damage<TurnUndone>(
      events, {
                  {"nothing told", [](auto& e) { e.restored.reset(); }},
                  {"nobody captured",
                   [](auto& e) {
                     e.restored->captured.insert(3);
                     e.restored->captured_to = 2;
                   }},
                  {"captured to off the track", [](auto& e) { e.restored->captured.insert(1); }},
                  {"nobody swapped",
                   [](auto& e) {
                     e.restored->swapped = 3;
                     e.restored->swapped_to = 2;
                   }},
                  {"swapped to the end",
                   [](auto& e) {
                     e.restored->swapped = 1;
                     e.restored->swapped_to = 30;
                   }},
                  {"nobody's shield", [&](auto& e) { nobody(e.restored->tallies.shields); }},
                  {"nobody's turn to miss", [&](auto& e) { nobody(e.restored->tallies.skips); }},
              });
  events.pop_back();
  check_damage<TurnPlayed>(
      events, {
                  {"nothing told", [](auto& e) { e.effects.reset(); }},
                  {"resting off the track", [](auto& e) { e.effects->rest = 0; }},
                  {"resting past the end", [](auto& e) { e.effects->rest = 31; }},
                  {"captured on the end",
                   [](auto& e) {
                     e.effects->captured.insert(1);
                     e.effects->captured_to = 1;
                     e.effects->rest = 30;
                   }},
                  {"nobody's shield before", [&](auto& e) { nobody(e.effects->before.shields); }},
                  {"nobody's shield after", [&](auto& e) { nobody(e.effects->after.shields); }},
                  {"a turn that nobody missed", [&](auto& e) { nobody(e.effects->missed); }},
              });
}

BOOST_AUTO_TEST_CASE(a_turn_after_a_win_is_damage) {
  auto events = events_of(setup_of({.board = {.cells = 2}}), {PlayTurn{0, {1}}});
  const TurnPlayed after_the_win{
      .turn = 2, .seat = 0, .dice = {1}, .from = 2, .landed = 2, .to = 2, .next = 1, .previous = 2};
  BOOST_TEST(damage(given(events).state(), after_the_win) ==
             "after version 2: turn 2 doesn't follow from the turns before it");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_an_undo_that_was_falsified)

BOOST_AUTO_TEST_CASE(each_contradiction_is_damage) {
  check_damage<TurnUndone>(after({UndoTurns{1}}),
                           {
                               {"a gap in the command", [](auto& e) { e.index = 2; }},
                               {"a negative index", [](auto& e) { e.index = -1; }},
                               {"an earlier turn", [](auto& e) { e.turn = 2; }},
                               {"a later turn", [](auto& e) { e.turn = 4; }},
                               {"another player", [](auto& e) { e.seat = 1; }},
                               {"nobody", [](auto& e) { e.seat = 3; }},
                               {"from another cell", [](auto& e) { e.from = 5; }},
                               {"to before the start", [](auto& e) { e.to = 0; }},
                               {"past the end", [](auto& e) { e.to = 101; }},
                               {"another command's turn", [](auto& e) { e.played = 3; }},
                               {"a redo that isn't there", [](auto& e) { e.later = {2, 0}; }},
                           });
}

BOOST_AUTO_TEST_CASE(a_chain_that_doesnt_lead_back_is_damage) {
  check_damage<TurnUndone>(after({UndoTurns{1}}),
                           {
                               {"forward", [](auto& e) { e.previous = 5; }},
                               {"nowhere", [](auto& e) { e.previous = -1; }},
                               {"to itself", [](auto& e) { e.previous = e.played; }},
                               {"too early to the start", [](auto& e) { e.previous = 0; }},
                           });
}

BOOST_AUTO_TEST_CASE(a_longer_chain_that_doesnt_lead_back_is_damage) {
  // The state no longer contains the effects of the turn before last.
  check_damage<TurnUndone>(after({UndoTurns{2}}),
                           {
                               {"forward", [](auto& e) { e.previous = 5; }},
                               {"nowhere", [](auto& e) { e.previous = -1; }},
                               {"to itself", [](auto& e) { e.previous = e.played; }},
                               {"too early to the start", [](auto& e) { e.previous = 0; }},
                               {"to before the start", [](auto& e) { e.to = 0; }},
                               {"to the end", [](auto& e) { e.to = 100; }},
                               {"past the end", [](auto& e) { e.to = 101; }},
                           });
}

BOOST_AUTO_TEST_CASE(a_chain_that_goes_on_before_the_first_turn_is_damage) {
  check_damage<TurnUndone>(after({UndoTurns{3}}),
                           {{"to the start's version", [](auto& e) { e.previous = 1; }}});
}

BOOST_AUTO_TEST_CASE(each_contradiction_within_a_longer_undo_is_damage) {
  check_damage<TurnUndone>(after({UndoTurns{2}}),
                           {
                               {"the same place twice", [](auto& e) { e.index = 2; }},
                               {"a redo forgotten", [](auto& e) { e.later = {}; }},
                               {"the same turn twice", [](auto& e) { e.turn = 3; }},
                           });
}

BOOST_AUTO_TEST_CASE(an_undo_of_a_win_that_another_player_has_is_damage) {
  const auto events =
      events_of(setup_of({.board = {.cells = 3}}),
                {PlayTurn{0, {1}}, PlayTurn{1, {1}}, PlayTurn{0, {1}}, UndoTurns{1}});
  check_damage<TurnUndone>(events, {{"of a player who hasn't won", [](auto& e) {
                                       e.seat = 1;
                                       e.from = 2;
                                     }}});
}

BOOST_AUTO_TEST_CASE(an_undo_before_the_first_turn_is_damage) {
  const auto setup = setup_of({});
  const TurnUndone undone{.index = 0,
                          .turn = 0,
                          .seat = 0,
                          .from = 1,
                          .to = 1,
                          .played = 0,
                          .previous = 0,
                          .later = {}};
  BOOST_TEST(damage(given({started(setup)}).state(), undone) ==
             "after version 1: the undo of turn 0 doesn't follow from the turns before it");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_a_redo_that_was_falsified)

BOOST_AUTO_TEST_CASE(each_contradiction_is_damage) {
  check_damage<TurnRedone>(after({UndoTurns{1}, RedoTurns{1}}),
                           {
                               {"a gap in the command", [](auto& e) { e.index = 2; }},
                               {"a negative index", [](auto& e) { e.index = -1; }},
                               {"a turn in force", [](auto& e) { e.turn = 2; }},
                               {"a later turn", [](auto& e) { e.turn = 4; }},
                               {"another player", [](auto& e) { e.seat = 0; }},
                               {"nobody", [](auto& e) { e.seat = 3; }},
                               {"from another cell", [](auto& e) { e.from = 4; }},
                               {"to before the start", [](auto& e) { e.to = 0; }},
                               {"past the end", [](auto& e) { e.to = 101; }},
                               {"nobody next", [](auto& e) { e.next.reset(); }},
                               {"an unknown next", [](auto& e) { e.next = 3; }},
                               {"won but goes on", [](auto& e) { e.outcome = Outcome::won; }},
                           });
}

BOOST_AUTO_TEST_CASE(each_contradiction_within_the_event_is_damage) {
  check_damage<TurnRedone>(after({UndoTurns{1}, RedoTurns{1}}),
                           {
                               {"won before the end",
                                [](auto& e) {
                                  e.outcome = Outcome::won;
                                  e.next.reset();
                                }},
                               {"on the end but not won", [](auto& e) { e.to = 100; }},
                           });
}

BOOST_AUTO_TEST_CASE(a_chain_that_doesnt_lead_back_is_damage) {
  check_damage<TurnRedone>(after({UndoTurns{1}, RedoTurns{1}}),
                           {
                               {"forward", [](auto& e) { e.played = 6; }},
                               {"nowhere", [](auto& e) { e.played = 0; }},
                               {"more to redo than there is", [](auto& e) { e.later = {5, 1}; }},
                           });
}

BOOST_AUTO_TEST_CASE(a_longer_chain_that_doesnt_lead_on_is_damage) {
  // The state no longer contains the effects of the undo before last.
  check_damage<TurnRedone>(after({UndoTurns{2}, RedoTurns{2}}),
                           {
                               {"to a turn before it", [](auto& e) { e.played = 2; }},
                               {"to a turn that is to come", [](auto& e) { e.played = 99; }},
                               {"past the last redo", [](auto& e) { e.later = {5, 0}; }},
                           });
  check_damage<TurnRedone>(after({UndoTurns{3}, RedoTurns{2}}),
                           {{"to no redo", [](auto& e) { e.later = {}; }}});
}

BOOST_AUTO_TEST_CASE(a_redo_of_nothing_is_damage) {
  const auto events = after({UndoTurns{1}, RedoTurns{1}});
  const auto redone = std::get<TurnRedone>(events.back());
  BOOST_TEST(damage(given(after({})).state(), redone) ==
             "after version 4: the redo of turn 3 doesn't follow from the turns before it");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_a_start_that_was_falsified)

BOOST_AUTO_TEST_CASE(a_second_start_is_damage) {
  const auto events = after({});
  BOOST_TEST(damage(given(events).state(), events.front()) ==
             "after version 4: the game is started a second time");
}

BOOST_AUTO_TEST_CASE(anything_before_the_start_is_damage) {
  const auto events = after({UndoTurns{1}, RedoTurns{1}});
  for (const Event& event : std::vector(events.begin() + 1, events.end()))
    BOOST_TEST(damage({}, event).starts_with("after version 0: "), event);
}

BOOST_AUTO_TEST_CASE(a_start_that_cant_be_played_is_damage) {
  const auto faulty = {
      with_players({"Ann"}),
      with_players({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}),
      with_players({"Ann", "Ann"}),
      setup_of({.rules = {.start = 2}}),
  };
  for (const auto& setup : faulty)
    BOOST_TEST(!evolve({}, started(setup)).has_value(), "undetected: " << *setup);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(folding_events)

BOOST_AUTO_TEST_CASE(stops_at_the_first_damage_and_names_it) {
  auto events = after({PlayTurn{0, {4}}});
  std::get<TurnPlayed>(events[2]).from = 77;
  const auto folded = fold({}, events);
  BOOST_REQUIRE(!folded.has_value());
  BOOST_TEST(folded.error().what ==
             "after version 2: turn 2 doesn't follow from the turns before it");
}

BOOST_AUTO_TEST_CASE(no_events_change_nothing) {
  const GameState state = given(after({})).state();
  BOOST_TEST((fold(state, {}).value() == state));
}

BOOST_AUTO_TEST_SUITE_END()
