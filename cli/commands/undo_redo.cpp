// undo, redo

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/narration.hpp"
#include "number_options.hpp"

#include <fmt/format.h>

#include <optional>

namespace snl::cli {
namespace {

void take_back_or_put_back(Session& session, const GameArgument& game, const Command& command,
                           const Request& request) {
  Match match = session.match(game.game);
  const auto recorded = match.execute(command, request);
  if (!recorded) throw failure_from(recorded.error(), match, command);
  note_recorded(match.id(), recorded->head.version);
  if (game.form == OutputForm::json) {
    const Head& head = recorded->head;
    const GameState& now = match.state();
    const Position position = recorded->again ? match.position_at(head.version) : now.position;
    print_json(position_json(match.id(), head, position, *now.setup));
    return;
  }
  for (const Event& event : recorded->events)
    print_line(printable(narrate(event, match.state().setup->players, session.glyphs())));
}

struct Undo {
  GameArgument game;
  std::optional<Turn> count;
  std::optional<Turn> to;
  RequestOptions request;

  void run(Session& session) const {
    if (count && *count < 1)
      throw Failure(Exit::usage, fmt::format("-n {}: it must be at least 1", *count));
    if (to && *to < 0)
      throw Failure(Exit::usage, fmt::format("--to {}: it must be 0 or more", *to));
    const Command command = to ? Command{UndoToTurn{*to}} : Command{UndoTurns{count.value_or(1)}};
    take_back_or_put_back(session, game, command, request.request());
  }
};

struct Redo {
  GameArgument game;
  Turn count = 1;
  RequestOptions request;

  void run(Session& session) const {
    if (count < 1) throw Failure(Exit::usage, fmt::format("-n {}: it must be at least 1", count));
    take_back_or_put_back(session, game, RedoTurns{count}, request.request());
  }
};

}  // namespace

void add_undo(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<Undo>(app, session, "undo", "Take back the last turns; the log keeps them");
  options.game.add_to(command);
  auto* count = add_number(command, "-n", options.count, "N turns (default: 1)");
  add_number(command, "--to", options.to, "Leave this turn as the last one in force")
      ->type_name("TURN")
      ->excludes(count);
  options.request.add_to(command);
}

void add_redo(CLI::App& app, Session& session) {
  auto [command, options] =
      add_command<Redo>(app, session, "redo", "Put turns back in force that were taken back");
  options.game.add_to(command);
  add_number(command, "-n", options.count, "N turns (default: 1)");
  options.request.add_to(command);
}

}  // namespace snl::cli
