#include "board_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace snl::cli {
namespace {

/// A map of how crowded each small square of the board is.
class Crowd {
 public:
  explicit Crowd(const Board& board)
      : columns_(board.width() * squares_a_cell),
        rows_(board.rows() * squares_a_cell),
        weights_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  void add(Point point, float weight) {
    if (const auto index = index_of(column_at(point), row_at(point)); index < weights_.size())
      weights_[index] += weight;
  }

  /// Adds a line of a snake's or a ladder's width, with some room around it.
  void add_thing(std::span<const Point> line) {
    for (const Point point : line)
      for (const int down : {-1, 0, 1})
        for (const int right : {-1, 0, 1}) {
          const auto index = index_of(column_at(point) + right, row_at(point) + down);
          if (index < weights_.size()) weights_[index] += down == 0 && right == 0 ? 1.F : 0.5F;
        }
  }

  /// The weight of everything that a line meets. Leaving the board is worse than anything on it.
  double met_by(std::span<const Point> line) const {
    constexpr double off_the_board = 100;
    double sum = 0;
    for (const Point point : line)
      sum += holds(point) ? static_cast<double>(weights_[index_of(column_at(point), row_at(point))])
                          : off_the_board;
    return sum;
  }

 private:
  static constexpr int squares_a_cell = 5;
  static constexpr double square_units = cell_units / squares_a_cell;

  /// Whether the board holds a point, with room for half the width of a snake.
  bool holds(Point point) const {
    constexpr double margin = 11;
    return point.x >= margin && point.x <= columns_ * square_units - margin && point.y >= margin &&
           point.y <= rows_ * square_units - margin;
  }
  static int column_at(Point point) { return static_cast<int>(std::floor(point.x / square_units)); }
  static int row_at(Point point) { return static_cast<int>(std::floor(point.y / square_units)); }
  std::size_t index_of(int column, int row) const {
    if (column < 0 || column >= columns_ || row < 0 || row >= rows_) return weights_.size();
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int columns_;
  int rows_;
  std::vector<float> weights_;
};

Point between(Point a, Point b, double t) {
  return {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)};
}

/// Points along a line, close enough together for the crowd's squares. On very long lines they are
/// farther apart, so that there are only as many as a long line needs.
std::vector<Point> walked(std::span<const Point> line) {
  constexpr double step = 10;
  constexpr double most = 400;
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    length += distance(line[i - 1], line[i]);
  const double stride = std::max(step, length / most);
  std::vector<Point> points;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const int pieces =
        std::max(1, static_cast<int>(std::lround(distance(line[i - 1], line[i]) / stride)));
    for (int piece = 0; piece < pieces; ++piece)
      points.push_back(between(line[i - 1], line[i], static_cast<double>(piece) / pieces));
  }
  points.push_back(line.back());
  return points;
}

// ---- Ladders

/// The least crowded place for a ladder, on the line between the middles of its cells or beside it.
DrawnLadder place_ladder(Jump jump, const Board& board, Crowd& crowd) {
  const Point from = centre_of(jump.from, board);
  const Point to = centre_of(jump.to, board);
  const double length = distance(from, to);
  const Point aside{-(to.y - from.y) / length, (to.x - from.x) / length};
  DrawnLadder best;
  std::vector<Point> best_line;
  double least = std::numeric_limits<double>::infinity();
  for (const double shift : {0., 11., -11.}) {
    const DrawnLadder ladder{jump,
                             {from.x + aside.x * shift, from.y + aside.y * shift},
                             {to.x + aside.x * shift, to.y + aside.y * shift}};
    std::vector<Point> line = walked(std::vector{ladder.foot, ladder.top});
    const double cost = crowd.met_by(line) + std::abs(shift) / 10;
    if (cost >= least) continue;
    least = cost;
    best = ladder;
    best_line = std::move(line);
  }
  crowd.add_thing(best_line);
  return best;
}

// ---- Snakes

Point on_wave(Point head, Point tail, const Wave& wave, double t) {
  constexpr double calm = 0.35;
  const double length = distance(head, tail);
  const Point aside{-(tail.y - head.y) / length, (tail.x - head.x) / length};
  const double off =
      wave.amplitude * (1 - calm * t) * std::sin(std::numbers::pi * wave.halves * t) +
      wave.bow * std::sin(std::numbers::pi * t);
  const Point on_line = between(head, tail, t);
  return {on_line.x + aside.x * off, on_line.y + aside.y * off};
}

std::vector<Point> spine_of(Point head, Point tail, const Wave& wave) {
  constexpr int points_a_half_wave = 5;
  const int pieces = std::max(wave.halves, 2) * points_a_half_wave;
  std::vector<Point> spine;
  for (int i = 0; i <= pieces; ++i)
    spine.push_back(on_wave(head, tail, wave, static_cast<double>(i) / pieces));
  spine.front() = head;
  spine.back() = tail;
  return spine;
}

/// How much longer waves get on a board that is drawn small.
double stretch_on(const Board& board) {
  constexpr double usual_cells = 12;
  return std::clamp(std::max(board.width(), board.rows()) / usual_cells, 1., 4.);
}

