// The cells that a piece passes in a turn.
#pragma once

#include "domain/game.hpp"

#include <vector>

namespace snl::cli {

/// Where it starts, where it turns round, and where it lands: from one to the next it passes every
/// cell between them. One cell if it stays.
std::vector<Cell> turning_points(const TurnPlayed& turn, const GameSetup& setup);

/// The same with every cell between them: one more than there are steps.
std::vector<Cell> cells_passed(const TurnPlayed& turn, const GameSetup& setup);

}  // namespace snl::cli
