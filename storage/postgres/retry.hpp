// Retries after errors that may pass: with growing pauses, until a budget is used up.
#pragma once

#include "connection.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace snl::postgres {

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

/// Returns what `attempt` returns. If it throws a ServerError for which `helps` is true, runs it
/// again until the budget is used up, and then throws the last error.
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

/// The same in a session that `connect` makes if there is none, or none any more.
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
