// Where pieces can get to in games with effects (effects.hpp), whatever the dice and the other
// pieces do. The functions of reachability.hpp call this for such games.
#pragma once

#include "reachability.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace snl {

struct EffectsReach {
  /// Whether a piece on `from` without shields can finish, if other pieces stand wherever that
  /// helps it.
  bool can_finish = false;
  /// The lowest cell that it may come to and never finish from, with any number of shields.
  std::optional<Cell> stranding_cell;
  /// Whether a move may end on a cell where it can capture or swap.
  bool can_meet = false;
  /// The powers on cells where no move can end.
  std::vector<PowerCell> idle;
};

/// For pieces that begin on `from` with up to `shields` shields. O(cells × shields × throws of a
/// turn) a pass, in few passes.
EffectsReach reach_with_effects(const Board& board, const Rules& rules, Cell from,
                                std::int32_t shields = 0);

}  // namespace snl
