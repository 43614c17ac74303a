// board convert

#include "chosen_board.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <fmt/format.h>

#include <string>

namespace snl::cli {
namespace {

struct ConvertBoard {
  std::string board;
  std::string form;
  OutputForm output = OutputForm::json;

  void run(Session& /*session*/) const {
    const Board from = board_from(board).board;
    const BoardForm to = board_form_named(form).value();
    const auto text = board_to_json(from, to);
    if (!text) throw Failure(Exit::usage, fmt::format("board {}: {}", board, text.error()));
    if (to == BoardForm::moves && from.width() != usual_width(from.cells()))
      warn(
          fmt::format("warning: moves hold no width: these {} cells will be read as rows of {}, "
                      "and they were rows of {}",
                      from.cells(), usual_width(from.cells()), from.width()));
    print_line(*text);
  }
};

}  // namespace

void add_board_convert(CLI::App& board, Session& session) {
  auto [command, options] =
      add_command<ConvertBoard>(board, session, "convert", "Print a board in another form");
  command.add_option("BOARD", options.board, "A name or a JSON file; - is stdin")->required();
  add_word(command, "--to", options.form, {"snl", "matrix", "moves", "entries"}, "FORM", "The form")
      ->required();
  add_json_flag(command, options.output, "Print JSON, as it always does");
}

}  // namespace snl::cli
