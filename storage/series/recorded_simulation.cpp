#include "recorded_simulation.hpp"

#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace snl {
namespace {

/// Plays the games of a run by the engine and records them.
class Recorder {
 public:
  Recorder(EventStore& store, const SimulationPlan& plan, SimulationControl& control)
      : store_(store),
        plan_(plan),
        control_(control),
        prefix_(new_id_prefix(store)),
        setup_{.players = {}, .board = plan.board, .rules = plan.rules} {
    for (std::size_t player = 1; player <= plan.players; ++player)
      setup_.players.push_back(fmt::format("Player {}", player));
  }

  std::expected<RecordedSimulation, std::string> record() {
    SimulationResult result;
    result.wins.resize(plan_.players);
    while (result.games < plan_.games && !control_.stop) {
      auto longer = with_next_batch(result);
      if (!longer) return std::unexpected(std::move(longer).error());
      result = *std::move(longer);
      control_.games_played = result.games;
    }
    RecordedSimulation recorded{.result = std::move(result), .saved = std::nullopt};
    if (const std::uint64_t games = recorded.result.games; games > 0)
      recorded.saved = SavedGames{.first = id(0), .last = id(games - 1)};
    return recorded;
  }

 private:
  std::expected<SimulationResult, std::string> with_next_batch(SimulationResult result) {
    GameRecorder batch(store_);
    while (result.games < plan_.games && !control_.stop && !batch.is_full()) {
      auto game = play(batch, result.games);
      if (!game) return std::unexpected(std::move(game).error());
      if (*game) count_game(result, **game);
    }
    if (auto recorded = batch.record(); !recorded)
      return std::unexpected(std::move(recorded).error());
    return result;
  }

  /// None if it was stopped.
  std::expected<std::optional<SimulatedGame>, std::string> play(GameRecorder& batch,
                                                                std::uint64_t index) {
    const auto setup = std::make_shared<GameSetup>(setup_);
    setup->seed = game_seed(plan_.seed, index);
    SimulatedGame game{.index = index,
                       .seed = setup->seed,
                       .turns = 0,
                       .finished = false,
                       .snakes = 0,
                       .ladders = 0};
    const auto count = [&](const TurnPlayed& turn) {
      const auto jump = jump_of(turn);
      if (jump == JumpKind::snake) ++game.snakes;
      if (jump == JumpKind::ladder) ++game.ladders;
      return !control_.stop;
    };
    auto played = play_game(id(index), setup, plan_.max_turns, count);
    if (!played && control_.stop) return std::nullopt;
    if (!played) return std::unexpected(std::move(played).error());
    game.turns = played->state.position.turn;
    game.finished = played->state.completed();
    game.winner = played->state.position.winner.value_or(0);
    batch.add(*std::move(played));
    return game;
  }

  std::string id(std::uint64_t index) const { return numbered_id(prefix_, index + 1, plan_.games); }

  EventStore& store_;
  const SimulationPlan& plan_;
  SimulationControl& control_;
  std::string prefix_;
  GameSetup setup_;
};

}  // namespace

std::expected<RecordedSimulation, std::string> record_simulation(EventStore& store,
                                                                 const SimulationPlan& plan,
                                                                 SimulationControl& control) {
  return Recorder(store, plan, control).record();
}

}  // namespace snl
