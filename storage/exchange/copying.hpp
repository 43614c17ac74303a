// Copying every game of one store to another, of any engine: commit by commit, so that all heads
// stay the same.
#pragma once

#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace [[gnu::visibility("default")]] snl {

struct CopiedGames {
  std::int64_t games = 0;    // in the first store
  std::int64_t commits = 0;  // new to the second store
  Hash head{};               // of the second store, over all the games that it then has
};

/// Why copying stopped early. The commits that were copied before stay.
struct NotCopied {
  enum class Cause : std::uint8_t {
    conflict,  // another game has its ID, or it has gone on in the second store
    unsound,   // its log can't be proven
  };
  Cause cause;
  std::string game;
  std::string why;  // the fault, in a sentence
};

/// Copies the games in the order in which they began, several in a transaction, each proven as it
/// is read. A game that the second store has already stays as it is; one that it has in part is
/// completed. So an interrupted copy can be run again. Throws StoreError.
std::expected<CopiedGames, NotCopied> copy_games(StoreReader& from, EventStore& to);

/// Copies the hosted games that differ or that the second store doesn't have; returns how many. One
/// that the second store has is replaced, with its seats and tokens. It is a conflict if that is
/// another game, or if it has gone on there: a later stage, its end, a rematch, another host, or a
/// newer token of a player. Seats that were taken or left there alone are as in the first store
/// again. The games of the log go first. Throws StoreError.
std::expected<std::int64_t, NotCopied> copy_hosted_games(HostedGameStore& from,
                                                         HostedGameStore& to);

}  // namespace snl
