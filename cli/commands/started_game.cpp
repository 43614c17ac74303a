#include "started_game.hpp"

#include "cli/reports/json_output.hpp"
#include "cli/session/rejection.hpp"
#include "storage/game_id.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace snl::cli {

void check_new_id(const std::string& id) {
  if (!id.empty() && !is_game_id(id))
    throw Failure(Exit::usage, fmt::format("ID \"{}\": {}", id, game_id_rule));
}

void start_and_print(EventStore& store, const std::string& id, GameSetup setup, OutputForm form) {
  const StartGame command{std::make_shared<GameSetup>(std::move(setup))};
  const auto match = start_game(store, id, command);
  if (!match) throw failure_from(match.error(), *command.setup, id);
  note_recorded(match->id(), match->head().version);
  if (form == OutputForm::json)
    print_json(
        position_json(match->id(), match->head(), match->state().position, *match->state().setup));
  else
    print_line(match->id());
}

}  // namespace snl::cli
