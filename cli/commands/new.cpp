// new

#include "board_options.hpp"
#include "chosen_board.hpp"
#include "cli/drawing/seen_names.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/faults.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"
#include "started_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    check_new_id(id);
    Faults faults;
    const auto chosen = unless_at_fault(faults, [&] { return board.chosen(); });
    GameSetup setup = described(chosen, std::move(faults));
    warn_about(setup.board, setup.rules);
    start_and_print(session.store_to_create(), id, std::move(setup), form);
    announce_board(session, form, *chosen);
  }

 private:
  /// Throws Failure with every fault of the board, the players and the rules.
  GameSetup described(const std::optional<ChosenBoard>& chosen, Faults faults) const {
    const auto chosen_rules =
        unless_at_fault(faults, [&] { return rules.described(chosen ? chosen->rules : Rules{}); });
    GameSetup setup{.players = players,
                    .board = chosen ? chosen->board : *Board::make({}),
                    .rules = chosen_rules.value_or(Rules{}),
                    .seed = seed ? *seed : random_seed()};
    std::ranges::move(chosen ? faults_of(setup) : faults_besides_board(players, setup.rules),
                      std::back_inserter(faults));
    std::ranges::move(faults_of_looks(players), std::back_inserter(faults));
    if (!faults.empty()) throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
    return setup;
  }

  /// The result of `get`. If it fails for bad usage: none, and the failure is added to `faults`.
  template <class Get>
  static auto unless_at_fault(Faults& faults, const Get& get) -> std::optional<decltype(get())> {
    try {
      return get();
    } catch (const Failure& failure) {
      if (failure.code() != Exit::usage) throw;
      faults.emplace_back(failure.what());
      return std::nullopt;
    }
  }
};

}  // namespace

void add_new(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<NewGame>(app, session, "new", "Start a game; prints its ID");
  command.add_option("PLAYER", options.players, "2 to 10 players in turn order")->required();
  options.board.add_to(command);
  options.rules.add_to(command);
  add_number(command, "--seed", options.seed,
             "Seed of the dice that snl roll rolls (default: random)");
  command.add_option("--id", options.id, "The game's ID (default: a short one is made up)");
  add_json_flag(command, options.form, "Print the new game as JSON");
}

}  // namespace snl::cli
