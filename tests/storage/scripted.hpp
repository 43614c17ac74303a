// Random games (tests/domain/generators.hpp) played through a store.
#pragma once

#include "../domain/generators.hpp"
#include "storage/draw.hpp"
#include "testbed.hpp"

#include <memory>
#include <tuple>
#include <utility>

namespace snl::test {

/// The script's setup. A draw in it has the commitment to its secret, and the seed that follows
/// from it.
inline StartGame start_of(const Script& script) {
  if (!script.setup->draw) return {script.setup};
  GameSetup setup = *script.setup;
  setup.draw->commitment = commitment_of(setup.draw->secret);
  setup.seed = seed_of(setup.draw->secret, setup.draw->entropy);
  return {std::make_shared<const GameSetup>(std::move(setup))};
}

/// A match that has just been started with the script's setup.
inline Match start(EventStore& store, const std::string& id, const Script& script) {
  return Match::start(store, id, start_of(script), ticking_clock()).value();
}

/// Attempts a wish; a refused command isn't recorded.
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
