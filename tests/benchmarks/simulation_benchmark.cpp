// The simulation of two players on the Milton Bradley board, in games a second.
#include "domain/analysis/simulation.hpp"
#include "domain/analysis/simulation_kernel.hpp"
#include "drawn_dice.hpp"
#include "measured_board.hpp"
#include "rows.hpp"
#include "straightforward_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

namespace snl::benchmarks {
namespace {

constexpr int widest = 512;

SimulationPlan plan_of(std::uint64_t games, int vector_bits, unsigned threads) {
  return {.board = measured_board().board(),
          .rules = value_named(preset_names, measured_board().rules).value(),
          .players = 2,
          .games = games,
          .seed = 1,
          .threads = threads,
          .vector_bits = vector_bits};
}

Work simulating(double games, int vector_bits, unsigned threads = 1) {
  return [plan = plan_of(static_cast<std::uint64_t>(games), vector_bits, threads)] {
    return static_cast<double>(simulate(plan).games);
  };
}

std::vector<int> jumps() {
  const Board played = measured_board().board();
  std::vector<int> to;
  for (Cell cell = 0; cell <= played.cells(); ++cell)
    to.push_back(played.landing(cell));
  return to;
}

using Loop = LoopCounts (*)(const std::vector<int>&, std::size_t, std::uint64_t, unsigned);

Work looping(double games, Loop loop) {
  // Another seed each round, because the processor predicts branches on repeated dice better.
  return [=, to = jumps(), seed = 1U]() mutable {
    const auto counts = loop(to, 2, static_cast<std::uint64_t>(games), seed++);
    return static_cast<double>(counts.wins[0] + counts.wins[1]);
  };
}

/// Draws the blocks of dice that a simulation of as many games draws, and plays nothing.
Work drawing(double games) {
  const SimulationPlan plan = plan_of(static_cast<std::uint64_t>(games), widest, 1);
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

/// The bar for one core, as a ratio to the straightforward loop. None for a width of vectors that
/// is only used where wider ones are missing.
std::optional<Bar> bar_of(int vector_bits) {
  constexpr double with_avx2 = 20;
  constexpr double without_avx2 = 8;
  if (vector_bits >= 256) return Bar{Bar::Of::ratio, with_avx2};
  if (vector_bits == 128 || simulation::vector_kernel(128) == nullptr)
    return Bar{Bar::Of::ratio, without_avx2};
  return std::nullopt;
}

Row vectors_row(const Options& options, int vector_bits) {
  const double few = scaled(options, 200'000);
  const double many = scaled(options, 4'000'000);
  const std::string way = vector_bits == 0 ? "one by one" : fmt::format("{} bits", vector_bits);
  return {.name = "simulate, one core, " + way,
          .baseline_name = "the straightforward loop",
          .unit = "games",
          .bar = bar_of(vector_bits),
          .prepare = [=] {
            return Contest{simulating(vector_bits == 0 ? few : many, vector_bits),
                           looping(few, straightforward_loop)};
          }};
}

/// The measured board with one power of each kind. Its games are played turn by turn, as the engine
/// plays them.
Board board_with_powers() {
  BoardDescription description = description_of(measured_board().board());
  description.powers = {{.cell = 12, .kind = PowerKind::again},
                        {.cell = 30, .kind = PowerKind::skip, .n = 1},
                        {.cell = 40, .kind = PowerKind::shield, .n = 1},
                        {.cell = 60, .kind = PowerKind::restart},
                        {.cell = 77, .kind = PowerKind::swap}};
  return Board::make(description).value();
}

Row powers_row(double games) {
  constexpr double a_million = 1e6;
  return {.name = "simulate with powers, one core",
          .baseline_name = "the straightforward loop without",
          .unit = "games",
          .bar = Bar{Bar::Of::figure, a_million},
          .prepare = [=] {
            SimulationPlan plan = plan_of(static_cast<std::uint64_t>(games), widest, 1);
            plan.board = board_with_powers();
            return Contest{[plan] { return static_cast<double>(simulate(plan).games); },
                           looping(games, straightforward_loop)};
          }};
}

Row cores_row(double games) {
  constexpr double bar_a_core = 0.9;
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, max_threads);
  return {.name = fmt::format("simulate, all {} cores", cores),
          .baseline_name = "simulate, one core",
          .unit = "games",
          .bar = Bar{Bar::Of::ratio, bar_a_core * cores},
          .prepare = [=] {
            return Contest{simulating(games * cores, widest, cores), simulating(games, widest)};
          }};
}

}  // namespace

std::vector<Row> simulation_rows(const Options& options) {
  const double few = scaled(options, 200'000);
  const double many = scaled(options, 4'000'000);
  std::vector<Row> rows;
  for (const int bits : {512, 256, 128, 0}) {
    const auto* const kernel = simulation::vector_kernel(bits);
    const unsigned used = kernel == nullptr ? 0 : kernel->lanes * 8;
    if (used == static_cast<unsigned>(bits)) rows.push_back(vectors_row(options, bits));
  }
  rows.push_back(
      {.name = "simulate, one core, leaner baseline",
       .baseline_name = "a loop without snakes, ladders",
       .unit = "games",
       .prepare = [=] { return Contest{simulating(many, widest), looping(few, lean_loop)}; }});
  rows.push_back({.name = "simulate, one core, next to its dice",
                  .baseline_name = "drawing the same dice alone",
                  .unit = "games",
                  .prepare = [=] { return Contest{simulating(many, widest), drawing(many)}; }});
  rows.push_back(cores_row(many));
  rows.push_back(powers_row(few));
  return rows;
}

}  // namespace snl::benchmarks
