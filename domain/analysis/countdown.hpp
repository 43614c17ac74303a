// The turns in which pieces finish: the chances of every number of turns, from every live cell at
// once, by steps of the chain. This follows only the pieces that will finish. Of the others, only
// their share matters.
#pragma once

#include "chain.hpp"

#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] snl {

class Countdown {
 public:
  /// Begins at turn 0. `ever` is the chance from each live cell ever to finish. Keeps `chain`,
  /// which must outlive it.
  Countdown(const Chain& chain, CellValues ever);

  /// Goes to the next turn.
  void advance();

  /// The turns that are over.
  double turn() const { return turn_; }
  /// The turns of the last step: 1, or a power of two with Leaps.
  double stride() const { return stride_; }
  /// The chance to finish with the last step, and not before.
  double finishes(Cell cell) const { return finishes_[index_of(cell)]; }
  /// The chance to finish after it.
  double to_come(Cell cell) const { return to_come_[index_of(cell)]; }
  /// The expected turns that a piece played in the last step, in a chain of rounds that has
  /// `plays`.
  double played(Cell cell) const { return played_[index_of(cell)]; }

  /// The rest after this turn, if every later turn repeats it. k turns on, the chance to finish
  /// with the turn is finishes × (1 − leaving)^k. The chance to finish after it is finishes × (1 −
  /// leaving)^(k+1) ÷ leaving.
  struct Tail {
    double leaving;  // > 0
    /// The error of a sum over such a series, or over a product of several cells' series. It is a
    /// share of the sum that there would be if all of `to_come` came at once.
    double uncertainty;
  };

  /// The tail, if `to_come` of each of `cells` loses the same share with every turn, up to
  /// rounding; none otherwise.
  ///
  /// The proof uses vectors (Collatz and Wielandt; Seneta, Non-negative Matrices and Markov Chains,
  /// 1981, section 1.2 and chapter 6). Let P be the chances of a turn, all ≥ 0, and v the `to_come`
  /// before it, from every cell. If lo is the least share of it that any cell has lost, then P v ≤
  /// (1 − lo) v, and so P^k v ≤ (1 − lo)^k v. For the other bound, take some cells. Let none of
  /// them have lost a larger share than hi, counting the part that goes on to other cells as lost.
  /// Then these cells' part of v shrinks no faster than that: P^k v ≥ (1 − hi)^k v there.
  ///
  /// A chain settles like this once one eigenvalue has outlasted all others. It doesn't while
  /// pieces leave two slow regions at different rates, or if cells are visited in turn (a period
  /// above 1). In a chain of rounds, the played turns must be the same multiple of v at every cell
  /// from which all pieces finish. Then they are so in every later round.
  std::optional<Tail> tail(std::span<const Cell> cells) const;

 private:
  friend class Leaps;

  /// The spread of the expected turns that a piece played in the last step: the largest minus the
  /// smallest, as a part of the largest. It covers pieces that hadn't finished before and surely
  /// will. 0 in a chain without `plays`.
  double spread_of_plays() const;

  /// The share of `to_come` that a cell lost with the last turn; 0 if nothing was to come.
  double lost(std::size_t cell) const;

  const Chain* chain_;
  double turn_ = 0;
  double stride_ = 1;
  CellValues finishes_;
  CellValues to_come_;
  CellValues played_;         // of a chain that has `plays`
  CellValues last_played_;    // as for finishes
  CellValues last_finishes_;  // those of the turn before, or scratch space
  CellValues last_to_come_;
};

}  // namespace snl
