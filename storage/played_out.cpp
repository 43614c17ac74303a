#include "played_out.hpp"

#include "codec.hpp"

#include <span>
#include <vector>

namespace snl {

std::optional<GameState> record_played_out(EventStore& store, const std::string& id,
                                           const std::shared_ptr<const GameSetup>& setup,
                                           Turn max_turns,
                                           const std::function<void(const TurnPlayed&)>& observer,
                                           const Clock& clock) {
  std::vector<NewCommit> commits;
  const auto keep = [&](std::string command, const Event& event) {
    commits.push_back({.time = clock(),
                       .command = std::move(command),
                       .events = encode(std::span(&event, 1)),
                       .command_id = std::nullopt});
  };
  const GameStarted started = decide(GameState{}, StartGame{setup}).value();
  keep(encode(Command{StartGame{setup}}), started);
  GameState state = evolve(GameState{}, started).value();
  const std::string roll = encode(Command{RollTurn{}});
  for (Turn turn = 0; turn < max_turns && !state.completed(); ++turn) {
    const TurnPlayed played = decide(state, RollTurn{}).value();
    state = evolve(std::move(state), played).value();
    keep(roll, played);
    observer(played);
  }
  if (!store.append(id, 0, commits, state)) return std::nullopt;
  return state;
}

}  // namespace snl
