#include "walk.hpp"

#include <algorithm>
#include <cstdlib>

namespace snl::cli {

std::vector<Cell> turning_points(const TurnPlayed& turn, const GameSetup& setup) {
  if (stays(turn.outcome)) return {turn.from};
  if (setup.rules.finish != Finish::bounce) return {turn.from, turn.landed};
  std::vector<Cell> points{turn.from};
  const Cell last = setup.board.cells();
  Cell ahead = last;
  for (auto left = static_cast<std::int32_t>(turn.dice.sum()); left > 0;) {
    const Cell here = points.back();
    const std::int32_t steps = std::min(left, std::abs(ahead - here));
    points.push_back(here < ahead ? here + steps : here - steps);
    left -= steps;
    ahead = ahead == last ? 1 : last;
  }
  return points;
}

std::vector<Cell> cells_passed(const TurnPlayed& turn, const GameSetup& setup) {
  std::vector<Cell> cells{turn.from};
  for (const Cell point : turning_points(turn, setup))
    while (cells.back() != point)
      cells.push_back(cells.back() + (cells.back() < point ? 1 : -1));
  return cells;
}

}  // namespace snl::cli
