#include "chances.hpp"

#include <utility>

namespace snl::cli {

std::expected<std::vector<RaceOdds>, std::string> chances_of(const Timeline& timeline) {
  const GameSetup& setup = *timeline.state().setup;
  const Position start = first_position(setup);
  const auto* const cells = start.cells.data();
  Race race{.cells = {cells, cells + setup.players.size()}, .to_move = start.next};
  OddsQuestion question{.piece = std::nullopt, .races = {race}};
  for (Turn number = timeline.first_turn() + 1; number <= timeline.last_turn(); ++number) {
    const TurnPlayed& turn = timeline.turn(number);
    race.cells[turn.seat] = turn.to;
    race.to_move = turn.next.value_or(turn.seat);
    question.races.push_back(race);
  }
  auto odds = odds_of(setup.board, setup.rules, question);
  if (!odds) return std::unexpected(std::move(odds).error());
  if (!odds->races) return std::unexpected("games last too long on this board for exact chances");
  return *std::move(odds->races);
}

}  // namespace snl::cli
