// board list, board show, board check; the rest of board is in the files that are named below

#include "board_options.hpp"
#include "cli/drawing/board_picture.hpp"
#include "cli/reports/json_output.hpp"
#include "commands.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"
#include "domain/reachability.hpp"
#include "domain/wording.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <iterator>

namespace snl::cli {
namespace {

namespace json = boost::json;

void list_boards(bool as_json) {
  for (const NamedBoard& board : named_boards()) {
    if (as_json)
      print_json({{"name", board.name},
                  {"cells", board.cells},
                  {"width", board.width},
                  {"snakes", board.snakes.size()},
                  {"ladders", board.ladders.size()},
                  {"rules", board.rules},
                  {"source", board.source}});
    else
      print_line(
          fmt::format("{:<18} {:>10}, {:>9}, {:>10}; rules {}\n{:18} {}", board.name,
                      counted(board.cells, "cell"), counted(std::ssize(board.snakes), "snake"),
                      counted(std::ssize(board.ladders), "ladder"), board.rules, "", board.source));
  }
}

void show_board(const Session& session, const std::string& name_or_file, bool as_json) {
  const ChosenBoard chosen = board_from(name_or_file);
  if (as_json) return print_line(board_to_json(chosen.board));
  Picture picture;
  picture.unicode = session.glyphs() == Glyphs::unicode;
  picture.colour = session.use_color();
  print(draw_board(chosen.board, picture));
}

/// What only a second roll gets past is no fault, and yet a piece waits there for a six.
void add_warning_of_sixes(std::vector<std::string>& warnings, const Board& board, Rules rules) {
  if (rules.sixes != Sixes::again || stranding_cell(board, rules, rules.start)) return;
  rules.sixes = Sixes::plain;
  if (const auto cell = stranding_cell(board, rules, rules.start))
    warnings.push_back(fmt::format(
        "from cell {} the end can be reached only since a 6 rolls again: not with --sixes plain",
        *cell));
}

/// Every fault is an error, on a line of its own. A named board is judged by the rules that it
/// brings.
void check_board(const std::string& file, const RulesOptions& rules_options, bool as_json) {
  const NamedBoard* named = find_named_board(file);
  const Rules rules = rules_options.chosen(
      named != nullptr ? std::optional(std::string(named->rules)) : std::nullopt);
  const auto board =
      parse_board(named != nullptr ? board_to_json(named->board()) : read_board_file(file));
  const Faults faults = board ? Faults{} : board.error();
  auto warnings = board ? warnings_about(board->board, rules) : std::vector<std::string>{};
  if (board) add_warning_of_sixes(warnings, board->board, rules);
  if (as_json) {
    print_json({{"ok", board.has_value()},
                {"faults", json::array(faults.begin(), faults.end())},
                {"warnings", json::array(warnings.begin(), warnings.end())}});
  } else if (board) {
    print_line(fmt::format("ok: {}, {}, {}", counted(board->board.cells(), "cell"),
                           counted(std::ssize(board->board.snakes()), "snake"),
                           counted(std::ssize(board->board.ladders()), "ladder")));
    for (const std::string& warning : warnings)
      warn("warning: " + warning);
  } else {
    for (const std::string& fault : faults)
      warn(fmt::format("{}: {}", file, fault));
  }
  if (!board) throw Failure(Exit::usage, "");
}

}  // namespace

void add_board_command(CLI::App& app, Session& session) {
  auto* board = app.add_subcommand("board", "Look at boards, make them, solve them");
  board->require_subcommand(1);
  struct Options {
    std::string board;
    RulesOptions rules;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* about) {
    auto* command = board->add_subcommand(name, about);
    command->add_flag("--json", options->json, "Print JSON");
    return command;
  };

  add("list", "List the named boards and where they come from")->callback([options] {
    list_boards(options->json);
  });

  auto* show = add("show", "Draw a board");
  show->add_option("BOARD", options->board, "A name or a JSON file; - is stdin")->required();
  show->callback([options, &session] { show_board(session, options->board, options->json); });

  auto* check = add("check", "Name every fault of a board file, and what may surprise");
  check->add_option("FILE", options->board, "A JSON file, or a name; - is stdin")
      ->type_name("NAME|FILE")
      ->required();
  options->rules.add_to(*check);
  check->callback([options] { check_board(options->board, options->rules, options->json); });

  add_board_analyze(*board, session);
  add_board_form_commands(*board);
  add_board_solve(*board);
}

}  // namespace snl::cli
