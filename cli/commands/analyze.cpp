// analyze

#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/csv.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/game_chances.hpp"
#include "storage/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

struct JudgedTurn {
  TurnPlayed turn;
  RaceOdds before;
  RaceOdds after;

  double luck() const { return after.win[turn.seat] - before.win[turn.seat]; }
};

std::vector<JudgedTurn> judge(const Timeline& timeline) {
  const auto chances = chances_of(timeline);
  if (!chances) throw estimates_only(chances.error());
  std::vector<JudgedTurn> turns;
  for (std::size_t i = 1; i < chances->size(); ++i)
    turns.push_back({.turn = timeline.turn(timeline.first_turn() + static_cast<Turn>(i)),
                     .before = (*chances)[i - 1],
                     .after = (*chances)[i]});
  return turns;
}

json::object judged_json(const JudgedTurn& judged, std::span<const std::string> players) {
  return {{"turn", judged.turn.turn},
          {"player", players[judged.turn.seat]},
          {"chances_before", json::array(judged.before.win.begin(), judged.before.win.end())},
          {"chances_after", json::array(judged.after.win.begin(), judged.after.win.end())},
          {"luck", judged.luck()},
          {"never_before", judged.before.never},
          {"never_after", judged.after.never}};
}

/// The indentation of a row that continues on a second line, below the names.
constexpr int continued = 7;

/// A row of the table. All names get the same width, so that the chances line up.
void print_judged(const JudgedTurn& judged, std::span<const std::string> names, int width) {
  std::string line = fmt::format("{:>5}  {}  {:<7}  {:>+7.2f}  ", judged.turn.turn,
                                 fitted(names[judged.turn.seat], width),
                                 to_string(judged.turn.dice), 100 * judged.luck());
  for (const double chance : judged.after.win)
    line += fmt::format("{:>8.2f}", 100 * chance);
  print_broken(line + '\n', continued);
}

void print_judged(const std::vector<JudgedTurn>& turns, const std::vector<std::string>& players) {
  constexpr int widest_name = 20;
  std::vector<std::string> names;
  int width = 6;
  for (const std::string& player : players) {
    names.push_back(printable(player));
    width = std::clamp(display_width(names.back()), width, widest_name);
  }
  std::string header =
      fmt::format("{:>5}  {}  {:<7}  {:>7}  ", "turn", fitted("player", width), "dice", "luck %");
  for (const std::string& name : names)
    header +=
        " " +
        std::string(static_cast<std::size_t>(7 - std::min(7, display_width(shortened(name, 7)))),
                    ' ') +
        shortened(name, 7);
  print_broken(header + "   chances to win after the turn, %\n", continued);
  std::vector<double> luck(players.size());
  for (const JudgedTurn& judged : turns) {
    print_judged(judged, names, width);
    luck[judged.turn.seat] += judged.luck();
  }
  for (std::size_t seat = 0; seat < names.size(); ++seat)
    print_broken(fmt::format("{:>5}  {}  {:<7}  {:>+7.2f}\n", "all", fitted(names[seat], width), "",
                             100 * luck[seat]),
                 continued);
}

void print_csv(const std::vector<JudgedTurn>& turns, std::span<const std::string> players) {
  CsvColumns columns{"turn", "player", "dice"};
  add_list(columns, "chances_before", players.size());
  add_list(columns, "chances_after", players.size());
  columns.insert(columns.end(), {"luck", "never_before", "never_after"});
  print_names(csv_header(columns));
  for (const JudgedTurn& judged : turns) {
    json::object row = judged_json(judged, players);
    row["dice"] = to_string(judged.turn.dice);
    print_names(csv_row(columns, row));
  }
}

struct AnalyzeGame {
  GameArgument game;

  void run(Session& session) const {
    StoreReader& store = session.store_to_read(game.game);
    const Timeline timeline = history_of(store, session.resolve(store, game.game)).timeline;
    const auto& players = timeline.state().setup->players;
    const std::vector<JudgedTurn> turns = judge(timeline);
    if (game.form == OutputForm::words) return print_judged(turns, players);
    if (game.form == OutputForm::csv) return print_csv(turns, players);
    for (const JudgedTurn& judged : turns)
      print_json(judged_json(judged, players));
  }
};

}  // namespace

void add_analyze(CLI::App& app, Session& session) {
  auto [command, options] = add_command<AnalyzeGame>(
      app, session, "analyze", "Every player's exact chance to win, turn by turn, and luck");
  options.game.add_to(command);
  add_csv_flag(command, options.game.form,
               "Print a table for spreadsheets, as CSV: one row per turn");
  command.footer(
      R"(Luck is what a turn changed for the player who made it. The changes to all players' chances
add up to 0, except for the chance that nobody ever wins, where there is one (never_before and
never_after in the JSON).)");
}

}  // namespace snl::cli
