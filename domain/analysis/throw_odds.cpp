#include "throw_odds.hpp"

#include "domain/move.hpp"

#include <algorithm>

namespace snl {
namespace {

/// The number of ways in which a distance comes about, of `all` equally likely ones.
struct Ways {
  std::int32_t ways;
  std::int32_t all;
};

Ways ways_of(const Rules& rules, std::int32_t distance) {
  if (rules.sixes == Sixes::again) {
    if (distance == 0 || distance > 12) return {1, 216};
    return distance > 6 ? Ways{1, 36} : Ways{1, 6};
  }
  if (rules.dice == 1) return {1, rules.faces};
  return {std::min(distance - 1, 2 * rules.faces + 1 - distance), rules.faces * rules.faces};
}

}  // namespace

std::vector<ThrowOdds> throw_odds(const Rules& rules) {
  std::vector<ThrowOdds> odds;
  for (const std::int32_t distance : distances_of(rules)) {
    const auto [ways, all] = ways_of(rules, distance);
    odds.push_back({distance, static_cast<double>(ways) / all});
  }
  return odds;
}

}  // namespace snl
