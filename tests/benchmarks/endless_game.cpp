#include "endless_game.hpp"

#include "storage/record_game.hpp"

#include <stdexcept>

namespace snl::benchmarks {

std::shared_ptr<const GameSetup> endless_game() {
  const BoardDescription description = {
      .cells = 100,
      .width = std::nullopt,
      .snakes = {{94, 6}, {95, 5}, {96, 4}, {97, 3}, {98, 2}, {99, 1}},
      .ladders = {}};
  static const auto setup =
      std::make_shared<const GameSetup>(GameSetup{.players = {"A", "B"},
                                                  .board = Board::make(description).value(),
                                                  .rules = {.sixes = Sixes::plain},
                                                  .seed = 1});
  return setup;
}

void record_endless_game(EventStore& store, const std::string& id, Turn turns, const Clock& clock) {
  if (const auto recorded = record_game(store, id, endless_game(), turns, clock); !recorded)
    throw std::runtime_error(recorded.error());
}

}  // namespace snl::benchmarks
