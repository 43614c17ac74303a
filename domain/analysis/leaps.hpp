// Many turns of a countdown at once, by powers of the chain's matrix. This is for games that last
// too long to go through turn by turn.
//
// A sum over a long stretch of turns is computed from few of them, exactly for polynomials. The
// terms are proven to be near enough to a polynomial: a sequence s is, if its differences Δ^q s are
// below some bound (Newton). Here s(t) = e A^(p t + n) x. A is the matrix of the chances of a turn,
// and p is a period in which cells are visited in turn. So
//     Δ^q s = e A^n1 · ((A^p − I) A^k)^q · A^n2 x   wherever n ≥ n1 + q k + n2.
// The norm of (A^p − I) A^k is the most that a step of p turns can still change after k turns. It
// is computed from these matrices. A itself lets no norm grow. The differences of a product are
// bounded by those of its factors (Leibniz).
//
// A is the chain of the pieces that will finish. The chance of a move is multiplied by the chance
// to finish from its target and divided by that from its origin (Doob). So every row and its chance
// to finish add up to 1. Squaring needs no subtraction, with one exception. If a row of a square
// keeps more than half of all pieces, it is scaled to keep 1 minus their chance to finish, which is
// itself a sum of positive terms. So roundings add up with the squarings, not with the turns (Alfa,
// Xue and Ye, "Accurate computation of the smallest eigenvalue of a diagonally dominant M-matrix",
// Mathematics of Computation 71, 2002).
#pragma once

#include "countdown.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace snl {

class Leaps {
 public:
  /// The most live cells of a chain that fits.
  static constexpr std::size_t most_cells = 512;

  static bool fits(const Chain& chain);

  /// Keeps `chain`, which fits, and `ever`, each cell's chance ever to finish.
  Leaps(const Chain& chain, const CellValues& ever);

  /// Some of the turns that come next: `count` times `period` strides of 2^stride_exponent turns.
  struct Stretch {
    int stride_exponent = 0;
    std::int64_t period = 1;
    std::int64_t count = 0;
    /// The largest error of a sum over the stretch, divided by the largest bound on a term.
    double uncertainty = 0;
    /// The latest turn whose factors may make that bound.
    double early = 0;

    std::int64_t strides() const { return period * count; }
  };

  /// A stretch over which sums of products of this many sequences of this chain are proven to be
  /// near enough. None if it would be too short to be worth it.
  std::optional<Stretch> stretch_from(double turn, std::size_t factors);

  /// A few of the `count` numbers from 0, ascending, each with a weight. The weighted sum stands
  /// for the sum over all; it is exact for polynomials of degree samples_of_a_stretch − 1.
  struct Sample {
    std::int64_t number;
    double weight;
  };
  static constexpr int samples_of_a_stretch = 24;
  static std::vector<Sample> samples(std::int64_t count);

  /// A countdown this many strides (≥ 0) of 2^stride_exponent turns later; its own stride stays.
  /// The turns played are right only for pieces that surely finish.
  Countdown after(const Countdown& now, std::int64_t strides, int stride_exponent);

  /// Goes to the end of the next stride of 2^stride_exponent turns, which must not be shorter than
  /// the strides of `now`.
  void advance(Countdown& now, int stride_exponent);

  /// The largest chance to finish with one turn, over the live cells, of the pieces that will
  /// finish, after the turns that are over.
  double most_finishing(const Countdown& now) const;

  Leaps& operator=(Leaps&&) = delete;
  ~Leaps();

 private:
  class Powers;
  struct Change {
    int turns_exponent;
    int stride_exponent;
    std::int64_t period;
    double norm;
  };

  /// The number of strides that bring the rest after 2^turns_exponent turns back to where it was,
  /// as far as one set of values tells.
  std::int64_t period_of(int turns_exponent, int stride_exponent);
  double change_of(int turns_exponent, int stride_exponent, std::int64_t period);

  const Chain& chain_;
  const CellValues& ever_;
  std::vector<std::size_t> live_;
  std::unique_ptr<Powers> powers_;
  std::optional<Change> last_change_;
};

}  // namespace snl
