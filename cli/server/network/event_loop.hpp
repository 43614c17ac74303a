// A thread that serves connections: it reads requests, passes them on and sends the responses.
// Everything of a connection happens in its loop's thread, so it needs no lock.
#pragma once

#include "client_connection.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace snl::cli {

class EventLoop {
 public:
  EventLoop(RequestHandler& handler, const ClientTimeouts& timeouts);
  ~EventLoop();
  EventLoop& operator=(EventLoop&&) = delete;

  /// Runs the loop in a thread of its own.
  void start();
  /// Ends that thread, and closes the connections that are open.
  void end();

  // ---- From any thread

  /// Makes the loop's thread do some work.
  void post(std::function<void()> work);

  /// Finishes responses, ends streams, and closes connections as they are done. New ones
  /// are closed at once.
  void stop_connections();

  // ---- From the loop's own thread

  boost::asio::io_context& context() { return context_; }
  RequestHandler& handler() const { return handler_; }
  const ClientTimeouts& timeouts() const { return timeouts_; }

  /// Serves a connection whose socket is of this loop's context.
  void adopt(const std::shared_ptr<ClientConnection>& connection);
  void forget(const std::shared_ptr<ClientConnection>& connection);

  /// The buffer that connections read into.
  std::array<char, std::size_t{64} * 1024>& scratch() { return scratch_; }

  /// A Date field's value, as of the last tick.
  const std::string& date() const { return date_; }

  // ---- Streams of this loop, by the topic that they follow

  void follow(const std::string& topic, ClientConnection& connection);
  void unfollow(const std::string& topic, ClientConnection& connection);
  /// The connections that follow a topic at this moment. The caller may make them stop.
  std::vector<std::shared_ptr<ClientConnection>> followers(const std::string& topic) const;

 private:
  void tick();
  void update_date();

  RequestHandler& handler_;
  ClientTimeouts timeouts_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  std::unordered_set<std::shared_ptr<ClientConnection>> connections_;
  std::unordered_map<std::string, std::unordered_set<ClientConnection*>> topics_;
  std::array<char, std::size_t{64} * 1024> scratch_{};
  std::string date_;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace snl::cli
