// Where pieces can get to in games with effects (effects.hpp), whatever the dice and the other
// pieces do. What is asked through reachability.hpp comes here for such games.
#pragma once

#include "reachability.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace snl {

struct EffectsReach {
  /// Whether a piece from the start can finish, if others stand wherever that helps it to.
  bool can_finish = false;
  /// The lowest cell that it may come to and never finish from, with however many shields.
  std::optional<Cell> stranding_cell;
  /// Whether a move may end where it would capture others that stand there, or swap.
  bool can_meet = false;
  /// The powers on whose cells no move can end.
  std::vector<PowerCell> idle;
};

/// Of pieces that begin on `from` with any number of shields up to `shields`. O(cells × shields ×
/// throws of a turn) a pass, and few passes.
EffectsReach reach_with_effects(const Board& board, const Rules& rules, Cell from,
                                std::int32_t shields = 0);

}  // namespace snl
