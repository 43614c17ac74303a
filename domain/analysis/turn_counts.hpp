// The number of games for each number of turns.
#pragma once

#include "domain/dice.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace [[gnu::visibility("default")]] snl {

/// Statistics of the lengths of some games, at least one.
struct TurnStatistics {
  double mean;
  double stddev;  // of just these games: the root of their mean squared distance from the mean
  Turn min;
  Turn max;
};

/// A count for each number of turns ≥ 0 that occurs.
class TurnCounts {
 public:
  void add(Turn turns, std::uint64_t games);
  void add(const TurnCounts& other);

  std::uint64_t games() const;
  /// Games that took exactly this many turns.
  std::uint64_t of(Turn turns) const;
  /// Visits each number of turns that occurs, ascending, with the games that took it.
  void for_each(const std::function<void(Turn turns, std::uint64_t games)>& visit) const;

  /// None without games.
  std::optional<TurnStatistics> statistics() const;
  /// The fewest turns by which at least this percentage (1 to 100) of the games was over; none
  /// without games.
  std::optional<Turn> quantile(std::uint64_t percent) const;
  /// The same for any share, above 0 and at most 1, to within 10^-12 of itself.
  std::optional<Turn> quantile_of(double share) const;

  friend bool operator==(const TurnCounts&, const TurnCounts&) = default;

 private:
  /// The fewest turns by which this many games were over.
  std::optional<Turn> first_with(std::uint64_t games) const;

  std::map<Turn, std::uint64_t> games_;  // none of them 0
};

}  // namespace snl
