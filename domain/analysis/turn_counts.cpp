#include "turn_counts.hpp"

#include <cmath>

namespace snl {

void TurnCounts::add(Turn turns, std::uint64_t games) {
  if (games > 0) games_[turns] += games;
}

void TurnCounts::add(const TurnCounts& other) {
  for (const auto& [turns, games] : other.games_)
    add(turns, games);
}

std::uint64_t TurnCounts::games() const {
  std::uint64_t all = 0;
  for (const auto& [turns, games] : games_)
    all += games;
  return all;
}

std::uint64_t TurnCounts::of(Turn turns) const {
  const auto found = games_.find(turns);
  return found == games_.end() ? 0 : found->second;
}

void TurnCounts::for_each(const std::function<void(Turn turns, std::uint64_t games)>& visit) const {
  for (const auto& [turns, games] : games_)
    visit(turns, games);
}

std::optional<TurnStatistics> TurnCounts::statistics() const {
  const auto all = static_cast<double>(games());
  if (all == 0) return std::nullopt;
  TurnStatistics statistics{
      .mean = 0, .stddev = 0, .min = games_.begin()->first, .max = games_.rbegin()->first};
  for (const auto& [turns, games] : games_)
    statistics.mean += static_cast<double>(turns) * static_cast<double>(games);
  statistics.mean /= all;
  double squares = 0;
  for (const auto& [turns, games] : games_) {
    const double distance = static_cast<double>(turns) - statistics.mean;
    squares += distance * distance * static_cast<double>(games);
  }
  statistics.stddev = std::sqrt(squares / all);
  return statistics;
}

std::optional<Turn> TurnCounts::quantile(std::uint64_t percent) const {
  const std::uint64_t all = games();
  return first_with(all / 100 * percent + (all % 100 * percent + 99) / 100);
}

std::optional<Turn> TurnCounts::quantile_of(double share) const {
  constexpr double rounding = 1e-12;  // the double of 0.05 is more than a twentieth
  const double needed = std::ceil(share * static_cast<double>(games()) * (1 - rounding));
  return first_with(static_cast<std::uint64_t>(needed));
}

std::optional<Turn> TurnCounts::first_with(std::uint64_t games) const {
  std::uint64_t seen = 0;
  for (const auto& [turns, count] : games_) {
    seen += count;
    if (seen >= games) return turns;
  }
  return std::nullopt;
}

}  // namespace snl
