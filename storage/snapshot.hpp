// A game's state at one of its commits, so that a long game isn't folded from its beginning. It is
// derived from the log, and never a part of it.
#pragma once

#include "commit.hpp"

#include <memory>
#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// An append that passes a multiple of this many commits writes a snapshot. Folding the commits
/// between two snapshots takes less time than reading one does, and most games never have one.
inline constexpr Version snapshot_interval = 256;

struct Snapshot {
  Head head;          // of the last commit that is folded into the state
  std::string state;  // canonical JSON (codec.hpp)
  Hash hash{};        // the SHA-256 of the head's hash in hex and of `state`
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

Snapshot snapshot_of(const GameState& state, const Head& head);

/// The state of a game with this setup; none if the hash differs, or if no such game can be in that
/// state. The caller has to check that the log has the head.
std::optional<GameState> state_in(const Snapshot& snapshot, std::shared_ptr<const GameSetup> setup);

}  // namespace snl
