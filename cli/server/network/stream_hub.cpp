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

std::string retry_text(std::chrono::milliseconds least, std::chrono::milliseconds most) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  std::uniform_int_distribution<std::int64_t> time(least.count(), most.count());
  return fmt::format("retry: {}\n\n", time(random));
}

// ---- A stream

GameStream::GameStream(StreamHub& hub, std::string game, const FeedPlace& place)
    : hub_(hub), game_(std::move(game)), place_(place) {}

void GameStream::begin(ClientConnection& connection) {
  ask(connection);
}

void GameStream::ask(ClientConnection& connection) {
  if (asked_) return;
  asked_ = true;
  hub_.ask(connection, game_, place_);
}

void GameStream::answered(ClientConnection& connection, const std::optional<FeedNews>& news) {
  asked_ = false;
  if (!news) return connection.end_stream();
  behind_ = news->has_more;
  send(connection, *news);
}

void GameStream::told(ClientConnection& connection, const FeedPlace& from, const FeedNews& news) {
  if (!asked_ && !behind_ && place_ == from) {
    behind_ = news.has_more;
    return send(connection, news);
  }
  if (place_ == news.place && !news.has_more) return;
  behind_ = true;
  if (!asked_ && connection.unsent() == 0) ask(connection);
}

/// The last thing that is done with a stream: it may be at its end then.
void GameStream::send(ClientConnection& connection, const FeedNews& news) {
  place_ = news.place;
  for (const SharedBytes& part : news.parts)
    if (!connection.offer(part)) return;
  if (news.has_ended) return connection.end_stream();
  drained(connection);
}

void GameStream::drained(ClientConnection& connection) {
  if (behind_ && !asked_ && connection.unsent() == 0 && connection.is_open()) ask(connection);
}

std::string GameStream::farewell() {
  using namespace std::chrono_literals;
  return retry_text(1s, 8s);
}

// ---- The hub

StreamHub::StreamHub(std::span<const std::unique_ptr<EventLoop>> loops, Metrics& metrics)
    : loops_(loops), metrics_(metrics), calls_(std::numeric_limits<std::size_t>::max()) {}

StreamHub::~StreamHub() {
  stop();
}

void StreamHub::start(GameFeed& feed, Tell tell) {
  feed_ = &feed;
  tell_ = std::move(tell);
  thread_ = std::jthread([this] { run(); });
}

void StreamHub::stop() {
  calls_.close();
  if (thread_.joinable()) thread_.join();
}

/// Who follows from now on asks, and is told of all that was there before.
void StreamHub::wake(std::vector<std::string> games) {
  if (streams_.load() == 0) return;
  calls_.put({.kind = Call::Kind::look, .games = std::move(games)});
}

void StreamHub::follow(ClientConnection& connection, const GameStream& stream) {
  streams_.fetch_add(1);
  connection.loop().follow(stream.game(), connection);
  calls_.put({.kind = Call::Kind::followed, .games = {stream.game()}});
}

void StreamHub::unfollow(ClientConnection& connection, const GameStream& stream) {
  connection.loop().unfollow(stream.game(), connection);
  calls_.put({.kind = Call::Kind::unfollowed, .games = {stream.game()}});
  streams_.fetch_sub(1);
}

void StreamHub::ask(ClientConnection& connection, const std::string& game, const FeedPlace& from) {
  calls_.put({.kind = Call::Kind::question,
              .question = {.connection = connection.weak_from_this(),
                           .loop = &connection.loop(),
                           .game = game,
                           .from = from}});
}

void StreamHub::run() {
  auto next_look = SteadyClock::now();
  while (!calls_.is_closed()) {
    work(calls_.take_until(calls_at_once, next_look));
    if (SteadyClock::now() < next_look) continue;
    look();
    next_look = SteadyClock::now() + between_looks;
  }
}

