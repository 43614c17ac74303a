// Work that waits for a thread.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace snl::cli {

/// First come, first served, with a limit on how much waits. For any number of threads.
template <class Work>
class WorkQueue {
 public:
  explicit WorkQueue(std::size_t most) : most_(most) {}

  /// Gives `work` back if the queue is full or closed.
  std::optional<Work> put(Work work) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_ || waiting_.size() >= most_) return work;
      waiting_.push_back(std::move(work));
    }
    came_.notify_one();
    return std::nullopt;
  }

  /// Waits for work and takes it, `most` at the most. Empty once the queue is closed and nothing is
  /// left.
  std::vector<Work> take(std::size_t most) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    return take_locked(most);
  }

  /// The same, but waits only until a moment: then it may be empty.
  template <class Time>
  std::vector<Work> take_until(std::size_t most, Time moment) {
    std::unique_lock lock(mutex_);
    came_.wait_until(lock, moment, [&] { return closed_ || !waiting_.empty(); });
    return take_locked(most);
  }

  /// Nothing more comes in.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    came_.notify_all();
  }

  bool is_closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  std::vector<Work> take_locked(std::size_t most) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    std::vector<Work> taken(std::make_move_iterator(waiting_.begin()),
                            std::make_move_iterator(waiting_.begin() + count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    return taken;
  }

  std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Work> waiting_;
  bool closed_ = false;
};

}  // namespace snl::cli
