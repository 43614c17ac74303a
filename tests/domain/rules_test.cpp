// The rules as data: their defaults, presets, names of values, and every fault.
#include "domain/rules.hpp"

#include "printing.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace snl;

namespace {

void check_faults(const Rules& rules, const std::vector<std::string>& expected) {
  BOOST_TEST(faults_of(rules) == expected, boost::test_tools::per_element());
}

constexpr Rules chutes_and_ladders{
    .start = 0, .finish = Finish::exact, .dice = 1, .faces = 6, .sixes = Sixes::plain};

}  // namespace

BOOST_AUTO_TEST_SUITE(choosing_rules)

BOOST_AUTO_TEST_CASE(the_default_is_standard) {
  const Rules standard{
      .start = 1, .finish = Finish::exact, .dice = 1, .faces = 6, .sixes = Sixes::again};
  BOOST_TEST(Rules{} == standard);
  BOOST_TEST((value_named(preset_names, "standard") == standard));
}

BOOST_AUTO_TEST_CASE(presets_are_known_by_their_names) {
  BOOST_TEST((value_named(preset_names, "lld") == chutes_and_ladders));
  BOOST_TEST((value_named(preset_names, "milton-bradley") == chutes_and_ladders));
}

BOOST_AUTO_TEST_CASE(other_names_are_no_presets) {
  for (const char* name : {"", "Standard", "standard ", "class", "milton_bradley"})
    BOOST_TEST(!value_named(preset_names, name).has_value());
}

BOOST_AUTO_TEST_CASE(every_value_is_found_by_its_name) {
  for (const Finish finish : {Finish::exact, Finish::overshoot, Finish::bounce})
    BOOST_TEST((value_named(finish_names, to_string(finish)) == finish));
  for (const Sixes sixes : {Sixes::again, Sixes::plain, Sixes::each})
    BOOST_TEST((value_named(sixes_names, to_string(sixes)) == sixes));
}

BOOST_AUTO_TEST_CASE(the_names_of_values_are_a_format) {
  BOOST_TEST(to_string(Finish::exact) == "exact");
  BOOST_TEST(to_string(Finish::overshoot) == "overshoot");
  BOOST_TEST(to_string(Finish::bounce) == "bounce");
  BOOST_TEST(to_string(Sixes::again) == "again");
  BOOST_TEST(to_string(Sixes::plain) == "plain");
  BOOST_TEST(to_string(Sixes::each) == "each");
}

BOOST_AUTO_TEST_CASE(other_names_are_no_values) {
  BOOST_TEST(!value_named(finish_names, "").has_value());
  BOOST_TEST(!value_named(finish_names, "Exact").has_value());
  BOOST_TEST(!value_named(sixes_names, "bounce").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(checking_rules)

BOOST_AUTO_TEST_CASE(presets_have_no_fault) {
  for (const char* name : {"standard", "lld", "milton-bradley"})
    check_faults(value_named(preset_names, name).value(), {});
}

BOOST_AUTO_TEST_CASE(dice_of_2_to_100_faces_have_no_fault) {
  for (const std::int32_t faces : {2, 6, 20, 100})
    for (const std::int32_t dice : {1, 2})
      check_faults({.dice = dice, .faces = faces, .sixes = Sixes::plain}, {});
}

BOOST_AUTO_TEST_CASE(pieces_start_on_cell_1_or_off_the_board) {
  check_faults({.start = 2}, {"start 2: pieces start on cell 1 or on 0, off the board"});
  check_faults({.start = -1}, {"start -1: pieces start on cell 1 or on 0, off the board"});
}

BOOST_AUTO_TEST_CASE(a_turn_has_one_die_or_two) {
  for (const std::int32_t dice : {-1, 0, 3})
    check_faults({.dice = dice, .sixes = Sixes::plain},
                 {"dice " + std::to_string(dice) + ": a turn is played with 1 or 2 dice"});
}

BOOST_AUTO_TEST_CASE(a_die_has_2_to_100_faces) {
  for (const std::int32_t faces : {-6, 0, 1, 101})
    check_faults({.faces = faces, .sixes = Sixes::plain},
                 {"faces " + std::to_string(faces) + ": a die has 2 to 100 faces"});
}

BOOST_AUTO_TEST_CASE(sixes_roll_again_only_with_one_die_of_six) {
  const std::string fault = "sixes again: a 6 rolls again only with one die of 6 faces";
  check_faults({.dice = 2, .sixes = Sixes::again}, {fault});
  check_faults({.faces = 20, .sixes = Sixes::again}, {fault});
}

BOOST_AUTO_TEST_CASE(sixes_give_another_turn_only_with_one_die_of_six) {
  const std::string fault = "sixes each: a 6 gives another turn only with one die of 6 faces";
  check_faults({.dice = 2, .sixes = Sixes::each}, {fault});
  check_faults({.faces = 20, .sixes = Sixes::each}, {fault});
  check_faults({.sixes = Sixes::each}, {});
}

BOOST_AUTO_TEST_CASE(all_faults_are_named_at_once) {
  check_faults({.start = 7, .dice = 3, .faces = 101, .sixes = Sixes::again},
               {"start 7: pieces start on cell 1 or on 0, off the board",
                "dice 3: a turn is played with 1 or 2 dice", "faces 101: a die has 2 to 100 faces",
                "sixes again: a 6 rolls again only with one die of 6 faces"});
}

BOOST_AUTO_TEST_SUITE_END()