void StreamHub::work(std::vector<Call> calls) {
  std::vector<std::string> changed;
  std::vector<Question> questions;
  bool shall_look = false;
  for (Call& call : calls) {
    switch (call.kind) {
      case Call::Kind::look:
        shall_look = true;
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
        if (--topics_[call.games.front()].streams == 0) topics_.erase(call.games.front());
        break;
    }
  }
  tell_all(std::move(changed));
  if (shall_look) look();
  answer(std::move(questions));
}

/// Nobody followed what happened until now: who comes is told of it by the answer to their
/// question.
void StreamHub::pass_over_changes() {
  try {
    feed_->pass_over_changes();
  } catch (const std::exception& error) {
    fail(error.what());  // what happened is looked at later, for nothing
  }
}

/// Does what there is to do, and again what couldn't be done before.
void StreamHub::look() {
  if (topics_.empty()) {
    untold_.clear();
    unanswered_.clear();
    return;
  }
  try {
    tell_all(feed_->changed_games());
    if (!untold_.empty()) tell_all(std::exchange(untold_, {}));
    if (!unanswered_.empty()) answer(std::exchange(unanswered_, {}));
    failing_ = !untold_.empty() || !unanswered_.empty();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void StreamHub::fail(const std::string& message) {
  if (!failing_) tell_(message);
  failing_ = true;
}

void StreamHub::tell_all(std::vector<std::string> games) {
  for (std::string& game : games) {
    try {
      tell_news(game);
    } catch (const std::exception& error) {
      fail(error.what());
      untold_.push_back(std::move(game));
    }
  }
}

/// To all who have been told what there was before.
void StreamHub::tell_news(const std::string& game) {
  const auto topic = topics_.find(game);
  if (topic == topics_.end() || !topic->second.begun) return;
  const auto found = SteadyClock::now();
  while (true) {
    const FeedPlace from = topic->second.told;
    const auto news = std::make_shared<const std::optional<FeedNews>>(feed_->news(game, from));
    if (*news && (*news)->parts.empty()) return;
    metrics_.commits_published.fetch_add(*news ? (*news)->parts.size() : 0);
    if (*news) topic->second.told = (*news)->place;
    for (const auto& loop : loops_)
      loop->post([this, loop = loop.get(), game, from, news, found] {
        for (const auto& connection : loop->followers(game)) {
          auto* stream = static_cast<GameStream*>(connection->stream());
          if (stream == nullptr || !connection->is_open()) continue;
          if (*news)
            stream->told(*connection, from, **news);
          else
            connection->end_stream();
        }
        metrics_.delays.add(SteadyClock::now() - found);
      });
    if (!*news || !(*news)->has_more) return;
  }
}

/// Those who ask for the same from the same place are answered with the same bytes.
void StreamHub::answer(std::vector<Question> questions) {
  std::ranges::sort(questions, [](const Question& one, const Question& other) {
    return std::tuple(std::string_view(one.game), one.from.version, one.from.change) <
           std::tuple(std::string_view(other.game), other.from.version, other.from.change);
  });
  SharedNews news;
  const Question* before = nullptr;
  for (const Question& question : questions) {
    const bool same =
        before != nullptr && before->game == question.game && before->from == question.from;
    before = &question;
    if (!same) news = news_for(question);
    if (!news) {
      unanswered_.push_back(question);
      continue;
    }
    question.loop->post([weak = question.connection, news] {
      const auto connection = weak.lock();
      if (!connection || !connection->is_open()) return;
      static_cast<GameStream*>(connection->stream())->answered(*connection, *news);
    });
  }
}

/// What there is from the place of who asks; null where the store fails. Who has been told all then
/// is told what comes next with all others.
StreamHub::SharedNews StreamHub::news_for(const Question& question) {
  try {
    tell_news(question.game);
    auto news = feed_->news(question.game, question.from);
    const auto topic = topics_.find(question.game);
    if (news && !news->has_more && topic != topics_.end() && !topic->second.begun) {
      topic->second.begun = true;
      topic->second.told = news->place;
    }
    return std::make_shared<const std::optional<FeedNews>>(std::move(news));
  } catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
  }
}

}  // namespace snl::cli
