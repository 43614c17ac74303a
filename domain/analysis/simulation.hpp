// Simulation: many independent games by the engine's rules with the engine's seeded dice, counted.
//
// The games of a run are those that `seeded_dice` rolls with the seeds game_seed(seed, 0),
// game_seed(seed, 1) …, so each can be played again, turn by turn, from its seed alone. They are
// played in the lanes of vectors, not by decide and evolve; where a piece goes is looked up in a
// table that move_piece fills, so the rules are written down once.
//
// Everything that is counted is a whole number, so what threads count adds up to the same in any
// order: a result depends on the plan's board, rules, players, games, seed and max_turns, and never
// on threads or vectors.
#pragma once

#include "domain/board.hpp"
#include "domain/dice.hpp"
#include "domain/rules.hpp"
#include "domain/seats.hpp"
#include "turn_counts.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Whether a board and rules fit what plays in vectors: up to about 127 cells, dice of up to 40
/// faces. Games that don't fit are played one after another.
bool fits_vectors(const Board& board, const Rules& rules);

inline constexpr unsigned max_threads = 1024;

/// How long a simulated game may be unless somebody says otherwise.
inline constexpr Turn usual_turns_a_player = 1000;

struct SimulationPlan {
  Board board;
  Rules rules;
  std::size_t players = 2;  // 1 to max_players: a piece alone can be asked about, too
  std::uint64_t games = 1;  // ≥ 1
  std::uint64_t seed = 0;   // of the run; any number
  Turn max_turns = 2000;    // 1 to max_turn; a game that nobody has won by then is over, unfinished
  unsigned threads = 1;     // 1 to max_threads
  /// No wider vectors are used than of so many bits: of 128, 256 and 512 the widest that the
  /// machine has. With 0, games are played one after another.
  int vector_bits = 512;
};

/// The seed of the `index`-th game (from 0) of a run. The first is the top 53 bits of the
/// Philox4x32-10 (words 0 and 1, the first one lower) of counter 0 under the run's seed as a key;
/// each game after it has the next number, modulo 2⁵³. Below 2⁵³, any reader of JSON keeps every
/// digit.
std::uint64_t game_seed(std::uint64_t run_seed, std::uint64_t index);

/// A game of a run that stands out.
struct NotableGame {
  std::uint64_t index;  // in the run, from 0
  std::uint64_t seed;
  Turn turns;
  friend bool operator==(const NotableGame&, const NotableGame&) = default;
};

struct SimulationResult {
  std::uint64_t games = 0;          // played: fewer than planned if the run was stopped
  TurnCounts turns;                 // of finished games: single turns of all players
  std::vector<std::uint64_t> wins;  // by seat
  std::uint64_t unfinished = 0;     // games that nobody had won after max_turns
  std::uint64_t snakes = 0;         // taken, in all games
  std::uint64_t ladders = 0;
  /// The shortest and the longest of the finished games; of several as long, the first.
  std::optional<NotableGame> shortest;
  std::optional<NotableGame> longest;

  friend bool operator==(const SimulationResult&, const SimulationResult&) = default;
};

/// A game of a run that was played elsewhere, to be counted.
struct SimulatedGame {
  std::uint64_t index;
  std::uint64_t seed;
  Turn turns;
  bool finished;
  std::uint64_t snakes;
  std::uint64_t ladders;
  Seat winner = 0;  // if it is finished
};

/// Counts one more game. `result.wins` has a place for each seat.
void count_game(SimulationResult& result, const SimulatedGame& game);

/// Looks into a run from another thread, or from a signal handler.
struct SimulationControl {
  std::atomic<std::uint64_t> games_played = 0;
  /// Set to end the run soon. Games that were begun by then are dropped whole, in batches of games
  /// that lie side by side, so that what is counted is no selection of short ones.
  std::atomic<bool> stop = false;
};

/// Plays a run. Memory doesn't grow with the games, nor by more than the number of different
/// lengths with max_turns. Throws std::system_error where threads can't be started.
SimulationResult simulate(const SimulationPlan& plan, SimulationControl& control);
SimulationResult simulate(const SimulationPlan& plan);

}  // namespace snl
