// Whole games that are played by their own dice and recorded at once: simulations, tournaments.
#pragma once

#include "event_store.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace snl {

/// The most turns that a caller should let a game be recorded with at once.
inline constexpr Turn max_recorded_turns = 1'000'000;

/// Plays a game by its own seeded dice until somebody wins or `max_turns` turns were played, and
/// records it under `id` as if every turn had been rolled by itself; answers its state. In one
/// append: all of it is in the store, or nothing. Within EventStore::atomically, many games are
/// recorded together. `observer` is given each turn and answers whether to go on. All turns are
/// kept in memory until then, some 250 bytes each. Fails with a sentence, recording nothing, if the
/// setup has faults, the ID is none (game_id.hpp) or taken, or it was not to go on. Throws
/// StoreError.
std::expected<GameState, std::string> record_game(
    EventStore& store, const std::string& id, const std::shared_ptr<const GameSetup>& setup,
    Turn max_turns, const std::function<bool(const TurnPlayed&)>& observer = {},
    const Clock& clock = system_time);

}  // namespace snl
