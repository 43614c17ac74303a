#include "simulation.hpp"

#include "joined_threads.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <mutex>
#include <optional>

namespace snl {
namespace {

using simulation::Chunk;
using simulation::ChunkPlayer;
using simulation::Tally;

constexpr std::uint64_t seeds = std::uint64_t{1} << 53U;

/// Deals out the games of a run in chunks, to any number of threads.
class Dealer {
 public:
  explicit Dealer(const SimulationPlan& plan) : plan_(plan) {
    // Small runs are shared out too.
    const std::uint64_t share = plan.games / (std::uint64_t{4} * plan.threads);
    largest_ = std::clamp<std::uint64_t>(share, 64, simulation::chunk_games);
  }

  /// None once all games have been dealt.
  std::optional<Chunk> next() {
    const std::scoped_lock lock(mutex_);
    if (dealt_ == plan_.games) return std::nullopt;
    const std::uint64_t seed = game_seed(plan_.seed, dealt_);
    // The seeds of a chunk differ only in their low half, so a chunk ends where that overflows.
    const std::uint64_t low_halves = (std::uint64_t{1} << 32U) - (seed & 0xFFFF'FFFFU);
    const std::uint64_t games = std::min({largest_, plan_.games - dealt_, low_halves});
    const Chunk chunk{dealt_, seed, static_cast<std::uint32_t>(games)};
    dealt_ += games;
    return chunk;
  }

 private:
  const SimulationPlan& plan_;
  std::uint64_t largest_;
  std::mutex mutex_;
  std::uint64_t dealt_ = 0;
};

/// The counts of all threads.
struct Total {
  std::mutex mutex;
  Tally tally;
  std::exception_ptr failure;
};

void play_chunks(const SimulationPlan& plan, Dealer& dealer, SimulationControl& control,
                 Total& total) {
  try {
    Tally own;
    std::optional<ChunkPlayer> player;  // made for a thread that gets games: it may be large
    while (!control.stop.load(std::memory_order_relaxed)) {
      const auto chunk = dealer.next();
      if (!chunk) break;
      if (!player) player.emplace(plan, control.stop);
      const auto tally = player->play(*chunk);
      if (!tally) break;
      own.add(*tally);
      control.games_played.fetch_add(chunk->games, std::memory_order_relaxed);
    }
    const std::scoped_lock lock(total.mutex);
    total.tally.add(own);
  } catch (...) {
    const std::scoped_lock lock(total.mutex);
    total.failure = std::current_exception();
    control.stop = true;
  }
}

SimulationResult result_of(const SimulationPlan& plan, const Tally& tally) {
  SimulationResult result;
  result.turns = tally.turns;
  result.games = tally.turns.games() + tally.unfinished;
  result.unfinished = tally.unfinished;
  result.snakes = tally.snakes;
  result.ladders = tally.ladders;
  result.shortest = tally.shortest;
  result.longest = tally.longest;
  if (has_effects(plan.board, plan.rules)) {
    result.wins.assign(tally.wins.begin(),
                       tally.wins.begin() + static_cast<std::ptrdiff_t>(plan.players));
    return result;
  }
  result.wins.resize(plan.players);
  tally.turns.for_each([&](Turn turns, std::uint64_t games) {
    result.wins[static_cast<std::size_t>(turns - 1) % plan.players] += games;
  });
  return result;
}

}  // namespace

bool fits_vectors(const Board& board, const Rules& rules) {
  return simulation::vector_track(board, rules).has_value();
}

std::uint64_t game_seed(std::uint64_t run_seed, std::uint64_t index) {
  const auto words = philox4x32({0, 0, 0, 0}, {static_cast<std::uint32_t>(run_seed),
                                               static_cast<std::uint32_t>(run_seed >> 32U)});
  const std::uint64_t first = (std::uint64_t{words[1]} << 32U | words[0]) >> 11U;
  return (first + index % seeds) % seeds;
}

void count_game(SimulationResult& result, const SimulatedGame& game) {
  ++result.games;
  result.snakes += game.snakes;
  result.ladders += game.ladders;
  if (!game.finished) {
    ++result.unfinished;
    return;
  }
  const NotableGame notable{game.index, game.seed, game.turns};
  result.turns.add(game.turns, 1);
  ++result.wins[game.winner];
  simulation::note_shortest(result.shortest, notable);
  simulation::note_longest(result.longest, notable);
}

SimulationResult simulate(const SimulationPlan& plan, SimulationControl& control) {
  assert(plan.players >= 1 && plan.players <= max_players);
  assert(plan.games >= 1 && plan.max_turns >= 1 && plan.max_turns <= max_turn);
  assert(plan.threads >= 1 && plan.threads <= max_threads);
  Dealer dealer(plan);
  Total total;
  {
    JoinedThreads others;
    try {
      for (unsigned thread = 1; thread < plan.threads; ++thread)
        others.start([&] { play_chunks(plan, dealer, control, total); });
    } catch (...) {
      control.stop = true;
      throw;
    }
    play_chunks(plan, dealer, control, total);
  }
  if (total.failure) std::rethrow_exception(total.failure);
  return result_of(plan, total.tally);
}

SimulationResult simulate(const SimulationPlan& plan) {
  SimulationControl control;
  return simulate(plan, control);
}

}  // namespace snl
