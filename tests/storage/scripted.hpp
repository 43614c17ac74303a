// Random games (tests/domain/generators.hpp) played through a store.
#pragma once

#include "../domain/generators.hpp"
#include "testbed.hpp"

#include <tuple>

namespace snl::test {

/// A match that has just been started with the script's setup.
inline Match start(EventStore& store, const std::string& id, const Script& script) {
  return Match::start(store, id, StartGame{script.setup}, ticking_clock()).value();
}

/// Attempts what a wish comes to; what is refused isn't recorded.
inline void attempt(Match& match, const Wish& wish) {
  std::ignore = match.execute(command_for(wish, match.state()));
}

/// A match in which every wish was attempted.
inline Match play(EventStore& store, const std::string& id, const Script& script) {
  Match match = start(store, id, script);
  for (const Wish& wish : script.wishes)
    attempt(match, wish);
  return match;
}

}  // namespace snl::test
