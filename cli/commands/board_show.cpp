// board show

#include "chosen_board.hpp"
#include "cli/drawing/board_picture.hpp"
#include "cli/session/output.hpp"
#include "cli/terminal/terminal_size.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "storage/exchange/board_json.hpp"

#include <unistd.h>

#include <string>

namespace snl::cli {
namespace {

struct ShowBoard {
  std::string board;
  OutputForm form = OutputForm::words;

  void run(const Session& session) const {
    const ChosenBoard chosen = board_from(board);
    if (form == OutputForm::json) return print_line(board_to_json(chosen.board));
    Picture picture;
    picture.glyphs = session.glyphs();
    picture.colour = session.use_color();
    if (const auto size = terminal_size(STDOUT_FILENO)) {
      picture.columns = size->columns;
      picture.rows = size->rows;
    }
    print(draw_board(chosen.board, picture));
  }
};

}  // namespace

void add_board_show(CLI::App& board, Session& session) {
  auto* command = board.add_subcommand("show", "Draw a board");
  auto& options = options_of<ShowBoard>(*command, session);
  add_json_flag(*command, options.form);
  command->add_option("BOARD", options.board, "A name or a JSON file; - is stdin")->required();
}

}  // namespace snl::cli
