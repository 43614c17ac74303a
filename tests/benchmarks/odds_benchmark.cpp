// Exact analysis of the Milton Bradley board for two players, against the plain method for the same
// odds. That multiplies a distribution over the cells by the whole matrix, turn after turn, until
// nothing is left. The plain method with captures has a probability for each combination of the
// players' cells. It computes these from those of the next turn until they no longer change.
#include "domain/analysis/odds.hpp"
#include "domain/analysis/throw_odds.hpp"
#include "domain/move.hpp"
#include "measured_board.hpp"
#include "rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
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

/// The probability that the first of two players wins.
double plain_chance_to_win(const Matrix& matrix) {
  constexpr double nothing = 1e-16;
  std::vector<double> chances(matrix.size() + 1);
  chances[0] = 1;
  double racing = 1;  // the probability of not having finished
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

/// The probability that the first of several players wins by rules with captures. The player to
/// move comes first.
class PlainCaptures {
 public:
  PlainCaptures(const Board& board, const Rules& rules, std::size_t players)
      : board_(board), rules_(rules), throws_(throw_odds(rules)), players_(players) {
    for (std::size_t player = 0; player < players; ++player)
      positions_ *= static_cast<std::size_t>(board.cells());
  }

  double chance_to_win() const {
    constexpr double no_change = 1e-12;
    std::vector<double> chances(positions_ * players_);
    for (double change = 1; change > no_change;) {
      change = 0;
      std::vector<double> after(chances.size());
      for (std::size_t position = 0; position < positions_; ++position)
        play(position, chances, &after[position * players_]);
      for (std::size_t i = 0; i < chances.size(); ++i)
        change = std::max(change, std::abs(after[i] - chances[i]));
      chances = std::move(after);
    }
    return chances.front();
  }

 private:
  /// Each player's probability of winning, in turn order, at a position: its cells as digits.
  void play(std::size_t position, const std::vector<double>& chances, double* sums) const {
    const auto base = static_cast<std::size_t>(board_.cells());
    std::array<Cell, max_players> cells{};
    for (std::size_t player = players_; player-- > 0; position /= base)
      cells.at(player) = static_cast<Cell>(position % base);
    for (const auto& [distance, probability] : throws_) {
      const Cell to = move_piece(board_, rules_, cells[0], distance).to;
      if (to == board_.cells()) {
        sums[0] += probability;
        continue;
      }
      std::size_t next = 0;
      for (std::size_t player = 1; player < players_; ++player) {
        const bool is_captured = cells.at(player) == to && to != cells[0] && to > 1;
        next =
            next * base + static_cast<std::size_t>(is_captured ? rules_.start : cells.at(player));
      }
      next = next * base + static_cast<std::size_t>(to);
      for (std::size_t player = 0; player < players_; ++player)
        sums[player] += probability * chances[next * players_ + (player + players_ - 1) % players_];
    }
  }

  Board board_;
  Rules rules_;
  std::vector<ThrowOdds> throws_;
  std::size_t players_;
  std::size_t positions_ = 1;
};

/// Repeats a function that returns a probability of winning. The sum keeps a compiler from
/// optimising it away.
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
  std::vector<Row> rows{
      {.name = "exact odds, 10x10, two players",
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
  Rules captures = rules;
  captures.meet = Meet::capture;
  const auto add_meeting = [&](std::string name, const Board& board, std::size_t players) {
    const OddsQuestion race{.races = {{.cells = std::vector<Cell>(players, captures.start)}}};
    rows.push_back(
        {.name = std::move(name),
         .baseline_name = "all positions, until nothing changes",
         .unit = "boards",
         .measure = Measure::time,
         .bar = Bar{Bar::Of::ratio, 0.06},
         .prepare = [=] {
           return Contest{
               repeating(scaled(options, 5),
                         [=] { return odds_of(board, captures, race)->races->at(0).win[0]; }),
               repeating(1, [plain = PlainCaptures(board, captures, players)] {
                 return plain.chance_to_win();
               })};
         }});
  };
  add_meeting("exact odds with captures, 10x10, two players", played, 2);
  add_meeting("exact odds with captures, 30 cells, three players",
              find_named_board("geeks30")->board(), 3);
  return rows;
}

}  // namespace snl::benchmarks
