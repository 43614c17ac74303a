// Lists of dice and their distances. The generator of seeded dice, against its authors' published
// values. Dice that are pinned for ever, because recorded games and their audits depend on them. A
// second program, in another language, made the pinned rolls.
#include "domain/turn_dice.hpp"
#include "printing.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace snl;

namespace {

using Words = std::array<std::uint32_t, 4>;

constexpr Rules standard{};
constexpr Rules plain{.sixes = Sixes::plain};
constexpr Rules two_dice{.dice = 2, .sixes = Sixes::plain};
constexpr Rules one_die(std::int32_t faces) {
  return {.faces = faces, .sixes = Sixes::plain};
}

/// The dice of turns 1, 2, … as one line.
std::string rolls(const Rules& rules, std::uint64_t seed, Turn turns) {
  std::string text;
  for (Turn turn = 1; turn <= turns; ++turn)
    text += (turn == 1 ? "" : " ") + to_string(roll_dice(rules, seed, turn));
  return text;
}

/// How far counts are from uniform: chi-squared minus its mean, in standard deviations.
double unevenness(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t count : counts)
    total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double chi_squared = 0;
  for (const std::int64_t count : counts)
    chi_squared += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  return std::abs(chi_squared - freedom) / std::sqrt(2 * freedom);
}

constexpr double suspicious = 5;

}  // namespace

BOOST_AUTO_TEST_SUITE(listing_dice)

BOOST_AUTO_TEST_CASE(no_dice_are_an_empty_list) {
  BOOST_TEST(Dice{}.size() == 0U);
  BOOST_TEST(Dice{}.sum() == 0);
  BOOST_TEST(to_string(Dice{}).empty());
}

BOOST_AUTO_TEST_CASE(dice_keep_their_order) {
  BOOST_TEST(to_string(Dice{6, 6, 1}) == "6-6-1");
  BOOST_TEST((Dice{1, 2} != Dice{2, 1}));
  BOOST_TEST(Dice({6, 6, 1}).sum() == 13);
}

BOOST_AUTO_TEST_CASE(a_shorter_list_is_another_one) {
  BOOST_TEST((Dice{6} != Dice{6, 0}));
  BOOST_TEST((Dice{6, 6, 6} != Dice{6, 6, 6, 6}));
}

BOOST_AUTO_TEST_CASE(only_three_of_a_long_list_and_its_length_are_kept) {
  const Dice dice{1, 2, 3, 4, 5};
  BOOST_TEST(dice.size() == 5U);
  BOOST_TEST(dice.values().size() == max_dice);
  BOOST_TEST(to_string(dice) == "1-2-3-…");
}

