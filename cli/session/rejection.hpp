// How a command ends that the engine or the store didn't take.
#pragma once

#include "failure.hpp"
#include "next_step.hpp"
#include "storage/match.hpp"
#include "storage/store_error.hpp"

#include <string>
#include <string_view>

namespace snl::cli {

/// What a rejection means to a person, and the exit code that says it.
Failure failure_from(const Rejection& rejection, const GameSetup& setup, const std::string& game);

/// As above, where there can be no rejection but of the command itself.
Failure failure_from(const Refusal& refusal, const GameSetup& setup);

/// Of a game that nobody finds under what was given for its ID.
Failure no_such_game(std::string_view reference);

/// Of a log whose events contradict each other.
Failure damaged_log(const Damage& damage);

/// Throws Failure unless first ≤ turn ≤ last.
void check_turn(Turn turn, Turn first, Turn last);

/// Runs work that proves what it reads: a store that turns out to be damaged is unsound, not
/// failed.
template <class Work>
auto told_as_unsound(const Work& work) {
  try {
    return work();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    throw Failure(Exit::unsound, on_advised_store(error.what()));
  }
}

}  // namespace snl::cli
