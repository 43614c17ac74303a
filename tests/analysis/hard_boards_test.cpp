// Exact odds of boards that were made to be hard, against numbers of 113 bits that were found in
// another way (see race_oracle.hpp): whatever is printed is right to nine digits.
#include "hard_boards.hpp"

#include "domain/analysis/odds.hpp"
#include "race_oracle.hpp"
#include "tests/storage/torture.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>
#include <sstream>
#include <string>

using namespace snl;
using namespace snl::test;

namespace {

constexpr double tolerance = 1e-9;  // relative

/// What came of comparing numbers.
struct Tally {
  std::int64_t numbers = 0;
  std::int64_t wrong = 0;
  std::int64_t left_out = 0;

  void compare(const std::string& what, double value, double expected) {
    ++numbers;
    if (std::abs(value - expected) <= tolerance * std::abs(expected)) return;
    ++wrong;
    BOOST_ERROR(what << " is " << value << ", not " << expected);
  }
  void leave_out(std::size_t count) {
    numbers += static_cast<std::int64_t>(count);
    left_out += static_cast<std::int64_t>(count);
  }
};

void compare_race(const Race& race, const std::optional<std::vector<RaceOdds>>& races,
                  const RaceOdds& expected, Tally& tally) {
  const std::size_t players = race.cells.size();
  if (!races) return tally.leave_out(players + 2);
  const RaceOdds& odds = races->front();
  for (std::size_t seat = 0; seat < players; ++seat)
    tally.compare("chance to win of seat " + std::to_string(seat), odds.win[seat],
                  expected.win[seat]);
  tally.compare("chance that nobody ever wins", odds.never, expected.never);
  BOOST_TEST(odds.expected_turns.has_value() == expected.expected_turns.has_value());
  if (odds.expected_turns && expected.expected_turns)
    tally.compare("expected turns of all", *odds.expected_turns, *expected.expected_turns);
}

void compare_piece(const PieceOdds& odds, RaceOracle& oracle, Cell cell, Tally& tally) {
  const auto expected = oracle.piece(cell);
  const auto alone = oracle.race({.cells = {cell}, .to_move = 0});
  tally.compare("chance to finish", odds.finish_probability, alone->win[0]);
  BOOST_TEST(odds.expected_turns.has_value() == alone->expected_turns.has_value());
  if (odds.expected_turns && alone->expected_turns)
    tally.compare("expected turns of a piece", *odds.expected_turns, *alone->expected_turns);
  if (odds.median_turns) {
    BOOST_TEST(expected->median.has_value());
    if (!expected->median) return;
    tally.compare("median", static_cast<double>(*odds.median_turns),
                  static_cast<double>(*expected->median));
  } else if (expected->median) {
    tally.leave_out(1);
  }
}

std::string question(const HardBoard& hard, const Race& race) {
  std::ostringstream text;
  text << hard << " --to-move " << race.to_move + 1 << " --positions ";
  for (std::size_t i = 0; i < race.cells.size(); ++i)
    text << (i > 0 ? "," : "") << race.cells[i];
  return text.str();
}

/// One piece and one race of one to five players; those that would take the oracle too long are
/// left alone.
void compare(std::uint64_t seed, Tally& tally) {
  constexpr double most_work = 4e6;
  const HardBoard hard = hard_board(seed);
  std::size_t players = 1 + seed % 5;
  const Race race = hard_race(hard, players, seed);
  RaceOracle oracle(hard.board, hard.rules, race.cells);
  if (oracle.work(players) > most_work) return;
  BOOST_TEST_CONTEXT("board " << seed << ": " << question(hard, race)) {
    const auto expected = oracle.race(race);
    if (!expected) return;
    const Cell piece = race.cells[race.to_move];
    const auto odds = odds_of(hard.board, hard.rules, {.piece = piece, .races = {race}});
    if (!odds) return tally.leave_out(players + 5);
    if (!odds->races)
      BOOST_TEST_MESSAGE(seed << ": " << odds->why_no_races << ' ' << question(hard, race));
    compare_race(race, odds->races, *expected, tally);
    compare_piece(*odds->piece, oracle, piece, tally);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(odds_of_hard_boards)

BOOST_AUTO_TEST_CASE(are_right_to_nine_digits) {
  Tally tally;
  const std::uint64_t boards = 400 * torture_factor();
  for (std::uint64_t seed = 1; seed <= boards; ++seed)
    compare(seed, tally);
  print_torture("odds of hard boards, numbers",
                {.tried = tally.numbers, .lost = tally.left_out, .undetected = tally.wrong});
  BOOST_TEST(tally.wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
