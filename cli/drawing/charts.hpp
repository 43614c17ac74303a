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

/// How large a part (0 to 1) of the games or pieces took so many turns.
struct TurnShare {
  std::int64_t turns;
  double share;
};

/// Neighbouring numbers of turns, as one bar of a histogram.
struct Bin {
  std::int64_t first;
  std::optional<std::int64_t> last;  // none: and all beyond
  double share;
};

/// At most `most` (≥ 2) bins of one width, 1, 2 or 5 times a power of ten, that begin at multiples
/// of it. Where the longest hundredth would take up half the room, it is the last bin by itself.
/// `shares` are ascending; no bins for none.
std::vector<Bin> bins_of(std::span<const TurnShare> shares, std::size_t most);

/// A histogram and a heat map as lines of at most `columns` (≥ 40).
struct TextChart {
  int columns = 80;
  Glyphs glyphs = Glyphs::ascii;
};

/// Boards of more cells have no heat map in text.
inline constexpr std::int32_t most_text_map_cells = 400;

/// A line a bin: its turns, its share in percent, a bar.
std::string histogram_text(std::span<const Bin> bins, const TextChart& chart);

/// The board with a number on each cell: `chances` (by cell, 0 to the last; each 0 to 1) in
/// percent, and in UTF-8 a block as high; "<1" is less than one percent, a dot none at all. Where
/// that is too wide, a cell is one block, or in ASCII one digit, which a line below explains.
/// Beside each row stand its outer cells' numbers. None if the board is too wide or too large.
std::optional<std::string> heat_map_text(const Board& board, std::span<const double> chances,
                                         const TextChart& chart);

struct ChartPage {
  struct HeatMap {
    const Board& board;
    std::vector<double> chances;
  };
  std::string title;
  std::vector<std::string> facts;        // a line each, below the title
  std::string histogram_title;           // what the bars count
  std::vector<TurnShare> shares = {};    // ascending; no histogram without
  std::optional<double> mean = {};       // marked in the histogram
  std::string heat_map_title = {};       // what the numbers on the cells are
  std::optional<HeatMap> heat_map = {};  // below the histogram
};

/// The histogram and the heat map, each below its title; in words, why there is no heat map where
/// it doesn't fit. Title and facts are left out.
std::string chart_page_text(const ChartPage& page, const TextChart& chart);

/// A whole SVG document, as position_svg makes them. Boards of more than most_svg_cells have no
/// heat map.
std::string chart_page_svg(const ChartPage& page);

}  // namespace cli
}  // namespace snl
