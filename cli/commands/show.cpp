// show

#include "cli/drawing/board_picture.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/rejection.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "number_options.hpp"
#include "storage/match.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace snl::cli {
namespace {

namespace json = boost::json;

struct ShowGame {
  GameArgument game;
  std::optional<Turn> at;

  void run(Session& session) const {
    StoreReader& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    if (!at && game.form == OutputForm::json) return show_now(store, id);
    const auto [timeline, head] = history_of(store, id);
    const Turn turn = at.value_or(timeline.last_turn());
    check_turn(turn, timeline.first_turn(), timeline.last_turn());
    if (game.form == OutputForm::json)
      print_position(id, head, timeline.position_after(turn), *timeline.state().setup);
    else
      draw(session, id, head, timeline, turn);
  }

  static void show_now(StoreReader& store, const std::string& id) {
    const RecordedGame game = *RecordedGame::load(store, id);
    const GameState& state = game.state();
    print_position(id, game.head(), state.position, *state.setup);
  }

  static void print_position(const std::string& id, const Head& head, const Position& position,
                             const GameSetup& setup) {
    json::object object = position_json(id, head, position, setup);
    add_board_and_rules(object, setup);
    print_json(object);
  }

  static void draw(const Session& session, const std::string& id, const Head& head,
                   const Timeline& timeline, Turn turn) {
    Picture picture = session.picture();
    picture.players = timeline.state().setup->players;
    picture.position = timeline.position_after(turn);
    if (turn > timeline.first_turn()) picture.last_move = timeline.turn(turn);
    print_line(
        fmt::format("game {}, turn {}{}, version {}", printable(id), turn,
                    turn == timeline.last_turn() ? "" : fmt::format(" of {}", timeline.last_turn()),
                    head.version));
    print(draw_board(timeline.state().setup->board, picture));
  }
};

}  // namespace

void add_show(CLI::App& app, Session& session) {
  auto [command, options] = add_command<ShowGame>(app, session, "show", "Show a game's position");
  options.game.add_to(command);
  add_number(command, "--at", options.at, "As it was after this turn (0: the start)")
      ->type_name("TURN");
}

}  // namespace snl::cli
