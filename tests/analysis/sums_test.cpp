// The building blocks of the sums for exact odds. Each states its own accuracy.
#include "domain/analysis/absorption.hpp"
#include "domain/analysis/leaps.hpp"
#include "domain/analysis/race_sums.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace snl;

namespace {

constexpr Cell first = 1;

/// The chain of pieces on the board of the class, on which every piece finishes.
struct Chained {
  Board board = find_named_board("class")->board();
  Chain chain{board, Rules{}, {&first, 1}};
  Absorption absorption = Absorption::make(chain).value();
  CellValues every_turn = CellValues(chain.size(), 1);
};

}  // namespace

BOOST_AUTO_TEST_SUITE(what_odds_are_summed_with)

BOOST_AUTO_TEST_CASE(calls_no_solution_good_that_is_no_number) {
  const Chained chained;
  CellValues turns = chained.absorption.solve(chained.every_turn);
  BOOST_TEST(chained.absorption.residual(turns, chained.every_turn) < 1e-14);
  turns[first] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(!(chained.absorption.residual(turns, chained.every_turn) < 1));
}

// A few numbers stand for many. The mean of every promised power over the few must be that over
// all, where numbers are measured from the middle, in halves of the range.
BOOST_AUTO_TEST_CASE(takes_few_terms_for_all_of_a_polynomial) {
  for (const std::int64_t count : {96, 97, 100, 250, 1000, 100'000}) {
    const auto samples = Leaps::samples(count);
    BOOST_TEST(samples.size() == 24U);
    const auto power = [&](std::int64_t number, int exponent) {
      const auto length = static_cast<double>(count);
      return std::pow((2 * static_cast<double>(number) + 1) / length - 1, exponent);
    };
    for (int exponent = 0; exponent < Leaps::samples_of_a_stretch; ++exponent) {
      double all = 0;
      for (std::int64_t number = 0; number < count; ++number)
        all += power(number, exponent);
      double few = 0;
      for (const auto& [number, weight] : samples)
        few += weight * power(number, exponent);
      BOOST_TEST(std::abs(few - all) <= 1e-11 * static_cast<double>(count),
                 count << " numbers, power " << exponent << ": " << few << ", not " << all);
    }
  }
}

// A number whose error may be more than one in its tenth digit is no answer.
BOOST_AUTO_TEST_CASE(leaves_out_a_race_whose_sums_are_not_sure) {
  const Chained chained;
  const CellValues turns = chained.absorption.solve(chained.every_turn);
  Outlook outlook{.ever = CellValues(chained.chain.size()),
                  .never = CellValues(chained.chain.size()),
                  .longest = *std::ranges::max_element(turns)};
  for (std::size_t cell = 0; cell < chained.chain.size(); ++cell)
    outlook.ever[cell] = chained.chain.live()[cell] ? 1 : 0;
  const auto odds_if_off_by = [&](double by) {
    RaceSums race({.cells = {first, first}}, chained.chain, outlook);
    Countdown now(chained.chain, outlook.ever);
    race.add_uncertainty(by, now, 1);
    for (; !race.is_over(); race.look_ahead(now)) {
      now.advance();
      race.add(now);
    }
    return std::move(race).odds();
  };
  const std::optional<RaceOdds> sure = odds_if_off_by(0);
  BOOST_REQUIRE(sure);
  BOOST_TEST(std::abs(sure->win[0] + sure->win[1] - 1) < 1e-12);
  BOOST_TEST(sure->win[0] > sure->win[1]);
  BOOST_TEST((odds_if_off_by(1e-12) == sure));
  BOOST_TEST(!odds_if_off_by(1e-9).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
