// new

#include "board_options.hpp"
#include "chosen_board.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"
#include "started_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

struct NewGame {
  std::vector<std::string> players;
  BoardOptions board;
  RulesOptions rules;
  std::optional<std::uint64_t> seed;
  std::string id;
  AnswerForm form = AnswerForm::words;

  void run(Session& session) const {
    check_new_id(id);
    ChosenBoard chosen = board.chosen();
    const Rules chosen_rules = rules.chosen(chosen.rules);
    GameSetup setup{.players = players,
                    .board = std::move(chosen.board),
                    .rules = chosen_rules,
                    .seed = seed ? *seed : random_seed()};
    if (const auto faults = faults_of(setup); !faults.empty())
      throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
    warn_about(setup.board, setup.rules);
    start_and_print(session.store_to_create(), id, std::move(setup), form);
  }
};

}  // namespace

void add_new(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("new", "Start a game; prints its ID");
  auto options = std::make_shared<NewGame>();
  command->add_option("PLAYER", options->players, "2 to 10 players in turn order")->required();
  options->board.add_to(*command);
  options->rules.add_to(*command);
  add_number(*command, "--seed", options->seed,
             "Seed of the dice that snl roll rolls (default: random)")
      ->type_name("N");
  command->add_option("--id", options->id, "The game's ID (default: a short one is made up)");
  add_json_flag(*command, options->form, "Print the new game as JSON");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace snl::cli
