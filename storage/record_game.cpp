#include "record_game.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace snl {

std::expected<GameState, std::string> record_game(EventStore& store, const std::string& id,
                                                  std::shared_ptr<const GameSetup> setup,
                                                  Turn max_turns, const Clock& clock) {
  const StartGame start{std::move(setup)};
  const auto started = decide(GameState{}, start);
  if (!started) return std::unexpected(fmt::format("{}", fmt::join(faults_of(*start.setup), "; ")));

  std::vector<NewCommit> commits;
  const auto record = [&](const Command& command, const Event& event) {
    commits.push_back({.time = clock(),
                       .command = encode(command),
                       .events = encode(std::span(&event, 1)),
                       .command_id = std::nullopt});
  };
  record(start, *started);
  GameState state = *evolve(GameState{}, Event{*started});
  for (Turn played = 0; played < max_turns && !state.completed(); ++played) {
    const auto turn = decide(state, RollTurn{});
    record(RollTurn{}, *turn);
    state = *evolve(std::move(state), *turn);
  }
  if (!store.append(id, 0, commits, state))
    return std::unexpected(fmt::format("there is a game {} already", id));
  return state;
}

}  // namespace snl
