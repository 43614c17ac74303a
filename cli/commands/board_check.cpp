// board check

#include "chosen_board.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/named_boards.hpp"
#include "domain/reachability.hpp"
#include "rules_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// Warns of a cell that a piece can leave only by rolling again. It is no fault, but with --sixes
/// plain a piece would be stuck there.
void add_warning_of_sixes(std::vector<std::string>& warnings, const Board& board, Rules rules) {
  if (rules.sixes != Sixes::again || stranding_cell(board, rules, rules.start)) return;
  rules.sixes = Sixes::plain;
  if (const auto cell = stranding_cell(board, rules, rules.start))
    warnings.push_back(fmt::format(
        "from cell {} the end can be reached only because a 6 rolls again: not with --sixes plain",
        *cell));
}

json::object findings_json(const Faults& faults, const std::vector<std::string>& warnings) {
  return {{"ok", faults.empty()},
          {"faults", json::array(faults.begin(), faults.end())},
          {"warnings", json::array(warnings.begin(), warnings.end())}};
}

void print_sound(const Board& board, const std::vector<std::string>& warnings) {
  print_line("ok: " + cells_and_contents_of(board));
  for (const std::string& warning : warnings)
    warn("warning: " + warning);
}

struct CheckBoard {
  std::string file;
  RulesOptions rules_options;
  OutputForm form = OutputForm::words;

  /// Prints every fault as an error, on a line of its own. A named board is judged by its own
  /// rules.
  void run(Session& /*session*/) const {
    const NamedBoard* named = find_named_board(file);
    const Rules rules = rules_options.chosen(
        named != nullptr ? value_named(preset_names, named->rules).value() : Rules{});
    const auto board =
        parse_board(named != nullptr ? board_to_json(named->board()) : read_board_file(file));
    const Faults faults = board ? Faults{} : board.error();
    if (board) check_safe_cells(rules, board->board);
    auto warnings =
        board ? warnings_about_games(board->board, rules, min_players) : std::vector<std::string>{};
    if (board) add_warning_of_sixes(warnings, board->board, rules);
    if (form == OutputForm::json)
      print_json(findings_json(faults, warnings));
    else if (board)
      print_sound(board->board, warnings);
    else
      for (const std::string& fault : faults)
        warn(fmt::format("{}: {}", file, fault));
    if (!board) throw Failure(Exit::usage, "");
  }
};

}  // namespace

void add_board_check(CLI::App& board, Session& session) {
  auto [command, options] = add_command<CheckBoard>(
      board, session, "check", "Name every fault of a board file, and what may surprise");
  add_json_flag(command, options.form);
  add_value(command, "FILE", options.file, "NAME|FILE", "A JSON file, or a name; - is stdin")
      ->required();
  options.rules_options.add_to(command);
}

}  // namespace snl::cli
