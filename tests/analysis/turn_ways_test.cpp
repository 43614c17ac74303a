#include "domain/analysis/turn_ways.hpp"

#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace snl;

namespace {

/// How many ways lead from a state to each other one.
std::map<std::size_t, std::int64_t> leads_from(const TurnWays& ways, std::size_t state) {
  std::map<std::size_t, std::int64_t> sums;
  for (const auto& [to, falls] : ways.leads[state])
    sums[to] += falls;
  return sums;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_ways_of_a_turn)

BOOST_AUTO_TEST_CASE(are_counted_from_state_to_state) {
  const Board board = Board::make({.cells = 5, .snakes = {{4, 1}}}).value();
  const Rules rules{.start = 0, .faces = 2, .sixes = Sixes::plain};
  const TurnWays ways = turn_ways(board, rules, 0).value();
  BOOST_TEST(ways.all == 2);
  BOOST_TEST(ways.begin == 0U);
  BOOST_TEST(!ways.can_strand);
  // Cells 0 to 3. No piece rests on the head of a snake, and 4 means finished.
  BOOST_REQUIRE_EQUAL(ways.leads.size(), 4U);
  BOOST_CHECK((leads_from(ways, 0) == std::map<std::size_t, std::int64_t>{{1, 1}, {2, 1}}));
  BOOST_CHECK((leads_from(ways, 2) == std::map<std::size_t, std::int64_t>{{1, 1}, {3, 1}}));
  BOOST_CHECK((leads_from(ways, 3) == std::map<std::size_t, std::int64_t>{{1, 1}, {4, 1}}));
}

BOOST_AUTO_TEST_CASE(add_up_to_all_of_them_where_nobody_strands) {
  for (const NamedBoard& named : named_boards()) {
    const Rules rules = value_named(preset_names, named.rules).value();
    const TurnWays ways = turn_ways(named.board(), rules, rules.start).value();
    BOOST_TEST(ways.all == (rules.sixes == Sixes::again ? 216 : 6));
    for (std::size_t state = 0; state < ways.leads.size(); ++state) {
      std::int64_t sum = 0;
      for (const auto& [to, falls] : leads_from(ways, state))
        sum += falls;
      BOOST_TEST(sum == ways.all, named.name << ", state " << state);
    }
  }
}

BOOST_AUTO_TEST_CASE(leave_out_what_a_piece_cannot_finish_from) {
  const Board board = Board::make({.cells = 30}).value();
  const Rules rules{.dice = 2, .sixes = Sixes::plain};
  const TurnWays ways = turn_ways(board, rules, 1).value();
  BOOST_TEST(ways.can_strand);
  BOOST_TEST(turn_ways(board, rules, 29).value().leads.empty());
  const RaceWays race = race_ways(board, rules, {.cells = {29, 29}}, 1000).value();
  BOOST_TEST(race.turns.leads.empty());
  BOOST_TEST(race.begins == std::vector<std::size_t>(2), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
