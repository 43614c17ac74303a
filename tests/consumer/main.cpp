// Starts a game in a store in memory, rolls it to its end and audits it.

#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"

#include <cstdio>

int main() {
  snl::MemoryStore store;
  auto setup = std::make_shared<snl::GameSetup>(snl::GameSetup{
      .players = {"Ann", "Bob"}, .board = *snl::Board::make({}), .rules = {}, .seed = 1});
  auto match = snl::Match::start(store, "final", snl::StartGame{setup});
  if (!match) return 1;
  while (!match->state().completed())
    if (!match->execute(snl::RollTurn{})) return 1;
  const auto report = snl::audit_game(store, "final");
  std::puts(report && report->ok() ? "sound" : "not sound");
  return report && report->ok() ? 0 : 1;
}
