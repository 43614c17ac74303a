// Races in which pieces meet: known answers, boards on which the fate of one piece says nothing
// about the game, and refusals. Where pieces don't meet, the same equations must give the answers
// that follow from each piece's own odds.
#include "domain/analysis/joint_odds.hpp"

#include "domain/named_boards.hpp"
#include "domain/reachability.hpp"
#include "tests/analysis/choice.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

using namespace snl;

namespace {

Race race_from(Cell start, std::size_t players) {
  return {.cells = std::vector<Cell>(players, start)};
}

RaceOdds race_on(const Board& board, const Rules& rules, std::size_t players = 2) {
  const auto odds = odds_of(board, rules, {.races = {race_from(rules.start, players)}});
  BOOST_REQUIRE(odds.has_value());
  BOOST_REQUIRE_MESSAGE(odds->races, odds->why_no_races);
  return odds->races->front();
}

const Rules coin_and_captures{.faces = 2, .sixes = Sixes::plain, .meet = Meet::capture};

/// The second player moves to the cell of the first, and so on.
Board endless() {
  return Board::make({.cells = 4, .ladders = {{2, 3}}}).value();
}
/// A piece on cell 2 moves to 3 and 4 and by snakes back again, until it is captured.
Board freeing() {
  return Board::make({.cells = 9, .snakes = {{6, 5}, {7, 2}}, .ladders = {{2, 6}}}).value();
}

bool agrees_with(double value, double expected) {
  return std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

class RandomRace : public test::Choice {
 public:
  using Choice::Choice;

  Board board() {
    BoardDescription description{.cells = among(6, 40)};
    std::set<std::int64_t> used;
    while (std::cmp_less(used.size(), description.cells / 5)) {
      const std::int64_t from = among(2, description.cells - 1);
      const std::int64_t to = among(1, description.cells);
      if (to == from || !used.insert(from).second) continue;
      (to < from ? description.snakes : description.ladders).push_back({from, to});
    }
    return Board::make(description).value();
  }

  Rules rules() {
    Rules rules{.start = static_cast<Cell>(among(0, 1)),
                .finish = static_cast<Finish>(among(0, 2))};
    if (among(0, 2) == 0) return rules;  // sixes again
    rules.sixes = Sixes::plain;
    rules.faces = static_cast<std::int32_t>(among(2, 9));
    rules.dice = static_cast<std::int32_t>(among(1, 2));
    return rules;
  }
};

void check_same(const RaceOdds& joint, const RaceOdds& each) {
  for (std::size_t seat = 0; seat < each.win.size(); ++seat)
    BOOST_TEST(agrees_with(joint.win[seat], each.win[seat]),
               joint.win[seat] << ", not " << each.win[seat]);
  BOOST_TEST(agrees_with(joint.never, each.never));
  BOOST_TEST(joint.expected_turns.has_value() == each.expected_turns.has_value());
  if (!joint.stddev_turns && each.stddev_turns)  // almost nothing
    BOOST_TEST(*each.stddev_turns < 1e-6 * *each.expected_turns);
  if (each.expected_turns) BOOST_TEST(agrees_with(*joint.expected_turns, *each.expected_turns));
  if (joint.stddev_turns && each.stddev_turns)
    BOOST_TEST(std::abs(*joint.stddev_turns - *each.stddev_turns) < 1e-7 * *each.expected_turns);
  BOOST_TEST((joint.quantiles == each.quantiles));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_race_in_which_pieces_meet)

// The second one was found by a prototype too, and 30 million simulated games say 50.605 ± 0.009.
BOOST_AUTO_TEST_CASE(has_known_odds) {
  const RaceOdds party = race_on(find_named_board("party")->board(), {});
  BOOST_TEST(std::round(1e6 * party.win[0]) == 506132);
  BOOST_TEST(std::round(1e6 * party.win[1]) == 493868);
  BOOST_TEST(party.never == 0);
  const RaceOdds captures =
      race_on(find_named_board("class")->board(), {.sixes = Sixes::plain, .meet = Meet::capture});
  BOOST_TEST(std::round(1e6 * captures.win[0]) == 506006);
}

BOOST_AUTO_TEST_CASE(that_is_won_is_certain) {
  const auto odds =
      odds_of(endless(), coin_and_captures, {.races = {{.cells = {3, 4}}}, .quantiles = {0.5}});
  BOOST_TEST(
      (odds->races->front() ==
       RaceOdds{
           .win = {0, 1}, .never = 0, .expected_turns = 0, .stddev_turns = 0, .quantiles = {0}}));
}

BOOST_AUTO_TEST_CASE(may_never_end_though_each_piece_surely_finishes_alone) {
  BOOST_TEST(!stranding_cell(endless(), coin_and_captures, 1));
  BOOST_TEST(may_never_end(endless(), coin_and_captures, 2).value());
  const RaceOdds race = race_on(endless(), coin_and_captures);
  BOOST_TEST(race.never == 1);
  BOOST_TEST(race.win[0] == 0);
  BOOST_TEST(!race.expected_turns);
}

BOOST_AUTO_TEST_CASE(surely_ends_though_a_piece_gets_stuck_until_it_is_captured) {
  BOOST_TEST(stranding_cell(freeing(), coin_and_captures, 1).has_value());
  BOOST_TEST(!may_never_end(freeing(), coin_and_captures, 2).value());
  const RaceOdds race = race_on(freeing(), coin_and_captures);
  BOOST_TEST(race.never == 0);
  BOOST_TEST(agrees_with(race.win[0] + race.win[1], 1));
  BOOST_TEST(race.expected_turns.has_value());
}

BOOST_AUTO_TEST_CASE(is_refused_by_its_size_alone) {
  const Board party = find_named_board("party")->board();
  const Rules plain{.sixes = Sixes::plain};
  const auto odds = odds_of(party, plain, {.piece = 1, .races = {race_from(1, 5)}});
  BOOST_REQUIRE(odds.has_value());
  BOOST_TEST(odds->piece->finish_probability == 1);
  BOOST_TEST(!odds->races);
  BOOST_TEST(odds->why_no_races ==
             "pieces of this race may stand in more than 1,500,000 ways, and perhaps in as "
             "many as 38,757,210,793,632: exact odds are worked out for up to 1,500,000");
  BOOST_TEST(!may_never_end(party, plain, 5).has_value());
  BOOST_TEST(
      race_on(Board::make({.cells = 9, .powers = {{.cell = 5, .kind = PowerKind::swap}}}).value(),
              plain, 5)
          .win.size() == 5U);
}

BOOST_AUTO_TEST_CASE(has_the_odds_of_one_without_a_rule_that_cannot_act) {
  BoardDescription board{.cells = 30, .snakes = {{17, 7}}, .ladders = {{5, 12}}};
  Rules rules{.sixes = Sixes::plain};
  const RaceOdds expected = race_on(Board::make(board).value(), rules, 6);
  board.powers.push_back({.cell = 1, .kind = PowerKind::swap});
  rules.meet = Meet::capture;
  for (Cell cell = 2; cell < 30; ++cell)
    rules.safe.push_back(cell);
  check_same(race_on(Board::make(board).value(), rules, 6), expected);
}

BOOST_AUTO_TEST_CASE(has_the_odds_of_each_piece_where_none_meet) {
  RandomRace choice(33);
  for (int round = 0; round < 300; ++round)
    BOOST_TEST_CONTEXT("round " << round) {
      const Board board = choice.board();
      const Rules rules = choice.rules();
      const auto cell = [&] {
        return static_cast<Cell>(choice.among(rules.start, board.cells() - 1));
      };
      OddsQuestion question{.races = {race_from(rules.start, 2)}, .quantiles = {0.1, 0.5, 0.9}};
      question.races.push_back({.cells = {cell(), cell()}, .to_move = 1});
      if (board.cells() < 12) question.races = {{.cells = {cell(), cell(), cell()}, .to_move = 2}};
      const auto each = odds_of(board, rules, question);
      BOOST_REQUIRE(each.has_value());
      if (!each->races) continue;
      const auto joint = joint_odds(board, rules, question.races, question);
      BOOST_REQUIRE(joint.has_value());
      for (std::size_t i = 0; i < joint->size(); ++i)
        check_same((*joint)[i], (*each->races)[i]);
    }
}

BOOST_AUTO_TEST_SUITE_END()
