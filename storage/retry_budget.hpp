// How long to try again: with growing pauses, until a budget is used up.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace [[gnu::visibility("default")]] snl {

/// The time that failing attempts may cost. Waiting for a result doesn't count: a standby may take
/// its time.
class RetryBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RetryBudget(Clock::duration all) : left_(all) {}

  /// Waits a little; if the budget is used up, returns false at once.
  bool pause() {
    constexpr std::chrono::milliseconds longest{250};
    if (left_.count() <= 0) return false;
    std::this_thread::sleep_for(std::min<Clock::duration>(next_, left_));
    left_ -= next_;
    next_ = std::min(2 * next_, longest);
    return true;
  }

  /// Runs `work`, and counts its time.
  template <class Work>
  void charge(const Work& work) {
    const auto begin = Clock::now();
    const auto count = [&] { left_ -= Clock::now() - begin; };
    try {
      work();
    } catch (...) {
      count();
      throw;
    }
    count();
  }

 private:
  Clock::duration left_;
  std::chrono::milliseconds next_{5};
};

}  // namespace snl
