// Charts of how long games take and where pieces go, for a terminal and in SVG.
#pragma once

#include "domain/board.hpp"
#include "domain/narration.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The share (0 to 1) of the games or pieces that took so many turns.
struct TurnShare {
  std::int64_t turns;
  double share;
};

/// Neighbouring numbers of turns, as one bar of a histogram.
struct Bin {
  std::int64_t first;
  std::optional<std::int64_t> last;  // none: this and all beyond
  double share;
};

/// At most `most` (≥ 2) bins of one width: 1, 2 or 5 times a power of ten. They begin at multiples
/// of the width. If the longest hundredth would take up half the room, it is the last bin by
/// itself. `shares` are ascending; without any there are no bins.
std::vector<Bin> bins_of(std::span<const TurnShare> shares, std::size_t most);

/// A histogram and a heat map as lines of at most `columns` (≥ 40).
struct TextChart {
  int columns = 80;
  Glyphs glyphs = Glyphs::ascii;
};

/// Boards with more cells get no heat map in text.
inline constexpr std::int32_t most_text_map_cells = 400;

/// One line per bin: its turns, its share in percent, a bar.
std::string histogram_text(std::span<const Bin> bins, const TextChart& chart);

/// The board with each cell's chance in percent; in UTF-8 also as a block. `chances` go by
/// cell, from 0 to the last, each 0 to 1. "<1" is less than one percent, a dot is none at all. If
/// that is too wide, a cell is one block, or in ASCII one digit, and a line below explains it. The
/// numbers of its outer cells stand beside each row. None if the board is too wide or too large.
std::optional<std::string> heat_map_text(const Board& board, std::span<const double> chances,
                                         const TextChart& chart);

struct ChartPage {
  struct HeatMap {
    const Board& board;
    std::vector<double> chances;
  };
  std::string title;
  std::vector<std::string> facts;        // a line each, below the title
  std::string histogram_title;           // the things that the bars count
  std::vector<TurnShare> shares = {};    // ascending; no histogram without
  std::optional<double> mean = {};       // marked in the histogram
  std::string heat_map_title = {};       // the meaning of the numbers on the cells
  std::optional<HeatMap> heat_map = {};  // below the histogram
};

/// The histogram and the heat map, each below its title. If the heat map doesn't fit, words say
/// why. The page's title and facts are left out.
std::string chart_page_text(const ChartPage& page, const TextChart& chart);

/// A whole SVG document, like position_svg's. A board with more than most_svg_cells has no map.
std::string chart_page_svg(const ChartPage& page);

}  // namespace cli
}  // namespace snl
