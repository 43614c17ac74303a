// A line for each request, on stderr: the sender, the request and its outcome. The log must not let
// its reader play or watch. So it has no token, no query and no body, and only six characters of a
// text that looks like a private game's ID.
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
  std::size_t bytes = 0;  // of the response's body
  std::chrono::steady_clock::duration took{};
};

/// The part of a target that may be shown: its path, with words as long as an ID or a token cut,
/// and without characters that could steer a terminal.
std::string shown_path(std::string_view target);

/// Without a line end.
std::string log_line(const LoggedRequest& request, LogFormat format);

/// Writes lines to a file descriptor from a thread of its own, so no request waits for a reader of
/// the log. If nobody reads, lines that don't fit are left out, and a line says how many.
class RequestLog {
 public:
  RequestLog(int descriptor, LogFormat format);
  /// Writes the rest, as far as it can be written at once.
  ~RequestLog();
  RequestLog& operator=(RequestLog&&) = delete;

  void add(const LoggedRequest& request);
  /// A line about the server itself, in the log's format. Words that are as long as a secret are
  /// cut, as in a path.
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
