// Goal: every simulated game is the game that decide and evolve play with the same dice, for any
// width of vectors and any turn at which it stops. Method: random boards, rules, players and seeds.
// Each game is stopped after 1, 2, 3 … turns. Then the positions, the winner, and the snakes and
// ladders taken so far are compared.
#include "../domain/generators.hpp"
#include "domain/analysis/simulation_kernel.hpp"
#include "domain/engine.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <array>
#include <vector>

using namespace snl;
using namespace snl::test;
namespace gen = rc::gen;

namespace {

/// A game as the engine played it, up to some turn.
struct Played {
  Position position;
  std::uint64_t snakes = 0;
  std::uint64_t ladders = 0;
};

/// The standing after each turn of a game, from turn 0 to the end.
std::vector<Played> play_by_the_engine(const SimulationPlan& plan, std::uint64_t seed) {
  auto setup = std::make_shared<GameSetup>(
      GameSetup{.players = {}, .board = plan.board, .rules = plan.rules, .seed = seed});
  for (std::size_t player = 0; player < plan.players; ++player)
    setup->players.push_back("P" + std::to_string(player));
  GameState state = evolve({}, GameStarted{setup}).value();
  std::vector<Played> stops{{.position = state.position}};
  for (Turn turn = 1; turn <= plan.max_turns && !state.completed(); ++turn) {
    const TurnPlayed played = decide(state, RollTurn{}).value();
    state = evolve(state, played).value();
    Played stop = stops.back();
    stop.position = state.position;
    const auto jump = jump_of(played);
    if (jump == JumpKind::snake) ++stop.snakes;
    if (jump == JumpKind::ladder) ++stop.ladders;
    stops.push_back(stop);
  }
  return stops;
}

/// The widths of vectors that this machine has; 0 for none.
std::vector<int> vector_widths() {
  std::vector<int> all{0, 128, 256, 512};
  std::erase_if(all, [](int bits) {
    const auto* const kernel = simulation::vector_kernel(bits);
    return bits != 0 && (kernel == nullptr || kernel->lanes * 8 != static_cast<unsigned>(bits));
  });
  return all;
}

/// Plays the games of a chunk to `max_turns` and compares each with the engine's.
void check(SimulationPlan plan, const simulation::Chunk& chunk,
           const std::vector<std::vector<Played>>& expected, Turn max_turns) {
  plan.max_turns = max_turns;
  const std::atomic<bool> stop = false;
  std::vector<simulation::GameEnd> ends;
  const auto tally = simulation::ChunkPlayer(plan, stop).play(chunk, &ends);
  RC_ASSERT(tally.has_value());
  std::uint64_t snakes = 0;
  std::uint64_t ladders = 0;
  std::uint64_t unfinished = 0;
  TurnCounts turns;
  std::array<std::uint64_t, max_players> wins{};
  for (std::size_t game = 0; game < expected.size(); ++game) {
    const auto& stops = expected[game];
    const Played& stop_of_game =
        stops[std::min(static_cast<std::size_t>(max_turns), stops.size() - 1)];
    const Position& position = stop_of_game.position;
    RC_ASSERT(ends[game].turns == position.turn);
    RC_ASSERT(ends[game].finished == position.winner.has_value());
    RC_ASSERT(ends[game].cells == position.cells);
    snakes += stop_of_game.snakes;
    ladders += stop_of_game.ladders;
    if (!position.winner) {
      ++unfinished;
      continue;
    }
    turns.add(position.turn, 1);
    ++wins.at(*position.winner);
    if (!has_effects(plan.board, plan.rules))
      RC_ASSERT(*position.winner == static_cast<std::size_t>(position.turn - 1) % plan.players);
  }
  RC_ASSERT(tally->snakes == snakes);
  RC_ASSERT(tally->ladders == ladders);
  RC_ASSERT(tally->unfinished == unfinished);
  RC_ASSERT(tally->turns == turns);
  if (has_effects(plan.board, plan.rules)) RC_ASSERT(tally->wins == wins);
}

/// `games` games from a seed on, at every stop up to `most_turns`.
void check_everywhere(SimulationPlan plan, std::uint64_t first_seed, std::uint32_t games,
                      Turn most_turns) {
  const simulation::Chunk chunk{0, first_seed, games};
  plan.max_turns = most_turns;
  std::vector<std::vector<Played>> expected;
  for (std::uint32_t game = 0; game < games; ++game)
    expected.push_back(play_by_the_engine(plan, first_seed + game));
  for (const int bits : vector_widths()) {
    plan.vector_bits = bits;
    for (Turn turn = 1; turn <= most_turns; ++turn)
      check(plan, chunk, expected, turn);
  }
}

/// A seed from which 100 games share their high half.
rc::Gen<std::uint64_t> any_seed() {
  return gen::map(gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    const std::uint64_t seed = bits >> 11U;
    return (seed & 0xFFFF'FFFFU) > 0xFFFF'FF00U ? seed - 0x100U : seed;
  });
}

SimulationPlan plan_of(const Board& board, const Rules& rules) {
  return {.board = board, .rules = rules, .players = *gen::inRange(min_players, max_players + 1)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulating_any_game)

RC_BOOST_PROP(it_is_the_engines_game_turn_by_turn, (const Board& board, const Rules& rules)) {
  const SimulationPlan plan = plan_of(board, rules);
  const auto games = *gen::inRange<std::uint32_t>(1, 70);
  check_everywhere(plan, *any_seed(), games, 40);
}

RC_BOOST_PROP(it_is_the_engines_game_to_the_end, (const Board& board, const Rules& rules)) {
  const SimulationPlan plan = plan_of(board, rules);
  const std::uint64_t seed = *any_seed();
  const Turn most_turns = *gen::inRange<Turn>(1, 1000);
  std::vector<std::vector<Played>> expected;
  SimulationPlan longest = plan;
  longest.max_turns = most_turns;
  for (std::uint32_t game = 0; game < 100; ++game)
    expected.push_back(play_by_the_engine(longest, seed + game));
  for (const int bits : vector_widths()) {
    longest.vector_bits = bits;
    check(longest, {0, seed, 100}, expected, most_turns);
  }
}

/// A plan with powers, captures, faces that enter or sixes that give another turn.
SimulationPlan plan_with_effects() {
  const auto with_effects = gen::suchThat(any_setup(), [](const GameSetup& setup) {
    return has_effects(setup) && setup.players.size() >= min_players;
  });
  const GameSetup setup = *with_effects;
  return {.board = setup.board, .rules = setup.rules, .players = setup.players.size()};
}

RC_BOOST_PROP(with_powers_it_is_the_engines_game_turn_by_turn, ()) {
  check_everywhere(plan_with_effects(), *any_seed(), *gen::inRange<std::uint32_t>(1, 70), 40);
}

RC_BOOST_PROP(with_powers_it_is_the_engines_game_to_the_end, ()) {
  SimulationPlan plan = plan_with_effects();
  const std::uint64_t seed = *any_seed();
  plan.max_turns = *gen::inRange<Turn>(1, 1000);
  std::vector<std::vector<Played>> expected;
  for (std::uint32_t game = 0; game < 100; ++game)
    expected.push_back(play_by_the_engine(plan, seed + game));
  for (const int bits : vector_widths()) {
    plan.vector_bits = bits;
    check(plan, {0, seed, 100}, expected, plan.max_turns);
  }
}

RC_BOOST_PROP(with_powers_all_vectors_count_the_same, ()) {
  SimulationPlan plan = plan_with_effects();
  plan.games = *gen::inRange<std::uint64_t>(1, 3000);
  plan.seed = *gen::arbitrary<std::uint64_t>();
  plan.max_turns = *gen::inRange<Turn>(1, 400);
  plan.vector_bits = 0;
  const SimulationResult expected = simulate(plan);
  for (const int bits : vector_widths()) {
    plan.vector_bits = bits;
    plan.threads = *gen::inRange(1U, 4U);
    RC_ASSERT(simulate(plan) == expected);
  }
}

// Dice of many faces reject more words: about one in a hundred for these.
RC_BOOST_PROP(words_that_would_favour_some_faces_are_passed_over, (const Board& board)) {
  const Rules rules{.start = 0,
                    .dice = *gen::inRange(1, 3),
                    .faces = *gen::element(37, 38, 39, 40, 41, 97, 99, 100),
                    .sixes = Sixes::plain};
  check_everywhere(plan_of(board, rules), *any_seed(), 100, 20);
}

RC_BOOST_PROP(all_vectors_count_the_same, (const Board& board, const Rules& rules)) {
  SimulationPlan plan = plan_of(board, rules);
  plan.games = *gen::inRange<std::uint64_t>(1, 3000);
  plan.seed = *gen::arbitrary<std::uint64_t>();
  plan.max_turns = *gen::inRange<Turn>(1, 400);
  plan.vector_bits = 0;
  const SimulationResult expected = simulate(plan);
  for (const int bits : vector_widths()) {
    plan.vector_bits = bits;
    plan.threads = *gen::inRange(1U, 4U);
    RC_ASSERT(simulate(plan) == expected);
  }
}

RC_BOOST_PROP(where_a_piece_goes_depends_on_where_it_would_land,
              (const Board& board, const Rules& rules)) {
  const simulation::Track track(board, rules);
  for (Cell from = rules.start; from < board.cells(); ++from) {
    for (const std::int32_t distance : distances_of(rules)) {
      if (distance == 0) continue;
      const Move move = move_piece(board, rules, from, distance);
      const auto& step = track.step(from + distance);
      const auto is = [&](simulation::Track::Event event) { return (step.events & event) != 0; };
      RC_ASSERT(is(simulation::Track::stays) == (move.outcome == Outcome::blocked));
      if (is(simulation::Track::stays)) continue;
      RC_ASSERT(step.rest == move.to);
      const auto jump = jump_between(move.landed, move.to);
      RC_ASSERT(is(simulation::Track::snake) == (jump == JumpKind::snake));
      RC_ASSERT(is(simulation::Track::ladder) == (jump == JumpKind::ladder));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
