// Limits of how often something may be done: a bucket of tokens for each client, filled at a steady
// rate.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace snl::cli {

/// The buckets of one limit. For any number of threads. It forgets a client that stays away for as
/// long as a bucket takes to fill, so it remembers only busy ones.
class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `most` at once, and then `most` in each `period`; 0 for no limit.
  RateLimit(double most, std::chrono::duration<double> period);

  /// Takes a token; or returns the whole seconds (≥ 1) until there is one again.
  std::optional<int> take(std::string_view who, Time now);

  /// The same, without taking one.
  std::optional<int> peek(std::string_view who, Time now);

  /// Takes the cost of something afterwards, even if there are fewer tokens. The client then owes
  /// the rest, and gets none until it is paid.
  void charge(std::string_view who, double cost, Time now);

  /// Puts back a token that was taken for nothing.
  void give_back(std::string_view who, Time now);

  /// The number of clients that it remembers.
  std::size_t size() const;

 private:
  struct Bucket {
    double tokens;
    Time filled;
  };

  Bucket& bucket_of(std::string_view who, Time now);
  std::optional<int> wait_of(const Bucket& bucket) const;
  void forget_full_ones(Time now);

  double most_;
  double a_second_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
  std::size_t forget_at_ = 1024;  // the number of buckets that starts a search for full ones
};

/// A limit of how many things each client has at once. For any number of threads.
class CountLimit {
 public:
  /// 0 for no limit.
  explicit CountLimit(std::size_t most) : most_(most) {}

  /// Takes one, unless the client has the most already.
  bool take(const std::string& who);
  void give_back(const std::string& who);

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace snl::cli
