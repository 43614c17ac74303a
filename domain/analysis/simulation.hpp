// Simulation: plays many independent games by the engine's rules and with its seeded dice, and
// counts them.
//
// The games of a run are those that `seeded_dice` rolls with the seeds game_seed(seed, 0),
// game_seed(seed, 1) …, so each can be played again, turn by turn, from its seed alone. The lanes
// of vectors play them, not decide and evolve. The kernels look up each move in a table that
// move_piece fills, so the rules are written down only once.
//
// Every count is a whole number, so the counts of threads add up to the same in any order. A result
// depends on the plan's board, rules, players, games, seed and max_turns, and never on threads or
// vectors.
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
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Whether a board and rules fit the vectors: up to about 127 cells, and dice of up to 40 faces.
/// Games that don't fit are played one after another.
bool fits_vectors(const Board& board, const Rules& rules);

inline constexpr unsigned max_threads = 1024;

/// The most turns of a simulated game for each player, unless a caller says otherwise.
inline constexpr Turn usual_turns_a_player = 1000;

/// Values out of range are the caller's error, and aren't checked.
struct SimulationPlan {
  Board board;
  Rules rules;              // without faults_of()
  std::size_t players = 2;  // 1 to max_players: a piece may also play alone
  std::uint64_t games = 1;  // ≥ 1
  std::uint64_t seed = 0;   // of the run; any number
  Turn max_turns = 2000;    // 1 to max_turn; a game that nobody has won by then ends unfinished
  unsigned threads = 1;     // 1 to max_threads
  /// The widest vectors, in bits, that a run may use. It uses the widest of 128, 256 and 512 that
  /// the machine has. With 0, games are played one after another.
  int vector_bits = 512;
};

/// The seed of the `index`-th game (from 0) of a run. The first is the top 53 bits of Philox4x32-10
/// (words 0 and 1, the first one lower), with counter 0 and the run's seed as the key. Each game
/// after it has the next number, modulo 2⁵³. Any reader of JSON keeps every digit of a number below
/// 2⁵³.
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
  /// The shortest and the longest of the finished games; the first one, if several are as long.
  std::optional<NotableGame> shortest;
  std::optional<NotableGame> longest;

  friend bool operator==(const SimulationResult&, const SimulationResult&) = default;
};

/// A game of a run that the caller played, for count_game().
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

/// Follows and stops one run from another thread, or from a signal handler. The next run needs
/// another one.
struct SimulationControl {
  std::atomic<std::uint64_t> games_played = 0;
  /// Set this to end the run soon. Games are played side by side in batches. The run drops each
  /// batch that isn't finished, as a whole, so that the counted games don't favour short ones.
  std::atomic<bool> stop = false;
};

/// Plays a run. Memory doesn't grow with the games. With max_turns, it grows only by the number of
/// different lengths. Throws std::system_error if threads can't be started.
SimulationResult simulate(const SimulationPlan& plan, SimulationControl& control);
SimulationResult simulate(const SimulationPlan& plan);

}  // namespace snl
