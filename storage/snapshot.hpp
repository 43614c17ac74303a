// A game's state as of one of its commits, so that a long game isn't folded from its beginning.
// Derived from the log, of which it is never a part.
#pragma once

#include "commit.hpp"

#include <memory>
#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// An append that passes a multiple of so many commits writes one: to fold the commits between
/// takes less time than to read the snapshot does, and most games never have one.
inline constexpr Version snapshot_interval = 256;

struct Snapshot {
  Head head;          // of the last commit that the state is the fold of
  std::string state;  // canonical JSON (codec.hpp)
  Hash hash{};        // the SHA-256 of the head's hash in hex and of `state`
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

Snapshot snapshot_of(const GameState& state, const Head& head);

/// The state of a game with this setup, without its `last_step`; none where the hash is another,
/// and where no such game can be in that state. Whether the log has the head is for the caller to
/// see.
std::optional<GameState> state_in(const Snapshot& snapshot, std::shared_ptr<const GameSetup> setup);

}  // namespace snl
