// Undo and redo: events of their own, which are chained so that each reads at most two others,
// whatever was undone and redone before.
#include "given.hpp"

#include <boost/test/unit_test.hpp>

using namespace snl;
using namespace snl::test;

namespace {

std::shared_ptr<const GameSetup> table() {
  static const auto setup = setup_of({});
  return setup;
}

/// 100 empty cells; turn 1: Ann 1 → 2, turn 2: Bob 1 → 3, turn 3: Ann 2 → 5.
std::vector<Event> three_turns(std::vector<Command> then = {}) {
  std::vector<Command> commands{PlayTurn{0, {1}}, PlayTurn{1, {2}}, PlayTurn{0, {3}}};
  commands.insert(commands.end(), then.begin(), then.end());
  return events_of(table(), commands);
}

TurnUndone third_undone() {
  return {.index = 0,
          .turn = 3,
          .seat = 0,
          .from = 5,
          .to = 2,
          .played = 4,
          .previous = 3,
          .later = {}};
}
TurnUndone second_undone(std::int32_t index, EventRef later) {
  return {.index = index,
          .turn = 2,
          .seat = 1,
          .from = 3,
          .to = 1,
          .played = 3,
          .previous = 2,
          .later = later};
}
TurnRedone third_redone(std::int32_t index) {
  return {.index = index,
          .turn = 3,
          .seat = 0,
          .from = 2,
          .to = 5,
          .outcome = Outcome::moved,
          .next = 1,
          .played = 4,
          .later = {}};
}
TurnRedone second_redone(EventRef later) {
  return {.index = 0,
          .turn = 2,
          .seat = 1,
          .from = 1,
          .to = 3,
          .outcome = Outcome::moved,
          .next = 0,
          .played = 3,
          .later = later};
}

/// Ann wins with turn 1, on the shortest board.
std::vector<Event> won(std::vector<Command> then = {}) {
  std::vector<Command> commands{PlayTurn{0, {1}}};
  commands.insert(commands.end(), then.begin(), then.end());
  return events_of(setup_of({.board = {.cells = 2}}), commands);
}

/// A branch from turn 13 with two turns of its own.
std::vector<Event> branch(std::vector<Command> then = {}) {
  const Position position{.cells = {40, 9}, .next = 1, .winner = std::nullopt, .turn = 13};
  const Origin origin{.game = "first", .head = std::string(64, '0'), .position = position};
  std::vector<Command> commands{PlayTurn{1, {1}}, PlayTurn{0, {2}}};
  commands.insert(commands.end(), then.begin(), then.end());
  return events_of(setup_of({.origin = origin}), commands);
}

void check_possible(const NotEnoughTurns& refusal, Turn asked, Turn possible) {
  BOOST_TEST(refusal.asked == asked);
  BOOST_TEST(refusal.possible == possible);
}

Position position_of(const std::vector<Event>& events) {
  return given(events).state().position;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(undoing)

BOOST_AUTO_TEST_CASE(takes_the_last_turn_back) {
  const GameState state = given(three_turns()).when(UndoTurns{1}).then({third_undone()});
  BOOST_TEST(state.position == (Position{.cells = {2, 3}, .next = 0, .winner = {}, .turn = 2}));
  BOOST_TEST(state.version == 5);
  BOOST_TEST(state.redoable == 1);
  BOOST_TEST((state.redo == EventRef{5, 0}));
  BOOST_TEST(state.undoable() == 2);
}

BOOST_AUTO_TEST_CASE(takes_several_turns_back_in_one_command) {
  const GameState state =
      given(three_turns()).when(UndoTurns{2}).then({third_undone(), second_undone(1, {5, 0})});
  BOOST_TEST(state.position == (Position{.cells = {2, 1}, .next = 1, .winner = {}, .turn = 1}));
  BOOST_TEST(state.version == 5);
  BOOST_TEST((state.redo == EventRef{5, 1}));
}

BOOST_AUTO_TEST_CASE(goes_on_from_an_earlier_undo) {
  given(three_turns({UndoTurns{1}})).when(UndoTurns{1}).then({second_undone(0, {5, 0})});
}

BOOST_AUTO_TEST_CASE(can_go_back_to_the_start) {
  BOOST_TEST(position_of(three_turns({UndoTurns{3}})) == first_position(*table()));
}

BOOST_AUTO_TEST_CASE(goes_no_further_than_the_start) {
  check_possible(given(three_turns()).when(UndoTurns{4}).refused<NotEnoughTurns>(), 4, 3);
  check_possible(given({started(table())}).when(UndoTurns{1}).refused<NotEnoughTurns>(), 1, 0);
}

BOOST_AUTO_TEST_CASE(takes_at_least_one_turn_back) {
  check_possible(given(three_turns()).when(UndoTurns{0}).refused<NotEnoughTurns>(), 0, 3);
  check_possible(given(three_turns()).when(UndoTurns{-1}).refused<NotEnoughTurns>(), -1, 3);
}

BOOST_AUTO_TEST_CASE(takes_a_win_back) {
  const GameState state = given(won())
                              .when(UndoTurns{1})
                              .then({TurnUndone{.index = 0,
                                                .turn = 1,
                                                .seat = 0,
                                                .from = 2,
                                                .to = 1,
                                                .played = 2,
                                                .previous = 0,
                                                .later = {}}});
  BOOST_TEST(!state.completed());
  BOOST_TEST(state.position == first_position(*state.setup));
}

BOOST_AUTO_TEST_CASE(takes_a_turn_that_stayed_back_too) {
  const auto events = events_of(table(), {PlayTurn{0, {6, 6, 6}}});
  const GameState state = given(events)
                              .when(UndoTurns{1})
                              .then({TurnUndone{.index = 0,
                                                .turn = 1,
                                                .seat = 0,
                                                .from = 1,
                                                .to = 1,
                                                .played = 2,
                                                .previous = 0,
                                                .later = {}}});
  BOOST_TEST(state.position == first_position(*table()));
}

BOOST_AUTO_TEST_CASE(reaches_turns_that_were_put_back) {
  const auto events = three_turns({UndoTurns{2}, RedoTurns{2}});
  given(events).when(UndoTurns{1}).then({third_undone()});
}

BOOST_AUTO_TEST_CASE(reaches_past_a_turn_that_replaced_another) {
  const auto events = three_turns({UndoTurns{1}, PlayTurn{0, {4}}});
  const TurnUndone replacement{.index = 0,
                               .turn = 3,
                               .seat = 0,
                               .from = 6,
                               .to = 2,
                               .played = 6,
                               .previous = 3,
                               .later = {}};
  given(events).when(UndoTurns{2}).then({replacement, second_undone(1, {7, 0})});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_to_a_turn)

BOOST_AUTO_TEST_CASE(leaves_it_the_last_in_force) {
  const GameState state =
      given(three_turns()).when(UndoToTurn{1}).then({third_undone(), second_undone(1, {5, 0})});
  BOOST_TEST(state.position.turn == 1);
}

BOOST_AUTO_TEST_CASE(by_agreement_is_the_same_undo) {
  Takeback takeback{.asked = 1};
  takeback.agreed.insert(0);
  given(three_turns())
      .when(UndoToTurn{.turn = 1, .takeback = takeback})
      .then({third_undone(), second_undone(1, {5, 0})});
}

BOOST_AUTO_TEST_CASE(nobody_asks_or_agrees_who_does_not_play) {
  const auto refused = [](const Takeback& takeback) {
    const UndoToTurn undo{.turn = 1, .takeback = takeback};
    given(three_turns()).when(undo).refused<UnknownPlayer>();
  };
  refused({.asked = 2});
  refused({.asked = unknown_seat});
  for (const Seat seat : {Seat{2}, Seat{9}}) {
    Takeback takeback{.asked = 0};
    takeback.agreed.insert(1);
    takeback.agreed.insert(seat);
    refused(takeback);
  }
}

BOOST_AUTO_TEST_CASE(zero_is_the_start) {
  BOOST_TEST(position_of(three_turns({UndoToTurn{0}})) == first_position(*table()));
}

BOOST_AUTO_TEST_CASE(the_last_turn_leaves_nothing_to_undo) {
  check_possible(given(three_turns()).when(UndoToTurn{3}).refused<NotEnoughTurns>(), 0, 3);
}

BOOST_AUTO_TEST_CASE(a_turn_that_isnt_there_is_out_of_range) {
  for (const Turn turn : {Turn{-1}, Turn{4}, Turn{INT64_MIN}, Turn{INT64_MAX}}) {
    const auto refusal = given(three_turns()).when(UndoToTurn{turn}).refused<TurnOutOfRange>();
    BOOST_TEST(refusal.asked == turn);
    BOOST_TEST(refusal.first == 0);
    BOOST_TEST(refusal.last == 3);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(redoing)

BOOST_AUTO_TEST_CASE(puts_the_last_undone_turn_back) {
  const auto events = three_turns({UndoTurns{1}});
  const GameState state = given(events).when(RedoTurns{1}).then({third_redone(0)});
  BOOST_TEST(state.position == position_of(three_turns()));
  BOOST_TEST(state.version == 6);
  BOOST_TEST(state.redoable == 0);
  BOOST_TEST((state.redo == EventRef{}));
}

BOOST_AUTO_TEST_CASE(puts_several_turns_back_in_one_command) {
  const auto events = three_turns({UndoTurns{2}});
  const GameState state =
      given(events).when(RedoTurns{2}).then({second_redone({5, 0}), third_redone(1)});
  BOOST_TEST(state.position == position_of(three_turns()));
  BOOST_TEST(state.version == 6);
}

BOOST_AUTO_TEST_CASE(puts_back_one_turn_of_a_longer_undo) {
  const auto events = three_turns({UndoTurns{2}});
  const GameState state = given(events).when(RedoTurns{1}).then({second_redone({5, 0})});
  BOOST_TEST(state.redoable == 1);
  BOOST_TEST((state.redo == EventRef{5, 0}));
}

BOOST_AUTO_TEST_CASE(spans_several_undos) {
  const auto events = three_turns({UndoTurns{1}, UndoTurns{1}});
  given(events).when(RedoTurns{2}).then({second_redone({5, 0}), third_redone(1)});
}

BOOST_AUTO_TEST_CASE(finds_its_way_through_a_chain_of_undo_and_redo) {
  // Turn 2 is undone, redone and undone again while turn 3 waits to be redone.
  const auto events = three_turns({UndoTurns{2}, RedoTurns{1}, UndoTurns{1}});
  BOOST_TEST(events.back() == Event{second_undone(0, {5, 0})});
  given(events).when(RedoTurns{2}).then({second_redone({5, 0}), third_redone(1)});
}

BOOST_AUTO_TEST_CASE(puts_a_win_back) {
  const GameState state = given(won({UndoTurns{1}}))
                              .when(RedoTurns{1})
                              .then({TurnRedone{.index = 0,
                                                .turn = 1,
                                                .seat = 0,
                                                .from = 1,
                                                .to = 2,
                                                .outcome = Outcome::won,
                                                .next = std::nullopt,
                                                .played = 2,
                                                .later = {}}});
  BOOST_TEST(state.completed());
  BOOST_TEST(state.position == position_of(won()));
}

BOOST_AUTO_TEST_CASE(puts_back_no_more_than_was_undone) {
  const auto events = three_turns({UndoTurns{2}});
  check_possible(given(events).when(RedoTurns{3}).refused<NotEnoughTurns>(), 3, 2);
  check_possible(given(three_turns()).when(RedoTurns{1}).refused<NotEnoughTurns>(), 1, 0);
}

BOOST_AUTO_TEST_CASE(puts_back_at_least_one) {
  const auto events = three_turns({UndoTurns{2}});
  check_possible(given(events).when(RedoTurns{0}).refused<NotEnoughTurns>(), 0, 2);
  check_possible(given(events).when(RedoTurns{-1}).refused<NotEnoughTurns>(), -1, 2);
}

BOOST_AUTO_TEST_CASE(is_ended_by_a_new_turn) {
  const auto events = three_turns({UndoTurns{2}, PlayTurn{1, {4}}});
  check_possible(given(events).when(RedoTurns{1}).refused<NotEnoughTurns>(), 1, 0);
  BOOST_TEST((given(events).state().redo == EventRef{}));
}

BOOST_AUTO_TEST_CASE(is_not_ended_by_a_refused_turn) {
  RecordedGame game(table());
  for (const Command& command :
       std::vector<Command>{PlayTurn{0, {1}}, PlayTurn{1, {2}}, UndoTurns{1}})
    BOOST_REQUIRE(game.perform(command).has_value());
  BOOST_TEST(!game.perform(PlayTurn{0, {3}}).has_value());
  BOOST_TEST(!game.perform(PlayTurn{1, {7}}).has_value());
  BOOST_TEST(game.perform(RedoTurns{1}).has_value());
}

BOOST_AUTO_TEST_CASE(after_a_new_turn_reaches_only_what_was_undone_since) {
  const auto events = three_turns({UndoTurns{2}, PlayTurn{1, {4}}, UndoTurns{1}});
  BOOST_TEST(given(events).state().redoable == 1);
  given(events)
      .when(RedoTurns{1})
      .then({TurnRedone{.index = 0,
                        .turn = 2,
                        .seat = 1,
                        .from = 1,
                        .to = 5,
                        .outcome = Outcome::moved,
                        .next = 0,
                        .played = 6,
                        .later = {}}});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_on_a_branch)

BOOST_AUTO_TEST_CASE(goes_back_to_where_it_began) {
  const Position begin = position_of(branch({UndoTurns{2}}));
  BOOST_TEST(begin == (Position{.cells = {40, 9}, .next = 1, .winner = {}, .turn = 13}));
  BOOST_TEST(position_of(branch({UndoToTurn{13}})) == begin);
}

BOOST_AUTO_TEST_CASE(stops_there) {
  check_possible(given(branch()).when(UndoTurns{3}).refused<NotEnoughTurns>(), 3, 2);
  check_possible(given(branch({UndoTurns{2}})).when(UndoTurns{1}).refused<NotEnoughTurns>(), 1, 0);
}

BOOST_AUTO_TEST_CASE(cant_name_a_turn_of_the_first_game) {
  check_possible(given(branch()).when(UndoToTurn{12}).refused<NotEnoughTurns>(), 3, 2);
}

BOOST_AUTO_TEST_CASE(redo_puts_its_turns_back) {
  BOOST_TEST(position_of(branch({UndoTurns{2}, RedoTurns{2}})) == position_of(branch()));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_in_a_long_game)

BOOST_AUTO_TEST_CASE(reads_as_little_as_in_a_short_one) {
  RecordedGame game(setup_of({.board = {.cells = 1000}}));
  for (Turn turn = 0; turn < 2000; ++turn)
    BOOST_REQUIRE(game.perform(PlayTurn{static_cast<Seat>(turn % 2), {6, 6, 6}}).has_value());
  BOOST_REQUIRE(game.perform(UndoTurns{3}).has_value());
  BOOST_TEST(game.recalls() == 3U);
  BOOST_REQUIRE(game.perform(RedoTurns{3}).has_value());
  BOOST_TEST(game.recalls() == 3U + 6U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_in_a_log_that_lost_events)

BOOST_AUTO_TEST_CASE(a_turn_that_isnt_where_it_should_be_is_damage) {
  const GameState state = given(three_turns()).state();
  const Event wrong = third_undone();
  for (const Event* found : {static_cast<const Event*>(nullptr), &wrong}) {
    const auto decided = decide(state, UndoTurns{1}, [&](EventRef) { return found; });
    BOOST_REQUIRE(!decided.has_value());
    BOOST_REQUIRE(std::holds_alternative<Damage>(decided.error()));
    BOOST_TEST(std::get<Damage>(decided.error()).what ==
               "version 4 isn't the turn that a later command says it is");
  }
}

BOOST_AUTO_TEST_CASE(a_turn_that_doesnt_lead_back_is_damage) {
  const auto events = three_turns();
  const GameState state = given(events).state();
  const auto right = std::get<TurnPlayed>(events.back());
  const auto undone_by = [&](const auto& falsify) {
    TurnPlayed wrong = right;
    falsify(wrong);
    const Event found = wrong;
    return decide(state, UndoTurns{1}, [&](EventRef) { return &found; });
  };
  BOOST_REQUIRE(undone_by([](TurnPlayed&) {}).has_value());
  const auto check_damage = [](const auto& decided) {
    BOOST_REQUIRE(!decided.has_value());
    BOOST_REQUIRE(std::holds_alternative<Damage>(decided.error()));
    BOOST_TEST(std::get<Damage>(decided.error()).what ==
               "version 4 doesn't name the turn before it");
  };
  check_damage(undone_by([](TurnPlayed& turn) { turn.turn = 2; }));      // an earlier one
  check_damage(undone_by([](TurnPlayed& turn) { turn.previous = 4; }));  // to itself
  check_damage(undone_by([](TurnPlayed& turn) { turn.previous = 5; }));  // to a later one
}

BOOST_AUTO_TEST_CASE(an_undone_turn_that_isnt_where_it_should_be_is_damage) {
  const auto events = three_turns({UndoTurns{1}});
  const GameState state = given(events).state();
  const Event& undone = events.back();
  const auto nothing = [](EventRef) -> const Event* { return nullptr; };
  const auto only_the_undo = [&](EventRef ref) { return ref.version == 5 ? &undone : nullptr; };
  for (const Recall& recall : {Recall(nothing), Recall(only_the_undo)}) {
    const auto decided = decide(state, RedoTurns{1}, recall);
    BOOST_REQUIRE(!decided.has_value());
    BOOST_TEST(std::holds_alternative<Damage>(decided.error()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
