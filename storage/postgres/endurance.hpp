// How long something is tried again that may help itself.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace snl::postgres {

/// Pauses that grow. What is between them doesn't count: a wait for a standby may take its time.
class Endurance {
 public:
  explicit Endurance(std::chrono::milliseconds all) : left_(all) {}

  /// Waits a little; false, at once, where it has come to its end.
  bool pause() {
    constexpr std::chrono::milliseconds longest{250};
    if (left_.count() <= 0) return false;
    std::this_thread::sleep_for(std::min(next_, left_));
    left_ -= next_;
    next_ = std::min(2 * next_, longest);
    return true;
  }

 private:
  std::chrono::milliseconds left_;
  std::chrono::milliseconds next_{5};
};

}  // namespace snl::postgres
