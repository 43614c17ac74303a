#include "walk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <utility>

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

int steps_walked(const TurnPlayed& turn, const GameSetup& setup) {
  const std::vector<Cell> points = turning_points(turn, setup);
  int steps = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    steps += std::abs(points[i] - points[i - 1]);
  return steps;
}

std::vector<std::vector<Carried>> carried_by(const TurnPlayed& turn) {
  std::vector<std::vector<Carried>> carried;
  const Cell rest = rest_of(turn);
  if (turn.landed != rest)
    carried.push_back(
        {{.seat = turn.seat, .from = turn.landed, .to = rest, .jump = jump_of(turn)}});
  if (!turn.effects) return carried;
  std::vector<Carried> captured;
  std::vector<Carried> moved;  // by the power
  for (const Displaced& other : displaced_by(turn))
    (other.why == Displaced::Why::captured ? captured : moved)
        .push_back({.seat = other.seat, .from = other.from, .to = other.to});
  if (turn.to != rest) moved.push_back({.seat = turn.seat, .from = rest, .to = turn.to});
  for (std::vector<Carried>& stage : {std::ref(captured), std::ref(moved)})
    if (!stage.empty()) carried.push_back(std::move(stage));
  return carried;
}

}  // namespace snl::cli
