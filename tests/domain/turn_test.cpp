// Playing turns: their events, the refusals, and the order of the checks.
#include "given.hpp"

#include <boost/test/unit_test.hpp>

using namespace snl;
using namespace snl::test;

namespace {

/// Snake 17,7; ladder 3,22; ladder 94,100.
std::shared_ptr<const GameSetup> small_table() {
  static const auto setup =
      setup_of({.board = {.snakes = {{17, 7}}, .ladders = {{3, 22}, {94, 100}}}});
  return setup;
}

TurnPlayed anns_first_turn(Dice dice, Cell landed, Cell to) {
  return {.turn = 1,
          .seat = 0,
          .dice = dice,
          .from = 1,
          .landed = landed,
          .to = to,
          .outcome = to == 1 ? Outcome::forfeited : Outcome::moved,
          .next = 1,
          .previous = 0};
}

/// Ann on 97, Bob on 1, Ann to move.
std::vector<Event> ann_near_the_end(Finish finish) {
  const Position position{.cells = {97, 1}, .next = 0, .winner = std::nullopt, .turn = 40};
  const Origin origin{.game = "first", .head = std::string(64, '0'), .position = position};
  return {started(
      setup_of({.board = {.snakes = {{98, 79}}}, .rules = {.finish = finish}, .origin = origin}))};
}

TurnPlayed anns_last_turn(Dice dice, Cell landed, Cell to, Outcome outcome) {
  TurnPlayed event{.turn = 41,
                   .seat = 0,
                   .dice = dice,
                   .from = 97,
                   .landed = landed,
                   .to = to,
                   .outcome = outcome,
                   .next = 1,
                   .previous = 0};
  if (outcome == Outcome::won) event.next = std::nullopt;
  return event;
}

std::vector<Event> won_by_ann() {
  auto events = ann_near_the_end(Finish::exact);
  events.emplace_back(anns_last_turn({3}, 100, 100, Outcome::won));
  return events;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(playing_a_turn)

BOOST_AUTO_TEST_CASE(moves_the_piece_and_passes_the_turn) {
  const GameState state =
      given({started(small_table())}).when(PlayTurn{0, {4}}).then({anns_first_turn({4}, 5, 5)});
  const Position expected{.cells = {5, 1}, .next = 1, .winner = std::nullopt, .turn = 1};
  BOOST_TEST(state.position == expected);
  BOOST_TEST(state.version == 2);
  BOOST_TEST(state.undoable() == 1);
}

BOOST_AUTO_TEST_CASE(goes_round_the_table) {
  const auto setup = setup_of({.players = {"Ann", "Bob", "Cy"}});
  const auto events = events_of(setup, {PlayTurn{0, {1}}, PlayTurn{1, {2}}, PlayTurn{2, {3}}});
  given(events)
      .when(PlayTurn{0, {4}})
      .then({TurnPlayed{.turn = 4,
                        .seat = 0,
                        .dice = {4},
                        .from = 2,
                        .landed = 6,
                        .to = 6,
                        .next = 1,
                        .previous = 4}});
}

BOOST_AUTO_TEST_CASE(takes_a_ladder_up) {
  given({started(small_table())}).when(PlayTurn{0, {2}}).then({anns_first_turn({2}, 3, 22)});
}

BOOST_AUTO_TEST_CASE(takes_a_snake_down) {
  given({started(small_table())})
      .when(PlayTurn{0, {6, 6, 4}})
      .then({anns_first_turn({6, 6, 4}, 17, 7)});
}

BOOST_AUTO_TEST_CASE(three_sixes_stay_and_pass_the_turn) {
  given({started(small_table())})
      .when(PlayTurn{0, {6, 6, 6}})
      .then({anns_first_turn({6, 6, 6}, 1, 1)});
}

BOOST_AUTO_TEST_CASE(a_short_list_of_sixes_counts_them) {
  given({started(small_table())}).when(PlayTurn{0, {6}}).then({anns_first_turn({6}, 7, 7)});
  given({started(small_table())}).when(PlayTurn{0, {6, 6}}).then({anns_first_turn({6, 6}, 13, 13)});
}

BOOST_AUTO_TEST_CASE(an_overshoot_stays_and_passes_the_turn) {
  given(ann_near_the_end(Finish::exact))
      .when(PlayTurn{0, {4}})
      .then({anns_last_turn({4}, 97, 97, Outcome::blocked)});
}

BOOST_AUTO_TEST_CASE(rolls_are_not_looked_at_one_by_one) {
  given(ann_near_the_end(Finish::exact))
      .when(PlayTurn{0, {6, 1}})
      .then({anns_last_turn({6, 1}, 97, 97, Outcome::blocked)});
}

BOOST_AUTO_TEST_CASE(an_overshoot_can_win) {
  given(ann_near_the_end(Finish::overshoot))
      .when(PlayTurn{0, {4}})
      .then({anns_last_turn({4}, 100, 100, Outcome::won)});
}

BOOST_AUTO_TEST_CASE(an_overshoot_can_bounce_onto_a_snake) {
  given(ann_near_the_end(Finish::bounce))
      .when(PlayTurn{0, {5}})
      .then({anns_last_turn({5}, 98, 79, Outcome::moved)});
}

BOOST_AUTO_TEST_CASE(pieces_share_a_cell_in_peace) {
  const auto events = events_of(small_table(), {PlayTurn{0, {4}}});
  const GameState state = given(events)
                              .when(PlayTurn{1, {4}})
                              .then({TurnPlayed{.turn = 2,
                                                .seat = 1,
                                                .dice = {4},
                                                .from = 1,
                                                .landed = 5,
                                                .to = 5,
                                                .next = 0,
                                                .previous = 2}});
  BOOST_TEST(state.position.cells[0] == 5);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(winning)

BOOST_AUTO_TEST_CASE(the_exact_end_wins_and_nobody_is_next) {
  const GameState state = given(ann_near_the_end(Finish::exact))
                              .when(PlayTurn{0, {3}})
                              .then({anns_last_turn({3}, 100, 100, Outcome::won)});
  BOOST_TEST(state.completed());
  BOOST_TEST((state.position.winner == Seat{0}));
  BOOST_TEST(state.position.next == 0);
}

BOOST_AUTO_TEST_CASE(a_ladder_onto_the_end_wins) {
  const auto setup = setup_of({.board = {.cells = 30, .ladders = {{3, 30}}}});
  given({started(setup)})
      .when(PlayTurn{0, {2}})
      .then({TurnPlayed{.turn = 1,
                        .seat = 0,
                        .dice = {2},
                        .from = 1,
                        .landed = 3,
                        .to = 30,
                        .outcome = Outcome::won,
                        .next = std::nullopt,
                        .previous = 0}});
}

BOOST_AUTO_TEST_CASE(nothing_is_played_after_a_win) {
  given(won_by_ann()).when(PlayTurn{1, {3}}).refused<GameCompleted>();
  given(won_by_ann()).when(RollTurn{}).refused<GameCompleted>();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(rolling_a_turn)

BOOST_AUTO_TEST_CASE(plays_the_seeded_dice_for_the_player_to_move) {
  const auto setup = setup_of({.seed = 1});
  const auto events = events_of(setup, {PlayTurn{0, {1}}});
  given(events)
      .when(RollTurn{})
      .then({TurnPlayed{.turn = 2,
                        .seat = 1,
                        .dice = {3},
                        .rolled = true,
                        .from = 1,
                        .landed = 4,
                        .to = 4,
                        .next = 0,
                        .previous = 2}});
}

BOOST_AUTO_TEST_CASE(undoing_a_rolled_turn_and_rolling_again_gives_the_same_dice) {
  const auto setup = setup_of({.seed = 1});
  const auto events = events_of(setup, {RollTurn{}, UndoTurns{1}, RollTurn{}});
  const auto& first = std::get<TurnPlayed>(events[1]);
  const auto& again = std::get<TurnPlayed>(events[3]);
  BOOST_TEST(first == again);
  BOOST_TEST(first.dice == (Dice{6, 4}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(checking_a_turn)

BOOST_AUTO_TEST_CASE(a_player_who_isnt_to_move_is_refused) {
  given({started(small_table())}).when(PlayTurn{1, {3}}).refused<InvalidMove>();
}

BOOST_AUTO_TEST_CASE(a_seat_that_nobody_has_is_refused) {
  given({started(small_table())}).when(PlayTurn{2, {3}}).refused<UnknownPlayer>();
  given({started(small_table())}).when(PlayTurn{unknown_seat, {3}}).refused<UnknownPlayer>();
}

BOOST_AUTO_TEST_CASE(impossible_dice_are_refused_with_the_dice_and_the_rules) {
  const auto refusal =
      given({started(small_table())}).when(PlayTurn{0, {7}}).refused<ImpossibleDice>();
  BOOST_TEST(refusal.dice == Dice{7});
  BOOST_TEST(refusal.rules == Rules{});
}

BOOST_AUTO_TEST_CASE(a_completed_game_comes_before_every_other_check) {
  given(won_by_ann()).when(PlayTurn{unknown_seat, {3}}).refused<GameCompleted>();
  given(won_by_ann()).when(PlayTurn{1, {7}}).refused<GameCompleted>();
}

BOOST_AUTO_TEST_CASE(an_unknown_player_comes_before_the_turn_and_the_dice) {
  given({started(small_table())}).when(PlayTurn{unknown_seat, {}}).refused<UnknownPlayer>();
}

BOOST_AUTO_TEST_CASE(whose_turn_it_is_comes_before_the_dice) {
  given({started(small_table())}).when(PlayTurn{1, {}}).refused<InvalidMove>();
}

BOOST_AUTO_TEST_CASE(what_dice_can_be_is_told_for_every_rule) {
  BOOST_TEST(possible_dice(Rules{}) ==
             "a turn is one to three dice of 1 to 6, each but the last a 6: 3, 6-2, 6-6-1, and 6 "
             "or 6-6 alone");
  BOOST_TEST(possible_dice({.sixes = Sixes::plain}) == "a turn is one die of 1 to 6");
  BOOST_TEST(possible_dice({.dice = 2, .faces = 20, .sixes = Sixes::plain}) ==
             "a turn is two dice of 1 to 20, such as 1-2");
}

BOOST_AUTO_TEST_SUITE_END()
