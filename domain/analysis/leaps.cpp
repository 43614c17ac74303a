#include "leaps.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace snl {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// Sums are near enough if they are off by this part of the bound on their terms.
constexpr double near_enough = 1e-14;

/// Roundings in a norm of the difference of two matrices with rows that add up to 1.
constexpr double rounding = 1e-13;

constexpr std::int64_t longest_period = 5040;

/// Turn numbers have this many binary digits. Later turns are passed in longer strides, none of
/// which matters by itself.
constexpr int turn_digits = 42;

int exponent_of(double number) {
  return std::ilogb(number);
}

double factorial(int number) {
  return std::tgamma(number + 1.0);
}

}  // namespace

/// The matrices of 1, 2, 4 … turns of pieces that will finish, made on demand.
class Leaps::Powers {
 public:
  struct Power {
    Matrix moves;      // from live cells to live cells
    Vector finishing;  // the chance to finish in this many turns
  };

  Powers(const Chain& chain, const CellValues& ever, const std::vector<std::size_t>& live) {
    const auto count = static_cast<Eigen::Index>(live.size());
    std::vector<Eigen::Index> row_of(chain.size(), -1);
    for (std::size_t i = 0; i < live.size(); ++i)
      row_of[live[i]] = static_cast<Eigen::Index>(i);
    Power turn{.moves = Matrix::Zero(count, count), .finishing = Vector(count)};
    const CellValues finishing = chain.finishing();
    for (Eigen::Index row = 0; row < count; ++row) {
      const std::size_t from = live[static_cast<std::size_t>(row)];
      turn.finishing[row] = finishing[from] / ever[from];
      chain.for_each_move(static_cast<Cell>(from), [&](Cell to, double probability) {
        if (chain.is_live(to))
          turn.moves(row, row_of[index_of(to)]) += probability * (ever[index_of(to)] / ever[from]);
      });
    }
    powers_.push_back(std::move(turn));
  }

  /// The matrix of 2^exponent turns.
  const Power& of(int exponent) {
    while (std::ssize(powers_) <= exponent)
      powers_.push_back(twice(powers_.back()));
    return powers_[static_cast<std::size_t>(exponent)];
  }

  /// Whether the matrices up to this exponent fit in memory.
  bool hold(int exponent) const {
    constexpr double room_in_bytes = 1e9;
    const auto count = static_cast<double>(powers_.front().finishing.size());
    return count * count * sizeof(double) * exponent < room_in_bytes;
  }

 private:
  static Power twice(const Power& half) {
    Power whole{.moves = half.moves * half.moves,
                .finishing = half.finishing + half.moves * half.finishing};
    for (Eigen::Index cell = 0; cell < whole.finishing.size(); ++cell) {
      const double staying = whole.moves.row(cell).sum();
      if (staying > 0.5) whole.moves.row(cell) *= (1 - whole.finishing[cell]) / staying;
    }
    // Arithmetic far below this takes a hundred times as long.
    whole.moves = (whole.moves.array() < as_good_as_none).select(0.0, whole.moves);
    return whole;
  }

  std::vector<Power> powers_;
};

bool Leaps::fits(const Chain& chain) {
  return static_cast<std::size_t>(std::ranges::count(chain.live(), true)) <= most_cells;
}

Leaps::Leaps(const Chain& chain, const CellValues& ever) : chain_(chain), ever_(ever) {
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (chain.live()[i]) live_.push_back(i);
  powers_ = std::make_unique<Powers>(chain, ever, live_);
}
Leaps::~Leaps() = default;

std::optional<Leaps::Stretch> Leaps::stretch_from(double turn, std::size_t factors) {
  constexpr int degree = samples_of_a_stretch;
  const int stride_exponent = std::max(0, exponent_of(turn) - turn_digits);
  const int turns_exponent = exponent_of(turn / 2 / degree);
  if (turns_exponent < stride_exponent || !powers_->hold(turns_exponent)) return std::nullopt;
  const std::int64_t period = period_of(turns_exponent, stride_exponent);
  const double change = change_of(turns_exponent, stride_exponent, period);
  // |s − polynomial| ≤ (length ÷ 2)^degree · max |Δ^degree s| ÷ degree! for the polynomial through
  // as many points around the middle. A sum with positive weights is off by up to twice as much.
  const double most = std::pow(near_enough / 2 * factorial(degree), 1.0 / degree);
  const double longest = 2 * most / (static_cast<double>(factors) * change) - degree;
  if (!(longest >= 4 * degree)) return std::nullopt;
  Stretch stretch{.stride_exponent = stride_exponent,
                  .period = period,
                  .count = static_cast<std::int64_t>(std::min(longest, 0x1p50))};
  stretch.uncertainty = near_enough * static_cast<double>(stretch.strides());
  stretch.early =
      (turn - degree * std::ldexp(1, turns_exponent)) / 2 - std::ldexp(1, stride_exponent);
  return stretch;
}

