#include "chances_graph.hpp"

#include "cli/drawing/jump_art.hpp"
#include "cli/drawing/pieces.hpp"
#include "cli/drawing/signs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace snl::cli {
namespace {

/// Dots of lines that may cross: a spot has the colour of the line drawn last.
class Plot {
 public:
  Plot(Size size, int across, int down)
      : size_(size),
        across_(across),
        down_(down),
        spots_(static_cast<std::size_t>(size.columns) * static_cast<std::size_t>(size.rows)) {}

  int width() const { return size_.columns * across_; }
  int height() const { return size_.rows * down_; }

  void dot(int x, int y, Seat seat) {
    Spot& spot = spots_[index_of(x / across_, y / down_)];
    spot.dots |= braille_bit(x % across_, y % down_);
    spot.seat = seat;
  }

  void draw(Frame& frame, const Area& area, Glyphs glyphs) const {
    for (int row = 0; row < size_.rows; ++row)
      for (int column = 0; column < size_.columns; ++column) {
        const Spot& spot = spots_[index_of(column, row)];
        if (spot.dots == 0) continue;
        frame.put(area.column + column, area.row + row,
                  glyphs == Glyphs::unicode ? braille(spot.dots) : piece_digit(spot.seat),
                  {.colour = piece_colour(spot.seat), .ink = piece_shade(spot.seat)});
      }
  }

 private:
  struct Spot {
    unsigned dots = 0;
    Seat seat = 0;
  };
  std::size_t index_of(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) +
           static_cast<std::size_t>(column);
  }

  Size size_;
  int across_;
  int down_;
  std::vector<Spot> spots_;
};

class Graph {
 public:
  Graph(const ChancesGraph& graph, Size size, Glyphs glyphs)
      : graph_(graph),
        plot_(size, glyphs == Glyphs::unicode ? 2 : 1, glyphs == Glyphs::unicode ? 4 : 1) {}

  const Plot& plot() const { return plot_; }

  void add(Seat seat) {
    std::optional<int> before;
    for (int x = 0; x < plot_.width(); ++x) {
      const auto chance = chance_at(x, seat);
      if (!chance) return;
      const int y = row_of(*chance);
      // Fills the gap from one dot to the next.
      const int from = before.value_or(y);
      for (int i = std::min(from + (from < y ? 1 : 0), y);
           i <= std::max(from - (from > y ? 1 : 0), y); ++i)
        plot_.dot(x, i, seat);
      before = y;
    }
  }

  /// The plot's column, in characters, of a position.
  int column_of(std::size_t position) const {
    const std::size_t all = graph_.last - graph_.first;
    if (all == 0) return 0;
    const auto columns = static_cast<std::size_t>(plot_.width() - 1);
    return static_cast<int>((position - graph_.first) * columns / all);
  }

  int row_of(double chance) const {
    const int lowest = plot_.height() - 1;
    return std::clamp(static_cast<int>(std::lround((1 - chance) * lowest)), 0, lowest);
  }

  std::optional<double> chance_at(int x, Seat seat) const {
    const auto columns = static_cast<std::size_t>(std::max(1, plot_.width() - 1));
    const std::size_t position =
        graph_.first + static_cast<std::size_t>(x) * (graph_.last - graph_.first) / columns;
    if (position >= graph_.chances.size()) return std::nullopt;
    return graph_.chances[position].win[seat];
  }

 private:
  const ChancesGraph& graph_;
  Plot plot_;
};

/// The players whose lines end in each row, right of the plot: "1", "1,2", or "1,+" for more.
void draw_ends(Frame& frame, const Area& plot, const ChancesGraph& graph) {
  const Graph scale(graph, plot.size, Glyphs::ascii);
  std::vector<int> in_row(static_cast<std::size_t>(plot.size.rows));
  for (std::size_t i = 0; i < graph.players; ++i) {
    const auto seat = static_cast<Seat>(i);
    const int row = scale.row_of(graph.chances[graph.last].win[i]);
    const int before = in_row[static_cast<std::size_t>(row)]++;
    const Style style = piece_style(seat);
    int column = plot.column + plot.size.columns;
    if (before > 0) column = frame.put(column + 1, plot.row + row, ",");
    if (before > 1)
      frame.put(column, plot.row + row, "+", {.bold = true});
    else
      frame.put(column, plot.row + row, piece_digit(seat), style);
  }
}

}  // namespace

Area plot_of(const Area& area) {
  constexpr int labels = 5;  // "100 " before the plot
  constexpr int ends = 3;    // "1,2" after it
  return {.column = area.column + labels,
          .row = area.row,
          .size = {.columns = area.size.columns - labels - ends, .rows = area.size.rows}};
}

void draw_chances(Frame& frame, const Area& area, const ChancesGraph& graph, Glyphs glyphs) {
  const bool unicode = glyphs == Glyphs::unicode;
  const Area inside = plot_of(area);
  const Size size = inside.size;
  const Style faint{.faint = true};
  for (int row = 0; row < size.rows; ++row)
    frame.put(inside.column - 1, area.row + row, unicode ? "│" : "|", faint);
  frame.put(area.column, area.row, "100", faint);
  if (size.rows >= 5) frame.put(area.column, area.row + size.rows / 2, " 50", faint);
  frame.put(area.column, area.row + size.rows - 1, "  0", faint);
  if (graph.now >= graph.first && graph.now <= graph.last) {
    const Graph scale(graph, size, Glyphs::ascii);
    for (int row = 0; row < size.rows; ++row)
      frame.put(inside.column + scale.column_of(graph.now), area.row + row,
                glyph(Sign::now, glyphs));
  }
  Graph lines(graph, size, glyphs);
  for (std::size_t seat = 0; seat < graph.players; ++seat)
    lines.add(static_cast<Seat>(seat));
  lines.plot().draw(frame, inside, glyphs);
  if (graph.chances.size() <= graph.last) return;
  draw_ends(frame, inside, graph);
}

}  // namespace snl::cli
