// tournament

#include "storage/series/tournament.hpp"

#include "board_options.hpp"
#include "cli/drawing/seen_names.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/csv.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/next_step.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "domain/analysis/simulation.hpp"
#include "domain/faults.hpp"
#include "domain/names.hpp"
#include "number_options.hpp"
#include "rules_options.hpp"
#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr std::array tie_breaks{
    NamedValue{"points against each other", TieBreak::points_against_each_other},
    NamedValue{"turns a win", TieBreak::turns_of_a_win},
    NamedValue{"entry", TieBreak::order_of_entry}};

struct Tournament {
  std::vector<std::string> players;
  BoardOptions board_options;
  RulesOptions rules_options;
  std::optional<std::size_t> rounds;
  std::optional<std::uint64_t> seed;
  std::optional<Turn> max_turns;
  std::string shown;  // the tournament to show, instead of playing one
  OutputForm form = OutputForm::words;
  std::vector<const CLI::Option*> of_a_game;  // the board's and the rules' options

  void run(Session& session) const {
    if (!shown.empty()) return show(session);
    if (!rounds) throw Failure(Exit::usage, "--rounds is required, or --show and a tournament");
    const TournamentPlan plan = planned(session);
    warn_about(plan.board, plan.rules);
    auto matches = play_tournament(session.store_to_create(), plan, [](std::size_t recorded) {
      note_recorded_games(static_cast<std::int64_t>(recorded));
    });
    if (!matches) throw Failure(Exit::conflict, with_what_was_done(matches.error()));
    print_tournament({.players = players, .matches = *std::move(matches)}, plan.seed);
  }

 private:
  /// Shows a recorded tournament. Its games are called NAME.1 and so on.
  void show(Session& session) const {
    const bool has_game_options = std::ranges::any_of(
        of_a_game, [](const CLI::Option* option) { return option->count() > 0; });
    if (!players.empty() || rounds || seed || max_turns || has_game_options)
      throw Failure(Exit::usage,
                    "--show prints a tournament that was played: leave out the players and options "
                    "of a new one");
    StoreReader& store = session.store_to_read(shown);
    const auto games_of = [&](const std::string& name) {
      return store.games_with_prefix(name + '.', max_matches);
    };
    std::vector<std::string> games = games_of(shown);
    if (games.empty()) {
      const std::string id = session.resolve(store, shown);
      games = games_of(id.substr(0, id.rfind('.')));
    }
    const auto tournament = read_tournament(store, games);
    if (!tournament)
      throw Failure(Exit::no_such,
                    fmt::format("the games of {} aren't a whole tournament; {} lists "
                                "all games",
                                shown, snl_command({"list"})));
    print_tournament(*tournament, std::nullopt);
    if (form != OutputForm::json) warn_of_unfinished(tournament->matches);
  }

  static void warn_of_unfinished(const std::vector<PlayedMatch>& matches) {
    constexpr std::size_t most_names = 10;
    std::vector<std::string> games;
    for (const PlayedMatch& match : matches)
      if (!match.result.winner) games.push_back(match.game);
    if (games.empty()) return;
    std::string more;
    if (games.size() > most_names) {
      more = fmt::format(" and {} more", games.size() - most_names);
      games.resize(most_names);
    }
    warn(fmt::format("still without a winner, and counted as drawn: {}{}", fmt::join(games, ", "),
                     more));
  }

  /// `run_seed` is none for a recorded tournament: the store doesn't hold it.
  void print_tournament(const RecordedTournament& played,
                        std::optional<std::uint64_t> run_seed) const {
    std::vector<MatchResult> results;
    results.reserve(played.matches.size());
    for (const PlayedMatch& match : played.matches)
      results.push_back(match.result);
    const std::vector<Standing> table = standings(played.players.size(), results);
    if (form == OutputForm::json)
      print_json(tournament_json(played, run_seed, table));
    else if (form == OutputForm::csv)
      print_csv(played, table);
    else
      print_table(played, run_seed, table);
  }

  TournamentPlan planned(const Session& session) const {
    ChosenBoard chosen = board_options.chosen();
    const Rules rules = rules_options.chosen(chosen.rules);
    check_safe_cells(rules, chosen.board);
    check_field();
    announce_board(session, form, chosen);
    return {.players = players,
            .board = std::move(chosen.board),
            .rules = rules,
            .rounds = *rounds,
            .seed = seed ? *seed : random_seed(),
            .max_turns = max_turns.value_or(2 * usual_turns_a_player)};
  }

