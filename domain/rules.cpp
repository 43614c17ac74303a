#include "rules.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace snl {
namespace {

constexpr Rules starting_off_the_board{
    .start = 0, .finish = Finish::exact, .dice = 1, .faces = 6, .sixes = Sixes::plain};

constexpr std::array<std::pair<std::string_view, Rules>, 3> presets{{
    {"standard", Rules{}},
    {"lld", starting_off_the_board},
    {"milton-bradley", starting_off_the_board},
}};

constexpr std::array<std::pair<std::string_view, Meet>, 2> meets{{
    {"share", Meet::share},
    {"capture", Meet::capture},
}};

constexpr std::array<std::pair<std::string_view, Finish>, 3> finishes{{
    {"exact", Finish::exact},
    {"overshoot", Finish::overshoot},
    {"bounce", Finish::bounce},
}};

constexpr std::array<std::pair<std::string_view, Sixes>, 2> sixes_rules{{
    {"again", Sixes::again},
    {"plain", Sixes::plain},
}};

template <class Value, std::size_t N>
std::optional<Value> named(const std::array<std::pair<std::string_view, Value>, N>& table,
                           std::string_view name) {
  for (const auto& [known, value] : table)
    if (known == name) return value;
  return std::nullopt;
}

/// "enter 6,1", for a list as it was given.
std::string named_list(std::string_view name, std::span<const std::int32_t> numbers) {
  std::string text(name);
  for (const std::int32_t& number : numbers)
    text += (&number == numbers.data() ? " " : ",") + std::to_string(number);
  return text;
}

/// What is wrong with the order of a list that is kept ascending, each number once.
void look_at_order(std::string_view name, std::span<const std::int32_t> numbers,
                   std::vector<std::string>& faults) {
  if (!std::ranges::is_sorted(numbers))
    faults.push_back(named_list(name, numbers) + ": the list is kept ascending");
  for (std::size_t place = 1; place < numbers.size(); ++place)
    if (numbers[place] == numbers[place - 1])
      faults.push_back(named_list(name, numbers) + ": " + std::to_string(numbers[place]) +
                       " is named twice");
}

/// Each of them that isn't from `least` to `most`, once.
std::vector<std::int32_t> outside(std::span<const std::int32_t> numbers, std::int32_t least,
                                  std::int32_t most) {
  std::vector<std::int32_t> found;
  for (const std::int32_t number : numbers)
    if ((number < least || number > most) && std::ranges::find(found, number) == found.end())
      found.push_back(number);
  return found;
}

template <class Value, std::size_t N>
std::string name_of(const std::array<std::pair<std::string_view, Value>, N>& table, Value value) {
  for (const auto& [name, known] : table)
    if (known == value) return std::string(name);
  return {};
}

}  // namespace

std::vector<std::string> faults_of(const Rules& rules) {
  std::vector<std::string> faults;
  if (rules.start != 0 && rules.start != 1)
    faults.push_back("start " + std::to_string(rules.start) +
                     ": pieces start on cell 1 or on 0, off the board");
  if (rules.dice != 1 && rules.dice != 2)
    faults.push_back("dice " + std::to_string(rules.dice) + ": a turn is played with 1 or 2 dice");
  if (rules.faces < min_faces || rules.faces > max_faces)
    faults.push_back("faces " + std::to_string(rules.faces) + ": a die has " +
                     std::to_string(min_faces) + " to " + std::to_string(max_faces) + " faces");
  if (rules.sixes == Sixes::again && !can_roll_again(rules))
    faults.emplace_back("sixes again: a 6 rolls again only with one die of 6 faces");
  if (!rules.enter.empty() && rules.start == 1)
    faults.push_back(named_list("enter", rules.enter) +
                     ": only pieces that start off the board enter it, with start 0");
  for (const std::int32_t face : outside(rules.enter, 1, rules.faces))
    faults.push_back("enter " + std::to_string(face) + ": a die shows 1 to " +
                     std::to_string(rules.faces));
  look_at_order("enter", rules.enter, faults);
  if (!rules.safe.empty() && rules.meet != Meet::capture)
    faults.push_back(named_list("safe", rules.safe) +
                     ": cells are safe only where pieces are captured, with meet capture");
  look_at_order("safe", rules.safe, faults);
  return faults;
}

std::vector<std::string> faults_of_safe_cells(const Rules& rules, std::int32_t cells) {
  std::vector<std::string> faults;
  for (const std::int32_t cell : outside(rules.safe, 2, cells - 1))
    faults.push_back("safe " + std::to_string(cell) +
                     ": on this board a safe cell is one from 2 to " + std::to_string(cells - 1));
  return faults;
}

bool can_roll_again(const Rules& rules) {
  return rules.dice == 1 && rules.faces == 6;
}

std::optional<Rules> rules_named(std::string_view name) {
  return named(presets, name);
}
std::string to_string(Finish finish) {
  return name_of(finishes, finish);
}
std::string to_string(Sixes sixes) {
  return name_of(sixes_rules, sixes);
}
std::string to_string(Meet meet) {
  return name_of(meets, meet);
}
std::optional<Meet> meet_named(std::string_view name) {
  return named(meets, name);
}
std::optional<Finish> finish_named(std::string_view name) {
  return named(finishes, name);
}
std::optional<Sixes> sixes_named(std::string_view name) {
  return named(sixes_rules, name);
}

}  // namespace snl
