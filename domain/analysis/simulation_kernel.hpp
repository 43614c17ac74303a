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

/// Whether the kernels can draw these dice. How far they carry a piece is all that they tell.
bool are_drawn_in_vectors(const Rules& rules);

/// None if the board and rules don't fit.
std::optional<VectorTrack> vector_track(const Board& board, const Rules& rules);

/// Null where this program has none for this machine.
PlayBlock block_player(Kernel kernel);
DrawBlock block_drawer(Kernel kernel);

/// None likewise.
struct DistanceDrawer {
  DrawDistances draw;
  std::uint32_t lanes;  // games at once, at most most_lanes
};
inline constexpr std::uint32_t most_lanes = 64;
std::optional<DistanceDrawer> distance_drawer(Kernel kernel);

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

/// What happens to a piece that would land on a cell, in games with effects: a Track that knows of
/// shields, captures and powers.
class EffectsTrack {
 public:
  enum Event : std::uint16_t {
    stays = 1U << 0U,
    snake = 1U << 1U,
    ladder = 1U << 2U,
    wins = 1U << 3U,
    captures = 1U << 4U,          // where it comes to rest
    captures_on_head = 1U << 5U,  // where a shield keeps it
    again = 1U << 6U,
    skip = 1U << 7U,
    restart = 1U << 8U,
    shield = 1U << 9U,
    swap = 1U << 10U,
  };
  struct Step {
    Cell rest = 0;
    Cell landed = 0;
    std::uint16_t events = 0;
    std::uint8_t n = 0;  // of the power
  };
  EffectsTrack(const Board& board, const Rules& rules);

  /// As of a Track.
  const Step& step(Cell landing) const { return steps_[static_cast<std::size_t>(landing)]; }

 private:
  std::vector<Step> steps_;
};

/// Plays chunks of games with powers, captures or faces that enter: by itself each, but with dice
/// that are drawn for many games at once where the rules allow it. The same turns as decide makes.
class EffectsPlayer {
 public:
  /// `plan` and `stop` outlive it. Without a drawer, or where it can't draw these dice, each game's
  /// dice are drawn by themselves.
  EffectsPlayer(const SimulationPlan& plan, const std::atomic<bool>& stop,
                std::optional<DistanceDrawer> drawer);

  /// As ChunkPlayer::play.
  std::optional<Tally> play(const Chunk& chunk, std::vector<GameEnd>* ends);

 private:
  /// In a cache line.
  struct alignas(64) Game {
    std::array<Cell, max_players> cells;
    SeatCounts shields;
    SeatCounts skips;
    Seat next;
  };
  /// The dice of a block of turns of a few games, by turn, then by game.
  struct Throws {
    std::array<std::uint8_t, std::size_t{block_turns} * most_lanes> distances;
    std::array<bool, std::size_t{block_turns} * most_lanes> enter;
    std::uint32_t games;
  };
  enum class After : std::uint8_t { handed_on, again, won };

  bool play_games(const Chunk& chunk, std::uint32_t first, std::uint32_t count, Tally& tally,
                  std::vector<GameEnd>* ends);
  void draw(const Chunk& chunk, std::uint32_t at, Turn played);
  /// The turns of a block, as long as nobody wins; answers how many.
  int play_block(Game& game, std::uint32_t lane, int turns, Tally& tally, bool& won) const;
  After land(Game& game, const EffectsTrack::Step& step, Tally& tally) const;
  void rest_on(Game& game, Cell cell, bool captures) const;
  void act(Game& game, const EffectsTrack::Step& step) const;
  void hand_on(Game& game) const;

  const SimulationPlan& plan_;
  const std::atomic<bool>& stop_;
  ThrowingRule rule_;
  DiceKind dice_;
  EffectsTrack track_;
  std::optional<DistanceDrawer> drawer_;
  std::optional<std::array<bool, 256>> entering_;  // by distance, where the drawer's tell it
  std::uint32_t lanes_;
  std::vector<std::uint32_t> keys_;  // of the games that go on
  std::vector<Game> games_;
  Throws throws_{};
};

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
  std::optional<EffectsPlayer> effects_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::vector<std::uint8_t>> heights_;
};

}  // namespace snl::simulation
