#include "stream_hub.hpp"

#include "storage/store_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace snl::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t calls_at_once = 4096;

}  // namespace

// ---- A stream

GameStream::GameStream(StreamHub& hub, std::string game, const FeedPlace& place)
    : hub_(hub), game_(std::move(game)), place_(place) {}

void GameStream::ask(ClientConnection& connection) {
  if (asked_) return;
  asked_ = true;
  hub_.ask(connection, game_, place_);
}

void GameStream::responded(ClientConnection& connection,
                           const std::optional<FeedNotifications>& notifications) {
  asked_ = false;
  if (!notifications) return connection.end_stream();
  behind_ = notifications->has_more;
  send(connection, *notifications);
}

void GameStream::published(ClientConnection& connection, const FeedPlace& from,
                           const FeedNotifications& notifications) {
  if (!asked_ && !behind_ && waiting_.empty() && place_ == from) {
    behind_ = notifications.has_more;
    return send(connection, notifications);
  }
  if (place_ == notifications.place && !notifications.has_more) return;
  behind_ = true;
  if (!asked_ && connection.unsent() == 0) ask(connection);
}

/// The notifications of one moment may be more than a client may leave unread. If it had read all
/// before, the rest waits for it. Callers don't touch the stream after this: it may be at its end.
void GameStream::send(ClientConnection& connection, const FeedNotifications& notifications) {
  place_ = notifications.place;
  const bool has_read_all = connection.unsent() == 0;
  for (const SharedBytes& part : notifications.parts)
    if (has_read_all && (!waiting_.empty() || !connection.has_room_for(part->size())))
      waiting_.push_back(part);
    else if (!connection.offer(part))
      return;
  has_ended_ = notifications.has_ended;
  drained(connection);
}

void GameStream::drained(ClientConnection& connection) {
  while (!waiting_.empty() && connection.has_room_for(waiting_.front()->size())) {
    const SharedBytes part = std::move(waiting_.front());
    waiting_.pop_front();
    if (!connection.offer(part)) return;
  }
  if (!waiting_.empty()) return;
  if (has_ended_) return connection.end_stream();
  if (behind_ && !asked_ && connection.unsent() == 0 && connection.is_open()) ask(connection);
}

/// A random time, so that not all clients come back at the same moment.
std::string GameStream::farewell() {
  static thread_local std::minstd_rand random{std::random_device{}()};
  std::uniform_int_distribution time(1'000, 8'000);
  return fmt::format("retry: {}\n\n", time(random));
}

// ---- The hub

StreamHub::StreamHub(std::span<const std::unique_ptr<EventLoop>> loops, Metrics& metrics)
    : loops_(loops), metrics_(metrics), calls_(std::numeric_limits<std::size_t>::max()) {}

StreamHub::~StreamHub() {
  stop();
}

void StreamHub::start(GameFeed& feed, ReportError report_error) {
  feed_ = &feed;
  report_error_ = std::move(report_error);
  thread_ = std::jthread([this] { run(); });
}

void StreamHub::stop() {
  calls_.close();
  if (thread_.joinable()) thread_.join();
}

/// A stream that begins later requests the commits before by itself.
void StreamHub::wake(std::vector<std::string> games) {
  if (streams_.load() == 0) return;
  calls_.put({.kind = Call::Kind::refresh, .games = std::move(games)});
}

void StreamHub::follow(ClientConnection& connection, const GameStream& stream) {
  streams_.fetch_add(1);
  {
    const std::lock_guard lock(mutex_);
    if (++followed_[stream.game()] == 1) newly_followed_.push_back(stream.game());
  }
  connection.loop().follow(stream.game(), connection);
  calls_.put({.kind = Call::Kind::followed, .games = {stream.game()}});
}

void StreamHub::unfollow(ClientConnection& connection, const GameStream& stream) {
  connection.loop().unfollow(stream.game(), connection);
  calls_.put({.kind = Call::Kind::unfollowed, .games = {stream.game()}});
  streams_.fetch_sub(1);
  const std::lock_guard lock(mutex_);
  const auto followed = followed_.find(stream.game());
  if (--followed->second == 0) followed_.erase(followed);
}

bool StreamHub::is_followed(const std::string& game) const {
  const std::lock_guard lock(mutex_);
  return followed_.contains(game);
}

std::vector<std::string> StreamHub::newly_followed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(newly_followed_, {});
}

void StreamHub::ask(ClientConnection& connection, const std::string& game, const FeedPlace& from) {
  calls_.put({.kind = Call::Kind::question,
              .question = {.connection = connection.weak_from_this(),
                           .loop = &connection.loop(),
                           .game = game,
                           .from = from}});
}

void StreamHub::run() {
  auto next_refresh = SteadyClock::now();
  while (!calls_.is_closed()) {
    work(calls_.take_until(calls_at_once, next_refresh));
    if (SteadyClock::now() < next_refresh) continue;
    refresh();
    next_refresh = SteadyClock::now() + refresh_interval;
  }
}

