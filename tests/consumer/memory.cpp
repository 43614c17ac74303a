// Rolls a game to its end in memory, and proves it: no file, no clean-up.
#include "domain/named_boards.hpp"
#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"

#include <iostream>

int main() {
  snl::MemoryStore store;
  const auto setup = std::make_shared<snl::GameSetup>(
      snl::GameSetup{.players = {"Ann", "Bob"},
                     .board = snl::find_named_board("class")->board(),
                     .rules = {},
                     .seed = 1});
  auto match = snl::Match::start(store, "final", snl::StartGame{setup});
  if (!match) {
    std::cerr << snl::explain(match.error()) << '\n';  // a name twice, say, or an ID
    return 1;
  }
  while (!match->state().completed())
    match->execute(snl::RollTurn{}).value();

  const bool sound = snl::audit_game(store, "final")->ok();
  std::cout << (sound ? "sound" : "not sound") << " after " << match->state().position.turn
            << " turns\n";
  return sound ? 0 : 1;
}
