// Odds of a race, by another method than the engine's, in 113-bit numbers. All pieces form one
// chain, and each of its states has the cells of all pieces.
//
// Let S be the sum over n rounds and T the matrix of n rounds. The sum over 2n rounds is S + T S,
// and T becomes T². So 60 steps cover 10^18 rounds of any chain.
#pragma once

#include "domain/analysis/race_sums.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace snl::test {

class RaceOracle {
 public:
  /// The chain of pieces from any of `from`.
  RaceOracle(const Board& board, const Rules& rules, std::span<const Cell> from);

  /// The number of multiplications for a race of this number of players.
  double work(std::size_t players) const;

  /// Expected turns are none if they are infinite. No answer if more than 10^16 turns would have to
  /// be added up.
  std::optional<RaceOdds> race(const Race& race);

  struct Piece {
    double finishes;  // ever
    /// The deviation of the number of turns. None if the piece may never finish, or if the
    /// deviation is so small beside the mean that rounding errors would show.
    std::optional<double> stddev;
    /// The first turn by which half of all pieces have finished; none if no more than half do.
    std::optional<std::int64_t> median;
    /// The probabilities of finishing with exactly turn 2, 3, 5, 9, 17 …
    std::vector<double> finishes_with;
  };
  std::optional<Piece> piece(Cell cell);

 private:
  __extension__ using Quad = __float128;
  using Values = std::vector<Quad>;

  std::size_t state_of(Cell cell) const { return state_of_[static_cast<std::size_t>(cell)]; }
  /// Computes powers until any piece that can finish has almost certainly finished.
  bool make_powers();
  Values squared(const Values& matrix) const;
  /// Applies a power to each dimension of one value for each tuple of states.
  Values apply(const Values& matrix, Values values, std::size_t players) const;
  /// For each tuple of states, the product of one value of each state.
  Values product(const std::vector<Values>& factors) const;
  /// The sum over all turns, from each state.
  Values sum(Values added, std::size_t players) const;
  /// The chance never to finish, from each state.
  Values never() const;
  std::optional<double> stddev(std::size_t state) const;
  std::optional<std::int64_t> median(std::size_t state) const;

  std::size_t size_ = 0;               // states: cells that pieces may reach, except the last
  std::vector<std::size_t> state_of_;  // by cell
  std::vector<bool> can_finish_;       // by state
  Values finish_;                      // with the next turn
  Values stay_;                        // 1 minus that, as a sum
  std::vector<Values> powers_;         // of 1, 2, 4 … turns
  bool is_gone_ = false;               // after the last of them
};

}  // namespace snl::test
