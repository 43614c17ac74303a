#include "tournament.hpp"

#include "domain/analysis/simulation.hpp"
#include "domain/game.hpp"
#include "series_broken_off.hpp"
#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace snl {
namespace {

constexpr std::size_t matches_at_once = 100;

std::vector<PlayedMatch> matches_of(const TournamentPlan& plan) {
  std::vector<PlayedMatch> matches;
  for (std::size_t round = 1; round <= plan.rounds; ++round)
    for (const Pairing pairing : round_robin(plan.players.size(), round - 1))
      matches.push_back({.game = {}, .round = round, .result = {.pairing = pairing}});
  return matches;
}

void play(EventStore& store, const TournamentPlan& plan, std::uint64_t seed, PlayedMatch& match) {
  const auto [first, second] = match.result.pairing;
  const auto setup = std::make_shared<const GameSetup>(
      GameSetup{.players = {plan.players[first], plan.players[second]},
                .board = plan.board,
                .rules = plan.rules,
                .seed = seed});
  const auto played = record_game(store, match.game, setup, plan.max_turns);
  if (!played) throw SeriesBrokenOff(played.error());
  match.result.turns = played->position.turn;
  if (const auto winner = played->position.winner)
    match.result.winner = *winner == 0 ? first : second;
}

void play_all(EventStore& store, const TournamentPlan& plan, std::vector<PlayedMatch>& matches) {
  const std::string prefix = new_id_prefix(store);
  for (std::size_t begin = 0; begin < matches.size(); begin += matches_at_once) {
    const std::size_t end = std::min(begin + matches_at_once, matches.size());
    store.atomically([&] {
      for (std::size_t i = begin; i < end; ++i) {
        matches[i].game = numbered_id(prefix, i + 1, matches.size());
        play(store, plan, game_seed(plan.seed, i), matches[i]);
      }
    });
  }
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

std::expected<std::vector<PlayedMatch>, std::string> play_tournament(EventStore& store,
                                                                     const TournamentPlan& plan) {
  std::vector<PlayedMatch> matches = matches_of(plan);
  try {
    play_all(store, plan, matches);
  } catch (const SeriesBrokenOff& reason) {
    return std::unexpected(reason.what());
  }
  return matches;
}

}  // namespace snl
