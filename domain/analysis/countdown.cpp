#include "countdown.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace snl {
namespace {

/// The most by which the least and the largest share may differ, as a part of the least.
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
  if (!chain_->plays().empty()) {
    std::swap(played_, last_played_);
    if (turn_ == 0)
      played_ = chain_->plays();
    else
      chain_->step_everywhere(last_played_, played_);
  }
  ++turn_;
  stride_ = 1;
}

double Countdown::lost(std::size_t cell) const {
  return last_to_come_[cell] > 0 ? finishes_[cell] / last_to_come_[cell] : 0;
}

double Countdown::spread_of_plays() const {
  if (chain_->plays().empty()) return 0;
  double least = std::numeric_limits<double>::max();
  double most = 0;
  for (std::size_t i = 0; i < last_to_come_.size(); ++i) {
    if (last_to_come_[i] == 0 || chain_->may_strand(static_cast<Cell>(i))) continue;
    least = std::min(least, played_[i] / last_to_come_[i]);
    most = std::max(most, played_[i] / last_to_come_[i]);
  }
  return most > 0 ? (most - least) / most : 0;
}

std::optional<Countdown::Tail> Countdown::tail(std::span<const Cell> cells) const {
  // Most of the time, the cells in question already show that there is no tail yet.
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
  const double uncertainty = std::max((most - least) / least, spread_of_plays());
  if (uncertainty > 3 * as_good_as_equal) return std::nullopt;
  return Tail{.leaving = leaving, .uncertainty = uncertainty};
}

}  // namespace snl
