#include "domain/analysis/throw_odds.hpp"

#include "domain/dice.hpp"
#include "domain/turn_dice.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <map>

using namespace snl;

namespace {

/// The odds, by throwing every possible sequence of dice.
std::map<std::int32_t, double> odds_by_counting(const Rules& rules) {
  std::map<std::int32_t, double> odds;
  std::vector<std::int32_t> thrown;
  const std::function<void(double)> go_on = [&](double probability) {
    const bool rolls_again = rules.sixes == Sixes::again && thrown.back() == 6 && thrown.size() < 3;
    if (rolls_again || thrown.size() < static_cast<std::size_t>(rules.dice)) {
      for (std::int32_t face = 1; face <= rules.faces; ++face) {
        thrown.push_back(face);
        go_on(probability / rules.faces);
        thrown.pop_back();
      }
    } else {
      odds[*distance_of(Dice(thrown), rules)] += probability;
    }
  };
  for (std::int32_t face = 1; face <= rules.faces; ++face) {
    thrown = {face};
    go_on(1.0 / rules.faces);
  }
  return odds;
}

void check(const Rules& rules) {
  const auto counted = odds_by_counting(rules);
  const auto odds = throw_odds(rules);
  BOOST_REQUIRE_EQUAL(odds.size(), counted.size());
  for (const auto& [distance, probability] : odds) {
    BOOST_TEST_CONTEXT("distance " << distance) {
      BOOST_REQUIRE(counted.contains(distance));
      BOOST_TEST(std::abs(probability - counted.at(distance)) < 1e-15);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_odds_of_a_throw)

BOOST_AUTO_TEST_CASE(are_those_of_every_sequence_of_dice) {
  check({});
  for (const std::int32_t faces : {2, 3, 6, 12, 100}) {
    check({.faces = faces, .sixes = Sixes::plain});
    check({.dice = 2, .faces = faces, .sixes = Sixes::plain});
  }
}

BOOST_AUTO_TEST_SUITE_END()
