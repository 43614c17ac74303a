// Exact odds of boards that were made to be hard, against 113-bit numbers from another method (see
// race_oracle.hpp): every printed number is right to nine digits.
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

/// The result of comparing numbers.
struct Tally {
  std::int64_t numbers = 0;
  std::int64_t wrong = 0;
  std::int64_t left_out = 0;

  void compare(const std::string& what, double value, double expected) {
    ++numbers;
    if (std::abs(value - expected) <= tolerance * std::abs(expected)) return;
    if (value == 0 && expected < as_good_as_none) return;
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

void compare_rows(const PieceOdds& odds, const std::vector<double>& finishes_with, Tally& tally) {
  const auto& rows = *odds.distribution;
  for (std::size_t exponent = 0; exponent < finishes_with.size(); ++exponent) {
    const std::int64_t row = (std::int64_t{1} << exponent) + 1 - odds.fewest_turns.value_or(0);
    if (row >= 0 && row < std::ssize(rows))
      tally.compare("chance to finish with turn 2^" + std::to_string(exponent) + " + 1",
                    rows[static_cast<std::size_t>(row)].probability, finishes_with[exponent]);
  }
}

void compare_piece(const PieceOdds& odds, RaceOracle& oracle, Cell cell, Tally& tally) {
  const auto expected = oracle.piece(cell);
  const auto alone = oracle.race({.cells = {cell}, .to_move = 0});
  tally.compare("chance to finish", odds.finish_probability, expected->finishes);
  BOOST_TEST(odds.expected_turns.has_value() == alone->expected_turns.has_value());
  if (odds.expected_turns && alone->expected_turns)
    tally.compare("expected turns of a piece", *odds.expected_turns, *alone->expected_turns);
  if (expected->stddev)
    tally.compare("their deviation", odds.stddev_turns.value(), *expected->stddev);
  if (odds.median_turns)
    tally.compare("median", static_cast<double>(*odds.median_turns),
                  static_cast<double>(expected->median.value()));
  else if (expected->median)
    tally.leave_out(1);
  if (odds.distribution)
    compare_rows(odds, expected->finishes_with, tally);
  else
    tally.leave_out(1);
}

std::string question(const HardBoard& hard, const Race& race) {
  std::ostringstream text;
  text << hard << " --to-move " << race.to_move + 1 << " --positions ";
  for (std::size_t i = 0; i < race.cells.size(); ++i)
    text << (i > 0 ? "," : "") << race.cells[i];
  return text.str();
}

void compare(const HardBoard& hard, const Race& race, RaceOracle& oracle, Tally& tally) {
  const auto expected = oracle.race(race);
  if (!expected) return;
  const Cell piece = race.cells[race.to_move];
  const auto odds = odds_of(hard.board, hard.rules, {.piece = piece, .races = {race}});
  if (!odds) return tally.leave_out(race.cells.size() + 5);
  BOOST_TEST_CONTEXT(question(hard, race)) {
    compare_race(race, odds->races, *expected, tally);
    compare_piece(*odds->piece, oracle, piece, tally);
  }
}

void compare(const HardBoard& hard, const Race& race, Tally& tally) {
  RaceOracle oracle(hard.board, hard.rules, race.cells);
  compare(hard, race, oracle, tally);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(odds_of_hard_boards)

// One piece and one race of one to five players on each board. Races that would take the oracle too
// long are skipped.
BOOST_AUTO_TEST_CASE(are_right_to_nine_digits) {
  constexpr double most_work = 4e6;
  Tally tally;
  const std::uint64_t boards = 400 * torture_factor();
  for (std::uint64_t seed = 1; seed <= boards; ++seed) {
    const HardBoard hard = hard_board(seed);
    const Race race = hard_race(hard, 1 + seed % 5, seed);
    RaceOracle oracle(hard.board, hard.rules, race.cells);
    if (oracle.work(race.cells.size()) <= most_work) compare(hard, race, oracle, tally);
  }
  // The column of acknowledged turns counts numbers here: all except those that are left out.
  print_torture("numbers of hard boards' odds", {.tried = tally.numbers,
                                                 .acknowledged = tally.numbers - tally.left_out,
                                                 .undetected = tally.wrong});
  BOOST_TEST(tally.wrong == 0);
  BOOST_TEST(tally.left_out * 100 <= tally.numbers);
}

// About every 14 turns, six cells or one lead on from each of seven places: at even turns to a
// place, at odd turns between two places. Probabilities fall in steps of two turns, for 10^6 turns.
BOOST_AUTO_TEST_CASE(are_right_where_cells_are_visited_in_turns) {
  BoardDescription description{.cells = 115};
  for (std::int64_t place = 1; place < 99; place += 14) {
    for (std::int64_t cell = place + 1; cell < place + 6; ++cell)
      description.ladders.push_back({cell, 107});
    description.ladders.push_back({place + 6, place + 7});
    for (std::int64_t cell = place + 8; cell < place + 14; ++cell)
      description.ladders.push_back({cell, place + 14});
  }
  for (std::int64_t cell = 100; cell < 106; ++cell)
    description.ladders.push_back({cell, 115});
  for (std::int64_t cell = 108; cell < 114; ++cell)
    description.snakes.push_back({cell, 1});
  const HardBoard hard{
      .board = *Board::make(description), .rules = {.sixes = Sixes::plain}, .cells = {1, 107}};
  Tally tally;
  for (const Race& race :
       {Race{.cells = {1, 107}, .to_move = 0}, Race{.cells = {1, 1}, .to_move = 0},
        Race{.cells = {107, 1}, .to_move = 0}})
    compare(hard, race, tally);
  BOOST_TEST(tally.wrong == 0);
  BOOST_TEST(tally.left_out == 0);
  const auto odds = odds_of(hard.board, hard.rules, {.races = {{.cells = {1, 107}, .to_move = 0}}});
  BOOST_TEST(std::abs(odds->races->front().win[0] - 0.500000744) < 1e-9);
}

// Most pieces finish within some hundred turns. One in 10^6 needs 10^11 turns.
BOOST_AUTO_TEST_CASE(are_right_where_few_pieces_take_long) {
  BoardDescription description{.cells = 223};
  for (std::int64_t cell = 2; cell < 223; ++cell) {
    if (cell % 6 == 1) continue;
    if (cell < 19) description.snakes.push_back({cell, 1});
    if (cell > 19 && cell < 103) description.ladders.push_back({cell, 223});
    if (cell > 103) description.snakes.push_back({cell, 103});
  }
  const HardBoard hard{
      .board = *Board::make(description), .rules = {.sixes = Sixes::plain}, .cells = {1}};
  Tally tally;
  compare(hard, {.cells = {1}, .to_move = 0}, tally);
  compare(hard, {.cells = {1, 1}, .to_move = 0}, tally);
  BOOST_TEST(tally.wrong == 0);
  BOOST_TEST(tally.left_out == 0);
}

BOOST_AUTO_TEST_SUITE_END()
