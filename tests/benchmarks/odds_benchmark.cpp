// Exact analysis of the Milton Bradley board for two players, against the plain way to have the
// same chances: a distribution over the cells, multiplied by the whole matrix turn after turn until
// nothing is left.
#include "domain/analysis/odds.hpp"
#include "domain/analysis/throw_odds.hpp"
#include "domain/move.hpp"
#include "measured_board.hpp"
#include "rows.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace snl::benchmarks {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix matrix_of(const Board& board, const Rules& rules) {
  const auto size = static_cast<std::size_t>(board.cells());
  Matrix matrix(size, std::vector<double>(size + 1));
  for (std::size_t from = 0; from < size; ++from)
    for (const auto& [distance, probability] : throw_odds(rules)) {
      const Cell to = move_piece(board, rules, static_cast<Cell>(from), distance).to;
      matrix[from][static_cast<std::size_t>(to)] += probability;
    }
  return matrix;
}

/// The chance of the first of two players to win.
double plain_chance_to_win(const Matrix& matrix) {
  constexpr double nothing = 1e-16;
  std::vector<double> chances(matrix.size() + 1);
  chances[0] = 1;
  double racing = 1;  // the chance not to have finished
  double win = 0;
  while (racing > nothing) {
    std::vector<double> after(matrix.size() + 1);
    for (std::size_t from = 0; from < matrix.size(); ++from)
      for (std::size_t to = 0; to < after.size(); ++to)
        after[to] += chances[from] * matrix[from][to];
    win += after.back() * racing;
    after.back() = 0;
    chances = std::move(after);
    racing = std::accumulate(chances.begin(), chances.end(), 0.0);
  }
  return win;
}

/// Repeats what answers a chance to win; the sum keeps a compiler from leaving it out.
template <class Chance>
Work repeating(double times, Chance chance) {
  return [=, sum = 0.0]() mutable {
    for (double done = 0; done < times; ++done)
      sum += chance();
    return sum > 0 ? times : 0;
  };
}

}  // namespace

std::vector<Row> odds_rows(const Options& options) {
  const Board played = measured_board().board();
  const Rules rules = value_named(preset_names, measured_board().rules).value();
  const OddsQuestion question{.piece = rules.start,
                              .races = {{.cells = {rules.start, rules.start}, .to_move = 0}}};
  return {{.name = "exact odds, 10x10, two players",
           .baseline_name = "the whole matrix, turn by turn",
           .unit = "boards",
           .measure = Measure::time,
           .bar = Bar{Bar::Of::figure, 0.002},
           .prepare = [=] {
             return Contest{
                 repeating(scaled(options, 300),
                           [=] { return odds_of(played, rules, question)->races->at(0).win[0]; }),
                 repeating(scaled(options, 20), [matrix = matrix_of(played, rules)] {
                   return plain_chance_to_win(matrix);
                 })};
           }}};
}

}  // namespace snl::benchmarks
