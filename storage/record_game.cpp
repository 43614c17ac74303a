#include "record_game.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <stop_token>
#include <utility>
#include <variant>
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
  const std::string roll = encode(RollTurn{});
  std::stop_source stop;
  const auto record_turn = [&](const Event& turn) {
    record(roll, turn);
    if (observer && !observer(std::get<TurnPlayed>(turn))) stop.request_stop();
  };
  const GameState start = *evolve(GameState{}, Event{*started});
  auto played = play_out(start, seeded_dice, record_turn, max_turns, stop.get_token());
  if (stop.stop_requested()) return std::unexpected("it was stopped");
  if (!store.append(id, 0, commits, *played))
    return std::unexpected(fmt::format("there is a game {} already", id));
  return *std::move(played);
}

}  // namespace snl
