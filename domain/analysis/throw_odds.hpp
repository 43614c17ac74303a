// The distances of a turn's dice, with their chances.
#pragma once

#include "domain/rules.hpp"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A turn carries a piece this far with this probability.
struct ThrowOdds {
  std::int32_t distance;  // 0: a forfeit
  double probability;     // > 0
};

/// Every distance of a turn whose dice are rolled to their end, ascending, with its chance. Under
/// Sixes::again, that is 1/6 each for 1 to 5, 1/36 for 7 to 11, 1/216 for 13 to 17, and 1/216 for a
/// forfeit.
std::vector<ThrowOdds> throw_odds(const Rules& rules);

}  // namespace snl
