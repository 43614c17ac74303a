// roll

#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/wording.hpp"
#include "number_options.hpp"
#include "turn_results.hpp"

#include <fmt/format.h>

#include <optional>

namespace snl::cli {
namespace {

struct Roll {
  GameArgument game;
  std::optional<Turn> count;
  bool all = false;
  std::optional<Turn> max_turns;
  RequestOptions request;

  void run(Session& session) const {
    if (count && *count < 1)
      throw Failure(Exit::usage, fmt::format("-n {}: it must be at least 1", *count));
    if (max_turns && *max_turns < 1)
      throw Failure(Exit::usage, fmt::format("--max-turns {}: it must be at least 1", *max_turns));
    if (request.command_id && (all || count.value_or(1) > 1))
      throw Failure(Exit::usage,
                    "--command-id is for one turn: it can't be given with --all or -n");
    Match match = session.match(game.game);
    const Turn usual_max = 1000 * static_cast<Turn>(match.state().players());
    const Turn most = all ? max_turns.value_or(usual_max) : count.value_or(1);
    const TurnPrinter printer(match, TurnPrinter::Style::rolled, game.form);
    Request asked = request.request();
    for (Turn turn = 0; turn < most; ++turn) {
      const auto recorded = match.execute(RollTurn{}, asked);
      if (!recorded) {
        if (turn > 0 && refusal_result(recorded.error())) return;  // another process won meanwhile
        refuse_turn(printer, recorded.error(), turn_failure(recorded.error(), match, "", ""));
      }
      note_recorded(match.id(), recorded->head.version);
      printer.print_turn(*recorded);
      flush();
      if (match.state().completed()) return;
      if (asked.expected_version) asked.expected_version = recorded->head.version;
    }
    if (all)
      warn(fmt::format("nobody has won after {}; --max-turns allows more", counted(most, "turn")));
  }
};

}  // namespace

void add_roll(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Roll>(
      app, session, "roll", "Roll the game's own seeded dice for the player to move, and play");
  options.game.add_to(command);
  auto* count = add_number(command, "-n", options.count, "N turns; stops at a win");
  auto* all = command.add_flag("--all", options.all, "To the end of the game")->excludes(count);
  add_number(command, "--max-turns", options.max_turns,
             "With --all: at most N turns (default: 1000 per player)")
      ->needs(all);
  options.request.add_to(command);
}

}  // namespace snl::cli
