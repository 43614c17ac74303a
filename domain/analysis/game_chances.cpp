#include "game_chances.hpp"

#include <utility>

namespace snl {

std::expected<std::vector<RaceOdds>, std::string> chances_at(const GameSetup& setup,
                                                             std::span<const Position> positions,
                                                             double most_work,
                                                             const StopRequested& stop) {
  OddsQuestion question{.piece = std::nullopt, .most_work = most_work, .stop = stop};
  for (const Position& position : positions) {
    const auto* const cells = position.cells.data();
    question.races.push_back({.cells = {cells, cells + setup.players.size()},
                              .to_move = position.next,
                              .tallies = position.tallies});
  }
  auto odds = odds_of(setup.board, setup.rules, question);
  if (!odds) return std::unexpected(std::move(odds).error());
  if (!odds->races) return std::unexpected(std::move(odds->why_no_races));
  return *std::move(odds->races);
}

std::expected<std::vector<RaceOdds>, std::string> chances_of(const Timeline& timeline) {
  const GameSetup& setup = *timeline.state().setup;
  std::vector<Position> positions{first_position(setup)};
  for (Turn number = timeline.first_turn() + 1; number <= timeline.last_turn(); ++number) {
    positions.push_back(position_after(positions.back(), timeline.turn(number)));
  }
  return chances_at(setup, positions);
}

}  // namespace snl
