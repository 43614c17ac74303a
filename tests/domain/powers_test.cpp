// Powers, shields, captures and faces that enter: their effects on a turn, each pair of them that
// can meet, and undo of all effects.
#include "domain/narration.hpp"
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>
#include <vector>

using namespace snl;
using namespace snl::test;

namespace {

using enum PowerKind;

SeatCounts counts(std::initializer_list<std::int32_t> by_seat) {
  SeatCounts all;
  Seat seat = 0;
  for (const std::int32_t count : by_seat)
    all.set(seat++, count);
  return all;
}

/// Each player's cell and effects; players are named Ann, Bob, Cy, Di.
struct Scene {
  std::array<Cell, max_players> cells = {1, 1};
  std::size_t players = 2;
  SeatCounts shields = {};
  SeatCounts skips = {};
  BoardDescription board = {.cells = 30};
  Rules rules = {.sixes = Sixes::plain};
};

/// A game in this position; it is Ann's turn.
Given begun(const Scene& scene) {
  const std::vector<std::string> names{"Ann", "Bob", "Cy", "Di"};
  const Position position{.cells = scene.cells,
                          .next = 0,
                          .winner = std::nullopt,
                          .turn = 40,
                          .tallies = {.shields = scene.shields, .skips = scene.skips}};
  return test::given({started(setup_of(
      {.players = {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(scene.players)},
       .board = scene.board,
       .rules = scene.rules,
       .origin = Origin{.game = "first", .head = std::string(64, '0'), .position = position}}))});
}

/// The result of a turn.
struct Played {
  TurnPlayed turn;
  Position after;
  std::string line;  // its narration after the dice
};

Played play(const GameState& state, const Dice& dice) {
  const auto turn = decide(state, PlayTurn{state.position.next, dice});
  if (!turn) BOOST_FAIL(Refusal{turn.error()});
  const GameState after = evolve(state, *turn).value();
  const std::string line = narrate(*turn, state.setup->players, Glyphs::unicode);
  return {*turn, after.position, line.substr(line.find(": ") + 2)};
}

Played play(const Scene& scene, const Dice& dice) {
  return play(begun(scene).state(), dice);
}

void check_cells(const Position& position, const std::vector<Cell>& cells) {
  const std::vector<Cell> stand(position.cells.begin(), position.cells.begin() + std::ssize(cells));
  BOOST_TEST(stand == cells, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(landing_on_a_power)

BOOST_AUTO_TEST_CASE(again_gives_the_same_player_the_next_turn) {
  const Played played = play({.board = {.cells = 30, .powers = {{5, again}}}}, {4});
  BOOST_TEST(played.line == "1 → 5, moves again");
  BOOST_TEST(int{played.after.next} == 0);
  BOOST_TEST(played.after.turn == 41);
}

BOOST_AUTO_TEST_CASE(skip_makes_its_player_miss_turns) {
  const Given game = begun({.skips = {}, .board = {.cells = 30, .powers = {{5, skip, 2}}}});
  const Played first = play(game.state(), {4});
  BOOST_TEST(first.line == "1 → 5, misses 2 turns");
  BOOST_TEST((first.after.tallies.skips == counts({2})));
  BOOST_TEST(int{first.after.next} == 1);

  const GameState state = evolve(game.state(), first.turn).value();
  const Played second = play(state, {1});
  BOOST_TEST(second.line == "1 → 2; Ann misses a turn");
  BOOST_TEST(int{second.after.next} == 1);
  BOOST_TEST(second.after.turn == 42);
  BOOST_TEST((second.after.tallies.skips == counts({1})));
}

BOOST_AUTO_TEST_CASE(one_turn_is_told_as_one) {
  const Played played = play({.board = {.cells = 30, .powers = {{5, skip, 1}}}}, {4});
  BOOST_TEST(played.line == "1 → 5, misses 1 turn");
}

BOOST_AUTO_TEST_CASE(restart_leads_to_where_pieces_start) {
  const Played on = play({.cells = {3, 1}, .board = {.cells = 30, .powers = {{9, restart}}}}, {6});
  BOOST_TEST(on.line == "3 → 1, back to the start 9 → 1");
  check_cells(on.after, {1, 1});
  const Played off = play({.cells = {3, 1},
                           .board = {.cells = 30, .powers = {{9, restart}}},
                           .rules = {.start = 0, .sixes = Sixes::plain}},
                          {6});
  BOOST_TEST(off.line == "3 → 0, back to the start 9 → 0");
  check_cells(off.after, {0, 1});
}

BOOST_AUTO_TEST_CASE(a_shield_is_given_unless_there_are_more) {
  const BoardDescription board{.cells = 30, .powers = {{5, shield, 2}, {20, shield, 3}}};
  const Played given_two = play({.shields = counts({1}), .board = board}, {4});
  BOOST_TEST(given_two.line == "1 → 5, now has 2 shields");
  BOOST_TEST((given_two.after.tallies.shields == counts({2})));
  const Played has_more = play({.shields = counts({3}), .board = board}, {4});
  BOOST_TEST(has_more.line == "1 → 5, now has 3 shields");
  BOOST_TEST((has_more.after.tallies.shields == counts({3})));
}

BOOST_AUTO_TEST_CASE(swap_changes_places_with_the_nearest_piece_ahead) {
  const Scene scene{
      .cells = {3, 20, 14, 2}, .players = 4, .board = {.cells = 30, .powers = {{9, swap}}}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "3 → 14, changes places with Cy 9 → 14");
  check_cells(played.after, {14, 20, 9, 2});
}

BOOST_AUTO_TEST_CASE(of_several_there_the_seat_that_follows_first_is_swapped) {
  const BoardDescription board{.cells = 30, .powers = {{9, swap}}};
  check_cells(play({.cells = {3, 9, 14, 14}, .players = 4, .board = board}, {6}).after,
              {14, 9, 9, 14});
  GameState bobs = begun({.cells = {14, 3, 2, 14}, .players = 4, .board = board}).state();
  bobs = evolve(bobs, decide(bobs, PlayTurn{0, {1}}).value()).value();
  check_cells(play(bobs, {6}).after, {15, 14, 2, 9});
}

BOOST_AUTO_TEST_CASE(nobody_ahead_is_nobody_to_swap_with) {
  const Played played = play({.cells = {3, 9}, .board = {.cells = 30, .powers = {{9, swap}}}}, {6});
  BOOST_TEST(played.line == "3 → 9, nobody ahead to swap with");
  check_cells(played.after, {9, 9});
}

BOOST_AUTO_TEST_CASE(a_ladder_leads_to_a_power) {
  const Played played =
      play({.board = {.cells = 30, .ladders = {{3, 12}}, .powers = {{12, again}}}}, {2});
  BOOST_TEST(played.line == "1 → 12, up the ladder 3 → 12, moves again");
}

BOOST_AUTO_TEST_CASE(a_piece_that_stays_meets_nothing) {
  const Played played =
      play({.cells = {28, 1}, .board = {.cells = 30, .powers = {{28, restart}}}}, {6});
  BOOST_TEST(played.line == "28 → 28, overshoots, stays");
  BOOST_TEST(!played.turn.effects->power.has_value());
}

BOOST_AUTO_TEST_CASE(a_bounce_onto_its_own_cell_is_a_move) {
  const Scene scene{
      .cells = {28, 28},
      .board = {.cells = 30, .powers = {{28, shield, 1}}},
      .rules = {.finish = Finish::bounce, .sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {4});
  BOOST_TEST(played.line == "28 → 28, bounces back to 28, sends Bob back 28 → 1, now has 1 shield");
  check_cells(played.after, {28, 1});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(meeting_a_snake_with_a_shield)

BOOST_AUTO_TEST_CASE(uses_up_one_and_stays_on_the_head) {
  const Played played =
      play({.cells = {13, 1},
            .shields = counts({2}),
            .board = {.cells = 30, .snakes = {{17, 7}}, .powers = {{2, shield, 2}}}},
           {4});
  BOOST_TEST(played.line == "13 → 17, a shield stops the snake on 17");
  BOOST_TEST((played.after.tallies.shields == counts({1})));
}

BOOST_AUTO_TEST_CASE(slides_without_one_whatever_others_have) {
  const Scene scene{.cells = {13, 1},
                    .shields = counts({0, 2}),
                    .board = {.cells = 30, .snakes = {{17, 7}}, .powers = {{2, shield, 2}}}};
  const Played played = play(scene, {4});
  BOOST_TEST(played.line == "13 → 7, down the snake 17 → 7");
  BOOST_TEST((played.after.tallies.shields == counts({0, 2})));
}

BOOST_AUTO_TEST_CASE(a_ladder_uses_none) {
  const Scene scene{.shields = counts({2}),
                    .board = {.cells = 30, .ladders = {{3, 22}}, .powers = {{9, shield, 2}}}};
  BOOST_TEST((play(scene, {2}).after.tallies.shields == counts({2})));
}

BOOST_AUTO_TEST_CASE(a_shield_is_kept_through_a_swap_and_spent_after_it) {
  const GameState before =
      begun({.cells = {3, 14},
             .shields = counts({1}),
             .board = {.cells = 30, .snakes = {{17, 7}}, .powers = {{9, swap}, {25, shield, 1}}}})
          .state();
  const Played swapped = play(before, {6});
  check_cells(swapped.after, {14, 9});
  GameState state = evolve(before, swapped.turn).value();
  state = evolve(state, decide(state, PlayTurn{1, {1}}).value()).value();
  const Played stopped = play(state, {3});
  BOOST_TEST(stopped.line == "14 → 17, a shield stops the snake on 17");
  BOOST_TEST((stopped.after.tallies.shields == SeatCounts{}));
}

BOOST_AUTO_TEST_CASE(a_shielded_piece_captures_on_the_head) {
  const Scene scene{.cells = {13, 17},
                    .shields = counts({1, 1}),
                    .board = {.cells = 30, .snakes = {{17, 7}}, .powers = {{2, shield, 1}}},
                    .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {4});
  BOOST_TEST(played.line == "13 → 17, a shield stops the snake on 17, sends Bob back 17 → 1");
  BOOST_TEST((played.after.tallies.shields == counts({0, 1})));
}

BOOST_AUTO_TEST_CASE(a_swap_onto_a_head_meets_no_snake) {
  const Scene scene{
      .cells = {3, 17},
      .shields = counts({1, 1}),
      .board = {.cells = 30, .snakes = {{17, 7}}, .powers = {{9, swap}, {2, shield, 1}}}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "3 → 17, changes places with Bob 9 → 17");
  BOOST_TEST((played.after.tallies.shields == counts({1, 1})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capturing)

BOOST_AUTO_TEST_CASE(sends_everybody_on_the_cell_back_in_turn_order) {
  const Scene scene{
      .cells = {3, 9, 4, 9}, .players = 4, .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "3 → 9, sends Bob back 9 → 1, sends Di back 9 → 1");
  check_cells(played.after, {9, 1, 4, 1});
}

BOOST_AUTO_TEST_CASE(happens_at_the_end_of_a_ladder) {
  const Scene scene{.cells = {1, 22},
                    .board = {.cells = 30, .ladders = {{3, 22}}},
                    .rules = {.start = 0, .sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {2});
  BOOST_TEST(played.line == "1 → 22, up the ladder 3 → 22, sends Bob back 22 → 0");
}

BOOST_AUTO_TEST_CASE(spares_safe_cells_and_the_first) {
  const Scene safe{.cells = {3, 9},
                   .rules = {.sixes = Sixes::plain, .meet = Meet::capture, .safe = {9, 10}}};
  check_cells(play(safe, {6}).after, {9, 9});
  const Scene first{.cells = {3, 1},
                    .board = {.cells = 30, .snakes = {{5, 1}}},
                    .rules = {.start = 0, .sixes = Sixes::plain, .meet = Meet::capture}};
  check_cells(play(first, {2}).after, {1, 1});
}

BOOST_AUTO_TEST_CASE(comes_before_the_power_of_the_cell) {
  const Scene scene{.cells = {3, 9, 14},
                    .players = 3,
                    .board = {.cells = 30, .powers = {{9, swap}}},
                    .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "3 → 14, sends Bob back 9 → 1, changes places with Cy 9 → 14");
  check_cells(played.after, {14, 1, 9});
}

BOOST_AUTO_TEST_CASE(isnt_set_off_by_what_a_power_does) {
  const Rules capture{.start = 1, .sixes = Sixes::plain, .meet = Meet::capture};
  check_cells(play({.cells = {3, 14, 14},
                    .players = 3,
                    .board = {.cells = 30, .powers = {{9, swap}, {14, restart}}},
                    .rules = capture},
                   {6})
                  .after,
              {14, 9, 14});
  check_cells(
      play({.cells = {3, 1}, .board = {.cells = 30, .powers = {{9, restart}}}, .rules = capture},
           {6})
          .after,
      {1, 1});
}

BOOST_AUTO_TEST_CASE(leaves_shields_and_turns_to_miss_with_the_captured) {
  const Scene scene{.cells = {3, 9},
                    .shields = counts({0, 2}),
                    .skips = counts({0, 1}),
                    .board = {.cells = 30, .powers = {{20, shield, 2}, {21, skip, 1}}},
                    .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "3 → 9, sends Bob back 9 → 1; Bob misses a turn");
  BOOST_TEST((played.after.tallies.shields == counts({0, 2})));
  BOOST_TEST((played.after.tallies.skips == SeatCounts{}));
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(nothing_happens_on_the_last_cell) {
  const Scene scene{.cells = {24, 9},
                    .skips = counts({0, 1}),
                    .board = {.cells = 30, .powers = {{20, skip, 1}}},
                    .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "24 → 30, wins");
  BOOST_TEST((played.after.tallies.skips == counts({0, 1})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(missing_turns)

BOOST_AUTO_TEST_CASE(goes_round_until_somebody_has_none_left_to_miss) {
  const Scene scene{.cells = {1, 2, 3},
                    .players = 3,
                    .skips = counts({0, 1, 2}),
                    .board = {.cells = 30, .powers = {{5, skip, 1}, {6, skip, 2}}}};
  const Played played = play(scene, {4});
  BOOST_TEST(played.line ==
             "1 → 5, misses 1 turn; Bob misses a turn; Cy misses a turn; Ann misses a turn");
  BOOST_TEST(int{played.after.next} == 1);
  BOOST_TEST((played.after.tallies.skips == counts({0, 0, 1})));
}

BOOST_AUTO_TEST_CASE(goes_round_twice_where_everybody_misses_two) {
  const Scene scene{.skips = counts({0, 2}), .board = {.cells = 30, .powers = {{5, skip, 2}}}};
  const Played played = play(scene, {4});
  BOOST_TEST((played.turn.effects->missed == counts({2, 2})));
  BOOST_TEST((played.after.tallies.skips == counts({})));
  BOOST_TEST(int{played.after.next} == 1);
}

BOOST_AUTO_TEST_CASE(nobody_misses_one_where_the_same_player_moves_again) {
  const Scene scene{.skips = counts({0, 2}),
                    .board = {.cells = 30, .powers = {{5, again}, {6, skip, 2}}}};
  const Played played = play(scene, {4});
  BOOST_TEST(played.line == "1 → 5, moves again");
  BOOST_TEST((played.after.tallies.skips == counts({0, 2})));
}

BOOST_AUTO_TEST_CASE(a_piece_that_stays_still_passes_the_turn_over_those_who_miss_one) {
  const Scene scene{
      .cells = {28, 1}, .skips = counts({0, 1}), .board = {.cells = 30, .powers = {{6, skip, 2}}}};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "28 → 28, overshoots, stays; Bob misses a turn");
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(three_sixes_after_again_pass_the_turn) {
  const GameState before =
      begun({.board = {.cells = 30, .powers = {{5, again}}}, .rules = {}}).state();
  const Played first = play(before, {4});
  const Played second = play(evolve(before, first.turn).value(), {6, 6, 6});
  BOOST_TEST(second.line == "5 → 5, three sixes, stays");
  BOOST_TEST(int{second.after.next} == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(entering)

BOOST_AUTO_TEST_CASE(needs_one_of_the_faces) {
  const Rules rules{.start = 0, .sixes = Sixes::plain, .enter = {1, 6}};
  const Played waits = play({.cells = {0, 0}, .rules = rules}, {3});
  BOOST_TEST(waits.line == "0 → 0, can't enter, stays");
  BOOST_TEST(waits.turn.outcome == Outcome::waiting);
  BOOST_TEST(int{waits.after.next} == 1);
  BOOST_TEST(play({.cells = {0, 0}, .rules = rules}, {6}).line == "0 → 6");
  BOOST_TEST(play({.cells = {2, 0}, .rules = rules}, {3}).line == "2 → 5");
}

BOOST_AUTO_TEST_CASE(any_die_of_the_turn_will_do_and_the_whole_sum_is_moved) {
  const Rules two{.start = 0, .dice = 2, .sixes = Sixes::plain, .enter = {1}};
  BOOST_TEST(play({.cells = {0, 0}, .rules = two}, {5, 1}).line == "0 → 6");
  const Rules again_rules{.start = 0, .enter = {2}};
  BOOST_TEST(play({.cells = {0, 0}, .rules = again_rules}, {6, 2}).line == "0 → 8");
}

BOOST_AUTO_TEST_CASE(three_sixes_are_forfeited_before_it_is_asked) {
  for (const std::int32_t face : {6, 1}) {
    const Played played =
        play({.cells = {0, 0}, .rules = {.start = 0, .enter = {face}}}, {6, 6, 6});
    BOOST_TEST(played.line == "0 → 0, three sixes, stays");
    BOOST_TEST(played.turn.outcome == Outcome::forfeited);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(two_at_once)

const Rules capturing{.sixes = Sixes::plain, .meet = Meet::capture};

BOOST_AUTO_TEST_CASE(a_capture_and_another_turn) {
  const Played played = play(
      {.cells = {1, 5}, .board = {.cells = 30, .powers = {{5, again}}}, .rules = capturing}, {4});
  BOOST_TEST(played.line == "1 → 5, sends Bob back 5 → 1, moves again");
  BOOST_TEST(int{played.after.next} == 0);
  check_cells(played.after, {5, 1});
}

BOOST_AUTO_TEST_CASE(a_capture_and_a_swap_with_somebody_else) {
  const Played played = play({.cells = {1, 5, 9},
                              .players = 3,
                              .board = {.cells = 30, .powers = {{5, swap}}},
                              .rules = capturing},
                             {4});
  BOOST_TEST(played.line == "1 → 9, sends Bob back 5 → 1, changes places with Cy 5 → 9");
  check_cells(played.after, {9, 1, 5});
}

BOOST_AUTO_TEST_CASE(a_piece_that_enters_captures_and_meets_the_power_of_its_cell) {
  Rules rules = capturing;
  rules.start = 0;
  rules.enter = {6};
  const Played played = play(
      {.cells = {0, 6}, .board = {.cells = 30, .powers = {{6, shield, 1}}}, .rules = rules}, {6});
  BOOST_TEST(played.line == "0 → 6, sends Bob back 6 → 0, now has 1 shield");
  check_cells(played.after, {6, 0});
  BOOST_TEST((played.after.tallies.shields == counts({1})));
}

BOOST_AUTO_TEST_CASE(a_swap_leaves_turns_to_miss_with_the_players) {
  const Played played = play({.cells = {1, 9},
                              .skips = counts({0, 2}),
                              .board = {.cells = 30, .powers = {{5, swap}, {20, skip, 2}}}},
                             {4});
  BOOST_TEST(played.line == "1 → 9, changes places with Bob 5 → 9; Bob misses a turn");
  check_cells(played.after, {9, 5});
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_shields) {
  const Played played = play({.cells = {3, 1},
                              .shields = counts({2}),
                              .board = {.cells = 30, .powers = {{9, restart}, {20, shield, 2}}}},
                             {6});
  check_cells(played.after, {1, 1});
  BOOST_TEST((played.after.tallies.shields == counts({2})));
}

BOOST_AUTO_TEST_CASE(a_snake_that_ends_on_a_restart) {
  const Played played = play(
      {.cells = {14, 1}, .board = {.cells = 30, .snakes = {{18, 9}}, .powers = {{9, restart}}}},
      {4});
  BOOST_TEST(played.line == "14 → 1, down the snake 18 → 9, back to the start 9 → 1");
  check_cells(played.after, {1, 1});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sixes_that_give_another_turn)

const Rules each{.sixes = Sixes::each};

BOOST_AUTO_TEST_CASE(move_and_their_player_moves_again) {
  const Played played = play({.rules = each}, {6});
  BOOST_TEST(played.line == "1 → 7, has another turn");
  BOOST_TEST(int{played.after.next} == 0);
  BOOST_TEST(played.after.turn == 41);
}

BOOST_AUTO_TEST_CASE(other_numbers_hand_on) {
  const Played played = play({.rules = each}, {5});
  BOOST_TEST(played.line == "1 → 6");
  BOOST_TEST(int{played.after.next} == 1);
}

BOOST_AUTO_TEST_CASE(however_many_follow_each_other) {
  GameState state = begun({.board = {.cells = 100}, .rules = each}).state();
  for (int six = 1; six <= 10; ++six)
    state = evolve(state, decide(state, PlayTurn{0, {6}}).value()).value();
  check_cells(state.position, {61, 1});
  BOOST_TEST(int{state.position.next} == 0);
}

BOOST_AUTO_TEST_CASE(that_overshoot_stay_and_give_a_turn) {
  const Played played = play({.cells = {26, 1}, .rules = each}, {6});
  BOOST_TEST(played.line == "26 → 26, overshoots, stays, has another turn");
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(that_bring_no_piece_onto_the_board_give_a_turn) {
  const Played played =
      play({.cells = {0, 0}, .rules = {.start = 0, .sixes = Sixes::each, .enter = {1}}}, {6});
  BOOST_TEST(played.line == "0 → 0, can't enter, stays, has another turn");
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(that_win_give_none) {
  const Played played = play({.cells = {24, 1}, .rules = each}, {6});
  BOOST_TEST(played.line == "24 → 30, wins");
  BOOST_TEST(played.after.winner.has_value());
}

BOOST_AUTO_TEST_CASE(give_one_turn_where_a_power_gives_one_too) {
  const Played played = play({.board = {.cells = 30, .powers = {{7, again}}}, .rules = each}, {6});
  BOOST_TEST(played.line == "1 → 7, moves again");
  BOOST_TEST(int{played.after.next} == 0);
}

BOOST_AUTO_TEST_CASE(give_a_turn_that_may_be_one_to_miss) {
  const Scene scene{.cells = {1, 1, 1},
                    .players = 3,
                    .skips = counts({0, 1}),
                    .board = {.cells = 30, .powers = {{7, skip, 2}, {9, skip, 1}}},
                    .rules = each};
  const Given before = begun(scene);
  const Played played = play(before.state(), {6});
  BOOST_TEST(played.line == "1 → 7, misses 2 turns; Ann misses a turn; Bob misses a turn");
  BOOST_TEST(int{played.after.next} == 2);
  BOOST_TEST((played.after.tallies.skips == counts({1})));
}

BOOST_AUTO_TEST_CASE(are_missed_in_order_all_the_way_round) {
  const Scene scene{
      .skips = counts({0, 1}), .board = {.cells = 30, .powers = {{7, skip, 1}}}, .rules = each};
  const Played played = play(scene, {6});
  BOOST_TEST(played.line == "1 → 7, misses 1 turn; Ann misses a turn; Bob misses a turn");
  BOOST_TEST(int{played.after.next} == 0);
  const Played other =
      play({.cells = {3, 1}, .skips = scene.skips, .board = scene.board, .rules = each}, {4});
  BOOST_TEST(other.line == "3 → 7, misses 1 turn; Bob misses a turn; Ann misses a turn");
  BOOST_TEST(int{other.after.next} == 1);
}

BOOST_AUTO_TEST_CASE(are_undone_and_redone) {
  const auto setup = begun({.rules = each}).state().setup;
  const auto played = events_of(setup, {PlayTurn{0, {6}}, PlayTurn{0, {2}}});
  const Position after = test::given(played).state().position;
  const auto undone = events_of(setup, {PlayTurn{0, {6}}, PlayTurn{0, {2}}, UndoTurns{1}});
  BOOST_TEST(int{test::given(undone).state().position.next} == 0);
  const auto redone =
      events_of(setup, {PlayTurn{0, {6}}, PlayTurn{0, {2}}, UndoTurns{2}, RedoTurns{2}});
  BOOST_TEST(test::given(redone).state().position == after);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undoing_effects)

BOOST_AUTO_TEST_CASE(gives_back_pieces_shields_and_turns_to_miss) {
  const Scene scene{.cells = {3, 9, 14},
                    .players = 3,
                    .shields = counts({1, 2}),
                    .skips = counts({0, 1}),
                    .board = {.cells = 30, .powers = {{9, swap}, {20, shield, 3}, {21, skip, 1}}},
                    .rules = {.sixes = Sixes::plain, .meet = Meet::capture}};
  const Given before = begun(scene);
  const auto setup = before.state().setup;
  const auto events = events_of(setup, {PlayTurn{0, {6}}});
  const Position after = test::given(events).state().position;
  check_cells(after, {14, 1, 9});

  const auto undone = events_of(setup, {PlayTurn{0, {6}}, UndoTurns{1}});
  BOOST_TEST(test::given(undone).state().position == before.state().position);
  const auto redone = events_of(setup, {PlayTurn{0, {6}}, UndoTurns{1}, RedoTurns{1}});
  BOOST_TEST(test::given(redone).state().position == after);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(describing_powers)

BOOST_AUTO_TEST_CASE(every_fault_is_named_at_once) {
  const auto board = Board::make({.cells = 30,
                                  .snakes = {{17, 7}},
                                  .powers = {{0, again},
                                             {30, again},
                                             {17, swap},
                                             {9, skip},
                                             {10, shield, 4},
                                             {11, again, 1},
                                             {12, restart},
                                             {12, skip, 1}}});
  BOOST_REQUIRE(!board.has_value());
  std::vector<std::string> messages;
  for (const BoardFault& fault : board.error())
    messages.push_back(fault.message);
  const std::vector<std::string> expected{
      "power 0,again: a power is on a cell from 1 to 29",
      "power 30,again: the last cell has no power",
      "power 17,swap: the snake 17,7 starts on the same cell",
      "power 9,skip: skip takes a number from 1 to 3",
      "power 10,shield,4: shield takes a number from 1 to 3",
      "power 11,again,1: again takes no number",
      "power 12,skip,1: the power 12,restart is on the same cell"};
  BOOST_TEST(messages == expected, boost::test_tools::per_element());
  BOOST_TEST((board.error()[2].power == std::size_t{2}));
}

BOOST_AUTO_TEST_CASE(a_board_knows_its_powers_in_the_order_of_their_cells) {
  const Board board = board_of({.cells = 30, .powers = {{12, skip, 2}, {5, again}}});
  const std::vector<PowerCell> expected{{5, {again}}, {12, {skip, 2}}};
  BOOST_TEST((std::vector(board.powers().begin(), board.powers().end()) == expected));
  BOOST_TEST((*board.power_on(12) == Power{skip, 2}));
  BOOST_TEST(board.power_on(13) == nullptr);
  BOOST_TEST(!(board == board_of({.cells = 30})));
}

BOOST_AUTO_TEST_CASE(a_text_is_a_cell_a_power_and_its_number) {
  for (const char* text : {"12,again", "30,skip,2", "0,shield,9"})
    BOOST_TEST(to_string(power_from_text(text).value()) == text);
  for (const char* text : {"", "12", "12,", "12,jump", "x,again", "12,skip,", "12,skip,x",
                           "12,skip,1,2", "1 2,again", "12, skip, ", "12,,again"})
    BOOST_TEST_CONTEXT(text) BOOST_TEST(!power_from_text(text).has_value());
  BOOST_TEST(to_string(power_from_text(" 12, again ").value()) == "12,again");
  BOOST_TEST(to_string(power_from_text("30 , skip , 2").value()) == "30,skip,2");
}

BOOST_AUTO_TEST_CASE(rules_name_every_fault_of_their_lists) {
  const std::vector<std::string> faults =
      faults_of(Rules{.start = 1, .enter = {6, 1, 1, 7}, .safe = {3, 3}});
  const std::vector<std::string> expected{
      "enter 6,1,1,7: only pieces that start off the board enter it, with start 0",
      "enter 7: a die shows 1 to 6",
      "enter 6,1,1,7: list the numbers in ascending order",
      "enter 6,1,1,7: 1 is named twice",
      "safe 3,3: cells are safe only where pieces are captured, with meet capture",
      "safe 3,3: 3 is named twice"};
  BOOST_TEST(faults == expected, boost::test_tools::per_element());
  // However long the lists are, each sentence is short.
  const std::vector<std::int32_t> ones(100'000, 1);
  const std::vector<std::string> many = faults_of(Rules{.enter = ones, .safe = ones});
  BOOST_TEST(many.size() == 4U);
  for (const std::string& fault : many)
    BOOST_TEST(fault.size() < 300U, fault);
}

BOOST_AUTO_TEST_CASE(safe_cells_are_on_the_board) {
  const Rules rules{.meet = Meet::capture, .safe = {1, 2, 29, 30}};
  const std::vector<std::string> expected{"safe 1: on this board a safe cell is one from 2 to 29",
                                          "safe 30: on this board a safe cell is one from 2 to 29"};
  BOOST_TEST(faults_of_safe_cells(rules, 30) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
