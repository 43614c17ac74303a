#include "rules_options.hpp"

#include "cli/session/failure.hpp"
#include "common_options.hpp"
#include "domain/faults.hpp"
#include "domain/whole_number.hpp"
#include "number_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// The numbers of "1,6", ascending; for any other text none, and a fault.
std::vector<std::int32_t> parse_numbers(std::string_view option, std::string_view text,
                                        Faults& faults) {
  auto numbers = whole_numbers(text);
  if (!numbers) {
    faults.push_back(
        fmt::format("{} {}: numbers joined by commas are expected, such as 2,6", option, text));
    return {};
  }
  std::ranges::sort(*numbers);
  return *std::move(numbers);
}

}  // namespace

void RulesOptions::add_to(CLI::App& command) {
  const std::string other_group = command.option_defaults()->get_group();
  command.option_defaults()->group("Rules");
  add_word(command, "--rules", preset_, names_in(preset_names), "NAME",
           "A preset (default: the board's own); each part can be overridden");
  add_number(command, "--start", start_, "The cell where pieces start: 1, or 0 for off the board")
      ->type_name("CELL");
  add_word(command, "--finish", finish_, names_in(finish_names), "WORD",
           "How the last cell is reached");
  add_number(command, "--dice", dice_, "1 die, or 2 summed");
  add_number(command, "--faces", faces_,
             fmt::format("Faces of a die, {} to {}", min_faces, max_faces));
  add_word(command, "--sixes", sixes_, names_in(sixes_names), "WORD",
           "A 6 rolls again in its turn, does nothing, or gives another turn");
  add_value(command, "--enter", enter_, "FACE,…",
            "The faces that bring a piece onto the board, as 1,6; or any (default)");
  add_word(command, "--meet", meet_, names_in(meet_names), "WORD",
           "Whether a piece goes back to the start when another meets it");
  add_value(command, "--safe", safe_, "CELL,…",
            "Cells where nobody is captured, as 10,20; or none (default)");
  command.option_defaults()->group(other_group);
}

void check_safe_cells(const Rules& rules, const Board& board) {
  if (const auto faults = faults_of_safe_cells(rules, board.cells()); !faults.empty())
    throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
}

Rules RulesOptions::described(const Rules& rules_of_board) const {
  Rules rules = preset_.empty() ? rules_of_board : value_named(preset_names, preset_).value();
  rules.start = start_.value_or(rules.start);
  rules.dice = dice_.value_or(rules.dice);
  rules.faces = faces_.value_or(rules.faces);
  if (!finish_.empty()) rules.finish = value_named(finish_names, finish_).value();
  if (!sixes_.empty())
    rules.sixes = value_named(sixes_names, sixes_).value();
  else if (!can_roll_again(rules))
    rules.sixes = Sixes::plain;
  Faults faults;
  if (!enter_.empty())
    rules.enter =
        enter_ == "any" ? std::vector<std::int32_t>() : parse_numbers("--enter", enter_, faults);
  if (!meet_.empty()) rules.meet = value_named(meet_names, meet_).value();
  if (!safe_.empty())
    rules.safe = safe_ == "none" ? std::vector<Cell>() : parse_numbers("--safe", safe_, faults);
  if (faults.empty()) return rules;
  std::ranges::move(faults_of(rules), std::back_inserter(faults));
  throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
}

Rules RulesOptions::chosen(const Rules& rules_of_board) const {
  Rules rules = described(rules_of_board);
  if (const auto faults = faults_of(rules); !faults.empty())
    throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
  return rules;
}

}  // namespace snl::cli
