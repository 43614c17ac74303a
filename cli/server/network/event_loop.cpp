#include "event_loop.hpp"

#include <boost/asio/post.hpp>

#include <ctime>
#include <utility>

namespace snl::cli {
namespace {

constexpr std::chrono::milliseconds tick_interval{250};

/// "Mon, 23 Nov 2026 02:03:04 GMT"
std::string http_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

}  // namespace

EventLoop::EventLoop(RequestHandler& handler, const ClientTimeouts& timeouts)
    : handler_(handler),
      timeouts_(timeouts),
      work_(boost::asio::make_work_guard(context_)),
      timer_(context_) {
  update_date();
}

EventLoop::~EventLoop() {
  end();
}

void EventLoop::end() {
  work_.reset();
  context_.stop();
  if (thread_.joinable()) thread_.join();
  while (!connections_.empty())
    (*connections_.begin())->close();
}

void EventLoop::start() {
  tick();
  thread_ = std::jthread([this] { context_.run(); });
}

void EventLoop::post(std::function<void()> work) {
  boost::asio::post(context_, std::move(work));
}

void EventLoop::stop_connections() {
  post([this] {
    stopping_ = true;
    const auto connections = connections_;
    for (const auto& connection : connections)
      connection->stop();
  });
}

void EventLoop::adopt(const std::shared_ptr<ClientConnection>& connection) {
  connections_.insert(connection);
  if (stopping_) return connection->close();
  connection->start();
}

void EventLoop::forget(const std::shared_ptr<ClientConnection>& connection) {
  connections_.erase(connection);
}

void EventLoop::follow(const std::string& topic, ClientConnection& connection) {
  topics_[topic].insert(&connection);
}

void EventLoop::unfollow(const std::string& topic, ClientConnection& connection) {
  const auto found = topics_.find(topic);
  if (found == topics_.end()) return;
  found->second.erase(&connection);
  if (found->second.empty()) topics_.erase(found);
}

std::vector<std::shared_ptr<ClientConnection>> EventLoop::followers(
    const std::string& topic) const {
  std::vector<std::shared_ptr<ClientConnection>> all;
  const auto found = topics_.find(topic);
  if (found == topics_.end()) return all;
  all.reserve(found->second.size());
  for (ClientConnection* connection : found->second)
    all.push_back(connection->shared_from_this());
  return all;
}

void EventLoop::tick() {
  update_date();
  const auto connections = std::vector(connections_.begin(), connections_.end());
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections)
    connection->check(now);
  timer_.expires_after(tick_interval);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tick();
  });
}

void EventLoop::update_date() {
  date_ = http_date(std::time(nullptr));
}

}  // namespace snl::cli
