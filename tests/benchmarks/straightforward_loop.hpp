// The baseline of the simulation: Snakes and Ladders in a straightforward loop. One die of six
// faces; pieces start off the board, and must reach the last cell exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace snl::benchmarks {

struct LoopCounts {
  std::vector<std::uint64_t> games_by_turns;
  std::vector<std::uint64_t> wins;
  std::uint64_t snakes = 0;
  std::uint64_t ladders = 0;
};

/// Plays games, with the counts of `snl simulate`. A piece that lands on `cell` comes to rest on
/// jumps[cell]. The last cell is the end.
LoopCounts straightforward_loop(const std::vector<int>& jumps, std::size_t players,
                                std::uint64_t games, unsigned seed);

/// The same, but it doesn't count snakes and ladders.
LoopCounts lean_loop(const std::vector<int>& jumps, std::size_t players, std::uint64_t games,
                     unsigned seed);

}  // namespace snl::benchmarks
