#include "record_game.hpp"

#include "codec.hpp"
#include "domain/engine.hpp"
#include "draw.hpp"
#include "game_id.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

namespace snl {

std::expected<PlayedGame, std::string> play_game(
    std::string id, const std::shared_ptr<const GameSetup>& setup, Turn max_turns,
    const std::function<bool(const TurnPlayed&)>& observer, const Clock& clock) {
  if (!is_game_id(id)) return std::unexpected(fmt::format("\"{}\": {}", id, game_id_rule));
  const auto started = decide(GameState{}, StartGame{setup});
  if (!started) return std::unexpected(fmt::format("{}", fmt::join(faults_of(*setup), "; ")));
  if (auto fault = fault_of_draw(*setup)) return std::unexpected(*std::move(fault));

  PlayedGame game{.id = std::move(id), .commits = {}, .state = {}};
  const auto add = [&](std::string command, const Event& event) {
    game.commits.push_back({.time = clock(),
                            .command = std::move(command),
                            .events = encode(std::span(&event, 1)),
                            .command_id = std::nullopt});
  };
  add(encode(StartGame{setup}), *started);
  const std::string roll = encode(RollTurn{});
  std::stop_source stop;
  const auto add_turn = [&](const Event& turn) {
    add(roll, turn);
    if (observer && !observer(std::get<TurnPlayed>(turn))) stop.request_stop();
  };
  const GameState start = *evolve(GameState{}, Event{*started});
  auto played = play_out(start, seeded_dice, add_turn, max_turns, stop.get_token());
  if (stop.stop_requested()) return std::unexpected("it was stopped");
  game.state = *std::move(played);
  return game;
}

std::expected<void, std::string> record_games(EventStore& store,
                                              std::span<const PlayedGame> games) {
  std::vector<Append> appends;
  appends.reserve(games.size());
  for (const PlayedGame& game : games)
    appends.push_back(game.append());
  if (const auto recorded = store.append(appends); !recorded)
    return std::unexpected(fmt::format("there is a game {} already", recorded.error().game));
  return {};
}

std::expected<GameState, std::string> record_game(EventStore& store, std::string id,
                                                  const std::shared_ptr<const GameSetup>& setup,
                                                  Turn max_turns, const Clock& clock) {
  auto game = play_game(std::move(id), setup, max_turns, {}, clock);
  if (!game) return std::unexpected(std::move(game).error());
  if (auto recorded = record_games(store, std::span(&*game, 1)); !recorded)
    return std::unexpected(std::move(recorded).error());
  return std::move(game->state);
}

void GameRecorder::add(PlayedGame game) {
  commits_ += game.commits.size();
  games_.push_back(std::move(game));
}

std::expected<void, std::string> GameRecorder::record() {
  auto recorded = record_games(store_, games_);
  games_.clear();
  commits_ = 0;
  return recorded;
}

}  // namespace snl
