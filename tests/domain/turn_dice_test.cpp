// The dice of a turn under every rule: each list of dice is judged alone, and everything that is
// derived from the rule has to agree.
#include "domain/turn_dice.hpp"

#include "printing.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace snl;

namespace {

constexpr Rules standard_rules{};
constexpr Rules one_plain_die{.sixes = Sixes::plain};
constexpr Rules two_plain_dice{.dice = 2, .sixes = Sixes::plain};

/// Calls `look` with every list of up to four numbers from 0 to one more than there are faces.
template <class Look>
void for_every_list(const Rules& rules, std::vector<std::int32_t>& values, const Look& look) {
  look(Dice(std::span<const std::int32_t>(values)));
  if (values.size() == 4) return;
  for (std::int32_t value = 0; value <= rules.faces + 1; ++value) {
    values.push_back(value);
    for_every_list(rules, values, look);
    values.pop_back();
  }
}

template <class Look>
void for_every_list(const Rules& rules, const Look& look) {
  std::vector<std::int32_t> values;
  for_every_list(rules, values, look);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_dice_of_a_turn)

BOOST_AUTO_TEST_CASE(go_as_far_as_the_distances_say_once_rolled_to_their_end) {
  for (const Rules& rules : {standard_rules, one_plain_die, two_plain_dice}) {
    std::map<std::int32_t, std::int32_t> lists;
    for_every_list(rules, [&](const Dice& dice) {
      if (is_complete_roll(dice, rules)) ++lists[*distance_of(dice, rules)];
    });
    std::vector<std::int32_t> distances;
    for (const auto& [distance, count] : lists)
      distances.push_back(distance);
    BOOST_TEST(distances == distances_of(rules), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(may_stop_at_a_six_that_rolls_again_and_nowhere_else) {
  for (const Rules& rules : {standard_rules, one_plain_die, two_plain_dice})
    for_every_list(rules, [&](const Dice& dice) {
      const bool stops = distance_of(dice, rules) && !is_complete_roll(dice, rules);
      const bool at_a_six = dice == Dice{6} || dice == Dice{6, 6};
      BOOST_TEST(stops == (may_stop_early(rules) && at_a_six), dice);
    });
}

BOOST_AUTO_TEST_CASE(that_are_impossible_arent_rolled_to_their_end) {
  for (const Rules& rules : {standard_rules, one_plain_die, two_plain_dice})
    for_every_list(rules, [&](const Dice& dice) {
      if (!distance_of(dice, rules)) BOOST_TEST(!is_complete_roll(dice, rules), dice);
    });
}

BOOST_AUTO_TEST_CASE(from_a_seed_are_rolled_to_their_end) {
  for (const Rules& rules : {standard_rules, one_plain_die, two_plain_dice})
    for (Turn turn = 1; turn <= 2000; ++turn)
      BOOST_TEST(is_complete_roll(roll_dice(rules, 5, turn), rules));
}

BOOST_AUTO_TEST_CASE(come_about_in_as_many_ways_as_there_are) {
  for (const Rules& rules : {standard_rules, one_plain_die, two_plain_dice,
                             Rules{.dice = 2, .faces = 100, .sixes = Sixes::plain}}) {
    std::int64_t ways = 0;
    for (const DistanceWays& distance : distance_ways(rules))
      ways += distance.ways;
    BOOST_TEST(ways == distance_ways(rules).front().all);
  }
  for (const auto [distance, ways, all] : distance_ways(standard_rules))
    BOOST_TEST(ways == (distance == 0 || distance > 12 ? 1 : distance > 6 ? 6 : 36));
}

BOOST_AUTO_TEST_CASE(that_are_shown_as_an_example_can_be_played) {
  for (const Rules& rules :
       {standard_rules, one_plain_die, two_plain_dice, Rules{.faces = 2, .sixes = Sixes::plain},
        Rules{.dice = 2, .faces = 2, .sixes = Sixes::plain}})
    BOOST_TEST(is_complete_roll(example_dice(rules), rules));
}

BOOST_AUTO_TEST_CASE(a_throw_is_a_turn_where_each_six_gives_another) {
  const Rules each{.sixes = Sixes::each};
  BOOST_TEST(distance_of({6}, each).value() == 6);
  BOOST_TEST(!distance_of({6, 3}, each).has_value());
  BOOST_TEST(is_complete_roll({6}, each));
  BOOST_TEST(gives_another_turn(6, each));
  BOOST_TEST(!gives_another_turn(5, each));
  BOOST_TEST(!gives_another_turn(6, one_plain_die));
  BOOST_TEST(!gives_another_turn(0, standard_rules));
}

BOOST_AUTO_TEST_CASE(are_told_in_words) {
  BOOST_TEST(throwing_words(standard_rules) ==
             "one die of 6; a six rolls again, three sixes forfeit the turn");
  BOOST_TEST(throwing_words(one_plain_die) == "one die of 6");
  BOOST_TEST(throwing_words(two_plain_dice) == "two dice of 6");
  BOOST_TEST(throwing_words({.sixes = Sixes::each}) == "one die of 6; a six gives another turn");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_dice)

BOOST_AUTO_TEST_CASE(lists_are_read_as_they_are_written) {
  for (const char* text : {"1", "6-3", "6-6-1", "100-2"}) {
    const auto values = parse_dice(text);
    BOOST_REQUIRE(values.has_value());
    BOOST_TEST(to_string(Dice(std::span(*values))) == text);
  }
}

BOOST_AUTO_TEST_CASE(commas_may_stand_between_them) {
  BOOST_TEST((parse_dice("6,6,1") == std::vector<std::int32_t>{6, 6, 1}));
}

BOOST_AUTO_TEST_CASE(a_number_too_large_is_the_largest) {
  BOOST_TEST((parse_dice("99999999999999999999") == std::vector<std::int32_t>{INT32_MAX}));
}

BOOST_AUTO_TEST_CASE(anything_else_is_none) {
  for (const char* text :
       {"", "-", "6-", "-6", "6--3", "6,", ",6", "6,-3", "6.3", "6 3", "+6", "6-x", "six"})
    BOOST_TEST(!parse_dice(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
