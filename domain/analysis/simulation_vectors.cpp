// The simulation's kernel in vectors: one source, which Highway compiles for each set of
// instructions that a machine may have. This uses only Highway's headers: its own choice among the
// sets at run time would bring a shared library along.
#include "simulation_kernel.hpp"

#include <algorithm>
#include <bit>

// A set for each level of x86-64, and NEON. SVE and RVV are left out: arrays can't hold vectors
// whose length only the machine knows.
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_IS_DEBUG_BUILD 0  // its checks would call the shared library
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "domain/analysis/simulation_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace snl::simulation {
namespace {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR

// Without vectors, one game after the other is faster.
HWY_MAYBE_UNUSED const VectorKernel* vector_kernel() {
  return nullptr;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::ScalableTag<std::int8_t>;  // a lane for each game
using D16 = hn::Repartition<std::uint16_t, D8>;
using D32 = hn::Repartition<std::uint32_t, D8>;
using D64 = hn::Repartition<std::uint64_t, D8>;
using V8 = hn::Vec<D8>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
constexpr D8 d8;
constexpr D16 d16;
constexpr D32 d32;
constexpr D64 d64;
constexpr hn::RebindToSigned<D32> d32_signed;
constexpr hn::RebindToSigned<D64> d64_signed;
constexpr hn::RebindToUnsigned<D8> d8_unsigned;

constexpr std::uint32_t lanes_a_vector = hn::MaxLanes(d8);

HWY_INLINE V8 all(std::int32_t byte) {
  return hn::Set(d8, static_cast<std::int8_t>(byte));
}

HWY_INLINE V8 load(const std::uint8_t* from) {
  return hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(from));
}

HWY_INLINE void store(V8 bytes, std::uint8_t* to) {
  hn::StoreU(bytes, d8, reinterpret_cast<std::int8_t*>(to));
}

// ---- Drawing

/// Streams of random numbers that are drawn side by side, each of an eighth of the lanes.
constexpr int streams = 4;

constexpr std::uint32_t multiplier_0 = 0xD2511F53;
constexpr std::uint32_t multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9;
constexpr std::uint32_t weyl_1 = 0xBB67AE85;

/// The 64-bit products of low parts.
HWY_INLINE V32 product(V32 a, V32 b) {
  return hn::BitCast(d32, hn::MulEven(a, b));
}

/// The high part of each 64 bits, in the place of the low one.
HWY_INLINE V32 high_part(V32 a) {
  return hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(d64, a)));
}

/// Philox4x32-10 (domain/dice.hpp) of the counter (block, die, 0, 0) for `streams` vectors of keys.
/// Each 32-bit number is in the low part of 64 bits; the high parts hold anything. The first two
/// rounds hardly depend on the key, so the lanes do only the part that does.
HWY_INLINE void philox(const V32* keys, std::uint32_t key_high, std::uint32_t block,
                       std::uint32_t die, V32 (*words)[4]) {
  const V32 m0 = hn::Set(d32, multiplier_0);
  const V32 m1 = hn::Set(d32, multiplier_1);
  const V32 w0 = hn::Set(d32, weyl_0);
  const std::uint64_t first_0 = std::uint64_t{multiplier_0} * block;
  std::uint32_t key_1 = key_high;
  const std::uint64_t second_1 =
      std::uint64_t{multiplier_1} * (static_cast<std::uint32_t>(first_0 >> 32U) ^ key_1);
  key_1 += weyl_1;
  V32 k0[streams];
#pragma GCC unroll 8
  for (int s = 0; s < streams; ++s) {
    auto& [c0, c1, c2, c3] = words[s];
    c3 = product(hn::Xor(keys[s], hn::Set(d32, die)), m0);
    k0[s] = hn::Add(keys[s], w0);
    c0 = hn::Xor(k0[s], hn::Set(d32, static_cast<std::uint32_t>(second_1 >> 32U)));
    c1 = hn::Set(d32, static_cast<std::uint32_t>(second_1));
    c2 = hn::Xor(high_part(c3), hn::Set(d32, static_cast<std::uint32_t>(first_0) ^ key_1));
  }
  for (int round = 2; round < 10; ++round) {
    key_1 += weyl_1;
    const V32 k1 = hn::Set(d32, key_1);
#pragma GCC unroll 8
    for (int s = 0; s < streams; ++s) {
      auto& [c0, c1, c2, c3] = words[s];
      k0[s] = hn::Add(k0[s], w0);
      const V32 product_0 = product(c0, m0);
      const V32 product_1 = product(c2, m1);
      c0 = hn::Xor(hn::Xor(c1, k0[s]), high_part(product_1));
      c2 = hn::Xor(hn::Xor(c3, k1), high_part(product_0));
      c1 = product_1;
      c3 = product_0;
    }
  }
}

