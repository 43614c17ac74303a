// simulate

#include "board_options.hpp"
#include "chart_options.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/reports/simulation_report.hpp"
#include "cli/session/start_game.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "commands.hpp"
#include "domain/analysis/simulation.hpp"
#include "number_options.hpp"
#include "storage/record_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace snl::cli {
namespace {

/// What Ctrl-C stops; a signal handler finds nothing but this.
std::atomic<SimulationControl*> running = nullptr;

extern "C" void stop_running(int /*signal*/) {
  if (SimulationControl* control = running.load()) control->stop = true;
}

/// While it lives, Ctrl-C stops a run instead of the program; a second one ends the program.
class StopsOnInterrupt {
 public:
  explicit StopsOnInterrupt(SimulationControl& control) {
    running = &control;
    struct sigaction action{};
    action.sa_handler = stop_running;
    // A handler that is reset is the default one: it ends the program.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    (void)sigaction(SIGINT, nullptr, &before_);
    if (before_.sa_handler != SIG_IGN) (void)sigaction(SIGINT, &action, nullptr);
  }
  ~StopsOnInterrupt() {
    (void)sigaction(SIGINT, &before_, nullptr);
    running = nullptr;
  }
  StopsOnInterrupt(const StopsOnInterrupt&) = delete;
  StopsOnInterrupt& operator=(const StopsOnInterrupt&) = delete;
  StopsOnInterrupt(StopsOnInterrupt&&) = delete;
  StopsOnInterrupt& operator=(StopsOnInterrupt&&) = delete;

 private:
  struct sigaction before_{};
};

unsigned usual_threads() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, max_threads);
}

// ---- --save

/// Records the games of a run, played by the engine.
class Recorder {
 public:
  Recorder(const SimulationPlan& plan, EventStore& store)
      : plan_(plan),
        store_(store),
        prefix_(new_id_prefix(store)),
        setup_{.players = {}, .board = plan.board, .rules = plan.rules} {
    for (std::size_t player = 1; player <= plan.players; ++player)
      setup_.players.push_back(fmt::format("Player {}", player));
  }

  SimulationResult record(SimulationControl& control) {
    SimulationResult result;
    result.wins.resize(plan_.players);
    while (result.games < plan_.games && !control.stop) {
      const std::uint64_t batch_end = std::min(plan_.games, result.games + games_a_batch);
      SimulationResult after = result;
      store_.atomically([&] {
        while (after.games < batch_end && !control.stop)
          if (const auto game = play_and_record(after.games, control)) count_game(after, *game);
      });
      result = std::move(after);
      control.games_played = result.games;
    }
    return result;
  }

  std::string id(std::uint64_t index) const { return numbered_id(prefix_, index + 1, plan_.games); }

 private:
  static constexpr std::uint64_t games_a_batch = 250;

  /// None if it was stopped.
  std::optional<SimulatedGame> play_and_record(std::uint64_t index,
                                               const SimulationControl& control) {
    const auto setup = std::make_shared<GameSetup>(setup_);
    setup->seed = game_seed(plan_.seed, index);
    SimulatedGame game{.index = index,
                       .seed = setup->seed,
                       .turns = 0,
                       .finished = false,
                       .snakes = 0,
                       .ladders = 0};
    const auto count = [&](const TurnPlayed& turn) {
      const auto jump = jump_between(turn.landed, turn.to);
      if (jump == JumpKind::snake) ++game.snakes;
      if (jump == JumpKind::ladder) ++game.ladders;
      return !control.stop;
    };
    const auto end = record_game(store_, id(index), setup, plan_.max_turns, count);
    if (!end && control.stop) return std::nullopt;
    if (!end) throw Failure(Exit::conflict, end.error());
    game.turns = end->position.turn;
    game.finished = end->completed();
    return game;
  }

  const SimulationPlan& plan_;
  EventStore& store_;
  std::string prefix_;
  GameSetup setup_;
};

// ---- simulate

