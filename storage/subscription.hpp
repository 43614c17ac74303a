// Following a store as it grows: each recorded commit once, in order, without gaps, no matter who
// appends it. A subscription remembers the hash of the last commit that it passed on. So it notices
// a store that has lost commits: one that was restored from an old copy, or whose server failed
// over to a standby that was behind.
#pragma once

#include "event_store.hpp"

#include <optional>
#include <stop_token>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// For one thread, on a store that lives longer.
class Subscription {
 public:
  /// Follows the whole store, from a position on (1: everything).
  static Subscription to_store(StoreReader& store, StorePosition from);
  /// Follows one game, from a version on. The game need not be there yet.
  static Subscription to_game(StoreReader& store, std::string game, Version from);

  /// Passes each new commit to `visit`, once. If `visit` returns false, the poll ends after that
  /// commit and returns false. `visit` may be slow, and may use the store. Throws StoreError, of
  /// damage, if the store no longer has the commit that was passed on last.
  bool poll(const CommitVisitor& visit);

  /// Polls until `visit` returns false or `stop` is requested; waits in between.
  void run(const CommitVisitor& visit, const std::stop_token& stop);

 private:
  Subscription(StoreReader& store, std::optional<std::string> game, std::int64_t next);
  [[noreturn]] void refuse() const;

  StoreReader* store_;
  std::optional<std::string> game_;
  std::int64_t next_;         // version in the game, or position in the store
  std::optional<Hash> last_;  // of the commit at next_ - 1, which was passed on last
};

}  // namespace snl
