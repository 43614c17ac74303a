// When pieces finish: the chances of every number of turns, from every live cell at once, by steps
// of the chain. Only pieces that will finish are followed: of those that won't, all that matters is
// how many there are.
#pragma once

#include "chain.hpp"

#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] snl {

class Countdown {
 public:
  /// At turn 0. `ever` is the chance of each live cell ever to finish. Keeps `chain`, which must
  /// outlive it.
  Countdown(const Chain& chain, CellValues ever);

  /// To the next turn.
  void advance();

  /// Turns that are gone.
  double turn() const { return turn_; }
  /// The turns of the last step: 1, or a power of two among Leaps.
  double stride() const { return stride_; }
  /// The chance to finish with the last step, and not before.
  double finishes(Cell cell) const { return finishes_[index_of(cell)]; }
  /// The chance to finish after it.
  double to_come(Cell cell) const { return to_come_[index_of(cell)]; }
  /// The turns that a piece is expected to have played with the last step, where the chain is one
  /// of rounds that has `plays`.
  double played(Cell cell) const { return played_[index_of(cell)]; }

  /// What comes after this turn, where every later turn repeats it: k turns on, the chance to
  /// finish with the turn is finishes × (1 − leaving)^k, and that of finishing after it
  /// finishes × (1 − leaving)^(k+1) ÷ leaving.
  struct Tail {
    double leaving;  // > 0
    /// The error of a sum over such a series, or over a product of several cells' series, as a
    /// share of what the sum would be if all of `to_come` came at once.
    double uncertainty;
  };

  /// The tail, where what is to come from each of `cells` loses the same share with every turn, to
  /// within rounding; none otherwise.
  ///
  /// This is proven by vectors (Collatz and Wielandt; Seneta, Non-negative Matrices and Markov
  /// Chains, 1981, section 1.2 and chapter 6). Be P the chances of a turn, all of them ≥ 0, and v
  /// what was to come before it, from every cell. If lo is the least share of it that any cell
  /// has lost, P v ≤ (1 − lo) v, and so P^k v ≤ (1 − lo)^k v. If no cell of some of them has lost a
  /// larger share than hi, together with what goes on to the others, these cells' part of v
  /// shrinks at the most so fast: P^k v ≥ (1 − hi)^k v there. Chains settle so when one eigenvalue
  /// has outlasted all others; not while two slow regions are left at different rates, nor where
  /// cells are visited in turn (a period above 1). In a chain of rounds the turns that are played
  /// must be the same multiple of v at every cell from which all pieces finish, and so they are in
  /// every later round.
  std::optional<Tail> tail(std::span<const Cell> cells) const;

 private:
  friend class Leaps;

  /// How far apart the most and the least turns are that a piece which hadn't finished is expected
  /// to have played with the last step, as a part of them; of pieces that can't but finish. 0 in a
  /// chain without `plays`.
  double spread_of_plays() const;

  /// The share that each cell lost with the last turn of what was to come; 0 where that is nothing.
  double lost(std::size_t cell) const;

  const Chain* chain_;
  double turn_ = 0;
  double stride_ = 1;
  CellValues finishes_;
  CellValues to_come_;
  CellValues played_;         // of a chain that has `plays`
  CellValues last_played_;    // as for finishes
  CellValues last_finishes_;  // those of the turn before, or room for them
  CellValues last_to_come_;
};

}  // namespace snl
