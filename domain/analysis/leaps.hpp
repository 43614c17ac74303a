// Many turns of a countdown at once, by powers of the chain's matrix: for games that last longer
// than can be gone through turn by turn.
//
// A sum over a long stretch of turns is taken from few of them, exactly for polynomials. That the
// terms are near enough to a polynomial is proven, not taken for granted: where a sequence s has
// differences Δ^q s below some bound, so it is (Newton). Here s(t) = e A^(p t + n) x, with A the
// chances of a turn and p a period in which cells are visited in turn, and so
//     Δ^q s = e A^n1 · ((A^p − I) A^k)^q · A^n2 x   wherever n ≥ n1 + q k + n2.
// The norm of (A^p − I) A^k, the most that a step of p turns can still change after k turns, is
// computed from these matrices; A itself lets no norm grow. Differences of products are bounded by
// those of their factors (Leibniz).
//
// A is the chain of the pieces that will finish: chances between two cells are multiplied by the
// chance to finish from the one over that from the other (Doob), so that every row and its chance
// to finish add up to 1. A square is computed without subtraction but for that: where a row of it
// keeps more than half of all pieces, it is scaled to keep 1 less their chance to finish, which
// itself is a sum of positive terms. So roundings add up with the squarings, not with the turns
// (Alfa, Xue and Ye, "Accurate computation of the smallest eigenvalue of a diagonally dominant
// M-matrix", Mathematics of Computation 71, 2002).
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
  /// Live cells.
  static constexpr std::size_t most_cells = 512;

  static bool fits(const Chain& chain);

  /// Keeps `chain`, which fits, and `ever`, each cell's chance ever to finish.
  Leaps(const Chain& chain, const CellValues& ever);

  /// Some of the turns that come next: `count` times `period` strides of 2^stride_exponent turns.
  struct Stretch {
    int stride_exponent = 0;
    std::int64_t period = 1;
    std::int64_t count = 0;
    /// The largest error of a sum over the stretch, divided by the largest bound on one of its
    /// terms.
    double uncertainty = 0;
    /// The turn at which the factors are taken for that bound.
    double early = 0;

    std::int64_t strides() const { return period * count; }
  };

  /// A stretch over which sums of products of so many sequences of this chain are proven to
  /// be near enough. None where that would be too short to be worth it.
  std::optional<Stretch> stretch_from(double turn, std::size_t factors);

  /// Of the `count` numbers from 0, a few that stand for all of them, ascending, with the weight
  /// of each: exact for polynomials of degree samples_of_a_stretch − 1.
  struct Sample {
    std::int64_t number;
    double weight;
  };
  static constexpr int samples_of_a_stretch = 24;
  static std::vector<Sample> samples(std::int64_t count);

  /// A countdown so many strides (≥ 0) of 2^stride_exponent turns later, its own stride as it was.
  /// The turns played are right for pieces that can't but finish.
  Countdown after(const Countdown& now, std::int64_t strides, int stride_exponent);

  /// To the end of the next stride of 2^stride_exponent turns, which isn't shorter than those of
  /// `now` are.
  void advance(Countdown& now, int stride_exponent);

  /// The largest chance of any live cell's pieces that will finish to do so with one turn, after
  /// those turns that are gone.
  double most_finishing(const Countdown& now) const;

  Leaps(const Leaps&) = delete;
  Leaps& operator=(const Leaps&) = delete;
  Leaps(Leaps&&) = delete;
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

  /// How many strides bring all that is left after 2^turns_exponent turns back to where it was, as
  /// far as one set of values tells.
  std::int64_t period_of(int turns_exponent, int stride_exponent);
  double change_of(int turns_exponent, int stride_exponent, std::int64_t period);

  const Chain& chain_;
  const CellValues& ever_;
  std::vector<std::size_t> live_;
  std::unique_ptr<Powers> powers_;
  std::optional<Change> last_change_;
};

}  // namespace snl
