// Copying every game of one store to another, of whatever engine: commit by commit, so that all
// heads stay as they are.
#pragma once

#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace [[gnu::visibility("default")]] snl {

struct CopiedGames {
  std::int64_t games = 0;    // that the first store has
  std::int64_t commits = 0;  // that the second one hadn't
  Hash head{};               // of the second store, over all games that it has by then
};

/// Why copying ended before its time; what was copied until then stays.
struct NotCopied {
  enum class Cause : std::uint8_t {
    conflict,  // another game has its ID, or it has gone on in the second store
    unsound,   // its log can't be proven
  };
  Cause cause;
  std::string game;
  std::string why;  // what is unsound, in a sentence
};

/// Copies the games in the order in which they were begun, each proven as it is read, some at once
/// in a transaction. One that is there already is left as it is; one of which some is there is
/// completed: so what was interrupted can be done again. Throws StoreError.
std::expected<CopiedGames, NotCopied> copy_games(StoreReader& from, EventStore& to);

/// Copies the hosted games of games that have none there; answers how many. Throws StoreError.
std::int64_t copy_hosted_games(HostedGameStore& from, HostedGameStore& to);

}  // namespace snl
