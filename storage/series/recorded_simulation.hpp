// A simulation whose games are kept: the same games as simulate() plays, each with its whole log.
#pragma once

#include "domain/analysis/simulation.hpp"
#include "storage/event_store.hpp"

#include <expected>
#include <optional>
#include <string>

namespace snl {

/// The first and the last ID of the recorded games, which are numbered.
struct SavedGames {
  std::string first;
  std::string last;
};

struct RecordedSimulation {
  SimulationResult result;
  std::optional<SavedGames> saved;  // none if the run was stopped before any game was saved
};

/// Plays the games of a run by the engine and records them, several in each transaction. The store
/// holds exactly the games that `result` counts. The players are called "Player 1", "Player 2" …;
/// max_turns is at most max_recorded_turns. Fails with a sentence if an ID was taken meanwhile.
/// Throws StoreError.
std::expected<RecordedSimulation, std::string> record_simulation(EventStore& store,
                                                                 const SimulationPlan& plan,
                                                                 SimulationControl& control);

}  // namespace snl
