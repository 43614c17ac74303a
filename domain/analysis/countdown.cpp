#include "countdown.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snl {
namespace {

constexpr double least_that_matters = 1e-30;

/// Chances after thousands of sums differ by so much of themselves for no other reason.
constexpr double rounding = 1e-12;

}  // namespace

Countdown::Countdown(const Chain& chain)
    : chain_(&chain),
      finishes_(chain.size()),
      strands_(chain.size()),
      lives_(chain.size()),
      stranded_(chain.size()),
      lived_last_(chain.size()) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    lives_[i] = chain.live()[i] ? 1 : 0;
    stranded_[i] = chain.stranded()[i] ? 1 : 0;
  }
}

void Countdown::advance() {
  ++turn_;
  std::swap(lives_, lived_last_);
  chain_->step(lived_last_, lives_);
  std::swap(finishes_, last_);
  if (turn_ == 1)
    finishes_ = chain_->finishing();
  else
    chain_->step(last_, finishes_);
  if (!chain_->can_strand()) return;
  std::swap(strands_, last_);
  if (turn_ == 1)
    strands_ = chain_->stranding();
  else
    chain_->step(last_, strands_);
  for (std::size_t i = 0; i < stranded_.size(); ++i)
    stranded_[i] += strands_[i];
}

std::optional<Countdown::Tail> Countdown::tail() const {
  if (turn_ < 2) return std::nullopt;
  const auto at = std::ranges::max_element(lived_last_);
  const auto top = static_cast<std::size_t>(at - lived_last_.begin());
  const double leaving = (finishes_[top] + strands_[top]) / *at;
  if (!(leaving > 0)) return std::nullopt;
  // Of what is left, each cell's share finishes and strands as the others' do. Told by the chances
  // of leaving, not by those of staying: these may differ from 1 by less than a double can hold.
  const double finishing = finishes_[top] / *at;
  const double allowed = rounding * leaving * *at;
  for (std::size_t i = 0; i < lived_last_.size(); ++i) {
    if (std::abs(finishes_[i] + strands_[i] - leaving * lived_last_[i]) > allowed)
      return std::nullopt;
    if (std::abs(finishes_[i] - finishing * lived_last_[i]) > allowed) return std::nullopt;
  }
  return Tail{leaving};
}

double Countdown::Tail::never(const Countdown& at, Cell cell) const {
  const auto i = index_of(cell);
  return at.stranded_[i] + at.strands_[i] * (1 - leaving) / leaving;
}

bool Countdown::is_over() const {
  return *std::ranges::max_element(lives_) < least_that_matters;
}

}  // namespace snl