BOOST_AUTO_TEST_CASE(any_number_can_be_said_to_have_fallen) {
  BOOST_TEST(to_string(Dice{-2147483647 - 1, 2147483647}) == "-2147483648-2147483647");
  BOOST_TEST((Dice{2147483647, 2147483647, 2147483647}.sum()) == 6442450941);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(moving_by_dice_that_roll_again_after_a_six)

BOOST_AUTO_TEST_CASE(one_die_moves_its_number) {
  for (std::int32_t value = 1; value <= 5; ++value)
    BOOST_TEST((distance_of(Dice{value}, standard) == value));
}

BOOST_AUTO_TEST_CASE(the_whole_list_is_one_move_of_its_sum) {
  for (std::int32_t value = 1; value <= 5; ++value) {
    BOOST_TEST((distance_of(Dice{6, value}, standard) == 6 + value));
    BOOST_TEST((distance_of(Dice{6, 6, value}, standard) == 12 + value));
  }
}

BOOST_AUTO_TEST_CASE(three_sixes_move_nothing) {
  BOOST_TEST((distance_of(Dice{6, 6, 6}, standard) == 0));
}

BOOST_AUTO_TEST_CASE(a_list_that_stops_at_a_six_counts_what_is_there) {
  BOOST_TEST((distance_of(Dice{6}, standard) == 6));
  BOOST_TEST((distance_of(Dice{6, 6}, standard) == 12));
}

BOOST_AUTO_TEST_CASE(anything_else_is_impossible) {
  for (const Dice& dice : {Dice{}, Dice{0}, Dice{7}, Dice{-1}, Dice{1, 1}, Dice{5, 6}, Dice{6, 0},
                           Dice{6, 7}, Dice{6, 1, 1}, Dice{1, 6, 6}, Dice{6, 5, 6}, Dice{6, 6, 0},
                           Dice{6, 6, 7}, Dice{6, 6, 6, 1}, Dice{6, 6, 6, 6}})
    BOOST_TEST(!distance_of(dice, standard).has_value(), dice);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(moving_by_plain_dice)

BOOST_AUTO_TEST_CASE(a_six_is_a_number_like_others) {
  for (std::int32_t value = 1; value <= 6; ++value)
    BOOST_TEST((distance_of(Dice{value}, plain) == value));
}

BOOST_AUTO_TEST_CASE(one_die_is_one_roll) {
  for (const Dice& dice : {Dice{}, Dice{0}, Dice{7}, Dice{6, 1}, Dice{6, 6, 6}})
    BOOST_TEST(!distance_of(dice, plain).has_value(), dice);
}

BOOST_AUTO_TEST_CASE(two_dice_are_summed) {
  for (std::int32_t first = 1; first <= 6; ++first)
    for (std::int32_t second = 1; second <= 6; ++second)
      BOOST_TEST((distance_of(Dice{first, second}, two_dice) == first + second));
}

BOOST_AUTO_TEST_CASE(two_dice_are_two) {
  for (const Dice& dice : {Dice{}, Dice{6}, Dice{0, 6}, Dice{6, 7}, Dice{1, 1, 1}})
    BOOST_TEST(!distance_of(dice, two_dice).has_value(), dice);
}

BOOST_AUTO_TEST_CASE(other_dice_have_other_highest_faces) {
  BOOST_TEST((distance_of(Dice{2}, one_die(2)) == 2));
  BOOST_TEST(!distance_of(Dice{3}, one_die(2)).has_value());
  BOOST_TEST((distance_of(Dice{100}, one_die(100)) == 100));
  BOOST_TEST(!distance_of(Dice{101}, one_die(100)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_generator)

BOOST_AUTO_TEST_CASE(gives_the_published_answers) {
  BOOST_TEST(
      philox4x32({0, 0, 0, 0}, {0, 0}) == (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}),
      boost::test_tools::per_element());
  BOOST_TEST(
      philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
          (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}),
      boost::test_tools::per_element());
  BOOST_TEST(
      philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(seeded_dice_for_ever)

BOOST_AUTO_TEST_CASE(standard_turns_fall_so) {
  BOOST_TEST(rolls(standard, 0, 24) == "3 3 3 2 6-6-1 2 5 2 5 3 3 6-4 4 4 5 5 6-3 6-4 1 1 3 2 1 2");
  BOOST_TEST(rolls(standard, 1, 24) == "6-4 3 1 2 6-1 3 2 2 4 4 1 4 5 2 4 4 5 1 2 1 6-5 2 3 5");
  BOOST_TEST(rolls(standard, 42, 24) == "4 5 1 3 3 5 6-5 2 1 3 4 5 3 1 2 4 6-1 6-5 4 3 2 6-3 5 4");
}

BOOST_AUTO_TEST_CASE(all_64_bits_of_a_seed_count) {
  BOOST_TEST(rolls(standard, 0xfedcba9876543210, 24) ==
             "5 3 2 2 1 1 5 4 6-4 5 2 3 2 2 3 3 1 6-5 6-5 3 1 1 6-3 1");
  BOOST_TEST(rolls(standard, 0xffffffffffffffff, 24) ==
             "3 5 1 5 1 3 6-6-2 6-2 4 5 3 3 1 5 6-1 1 1 4 4 6-3 2 5 4 4");
}

BOOST_AUTO_TEST_CASE(other_rules_use_the_same_words) {
  BOOST_TEST(rolls(plain, 42, 24) == "4 5 1 3 3 5 6 2 1 3 4 5 3 1 2 4 6 6 4 3 2 6 5 4");
  BOOST_TEST(rolls(two_dice, 42, 12) == "4-2 5-4 1-3 3-3 3-3 5-6 6-5 2-1 1-2 3-1 4-5 5-3");
}

BOOST_AUTO_TEST_CASE(other_faces_fall_so) {
  BOOST_TEST(rolls(one_die(2), 7, 24) == "2 2 2 2 2 2 1 1 1 1 1 2 1 1 1 2 1 2 2 1 2 2 1 1");
  BOOST_TEST(rolls(one_die(20), 7, 24) ==
             "20 2 17 16 16 1 2 5 3 6 14 9 2 15 6 6 9 3 16 14 16 19 3 6");
  BOOST_TEST(rolls({.dice = 2, .faces = 100, .sixes = Sixes::plain}, 7, 12) ==
             "96-19 46-27 98-93 13-85 76-15 2-31 53-51 23-55 12-16 42-38 78-18 37-76");
}

BOOST_AUTO_TEST_CASE(three_sixes_end_the_turn) {
  BOOST_TEST(to_string(roll_dice(standard, 0, 352)) == "6-6-6");
  BOOST_TEST(to_string(roll_dice(standard, 0, 876)) == "6-6-6");
}

BOOST_AUTO_TEST_CASE(turns_far_away_fall_so) {
  BOOST_TEST(to_string(roll_dice(standard, 42, 100'000)) == "2");
  BOOST_TEST(to_string(roll_dice(standard, 42, 100'001)) == "5");
  BOOST_TEST(to_string(roll_dice(standard, 42, Turn{1} << 32U)) == "3");
  BOOST_TEST(to_string(roll_dice(standard, 42, Turn{1} << 36U)) == "4");
}

BOOST_AUTO_TEST_CASE(a_word_that_favours_some_faces_is_passed_over) {
  // In each of these words, which four turns share, the first attempt is biased.
  const std::vector<std::pair<Turn, std::int32_t>> passed_over{{281, 67}, {282, 81}, {283, 12},
                                                               {284, 88}, {397, 33}, {399, 43}};
  for (const auto& [turn, value] : passed_over)
    BOOST_TEST(seeded_die(7, turn, 0, 100) == value);
}

BOOST_AUTO_TEST_CASE(a_word_can_be_passed_over_twice) {
  BOOST_TEST(seeded_die(986, 17, 0, 100) == 9);
  BOOST_TEST(seeded_die(1155, 33, 0, 100) == 72);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fair_dice)

BOOST_AUTO_TEST_CASE(every_face_falls_as_often_as_another) {
  for (const std::int32_t faces : {2, 3, 6, 20, 99, 100}) {
    for (std::uint32_t die = 0; die < max_dice; ++die) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(faces));
      for (Turn turn = 1; turn <= Turn{faces} * 200; ++turn)
        ++counts.at(static_cast<std::size_t>(seeded_die(2024, turn, die, faces) - 1));
      BOOST_TEST(unevenness(counts) < suspicious, faces << " faces, die " << die);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_seed_falls_as_often_as_another) {
  std::vector<std::int64_t> counts(6);
  for (std::uint64_t seed = 0; seed < 6000; ++seed)
    ++counts.at(static_cast<std::size_t>(seeded_die(seed, 1, 0, 6) - 1));
  BOOST_TEST(unevenness(counts) < suspicious);
}

BOOST_AUTO_TEST_CASE(a_die_says_nothing_about_the_next_turn_or_the_next_die) {
  std::vector<std::int64_t> turns(36);
  std::vector<std::int64_t> dice(36);
  const auto face = [](Turn turn, std::uint32_t die) {
    return static_cast<std::size_t>(seeded_die(99, turn, die, 6) - 1);
  };
  for (Turn turn = 1; turn <= 7200; ++turn) {
    ++turns.at(6 * face(turn, 0) + face(turn + 1, 0));
    ++dice.at(6 * face(turn, 0) + face(turn, 1));
  }
  BOOST_TEST(unevenness(turns) < suspicious);
  BOOST_TEST(unevenness(dice) < suspicious);
}

BOOST_AUTO_TEST_SUITE_END()
