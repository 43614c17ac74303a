#include "leaps.hpp"

#include <Eigen/LU>

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace snl {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Values = Eigen::Map<const Vector>;

Values values_of(const CellValues& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

CellValues cell_values(const Vector& values) {
  return {values.begin(), values.end()};
}

}  // namespace

/// 1, 2, 4 … turns, as they are asked for.
class Leaps::Powers {
 public:
  struct Power {
    Matrix moves;      // from live cells to live cells
    Vector leaving;    // the chance to finish or to strand in so many turns
    Vector stranding;  // to strand
  };

  explicit Powers(const Chain& chain) {
    const auto size = static_cast<Eigen::Index>(chain.size());
    Power turn{.moves = Matrix::Zero(size, size),
               .leaving = values_of(chain.finishing()) + values_of(chain.stranding()),
               .stranding = values_of(chain.stranding())};
    for (Cell cell = 0; cell < chain.last(); ++cell) {
      if (!chain.is_live(cell)) continue;
      chain.for_each_move(cell, [&](Cell to, double probability) {
        if (chain.is_live(to)) turn.moves(cell, to) += probability;
      });
    }
    powers_.push_back(std::move(turn));
  }

  /// Of 2^exponent turns.
  const Power& of(std::size_t exponent) {
    while (powers_.size() <= exponent)
      powers_.push_back(twice(powers_.back()));
    return powers_[exponent];
  }

 private:
  static Power twice(const Power& half) {
    Power whole{.moves = half.moves * half.moves,
                .leaving = half.leaving + half.moves * half.leaving,
                .stranding = half.stranding + half.moves * half.stranding};
    // Rounding lets a little of every row get lost, which over 10^12 turns would be all of it. How
    // much is to be left is known better: all but the chance of leaving, a sum of positive terms.
    for (Eigen::Index cell = 0; cell < whole.leaving.size(); ++cell) {
      const double staying = whole.moves.row(cell).sum();
      if (staying > 0.5) whole.moves.row(cell) *= (1 - whole.leaving[cell]) / staying;
    }
    // Far below this, arithmetic takes a hundred times as long.
    whole.moves = (whole.moves.array() < as_good_as_none).select(0.0, whole.moves);
    return whole;
  }

  std::vector<Power> powers_;
};

Leaps::Leaps(const Chain& chain) : chain_(chain), powers_(std::make_unique<Powers>(chain)) {}
Leaps::~Leaps() = default;

Countdown Leaps::after(const Countdown& now, std::int64_t turns) {
  Countdown then = now;
  then.turn_ += turns;
  Vector finishes = values_of(now.finishes_);
  Vector strands = values_of(now.strands_);
  Vector lives = values_of(now.lives_);
  Vector stranded = values_of(now.stranded_);
  for (std::size_t exponent = 0; turns >> exponent != 0; ++exponent) {
    if ((turns >> exponent & 1) == 0) continue;
    const Powers::Power& power = powers_->of(exponent);
    finishes = power.moves * finishes;
    lives = power.moves * lives;
    if (!chain_.can_strand()) continue;
    strands = power.moves * strands;
    stranded = power.stranding + power.moves * stranded;
  }
  then.finishes_ = cell_values(finishes);
  then.strands_ = cell_values(strands);
  then.lives_ = cell_values(lives);
  for (std::size_t i = 0; i < chain_.size(); ++i)
    if (chain_.live()[i]) then.stranded_[i] = stranded[static_cast<Eigen::Index>(i)];
  return then;
}

std::optional<std::int64_t> Leaps::turns_from(std::int64_t turn) {
  constexpr std::int64_t most = std::int64_t{1} << 61U;
  if (turn > most) return std::nullopt;
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(turn)) / 2);
}

// Gram's polynomials, which are orthogonal over the numbers 0 to turns − 1: all but the first add
// up to 0 over them. (Abramowitz and Stegun, Handbook of Mathematical Functions, 22.17, as discrete
// Chebyshev polynomials; here divided by powers of `turns`.)
std::vector<Leaps::Sample> Leaps::samples(std::int64_t turns) {
  constexpr Eigen::Index count = 16;
  const auto length = static_cast<double>(turns);
  Vector places(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double angle = std::numbers::pi * (2 * static_cast<double>(i) + 1) / (2.0 * count);
    places[i] = std::round((length - 1) * (1 - std::cos(angle)) / 2);
  }
  Matrix polynomials(count, count);  // by degree, at each place
  polynomials.row(0).setOnes();
  const Vector middle = (2 * places.array() - (length - 1)) / length;
  polynomials.row(1) = middle.transpose();
  for (Eigen::Index degree = 1; degree + 1 < count; ++degree) {
    const auto n = static_cast<double>(degree);
    polynomials.row(degree + 1) =
        ((2 * n + 1) * middle.transpose().cwiseProduct(polynomials.row(degree)) -
         n * (1 - n * n / (length * length)) * polynomials.row(degree - 1)) /
        (n + 1);
  }
  Vector sums = Vector::Zero(count);
  sums[0] = length;
  const Vector weights = polynomials.partialPivLu().solve(sums);
  std::vector<Sample> samples;
  samples.reserve(count);
  for (Eigen::Index i = 0; i < count; ++i)
    samples.push_back({.later = static_cast<std::int64_t>(places[i]) + 1, .weight = weights[i]});
  return samples;
}

}  // namespace snl
