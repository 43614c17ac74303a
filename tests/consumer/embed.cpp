// Plays a match in a file, resumes it, follows it and proves it.
#include "domain/named_boards.hpp"
#include "domain/narration.hpp"
#include "storage/audit.hpp"
#include "storage/match.hpp"
#include "storage/open_store.hpp"
#include "storage/subscription.hpp"

#include <iostream>

int main() {
  const auto setup = std::make_shared<snl::GameSetup>(snl::GameSetup{
      .players = {"Ann", "Bob"}, .board = snl::find_named_board("class")->board(), .rules = {}});
  {
    const auto store = snl::open_store("games.db", snl::for_writing);
    if (auto match = snl::Match::start(*store, "final", snl::StartGame{setup}))
      match->execute(snl::PlayTurn{.seat = 0, .dice = {6, 3}}).value();
  }  // no save call: once execute returns, the turn is on the disk
  const auto store = snl::open_store("games.db", snl::for_writing);
  auto match = snl::Match::load(*store, "final").value();
  while (!match.state().completed())
    match.execute(snl::RollTurn{}).value();
  snl::Subscription::to_game(*store, "final", 1).poll([&](const snl::CommitView& commit) {
    for (const snl::Event& event : snl::events_of(commit))
      std::cout << snl::narrate(event, setup->players, snl::Glyphs::ascii) << '\n';
    return true;
  });
  std::cout << (snl::audit_game(*store, "final")->ok() ? "sound\n" : "not sound\n");
}
