#include "rules.hpp"

#include <array>
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
std::optional<Finish> finish_named(std::string_view name) {
  return named(finishes, name);
}
std::optional<Sixes> sixes_named(std::string_view name) {
  return named(sixes_rules, name);
}

}  // namespace snl
