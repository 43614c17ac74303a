// Whole games, recorded at once.
#pragma once

#include "domain/engine.hpp"
#include "event_store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace snl {

/// Plays a game with its own seeded dice until somebody wins or `max_turns` (≥ 1) have been played,
/// and records it as if each turn had been rolled by itself, in one append. `observer` is given
/// each turn. Answers how it ended; none, and nothing is recorded, if the ID is taken. Within
/// EventStore::atomically, many games are recorded together. `setup` is sound; throws StoreError.
std::optional<GameState> record_played_out(EventStore& store, const std::string& id,
                                           const std::shared_ptr<const GameSetup>& setup,
                                           Turn max_turns,
                                           const std::function<void(const TurnPlayed&)>& observer,
                                           const Clock& clock = system_time);

}  // namespace snl
