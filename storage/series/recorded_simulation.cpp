#include "recorded_simulation.hpp"

#include "series_broken_off.hpp"
#include "storage/record_game.hpp"
#include "storage/start_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace snl {
namespace {

constexpr std::uint64_t games_a_batch = 250;

/// Records the games of a run, played by the engine.
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

  RecordedSimulation record() {
    SimulationResult result;
    result.wins.resize(plan_.players);
    while (result.games < plan_.games && !control_.stop) {
      result = with_next_batch(result);
      control_.games_played = result.games;
    }
    RecordedSimulation recorded{.result = std::move(result), .saved = std::nullopt};
    if (const std::uint64_t games = recorded.result.games; games > 0)
      recorded.saved = SavedGames{.first = id(0), .last = id(games - 1)};
    return recorded;
  }

 private:
  SimulationResult with_next_batch(SimulationResult result) {
    const std::uint64_t end = std::min(plan_.games, result.games + games_a_batch);
    store_.atomically([&] {
      while (result.games < end && !control_.stop)
        if (const auto game = play_and_record(result.games)) count_game(result, *game);
    });
    return result;
  }

  /// None if it was stopped.
  std::optional<SimulatedGame> play_and_record(std::uint64_t index) {
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
    const auto end = record_game(store_, id(index), setup, plan_.max_turns, count);
    if (!end && control_.stop) return std::nullopt;
    if (!end) throw SeriesBrokenOff(end.error());
    game.turns = end->position.turn;
    game.finished = end->completed();
    game.winner = end->position.winner.value_or(0);
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
  try {
    return Recorder(store, plan, control).record();
  } catch (const SeriesBrokenOff& reason) {
    return std::unexpected(reason.what());
  }
}

}  // namespace snl
