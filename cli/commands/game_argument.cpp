#include "game_argument.hpp"

#include "flags.hpp"

namespace snl::cli {

void GameArgument::add_to(CLI::App& command) {
  command.add_option("GAME", game, "An ID, a unique prefix, @ (the newest) or @-N")->required();
  add_json_flag(command, form);
}

}  // namespace snl::cli
