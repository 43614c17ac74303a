#include "tournament.hpp"

#include "domain/analysis/simulation.hpp"
#include "domain/game.hpp"
#include "storage/record_game.hpp"
#include "storage/recorded_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

namespace snl {
namespace {

std::vector<PlayedMatch> matches_of(std::size_t entrants, std::size_t rounds) {
  std::vector<PlayedMatch> matches;
  for (std::size_t round = 1; round <= rounds; ++round)
    for (const Pairing pairing : round_robin(entrants, round - 1))
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
  std::vector<PlayedMatch> matches = matches_of(plan.players.size(), plan.rounds);
  const std::string prefix = new_id_prefix(store);
  GameRecorder recorder(store);
  const std::size_t a_round = matches_a_round(plan.players.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    matches[i].game = numbered_id(prefix, i + 1, matches.size());
    auto played = play(plan, game_seed(plan.seed, i), matches[i]);
    if (!played) return std::unexpected(std::move(played).error());
    recorder.add(*std::move(played));
    // A transaction before the last one doesn't end with a round: what an interruption leaves isn't
    // a whole tournament of fewer rounds.
    const bool may_end_here = recorder.is_full() && (i + 1) % a_round != 0;
    if (!may_end_here && i + 1 < matches.size()) continue;
    if (auto batch = recorder.record(); !batch) return std::unexpected(std::move(batch).error());
    recorded(i + 1);
  }
  return matches;
}

namespace {

/// The states of matches of two players; none if one of the games isn't such a match.
std::optional<std::vector<GameState>> states_of(StoreReader& store,
                                                std::span<const std::string> games) {
  std::vector<GameState> states;
  for (const std::string& id : games) {
    const auto game = RecordedGame::load(store, id);
    if (!game || game->state().players() != 2) return std::nullopt;
    states.push_back(game->state());
  }
  return states;
}

std::size_t count_names(const std::vector<GameState>& states) {
  std::set<std::string> names;
  for (const GameState& state : states)
    names.insert(state.setup->players.begin(), state.setup->players.end());
  return names.size();
}

}  // namespace

std::optional<RecordedTournament> read_tournament(StoreReader& store,
                                                  std::span<const std::string> games) {
  const auto states = states_of(store, games);
  if (!states) return std::nullopt;
  const std::size_t entrants = count_names(*states);
  if (entrants < 3 || states->size() % matches_a_round(entrants) != 0) return std::nullopt;

  std::vector<std::string> players(entrants);
  std::vector<PlayedMatch> matches =
      matches_of(entrants, states->size() / matches_a_round(entrants));
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const GameState& state = (*states)[i];
    MatchResult& result = matches[i].result;
    const std::array seats{result.pairing.first, result.pairing.second};
    matches[i].game = games[i];
    result.turns = state.position.turn;
    if (state.position.winner) result.winner = seats.at(*state.position.winner);
    for (std::size_t seat = 0; seat < seats.size(); ++seat) {
      std::string& name = players[seats.at(seat)];
      if (name.empty()) name = state.setup->players[seat];
      if (name != state.setup->players[seat]) return std::nullopt;
    }
  }
  return RecordedTournament{.players = std::move(players), .matches = std::move(matches)};
}

}  // namespace snl
