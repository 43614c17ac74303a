// The cells that a piece passes in a turn, and the moves that carry pieces after that.
#pragma once

#include "domain/game.hpp"

#include <optional>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The cells where a piece starts, turns round and lands. From one to the next it passes every cell
/// between them. One cell if it stays.
std::vector<Cell> turning_points(const TurnPlayed& turn, const GameSetup& setup);

/// The same with every cell between them: one more than the piece takes steps.
std::vector<Cell> cells_passed(const TurnPlayed& turn, const GameSetup& setup);

/// The number of cells that a piece walks: one less than cells_passed() has.
int steps_walked(const TurnPlayed& turn, const GameSetup& setup);

/// A piece that reaches its cell without walking.
struct Carried {
  Seat seat;
  Cell from;
  Cell to;
  std::optional<JumpKind> jump = std::nullopt;  // carries it; none: a power or a capture
  friend bool operator==(const Carried&, const Carried&) = default;
};

/// The pieces that are carried once the walk is over. The lists follow one another; the pieces of
/// a list move together: along the snake or the ladder, captured ones to the start, then those that
/// a power moves.
std::vector<std::vector<Carried>> carried_by(const TurnPlayed& turn);

}  // namespace cli
}  // namespace snl
