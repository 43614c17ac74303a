#include "throw_odds.hpp"

#include "domain/turn_dice.hpp"

namespace snl {

std::vector<ThrowOdds> throw_odds(const Rules& rules) {
  std::vector<ThrowOdds> odds;
  for (const auto [distance, ways, all] : distance_ways(rules))
    odds.push_back({distance, static_cast<double>(ways) / all});
  return odds;
}

}  // namespace snl
