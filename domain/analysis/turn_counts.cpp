#include "turn_counts.hpp"

#include <cmath>

namespace snl {

void TurnCounts::add(Turn turns, std::uint64_t games) {
  if (games == 0) return;
  if (turns >= dense_turns) {
    sparse_[turns] += games;
    return;
  }
  const auto slot = static_cast<std::size_t>(turns);
  if (slot >= dense_.size()) dense_.resize(slot + 1);
  dense_[slot] += games;
}

void TurnCounts::add(const TurnCounts& other) {
  other.for_each([this](Turn turns, std::uint64_t games) { add(turns, games); });
}

std::uint64_t TurnCounts::games() const {
  std::uint64_t all = 0;
  for_each([&](Turn /*turns*/, std::uint64_t games) { all += games; });
  return all;
}

std::uint64_t TurnCounts::of(Turn turns) const {
  if (turns >= dense_turns) {
    const auto found = sparse_.find(turns);
    return found == sparse_.end() ? 0 : found->second;
  }
  const auto slot = static_cast<std::size_t>(turns);
  return slot < dense_.size() ? dense_[slot] : 0;
}

void TurnCounts::for_each(const std::function<void(Turn turns, std::uint64_t games)>& visit) const {
  for (std::size_t slot = 0; slot < dense_.size(); ++slot)
    if (dense_[slot] > 0) visit(static_cast<Turn>(slot), dense_[slot]);
  for (const auto& [turns, games] : sparse_)
    visit(turns, games);
}

std::optional<TurnStatistics> TurnCounts::statistics() const {
  const auto all = static_cast<double>(games());
  if (all == 0) return std::nullopt;
  TurnStatistics statistics{.mean = 0, .stddev = 0, .min = -1, .max = 0};
  for_each([&](Turn turns, std::uint64_t games) {
    statistics.mean += static_cast<double>(turns) * static_cast<double>(games);
    if (statistics.min < 0) statistics.min = turns;
    statistics.max = turns;
  });
  statistics.mean /= all;
  double squares = 0;
  for_each([&](Turn turns, std::uint64_t games) {
    const double distance = static_cast<double>(turns) - statistics.mean;
    squares += distance * distance * static_cast<double>(games);
  });
  statistics.stddev = std::sqrt(squares / all);
  return statistics;
}

std::optional<Turn> TurnCounts::quantile(std::uint64_t percent) const {
  const std::uint64_t all = games();
  const std::uint64_t needed = all / 100 * percent + (all % 100 * percent + 99) / 100;
  std::optional<Turn> found;
  std::uint64_t seen = 0;
  for_each([&](Turn turns, std::uint64_t games) {
    if (found && seen >= needed) return;
    seen += games;
    found = turns;
  });
  return found;
}

bool operator==(const TurnCounts& a, const TurnCounts& b) {
  // Not slot by slot: trailing empty slots are no difference.
  const auto occurring = [](const TurnCounts& counts) {
    std::map<Turn, std::uint64_t> all;
    counts.for_each([&](Turn turns, std::uint64_t games) { all[turns] = games; });
    return all;
  };
  return occurring(a) == occurring(b);
}

}  // namespace snl
