// Inside the simulation: the players of a chunk of games, with their inputs and outputs.
//
// There are two ways to play. A GamePlayer knows all rules, and plays one game after the other. The
// vector kernels take a whole chunk through its first 16 turns, then the games that go on through
// the next 16, and so on. All of them are at the same turn. So they share the counter of their
// dice, the player to move and the end of the block, and the work of a block is done once for
// thousands of games.
#pragma once

#include "domain/game.hpp"
#include "domain/turn_dice.hpp"
#include "simulation.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace snl::simulation {

/// Games that lie side by side. Large enough that the last, half-empty vectors of a chunk are few
/// among many, and small enough for a core's own cache.
inline constexpr std::uint32_t chunk_games = 32768;

// ---- The moves to play. Made once a run, by move_piece.

/// A table of the moves that land on each cell, and on the places past the end that a throw can aim
/// at. So a turn is one look-up. This works because only the landing matters, not where the piece
/// stood, unless it stays.
class Track {
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
  Track(const Board& board, const Rules& rules);

  /// `landing` is at most cells + the farthest distance of a turn.
  const Step& step(Cell landing) const { return steps_[static_cast<std::size_t>(landing)]; }

 private:
  std::vector<Step> steps_;
};

// ---- A block of 16 turns of many games, as the vector kernels play it.

/// Turns that share a block of random bits, see seeded_die.
inline constexpr int block_turns = 16;

/// The lanes past the games of a chunk that a vector kernel may read and write.
inline constexpr std::uint32_t spare_lanes = 256;

/// The dice of a run.
struct DiceKind {
  ThrowingRule rule;
  std::uint32_t faces;
  /// Words whose last fraction is smaller aren't used, see seeded_die.
  std::uint32_t unfair_below;
};

/// The distance that stands for a forfeited turn. No distance that fits the vector kernels is that
/// long.
inline constexpr std::uint8_t forfeit_distance = 128;

/// The track for the vector kernels, a byte a cell. A piece is known by its height: the number of
/// cells to the end, plus how far past the end a turn can aim, if that matters under the rules. So
/// a move subtracts. A result below 0 stays, whether the move overshoots, forfeits, or isn't played
/// at all. The table is only as long as it has to be.
struct VectorTrack {
  static constexpr int segments = 8;
  static constexpr int segment_size = 16;
  static constexpr std::uint8_t snake_bit = 128;
  /// By the height that a piece would come to: the height where it comes to rest, with the snake's
  /// bit. Ladders are the steps that end lower than they would have. Each segment but the first is
  /// XORed with the one before, so the XOR of the first k of them is segment k.
  std::uint8_t steps[segments][segment_size];
  int used_segments;  // those that a piece can come to
  std::uint8_t start;
  std::uint8_t end;
};

/// The games of a chunk that go on, in the order of their indices.
struct Lanes {
  std::uint32_t games;
  std::uint32_t* keys;                 // the low half of each game's seed
  std::uint8_t* heights[max_players];  // by seat
};

struct BlockPlan {
  const VectorTrack* track = nullptr;
  const DiceKind* dice = nullptr;
  const Rules* rules = nullptr;
  std::uint32_t key_high = 0;  // the high half of all seeds
  std::uint32_t block = 0;     // turns before it, ÷ 16, mod 2³²
  int turns = block_turns;     // 1 to 16
  int players = 0;
  int first_player = 0;  // to move
  // The result points out games that end in fewer turns of this block than `short_turns`, or in
  // more than `long_turns`.
  int short_turns = 0;
  int long_turns = 0;
  /// If set, it is called for each game that ends; `turn` counts in this block, from 1.
  std::function<void(std::uint32_t lane, int turn)> at_end = {};
};

struct BlockResult {
  // The number of lanes without a game, or whose game is over, by turn, from 0.
  std::uint32_t over[block_turns + 1];
  std::uint64_t snakes;
  std::uint64_t ladders;
  // The shortest and the longest game that was pointed out, the first of several; turn 0: none.
  int short_turn;
  std::uint32_t short_key;
  int long_turn;
  std::uint32_t long_key;
};

