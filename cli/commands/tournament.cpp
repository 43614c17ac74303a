// tournament

#include "storage/series/tournament.hpp"

#include "board_options.hpp"
#include "cli/drawing/seen_names.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/session/failure.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/simulation.hpp"
#include "domain/faults.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"
#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

struct Tournament {
  std::vector<std::string> players;
  BoardOptions board_options;
  RulesOptions rules_options;
  std::size_t rounds = 1;
  std::optional<std::uint64_t> seed;
  std::optional<Turn> max_turns;
  OutputForm form = OutputForm::words;

  void run(Session& session) const {
    const TournamentPlan plan = planned(session);
    warn_about(plan.board, plan.rules);
    const auto matches = play_tournament(session.store_to_create(), plan, [](std::size_t recorded) {
      note_recorded_games(static_cast<std::int64_t>(recorded));
    });
    if (!matches) throw Failure(Exit::conflict, with_what_was_done(matches.error()));
    std::vector<MatchResult> results;
    results.reserve(matches->size());
    for (const PlayedMatch& match : *matches)
      results.push_back(match.result);
    const std::vector<Standing> table = standings(players.size(), results);
    if (form == OutputForm::json)
      print_json(tournament_json(plan.seed, *matches, table));
    else
      print_table(plan.seed, *matches, table);
  }

 private:
  TournamentPlan planned(const Session& session) const {
    ChosenBoard chosen = board_options.chosen();
    const Rules rules = rules_options.chosen(chosen.rules);
    check_safe_cells(rules, chosen.board);
    check_field();
    announce_board(session, form, chosen);
    return {.players = players,
            .board = std::move(chosen.board),
            .rules = rules,
            .rounds = rounds,
            .seed = seed ? *seed : random_seed(),
            .max_turns = max_turns.value_or(2 * usual_turns_a_player)};
  }

  /// Throws Failure for players who can't all meet.
  void check_field() const {
    const std::size_t a_round = matches_a_round(players.size());
    if (a_round > max_matches / rounds)
      throw Failure(Exit::usage,
                    fmt::format("--rounds {}: a tournament has 1 to {} matches, and every round "
                                "of {} players is {}",
                                rounds, max_matches, players.size(), a_round));
    Faults faults = faults_of_entrants(players);
    std::ranges::move(faults_of_looks(players), std::back_inserter(faults));
    if (!faults.empty()) throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
  }

  json::object tournament_json(std::uint64_t run_seed, const std::vector<PlayedMatch>& matches,
                               const std::vector<Standing>& table) const {
    json::array rows;
    for (std::size_t rank = 0; rank < table.size(); ++rank)
      rows.push_back(json::object{{"rank", rank + 1},
                                  {"player", players[table[rank].entrant]},
                                  {"played", table[rank].played()},
                                  {"won", table[rank].won},
                                  {"drawn", table[rank].drawn},
                                  {"lost", table[rank].lost},
                                  {"points", table[rank].points()}});
    json::array games;
    for (const auto& [game, round, result] : matches)
      games.push_back(json::object{
          {"game", game},
          {"round", round},
          {"players", json::array{players[result.pairing.first], players[result.pairing.second]}},
          {"winner", result.winner ? json::value(players[*result.winner]) : json::value(nullptr)},
          {"turns", result.turns}});
    return {{"seed", run_seed},
            {"rounds", rounds},
            {"standings", std::move(rows)},
            {"matches", std::move(games)}};
  }

  void print_table(std::uint64_t run_seed, const std::vector<PlayedMatch>& matches,
                   const std::vector<Standing>& table) const {
    constexpr int widest_name = 40;
    int width = 6;
    for (const std::string& player : players)
      width = std::clamp(display_width(printable(player)), width, widest_name);
    print_line(fmt::format("{:>4}  {}  {:>6}  {:>5}  {:>5}  {:>5}  {:>6}", "rank",
                           fitted("player", width), "played", "won", "drawn", "lost", "points"));
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
      const Standing& row = table[rank];
      print_line(fmt::format("{:>4}  {}  {:>6}  {:>5}  {:>5}  {:>5}  {:>6.1f}", rank + 1,
                             fitted(printable(players[row.entrant]), width), row.played(), row.won,
                             row.drawn, row.lost, row.points()));
    }
    print_line("level on points: points against each other, then fewer turns a win, then entry");
    print_line(fmt::format("{} matches, {} to {}; seed {}", matches.size(), matches.front().game,
                           matches.back().game, run_seed));
  }
};

}  // namespace

void add_tournament(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "tournament", "Play a round robin by seeded dice: every match recorded, and a table");
  auto& options = options_of<Tournament>(*command, session);
  command->add_option("PLAYER", options.players, "3 players or more, in the order of entry")
      ->required();
  add_number(*command, "--rounds", options.rounds, "How often every pair meets", 1, max_matches)
      ->required();
  add_number(*command, "--seed", options.seed, "Seed of all matches (default: random)");
  add_number(*command, "--max-turns", options.max_turns,
             "A match of so many turns ends without a winner (default: 2000)", 1,
             max_recorded_turns);
  options.board_options.add_to(*command);
  options.rules_options.add_to(*command);
  add_json_flag(*command, options.form);
  command->footer(
      R"(A win is a point, a match without a winner half a point for both. Those level on points are
ranked by their matches with each other, then by the fewer turns that a win took on average,
then by the order of entry. The players of a pair begin in turn.)");
}

}  // namespace snl::cli
