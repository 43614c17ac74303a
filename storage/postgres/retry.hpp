// How what may help itself is tried again: with pauses that grow, until a budget is used up.
#pragma once

#include "connection.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace snl::postgres {

/// The time that tries cost which fail. What they wait for in between doesn't count: a standby may
/// take its time.
class RetryBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RetryBudget(Clock::duration all) : left_(all) {}

  /// Waits a little; false, at once, where it is used up.
  bool pause() {
    constexpr std::chrono::milliseconds longest{250};
    if (left_.count() <= 0) return false;
    std::this_thread::sleep_for(std::min<Clock::duration>(next_, left_));
    left_ -= next_;
    next_ = std::min(2 * next_, longest);
    return true;
  }

  /// What `work` takes counts.
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

/// What `attempt` answers. Where it throws a ServerError that `helps` to try again, it is run
/// again, until the budget is used up: then the last error is thrown.
template <class Attempt, class Helps>
auto retry(RetryBudget budget, const Attempt& attempt, const Helps& helps) {
  while (true) {
    try {
      return attempt(budget);
    } catch (const ServerError& error) {
      if (!helps(error) || !budget.pause()) throw;
    }
  }
}

/// The same in one session.
template <class Attempt>
auto retry(std::chrono::milliseconds budget, const Attempt& attempt) {
  return retry(
      RetryBudget(budget), [&](RetryBudget&) { return attempt(); },
      [](const ServerError& error) { return error.is_to_be_repeated(); });
}

/// The same in a session that `connect` makes where there is none, or no more.
template <class Connect, class Attempt>
auto retry(std::optional<ServerConnection>& session, std::chrono::milliseconds budget,
           const Connect& connect, const Attempt& attempt) {
  return retry(
      RetryBudget(budget),
      [&](RetryBudget& left) {
        if (!session) left.charge(connect);
        return attempt(*session);
      },
      [&](const ServerError& error) {
        if (error.is_lost()) session.reset();
        return error.is_lost() || error.is_to_be_repeated();
      });
}

}  // namespace snl::postgres
