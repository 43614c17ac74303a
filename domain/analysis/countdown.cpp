#include "countdown.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snl {
namespace {

constexpr double least_that_matters = 1e-30;

/// Relative to the largest value; a few roundings of a sum.
constexpr double rounding = 2e-15;

/// Whether `now` is `before` × factor.
bool is_multiple(const CellValues& now, const CellValues& before, double factor) {
  const double allowed = rounding * *std::ranges::max_element(before);
  for (std::size_t i = 0; i < now.size(); ++i)
    if (std::abs(now[i] - before[i] * factor) > allowed) return false;
  return true;
}

}  // namespace

Countdown::Countdown(const Chain& chain)
    : chain_(chain),
      finishes_(chain.size()),
      strands_(chain.size()),
      lives_(chain.size()),
      stranded_(chain.size()),
      unfinished_before_(chain.size()),
      finished_last_(chain.size()),
      stranded_last_(chain.size()),
      lived_last_(chain.size()) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    lives_[i] = chain.live()[i] ? 1 : 0;
    stranded_[i] = chain.stranded()[i] ? 1 : 0;
  }
}

void Countdown::advance() {
  std::swap(finishes_, finished_last_);
  std::swap(lives_, lived_last_);
  for (std::size_t i = 0; i < lives_.size(); ++i)
    unfinished_before_[i] = lived_last_[i] + stranded_[i];
  chain_.step(lived_last_, lives_);
  if (++turn_ == 1)
    finishes_ = chain_.finishing();
  else
    chain_.step(finished_last_, finishes_);
  if (!chain_.can_strand()) return;
  std::swap(strands_, stranded_last_);
  if (turn_ == 1)
    strands_ = chain_.stranding();
  else
    chain_.step(stranded_last_, strands_);
  for (std::size_t i = 0; i < stranded_.size(); ++i)
    stranded_[i] += strands_[i];
}

std::optional<Countdown::Tail> Countdown::tail() const {
  if (turn_ < 2) return std::nullopt;
  const auto at = std::ranges::max_element(lived_last_);
  const auto top = static_cast<std::size_t>(at - lived_last_.begin());
  const double leaving = (finishes_[top] + strands_[top]) / lived_last_[top];
  if (!(leaving > 0)) return std::nullopt;
  const double staying = 1 - leaving;
  if (!is_multiple(lives_, lived_last_, staying) ||
      !is_multiple(finishes_, finished_last_, staying))
    return std::nullopt;
  if (chain_.can_strand() && !is_multiple(strands_, stranded_last_, staying)) return std::nullopt;
  return Tail{leaving};
}

double Countdown::Tail::never(const Countdown& at, Cell cell) const {
  const auto i = static_cast<std::size_t>(cell);
  return at.stranded_[i] + at.strands_[i] * (1 - leaving) / leaving;
}

bool Countdown::is_over() const {
  return *std::ranges::max_element(lives_) < least_that_matters;
}

}  // namespace snl
