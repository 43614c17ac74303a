// Races in which pieces meet, on random boards with powers: exact odds against simulated games. The
// two share the order of a turn's parts, but no equation.
#include "domain/analysis/odds.hpp"
#include "domain/analysis/simulation.hpp"
#include "tests/analysis/choice.hpp"
#include "tests/storage/torture.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

using namespace snl;
using namespace snl::test;

namespace {

constexpr double standard_errors = 5;

class RandomMeeting : public Choice {
 public:
  using Choice::Choice;

  /// A jump on one cell in ten, a power on one in six.
  Board board() {
    BoardDescription description{.cells = among(12, 60)};
    for (std::int64_t cell = 2; cell < description.cells; ++cell) {
      const std::int64_t to = among(1, description.cells);
      if (among(1, 10) == 1 && to != cell) {
        (to < cell ? description.snakes : description.ladders).push_back({cell, to});
      } else if (among(1, 6) == 1) {
        const auto kind =
            power_kinds.at(static_cast<std::size_t>(among(0, std::ssize(power_kinds) - 1)));
        DescribedPower power{.cell = cell, .kind = kind};
        if (has_number(kind)) power.n = among(1, max_seat_count);
        description.powers.push_back(power);
      }
    }
    return Board::make(description).value();
  }

  Rules rules() {
    Rules rules{.start = static_cast<Cell>(among(0, 1)),
                .finish = static_cast<Finish>(among(0, 2)),
                .meet = among(0, 2) == 0 ? Meet::share : Meet::capture};
    if (among(0, 2) > 0) {
      rules.sixes = Sixes::plain;
      rules.faces = static_cast<std::int32_t>(among(3, 8));
      rules.dice = static_cast<std::int32_t>(among(1, 2));
    } else if (one_in(2)) {
      rules.sixes = Sixes::each;
    }
    if (rules.start == 0 && among(0, 1) == 0) rules.enter = {1, rules.faces};
    return rules;
  }
};

/// The result of comparing a race's odds with `games` simulated games.
struct Compared {
  std::size_t numbers = 0;
  std::size_t wrong = 0;

  void take(const char* what, double found, double expected, double standard_error) {
    ++numbers;
    const bool is_near = std::abs(found - expected) <= standard_errors * standard_error + 1e-12;
    if (!is_near) ++wrong;
    BOOST_TEST(is_near, what << ": " << found << " isn't " << expected);
  }
};

void compare(std::uint64_t seed, Compared& compared) {
  RandomMeeting draw(seed);
  const Board board = draw.board();
  const Rules rules = draw.rules();
  const std::size_t players = board.cells() < 18 ? 3 : 2;
  const auto odds =
      odds_of(board, rules, {.races = {{.cells = std::vector<Cell>(players, rules.start)}}});
  BOOST_REQUIRE(odds.has_value());
  BOOST_REQUIRE_MESSAGE(odds->races, odds->why_no_races);
  const RaceOdds& exact = odds->races->front();
  SimulationPlan plan{.board = board, .rules = rules, .players = players};
  plan.games = 10'000;
  plan.seed = seed;
  plan.max_turns = 20'000;
  // Simulations that are cut off would say nothing about the games that end.
  if (exact.never == 0 && *exact.expected_turns > 1'000) return;
  const SimulationResult simulated = simulate(plan);
  const auto games = static_cast<double>(plan.games);
  const auto take_chance = [&](const char* what, std::uint64_t count, double chance) {
    compared.take(what, static_cast<double>(count) / games, chance,
                  std::sqrt(std::max(0.0, chance * (1 - chance)) / games));
  };
  for (std::size_t seat = 0; seat < players; ++seat)
    take_chance("a chance to win", simulated.wins[seat], exact.win[seat]);
  take_chance("that nobody wins", simulated.unfinished, exact.never);
  if (!exact.expected_turns) return;
  const auto turns = *simulated.turns.statistics();
  compared.take("turns", turns.mean, *exact.expected_turns, turns.stddev / std::sqrt(games));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulated_races_in_which_pieces_meet)

BOOST_AUTO_TEST_CASE(come_out_as_their_exact_odds_say) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it
  const bool is_torture = std::getenv("SNL_TORTURE") != nullptr;
  const std::size_t boards = is_torture ? 1000 * torture_factor() : 24;
  Compared compared;
  for (std::uint64_t seed = 1; seed <= boards; ++seed)
    BOOST_TEST_CONTEXT("seed " << seed) {
      compare(seed, compared);
    }
  print_torture("odds of races in which pieces meet",
                {.tried = static_cast<std::int64_t>(compared.numbers),
                 .undetected = static_cast<std::int64_t>(compared.wrong)});
}

BOOST_AUTO_TEST_SUITE_END()
