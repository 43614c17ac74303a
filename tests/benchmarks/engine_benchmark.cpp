// The engine alone: every turn decided and evolved, nothing recorded.
#include "domain/engine.hpp"
#include "measured_board.hpp"
#include "rows.hpp"
#include "straightforward_loop.hpp"

#include <memory>

namespace snl::benchmarks {
namespace {

GameState new_game() {
  return *evolve(
      GameState{},
      *decide(GameState{}, StartGame{std::make_shared<GameSetup>(GameSetup{
                               .players = {"Ann", "Ben"},
                               .board = measured_board().board(),
                               .rules = *value_named(preset_names, measured_board().rules),
                               .seed = 1})}));
}

/// Plays games, one after another, with dice that a small generator of its own throws.
Work deciding(double turns) {
  return [=, start = new_game()] {
    GameState state = start;
    std::uint32_t dice = 1;
    for (double played = 0; played < turns; ++played) {
      dice = dice * 1664525U + 1013904223U;
      const auto die = static_cast<std::int32_t>((std::uint64_t{dice} * 6) >> 32U) + 1;
      const auto turn = decide(state, PlayTurn{state.position.next, Dice({die})});
      auto after = evolve(std::move(state), *turn);
      state = *std::move(after);
      if (state.position.winner) state = start;
    }
    return Done(state.version > 0 ? turns : 0);
  };
}

/// The straightforward loop, in turns.
Work looping(double games) {
  std::vector<int> to;
  const Board played = measured_board().board();
  for (Cell cell = 0; cell <= played.cells(); ++cell)
    to.push_back(played.landing(cell));
  return [=, seed = 1U]() mutable {
    const LoopCounts counts =
        straightforward_loop(to, 2, static_cast<std::uint64_t>(games), seed++);
    double turns = 0;
    for (std::size_t length = 0; length < counts.games_by_turns.size(); ++length)
      turns += static_cast<double>(length * counts.games_by_turns[length]);
    return Done(turns);
  };
}

}  // namespace

std::vector<Row> engine_rows(const Options& options) {
  constexpr double ten_million = 10e6;
  return {{.name = "decide and evolve",
           .baseline_name = "the straightforward loop, no events",
           .unit = "turns",
           .bar = Bar{Bar::Of::figure, ten_million},
           .prepare = [&options] {
             return Contest{deciding(scaled(options, 5e6)), looping(scaled(options, 100'000))};
           }}};
}

}  // namespace snl::benchmarks
