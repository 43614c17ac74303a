// The dice of a simulation, drawn by its own functions, with nothing played: the least that a
// simulation can cost.
#pragma once

#include "domain/analysis/simulation_dice.hpp"
#include "domain/analysis/simulation_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace snl::benchmarks {

/// Draws this many blocks of 16 turns, in vectors if these dice are drawn in them. Returns the sum
/// of each block's first distance.
inline std::uint64_t draw_dice(const SimulationPlan& plan, std::uint64_t blocks) {
  using namespace simulation;
  const DiceKind dice = dice_kind(plan.rules);
  const VectorKernel* const kernel =
      are_drawn_in_vectors(plan.rules) ? vector_kernel(plan.vector_bits) : nullptr;
  const std::uint64_t first_seed = game_seed(plan.seed, 0) & ~std::uint64_t{0xFFFF'FFFF};
  std::vector<std::uint32_t> keys(chunk_games + spare_lanes);
  std::iota(keys.begin(), keys.end(), 0U);
  std::array<std::uint8_t, std::size_t{block_turns} * most_lanes> distances{};
  std::uint64_t sum = 0;
  for (std::uint32_t block = 0; blocks > 0; ++block) {
    const auto games = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, chunk_games));
    blocks -= games;
    if (kernel == nullptr) {
      for (std::uint32_t game = 0; game < games; ++game)
        sum += static_cast<std::uint64_t>(
            BlockDice(dice, first_seed + game).distances(Turn{block} * block_turns)[0]);
      continue;
    }
    const BlockPlan drawn{.dice = &dice,
                          .rules = &plan.rules,
                          .key_high = static_cast<std::uint32_t>(first_seed >> 32U),
                          .block = block};
    for (std::uint32_t game = 0; game < games; game += kernel->lanes) {
      kernel->draw(drawn, keys.data() + game, distances.data());
      const auto end = distances.begin() + std::min(kernel->lanes, games - game);
      sum = std::accumulate(distances.begin(), end, sum);
    }
  }
  return sum;
}

}  // namespace snl::benchmarks
