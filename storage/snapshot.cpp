#include "snapshot.hpp"

#include "codec.hpp"

#include <utility>

namespace snl {
namespace {

Hash hash_of(const Snapshot& snapshot) {
  Sha256 sha256;
  sha256.update(to_hex(snapshot.head.hash));
  sha256.update(snapshot.state);
  return sha256.finish();
}

/// Whether a state that was read, not folded, is possible at all: anybody who can write the row can
/// hash it too.
bool is_possible(const GameState& state) {
  const auto earlier = [&](Version version) { return version >= 0 && version <= state.version; };
  return snl::is_possible(state.position, *state.setup) && state.undoable() >= 0 &&
         state.undoable() < state.version && state.redoable < state.version &&
         earlier(state.last_turn) && earlier(state.redo.version) &&
         (state.undoable() == 0) == (state.last_turn == 0) &&
         (state.redoable == 0) == (state.redo.version == 0);
}

}  // namespace

Snapshot snapshot_of(const GameState& state, const Head& head) {
  Snapshot snapshot{.head = head, .state = encode(state)};
  snapshot.hash = hash_of(snapshot);
  return snapshot;
}

std::optional<GameState> state_in(const Snapshot& snapshot,
                                  std::shared_ptr<const GameSetup> setup) {
  if (hash_of(snapshot) != snapshot.hash) return std::nullopt;
  auto state = decode_state(snapshot.state, std::move(setup));
  if (!state) return std::nullopt;
  state->version = snapshot.head.version;
  if (!is_possible(*state)) return std::nullopt;
  return state;
}

}  // namespace snl
