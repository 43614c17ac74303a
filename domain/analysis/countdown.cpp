#include "countdown.hpp"

#include <algorithm>
#include <utility>

namespace snl {
namespace {

/// How far the least and the largest share may be apart, as a part of them.
constexpr double as_good_as_equal = 1e-13;

}  // namespace

Countdown::Countdown(const Chain& chain, CellValues ever)
    : chain_(&chain),
      finishes_(chain.size()),
      to_come_(std::move(ever)),
      last_finishes_(chain.size()),
      last_to_come_(chain.size()) {}

void Countdown::advance() {
  std::swap(to_come_, last_to_come_);
  chain_->step(last_to_come_, to_come_);
  std::swap(finishes_, last_finishes_);
  if (turn_ == 0)
    finishes_ = chain_->finishing();
  else
    chain_->step(last_finishes_, finishes_);
  ++turn_;
  stride_ = 1;
}

double Countdown::lost(std::size_t cell) const {
  return last_to_come_[cell] > 0 ? finishes_[cell] / last_to_come_[cell] : 0;
}

std::optional<Countdown::Tail> Countdown::tail(std::span<const Cell> cells) const {
  // Most of the time the cells that were asked for tell that it isn't so yet.
  double least = 1;
  double most = 0;
  double leaving = 0;
  for (const Cell cell : cells) {
    if (last_to_come_[index_of(cell)] == 0) continue;
    leaving = lost(index_of(cell));
    least = std::min(least, lost(index_of(cell)));
    most = std::max(most, lost(index_of(cell)));
  }
  if (!(least > 0) || most - least > as_good_as_equal * least) return std::nullopt;
  for (std::size_t i = 0; i < last_to_come_.size(); ++i)
    if (last_to_come_[i] > 0) least = std::min(least, lost(i));
  if (!(least > 0) || most - least > as_good_as_equal * least) return std::nullopt;

  const double bound = least * (1 + as_good_as_equal);
  CellValues others(last_to_come_);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (lost(i) <= bound) others[i] = 0;
  CellValues to_others;
  chain_->step(others, to_others);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i] == 0 && last_to_come_[i] > 0)
      most = std::max(most, lost(i) + to_others[i] / last_to_come_[i]);
  const double uncertainty = (most - least) / least;
  if (uncertainty > 3 * as_good_as_equal) return std::nullopt;
  return Tail{.leaving = leaving, .uncertainty = uncertainty};
}

}  // namespace snl
