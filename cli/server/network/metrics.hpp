// A server's figures, as Prometheus reads them (text format 0.0.4). They reveal nothing of a game.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace snl::cli {

/// A histogram of times: the count up to each bound, and the sum. For any number of threads.
class LatencyHistogram {
 public:
  void add(std::chrono::steady_clock::duration took);
  /// The lines of a metric of this name, in seconds.
  std::string text(std::string_view name) const;

 private:
  static constexpr std::array<double, 12> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                 0.05,   0.1,   0.25,   0.5,   1,    5};  // seconds
  std::array<std::atomic<std::uint64_t>, bounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> nanoseconds_ = 0;
};

/// For any number of threads.
class Metrics {
 public:
  using Counter = std::atomic<std::uint64_t>;

  /// A request that has been answered. A method that isn't HTTP's own counts as "other".
  void count_request(std::string_view method, unsigned status,
                     std::chrono::steady_clock::duration took);

  Counter turns = 0;        // recorded by requests
  Counter connections = 0;  // accepted
  std::atomic<std::int64_t> open_connections = 0;
  Counter streams = 0;  // opened
  std::atomic<std::int64_t> open_streams = 0;
  Counter slow_streams = 0;         // closed because their client didn't read
  Counter timeouts = 0;             // connections closed in the middle of a request
  Counter refused_connections = 0;  // beyond the limit of an address
  Counter store_failures = 0;       // answered 503
  Counter commits_published = 0;    // events that the hub gave to streams, such as commits
  LatencyHistogram batches;         // one transaction of waiting writes, with its sync
  std::atomic<std::uint64_t> batched_writes = 0;
  LatencyHistogram delays;  // from finding a commit until all streams have it

  std::string text() const;

 private:
  static constexpr std::array<std::string_view, 7> methods{"GET",    "HEAD",    "POST", "PUT",
                                                           "DELETE", "OPTIONS", "other"};
  static constexpr std::size_t most_statuses = 600;

  /// By method, by status.
  std::array<std::array<Counter, most_statuses>, methods.size()> requests_{};
  LatencyHistogram latencies_;
};

}  // namespace snl::cli
