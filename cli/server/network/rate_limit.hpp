// How often something may be done: a bucket of tokens for each who does it, filled at a steady
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

/// Of all who are counted alike. For any number of threads. Forgets who hasn't been here for as
/// long as a bucket takes to fill, so that it remembers no more than the busy ones.
class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `most` at once, and then `most` in each `period`; 0 for no limit.
  RateLimit(double most, std::chrono::duration<double> period);

  /// Takes one; or answers after how many whole seconds (≥ 1) there will be one again.
  std::optional<int> take(std::string_view who, Time now);

  /// As take(), and takes none.
  std::optional<int> look(std::string_view who, Time now);

  /// Takes as many as something turned out to cost, more than there are too: those are owed, and
  /// nobody who owes is given any.
  void charge(std::string_view who, double cost, Time now);

  /// Puts one back that was taken for nothing.
  void give_back(std::string_view who, Time now);

  /// How many are remembered.
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
  std::size_t forget_at_ = 1024;  // how many there are when the full ones are looked for
};

/// How many there are of something, for each who has them. For any number of threads.
class CountLimit {
 public:
  /// 0 for no limit.
  explicit CountLimit(std::size_t most) : most_(most) {}

  /// Takes one, unless there are as many already.
  bool take(const std::string& who);
  void give_back(const std::string& who);

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace snl::cli
