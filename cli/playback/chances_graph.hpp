// The players' chances to win, turn by turn, as a graph.
#pragma once

#include "cli/drawing/board_view.hpp"
#include "domain/narration.hpp"

#include <span>

namespace snl::cli {

/// What is drawn: the chances at the positions from `first` to `last`, of which the first ones are
/// known, with a mark at `now`.
struct ChancesGraph {
  std::span<const Chances> chances;
  std::size_t players;
  std::size_t first;
  std::size_t last;
  std::size_t now;
};

/// The part of such an area that has the lines: its first column is the first position's, its last
/// column the last one's.
Area plot_of(const Area& area);

/// Draws into `area`, at least 8 columns and 3 rows: 100 % at its top, 0 at its bottom, a line for
/// each player with the player's digit at its end.
void draw_chances(Frame& frame, const Area& area, const ChancesGraph& graph, Glyphs glyphs);

}  // namespace snl::cli
