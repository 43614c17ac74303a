// Snakes and Ladders simulated as anybody would: what the simulation is measured against. One die
// of six faces, pieces start off the board, the end must be reached exactly.
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

/// Plays games and counts what `snl simulate` counts. jumps[cell] is where a piece that lands on
/// the cell comes to rest; the last cell is the end.
LoopCounts straightforward_loop(const std::vector<int>& jumps, std::size_t players,
                                std::uint64_t games, unsigned seed);

/// The same, but for snakes and ladders, which it doesn't count.
LoopCounts lean_loop(const std::vector<int>& jumps, std::size_t players, std::uint64_t games,
                     unsigned seed);

}  // namespace snl::benchmarks
