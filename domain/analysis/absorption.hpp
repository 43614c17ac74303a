// Sums over the turns of a piece until it leaves the live cells of a chain: the exact solution of
// linear equations, one for each cell.
//
// Method. Between two moves down (by a snake, or a bounce), a piece only climbs. So one pass from
// the top of the board to its bottom expresses every cell's unknown by those of the cells that
// moves down lead to. That leaves one equation for each such cell. State elimination solves them
// without any subtraction (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
// distributions for Markov chains", Operations Research 33, 1985). For absorbing chains, see Alfa,
// Xue and Ye, "Accurate computation of the smallest eigenvalue of a diagonally dominant M-matrix",
// Mathematics of Computation 71, 2002. All numbers are positive and none cancels, so sums keep
// their digits however long a game takes, up to some 10^240 turns.
#pragma once

#include "chain.hpp"

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The equations take 8 × returns² bytes: 1.2 GB at the most. On a large board, make() allows fewer
/// returns, so that an answer takes minutes at most.
inline constexpr std::size_t max_returns = 12'000;

class Absorption {
 public:
  /// Keeps `chain`, which must outlive it. O(cells × distances × returns + returns³) time, where
  /// the returns are the cells that moves down lead to. An error is a sentence with the reason:
  /// there are too many returns (make() says so before any long work), or chances are too small for
  /// a double.
  static std::expected<Absorption, std::string> make(const Chain& chain);

  /// The expected sum, from each live cell, of the `reward` (≥ 0) of every cell from which a piece
  /// sets out on a turn. This is the x with x(c) = reward(c) + Σ P(c → d) x(d), d live. 0 for cells
  /// that aren't live.
  CellValues solve(std::span<const double> reward) const;

  /// The largest |x(c) − reward(c) − Σ P(c → d) x(d)| ÷ x(c) over the live cells: how well
  /// `solution` solves the equations. NaN if one of these is NaN.
  double residual(std::span<const double> solution, std::span<const double> reward) const;

  Absorption(Absorption&&) noexcept;
  Absorption& operator=(Absorption&&) noexcept;
  Absorption(const Absorption&) = delete;
  Absorption& operator=(const Absorption&) = delete;
  ~Absorption();

 private:
  class Elimination;
  Absorption(const Chain& chain, std::vector<Cell> returns);

  const Chain* chain_;
  std::vector<Cell> returns_;  // ascending
  std::unique_ptr<Elimination> elimination_;
};

/// For each live state, the variance that one turn adds to the number of turns, in units of `unit`
/// squared. By the law of total variance, it is the variance of the expectation after that turn.
/// `expected` holds the expected turns from each state.
CellValues variance_of_each_turn(const Chain& chain, std::span<const double> expected, double unit);

}  // namespace snl
