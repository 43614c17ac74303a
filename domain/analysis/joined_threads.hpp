// Threads that nobody forgets. What std::jthread is for, which not every standard library has.
#pragma once

#include <thread>
#include <utility>
#include <vector>

namespace snl {

/// The destructor waits for all that were started.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_)
      thread.join();
  }

  /// Throws std::system_error where no more threads can be had.
  template <class... Call>
  void start(Call&&... call) {
    threads_.emplace_back(std::forward<Call>(call)...);
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace snl
