// The cells that a piece passes in a turn, and what carries pieces after that.
#pragma once

#include "domain/game.hpp"

#include <optional>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Where it starts, where it turns round, and where it lands: from one to the next it passes every
/// cell between them. One cell if it stays.
std::vector<Cell> turning_points(const TurnPlayed& turn, const GameSetup& setup);

/// The same with every cell between them: one more than there are steps.
std::vector<Cell> cells_passed(const TurnPlayed& turn, const GameSetup& setup);

/// How many cells it walks: cells_passed() has one more.
int steps_walked(const TurnPlayed& turn, const GameSetup& setup);

/// A piece that doesn't walk to where it goes.
struct Carried {
  Seat seat;
  Cell from;
  Cell to;
  std::optional<JumpKind> jump = std::nullopt;  // that carries it; else a power or a capture
  friend bool operator==(const Carried&, const Carried&) = default;
};

/// Who is carried once the walk is over, one list after another, those of a list together: along
/// the snake or the ladder, captured ones to the start, then what a power moves.
std::vector<std::vector<Carried>> carried_by(const TurnPlayed& turn);

}  // namespace cli
}  // namespace snl
