// When pieces finish: the chances of every number of turns, from every live cell at once. A turn at
// a time first; what comes after is a geometric series once the chain has settled, and on small
// boards of long games it is gone through in leaps.
#pragma once

#include "chain.hpp"

#include <cstdint>
#include <optional>

namespace snl {

class Countdown {
 public:
  /// At turn 0. Keeps `chain`, which must outlive it.
  explicit Countdown(const Chain& chain);

  /// To the next turn.
  void advance();

  std::int64_t turn() const { return turn_; }
  /// The chance to finish with exactly this turn.
  double finishes(Cell cell) const { return finishes_[index_of(cell)]; }
  /// The chance to be live after this turn.
  double lives(Cell cell) const { return lives_[index_of(cell)]; }
  /// The chance to be where there is no finishing, after this turn.
  double stranded(Cell cell) const { return stranded_[index_of(cell)]; }
  /// The chance not to have finished after this turn, or after the one before: live or stranded.
  double unfinished(Cell cell) const { return lives(cell) + stranded(cell); }
  double unfinished_before(Cell cell) const { return unfinished(cell) + finishes(cell); }

  /// What comes after this turn, where every later turn repeats it: k turns on, the chance to
  /// finish with the turn is finishes × (1 − leaving)^k, and that of not having finished
  /// never + finishes × (1 − leaving)^(k+1) ÷ leaving.
  struct Tail {
    double leaving;  // the chance that a live piece finishes or strands with a turn, > 0
    /// The chance of `cell` never to finish.
    double never(const Countdown& at, Cell cell) const;
  };

  /// The tail, if all live cells are left at the same rate, to 12 digits. Chains settle so when one
  /// eigenvalue has outlasted all others; not where two slow regions are left at different rates,
  /// nor where cells are visited in turn (a period above 1).
  std::optional<Tail> tail() const;

  /// Nothing is left that could matter: no live piece has a chance above 10^-30.
  bool is_over() const;

 private:
  friend class Leaps;

  const Chain* chain_;
  std::int64_t turn_ = 0;
  CellValues finishes_;
  CellValues strands_;  // with exactly this turn
  CellValues lives_;
  CellValues stranded_;  // by now
  CellValues last_;      // room: the values of the turn before
  CellValues lived_last_;
};

}  // namespace snl
