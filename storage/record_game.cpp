#include "record_game.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <utility>
#include <vector>

namespace snl {

std::expected<GameState, std::string> record_game(
    EventStore& store, const std::string& id, const std::shared_ptr<const GameSetup>& setup,
    Turn max_turns, const std::function<bool(const TurnPlayed&)>& observer, const Clock& clock) {
  if (!is_game_id(id)) return std::unexpected(fmt::format("\"{}\": {}", id, game_id_rule));
  const auto started = decide(GameState{}, StartGame{setup});
  if (!started) return std::unexpected(fmt::format("{}", fmt::join(faults_of(*setup), "; ")));

  std::vector<NewCommit> commits;
  const auto record = [&](std::string command, const Event& event) {
    commits.push_back({.time = clock(),
                       .command = std::move(command),
                       .events = encode(std::span(&event, 1)),
                       .command_id = std::nullopt});
  };
  record(encode(StartGame{setup}), *started);
  GameState state = *evolve(GameState{}, Event{*started});
  const std::string roll = encode(RollTurn{});
  for (Turn played = 0; played < max_turns && !state.completed(); ++played) {
    const auto turn = decide(state, RollTurn{});
    record(roll, *turn);
    state = *evolve(std::move(state), *turn);
    if (observer && !observer(*turn)) return std::unexpected("it was stopped");
  }
  if (!store.append(id, 0, commits, state))
    return std::unexpected(fmt::format("there is a game {} already", id));
  return state;
}

}  // namespace snl
