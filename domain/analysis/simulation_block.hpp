// Inside the simulation: a block of 16 turns of many games, as the vector kernels play it.
//
// These types cross over to code that is compiled for newer machines than the rest. They are plain,
// and nothing here is a function with a body: one that both sides used would be compiled for both,
// and the linker would keep whichever it liked, for either.
#pragma once

#include <cstdint>

namespace snl {

struct Rules;

namespace simulation {

/// Turns that share a block of random bits, see seeded_die.
inline constexpr int block_turns = 16;

inline constexpr int most_players = 10;

/// Lanes past the games of a chunk that a vector kernel may read and write.
inline constexpr std::uint32_t spare_lanes = 256;

/// The dice of a run: how they are thrown is the ThrowingRule of its rules, see turn_dice.hpp.
struct DiceKind {
  int at_once;
  int most;
  std::uint8_t again;  // the face
  std::uint32_t faces;
  /// Words whose last fraction is smaller are not used, see seeded_die.
  std::uint32_t unfair_below;
};

/// The distance of a turn that is forfeited. No distance that fits the vector kernels is that long.
inline constexpr std::uint8_t forfeit_distance = 128;

/// The track for the vector kernels, a byte a cell. A piece is known by its height: how many cells
/// are left to the end, plus how far past the end a turn can aim, if that means anything under the
/// rules. So a move subtracts; what comes out below 0 stays, whether it would overshoot, forfeits,
/// or isn't played at all, and the table is only as long as what matters.
struct VectorTrack {
  static constexpr int segments = 8;
  static constexpr int segment_size = 16;
  static constexpr std::uint8_t snake_bit = 128;
  /// By the height that a piece would come to: the height where it comes to rest, with the snake's
  /// bit. Ladders are the steps that end lower than they would have. Each segment but the first is
  /// XORed with the one before: XOR of the first k of them is segment k.
  std::uint8_t steps[segments][segment_size];
  int used_segments;  // those that a piece can come to
  std::uint8_t start;
  std::uint8_t end;
};

/// The games of a chunk that go on, in the order of their indices.
struct Lanes {
  std::uint32_t games;
  std::uint32_t* keys;                  // the low half of each game's seed
  std::uint8_t* heights[most_players];  // by seat
};

struct BlockPlan {
  const VectorTrack* track;
  const DiceKind* dice;
  const Rules* rules;
  std::uint32_t key_high;  // the high half of all seeds
  std::uint32_t block;     // turns before it, ÷ 16, mod 2³²
  int turns;               // 1 to 16
  int players;
  int first_player;  // to move
  // Games are pointed out that end in fewer turns of this block than `short_turns`, or in more than
  // `long_turns`.
  int short_turns;
  int long_turns;
  /// Null, or told of each game that ends: `observer` is passed on, `turn` is of this block,
  /// from 1.
  void (*at_end)(void* observer, std::uint32_t key, int turn, const Lanes& lanes,
                 std::uint32_t lane);
  void* observer;
};

struct BlockResult {
  // Lanes without a game or whose game is over, by turn, from 0.
  std::uint32_t over[block_turns + 1];
  std::uint64_t snakes;
  std::uint64_t ladders;
  // The shortest and the longest game that was pointed out, the first of several; turn 0: none.
  int short_turn;
  std::uint32_t short_key;
  int long_turn;
  std::uint32_t long_key;
};

/// Plays the block; takes the games that ended out of `lanes`.
using PlayBlock = void (*)(const BlockPlan& plan, Lanes& lanes, BlockResult& result);
/// Draws the dice of the block for every lane, and answers some sum of them.
using DrawBlock = std::uint64_t (*)(const BlockPlan& plan, const Lanes& lanes);

/// Draws the distances of the block for as many games as the kernel has lanes: by turn, then by
/// lane. Of the plan it asks for the dice, the rules, key_high and the block.
using DrawDistances = void (*)(const BlockPlan& plan, const std::uint32_t* keys,
                               std::uint8_t* distances);

#ifdef SNL_X86_KERNELS
void play_block_sse4(const BlockPlan& plan, Lanes& lanes, BlockResult& result);
void play_block_avx2(const BlockPlan& plan, Lanes& lanes, BlockResult& result);
void play_block_avx512(const BlockPlan& plan, Lanes& lanes, BlockResult& result);
std::uint64_t draw_block_sse4(const BlockPlan& plan, const Lanes& lanes);
std::uint64_t draw_block_avx2(const BlockPlan& plan, const Lanes& lanes);
std::uint64_t draw_block_avx512(const BlockPlan& plan, const Lanes& lanes);
void draw_distances_sse4(const BlockPlan& plan, const std::uint32_t* keys, std::uint8_t* distances);
void draw_distances_avx2(const BlockPlan& plan, const std::uint32_t* keys, std::uint8_t* distances);
void draw_distances_avx512(const BlockPlan& plan, const std::uint32_t* keys,
                           std::uint8_t* distances);
#endif

/// Throws again what an unfair word made of the dice of `lanes` games. `distances` is by turn, then
/// by lane.
void redraw_unfair(const BlockPlan& plan, const std::uint32_t* keys, std::uint32_t lanes,
                   std::uint8_t* distances);

}  // namespace simulation
}  // namespace snl
