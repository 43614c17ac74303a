// Retries after errors of a server that may pass.
#pragma once

#include "connection.hpp"
#include "storage/retry_budget.hpp"

#include <chrono>
#include <optional>

namespace snl::postgres {

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
