// Threads that nobody forgets to join. Not every standard library has std::jthread.
#pragma once

#include <thread>
#include <utility>
#include <vector>

namespace snl {

/// The destructor waits for all threads that were started.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_)
      thread.join();
  }

  /// Throws std::system_error if the system gives no more threads.
  template <class... Call>
  void start(Call&&... call) {
    threads_.emplace_back(std::forward<Call>(call)...);
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace snl
