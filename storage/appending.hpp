// What an append does alike in every store: revisions, then command IDs, then expectations, then
// hashes, then what is derived. For stores' own use.
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
  bool completed = false;  // by what the derived row says
  std::int64_t key = 0;    // what the store calls the game by; 0: it isn't there
};

/// What a store has to know how to do, within a transaction in which nobody else appends to the
/// games that are appended to.
class AppendPrimitives {
 public:
  AppendPrimitives() = default;
  virtual ~AppendPrimitives() = default;
  AppendPrimitives(const AppendPrimitives&) = delete;
  AppendPrimitives& operator=(const AppendPrimitives&) = delete;
  AppendPrimitives(AppendPrimitives&&) = delete;
  AppendPrimitives& operator=(AppendPrimitives&&) = delete;

  virtual std::optional<Commit> used_id(const std::string& game, const std::string& command_id) = 0;
  virtual LogEnd end_of(const Append& append) = 0;
  /// Room::changed of the game; none where it has no room.
  virtual std::optional<std::int64_t> revision(const Append& append) = 0;
  /// The time of the game's first commit.
  virtual UnixMilliseconds created(const std::string& game) = 0;

  /// Writes commits of a game, with these hashes, after what was its end, as the next ones of the
  /// store. `after` is its end then, but for the key; `summary` is null where none is due.
  virtual void write(const Append& append, const LogEnd& before, const LogEnd& after,
                     std::span<const Hash> hashes, const GameSummary* summary) = 0;
};

/// Whether an append of so many commits that leads from one end to the other writes what is derived
/// of the game.
bool is_summary_due(const LogEnd& before, const LogEnd& after, std::size_t commits);

/// EventStore::append by a store's primitives. Throws std::invalid_argument where a game is there
/// twice, or a command ID twice in one game. Where it is refused, or throws before anything can
/// fail in the store, nothing was written.
std::expected<std::vector<Head>, RefusedAppend> append_by(AppendPrimitives& store,
                                                          std::span<const Append> appends);

}  // namespace snl
