// What streams say: the bytes of server-sent events, made once for all who listen.
//
// GameReader answers the request for a stream with a StreamOpening. The shell then asks for what
// comes, from FeedPlace{} on, and asks again from the place that it was given, once that is sent
// and whenever something happened to the game:
//
//   FeedPlace place = feed.opening(*response.stream);
//   auto news = feed.news(game, place);     // none: the game is gone; the stream closes
//   send(news->parts); place = news->place; // at once again where news->has_more
//   if (news->has_ended) close;
//
// Streams at the same place are given the same bytes, so news() need be asked once for all of them.
// `retry:` and the comments in between are the shell's.
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

/// How much of a game a stream has been told.
struct FeedPlace {
  Version version = 0;       // the last one
  std::int64_t change = -1;  // the hosted game's; −1: no state yet
  Hash head{};               // that version's; zeros where nobody has named it
  bool reset = false;        // it is yet to be told that all begins anew
  friend bool operator==(const FeedPlace&, const FeedPlace&) = default;
};

struct FeedNotifications {
  /// Whole events, each with the blank line that ends it. Shared; never changed.
  std::vector<std::shared_ptr<const std::string>> parts;
  FeedPlace place;         // once all of it is sent
  bool has_more = false;   // there is more to be told at once
  bool has_ended = false;  // the last part is `event: end`: nothing follows
};

/// For one thread at a time.
class GameFeed {
 public:
  /// About how many bytes of commits are told at a time.
  static constexpr std::size_t bytes_at_once = std::size_t{64} << 10U;

  /// What it is given must outlive it; both stores are used by it alone.
  GameFeed(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known);
  ~GameFeed();
  GameFeed(const GameFeed&) = delete;
  GameFeed& operator=(const GameFeed&) = delete;
  GameFeed(GameFeed&&) = delete;
  GameFeed& operator=(GameFeed&&) = delete;

  /// Where a stream begins: it is told the state, then what follows.
  static FeedPlace opening(const StreamOpening& stream);
  static FeedPlace opening(Version from) { return opening({.game = {}, .from = from}); }

  /// What there is to be told from a place on; no parts if nothing happened. None for a game that
  /// isn't there (any more); nor for a place in a log that isn't the store's any more, since a
  /// failover lost it, or a copy was restored: whoever was told of it begins anew. The first to ask
  /// then throws StoreError, so that it is told of. Throws StoreError.
  std::optional<FeedNotifications> notifications(const std::string& game, const FeedPlace& from);

  /// The IDs of the games to which something happened since the last call, or since this was made:
  /// here, in another process, at the command line. Cheap where nothing did. Of games that were
  /// deleted only GameWriter::look_after tells. Throws StoreError.
  std::vector<std::string> changed_games();

  /// Of what happened up to now changed_games() says nothing. Throws StoreError.
  void pass_over_changes();
  /// The same of what happened up to a moment.
  void pass_over_changes(const StoreMoment& moment);

 private:
  class Games;
  std::unique_ptr<Games> games_;
};

}  // namespace snl::cli
