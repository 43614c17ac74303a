// branch

#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "number_options.hpp"
#include "started_game.hpp"
#include "storage/match.hpp"

#include <string>
#include <utility>

namespace snl::cli {
namespace {

struct BranchGame {
  GameArgument origin;
  Turn at = 0;
  std::string id;

  void run(Session& session) const {
    check_new_id(id);
    EventStore& store = session.store_to_write(origin.game);
    const std::string from = session.resolve(store, origin.game);
    const auto [timeline, head] = history_of(store, from);
    check_turn(at, timeline.first_turn(), timeline.last_turn());
    GameSetup setup = *timeline.state().setup;
    setup.origin =
        Origin{.game = from, .head = to_hex(head.hash), .position = timeline.position_after(at)};
    setup.draw.reset();  // its seed is the origin's, and the origin's log has the draw
    start_and_print(store, id, std::move(setup), origin.form);
  }
};

}  // namespace

void add_branch(CLI::App& app, Session& session) {
  auto [command, options] = add_command<BranchGame>(
      app, session, "branch", "Start a new game from a position of another; prints its ID");
  options.origin.add_to(command);
  add_number(command, "--at", options.at, "The turn after which to go on")
      ->required()
      ->type_name("TURN");
  command.add_option("--id", options.id, "The new game's ID (default: a short one is made up)");
}

}  // namespace snl::cli
