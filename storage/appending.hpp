// The part of an append that is the same in every store: check revisions, then command IDs, then
// expected heads; make hashes; say which derived rows are due. Only stores use it.
#pragma once

#include "event_store.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The end of a game's log, as an append finds it or leaves it.
struct LogEnd {
  Head head;
  std::int64_t key = 0;  // the store's key of the game; 0: it isn't there
};

/// The steps that each store implements. They run in a transaction in which nobody else appends to
/// the same games.
class AppendPrimitives {
 public:
  AppendPrimitives() = default;
  virtual ~AppendPrimitives() = default;
  AppendPrimitives(const AppendPrimitives&) = delete;
  AppendPrimitives& operator=(const AppendPrimitives&) = delete;

  virtual std::optional<Commit> used_id(const std::string& game, const std::string& command_id) = 0;
  virtual LogEnd end_of(const Append& append) = 0;
  /// HostedGame::revision of the game; none if it isn't a hosted game.
  virtual std::optional<std::int64_t> revision(const Append& append) = 0;

  /// Writes the commits, with these hashes, as the next ones of the game and of the store, and the
  /// derived rows that are due. `before` is the game's end so far, `after` its new head.
  virtual void write(const Append& append, const LogEnd& before, const Head& after,
                     std::span<const Hash> hashes) = 0;
};

/// The list entry of a game that begins with this append.
ListEntry first_entry(const Append& append);

/// Whether an append to an existing game may end it, or take its end back. Then the list entry has
/// to say afterwards whether the game is completed.
bool may_change_status(const Append& append);

/// Whether an append from one version to another is followed by a snapshot.
bool is_snapshot_due(Version before, Version after);

/// Implements EventStore::append with a store's primitives. Throws std::invalid_argument if a game
/// appears twice, or a command ID twice in one game. It refuses, or throws that, before it writes
/// anything.
std::expected<std::vector<Head>, RefusedAppend> append_by(AppendPrimitives& store,
                                                          std::span<const Append> appends);

}  // namespace snl
