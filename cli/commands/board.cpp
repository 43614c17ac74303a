// board: the command above its parts

#include "commands.hpp"

namespace snl::cli {

void add_board(CLI::App& app, Session& session) {
  auto* board = app.add_subcommand("board", "Look at boards, make them, solve them");
  board->require_subcommand(1);
  add_board_list(*board, session);
  add_board_show(*board, session);
  add_board_check(*board, session);
  add_board_analyze(*board, session);
  add_board_convert(*board, session);
  add_board_random(*board, session);
  add_board_solve(*board, session);
}

}  // namespace snl::cli
