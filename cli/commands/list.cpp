// new, show, list, branch

#include "board_options.hpp"
#include "cli/drawing/board_picture.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/start_game.hpp"
#include "commands.hpp"
#include "number_options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::cli {

void GameArgument::add_to(CLI::App& command) {
  command.add_option("GAME", game, "An ID, a unique prefix, @ (the newest) or @-N")->required();
  command.add_flag("--json", json, "Print JSON");
}

namespace {

void print_new_game(const Match& match, bool json) {
  if (json)
    print_json(position_json(match.summary(), match.state().position));
  else
    print_line(match.id());
}

// ---- new

struct NewGame {
  std::vector<std::string> players;
  BoardOptions board;
  RulesOptions rules;
  std::optional<std::uint64_t> seed;
  std::string id;
  bool json = false;

  void run(Session& session) const {
    check_new_id(id);
    ChosenBoard chosen = board.chosen();
    const Rules chosen_rules = rules.chosen(chosen.rules);
    const auto setup = std::make_shared<GameSetup>(GameSetup{.players = players,
                                                             .board = std::move(chosen.board),
                                                             .rules = chosen_rules,
                                                             .seed = seed ? *seed : random_seed()});
    if (const auto faults = faults_of(*setup); !faults.empty())
      throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
    warn_about(setup->board, setup->rules);
    print_new_game(start_game(session.store_to_create(), id, StartGame{setup}), json);
  }
};

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
  command->add_flag("--json", options->json, "Print the new game as JSON");
  command->callback([options, &session] { options->run(session); });
}

// ---- branch

struct BranchGame {
  GameArgument origin;
  Turn at = 0;
  std::string id;

  void run(Session& session) const {
    check_new_id(id);
    EventStore& store = session.store_to_write(origin.game);
    const std::string from = session.resolve(store, origin.game);
    const auto [timeline, head] = history_of(store, from);
    if (at < timeline.first_turn() || at > timeline.last_turn())
      throw failure_from(TurnOutOfRange{at, timeline.first_turn(), timeline.last_turn()},
                         *timeline.state().setup);
    GameSetup setup = *timeline.state().setup;
    setup.origin =
        Origin{.game = from, .head = to_hex(head.hash), .position = timeline.position_after(at)};
    print_new_game(start_game(store, id, StartGame{std::make_shared<GameSetup>(std::move(setup))}),
                   origin.json);
  }
};

void add_branch(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("branch", "Start a new game from a position of another; prints its ID");
  auto options = std::make_shared<BranchGame>();
  options->origin.add_to(*command);
  add_number(*command, "--at", options->at, "The turn after which to go on")
      ->required()
      ->type_name("TURN");
  command->add_option("--id", options->id, "The new game's ID (default: a short one is made up)");
  command->callback([options, &session] { options->run(session); });
}

// ---- show

struct ShowGame {
  GameArgument game;
  std::optional<Turn> at;

  void run(Session& session) const {
    EventStore& store = session.store_to_read(game.game);
    const std::string id = session.resolve(store, game.game);
    if (!at && game.json) return show_now(store, id);
    const auto [timeline, head] = history_of(store, id);
    const Turn turn = at.value_or(timeline.last_turn());
    if (turn < timeline.first_turn() || turn > timeline.last_turn())
      throw failure_from(TurnOutOfRange{turn, timeline.first_turn(), timeline.last_turn()},
                         *timeline.state().setup);
    const GameSummary summary = summarise(id, 0, head, timeline.state());
    if (game.json)
      print_json(position_json(summary, timeline.position_after(turn)));
    else
      draw(session, summary, timeline, turn);
  }

  static void show_now(EventStore& store, const std::string& id) {
    const GameSummary summary = Match::load(store, id)->summary();
    print_json(position_json(summary, summary.position));
  }

  static void draw(const Session& session, const GameSummary& summary, const Timeline& timeline,
                   Turn turn) {
    Picture picture;
    picture.players = summary.players;
    picture.position = timeline.position_after(turn);
    if (turn > timeline.first_turn()) picture.last_move = timeline.turn(turn);
    picture.unicode = session.glyphs() == Glyphs::unicode;
    picture.colour = session.use_color();
    print_line(
        fmt::format("game {}, turn {}{}, version {}", printable(summary.id), turn,
                    turn == timeline.last_turn() ? "" : fmt::format(" of {}", timeline.last_turn()),
                    summary.head.version));
    print(draw_board(timeline.state().setup->board, picture));
  }
};

void add_show(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("show", "Show a game's position");
  auto options = std::make_shared<ShowGame>();
  options->game.add_to(*command);
  add_number(*command, "--at", options->at, "As it was after this turn (0: the start)")
      ->type_name("TURN");
  command->callback([options, &session] { options->run(session); });
}

// ---- list

struct ListGames {
  std::string status;
  std::string player;
  std::optional<std::size_t> limit;
  bool json = false;

  void run(Session& session) const {
    ListFilter filter;
    if (!status.empty()) filter.completed = status == "completed";
    if (!player.empty()) filter.player = player;
    SqliteStore* store = session.store_to_read_if_any();
    if (store == nullptr) return;
    std::size_t left = limit.value_or(std::numeric_limits<std::size_t>::max());
    while (left > 0) {
      const auto page = store->list(filter, std::min(left, page_size));
      if (page.empty()) return;
      for (const std::string& id : page)
        print_game(*store, id);
      left -= page.size();
      filter.before = page.back();
    }
  }

  void print_game(EventStore& store, const std::string& id) const {
    const auto match = Match::load(store, id);
    if (!match) return;
    const GameSummary summary = match->summary();
    // The rows that were searched are derived; this is what the log says.
    if (!status.empty() && summary.completed() != (status == "completed")) return;
    if (json) return print_json(list_json(summary));
    const Position& position = summary.position;
    const std::string progress = position.winner ? summary.players[*position.winner] + " won"
                                                 : summary.players[position.next] + " to move";
    print_line(printable(fmt::format("{:<10} {}  {:<11}  turn {:>4}  {}: {}", id,
                                     format_time(summary.created),
                                     position.winner ? "completed" : "in-progress", position.turn,
                                     fmt::join(summary.players, ", "), progress)));
  }
};

void add_list(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("list", "List games, newest first");
  auto options = std::make_shared<ListGames>();
  command->add_option("--status", options->status, "Only these: in-progress or completed")
      ->check(CLI::IsMember({"in-progress", "completed"}))
      ->type_name("STATUS");
  command->add_option("--player", options->player, "Only games of this player")
      ->type_name("PLAYER");
  add_number(*command, "--limit", options->limit, "At most N games")->type_name("N");
  command->add_flag("--json", options->json, "Print JSON, a line a game");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace

void add_game_commands(CLI::App& app, Session& session) {
  add_new(app, session);
  add_show(app, session);
  add_list(app, session);
  add_branch(app, session);
}

}  // namespace snl::cli
