// simulate

#include "board_options.hpp"
#include "chart_options.hpp"
#include "cli/reports/simulation_report.hpp"
#include "cli/session/failure.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/simulation.hpp"
#include "domain/wording.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"
#include "storage/record_game.hpp"
#include "storage/series/recorded_simulation.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// The run that Ctrl-C stops. A signal handler can reach only globals.
std::atomic<SimulationControl*> running = nullptr;

extern "C" void stop_running(int /*signal*/) {
  if (SimulationControl* control = running.load()) control->stop = true;
}

/// While it lives, Ctrl-C stops the run instead of the program; a second Ctrl-C ends the program.
class StopsOnInterrupt {
 public:
  explicit StopsOnInterrupt(SimulationControl& control) {
    running = &control;
    struct sigaction action{};
    action.sa_handler = stop_running;
    // SA_RESETHAND brings the default handler back, which ends the program.
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

 private:
  struct sigaction before_{};
};

unsigned usual_threads() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, max_threads);
}

struct Simulate {
  BoardOptions board;
  RulesOptions rules;
  std::uint64_t games = 0;
  std::size_t players = min_players;
  std::optional<unsigned> threads;
  std::optional<std::uint64_t> seed;
  std::optional<Turn> max_turns;
  bool save = false;
  QuantilesOption quantiles;
  bool distribution = false;
  ChartOptions charts;
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    charts.check(session, file_of_board(board.named()));
    if (save && players < min_players)
      throw Failure(Exit::usage, fmt::format("--save: a recorded game has {} to {} players, not 1",
                                             min_players, max_players));
    const std::vector<double> shares = quantiles.values();
    const SimulationPlan plan = planned(session);
    if (save && plan.max_turns > max_recorded_turns)
      throw Failure(Exit::usage, fmt::format("--max-turns {}: saved games have at most {} turns",
                                             plan.max_turns, max_recorded_turns));
    for (const std::string& warning : warnings_about_games(plan.board, plan.rules, plan.players))
      warn("warning: " + warning);
    SimulationReport report = play(session, plan);
    report.quantiles = shares;
    print(session, plan, report);
  }

 private:
  SimulationPlan planned(const Session& session) const {
    ChosenBoard chosen = board.chosen();
    const Rules chosen_rules = rules.chosen(chosen.rules);
    check_safe_cells(chosen_rules, chosen.board);
    announce_board(session, form, chosen);
    return {.board = std::move(chosen.board),
            .rules = chosen_rules,
            .players = players,
            .games = games,
            .seed = seed ? *seed : random_seed(),
            .max_turns = max_turns.value_or(usual_turns_a_player * static_cast<Turn>(players)),
            .threads = threads.value_or(usual_threads())};
  }

  static SimulationResult simulated(const SimulationPlan& plan, SimulationControl& control) {
    try {
      return simulate(plan, control);
    } catch (const std::system_error& error) {
      throw Failure(Exit::failed,
                    fmt::format("{} can't be started: {}; give fewer with --threads",
                                counted(plan.threads, "thread"), error.code().message()));
    }
  }

  /// If the store fails, the games recorded before it stay.
  static RecordedSimulation recorded_simulation(EventStore& store, const SimulationPlan& plan,
                                                SimulationControl& control) {
    const auto note = [&] { note_recorded_games(static_cast<std::int64_t>(control.games_played)); };
    try {
      auto recorded = record_simulation(store, plan, control);
      note();
      if (!recorded) throw Failure(Exit::conflict, with_what_was_done(recorded.error()));
      return *std::move(recorded);
    } catch (const StoreError&) {
      note();
      throw;
    }
  }

  SimulationReport play(Session& session, const SimulationPlan& plan) const {
    SimulationReport report{
        .result = {}, .seed = plan.seed, .max_turns = plan.max_turns, .saved = std::nullopt};
    SimulationControl control;
    const StopsOnInterrupt stops(control);
    const ProgressBar bar(control.games_played, plan.games, "games");
    if (!save) {
      report.result = simulated(plan, control);
      return report;
    }
    auto recorded = recorded_simulation(session.store_to_create(), plan, control);
    report.result = std::move(recorded.result);
    report.saved = std::move(recorded.saved);
    return report;
  }

  void print(const Session& session, const SimulationPlan& plan,
             const SimulationReport& report) const {
    if (form == OutputForm::json)
      print_json(report_json(report));
    else if (form == OutputForm::csv)
      print_names(distribution ? histogram_csv(report) : report_csv(report));
    else
      print_broken(report_text(report), 12);
    if (report.result.turns.games() > 0 && charts.wanted(session, form)) {
      ChartPage page = chart_page(report);
      charts.add_heat_map(page, plan.board, plan.rules, plan.rules.start);
      charts.draw(session, form, page);
    }
    if (report.saved)
      warn(fmt::format("saved as {} to {}", report.saved->first, report.saved->last));
    if (report.result.games < plan.games)
      throw Failure(Exit::interrupted,
                    fmt::format("stopped after {} of {} games", report.result.games, plan.games));
  }
};

}  // namespace

void add_simulate(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Simulate>(
      app, session, "simulate", "Play many games at once and count: turns, wins, snakes, ladders");
  options.board.add_to(command);
  options.rules.add_to(command);
  add_number(command, "--games", options.games, "How many games", 1, max_turn)->required();
  add_number(command, "--players", options.players, "Players of each game, 1 to 10 (default: 2)", 1,
             max_players);
  add_number(command, "--threads", options.threads,
             "Threads (default: one per core); they don't change the result", 1, max_threads);
  add_number(command, "--seed", options.seed, "Seed of the whole run (default: random)");
  add_number(command, "--max-turns", options.max_turns,
             "A game ends unfinished after N turns (default: 1000 per player)", 1, max_turn);
  command.add_flag("--save", options.save, "Record every game, under numbered IDs");
  options.quantiles.add_to(command);
  options.charts.add_to(command);
  add_json_flag(command, options.form);
  add_csv_flag(command, options.form, "Print the figures for spreadsheets, as CSV: one row");
  add_distribution_flag(command, options.form, options.distribution);
  command.footer(
      R"(Turns are single turns of all players. They are counted over the games that somebody won. Games
that --max-turns cut off count as unfinished; their snakes and ladders count with all others.
To replay the shortest or the longest game: snl new with as many players and --seed N, the same
board and rules, then snl roll @ --all, with the same --max-turns.
On a terminal, and with --svg, the games' turns are drawn as a histogram. A map of the board shows
the exact chance that a lone piece ever stands on each cell.)");
}

}  // namespace snl::cli
