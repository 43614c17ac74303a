// For callers that must know what became of an append.
#pragma once

#include "event_store.hpp"

namespace snl {

/// Returns what `work` returns, and runs it again while the outcome of an append is unknown. There
/// is no pause: a store that may have to wait for its server has done so within the call.
template <class Work>
auto retry_while_outcome_unknown(const Work& work) {
  constexpr int attempts = 3;
  for (int left = attempts;; --left) {
    try {
      return work();
    } catch (const OutcomeUnknown&) {
      if (left == 1) throw;
    }
  }
}

}  // namespace snl
