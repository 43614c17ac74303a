// tournament

#include "board_options.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "cli/reports/json_output.hpp"
#include "cli/session/start_game.hpp"
#include "commands.hpp"
#include "domain/analysis/simulation.hpp"
#include "domain/analysis/tournament.hpp"
#include "number_options.hpp"
#include "storage/record_game.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace snl::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t max_matches = 1'000'000;

/// A match that was played, and where to find it.
struct Match {
  std::string game;
  std::size_t round;  // from 1
  MatchResult result;
};

struct Tournament {
  std::vector<std::string> players;
  BoardOptions board_options;
  RulesOptions rules_options;
  std::size_t rounds = 1;
  std::optional<std::uint64_t> seed;
  std::optional<Turn> max_turns;
  bool json = false;

  void run(Session& session) const {
    const ChosenBoard chosen = board_options.chosen();
    const Rules rules = rules_options.chosen(chosen.rules);
    check_field();
    warn_about(chosen.board, rules);
    const std::uint64_t run_seed = seed ? *seed : random_seed();
    const std::vector<Match> matches =
        play(session.store_to_create(), chosen.board, rules, run_seed);
    std::vector<MatchResult> results;
    results.reserve(matches.size());
    for (const Match& match : matches)
      results.push_back(match.result);
    const std::vector<Standing> table = standings(players.size(), results);
    if (json)
      print_json(tournament_json(run_seed, matches, table));
    else
      print_table(run_seed, matches, table);
  }

 private:
  /// Throws Failure for players who can't all meet.
  void check_field() const {
    const std::size_t a_round = players.size() * (players.size() - 1) / 2;
    if (a_round > max_matches / rounds)
      throw Failure(Exit::usage,
                    fmt::format("--rounds {}: a tournament has 1 to {} matches, and every round "
                                "of {} players is {}",
                                rounds, max_matches, players.size(), a_round));
    std::vector<std::string> faults;
    if (players.size() < 3)
      faults.push_back(fmt::format("{} players: a tournament has 3 or more", players.size()));
    for (std::size_t i = 0; i < players.size(); ++i) {
      if (const auto fault = fault_of_name(players[i]))
        faults.push_back(fmt::format("player {}: the name {}", i + 1, *fault));
      const auto earlier = std::span(players).first(i);
      if (std::ranges::find(earlier, players[i]) != earlier.end())
        faults.push_back(fmt::format("player {}: \"{}\" plays already", i + 1, players[i]));
    }
    if (!faults.empty()) throw Failure(Exit::usage, fmt::format("{}", fmt::join(faults, "; ")));
  }

  /// Plays and records every match, some at a time.
  std::vector<Match> play(EventStore& store, const Board& board, const Rules& rules,
                          std::uint64_t run_seed) const {
    constexpr std::size_t matches_at_once = 100;
    std::vector<Match> matches;
    for (std::size_t round = 1; round <= rounds; ++round)
      for (const Pairing pairing : round_robin(players.size(), round - 1))
        matches.push_back({.game = {}, .round = round, .result = {.pairing = pairing}});
    const std::string prefix = new_id_prefix(store);
    for (std::size_t begin = 0; begin < matches.size(); begin += matches_at_once) {
      const std::size_t end = std::min(begin + matches_at_once, matches.size());
      store.atomically([&] {
        for (std::size_t i = begin; i < end; ++i) {
          matches[i].game = numbered_id(prefix, i + 1, matches.size());
          play(store, board, rules, game_seed(run_seed, i), matches[i]);
        }
      });
    }
    return matches;
  }

  void play(EventStore& store, const Board& board, const Rules& rules, std::uint64_t match_seed,
            Match& match) const {
    const auto [first, second] = match.result.pairing;
    auto setup =
        std::make_shared<const GameSetup>(GameSetup{.players = {players[first], players[second]},
                                                    .board = board,
                                                    .rules = rules,
                                                    .seed = match_seed});
    const auto played =
        record_game(store, match.game, setup, max_turns.value_or(2 * usual_turns_a_player));
    if (!played) throw Failure(Exit::conflict, played.error());
    match.result.turns = played->position.turn;
    if (const auto winner = played->position.winner)
      match.result.winner = *winner == 0 ? first : second;
  }

  json::object tournament_json(std::uint64_t run_seed, const std::vector<Match>& matches,
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

  void print_table(std::uint64_t run_seed, const std::vector<Match>& matches,
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

void add_tournament_command(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "tournament", "Play a round robin by seeded dice: every match recorded, and a table");
  auto options = std::make_shared<Tournament>();
  command->add_option("PLAYER", options->players, "3 players or more, in the order of entry")
      ->required();
  command->add_option("--rounds", options->rounds, "How often every pair meets")
      ->check(whole_number<std::size_t>(1, max_matches))
      ->type_name("N")
      ->required();
  add_number(*command, "--seed", options->seed, "Seed of all matches (default: random)");
  command
      ->add_option("--max-turns", options->max_turns,
                   "A match of so many turns ends without a winner (default: 2000)")
      ->check(whole_number<Turn>(1, max_recorded_turns))
      ->type_name("N");
  options->board_options.add_to(*command);
  options->rules_options.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "A win is a point, a match without a winner half a point for both. Those level on points "
      "are\n"
      "ranked by their matches with each other, then by the fewer turns that a win took on "
      "average,\n"
      "then by the order of entry. Who begins alternates.");
  command->callback([options, &session] { options->run(session); });
}

}  // namespace snl::cli