/// Four numbers of every 16, from the first on, in each 128 bits.
template <class D>
HWY_INLINE hn::Vec<D> load_fours(D d, const std::uint32_t* from) {
  if constexpr (hn::MaxLanes(D{}) == 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_fours(half, from + 4 * hn::MaxLanes(half)), load_fours(half, from));
  }
}

/// The keys of all lanes in eight vectors, each in the low part of 64 bits. Neighbouring games are
/// four vectors apart; split_pairs packs them so that all come into their lanes.
HWY_INLINE void load_keys(const std::uint32_t* from, V32* keys) {
#pragma GCC unroll 2
  for (int i = 0; i < 4; i += 2) {
    const auto first = hn::BitCast(d64, load_fours(d32, from + 4 * i));
    const auto second = hn::BitCast(d64, load_fours(d32, from + 4 * i + 4));
    keys[i] = hn::BitCast(d32, hn::InterleaveLower(d64, first, second));
    keys[i + 1] = hn::BitCast(d32, hn::InterleaveUpper(d64, first, second));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    keys[4 + i] = high_part(keys[i]);
}

/// The high parts of two vectors, in the odd 16 bits of their 32. They are below 2¹⁵; only the low
/// parts saturate.
HWY_INLINE V16 high_parts(V32 a, V32 b) {
  const hn::Repartition<std::int16_t, D8> d16_signed;
  return hn::BitCast(d16, hn::ReorderDemote2To(d16_signed, hn::BitCast(d32_signed, a),
                                               hn::BitCast(d32_signed, b)));
}

/// The high parts of four vectors.
HWY_INLINE V16 high_parts(const V32* products) {
  const V16 even = high_parts(products[0], products[2]);
  const V16 odd = high_parts(products[1], products[3]);
  return hn::OddEven(odd, hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(d32, even))));
}

/// Two dice of each game, from the high parts of eight vectors of products. Each product is two
/// digits: first · faces + second. A die shows one more than its digit.
HWY_INLINE void split_pairs(const V32* products, std::uint32_t faces, std::uint8_t* first,
                            std::uint8_t* second) {
  const V16 even = high_parts(products);
  const V16 odd = high_parts(products + 4);
  // Right for every pair as long as faces³ ≤ 2¹⁶.
  const V16 inverse = hn::Set(d16, static_cast<std::uint16_t>(65536U / faces + 1));
  const V16 base = hn::Set(d16, static_cast<std::uint16_t>(faces));
  const V16 even_first = hn::MulHigh(even, inverse);
  const V16 odd_first = hn::MulHigh(odd, inverse);
  const V16 even_second = hn::Sub(even, hn::Mul(even_first, base));
  const V16 odd_second = hn::Sub(odd, hn::Mul(odd_first, base));
  const V8 firsts = hn::BitCast(d8, hn::Or(even_first, hn::ShiftLeft<8>(odd_first)));
  const V8 seconds = hn::BitCast(d8, hn::Or(even_second, hn::ShiftLeft<8>(odd_second)));
  store(hn::Add(firsts, all(1)), first);
  store(hn::Add(seconds, all(1)), second);
}

