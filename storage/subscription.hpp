// Following a store as it grows: every recorded commit once, in order, without gaps, whoever
// appends them. A store that has lost what it lent, as one that was restored from an old copy, or
// whose server failed over to a standby that was behind, is told by the hash of what it lent last.
#pragma once

#include "event_store.hpp"

#include <optional>
#include <stop_token>
#include <string>

namespace [[gnu::visibility("default")]] snl {

class Subscription {
 public:
  /// Of the whole store, from a position on (1: everything).
  static Subscription to_store(StoreReader& store, StorePosition from);
  /// Of one game, from a version on. The game need not be there yet.
  static Subscription to_game(StoreReader& store, std::string game, Version from);

  /// Lends each commit that is there now and hasn't been lent before; false from `visit` ends it
  /// after that commit. Answers false if `visit` did. `visit` may take its time, and use the store.
  /// Throws StoreError, of damage, where the store no longer has what was lent last.
  bool poll(const CommitVisitor& visit);

  /// Polls until `visit` answers false or `stop` is requested; waits in between.
  void run(const CommitVisitor& visit, const std::stop_token& stop);

 private:
  Subscription(StoreReader& store, std::optional<std::string> game, std::int64_t next);
  [[noreturn]] void refuse() const;

  StoreReader* store_;
  std::optional<std::string> game_;
  std::int64_t next_;         // version in the game, or position in the store
  std::optional<Hash> last_;  // of the commit that was lent last, which is there at next_ - 1
};

}  // namespace snl
