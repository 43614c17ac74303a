// A simulation whose games are kept: the same games as simulate() plays, each with its whole log.
#pragma once

#include "domain/analysis/simulation.hpp"
#include "storage/event_store.hpp"

#include <expected>
#include <optional>
#include <string>

namespace snl {

/// The first and the last ID of games that were recorded; they are numbered.
struct SavedGames {
  std::string first;
  std::string last;
};

struct RecordedSimulation {
  SimulationResult result;
  std::optional<SavedGames> saved;  // none if the run was stopped before its first games were
};

/// Plays the games of a run by the engine and records them, some in each transaction. What `result`
/// counts is in the store, and nothing else is. The players are called "Player 1", "Player 2" …;
/// max_turns is at most max_recorded_turns. Fails with a sentence where an ID was taken meanwhile.
/// Throws StoreError.
std::expected<RecordedSimulation, std::string> record_simulation(EventStore& store,
                                                                 const SimulationPlan& plan,
                                                                 SimulationControl& control);

}  // namespace snl