/// Draws the faces of one die in the 16 turns of a vector of games, by turn, then by lane. Answers
/// whether a word among theirs would favour some faces.
HWY_INLINE bool draw_die(const BlockPlan& plan, const std::uint32_t* keys, std::uint32_t die,
                         std::uint8_t* shown) {
  constexpr int vectors = 8;
  const std::uint32_t faces = plan.dice->faces;
  V32 keys_of_lanes[vectors];
  V32 words[vectors][4];
  load_keys(keys, keys_of_lanes);
#pragma GCC unroll 8
  for (int i = 0; i < vectors; i += streams)
    philox(keys_of_lanes + i, plan.key_high, plan.block, die, words + i);
  const V32 two_digits = hn::Set(d32, faces * faces);
  V32 least = hn::Set(d32, ~0U);
#pragma GCC unroll 4
  for (std::uint32_t word = 0; word < 4; ++word) {
    std::uint8_t* out = shown + 4 * word * lanes_a_vector;
    V32 products[vectors];
#pragma GCC unroll 8
    for (int i = 0; i < vectors; ++i)
      products[i] = product(words[i][word], two_digits);
    split_pairs(products, faces, out, out + lanes_a_vector);
#pragma GCC unroll 8
    for (V32& last : products) {
      last = product(last, two_digits);
      least = hn::Min(least, last);
    }
    split_pairs(products, faces, out + 2 * lanes_a_vector, out + 3 * lanes_a_vector);
  }
  const auto low_parts = hn::And(hn::BitCast(d64, least), hn::Set(d64, 0xFFFF'FFFFU));
  return !hn::AllFalse(d64_signed, hn::Lt(hn::BitCast(d64_signed, low_parts),
                                          hn::Set(d64_signed, plan.dice->unfair_below)));
}

/// Adds the later dice to the first one: those that are thrown at once, and those that are thrown
/// only after the face that rolls again. All dice of 16 turns, by turn, then by lane.
template <int at_once, int most>
HWY_INLINE void add_later_dice(
    std::int32_t again, std::uint8_t* first,
    const std::uint8_t (*later)[block_turns * std::size_t{lanes_a_vector}]) {
  const V8 face = all(again);
  for (std::uint32_t at = 0; at < block_turns * lanes_a_vector; at += lanes_a_vector) {
    const V8 first_die = load(first + at);
    V8 sum = first_die;
#pragma GCC unroll 4
    for (int die = 1; die < at_once; ++die)
      sum = hn::Add(sum, load(later[die - 1] + at));
    if constexpr (most > at_once) {
      static_assert(at_once == 1);
      auto goes_on = hn::Eq(first_die, face);
#pragma GCC unroll 4
      for (int die = 1; die < most; ++die) {
        const V8 last = load(later[die - 1] + at);
        sum = hn::Add(sum, hn::IfThenElseZero(goes_on, last));
        goes_on = hn::And(goes_on, hn::Eq(last, face));
      }
      sum = hn::IfThenElse(goes_on, all(forfeit_distance), sum);
    }
    store(sum, first + at);
  }
}

/// Draws the distances of 16 turns of a vector of games, by turn, then by lane.
template <int at_once, int most>
HWY_INLINE void draw_with(const BlockPlan& plan, const std::uint32_t* keys,
                          std::uint8_t* distances) {
  bool any_unfair = draw_die(plan, keys, 0, distances);
  if constexpr (most > 1) {
    alignas(64) std::uint8_t later[most - 1][block_turns * std::size_t{lanes_a_vector}];
#pragma GCC unroll 4
    for (std::uint32_t die = 1; die < most; ++die)
      any_unfair |= draw_die(plan, keys, die, later[die - 1]);
    add_later_dice<at_once, most>(plan.dice->rule.again, distances, later);
  }
  if (any_unfair) redraw_unfair(plan, keys, lanes_a_vector, distances);
}

// ---- Playing

/// The vectors that are played at once, so that the latency of one hides behind the work of
/// another.
constexpr std::uint32_t side_by_side = lanes_a_vector == 64 ? 4 : 2;

/// The games that are played side by side.
constexpr std::uint32_t group_lanes = side_by_side * lanes_a_vector;
static_assert(group_lanes <= spare_lanes);

/// The words that hold the bits for the lanes of a group, the lowest lane first.
constexpr std::uint32_t group_words = (group_lanes + 63) / 64;
static_assert(std::endian::native == std::endian::little);

/// The games of a group that are over. The bit of a lane in over[t] is set if its game is over
/// after t turns, or if the lane holds no game.
struct Group {
  std::uint64_t over[block_turns + 1][group_words];

  /// Sets those of the group's vector `v`.
  HWY_INLINE void set(int turn, std::uint32_t v, hn::Mask<D8> lanes_over) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(over[turn]);
    hn::StoreMaskBits(d8, lanes_over, bytes + v * lanes_a_vector / 8);
  }
};

/// The table of a VectorTrack, to look heights up in.
template <int segments>
class Steps {
 public:
  HWY_INLINE explicit Steps(const VectorTrack& track) {
    for (int s = 0; s < segments; ++s)
      steps_[s] = hn::LoadDup128(d8, reinterpret_cast<const std::int8_t*>(track.steps[s]));
  }
  /// The heights where pieces end that would come to these heights, with the snake's bit; 0 for
  /// heights below 0. A byte shuffle takes the entry that the low four bits name, and 0 if the byte
  /// is negative. So the first k lookups count for a height in segment k − 1, and their XOR is that
  /// segment's entry.
  HWY_INLINE V8 find(V8 heights) const {
    V8 found = in_segment(0, heights);
#pragma GCC unroll 8
    for (int s = 1; s < segments; ++s)
      found = hn::Xor(found,
                      in_segment(s, hn::SaturatedSub(heights, all(s * VectorTrack::segment_size))));
    return found;
  }

 private:
  HWY_INLINE V8 in_segment(int s, V8 within) const {
    if constexpr (!HWY_ARCH_X86) within = hn::And(within, all(0x8F));  // as x86's shuffle does
    return hn::TableLookupBytesOr0(steps_[s], within);
  }

  V8 steps_[segments];
};

HWY_INLINE std::uint64_t sum(V8 counts) {
  return hn::GetLane(hn::SumOfLanes(d64, hn::SumsOf8(hn::BitCast(d8_unsigned, counts))));
}

template <int segments>
HWY_INLINE void play_group(
    const BlockPlan& plan, const Lanes& lanes, std::uint32_t at,
    const std::uint8_t (*distances)[block_turns * std::size_t{lanes_a_vector}], Group& group,
    BlockResult& result) {
  const Steps<segments> steps(*plan.track);
  const V8 end = all(plan.track->end);
  hn::Mask<D8> over[side_by_side];
  V8 ladders[side_by_side];
  V8 snakes[side_by_side];
  group = {};
  for (std::uint32_t v = 0; v < side_by_side; ++v) {
    const std::uint32_t begin = std::min(at + v * lanes_a_vector, lanes.games);
    over[v] = hn::Not(hn::FirstN(d8, std::min(lanes.games - begin, lanes_a_vector)));
    ladders[v] = snakes[v] = hn::Zero(d8);
    group.set(0, v, over[v]);
  }
  int player = plan.first_player;
  for (int turn = 0; turn < plan.turns; ++turn) {
    std::uint8_t* heights = lanes.heights[player] + at;
#pragma GCC unroll 4
    for (std::uint32_t v = 0; v < side_by_side; ++v) {
      const V8 from = load(heights + v * lanes_a_vector);
      const V8 distance = load(distances[v] + static_cast<std::uint32_t>(turn) * lanes_a_vector);
      const V8 landed = hn::IfThenElse(over[v], all(-1), hn::Sub(from, distance));
      const V8 found = steps.find(landed);
      const V8 to = hn::IfNegativeThenElse(landed, from, hn::And(found, all(127)));
      snakes[v] = hn::Sub(snakes[v], hn::VecFromMask(d8, hn::Lt(found, hn::Zero(d8))));
      ladders[v] = hn::Sub(ladders[v], hn::VecFromMask(d8, hn::Gt(landed, to)));
      over[v] = hn::Or(over[v], hn::Eq(to, end));
      group.set(turn + 1, v, over[v]);
      store(to, heights + v * lanes_a_vector);
    }
    if (++player == plan.players) player = 0;
  }
  for (std::uint32_t v = 0; v < side_by_side; ++v) {
    result.snakes += sum(snakes[v]);
    result.ladders += sum(ladders[v]);
  }
}

/// The lanes of word `w` whose games end in just this turn of the block, a bit each.
HWY_INLINE std::uint64_t ending(const Group& group, int turn, std::uint32_t w) {
  return group.over[turn][w] & ~group.over[turn - 1][w];
}

/// The first lane whose game ends in just this turn of the block; −1 if there is none.
int first_ending(const Group& group, int turn) {
  for (std::uint32_t w = 0; w < group_words; ++w)
    if (const std::uint64_t ended = ending(group, turn, w); ended != 0)
      return static_cast<int>(64 * w) + std::countr_zero(ended);
  return -1;
}

/// Counts the games of a group that ended, and points out short and long ones as the plan asks.
HWY_INLINE void count_ends(const BlockPlan& plan, const Lanes& lanes, std::uint32_t at,
                           const Group& group, BlockResult& result) {
  for (int turn = 0; turn <= plan.turns; ++turn)
    for (const std::uint64_t over : group.over[turn])
      result.over[turn] += static_cast<std::uint32_t>(std::popcount(over));
  const int short_turns = result.short_turn != 0 ? result.short_turn : plan.short_turns;
  for (int turn = 1; turn < short_turns && turn <= plan.turns; ++turn) {
    const int lane = first_ending(group, turn);
    if (lane < 0) continue;
    result.short_turn = turn;
    result.short_key = lanes.keys[at + static_cast<std::uint32_t>(lane)];
    break;
  }
  const int long_turns = result.long_turn != 0 ? result.long_turn : plan.long_turns;
  for (int turn = plan.turns; turn > long_turns; --turn) {
    const int lane = first_ending(group, turn);
    if (lane < 0) continue;
    result.long_turn = turn;
    result.long_key = lanes.keys[at + static_cast<std::uint32_t>(lane)];
    break;
  }
}

void report_ends(const BlockPlan& plan, std::uint32_t at, const Group& group) {
  for (int turn = 1; turn <= plan.turns; ++turn) {
    for (std::uint32_t w = 0; w < group_words; ++w) {
      std::uint64_t ended = ending(group, turn, w);
      for (; ended != 0; ended &= ended - 1) {
        const auto lane = 64 * w + static_cast<std::uint32_t>(std::countr_zero(ended));
        plan.at_end(at + lane, turn);
      }
    }
  }
}

/// An order of eight lanes that drops those not in `mask`: order[mask][i] is the lane that comes
/// i-th.
struct LaneOrder {
  alignas(64) std::uint8_t order[256][8];
};

constexpr LaneOrder make_compaction() {
  LaneOrder compaction{};
  for (int mask = 0; mask < 256; ++mask) {
    int kept = 0;
    for (int lane = 0; lane < 8; ++lane)
      if ((mask >> lane & 1) != 0) compaction.order[mask][kept++] = static_cast<std::uint8_t>(lane);
  }
  return compaction;
}

constexpr LaneOrder compaction = make_compaction();

HWY_INLINE void move_eight_keys(const std::uint32_t* from, const std::uint8_t* order,
                                std::uint32_t* to) {
  constexpr hn::CappedTag<std::uint32_t, 8> d;
  if constexpr (hn::MaxLanes(d) == 8) {
    const auto lanes_8 = hn::PromoteTo(d, hn::Load(hn::Rebind<std::uint8_t, decltype(d)>(), order));
    hn::StoreU(hn::TableLookupLanes(hn::LoadU(d, from), hn::IndicesFromVec(d, lanes_8)), d, to);
  } else {
    std::uint32_t moved[8];
    for (int lane = 0; lane < 8; ++lane)
      moved[lane] = from[order[lane]];
    std::ranges::copy(moved, to);
  }
}

HWY_INLINE void move_eight_bytes(const std::uint8_t* from, const std::uint8_t* order,
                                 std::uint8_t* to) {
  constexpr hn::CappedTag<std::uint8_t, 8> d;
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from), hn::Load(d, order)), d, to);
}