  /// Throws Failure if the matches can't be scheduled for these players.
  void check_field() const {
    const std::size_t a_round = matches_a_round(players.size());
    if (a_round > max_matches / *rounds)
      throw Failure(Exit::usage,
                    fmt::format("--rounds {}: a tournament has 1 to {} matches, and every round "
                                "of {} players is {}",
                                *rounds, max_matches, players.size(), a_round));
    Faults faults = faults_of_entrants(players);
    std::ranges::move(faults_of_looks(players), std::back_inserter(faults));
    if (!faults.empty()) throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
  }

  static json::object standing_json(std::size_t rank, const std::string& player,
                                    const Standing& row) {
    json::object object{{"rank", rank},           {"player", player},   {"played", row.played()},
                        {"won", row.won},         {"drawn", row.drawn}, {"lost", row.lost},
                        {"points", row.points()}, {"below_by", nullptr}};
    if (row.below_by) object["below_by"] = name_of(tie_breaks, *row.below_by);
    return object;
  }

  static void print_csv(const RecordedTournament& played, const std::vector<Standing>& table) {
    const CsvColumns columns{"rank",  "player", "played", "won",
                             "drawn", "lost",   "points", "below_by"};
    print_names(csv_header(columns));
    for (std::size_t rank = 0; rank < table.size(); ++rank)
      print_names(csv_row(
          columns, standing_json(rank + 1, played.players[table[rank].entrant], table[rank])));
  }

  static json::object tournament_json(const RecordedTournament& played,
                                      std::optional<std::uint64_t> run_seed,
                                      const std::vector<Standing>& table) {
    json::array rows;
    for (std::size_t rank = 0; rank < table.size(); ++rank)
      rows.push_back(standing_json(rank + 1, played.players[table[rank].entrant], table[rank]));
    json::array games;
    for (const auto& [game, round, result] : played.matches)
      games.push_back(
          json::object{{"game", game},
                       {"round", round},
                       {"players", json::array{played.players[result.pairing.first],
                                               played.players[result.pairing.second]}},
                       {"winner", result.winner ? json::value(played.players[*result.winner])
                                                : json::value(nullptr)},
                       {"turns", result.turns},
                       {"status", result.winner ? "completed" : "in-progress"}});
    return {{"seed", run_seed ? json::value(*run_seed) : json::value(nullptr)},
            {"rounds", played.matches.back().round},
            {"standings", std::move(rows)},
            {"matches", std::move(games)}};
  }

  static void print_table(const RecordedTournament& played, std::optional<std::uint64_t> run_seed,
                          const std::vector<Standing>& table) {
    constexpr int widest_name = 40;
    int width = 6;
    for (const std::string& player : played.players)
      width = std::clamp(display_width(printable(player)), width, widest_name);
    print_line(fmt::format("{:>4}  {}  {:>6}  {:>5}  {:>5}  {:>5}  {:>6}", "rank",
                           fitted("player", width), "played", "won", "drawn", "lost", "points"));
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
      const Standing& row = table[rank];
      print_line(fmt::format(
          "{:>4}  {}  {:>6}  {:>5}  {:>5}  {:>5}  {:>6.1f}{}", rank + 1,
          fitted(printable(played.players[row.entrant]), width), row.played(), row.won, row.drawn,
          row.lost, row.points(),
          row.below_by ? fmt::format("  below by {}", name_of(tie_breaks, *row.below_by)) : ""));
    }
    print_line("level on points: points against each other, then fewer turns a win, then entry");
    print_line(fmt::format("{} matches, {} to {}{}", played.matches.size(),
                           played.matches.front().game, played.matches.back().game,
                           run_seed ? fmt::format("; seed {}", *run_seed) : ""));
  }
};

}  // namespace

void add_tournament(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Tournament>(
      app, session, "tournament",
      "Play a round robin by seeded dice: every match recorded, and a table");
  command.add_option("PLAYER", options.players, "3 players or more, in the order of entry");
  add_number(command, "--rounds", options.rounds, "How often every pair meets: needed to play", 1,
             max_matches);
  add_value(command, "--show", options.shown, "GAME",
            "Show a recorded tournament, whose games are called GAME.1 and so on");
  add_number(command, "--seed", options.seed, "Seed of all matches (default: random)");
  add_number(command, "--max-turns", options.max_turns,
             "After so many turns a match ends without a winner (default: 2000)", 1,
             max_recorded_turns);
  options.board_options.add_to(command);
  options.rules_options.add_to(command);
  options.of_a_game = std::as_const(command).get_options([](const CLI::Option* one) {
    return one->get_group() == "Board" || one->get_group() == "Rules";
  });
  add_json_flag(command, options.form);
  add_csv_flag(command, options.form, "Print the standings for spreadsheets, as CSV");
  command.footer(
      R"(A win is one point; a match without a winner is half a point for each player. Players level on
points are ranked by their matches with each other, then by the fewer turns that a win took on
average, then by the order of entry. The two players of a pair take turns to begin.)");
}

}  // namespace snl::cli
