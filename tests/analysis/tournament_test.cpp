#include "domain/analysis/tournament.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

using namespace snl;

namespace {

std::vector<std::size_t> order_of(const std::vector<Standing>& table) {
  std::vector<std::size_t> order;
  for (const Standing& standing : table)
    order.push_back(standing.entrant);
  return order;
}

using enum TieBreak;

/// The order, and the criterion that put each player below the one above.
void check_order(std::size_t entrants, const std::vector<MatchResult>& results,
                 const std::vector<std::size_t>& expected,
                 const std::vector<std::optional<TieBreak>>& below_by) {
  const std::vector<Standing> table = standings(entrants, results);
  BOOST_TEST(order_of(table) == expected, boost::test_tools::per_element());
  for (std::size_t rank = 0; rank < table.size(); ++rank)
    BOOST_CHECK_MESSAGE(table[rank].below_by == below_by[rank], "rank " << rank + 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_round_robin)

BOOST_AUTO_TEST_CASE(brings_every_pair_together_once) {
  for (std::size_t entrants = 2; entrants <= 13; ++entrants) {
    std::set<std::pair<std::size_t, std::size_t>> met;
    for (const auto& [first, second] : round_robin(entrants, 0)) {
      BOOST_TEST(first < entrants);
      BOOST_TEST(second < entrants);
      BOOST_TEST(met.insert(std::minmax({first, second})).second);
    }
    BOOST_TEST(met.size() == entrants * (entrants - 1) / 2);
  }
}

BOOST_AUTO_TEST_CASE(lets_nobody_begin_much_more_often_than_follow) {
  for (std::size_t entrants = 2; entrants <= 13; ++entrants) {
    for (std::size_t round = 0; round < 2; ++round) {
      std::map<std::size_t, int> balance;
      for (const auto& [first, second] : round_robin(entrants, round)) {
        ++balance[first];
        --balance[second];
      }
      for (const auto& [entrant, difference] : balance)
        BOOST_TEST(std::abs(difference) <= 1, entrant << " of " << entrants << ": " << difference);
    }
  }
}

BOOST_AUTO_TEST_CASE(turns_the_tables_in_every_next_round) {
  const auto first = round_robin(5, 0);
  const auto second = round_robin(5, 1);
  BOOST_REQUIRE_EQUAL(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    BOOST_TEST((second[i] == Pairing{first[i].second, first[i].first}));
  BOOST_TEST((round_robin(5, 2) == first));
}

BOOST_AUTO_TEST_CASE(lets_nobody_play_twice_before_all_others_have_played) {
  const auto pairings = round_robin(6, 0);
  for (std::size_t step = 0; step < 5; ++step) {
    std::set<std::size_t> playing;
    for (std::size_t i = 0; i < 3; ++i) {
      playing.insert(pairings[3 * step + i].first);
      playing.insert(pairings[3 * step + i].second);
    }
    BOOST_TEST(playing.size() == 6U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(standings_of_a_tournament)

BOOST_AUTO_TEST_CASE(count_what_was_played) {
  const auto table = standings(
      3, std::vector<MatchResult>{
             {{0, 1}, 1, 40}, {{2, 0}, 2, 10}, {{1, 2}, 1, 20}, {{0, 2}, std::nullopt, 2000}});
  BOOST_REQUIRE_EQUAL(table.size(), 3U);
  BOOST_TEST(table[0].entrant == 1U);
  BOOST_TEST(table[0].won == 2);
  BOOST_TEST(table[0].turns_of_wins == 60);
  BOOST_TEST(table[0].points() == 2);
  BOOST_TEST(table[1].entrant == 2U);
  BOOST_TEST(table[1].points() == 1.5);
  BOOST_TEST(table[1].lost == 1);
  BOOST_TEST(table[2].entrant == 0U);
  BOOST_TEST(table[2].played() == 3);
  BOOST_TEST(table[2].drawn == 1);
}

BOOST_AUTO_TEST_CASE(break_a_tie_by_the_matches_of_those_who_are_level) {
  // 0 and 3 have two points each; 3 beat 0, however many turns it took.
  check_order(4,
              {{{0, 1}, 0, 9}, {{0, 2}, 0, 9}, {{3, 0}, 3, 900}, {{3, 1}, 3, 900}, {{2, 3}, 2, 9}},
              {3, 0, 2, 1}, {std::nullopt, points_against_each_other, std::nullopt, std::nullopt});
}

BOOST_AUTO_TEST_CASE(break_it_then_by_the_turns_that_a_win_took) {
  check_order(3, {{{0, 1}, 0, 50}, {{1, 2}, 1, 30}, {{2, 0}, 2, 40}}, {1, 2, 0},
              {std::nullopt, turns_of_a_win, turns_of_a_win});
}

BOOST_AUTO_TEST_CASE(break_it_at_last_by_the_order_of_entry) {
  check_order(3, {{{0, 1}, std::nullopt, 9}, {{2, 1}, std::nullopt, 9}, {{2, 0}, std::nullopt, 9}},
              {0, 1, 2}, {std::nullopt, order_of_entry, order_of_entry});
}

BOOST_AUTO_TEST_SUITE_END()