std::vector<Wave> waves_for(double length, double stretch) {
  constexpr int most_halves = 24;
  const double half_wave_units = 82 * stretch;
  // Snakes keep to the cells that the straight line would cross, or near them.
  const double most_amplitude = 38 * std::min(stretch, 1.4);
  const int usual =
      std::clamp(static_cast<int>(std::lround(length / half_wave_units)), 2, most_halves);
  std::vector<Wave> waves;
  for (const double bow : {0., 0.07, -0.07, 0.14, -0.14})
    for (const int halves : {usual, usual + 1, std::max(usual - 1, 2)})
      for (const double amplitude : {0.27, -0.27, 0.2, -0.2})
        waves.push_back({halves,
                         std::clamp(amplitude * length / halves, -most_amplitude, most_amplitude),
                         bow * length});
  return waves;
}

/// The point `units` beyond `to`, on the line from `from`.
Point beyond(Point from, Point to, double units) {
  const double t = 1 + units / distance(from, to);
  return between(from, to, t);
}

/// The cost of a snake's shape to a viewer's eye: most of all what it covers, and far less its bow.
double cost_of(const Wave& wave, double length, std::span<const Point> line, const Crowd& crowd) {
  return crowd.met_by(line) + std::abs(wave.bow) / length * 12;
}

DrawnSnake place_snake(Jump jump, const Board& board, Crowd& crowd) {
  constexpr double tongue_units = 34;
  const Point head = centre_of(jump.from, board);
  const Point tail = centre_of(jump.to, board);
  const double length = distance(head, tail);
  DrawnSnake best;
  std::vector<Point> best_line;
  double least = std::numeric_limits<double>::infinity();
  for (const Wave& wave : waves_for(length, stretch_on(board))) {
    std::vector<Point> spine = spine_of(head, tail, wave);
    std::vector<Point> line = walked(spine);
    line.push_back(beyond(spine[1], head, tongue_units));
    const double cost = cost_of(wave, length, line, crowd);
    if (cost >= least) continue;
    least = cost;
    best.spine = std::move(spine);
    best.wave = wave;
    best_line = std::move(line);
  }
  crowd.add_thing(best_line);
  best.jump = jump;
  best.half_width = std::clamp(6 + length / 120, 7., 11.);
  return best;
}

/// The board before any jump is placed: a number in each cell's upper left corner, and weight at
/// the ends of jumps, where a viewer looks first.
Crowd crowd_of_cells(const Board& board) {
  constexpr float number = 0.8F;
  constexpr float end_of_jump = 2;
  Crowd crowd(board);
  for (Cell cell = 1; cell <= board.cells(); ++cell) {
    const Point centre = centre_of(cell, board);
    for (const double right : {-40., -20.})
      crowd.add({centre.x + right, centre.y - 30}, number);
  }
  for (const auto jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      for (const Cell cell : {jump.from, jump.to})
        crowd.add(centre_of(cell, board), end_of_jump);
  return crowd;
}

/// The jumps by length, short ones first: the long ones have the most ways around the others.
std::vector<std::size_t> shortest_first(std::span<const Jump> jumps, const Board& board) {
  std::vector<double> lengths;
  std::vector<std::size_t> order;
  for (const Jump jump : jumps) {
    order.push_back(order.size());
    lengths.push_back(distance(centre_of(jump.from, board), centre_of(jump.to, board)));
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(lengths[i], i); });
  return order;
}

}  // namespace

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

Point centre_of(Cell cell, const Board& board) {
  const Place place = place_of(cell, board.width());
  return {cell_units * (place.column + 0.5), cell_units * (board.rows() - 1 - place.row + 0.5)};
}

Stand stand_of(Point cell_centre, std::size_t index, std::size_t count) {
  constexpr double width = 92;
  constexpr double height = 64;
  constexpr double below_centre = 13;  // of the cell
  const std::size_t columns = count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4;
  const std::size_t rows = (count + columns - 1) / columns;
  const std::size_t row = index / columns;
  const std::size_t in_row = std::min(columns, count - row * columns);
  const double across = width / static_cast<double>(columns);
  const double down = height / static_cast<double>(rows);
  const auto from_middle = [](std::size_t i, std::size_t n) {
    return static_cast<double>(i) - static_cast<double>(n - 1) / 2;
  };
  return {{cell_centre.x + across * from_middle(index % columns, in_row),
           cell_centre.y + below_centre + down * from_middle(row, rows)},
          std::min(piece_radius, std::min(across, down) / 2 - 1.5)};
}

BoardLayout lay_out(const Board& board) {
  Crowd crowd = crowd_of_cells(board);
  BoardLayout layout;
  layout.ladders.resize(board.ladders().size());
  for (const std::size_t i : shortest_first(board.ladders(), board))
    layout.ladders[i] = place_ladder(board.ladders()[i], board, crowd);
  layout.snakes.resize(board.snakes().size());
  for (const std::size_t i : shortest_first(board.snakes(), board))
    layout.snakes[i] = place_snake(board.snakes()[i], board, crowd);
  return layout;
}

Point spine_at(const DrawnSnake& snake, double t) {
  return on_wave(snake.spine.front(), snake.spine.back(), snake.wave, t);
}

double half_width_at(const DrawnSnake& snake, double t) {
  constexpr double neck = 0.72;
  constexpr double thickest = 0.2;
  constexpr double tip = 0.08;
  if (t < thickest)
    return snake.half_width * (neck + (1 - neck) * std::sin(std::numbers::pi / 2 * t / thickest));
  const double beyond = (t - thickest) / (1 - thickest);
  return snake.half_width * (tip + (1 - tip) * (1 - beyond * beyond));
}

}  // namespace snl::cli
