#include "tournament.hpp"

#include "domain/analysis/simulation.hpp"
#include "domain/game.hpp"
#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace snl {
namespace {

std::vector<PlayedMatch> matches_of(const TournamentPlan& plan) {
  std::vector<PlayedMatch> matches;
  for (std::size_t round = 1; round <= plan.rounds; ++round)
    for (const Pairing pairing : round_robin(plan.players.size(), round - 1))
      matches.push_back({.game = {}, .round = round, .result = {.pairing = pairing}});
  return matches;
}

std::expected<PlayedGame, std::string> play(const TournamentPlan& plan, std::uint64_t seed,
                                            PlayedMatch& match) {
  const auto [first, second] = match.result.pairing;
  const auto setup = std::make_shared<const GameSetup>(
      GameSetup{.players = {plan.players[first], plan.players[second]},
                .board = plan.board,
                .rules = plan.rules,
                .seed = seed});
  auto played = play_game(match.game, setup, plan.max_turns);
  if (!played) return played;
  match.result.turns = played->state.position.turn;
  if (const auto winner = played->state.position.winner)
    match.result.winner = *winner == 0 ? first : second;
  return played;
}

}  // namespace

std::vector<std::string> faults_of_entrants(std::span<const std::string> players) {
  std::vector<std::string> faults;
  if (players.size() < 3)
    faults.push_back(fmt::format("{} players: a tournament has 3 or more", players.size()));
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (const auto fault = fault_of_name(players[i]))
      faults.push_back(fmt::format("player {}: the name {}", i + 1, *fault));
    const auto earlier = players.first(i);
    if (std::ranges::find(earlier, players[i]) != earlier.end())
      faults.push_back(fmt::format("player {}: \"{}\" plays already", i + 1, players[i]));
  }
  return faults;
}

std::expected<std::vector<PlayedMatch>, std::string> play_tournament(
    EventStore& store, const TournamentPlan& plan,
    const std::function<void(std::size_t)>& recorded) {
  std::vector<PlayedMatch> matches = matches_of(plan);
  const std::string prefix = new_id_prefix(store);
  GameRecorder recorder(store);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    matches[i].game = numbered_id(prefix, i + 1, matches.size());
    auto played = play(plan, game_seed(plan.seed, i), matches[i]);
    if (!played) return std::unexpected(std::move(played).error());
    recorder.add(*std::move(played));
    if (!recorder.is_full() && i + 1 < matches.size()) continue;
    if (auto batch = recorder.record(); !batch) return std::unexpected(std::move(batch).error());
    recorded(i + 1);
  }
  return matches;
}

}  // namespace snl