/// The functions that play in vectors of one width.
struct VectorKernel {
  std::uint32_t lanes;  // games that are in a vector, a byte each: at most most_lanes
  /// Plays the block; takes the games that ended out of `lanes`.
  void (*play)(const BlockPlan& plan, Lanes& lanes, BlockResult& result);
  /// Draws the distances of the block for as many games as there are lanes: by turn, then by lane.
  /// Of the plan it uses the dice, the rules, key_high and the block.
  void (*draw)(const BlockPlan& plan, const std::uint32_t* keys, std::uint8_t* distances);
};
inline constexpr std::uint32_t most_lanes = 64;

/// The kernel of the widest vectors that this machine has, up to this width; null if there is none.
const VectorKernel* vector_kernel(int most_bits);

/// Throws again those dice of `lanes` games that an unfair word made. `distances` is by turn, then
/// by lane.
void redraw_unfair(const BlockPlan& plan, const std::uint32_t* keys, std::uint32_t lanes,
                   std::uint8_t* distances);

/// The dice of a run under these rules.
DiceKind dice_kind(const Rules& rules);

/// Whether the kernels can draw these dice. A drawn turn is only its distance.
bool are_drawn_in_vectors(const Rules& rules);

/// The track of a board and rules; none if they don't fit.
std::optional<VectorTrack> vector_track(const Board& board, const Rules& rules);

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

/// The counts of some games. The turns tell who won, except in games with effects.
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

/// Notes `game` if none is noted yet, if it is shorter (or longer) than the noted one, or if it is
/// as long and has a lower index.
void note_shortest(std::optional<NotableGame>& noted, const NotableGame& game);
void note_longest(std::optional<NotableGame>& noted, const NotableGame& game);

/// Plays chunks of games by any rules, each game by itself. It draws dice for many games at once if
/// the rules allow it. Makes the same turns as decide.
class GamePlayer {
 public:
  /// `plan` and `stop` must outlive it. Without a drawer (null), or if it can't draw these dice,
  /// each game draws its own dice.
  GamePlayer(const SimulationPlan& plan, const std::atomic<bool>& stop, const VectorKernel* drawer);

  /// As ChunkPlayer::play.
  std::optional<Tally> play(const Chunk& chunk, std::vector<GameEnd>* ends);

 private:
  /// Fills one cache line.
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
  };
  enum class After : std::uint8_t { handed_on, again, won };

  bool play_games(const Chunk& chunk, std::uint32_t first, std::uint32_t count, Tally& tally,
                  std::vector<GameEnd>* ends);
  void draw(const Chunk& chunk, std::uint32_t at, Turn played);
  /// Plays the turns of a block, as long as nobody wins; answers their number.
  int play_block(Game& game, std::uint32_t lane, int turns, Tally& tally, bool& won) const;
  After land(Game& game, const Track::Step& step, Tally& tally) const;
  void rest_on(Game& game, Cell cell, bool captures) const;
  void act(Game& game, const Track::Step& step) const;
  /// Hands on to the player `next`, or to the first one after it who has no turn to miss.
  void hand_on(Game& game, Seat next) const;

  const SimulationPlan& plan_;
  const std::atomic<bool>& stop_;
  DiceKind dice_;
  Track track_;
  const VectorKernel* drawer_;
  std::optional<std::array<bool, 256>> entering_;  // by distance, if that tells it
  std::uint32_t lanes_;
  std::vector<std::uint32_t> keys_;  // of the games that go on
  std::vector<Game> games_;
  Throws throws_{};
};

/// Plays chunks of one plan. Each thread has a player of its own.
class ChunkPlayer {
 public:
  /// `plan` and `stop` must outlive it.
  ChunkPlayer(const SimulationPlan& plan, const std::atomic<bool>& stop);

  /// None if it was stopped.
  std::optional<Tally> play(const Chunk& chunk, std::vector<GameEnd>* ends = nullptr);

 private:
  std::optional<Tally> play_in_vectors(const Chunk& chunk, std::vector<GameEnd>* ends);
  Lanes fill_lanes(const Chunk& chunk);
  BlockPlan block_plan(const Chunk& chunk) const;

  const SimulationPlan& plan_;
  const std::atomic<bool>& stop_;
  DiceKind dice_;
  const VectorKernel* kernel_;               // null: none
  std::optional<VectorTrack> vector_track_;  // none: each game by itself
  std::optional<GamePlayer> by_itself_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::vector<std::uint8_t>> heights_;
};

}  // namespace snl::simulation
