#include "straightforward_loop.hpp"

#include <algorithm>
#include <random>

namespace snl::benchmarks {
namespace {

class Die {
 public:
  explicit Die(unsigned seed) : generator_(seed) {}
  int roll() { return faces_(generator_); }

 private:
  std::mt19937 generator_;
  std::uniform_int_distribution<int> faces_{1, 6};
};

struct Ending {
  std::size_t turns;
  std::size_t winner;
};

/// Plays one game; `on_move` receives the cell where a piece landed and the one where it came to
/// rest.
template <class OnMove>
Ending play(const std::vector<int>& jumps, std::vector<int>& cells, Die& die, OnMove on_move) {
  const int last = static_cast<int>(jumps.size()) - 1;
  std::ranges::fill(cells, 0);
  std::size_t turns = 0;
  while (true) {
    for (std::size_t player = 0; player < cells.size(); ++player) {
      ++turns;
      const int landed = cells[player] + die.roll();
      if (landed > last) continue;
      const int to = jumps[static_cast<std::size_t>(landed)];
      on_move(landed, to);
      cells[player] = to;
      if (to == last) return {turns, player};
    }
  }
}

template <class OnMove>
void play_all(const std::vector<int>& jumps, std::size_t players, std::uint64_t games,
              unsigned seed, LoopCounts& counts, OnMove on_move) {
  Die die(seed);
  std::vector<int> cells(players);
  counts.wins.resize(players);
  for (std::uint64_t game = 0; game < games; ++game) {
    const auto [turns, winner] = play(jumps, cells, die, on_move);
    if (turns >= counts.games_by_turns.size()) counts.games_by_turns.resize(turns + 1);
    ++counts.games_by_turns[turns];
    ++counts.wins[winner];
  }
}

}  // namespace

LoopCounts straightforward_loop(const std::vector<int>& jumps, std::size_t players,
                                std::uint64_t games, unsigned seed) {
  LoopCounts counts;
  play_all(jumps, players, games, seed, counts, [&](int landed, int to) {
    if (to < landed) ++counts.snakes;
    if (to > landed) ++counts.ladders;
  });
  return counts;
}

LoopCounts lean_loop(const std::vector<int>& jumps, std::size_t players, std::uint64_t games,
                     unsigned seed) {
  LoopCounts counts;
  play_all(jumps, players, games, seed, counts, [](int /*landed*/, int /*to*/) {});
  return counts;
}

}  // namespace snl::benchmarks
