#include "rules.hpp"

#include <algorithm>
#include <span>

namespace snl {
namespace {

/// "enter 6,1", for a list as the caller gave it, or for its beginning.
std::string named_list(std::string_view name, std::span<const std::int32_t> numbers) {
  constexpr std::size_t most_named = 50;
  std::string text(name);
  for (const std::int32_t& number : numbers.first(std::min(most_named, numbers.size())))
    text += (&number == numbers.data() ? " " : ",") + std::to_string(number);
  return numbers.size() > most_named ? text + ",…" : text;
}

/// The fault of the order of a list, which must be ascending, with each number once.
void check_order(std::string_view name, std::span<const std::int32_t> numbers,
                 std::vector<std::string>& faults) {
  if (!std::ranges::is_sorted(numbers))
    faults.push_back(named_list(name, numbers) + ": list the numbers in ascending order");
  if (const auto twice = std::ranges::adjacent_find(numbers); twice != numbers.end())
    faults.push_back(named_list(name, numbers) + ": " + std::to_string(*twice) + " is named twice");
}

/// Each number that isn't from `least` to `most`, once, in ascending order.
std::vector<std::int32_t> outside(std::span<const std::int32_t> numbers, std::int32_t least,
                                  std::int32_t most) {
  std::vector<std::int32_t> found;
  for (const std::int32_t number : numbers)
    if (number < least || number > most) found.push_back(number);
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
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
  if (rules.sixes == Sixes::each && !can_roll_again(rules))
    faults.emplace_back("sixes each: a 6 gives another turn only with one die of 6 faces");
  if (!rules.enter.empty() && rules.start == 1)
    faults.push_back(named_list("enter", rules.enter) +
                     ": only pieces that start off the board enter it, with start 0");
  for (const std::int32_t face : outside(rules.enter, 1, rules.faces))
    faults.push_back("enter " + std::to_string(face) + ": a die shows 1 to " +
                     std::to_string(rules.faces));
  check_order("enter", rules.enter, faults);
  if (!rules.safe.empty() && rules.meet != Meet::capture)
    faults.push_back(named_list("safe", rules.safe) +
                     ": cells are safe only where pieces are captured, with meet capture");
  check_order("safe", rules.safe, faults);
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

}  // namespace snl
