// Odds of a race found in another way than the engine's: the pieces together are one chain, whose
// states are all their cells at once; sums over its rounds are doubled, in numbers of 113 bits.
//
// If S is what n rounds add up to and T what n rounds do, 2n rounds add up to S + T S, and T
// becomes T². So 60 steps go through 10^18 rounds, whatever the chain is like.
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

  /// How many multiplications a race of so many players takes.
  double work(std::size_t players) const;

  /// Expected turns are none where they are infinite. No answer where more than 10^16 turns would
  /// have to be added up.
  std::optional<RaceOdds> race(const Race& race);

  struct Piece {
    double finishes;  // ever
    /// Of the turns that it takes; none where it may never finish, or where it is so small a part
    /// of their mean that roundings could be seen.
    std::optional<double> stddev;
    /// The first turn by which half of all pieces have finished, none where no more than half do.
    std::optional<std::int64_t> median;
    /// To finish with exactly turn 2, 3, 5, 9, 17 …
    std::vector<double> finishes_with;
  };
  std::optional<Piece> piece(Cell cell);

 private:
  __extension__ using Quad = __float128;
  using Values = std::vector<Quad>;

  std::size_t state_of(Cell cell) const { return state_of_[static_cast<std::size_t>(cell)]; }
  /// Makes powers until no piece that can finish is likely still to race.
  bool make_powers();
  Values squared(const Values& matrix) const;
  /// Applies a power to each dimension of one value for each tuple of states.
  Values apply(const Values& matrix, Values values, std::size_t players) const;
  /// For each tuple of states the product of one value of each.
  Values product(const std::vector<Values>& factors) const;
  /// What is added by each of all turns, from each state.
  Values sum(Values added, std::size_t players) const;
  /// The chance never to finish, from each state.
  Values never() const;
  std::optional<double> stddev(std::size_t state) const;
  std::optional<std::int64_t> median(std::size_t state) const;

  std::size_t size_ = 0;               // states: cells that pieces may come to but the last
  std::vector<std::size_t> state_of_;  // by cell
  std::vector<bool> can_finish_;       // by state
  Values finish_;                      // with the next turn
  Values stay_;                        // 1 less that, as a sum
  std::vector<Values> powers_;         // of 1, 2, 4 … turns
  bool is_gone_ = false;               // after the last of them
};

}  // namespace snl::test
