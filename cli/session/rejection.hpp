// The failures of commands that the engine or the store rejected.
#pragma once

#include "failure.hpp"
#include "next_step.hpp"
#include "storage/match.hpp"
#include "storage/store_error.hpp"

#include <string>
#include <string_view>

namespace snl::cli {

/// A rejection in words for a user, with its exit code.
Failure failure_from(const Rejection& rejection, const GameSetup& setup, const std::string& game);

/// The same of a command of a match. If nothing was undone or redone, with the command's own verb.
Failure failure_from(const Rejection& rejection, const Match& match, const Command& command);

/// The same, where only the command itself can be rejected.
Failure failure_from(const Refusal& refusal, const GameSetup& setup);

/// The failure for a reference that no game has.
Failure no_such_game(std::string_view reference);

/// The failure for a log whose events contradict each other.
Failure damaged_log(const Damage& damage);

/// Throws Failure unless first ≤ turn ≤ last.
void check_turn(Turn turn, Turn first, Turn last);

/// Runs work that proves what it reads. A damaged store then counts as unsound, not as failed.
template <class Work>
auto with_damage_as_unsound(const Work& work) {
  try {
    return work();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    throw Failure(Exit::unsound, on_advised_store(error.what()));
  }
}

}  // namespace snl::cli
