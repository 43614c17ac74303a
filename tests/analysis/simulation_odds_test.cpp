// Simulated means against the exact ones: two implementations that share only move_piece.
#include "domain/analysis/odds.hpp"
#include "domain/analysis/simulation.hpp"
#include "tests/analysis/choice.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

using namespace snl;

namespace {

constexpr double standard_errors = 4;

class RandomGame : public test::Choice {
 public:
  using Choice::Choice;

  /// 20 to 200 cells, a jump on one in eight.
  Board board() {
    BoardDescription description{.cells = among(20, 200)};
    std::set<std::int64_t> used;
    while (std::cmp_less(used.size(), description.cells / 8)) {
      const std::int64_t from = among(2, description.cells - 1);
      const std::int64_t to = among(1, description.cells);
      if (to == from || !used.insert(from).second) continue;
      (to < from ? description.snakes : description.ladders).push_back({from, to});
    }
    return *Board::make(description);
  }

  Rules rules() {
    Rules rules{.start = static_cast<Cell>(among(0, 1)),
                .finish = static_cast<Finish>(among(0, 2))};
    if (among(0, 2) == 0) return rules;  // sixes again
    rules.sixes = Sixes::plain;
    rules.faces = static_cast<std::int32_t>(among(3, 12));
    rules.dice = rules.finish == Finish::exact ? 1 : static_cast<std::int32_t>(among(1, 2));
    return rules;
  }
};

void check(std::uint64_t seed) {
  RandomGame draw(seed);
  const Board board = draw.board();
  const Rules rules = draw.rules();
  const auto players = static_cast<std::size_t>(draw.among(2, 5));
  const auto odds = odds_of(
      board, rules, {.races = {{.cells = std::vector<Cell>(players, rules.start), .to_move = 0}}});
  BOOST_REQUIRE(odds);
  const RaceOdds& exact = odds->races->front();
  BOOST_REQUIRE(exact.expected_turns);

  SimulationPlan plan{.board = board, .rules = rules, .players = players};
  plan.games = 20'000;
  plan.seed = seed;
  plan.max_turns = 1'000'000;
  const SimulationResult simulated = simulate(plan);
  BOOST_REQUIRE_EQUAL(simulated.unfinished, 0U);
  const auto games = static_cast<double>(plan.games);
  const auto turns = *simulated.turns.statistics();
  BOOST_TEST(std::abs(turns.mean - *exact.expected_turns) <=
                 standard_errors * turns.stddev / std::sqrt(games),
             turns.mean << " isn't " << *exact.expected_turns);
  for (std::size_t seat = 0; seat < players; ++seat) {
    const double share = static_cast<double>(simulated.wins[seat]) / games;
    const double chance = exact.win[seat];
    BOOST_TEST(
        std::abs(share - chance) <= standard_errors * std::sqrt(chance * (1 - chance) / games),
        "seat " << seat << ": " << share << " isn't " << chance);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulated_games)

BOOST_AUTO_TEST_CASE(come_out_as_the_exact_odds_say_on_50_random_boards) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    BOOST_TEST_CONTEXT("seed " << seed) {
      check(seed);
    }
}

BOOST_AUTO_TEST_SUITE_END()
