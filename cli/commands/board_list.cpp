// board list

#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/named_boards.hpp"
#include "domain/wording.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>

namespace snl::cli {
namespace {

namespace json = boost::json;

json::object board_json(const NamedBoard& board) {
  json::object object{{"name", board.name},
                      {"cells", board.cells},
                      {"width", board.width},
                      {"snakes", board.snakes.size()},
                      {"ladders", board.ladders.size()},
                      {"rules", board.rules},
                      {"source", board.source}};
  if (!board.powers.empty()) object["powers"] = board.powers.size();
  return object;
}

std::string board_line(const NamedBoard& board) {
  const std::string powers =
      board.powers.empty() ? "" : ", " + counted(std::ssize(board.powers), "power");
  return fmt::format("{:<18} {:>10}, {:>9}, {:>10}{}; rules {}\n{:18} {}\n", board.name,
                     counted(board.cells, "cell"), counted(std::ssize(board.snakes), "snake"),
                     counted(std::ssize(board.ladders), "ladder"), powers, board.rules, "",
                     board.source);
}

void list_boards(OutputForm form) {
  for (const NamedBoard& board : named_boards()) {
    if (form == OutputForm::json)
      print_json(board_json(board));
    else
      print_broken(board_line(board), 19);
  }
}

}  // namespace

void add_board_list(CLI::App& board, Session& /*session*/) {
  auto* command = board.add_subcommand("list", "List the named boards and where they come from");
  auto form = std::make_shared<OutputForm>();
  add_json_flag(*command, *form);
  command->callback([form] { list_boards(*form); });
}

}  // namespace snl::cli
