// One move of one piece, for every way to finish and every jump that is allowed.
#include "domain/move.hpp"

#include "domain/turn_dice.hpp"
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace snl;
using snl::test::board_of;

namespace {

void check_move(const Move& move, const Move& expected, test::Here here = test::Here::current()) {
  BOOST_TEST_CONTEXT("line " << here.line()) {
    BOOST_TEST(move.landed == expected.landed);
    BOOST_TEST(move.to == expected.to);
    BOOST_TEST(move.outcome == expected.outcome);
  }
}

constexpr Rules exact{};
constexpr Rules overshoot{.finish = Finish::overshoot};
constexpr Rules bounce{.finish = Finish::bounce};

/// 100 cells with a snake from 98 and a ladder onto 100.
const Board& board() {
  static const Board made =
      board_of({.snakes = {{98, 79}, {17, 7}}, .ladders = {{3, 22}, {94, 100}}});
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moving_a_piece)

BOOST_AUTO_TEST_CASE(it_goes_forward_by_the_distance) {
  check_move(move_piece(board(), exact, 1, 5), {6, 6, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(from_off_the_board_the_first_cell_is_one_step_away) {
  check_move(move_piece(board(), exact, 0, 1), {1, 1, Outcome::moved});
  check_move(move_piece(board(), exact, 0, 3), {3, 22, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(a_ladder_takes_it_up_and_a_snake_down) {
  check_move(move_piece(board(), exact, 1, 2), {3, 22, Outcome::moved});
  check_move(move_piece(board(), exact, 10, 7), {17, 7, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(a_jump_is_taken_only_where_the_whole_move_lands) {
  check_move(move_piece(board(), exact, 1, 3), {4, 4, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(jumps_are_not_chained) {
  const Board chained = board_of({.snakes = {{17, 3}}, .ladders = {{3, 22}, {10, 17}}});
  check_move(move_piece(chained, exact, 8, 2), {10, 17, Outcome::moved});
  check_move(move_piece(chained, exact, 15, 2), {17, 3, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(a_piece_that_rests_where_a_jump_starts_walks_on) {
  const Board chained = board_of({.snakes = {{17, 3}}, .ladders = {{3, 22}, {10, 17}}});
  check_move(move_piece(chained, exact, 17, 1), {18, 18, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(a_jump_on_cell_1_is_an_ordinary_one_from_off_the_board) {
  const Board lld = board_of({.ladders = {{1, 38}}});
  check_move(move_piece(lld, exact, 0, 1), {1, 38, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(no_distance_is_a_forfeit) {
  check_move(move_piece(board(), exact, 17, 0), {17, 17, Outcome::forfeited});
  check_move(move_piece(board(), bounce, 99, 0), {99, 99, Outcome::forfeited});
}

BOOST_AUTO_TEST_CASE(reaching_the_end_wins_under_every_rule) {
  for (const Rules& rules : {exact, overshoot, bounce})
    check_move(move_piece(board(), rules, 97, 3), {100, 100, Outcome::won});
}

BOOST_AUTO_TEST_CASE(a_ladder_onto_the_end_wins_under_every_rule) {
  for (const Rules& rules : {exact, overshoot, bounce})
    check_move(move_piece(board(), rules, 90, 4), {94, 100, Outcome::won});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(moving_past_the_end)

BOOST_AUTO_TEST_CASE(is_not_done_under_exact) {
  check_move(move_piece(board(), exact, 97, 4), {97, 97, Outcome::blocked});
  check_move(move_piece(board(), exact, 99, 17), {99, 99, Outcome::blocked});
}

BOOST_AUTO_TEST_CASE(takes_no_jump_from_where_it_stays_under_exact) {
  check_move(move_piece(board(), exact, 98, 3), {98, 98, Outcome::blocked});
}

BOOST_AUTO_TEST_CASE(wins_on_the_last_cell_under_overshoot) {
  check_move(move_piece(board(), overshoot, 97, 4), {100, 100, Outcome::won});
  check_move(move_piece(board(), overshoot, 99, 17), {100, 100, Outcome::won});
}

BOOST_AUTO_TEST_CASE(comes_back_by_the_excess_under_bounce) {
  check_move(move_piece(board(), bounce, 97, 4), {99, 99, Outcome::moved});
  check_move(move_piece(board(), bounce, 99, 6), {95, 95, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(can_end_where_it_began_under_bounce) {
  check_move(move_piece(board(), bounce, 97, 6), {97, 97, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(takes_a_jump_where_it_comes_back_to) {
  check_move(move_piece(board(), bounce, 97, 5), {98, 79, Outcome::moved});
}

BOOST_AUTO_TEST_CASE(takes_a_ladder_onto_the_end_where_it_comes_back_to) {
  check_move(move_piece(board(), bounce, 97, 9), {94, 100, Outcome::won});
}

BOOST_AUTO_TEST_CASE(turns_at_both_ends_of_a_short_board) {
  const Board shortest = board_of({.cells = 2});
  const Board short_one = board_of({.cells = 4});
  for (const std::int32_t odd : {1, 3, 5, 17})
    check_move(move_piece(shortest, bounce, 1, odd), {2, 2, Outcome::won});
  for (const std::int32_t even : {2, 4, 16})
    check_move(move_piece(shortest, bounce, 1, even), {1, 1, Outcome::moved});
  check_move(move_piece(short_one, bounce, 1, 7), {2, 2, Outcome::moved});   // 4, 1, 2
  check_move(move_piece(short_one, bounce, 0, 10), {4, 4, Outcome::won});    // 4, 1, 4
  check_move(move_piece(short_one, bounce, 3, 17), {2, 2, Outcome::moved});  // 4, 1, 4, 1, 4, 1, 2
}

BOOST_AUTO_TEST_CASE(never_turns_on_cell_0) {
  const Board shortest = board_of({.cells = 2});
  check_move(move_piece(shortest, bounce, 0, 1), {1, 1, Outcome::moved});
  check_move(move_piece(shortest, bounce, 0, 3), {1, 1, Outcome::moved});
  check_move(move_piece(shortest, bounce, 0, 4), {2, 2, Outcome::won});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(listing_the_distances_of_a_turn)

BOOST_AUTO_TEST_CASE(a_lone_six_isnt_a_whole_turn_where_it_rolls_again) {
  const std::vector<std::int32_t> expected{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17};
  BOOST_TEST(distances_of(Rules{}) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_die_moves_1_to_its_faces) {
  const std::vector<std::int32_t> expected{1, 2, 3, 4};
  BOOST_TEST(distances_of({.faces = 4, .sixes = Sixes::plain}) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_dice_move_at_least_two) {
  const std::vector<std::int32_t> expected{2, 3, 4, 5, 6};
  BOOST_TEST(distances_of({.dice = 2, .faces = 3, .sixes = Sixes::plain}) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(outcomes_are_known_by_name) {
  BOOST_TEST(to_string(Outcome::moved) == "moved");
  BOOST_TEST(to_string(Outcome::blocked) == "blocked");
  BOOST_TEST(to_string(Outcome::forfeited) == "forfeited");
  BOOST_TEST(to_string(Outcome::won) == "won");
}

BOOST_AUTO_TEST_SUITE_END()
