// The game that benchmarks of stores and processes play.
#pragma once

#include "domain/game.hpp"
#include "storage/event_store.hpp"

#include <memory>
#include <string>

namespace snl::benchmarks {

/// Two players, A and B, with one die of six faces, on 100 cells. The six cells before the last are
/// all heads of snakes. Nobody can get past them, so the game goes on for ever.
std::shared_ptr<const GameSetup> endless_game();

/// Records an endless game with so many turns, rolled from its seed. Throws std::runtime_error if
/// there is a game of this ID.
void record_endless_game(EventStore& store, const std::string& id, Turn turns,
                         const Clock& clock = system_time);

}  // namespace snl::benchmarks
