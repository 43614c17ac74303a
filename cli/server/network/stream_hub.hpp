// Streams of games: one thread watches the store, makes each change into bytes once, and gives them
// to all streams that follow the game, in every loop.
//
// A stream is at a place (FeedPlace). All streams at the same place get the notifications from
// there on. A stream elsewhere, since it is new or its client reads slowly, requests those from its
// own place as soon as all before are sent. So no stream misses a change or gets one twice.
#pragma once

#include "cli/server/game_feed.hpp"
#include "client_connection.hpp"
#include "event_loop.hpp"
#include "metrics.hpp"
#include "work_queue.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace snl::cli {

class StreamHub;

/// One stream: the game that it follows and how far it has come. Belongs to a connection.
class GameStream final : public StreamSource {
 public:
  GameStream(StreamHub& hub, std::string game, const FeedPlace& place);

  const std::string& game() const { return game_; }

  /// Requests the notifications from its place on.
  void ask(ClientConnection& connection);
  /// The response; none: the game is gone.
  void responded(ClientConnection& connection,
                 const std::optional<FeedNotifications>& notifications);
  /// Notifications for all streams at `from`.
  void published(ClientConnection& connection, const FeedPlace& from,
                 const FeedNotifications& notifications);
  void drained(ClientConnection& connection) override;
  std::string farewell() override;

 private:
  void send(ClientConnection& connection, const FeedNotifications& notifications);

  StreamHub& hub_;
  std::string game_;
  FeedPlace place_;
  std::deque<SharedBytes> waiting_;  // until the client has read the offered bytes
  bool has_ended_ = false;           // nothing follows these
  bool asked_ = false;               // a request of the stream waits for its response
  bool behind_ = true;               // there is more from its place on, or may be
};

class StreamHub {
 public:
  /// How often the hub reads the store for commits of other processes.
  static constexpr std::chrono::milliseconds refresh_interval{20};

  /// Gets the first error whenever the store begins to fail.
  using ReportError = std::function<void(const std::string& message)>;

  StreamHub(std::span<const std::unique_ptr<EventLoop>> loops, Metrics& metrics);
  ~StreamHub();
  StreamHub& operator=(StreamHub&&) = delete;

  /// Uses the feed in a thread of its own from now on. The feed and its stores must outlive it.
  void start(GameFeed& feed, ReportError report_error);
  void stop();

  /// Makes the hub read the store now, and these games in any case. Does nothing while nobody
  /// follows any game.
  void wake(std::vector<std::string> games = {});

  // ---- From any thread

  bool is_followed(const std::string& game) const;
  /// The games that got their first follower since the last call.
  std::vector<std::string> newly_followed();

  // ---- From a loop's thread

  void follow(ClientConnection& connection, const GameStream& stream);
  void unfollow(ClientConnection& connection, const GameStream& stream);
  /// Makes the hub call GameStream::responded with the notifications from a place on.
  void ask(ClientConnection& connection, const std::string& game, const FeedPlace& from);

 private:
  struct Question {
    std::weak_ptr<ClientConnection> connection;
    EventLoop* loop = nullptr;
    std::string game;
    FeedPlace from;
  };
  /// The reason to wake the thread.
  struct Call {
    enum class Kind : std::uint8_t { refresh, question, followed, unfollowed };
    Kind kind = Kind::refresh;
    std::vector<std::string> games = {};
    Question question = {};
  };
  using SharedNotifications = std::shared_ptr<const std::optional<FeedNotifications>>;
  /// A game that somebody follows.
  struct Topic {
    std::size_t streams = 0;
    FeedPlace published;  // the place of streams that have got everything
    bool begun = false;
  };

  void run();
  void work(std::vector<Call> calls);
  void refresh();
  std::vector<std::string> changed_games();
  void pass_over_changes();
  void notify_all(std::vector<std::string> games);
  void send_notifications(const std::string& game);
  void respond(std::vector<Question> questions);
  SharedNotifications notifications_for(const Question& question);
  void fail(const std::string& message);

  std::span<const std::unique_ptr<EventLoop>> loops_;
  Metrics& metrics_;
  WorkQueue<Call> calls_;
  std::atomic<std::size_t> streams_ = 0;
  mutable std::mutex mutex_;  // of the next two
  std::unordered_map<std::string, std::size_t> followed_;
  std::vector<std::string> newly_followed_;
  GameFeed* feed_ = nullptr;
  ReportError report_error_;
  bool failing_ = false;
  // Work that a failing store prevented: to be done again.
  std::vector<std::string> unpublished_;
  std::vector<Question> unanswered_;
  std::unordered_map<std::string, Topic> topics_;
  std::jthread thread_;
};

}  // namespace snl::cli
