// What an append does alike in every store: revisions, then command IDs, then expectations, then
// hashes; and which derived rows are due with it. For stores' own use.
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
  std::int64_t key = 0;  // what the store calls the game by; 0: it isn't there
};

/// What a store has to know how to do, within a transaction in which nobody else appends to the
/// games that are appended to.
class AppendPrimitives {
 public:
  AppendPrimitives() = default;
  virtual ~AppendPrimitives() = default;
  AppendPrimitives(const AppendPrimitives&) = delete;
  AppendPrimitives& operator=(const AppendPrimitives&) = delete;

  virtual std::optional<Commit> used_id(const std::string& game, const std::string& command_id) = 0;
  virtual LogEnd end_of(const Append& append) = 0;
  /// HostedGame::revision of the game; none where it is no hosted game.
  virtual std::optional<std::int64_t> revision(const Append& append) = 0;

  /// Writes commits of a game, with these hashes, after what was its end, as the next ones of the
  /// store; and what is derived, where that is due. `after` is the game's head then.
  virtual void write(const Append& append, const LogEnd& before, const Head& after,
                     std::span<const Hash> hashes) = 0;
};

/// The list entry of a game that begins with this append.
ListEntry first_entry(const Append& append);

/// Whether an append to a game that is there may end it, or take back its end: then the list entry
/// says afterwards whether it is completed.
bool may_change_status(const Append& append);

/// Whether an append from one version to another is followed by a snapshot.
bool is_snapshot_due(Version before, Version after);

/// EventStore::append by a store's primitives. Throws std::invalid_argument where a game is there
/// twice, or a command ID twice in one game. Where it is refused, or throws before anything can
/// fail in the store, nothing was written.
std::expected<std::vector<Head>, RefusedAppend> append_by(AppendPrimitives& store,
                                                          std::span<const Append> appends);

}  // namespace snl
