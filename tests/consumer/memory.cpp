// Rolls a game to its end in memory, and proves it: no file, no clean-up.
#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"

#include <iostream>

int main() {
  snl::MemoryStore store;
  const auto setup = std::make_shared<snl::GameSetup>(snl::GameSetup{
      .players = {"Ann", "Bob"}, .board = *snl::Board::make({}), .rules = {}, .seed = 1});
  auto match = snl::Match::start(store, "final", snl::StartGame{setup}).value();
  while (!match.state().completed())
    match.execute(snl::RollTurn{}).value();

  const bool sound = snl::audit_game(store, "final")->ok();
  std::cout << (sound ? "sound" : "not sound") << " after " << match.state().position.turn
            << " turns\n";
  return sound ? 0 : 1;
}
