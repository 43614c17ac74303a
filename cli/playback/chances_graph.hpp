// The players' chances to win, turn by turn, as a graph.
#pragma once

#include "cli/drawing/board_view.hpp"
#include "domain/narration.hpp"
#include "playback.hpp"

#include <span>

namespace snl::cli {

/// The content of a graph: the chances at the positions from `first` to `last`, with a mark at
/// `now`. `chances` may hold only the first ones so far.
struct ChancesGraph {
  std::span<const RaceOdds> chances;
  std::size_t players;
  std::size_t first;
  std::size_t last;
  std::size_t now;
};

/// The part of such an area for the lines. Its first column belongs to the first position, its last
/// column to the last one.
Area plot_of(const Area& area);

/// Draws into `area`, at least 8 columns and 3 rows: 100 % at its top, 0 at its bottom, a line for
/// each player with the player's digit at its end.
void draw_chances(Frame& frame, const Area& area, const ChancesGraph& graph, Glyphs glyphs);

}  // namespace snl::cli
