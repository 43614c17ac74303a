// The turns worth stopping at: those that moved the players' chances to win most.
#pragma once

#include "domain/analysis/race_sums.hpp"
#include "recording.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// A turn is a moment only if it moves some player's chance by at least this much.
inline constexpr double least_swing = 0.01;
/// At most one turn in so many is a moment.
inline constexpr std::size_t turns_a_moment = 8;

/// The moments' shots in a recording, ascending. `odds` are the chances at each of its positions.
/// Without odds, the length of a snake, a ladder or a win takes their place.
std::vector<std::size_t> ranked_moments(const Recording& recording, std::span<const RaceOdds> odds);

/// The shot in which a seat's own turn raised its chance most, and by how much.
struct LuckiestThrow {
  std::size_t shot;
  double gain;
  friend bool operator==(const LuckiestThrow&, const LuckiestThrow&) = default;
};

/// None if no turn of the seat raised its chance by least_swing. `odds` as above, not empty.
std::optional<LuckiestThrow> luckiest_throw(const Recording& recording,
                                            std::span<const RaceOdds> odds, Seat seat);

}  // namespace cli
}  // namespace snl
