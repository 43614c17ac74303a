// Turn lines, as `snl play -` reads them: plain and JSON, with dice of any kind.
#include "storage/exchange/text_form.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"
#include "target.hpp"

namespace snl::test {
namespace {

/// The engine is given the dice, whichever player the line names.
void play(const std::vector<std::int32_t>& dice, Sixes sixes, std::int32_t faces) {
  GameSetup setup{
      .players = {"A", "B"}, .board = *Board::make({}), .rules = {.faces = faces, .sixes = sixes}};
  MemoryStore store;
  auto match = Match::start(store, "g", {std::make_shared<const GameSetup>(std::move(setup))});
  require(match.has_value(), "the game starts");
  (void)match->execute(PlayTurn{0, Dice(std::span(dice))});
}

void check(std::string_view line) {
  const auto read = parse_turn_line(line);
  require(read.has_value() || !read.error().empty(), "what is refused is refused for a reason");
  if (!read || !*read) return;
  const TurnLine& turn = **read;
  play(turn.dice, Sixes::again, 6);
  play(turn.dice, Sixes::plain, 100);
  const Dice dice{std::span(turn.dice)};
  // No game has a player with an impossible name, or a turn with a list that was cut.
  if (fault_of_name(turn.player)) return;
  if (turn.dice.empty() || dice.size() != dice.values().size()) return;
  const auto again = parse_turn_line(format_turn_line(turn.player, dice));
  require(again && *again, "a turn that was written can be read");
  require((*again)->player == turn.player, "it has the same player");
  require((*again)->dice == turn.dice, "it has the same dice");
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
