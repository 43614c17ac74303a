// A round robin, in which every entrant meets every other once a round, and its table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A match between two entrants, whose numbers count from 0; `first` begins it.
struct Pairing {
  std::size_t first;
  std::size_t second;
  friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// Every pair of `entrants` once, in the order in which they meet. One of a pair begins in even
/// rounds (from 0), the other in odd ones. In every round, the number of matches that an entrant
/// begins and the number in which it goes second differ by one at most.
std::vector<Pairing> round_robin(std::size_t entrants, std::size_t round);

struct MatchResult {
  Pairing pairing;
  std::optional<std::size_t> winner = std::nullopt;  // none: the match was ended without one
  std::int64_t turns = 0;                            // of both
};

/// The criteria that rank entrants who are level on points. The first on which two of them differ
/// decides.
enum class TieBreak : std::uint8_t { points_against_each_other, turns_of_a_win, order_of_entry };

struct Standing {
  std::size_t entrant = 0;
  std::int64_t won = 0;
  std::int64_t drawn = 0;  // ended without a winner
  std::int64_t lost = 0;
  std::int64_t turns_of_wins = 0;  // of all matches won
  /// The criterion that put this entrant below the one above it, if that one has as many points;
  /// else none.
  std::optional<TieBreak> below_by = std::nullopt;

  std::int64_t played() const { return won + drawn + lost; }
  double points() const { return static_cast<double>(won) + 0.5 * static_cast<double>(drawn); }
};

/// The table, the best first. Points come first: 1 for a win, ½ for a match without a winner.
/// Entrants who are level are ordered by the points of their matches with each other, then by the
/// fewer turns that a won match took on average, then by the order of entry.
std::vector<Standing> standings(std::size_t entrants, std::span<const MatchResult> results);

}  // namespace snl
