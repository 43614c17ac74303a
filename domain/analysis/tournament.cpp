#include "tournament.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace snl {
namespace {

std::vector<Standing> totals(std::size_t entrants, std::span<const MatchResult> results) {
  std::vector<Standing> table(entrants);
  for (std::size_t entrant = 0; entrant < entrants; ++entrant)
    table[entrant].entrant = entrant;
  for (const auto& [pairing, winner, turns] : results) {
    for (const std::size_t entrant : {pairing.first, pairing.second}) {
      Standing& standing = table[entrant];
      if (!winner) {
        ++standing.drawn;
      } else if (*winner == entrant) {
        ++standing.won;
        standing.turns_of_wins += turns;
      } else {
        ++standing.lost;
      }
    }
  }
  return table;
}

/// Each entrant's points from matches with entrants that have as many points in all.
std::vector<double> points_among_level(const std::vector<Standing>& table,
                                       std::span<const MatchResult> results) {
  std::vector<double> points(table.size());
  for (const auto& [pairing, winner, turns] : results) {
    if (table[pairing.first].points() != table[pairing.second].points()) continue;
    for (const std::size_t entrant : {pairing.first, pairing.second})
      points[entrant] += !winner ? 0.5 : *winner == entrant ? 1 : 0;
  }
  return points;
}

double turns_of_a_win(const Standing& standing) {
  if (standing.won == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(standing.turns_of_wins) / static_cast<double>(standing.won);
}

}  // namespace

std::vector<Pairing> round_robin(std::size_t entrants, std::size_t round) {
  // One seat is fixed, and the others turn around it, a place at a time. With an odd number, the
  // entrant opposite the empty seat rests. The distance between two entrants' numbers, even or odd,
  // decides which of them begins.
  const std::size_t seats = entrants + entrants % 2;
  const auto turning = [&](std::size_t place, std::size_t step) {
    return place == 0 ? seats - 1 : (place - 1 + step) % (seats - 1);
  };
  std::vector<Pairing> pairings;
  for (std::size_t step = 0; step + 1 < seats; ++step) {
    for (std::size_t place = 0; place < seats / 2; ++place) {
      const auto [low, high] =
          std::minmax({turning(place, step), turning(seats - 1 - place, step)});
      if (high >= entrants) continue;
      const bool low_begins = ((high - low) % 2 == 1) == (round % 2 == 0);
      pairings.push_back(low_begins ? Pairing{low, high} : Pairing{high, low});
    }
  }
  return pairings;
}

std::vector<Standing> standings(std::size_t entrants, std::span<const MatchResult> results) {
  std::vector<Standing> table = totals(entrants, results);
  const std::vector<double> among_level = points_among_level(table, results);
  std::ranges::sort(table, {}, [&](const Standing& standing) {
    return std::tuple(-standing.points(), -among_level[standing.entrant], turns_of_a_win(standing),
                      standing.entrant);
  });
  for (std::size_t rank = 1; rank < table.size(); ++rank) {
    const Standing& above = table[rank - 1];
    Standing& below = table[rank];
    if (above.points() != below.points()) continue;
    below.below_by = among_level[above.entrant] != among_level[below.entrant]
                         ? TieBreak::points_against_each_other
                     : turns_of_a_win(above) != turns_of_a_win(below) ? TieBreak::turns_of_a_win
                                                                      : TieBreak::order_of_entry;
  }
  return table;
}

}  // namespace snl