void StreamHub::work(std::vector<Call> calls) {
  std::vector<std::string> changed;
  std::vector<Question> questions;
  bool shall_refresh = false;
  for (Call& call : calls) {
    switch (call.kind) {
      case Call::Kind::refresh:
        shall_refresh = true;
        std::ranges::move(call.games, std::back_inserter(changed));
        break;
      case Call::Kind::question:
        questions.push_back(std::move(call.question));
        break;
      case Call::Kind::followed:
        if (topics_.empty()) pass_over_changes();
        ++topics_[call.games.front()].streams;
        break;
      case Call::Kind::unfollowed:
        if (--topics_[call.games.front()].streams > 0) break;
        topics_.erase(call.games.front());
        feed_->forget(call.games.front());
        break;
    }
  }
  notify_all(std::move(changed));
  if (shall_refresh) refresh();
  respond(std::move(questions));
}

/// Nobody followed any game until now. A new stream gets earlier commits by its own request.
void StreamHub::pass_over_changes() {
  try {
    feed_->pass_over_changes();
  } catch (const std::exception& error) {
    fail(error.what());  // earlier changes are then read, needlessly
  }
}

/// Publishes new changes, and repeats work that failed before.
void StreamHub::refresh() {
  if (topics_.empty()) {
    unpublished_.clear();
    unanswered_.clear();
    return;
  }
  try {
    notify_all(changed_games());
    if (!unpublished_.empty()) notify_all(std::exchange(unpublished_, {}));
    if (!unanswered_.empty()) respond(std::exchange(unanswered_, {}));
    failing_ = !unpublished_.empty() || !unanswered_.empty();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

/// Those that are followed, if any may have changed.
std::vector<std::string> StreamHub::changed_games() {
  if (auto changed = feed_->changed_games()) return *std::move(changed);
  std::vector<std::string> all;
  all.reserve(topics_.size());
  for (const auto& [game, topic] : topics_)
    all.push_back(game);
  return all;
}

void StreamHub::fail(const std::string& message) {
  if (!failing_) report_error_(message);
  failing_ = true;
}

void StreamHub::notify_all(std::vector<std::string> games) {
  for (std::string& game : games) {
    try {
      send_notifications(game);
    } catch (const std::exception& error) {
      fail(error.what());
      unpublished_.push_back(std::move(game));
    }
  }
}

/// Sends new notifications to all streams that have got everything before.
void StreamHub::send_notifications(const std::string& game) {
  const auto topic = topics_.find(game);
  if (topic == topics_.end() || !topic->second.begun) return;
  const auto found = SteadyClock::now();
  while (true) {
    const FeedPlace from = topic->second.published;
    const auto notifications =
        std::make_shared<const std::optional<FeedNotifications>>(feed_->notifications(game, from));
    if (*notifications && (*notifications)->parts.empty()) return;
    metrics_.commits_published.fetch_add(*notifications ? (*notifications)->parts.size() : 0);
    if (*notifications)
      topic->second.published = (*notifications)->place;
    else
      topic->second.begun = false;
    for (const auto& loop : loops_)
      loop->post([this, loop = loop.get(), game, from, notifications, found] {
        for (const auto& connection : loop->followers(game)) {
          auto* stream = static_cast<GameStream*>(connection->stream());
          if (stream == nullptr || !connection->is_open()) continue;
          if (*notifications)
            stream->published(*connection, from, **notifications);
          else
            connection->end_stream();
        }
        metrics_.delays.add(SteadyClock::now() - found);
      });
    if (!*notifications || !(*notifications)->has_more) return;
  }
}

/// Streams with a request from the same place of a game get the same bytes.
void StreamHub::respond(std::vector<Question> questions) {
  std::ranges::sort(questions, [](const Question& one, const Question& other) {
    return std::tuple(std::string_view(one.game), one.from.version, one.from.change) <
           std::tuple(std::string_view(other.game), other.from.version, other.from.change);
  });
  SharedNotifications notifications;
  const Question* before = nullptr;
  for (const Question& question : questions) {
    if (!topics_.contains(question.game)) continue;  // its stream is closed
    const bool same =
        before != nullptr && before->game == question.game && before->from == question.from;
    before = &question;
    if (!same) notifications = notifications_for(question);
    if (!notifications) {
      unanswered_.push_back(question);
      continue;
    }
    question.loop->post([weak = question.connection, notifications] {
      const auto connection = weak.lock();
      if (!connection || !connection->is_open()) return;
      static_cast<GameStream*>(connection->stream())->responded(*connection, *notifications);
    });
  }
}

/// The notifications from a stream's place on; null if the store fails. A stream that has got all
/// of them gets later ones together with the others.
StreamHub::SharedNotifications StreamHub::notifications_for(const Question& question) {
  try {
    send_notifications(question.game);
    auto notifications = feed_->notifications(question.game, question.from);
    const auto topic = topics_.find(question.game);
    if (notifications && !notifications->has_more && topic != topics_.end() &&
        !topic->second.begun) {
      topic->second.begun = true;
      topic->second.published = notifications->end;
    }
    return std::make_shared<const std::optional<FeedNotifications>>(std::move(notifications));
  } catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
  }
}

}  // namespace snl::cli
