// The simulation of two players on the Milton Bradley board, in games a second.
#include "domain/analysis/simulation.hpp"
#include "domain/named_boards.hpp"
#include "rows.hpp"
#include "straightforward_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace snl::benchmarks {
namespace {

const NamedBoard& board() {
  return *find_named_board("milton-bradley");
}

SimulationPlan plan_of(std::uint64_t games, Kernel kernel, unsigned threads) {
  return {.board = board().board(),
          .rules = rules_named(board().rules).value(),
          .players = 2,
          .games = games,
          .seed = 1,
          .threads = threads,
          .kernel = kernel};
}

Work simulating(double games, Kernel kernel, unsigned threads = 1) {
  return [plan = plan_of(static_cast<std::uint64_t>(games), kernel, threads)] {
    return static_cast<double>(simulate(plan).games);
  };
}

std::vector<int> jumps() {
  const Board played = board().board();
  std::vector<int> to;
  for (Cell cell = 0; cell <= played.cells(); ++cell)
    to.push_back(played.landing(cell));
  return to;
}

using Loop = LoopCounts (*)(const std::vector<int>&, std::size_t, std::uint64_t, unsigned);

Work looping(double games, Loop loop) {
  // Another seed each round, as dice that one has seen before are guessed better.
  return [=, to = jumps(), seed = 1U]() mutable {
    const auto counts = loop(to, 2, static_cast<std::uint64_t>(games), seed++);
    return static_cast<double>(counts.wins[0] + counts.wins[1]);
  };
}

/// Draws the blocks of dice that a simulation of as many games draws, and plays nothing.
Work drawing(double games) {
  const SimulationPlan plan = plan_of(static_cast<std::uint64_t>(games), Kernel::best, 1);
  std::uint64_t blocks = 0;
  constexpr Turn block = 16;
  simulate(plan).turns.for_each([&](Turn turns, std::uint64_t of_games) {
    blocks += of_games * static_cast<std::uint64_t>((turns + block - 1) / block);
  });
  return [=, sum = std::uint64_t{0}]() mutable {
    sum += draw_dice(plan, blocks);
    return sum == 1 ? 0 : games;  // so that no compiler leaves it out
  };
}

}  // namespace

std::vector<Row> simulation_rows(const Options& options) {
  constexpr double bar_with_avx2 = 20;
  constexpr double bar_without = 8;
  constexpr double bar_a_core = 0.9;
  const double few = scaled(options, 200'000);
  const double many = scaled(options, 4'000'000);
  const std::string loop = "the straightforward loop";
  std::vector<Row> rows;
  bool without_seen = false;
  for (const Kernel kernel : {Kernel::avx512, Kernel::avx2, Kernel::sse4, Kernel::portable}) {
    if (!can_run(kernel)) continue;
    // The second bar is for what a machine without AVX2 would run.
    std::optional<double> bar = bar_with_avx2;
    if (kernel == Kernel::sse4 || kernel == Kernel::portable) {
      bar = without_seen ? std::nullopt : std::optional(bar_without);
      without_seen = true;
    }
    rows.push_back({"simulate, one core, " + to_string(kernel), loop, "games",
                    simulating(kernel == Kernel::portable ? few : many, kernel),
                    looping(few, straightforward_loop), bar});
  }
  rows.push_back({"simulate, one core", "a loop without snakes, ladders", "games",
                  simulating(many, Kernel::best), looping(few, lean_loop), std::nullopt});
  rows.push_back({"simulate, one core", "drawing the same dice alone", "games",
                  simulating(many, Kernel::best), drawing(many), std::nullopt});
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, max_threads);
  rows.push_back({fmt::format("simulate, all {} cores", cores), "simulate, one core", "games",
                  simulating(many * cores, Kernel::best, cores), simulating(many, Kernel::best),
                  bar_a_core * cores});
  return rows;
}

}  // namespace snl::benchmarks