struct Simulate {
  BoardOptions board;
  RulesOptions rules;
  std::uint64_t games = 0;
  std::size_t players = min_players;
  std::optional<unsigned> threads;
  std::optional<std::uint64_t> seed;
  std::optional<Turn> max_turns;
  bool save = false;
  ChartOptions charts;
  bool json = false;

  void run(Session& session) const {
    charts.check(session);
    const SimulationPlan plan = planned();
    if (save && plan.max_turns > max_recorded_turns)
      throw Failure(Exit::usage, fmt::format("--max-turns {}: games that are saved have at most {}",
                                             plan.max_turns, max_recorded_turns));
    warn_about(plan.board, plan.rules);
    SimulationReport report{
        .result = {}, .seed = plan.seed, .max_turns = plan.max_turns, .saved = std::nullopt};
    SimulationControl control;
    {
      const StopsOnInterrupt stops(control);
      const ProgressBar bar(control.games_played, plan.games, "games");
      report.result =
          save ? recorded(session, plan, control, report.saved) : simulate(plan, control);
    }
    if (json)
      print_json(report_json(report));
    else
      print(report_text(report));
    if (report.result.turns.games() > 0 && charts.wanted(session, json)) {
      ChartPage page = chart_page(report);
      charts.add_heat_map(page, plan.board, plan.rules, plan.rules.start);
      charts.draw(session, json, page);
    }
    if (report.saved)
      warn(fmt::format("saved as {} to {}", report.saved->first, report.saved->last));
    if (report.result.games < plan.games)
      throw Failure(Exit::interrupted,
                    fmt::format("stopped after {} of {} games", report.result.games, plan.games));
  }

 private:
  SimulationPlan planned() const {
    ChosenBoard chosen = board.chosen();
    const Rules chosen_rules = rules.chosen(chosen.rules);
    return {.board = std::move(chosen.board),
            .rules = chosen_rules,
            .players = players,
            .games = games,
            .seed = seed ? *seed : random_seed(),
            .max_turns = max_turns.value_or(usual_turns_a_player * static_cast<Turn>(players)),
            .threads = threads.value_or(usual_threads())};
  }

  static SimulationResult recorded(Session& session, const SimulationPlan& plan,
                                   SimulationControl& control, std::optional<SavedGames>& saved) {
    Recorder recorder(plan, session.store_to_create());
    SimulationResult result = recorder.record(control);
    if (result.games > 0) saved = SavedGames{recorder.id(0), recorder.id(result.games - 1)};
    return result;
  }
};

template <class Number, class Target>
void add_limited(CLI::App& command, const std::string& name, Target& target, Number low,
                 Number high, const std::string& about) {
  command.add_option(name, target, about)->check(whole_number<Number>(low, high))->type_name("N");
}

}  // namespace

void add_simulate_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "simulate", "Play many games at once and count: turns, wins, snakes, ladders");
  auto options = std::make_shared<Simulate>();
  options->board.add_to(*command);
  options->rules.add_to(*command);
  add_limited<std::uint64_t>(*command, "--games", options->games, 1, max_turn, "How many games");
  command->get_option("--games")->required();
  add_limited<std::size_t>(*command, "--players", options->players, min_players, max_players,
                           "Players of each game (default: 2)");
  add_limited<unsigned>(*command, "--threads", options->threads, 1, max_threads,
                        "Threads (default: one a core); they don't change the result");
  add_number(*command, "--seed", options->seed, "Seed of the whole run (default: random)");
  add_limited<Turn>(*command, "--max-turns", options->max_turns, 1, max_turn,
                    "A game ends unfinished after N turns (default: 1000 a player)");
  command->add_flag("--save", options->save, "Record every game, under numbered IDs");
  options->charts.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Turns are single turns of all players, counted over the games that somebody won; games "
      "that\n"
      "--max-turns cut off are counted as unfinished, and their snakes and ladders with all "
      "others.\n"
      "The shortest and the longest game replay: snl new with as many players and --seed N, same\n"
      "board and rules, then snl roll @ --all, with the same --max-turns.\n"
      "On a terminal, and with --svg, the games' turns are drawn as a histogram, and on a map of "
      "the\n"
      "board the exact chance that a piece alone ever stands on a cell.");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace snl::cli
