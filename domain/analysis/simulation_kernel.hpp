// Inside the simulation: what plays a chunk of games, and what it is told and tells.
//
// Two ways to play. The portable one takes a game after the other to its end. The vector kernels
// take a whole chunk through its first 16 turns, then those that go on through the next 16, and so
// on: all of them are at the same turn, so they share the counter of their dice, whose turn it is
// and when it ends; what is done once a block is done for thousands of games.
#pragma once

#include "domain/game.hpp"
#include "domain/turn_dice.hpp"
#include "simulation.hpp"
#include "simulation_block.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace snl::simulation {

/// Games that lie side by side. Large enough that the last, half-empty vectors of a chunk are few
/// among its many, small enough for a core's own cache.
inline constexpr std::uint32_t chunk_games = 32768;

// ---- What is played. Made once a run, by move_piece.

/// Where a piece that would land on a cell comes to rest: a table for every cell, and for the
/// places past the end that a throw can aim at, so that a turn is one look into it. It relies on
/// this: where a piece stood matters only for where it lands, unless it stays.
class Track {
 public:
  struct Step {
    std::uint32_t to : 30;  // 0: the piece stays where it was
    std::uint32_t snake : 1;
    std::uint32_t ladder : 1;
  };
  Track(const Board& board, const Rules& rules);

  /// `landing` is at most cells + the farthest that a turn carries a piece.
  Step step(Cell landing) const { return steps_[static_cast<std::size_t>(landing)]; }
  Cell cells() const { return cells_; }

 private:
  Cell cells_;
  std::vector<Step> steps_;
};

/// The dice of a run under these rules.
DiceKind dice_kind(const Rules& rules);

/// None if the board and rules don't fit.
std::optional<VectorTrack> vector_track(const Board& board, const Rules& rules);

/// Null where this program has none for this machine.
PlayBlock block_player(Kernel kernel);
DrawBlock block_drawer(Kernel kernel);

// ---- A chunk of games.

/// How a game ended, for tests.
struct GameEnd {
  Turn turns;
  bool finished;
  std::array<Cell, max_players> cells;
};

struct Chunk {
  std::uint64_t first_index;  // in the run
  std::uint64_t first_seed;
  std::uint32_t games;  // ≤ chunk_games; their seeds differ in the low 32 bits alone
};

/// What has been counted. Who won is told from the turns, but in games with effects.
struct Tally {
  TurnCounts turns;
  std::uint64_t unfinished = 0;
  std::uint64_t snakes = 0;
  std::uint64_t ladders = 0;
  std::array<std::uint64_t, max_players> wins{};  // by seat, in games with effects alone
  std::optional<NotableGame> shortest;
  std::optional<NotableGame> longest;

  void add(const Tally& other);
};

/// Note `game` if none is noted yet, if it is shorter (or longer) than the one noted, or if it is
/// as long and has a lower index.
void note_shortest(std::optional<NotableGame>& noted, const NotableGame& game);
void note_longest(std::optional<NotableGame>& noted, const NotableGame& game);

/// Plays chunks of one plan. Each thread has its own.
class ChunkPlayer {
 public:
  /// `plan` and `stop` outlive it.
  ChunkPlayer(const SimulationPlan& plan, const std::atomic<bool>& stop);

  /// None if it was stopped.
  std::optional<Tally> play(const Chunk& chunk, std::vector<GameEnd>* ends = nullptr);

  /// Draws the dice of so many blocks of 16 turns and plays nothing, for measuring: what a
  /// simulation costs at the least. Answers their sum.
  std::uint64_t draw(std::uint64_t blocks);

 private:
  std::optional<Tally> play_in_vectors(const Chunk& chunk, std::vector<GameEnd>* ends);
  std::optional<Tally> play_one_by_one(const Chunk& chunk, std::vector<GameEnd>* ends);
  Lanes fill_lanes(const Chunk& chunk);
  BlockPlan block_plan(const Chunk& chunk) const;

  const SimulationPlan& plan_;
  const std::atomic<bool>& stop_;
  ThrowingRule rule_;
  DiceKind dice_;
  Track track_;
  std::optional<VectorTrack> vector_track_;
  PlayBlock play_block_ = nullptr;  // null: one by one
  DrawBlock draw_block_ = nullptr;
  std::vector<std::uint32_t> keys_;
  std::vector<std::vector<std::uint8_t>> heights_;
};

}  // namespace snl::simulation
