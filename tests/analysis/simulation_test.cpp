// Goal: the counts of a simulation are right, and stay the same for ever. Method: examples.
// simulation_properties.cpp checks that every game is the engine's own.
#include "domain/analysis/simulation.hpp"

#include "../benchmarks/drawn_dice.hpp"
#include "domain/analysis/simulation_kernel.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

using namespace snl;

namespace {

SimulationPlan plan_on(std::string_view board, std::uint64_t games, std::uint64_t seed) {
  const NamedBoard* named = find_named_board(board);
  return {.board = named->board(),
          .rules = value_named(preset_names, named->rules).value(),
          .games = games,
          .seed = seed};
}

Board empty_board(std::int64_t cells) {
  return Board::make({.cells = cells}).value();
}

/// Nobody gets past the snakes.
SimulationPlan unwinnable_plan(Turn turns) {
  BoardDescription description{.cells = 30};
  for (std::int64_t cell = 10; cell < 16; ++cell)
    description.snakes.push_back({cell, 2});
  return {.board = Board::make(description).value(),
          .rules = {.sixes = Sixes::plain},
          .games = 1000,
          .max_turns = turns};
}

/// The counts from the engine, game by game.
SimulationResult count_by_the_engine(const SimulationPlan& plan) {
  SimulationResult result;
  result.wins.resize(plan.players);
  for (std::uint64_t index = 0; index < plan.games; ++index) {
    GameSetup setup{.players = {}, .board = plan.board, .rules = plan.rules};
    for (std::size_t player = 0; player < plan.players; ++player)
      setup.players.push_back("P" + std::to_string(player));
    setup.seed = game_seed(plan.seed, index);
    SimulatedGame game{index, setup.seed, 0, false, 0, 0};
    const auto count = [&](const Event& event) {
      const auto& turn = std::get<TurnPlayed>(event);
      const auto jump = jump_of(turn);
      game.snakes += jump == JumpKind::snake ? 1U : 0U;
      game.ladders += jump == JumpKind::ladder ? 1U : 0U;
    };
    const GameState start =
        evolve({}, GameStarted{std::make_shared<const GameSetup>(setup)}).value();
    const GameState end = play_out(start, seeded_dice, count, plan.max_turns).value();
    game.turns = end.position.turn;
    game.finished = end.completed();
    game.winner = end.position.winner.value_or(0);
    count_game(result, game);
    if (end.completed() && !has_effects(setup))
      BOOST_TEST(*end.position.winner == static_cast<std::size_t>(game.turns - 1) % plan.players);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulating)

BOOST_AUTO_TEST_CASE(counts_what_the_engine_counts) {
  for (const char* board : {"milton-bradley", "class", "lld", "geeks30", "party"}) {
    BOOST_TEST_CONTEXT(board) {
      SimulationPlan plan = plan_on(board, 500, 7);
      plan.players = 3;
      plan.max_turns = 90;
      BOOST_TEST((simulate(plan) == count_by_the_engine(plan)));
    }
  }
}

BOOST_AUTO_TEST_CASE(counts_what_the_engine_counts_where_pieces_enter_and_are_captured) {
  for (const std::int32_t faces : {6, 7}) {
    SimulationPlan plan = plan_on("party", 500, 7);
    plan.players = 5;
    plan.max_turns = 90;
    plan.rules = {.start = 0,
                  .dice = faces == 6 ? 1 : 2,
                  .faces = faces,
                  .sixes = faces == 6 ? Sixes::again : Sixes::plain,
                  .enter = {1, 6},
                  .meet = Meet::capture,
                  .safe = {8, 20}};
    BOOST_TEST((simulate(plan) == count_by_the_engine(plan)));
  }
}

BOOST_AUTO_TEST_CASE(gives_the_same_on_any_number_of_threads) {
  SimulationPlan plan = plan_on("milton-bradley", 100'000, 42);
  const SimulationResult expected = simulate(plan);
  for (const unsigned threads : {2U, 7U}) {
    plan.threads = threads;
    BOOST_TEST((simulate(plan) == expected));
  }
}

BOOST_AUTO_TEST_CASE(gives_the_same_for_ever) {
  const SimulationResult result = simulate(plan_on("milton-bradley", 100'000, 42));
  BOOST_TEST(result.games == 100'000U);
  BOOST_TEST(result.unfinished == 0U);
  BOOST_TEST(result.wins == (std::vector<std::uint64_t>{50643, 49357}),
             boost::test_tools::per_element());
  BOOST_TEST(result.snakes == 538857U);
  BOOST_TEST(result.ladders == 484444U);
  BOOST_TEST(result.turns.of(50) == 1705U);
  BOOST_TEST(result.turns.quantile(50).value() == 46);
  BOOST_TEST((result.shortest == NotableGame{527, 4220652138766189, 13}));
  BOOST_TEST((result.longest == NotableGame{39841, 4220652138805503, 331}));
}

BOOST_AUTO_TEST_CASE(gives_its_games_seeds_in_a_row_below_2_to_the_53rd) {
  constexpr std::uint64_t seeds = std::uint64_t{1} << 53U;
  const std::uint64_t first = game_seed(42, 0);
  BOOST_TEST(first == 4220652138765662U);
  BOOST_TEST(game_seed(42, 1) == first + 1);
  BOOST_TEST(game_seed(42, seeds - first) == 0U);
  BOOST_TEST(game_seed(42, seeds) == first);
  BOOST_TEST(game_seed(43, 0) != first);
}

// A chunk of games must end where the low half of their seeds overflows.
BOOST_AUTO_TEST_CASE(plays_on_where_the_low_half_of_the_seeds_overflows) {
  std::uint64_t seed = 0;
  const auto left = [&] { return (std::uint64_t{1} << 32U) - (game_seed(seed, 0) & 0xFFFF'FFFFU); };
  while (left() > 60'000)
    ++seed;
  SimulationPlan plan = plan_on("geeks30", left() + 100, seed);
  plan.vector_bits = 0;
  const SimulationResult expected = simulate(plan);
  plan.vector_bits = 512;
  BOOST_TEST((simulate(plan) == expected));
}

BOOST_AUTO_TEST_CASE(counts_games_that_nobody_can_win_as_unfinished) {
  const SimulationPlan plan = unwinnable_plan(100);
  const SimulationResult result = simulate(plan);
  BOOST_TEST(result.games == 1000U);
  BOOST_TEST(result.unfinished == 1000U);
  BOOST_TEST(result.turns.games() == 0U);
  BOOST_TEST(!result.shortest.has_value());
  BOOST_TEST(!result.longest.has_value());
  BOOST_TEST(result.snakes > 1000U);
}

BOOST_AUTO_TEST_CASE(plays_boards_of_any_size) {
  for (const std::int64_t cells : {2, 127, 128, 129, 400, 10'000}) {
    BOOST_TEST_CONTEXT(cells << " cells") {
      SimulationPlan plan{.board = empty_board(cells), .rules = {}, .games = 20};
      plan.max_turns = 20'000;
      BOOST_TEST((simulate(plan) == count_by_the_engine(plan)));
      BOOST_TEST(fits_vectors(plan.board, plan.rules) == (cells <= 128));
    }
  }
}

BOOST_AUTO_TEST_CASE(stops_when_it_is_told_to) {
  SimulationPlan plan = plan_on("milton-bradley", std::uint64_t{1} << 50U, 1);
  plan.threads = 2;
  SimulationControl control;
  SimulationResult result;
  {
    const std::jthread run([&] { result = simulate(plan, control); });
    while (control.games_played == 0)
      std::this_thread::yield();
    control.stop = true;
  }
  BOOST_TEST(result.games > 0U);
  BOOST_TEST(result.games < plan.games);
  BOOST_TEST(result.games == control.games_played.load());
  BOOST_TEST(result.turns.games() == result.games);
}

BOOST_AUTO_TEST_CASE(stops_within_games_that_never_end) {
  for (const int bits : {0, 512}) {
    SimulationPlan plan = unwinnable_plan(max_turn);
    plan.vector_bits = bits;
    SimulationControl control;
    SimulationResult result;
    {
      const std::jthread run([&] { result = simulate(plan, control); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      control.stop = true;
    }
    BOOST_TEST(result.games == 0U);
  }
}

BOOST_AUTO_TEST_CASE(draws_the_same_dice_whatever_the_vectors) {
  constexpr std::uint64_t blocks = 40'000;
  SimulationPlan plan = plan_on("class", 1, 1);
  plan.rules.sixes = Sixes::plain;  // a forfeit has another number in vectors
  plan.vector_bits = 0;
  BOOST_TEST((simulation::vector_kernel(0) == nullptr));
  const std::uint64_t sum = benchmarks::draw_dice(plan, blocks);
  for (const int bits : {128, 256, 512}) {
    plan.vector_bits = bits;
    const auto* const kernel = simulation::vector_kernel(bits);
    BOOST_TEST((kernel == nullptr || kernel->lanes * 8 <= static_cast<unsigned>(bits)));
    BOOST_TEST(benchmarks::draw_dice(plan, blocks) == sum);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(counting_turns)

BOOST_AUTO_TEST_CASE(tells_mean_spread_and_quantiles) {
  TurnCounts counts;
  counts.add(2, 1);
  counts.add(4, 2);
  counts.add(6, 1);
  const auto statistics = counts.statistics();
  BOOST_REQUIRE(statistics.has_value());
  BOOST_TEST(statistics->mean == 4.0);
  BOOST_TEST(statistics->stddev * statistics->stddev == 2.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(statistics->min == 2);
  BOOST_TEST(statistics->max == 6);
  BOOST_TEST(counts.quantile(1).value() == 2);
  BOOST_TEST(counts.quantile(25).value() == 2);
  BOOST_TEST(counts.quantile(26).value() == 4);
  BOOST_TEST(counts.quantile(75).value() == 4);
  BOOST_TEST(counts.quantile(76).value() == 6);
  BOOST_TEST(counts.quantile(100).value() == 6);
}

BOOST_AUTO_TEST_CASE(has_nothing_to_tell_without_games) {
  const TurnCounts counts;
  BOOST_TEST(counts.games() == 0U);
  BOOST_TEST(!counts.statistics().has_value());
  BOOST_TEST(!counts.quantile(50).has_value());
}

BOOST_AUTO_TEST_CASE(keeps_very_long_games_apart) {
  TurnCounts counts;
  counts.add(max_turn, 3);
  counts.add(100'000, 2);
  counts.add(1, 1);
  TurnCounts twice = counts;
  twice.add(counts);
  BOOST_TEST(twice.games() == 12U);
  BOOST_TEST(twice.of(max_turn) == 6U);
  BOOST_TEST(twice.of(100'000) == 4U);
  BOOST_TEST(twice.of(5) == 0U);
  BOOST_TEST(twice.quantile(100).value() == max_turn);
  BOOST_TEST(!(twice == counts));
}

BOOST_AUTO_TEST_SUITE_END()
