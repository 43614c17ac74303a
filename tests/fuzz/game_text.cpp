// Games as a person writes them, as `snl import` reads them.
#include "../storage/exchange/whole_text.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"
#include "target.hpp"

#include <algorithm>

namespace snl::test {
namespace {

/// Plays the turns up to the first that is refused.
void play(Match& match, const WholeText& game) {
  const auto& players = game.setup->players;
  for (const auto& [line, turn] : game.turns) {
    const auto seat = std::ranges::find(players, turn.player) - players.begin();
    if (!match.execute(PlayTurn{static_cast<Seat>(seat), Dice(std::span(turn.dice))})) return;
  }
}

void check(std::string_view text) {
  const auto game = parse_game_text(text);
  require(game.has_value() || !game.error().empty(), "what is refused is refused for a reason");
  if (!game) return;
  MemoryStore store;
  auto match = Match::start(store, "g", {game->setup});
  require(match.has_value(), "a text that can be read starts a game");
  play(*match, *game);
  const auto written = format_game_text("g", history_of(store, "g").timeline);
  require(written.has_value(), "a game that is no branch can be written");
  const auto again = parse_game_text(*written);
  require(again.has_value(), "a text that was written can be read");
  require(*again->setup == *game->setup, "its game is set up the same");
  MemoryStore elsewhere;
  auto repeated = Match::start(elsewhere, "g", {again->setup});
  play(*repeated, *again);
  require(repeated->state() == match->state(), "it leads to the same position");
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
