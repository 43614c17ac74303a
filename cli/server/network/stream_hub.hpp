// Streams of games: one thread watches the store, has each change made into bytes once, and gives
// them to all who follow that game, whichever loop they are in.
//
// A stream is at a place (FeedPlace). What is new from that place on is sent to all who are there;
// who is elsewhere, since it has just come or reads slowly, asks for what comes next from its own
// place as soon as all before is sent. So nothing is missed or doubled, whoever comes when.
#pragma once

#include "cli/server/game_feed.hpp"
#include "client_connection.hpp"
#include "event_loop.hpp"
#include "metrics.hpp"
#include "work_queue.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
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

/// One stream: who it follows and how far it has come. Belongs to a connection.
class GameStream final : public StreamSource {
 public:
  GameStream(StreamHub& hub, std::string game, const FeedPlace& place);

  const std::string& game() const { return game_; }

  /// Asks for what there is from its place on.
  void begin(ClientConnection& connection);
  /// What was asked for; none: the game is gone.
  void responded(ClientConnection& connection,
                 const std::optional<FeedNotifications>& notifications);
  /// What is new for all who are at `from`.
  void published(ClientConnection& connection, const FeedPlace& from,
                 const FeedNotifications& notifications);
  void drained(ClientConnection& connection) override;
  std::string farewell() override;

 private:
  void send(ClientConnection& connection, const FeedNotifications& notifications);
  void ask(ClientConnection& connection);

  StreamHub& hub_;
  std::string game_;
  FeedPlace place_;
  bool asked_ = false;  // the answer is to come
  bool behind_ = true;  // there is more from its place on, or may be
};

/// `retry:` of a time that is another for each, so that not all come back in the same moment.
std::string retry_text(std::chrono::milliseconds least, std::chrono::milliseconds most);

class StreamHub {
 public:
  /// How often the store is looked at for what other processes add.
  static constexpr std::chrono::milliseconds between_looks{20};

  /// Is told what failed, once for each time in which the store keeps failing.
  using Tell = std::function<void(const std::string& message)>;

  StreamHub(std::span<const std::unique_ptr<EventLoop>> loops, Metrics& metrics);
  ~StreamHub();
  StreamHub(const StreamHub&) = delete;
  StreamHub& operator=(const StreamHub&) = delete;
  StreamHub(StreamHub&&) = delete;
  StreamHub& operator=(StreamHub&&) = delete;

  /// Uses the feed in a thread of its own from now on. Whatever it stands on must outlive the hub.
  void start(GameFeed& feed, Tell tell);
  void stop();

  /// Has the store looked at now; and these games, whatever it says of them. Where nobody follows
  /// any game, nobody is woken.
  void wake(std::vector<std::string> games = {});

  // ---- From any thread

  bool is_followed(const std::string& game) const;
  /// The games that nobody had followed and somebody does, since this was asked last.
  std::vector<std::string> newly_followed();

  // ---- From a loop's thread

  void follow(ClientConnection& connection, const GameStream& stream);
  void unfollow(ClientConnection& connection, const GameStream& stream);
  /// Has GameStream::answered called with what there is from a place on.
  void ask(ClientConnection& connection, const std::string& game, const FeedPlace& from);

 private:
  struct Question {
    std::weak_ptr<ClientConnection> connection;
    EventLoop* loop = nullptr;
    std::string game;
    FeedPlace from;
  };
  /// What the thread is woken for.
  struct Call {
    enum class Kind : std::uint8_t { look, question, followed, unfollowed };
    Kind kind = Kind::look;
    std::vector<std::string> games = {};
    Question question = {};
  };
  using SharedNotifications = std::shared_ptr<const std::optional<FeedNotifications>>;
  /// Of a game that is followed.
  struct Topic {
    std::size_t streams = 0;
    FeedPlace published;  // the place at which those are that have been told all
    bool begun = false;
  };

  void run();
  void work(std::vector<Call> calls);
  void look();
  void pass_over_changes();
  void notify_all(std::vector<std::string> games);
  void send_notifications(const std::string& game);
  void response(std::vector<Question> questions);
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
  Tell tell_;
  bool failing_ = false;
  // What a store that failed couldn't be asked: to be done again.
  std::vector<std::string> untold_;
  std::vector<Question> unanswered_;
  std::unordered_map<std::string, Topic> topics_;
  std::jthread thread_;
};

}  // namespace snl::cli
