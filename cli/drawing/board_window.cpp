#include "board_window.hpp"

#include <algorithm>
#include <cmath>

namespace snl::cli {
namespace {

/// The first of `shown` cells out of `all`, when the move is at `focus`.
int kept_or_moved(std::optional<int> before, double focus, int all, int shown) {
  constexpr int few = 12;
  const int margin = shown < few ? shown / 8 : shown / 4;
  const int last = std::max(0, all - shown);
  if (before && focus >= *before + margin && focus <= *before + shown - 1 - margin)
    return std::clamp(*before, 0, last);
  return std::clamp(static_cast<int>(std::lround(focus - (shown - 1) / 2.0)), 0, last);
}

class Edges {
 public:
  Edges(const GridWindow& window, Size shown) : window_(window), shown_(shown) {}

  bool has(Spot spot) const {
    return side(column(spot), shown_.columns) == 0 && side(row(spot), shown_.rows) == 0;
  }

  /// The edge beside a place that is outside the window.
  Outside beside(Spot spot) const {
    const int across = side(column(spot), shown_.columns);
    if (across != 0)
      return {.edge = across < 0 ? Outside::Edge::left : Outside::Edge::right,
              .along = nearest(row(spot), shown_.rows)};
    return {.edge = row(spot) < 0 ? Outside::Edge::above : Outside::Edge::below,
            .along = nearest(column(spot), shown_.columns)};
  }

  /// The edge where the straight line from a place inside to a place outside leaves the window.
  Outside crossed(Spot inside, Spot outside) const {
    double part = 1;
    const auto leave = [&](double from, double to, double first, double last) {
      if (to < first) part = std::min(part, (first - from) / (to - from));
      if (to > last) part = std::min(part, (last - from) / (to - from));
    };
    leave(column(inside), column(outside), -0.5, shown_.columns - 0.5);
    leave(row(inside), row(outside), -0.5, shown_.rows - 0.5);
    constexpr double just_beyond = 1e-6;
    return beside(between(inside, outside, std::min(1.0, part + just_beyond)));
  }

 private:
  double column(Spot spot) const { return spot.column - window_.left; }
  double row(Spot spot) const { return spot.row - window_.top; }
  static int side(double at, int shown) { return at < -0.5 ? -1 : at > shown - 0.5 ? 1 : 0; }
  static int nearest(double at, int shown) {
    return std::clamp(static_cast<int>(std::lround(at)), 0, shown - 1);
  }
  const GridWindow& window_;
  Size shown_;
};

}  // namespace

Spot between(Spot from, Spot to, double part) {
  return {.column = std::lerp(from.column, to.column, part),
          .row = std::lerp(from.row, to.row, part)};
}

Spot seen_at(Cell cell, const Board& board, bool flipped) {
  const Place place = place_of(std::max(cell, 1), board.width());
  return {.column = static_cast<double>(place.column),
          .row = flipped ? place.row : board.rows() - 1.0 - place.row};
}

GridWindow FollowingWindow::follow(Spot focus, const Board& board, Size shown, bool flipped) {
  const Size all{.columns = board.width(), .rows = board.rows()};
  if (window_ && (all_ != all || shown_ != shown || window_->flipped != flipped)) window_.reset();
  const auto before = [&](int GridWindow::* side) {
    return window_ ? std::optional((*window_).*side) : std::nullopt;
  };
  window_ = GridWindow{
      .left = kept_or_moved(before(&GridWindow::left), focus.column, all.columns, shown.columns),
      .top = kept_or_moved(before(&GridWindow::top), focus.row, all.rows, shown.rows),
      .flipped = flipped};
  all_ = all;
  shown_ = shown;
  return *window_;
}

std::vector<Outside> outside_of(const GridWindow& window, Size shown, const Board& board,
                                const Position& position, std::size_t players) {
  const Edges edges(window, shown);
  std::vector<Outside> outside;
  for (std::size_t i = 0; i < players; ++i) {
    const Spot spot = seen_at(position.cells[i], board, window.flipped);
    if (edges.has(spot)) continue;
    outside.push_back(edges.beside(spot));
    outside.back().seat = static_cast<Seat>(i);
  }
  for (const auto& [jumps, kind] :
       {std::pair(board.snakes(), JumpKind::snake), std::pair(board.ladders(), JumpKind::ladder)})
    for (const Jump jump : jumps) {
      const Spot from = seen_at(jump.from, board, window.flipped);
      const Spot to = seen_at(jump.to, board, window.flipped);
      if (edges.has(from) == edges.has(to)) continue;
      outside.push_back(edges.has(from) ? edges.crossed(from, to) : edges.crossed(to, from));
      outside.back().jump = kind;
    }
  return outside;
}

}  // namespace snl::cli