/// Moves the games of a group that go on to the lanes from `to` (≤ at) on; answers the lane after
/// them.
HWY_INLINE std::uint32_t keep_going(const BlockPlan& plan, const Lanes& lanes, std::uint32_t at,
                                    std::uint32_t to, const Group& group) {
  for (std::uint32_t lane = 0; lane < group_lanes; lane += 8) {
    const std::uint32_t from = at + lane;
    const auto kept =
        static_cast<std::uint8_t>(~group.over[plan.turns][lane / 64] >> lane % 64 & 0xFFU);
    const std::uint8_t* order = compaction.order[kept];
    move_eight_keys(lanes.keys + from, order, lanes.keys + to);
    for (int player = 0; player < plan.players; ++player)
      move_eight_bytes(lanes.heights[player] + from, order, lanes.heights[player] + to);
    to += static_cast<std::uint32_t>(std::popcount(kept));
  }
  return to;
}

template <int at_once, int most, int segments>
void play_block_of(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  std::uint32_t kept = 0;
  for (std::uint32_t at = 0; at < lanes.games; at += group_lanes) {
    alignas(64) std::uint8_t distances[side_by_side][block_turns * std::size_t{lanes_a_vector}];
    for (std::uint32_t v = 0; v < side_by_side; ++v)
      draw_with<at_once, most>(plan, lanes.keys + at + v * lanes_a_vector, distances[v]);
    Group group;
    play_group<segments>(plan, lanes, at, distances, group, result);
    count_ends(plan, lanes, at, group, result);
    if (plan.at_end) report_ends(plan, at, group);
    kept = keep_going(plan, lanes, at, kept, group);
  }
  lanes.games = kept;
}