std::int64_t Leaps::period_of(int turns_exponent, int stride_exponent) {
  // Any values that differ from cell to cell.
  const auto count = static_cast<Eigen::Index>(live_.size());
  Vector values(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double number = static_cast<double>(i + 1) * std::numbers::phi;
    values[i] = number - std::floor(number);
  }
  const Vector first = powers_->of(turns_exponent).moves * values;
  const double change_a_stride = std::ldexp(1, stride_exponent - turns_exponent);

  CellValues now(chain_.size());
  CellValues after;
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t cell = live_[static_cast<std::size_t>(i)];
    now[cell] = first[i] * ever_[cell];
  }
  Vector strided = first;
  double least = std::numeric_limits<double>::max();
  std::int64_t best = 1;
  for (std::int64_t period = 1; period <= longest_period; ++period) {
    if (stride_exponent == 0) {
      chain_.step(now, after);
      std::swap(now, after);
      for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t cell = live_[static_cast<std::size_t>(i)];
        strided[i] = now[cell] / ever_[cell];
      }
    } else {
      strided = powers_->of(stride_exponent).moves * strided;
    }
    const double change = (strided - first).cwiseAbs().maxCoeff();
    if (change <= static_cast<double>(period) * change_a_stride + rounding) return period;
    if (change < least) {
      least = change;
      best = period;
    }
  }
  return best;
}

double Leaps::change_of(int turns_exponent, int stride_exponent, std::int64_t period) {
  if (last_change_ && last_change_->turns_exponent == turns_exponent &&
      last_change_->stride_exponent == stride_exponent && last_change_->period == period)
    return last_change_->norm;
  const Matrix& before = powers_->of(turns_exponent).moves;
  Matrix after = before;
  for (int bit = 0; period >> bit != 0; ++bit)
    if ((period >> bit & 1) != 0) after = after * powers_->of(stride_exponent + bit).moves;
  const double norm = (after - before).cwiseAbs().rowwise().sum().maxCoeff() + rounding;
  last_change_ = {.turns_exponent = turns_exponent,
                  .stride_exponent = stride_exponent,
                  .period = period,
                  .norm = norm};
  return norm;
}

Countdown Leaps::after(const Countdown& now, std::int64_t strides, int stride_exponent) {
  const auto count = static_cast<Eigen::Index>(live_.size());
  const bool has_plays = !now.played_.empty();
  Columns values(count, has_plays ? 3 : 2);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t cell = live_[static_cast<std::size_t>(i)];
    values(i, 0) = now.finishes_[cell] / ever_[cell];
    values(i, 1) = now.to_come_[cell] / ever_[cell];
    if (has_plays) values(i, 2) = now.played_[cell] / ever_[cell];
  }
  for (int bit = 0; strides >> bit != 0; ++bit)
    if ((strides >> bit & 1) != 0) values = powers_->of(stride_exponent + bit).moves * values;
  Countdown then = now;
  then.turn_ += std::ldexp(static_cast<double>(strides), stride_exponent);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t cell = live_[static_cast<std::size_t>(i)];
    then.finishes_[cell] = values(i, 0) * ever_[cell];
    then.to_come_[cell] = values(i, 1) * ever_[cell];
    if (has_plays) then.played_[cell] = values(i, 2) * ever_[cell];
  }
  return then;
}

void Leaps::advance(Countdown& now, int stride_exponent) {
  if (stride_exponent == 0) return now.advance();
  if (exponent_of(now.stride_) == stride_exponent) {
    now = after(now, 1, stride_exponent);
    return;
  }
  // Takes the first half of the stride, and then the second. The finishes of the second half are
  // those of the first, half a stride later.
  advance(now, stride_exponent - 1);
  Countdown whole = after(now, 1, stride_exponent - 1);
  for (const std::size_t cell : live_)
    whole.finishes_[cell] += now.finishes_[cell];
  whole.stride_ = 2 * now.stride_;
  now = std::move(whole);
}

double Leaps::most_finishing(const Countdown& now) const {
  double most = 0;
  for (const std::size_t cell : live_)
    most = std::max(most, now.finishes_[cell] / ever_[cell]);
  return most / now.stride_;
}

// Gram's polynomials are orthogonal over the numbers 0 to count − 1: all but the first add up to 0
// over them. (Abramowitz and Stegun, Handbook of Mathematical Functions, 22.17, as discrete
// Chebyshev polynomials; here divided by powers of `count`.)
std::vector<Leaps::Sample> Leaps::samples(std::int64_t count) {
  constexpr Eigen::Index size = samples_of_a_stretch;
  const auto length = static_cast<double>(count);
  // Steps between round numbers take fewer powers.
  const double grid = std::max(1.0, std::ldexp(1, exponent_of(length) - 10));
  Vector places(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double angle = std::numbers::pi * (2 * static_cast<double>(i) + 1) / (2.0 * size);
    places[i] = grid * std::floor((length - 1) * (1 - std::cos(angle)) / 2 / grid);
    if (i > 0) places[i] = std::max(places[i], places[i - 1] + grid);
  }
  Matrix polynomials(size, size);  // by degree, at each place
  polynomials.row(0).setOnes();
  const Vector middle = (2 * places.array() - (length - 1)) / length;
  polynomials.row(1) = middle.transpose();
  for (Eigen::Index degree = 1; degree + 1 < size; ++degree) {
    const auto n = static_cast<double>(degree);
    polynomials.row(degree + 1) =
        ((2 * n + 1) * middle.transpose().cwiseProduct(polynomials.row(degree)) -
         n * (1 - n * n / (length * length)) * polynomials.row(degree - 1)) /
        (n + 1);
  }
  Vector sums = Vector::Zero(size);
  sums[0] = length;
  const Vector weights = polynomials.partialPivLu().solve(sums);
  std::vector<Sample> samples;
  samples.reserve(static_cast<std::size_t>(size));
  for (Eigen::Index i = 0; i < size; ++i)
    samples.push_back({.number = static_cast<std::int64_t>(places[i]), .weight = weights[i]});
  return samples;
}

}  // namespace snl
