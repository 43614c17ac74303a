// A line for each request, on stderr: who asked for what, and what came of it. Nothing that would
// let a reader of the log play or watch: no token, no query, no body, and of what looks like a
// private game's ID six characters.
#pragma once

#include "storage/time.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace snl::cli {

enum class LogFormat : std::uint8_t { text, json };

struct LoggedRequest {
  UnixMilliseconds time = 0;  // when it had been answered
  std::string address;        // the client's
  std::string method;
  std::string target;  // as it was sent
  unsigned status = 0;
  std::size_t bytes = 0;  // of the answer's body
  std::chrono::steady_clock::duration took{};
};

/// What of a target may be shown: its path, with anything as long as an ID or a token cut, and
/// nothing that could steer a terminal.
std::string shown_path(std::string_view target);

/// Without a line end.
std::string log_line(const LoggedRequest& request, LogFormat format);

/// Writes lines to a file descriptor from a thread of its own, so that a request never waits for
/// who reads the log. What doesn't fit while nobody reads is left out, and counted in a line.
class RequestLog {
 public:
  RequestLog(int descriptor, LogFormat format);
  /// Writes what is left, as far as it can be written at once.
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;
  RequestLog(RequestLog&&) = delete;
  RequestLog& operator=(RequestLog&&) = delete;

  void add(const LoggedRequest& request);
  /// A line of what happens to the server itself, as the log's format has it. Words that are as
  /// long as a secret are cut, as in a path.
  void note(std::string_view message);

 private:
  void add_line(std::string line);
  void run();
  bool write_all(std::string_view text) const;

  static constexpr std::size_t most_waiting = std::size_t{1} << 20;  // bytes

  int descriptor_;
  LogFormat format_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::string waiting_;
  std::uint64_t left_out_ = 0;
  std::atomic<bool> stopping_ = false;
  std::jthread thread_;
};

}  // namespace snl::cli