template <int at_once, int most>
void play_block_with(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  // Boards of up to 64, 112 and 128 heights.
  if (plan.track->used_segments <= 4)
    play_block_of<at_once, most, 4>(plan, lanes, result);
  else if (plan.track->used_segments <= 7)
    play_block_of<at_once, most, 7>(plan, lanes, result);
  else
    play_block_of<at_once, most, 8>(plan, lanes, result);
}

// ---- One function for each form of dice that are_drawn_in_vectors() knows

void play(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  const ThrowingRule& rule = plan.dice->rule;
  if (rule.most == 1) return play_block_with<1, 1>(plan, lanes, result);
  if (rule.at_once == 2) return play_block_with<2, 2>(plan, lanes, result);
  play_block_with<1, 3>(plan, lanes, result);
}

void draw(const BlockPlan& plan, const std::uint32_t* keys, std::uint8_t* distances) {
  const ThrowingRule& rule = plan.dice->rule;
  if (rule.most == 1) return draw_with<1, 1>(plan, keys, distances);
  if (rule.at_once == 2) return draw_with<2, 2>(plan, keys, distances);
  draw_with<1, 3>(plan, keys, distances);
}

const VectorKernel* vector_kernel() {
  static constexpr VectorKernel kernel{.lanes = lanes_a_vector, .play = play, .draw = draw};
  return &kernel;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace snl::simulation
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace snl::simulation {

const VectorKernel* vector_kernel(int most_bits) {
#if HWY_ARCH_X86
  if (most_bits >= 512 && __builtin_cpu_supports("x86-64-v4")) return N_AVX3::vector_kernel();
  if (most_bits >= 256 && __builtin_cpu_supports("x86-64-v3")) return N_AVX2::vector_kernel();
  if (most_bits >= 128 && __builtin_cpu_supports("x86-64-v2")) return N_SSE4::vector_kernel();
  return nullptr;
#else
  return most_bits >= 128 ? HWY_STATIC_DISPATCH(vector_kernel)() : nullptr;
#endif
}

}  // namespace snl::simulation
#endif
