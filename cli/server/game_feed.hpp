// The events of streams, as bytes of server-sent events: made once for all clients that listen.
//
// GameReader answers the request for a stream with a StreamOpening. The shell then fetches the
// notifications from FeedPlace{} on. It fetches more, from the place that it got, once all are sent
// and whenever the game changed:
//
//   FeedPlace place = feed.opening(*response.stream);
//   auto next = feed.notifications(game, place);  // none: the game is gone; the stream closes
//   send(next->parts); place = next->place;       // again at once if next->has_more
//   if (next->has_ended) close;
//
// Streams at the same place get the same bytes, so one call is enough for all of them.
// The shell adds `retry:` and the comments in between.
#pragma once

#include "http.hpp"
#include "known_games.hpp"
#include "storage/event_store.hpp"
#include "storage/hosted_games.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

/// The place in a game up to which a stream has got everything.
struct FeedPlace {
  Version version = 0;       // the last one
  std::int64_t change = -1;  // the hosted game's; −1: no state yet
  Hash head{};               // that version's; zeros if nobody has named it
  bool reset = false;        // the stream still has to send `reset`
  friend bool operator==(const FeedPlace&, const FeedPlace&) = default;
};

struct FeedNotifications {
  /// Whole events, each with the blank line that ends it. Shared; never changed.
  std::vector<std::shared_ptr<const std::string>> parts;
  FeedPlace place;         // once all of it is sent
  FeedPlace end;           // of streams that have got everything; a client may name a later place
  bool has_more = false;   // fetch the next ones at once
  bool has_ended = false;  // the last part is `event: end`: nothing follows
};

/// For one thread at a time.
class GameFeed {
 public:
  /// About how many bytes of commits one response has.
  static constexpr std::size_t bytes_at_once = std::size_t{64} << 10U;

  /// The arguments must outlive it; nobody else uses the two stores.
  GameFeed(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known);
  ~GameFeed();
  GameFeed& operator=(GameFeed&&) = delete;

  /// The place where a stream begins: with the state, then the notifications after it.
  static FeedPlace opening(const StreamOpening& stream);

  /// The notifications from a place on; no parts if nothing happened. None for a game that isn't
  /// there (any more). None too for a place that the store's log no longer has, since a failover
  /// lost it, or a copy was restored: that stream begins again. The first call for such a place
  /// throws StoreError, so that the operator is notified. Throws StoreError.
  std::optional<FeedNotifications> notifications(const std::string& game, const FeedPlace& from);

  /// Forgets a game that nobody follows any more.
  void forget(const std::string& game);

  /// The IDs of the games that changed since the last call, or since this was made: here, in
  /// another process, at the command line. Cheap if none did. Deleted games come from
  /// GameWriter::maintain alone. None if the store has lost changes, or was restored from a copy:
  /// any game may have changed. Throws StoreError.
  std::optional<std::vector<std::string>> changed_games();

  /// Leaves all changes up to now out of changed_games(). Throws StoreError.
  void pass_over_changes();
  /// The same for changes up to a moment.
  void pass_over_changes(const StoreMoment& moment);

 private:
  class Games;
  std::unique_ptr<Games> games_;
};

}  // namespace snl::cli
