// Inside the simulation: the vector kernels' one source, for vectors of any width.
//
// Included by simulation_sse4.cpp, _avx2.cpp and _avx512.cpp, each of which compiles it for another
// machine with a `Vector` of its own. Every function here is a template of that type, which lives
// in an anonymous namespace: so each has its own, and the linker can't take one machine's for
// another's. For the same reason nothing of the standard library is called, see
// simulation_block.hpp.
//
// Vector is a policy of static functions, an instruction or two each, and
//   lanes         the bytes in a vector, a game each
//   side_by_side  vectors that are played at once, so that one's latency hides behind the other's
//                 work; at most 256 lanes in all
//   Bytes         the vector's type
//   Flags         a yes or no for each lane
//   Count         counts yeses of one block
//   Steps         the table of a VectorTrack, to look heights up in
#pragma once

#include "simulation_block.hpp"

namespace snl::simulation::in_vectors {

/// Streams of random numbers that are drawn side by side, each of lanes/8 games.
constexpr int streams = 4;

/// Where the bytes of eight lanes go that drop those not in `mask`: order[mask][i] is the lane
/// whose turn it is i-th.
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

// ---- Drawing

constexpr std::uint32_t multiplier_0 = 0xD2511F53;
constexpr std::uint32_t multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9;
constexpr std::uint32_t weyl_1 = 0xBB67AE85;

/// Philox4x32-10 (domain/dice.hpp) of the counter (block, die, 0, 0) for `streams` vectors of keys,
/// each 32-bit number in the low part of 64 bits; the high parts hold whatever comes. The first two
/// rounds hardly depend on the key, so only what does is done for each lane.
template <class Vector>
[[gnu::always_inline]] inline void philox(const typename Vector::Bytes* keys,
                                          std::uint32_t key_high, std::uint32_t block,
                                          std::uint32_t die, typename Vector::Bytes (*words)[4]) {
  using Bytes = typename Vector::Bytes;
  const Bytes m0 = Vector::all_64(multiplier_0);
  const Bytes m1 = Vector::all_64(multiplier_1);
  const Bytes w0 = Vector::all_32(weyl_0);
  const std::uint64_t first_0 = std::uint64_t{multiplier_0} * block;
  std::uint32_t key_1 = key_high;
  const std::uint64_t second_1 =
      std::uint64_t{multiplier_1} * (static_cast<std::uint32_t>(first_0 >> 32U) ^ key_1);
  key_1 += weyl_1;
  Bytes c0[streams];
  Bytes c1[streams];
  Bytes c2[streams];
  Bytes c3[streams];
  Bytes k0[streams];
#pragma GCC unroll 8
  for (int s = 0; s < streams; ++s) {
    const Bytes product = Vector::mul_low_32(Vector::bit_xor(keys[s], Vector::all_32(die)), m0);
    k0[s] = Vector::add_32(keys[s], w0);
    c0[s] = Vector::bit_xor(k0[s], Vector::all_32(static_cast<std::uint32_t>(second_1 >> 32U)));
    c1[s] = Vector::all_32(static_cast<std::uint32_t>(second_1));
    c2[s] = Vector::bit_xor(Vector::high_32(product),
                            Vector::all_32(static_cast<std::uint32_t>(first_0) ^ key_1));
    c3[s] = product;
  }
  for (int round = 2; round < 10; ++round) {
    key_1 += weyl_1;
    const Bytes k1 = Vector::all_32(key_1);
#pragma GCC unroll 8
    for (int s = 0; s < streams; ++s) {
      k0[s] = Vector::add_32(k0[s], w0);
      const Bytes product_0 = Vector::mul_low_32(c0[s], m0);
      const Bytes product_1 = Vector::mul_low_32(c2[s], m1);
      c0[s] = Vector::bit_xor(Vector::bit_xor(c1[s], k0[s]), Vector::high_32(product_1));
      c2[s] = Vector::bit_xor(Vector::bit_xor(c3[s], k1), Vector::high_32(product_0));
      c1[s] = product_1;
      c3[s] = product_0;
    }
  }
#pragma GCC unroll 8
  for (int s = 0; s < streams; ++s) {
    words[s][0] = c0[s];
    words[s][1] = c1[s];
    words[s][2] = c2[s];
    words[s][3] = c3[s];
  }
}

/// Two dice of each game from the high parts of eight vectors of products. Each is two digits:
/// first · faces + second. A die shows one more than its digit.
template <class Vector>
[[gnu::always_inline]] inline void split_pairs(const typename Vector::Bytes* products,
                                               std::uint32_t faces, std::uint8_t* first,
                                               std::uint8_t* second) {
  using Bytes = typename Vector::Bytes;
  Bytes pairs[4];
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < 4; ++i)
    pairs[i] = Vector::high_parts(products[2 * i], products[2 * i + 1]);
  const Bytes low = Vector::pack_32(pairs[0], pairs[1]);
  const Bytes high = Vector::pack_32(pairs[2], pairs[3]);
  // Right for every pair as long as faces³ ≤ 2¹⁶.
  const Bytes inverse = Vector::all_16(static_cast<std::uint16_t>(65536U / faces + 1));
  const Bytes base = Vector::all_16(static_cast<std::uint16_t>(faces));
  const Bytes low_first = Vector::mul_high_16(low, inverse);
  const Bytes high_first = Vector::mul_high_16(high, inverse);
  const Bytes low_second = Vector::sub_16(low, Vector::mul_16(low_first, base));
  const Bytes high_second = Vector::sub_16(high, Vector::mul_16(high_first, base));
  const Bytes one = Vector::all(1);
  Vector::store(first, Vector::add_8(Vector::pack_16(low_first, high_first), one));
  Vector::store(second, Vector::add_8(Vector::pack_16(low_second, high_second), one));
}

/// What one die shows in the 16 turns of Vector::lanes games, by turn, then by lane. Answers
/// whether there is a word among theirs that would favour some faces.
template <class Vector>
[[gnu::always_inline]] inline bool draw_die(const BlockPlan& plan, const std::uint32_t* keys,
                                            std::uint32_t die, std::uint8_t* shown) {
  using Bytes = typename Vector::Bytes;
  constexpr int vectors = 8;
  const std::uint32_t faces = plan.dice->faces;
  Bytes spread[vectors];
  Bytes words[vectors][4];
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < 4; ++i) {
    const Bytes some = Vector::keys(keys + 4 * i);
    spread[2 * i] = Vector::spread_low(some);
    spread[2 * i + 1] = Vector::spread_high(some);
  }
#pragma GCC unroll 8
  for (int i = 0; i < vectors; i += streams)
    philox<Vector>(spread + i, plan.key_high, plan.block, die, words + i);
  const Bytes two_digits = Vector::all_64(faces * faces);
  Bytes least = Vector::all_32(~0U);
#pragma GCC unroll 4
  for (int word = 0; word < 4; ++word) {
    std::uint8_t* out = shown + 4 * word * Vector::lanes;
    Bytes products[vectors];
#pragma GCC unroll 8
    for (int i = 0; i < vectors; ++i)
      products[i] = Vector::mul_low_32(words[i][word], two_digits);
    split_pairs<Vector>(products, faces, out, out + Vector::lanes);
#pragma GCC unroll 8
    for (Bytes& product : products) {
      product = Vector::mul_low_32(product, two_digits);
      least = Vector::min_32(least, product);
    }
    split_pairs<Vector>(products, faces, out + 2 * Vector::lanes, out + 3 * Vector::lanes);
  }
  return Vector::any_low_below(least, plan.dice->unfair_below);
}

/// Adds the dice after the first one to it: those that are thrown at once, and those that are
/// thrown only after the face that rolls again. All dice of 16 turns, by turn, then by lane.
template <class Vector, int at_once, int most>
[[gnu::always_inline]] inline void add_later_dice(std::uint8_t again, std::uint8_t* first,
                                                  const std::uint8_t* const* later) {
  using Bytes = typename Vector::Bytes;
  const Bytes face = Vector::all(again);
  for (auto at = 0 * Vector::lanes; at < block_turns * Vector::lanes; at += Vector::lanes) {
    const Bytes first_die = Vector::load(first + at);
    Bytes sum = first_die;
#pragma GCC unroll 4
    for (int die = 1; die < at_once; ++die)
      sum = Vector::add_8(sum, Vector::load(later[die - 1] + at));
    if constexpr (most > at_once) {
      static_assert(at_once == 1);
      auto goes_on = Vector::equal_8(first_die, face);
#pragma GCC unroll 4
      for (int die = 1; die < most; ++die) {
        const Bytes last = Vector::load(later[die - 1] + at);
        sum = Vector::add_8(sum, Vector::where(goes_on, last));
        goes_on = Vector::both(goes_on, Vector::equal_8(last, face));
      }
      sum = Vector::choose(goes_on, Vector::all(forfeit_distance), sum);
    }
    Vector::store(first + at, sum);
  }
}

/// What the dice of 16 turns of Vector::lanes games come to, by turn, then by lane. Answers whether
/// there is a word among theirs that would favour some faces.
template <class Vector, int at_once, int most>
[[gnu::always_inline]] inline bool draw_turns(const BlockPlan& plan, const std::uint32_t* keys,
                                              std::uint8_t* distances) {
  const bool first_unfair = draw_die<Vector>(plan, keys, 0, distances);
  if constexpr (most == 1) {
    return first_unfair;
  } else {
    bool any_unfair = first_unfair;
    alignas(64) std::uint8_t shown[most - 1][block_turns * Vector::lanes];
    const std::uint8_t* later[most - 1];
#pragma GCC unroll 4
    for (int die = 1; die < most; ++die) {
      later[die - 1] = shown[die - 1];
      const bool unfair =
          draw_die<Vector>(plan, keys, static_cast<std::uint32_t>(die), shown[die - 1]);
      any_unfair = any_unfair || unfair;
    }
    add_later_dice<Vector, at_once, most>(plan.dice->again, distances, later);
    return any_unfair;
  }
}

/// The distances of 16 turns of Vector::lanes games, by turn, then by lane.
template <class Vector, int at_once, int most>
[[gnu::always_inline]] inline void draw_distances(const BlockPlan& plan, const std::uint32_t* keys,
                                                  std::uint8_t* distances) {
  if (draw_turns<Vector, at_once, most>(plan, keys, distances))
    redraw_unfair(plan, keys, Vector::lanes, distances);
}

// ---- Playing

/// Games that are played side by side.
template <class Vector>
constexpr std::uint32_t group_lanes = Vector::side_by_side * Vector::lanes;

/// Bits for the lanes of a group are kept in as few words as hold them, the lowest lane first.
template <class Vector>
constexpr std::uint32_t group_words = (group_lanes<Vector> + 63) / 64;

/// Which games of a group are over: the bit of a lane in over[t] is set if its game is after t
/// turns, or if it holds no game.
template <class Vector>
struct Group {
  std::uint64_t over[block_turns + 1][group_words<Vector>];
};

/// Puts the bits of vector `v` of a group in their place.
template <class Vector>
[[gnu::always_inline]] inline void set_bits(std::uint64_t* words, int v, std::uint64_t bits) {
  words[v * Vector::lanes / 64] |= bits << static_cast<std::uint64_t>(v * Vector::lanes % 64);
}

template <class Vector, int segments>
[[gnu::always_inline]] inline void play_group(
    const BlockPlan& plan, const Lanes& lanes, std::uint32_t at,
    const std::uint8_t (*distances)[block_turns * Vector::lanes], Group<Vector>& group,
    BlockResult& result) {
  using Bytes = typename Vector::Bytes;
  const typename Vector::template Steps<segments> steps(*plan.track);
  const Bytes end = Vector::all(plan.track->end);
  typename Vector::Flags over[Vector::side_by_side];
  typename Vector::Count ladders[Vector::side_by_side];
  group = {};
  for (int v = 0; v < Vector::side_by_side; ++v) {
    over[v] = Vector::from_lane(static_cast<std::int64_t>(lanes.games) - at - v * Vector::lanes);
    ladders[v] = Vector::no_count();
    set_bits<Vector>(group.over[0], v, Vector::bits(over[v]));
  }
  int snakes = 0;
  int player = plan.first_player;
  for (int turn = 0; turn < plan.turns; ++turn) {
    std::uint8_t* heights = lanes.heights[player] + at;
    std::uint64_t met_snakes[group_words<Vector>] = {};
    std::uint64_t now_over[group_words<Vector>] = {};
#pragma GCC unroll 4
    for (int v = 0; v < Vector::side_by_side; ++v) {
      const Bytes from = Vector::load(heights + v * Vector::lanes);
      const Bytes distance = Vector::load(distances[v] + turn * Vector::lanes);
      const Bytes landed = Vector::all_ones_where(over[v], Vector::sub_8(from, distance));
      const Bytes found = steps.find(landed);
      const Bytes to = Vector::choose_where_negative(landed, from, Vector::low_7_bits(found));
      set_bits<Vector>(met_snakes, v, Vector::negative_bits(found));
      Vector::count(ladders[v], Vector::greater_8(landed, to));
      over[v] = Vector::either(over[v], Vector::equal_8(to, end));
      set_bits<Vector>(now_over, v, Vector::bits(over[v]));
      Vector::store(heights + v * Vector::lanes, to);
    }
    for (std::uint32_t w = 0; w < group_words<Vector>; ++w) {
      snakes += __builtin_popcountll(met_snakes[w]);
      group.over[turn + 1][w] = now_over[w];
    }
    if (++player == plan.players) player = 0;
  }
  result.snakes += static_cast<std::uint64_t>(snakes);
  for (int v = 0; v < Vector::side_by_side; ++v)
    result.ladders += Vector::total(ladders[v]);
}

/// The lanes of word `w` whose games end in just this turn of the block, a bit each.
template <class Vector>
std::uint64_t ending(const Group<Vector>& group, int turn, std::uint32_t w) {
  return group.over[turn][w] & ~group.over[turn - 1][w];
}

/// The first lane whose game ends in just this turn of the block; −1 if there is none.
template <class Vector>
int first_ending(const Group<Vector>& group, int turn) {
  for (std::uint32_t w = 0; w < group_words<Vector>; ++w)
    if (const std::uint64_t ended = ending<Vector>(group, turn, w); ended != 0)
      return static_cast<int>(64 * w) + __builtin_ctzll(ended);
  return -1;
}

/// Counts the games of a group that ended, and points out what was asked for.
template <class Vector>
[[gnu::always_inline]] inline void count_ends(const BlockPlan& plan, const Lanes& lanes,
                                              std::uint32_t at, const Group<Vector>& group,
                                              BlockResult& result) {
  for (int turn = 0; turn <= plan.turns; ++turn)
    for (std::uint32_t w = 0; w < group_words<Vector>; ++w)
      result.over[turn] += static_cast<std::uint32_t>(__builtin_popcountll(group.over[turn][w]));
  const int short_turns = result.short_turn != 0 ? result.short_turn : plan.short_turns;
  for (int turn = 1; turn < short_turns && turn <= plan.turns; ++turn) {
    const int lane = first_ending<Vector>(group, turn);
    if (lane < 0) continue;
    result.short_turn = turn;
    result.short_key = lanes.keys[at + static_cast<std::uint32_t>(lane)];
    break;
  }
  const int long_turns = result.long_turn != 0 ? result.long_turn : plan.long_turns;
  for (int turn = plan.turns; turn > long_turns; --turn) {
    const int lane = first_ending<Vector>(group, turn);
    if (lane < 0) continue;
    result.long_turn = turn;
    result.long_key = lanes.keys[at + static_cast<std::uint32_t>(lane)];
    break;
  }
}

template <class Vector>
void tell_ends(const BlockPlan& plan, const Lanes& lanes, std::uint32_t at,
               const Group<Vector>& group) {
  for (int turn = 1; turn <= plan.turns; ++turn) {
    for (std::uint32_t w = 0; w < group_words<Vector>; ++w) {
      std::uint64_t ended = ending<Vector>(group, turn, w);
      for (; ended != 0; ended &= ended - 1) {
        const auto lane = 64 * w + static_cast<std::uint32_t>(__builtin_ctzll(ended));
        plan.at_end(plan.observer, lanes.keys[at + lane], turn, lanes, at + lane);
      }
    }
  }
}

/// Moves the games of a group that go on to `to` (≤ at) and after it; answers where they end.
template <class Vector>
[[gnu::always_inline]] inline std::uint32_t keep_going(const BlockPlan& plan, const Lanes& lanes,
                                                       std::uint32_t at, std::uint32_t to,
                                                       const Group<Vector>& group) {
  for (std::uint32_t lane = 0; lane < group_lanes<Vector>; lane += 8) {
    const std::uint32_t from = at + lane;
    const auto kept =
        static_cast<std::uint32_t>(~group.over[plan.turns][lane / 64] >> lane % 64 & 0xFFU);
    const std::uint8_t* order = compaction.order[kept];
    Vector::move_eight_keys(lanes.keys + from, order, lanes.keys + to);
    for (int player = 0; player < plan.players; ++player)
      Vector::move_eight_bytes(lanes.heights[player] + from, order, lanes.heights[player] + to);
    to += static_cast<std::uint32_t>(__builtin_popcount(kept));
  }
  return to;
}

template <class Vector, int at_once, int most, int segments>
void play_block_of(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  std::uint32_t kept = 0;
  for (std::uint32_t at = 0; at < lanes.games; at += group_lanes<Vector>) {
    alignas(64) std::uint8_t distances[Vector::side_by_side][block_turns * Vector::lanes];
    for (int v = 0; v < Vector::side_by_side; ++v)
      draw_distances<Vector, at_once, most>(plan, lanes.keys + at + v * Vector::lanes,
                                            distances[v]);
    Group<Vector> group;
    play_group<Vector, segments>(plan, lanes, at, distances, group, result);
    count_ends<Vector>(plan, lanes, at, group, result);
    if (plan.at_end != nullptr) tell_ends<Vector>(plan, lanes, at, group);
    kept = keep_going<Vector>(plan, lanes, at, kept, group);
  }
  lanes.games = kept;
}

template <class Vector, int at_once, int most>
void play_block_with(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  // Boards of up to 64, 112 and 128 heights.
  if (plan.track->used_segments <= 4)
    play_block_of<Vector, at_once, most, 4>(plan, lanes, result);
  else if (plan.track->used_segments <= 7)
    play_block_of<Vector, at_once, most, 7>(plan, lanes, result);
  else
    play_block_of<Vector, at_once, most, 8>(plan, lanes, result);
}

/// Calls play.operator()<at_once, most>() with the numbers of these dice, for which there are as
/// many forms as can_be_thrown() says.
template <class Vector, class Play>
auto with_dice(const DiceKind& dice, const Play& play) {
  if (dice.most == 1) return play.template operator()<1, 1>();
  if (dice.at_once == 2) return play.template operator()<2, 2>();
  return play.template operator()<1, 3>();
}

template <class Vector>
void play_block(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  with_dice<Vector>(*plan.dice, [&]<int at_once, int most>() {
    play_block_with<Vector, at_once, most>(plan, lanes, result);
  });
}

template <class Vector, int at_once, int most>
std::uint64_t draw_block_with(const BlockPlan& plan, const Lanes& lanes) {
  auto sum = Vector::all(0);
  for (std::uint32_t at = 0; at < lanes.games; at += Vector::lanes) {
    alignas(64) std::uint8_t distances[block_turns * Vector::lanes];
    draw_distances<Vector, at_once, most>(plan, lanes.keys + at, distances);
    for (int turn = 0; turn < block_turns; ++turn)
      sum = Vector::add_8(sum, Vector::load(distances + turn * Vector::lanes));
  }
  return Vector::sum(sum);
}

template <class Vector>
void draw_all_distances(const BlockPlan& plan, const std::uint32_t* keys, std::uint8_t* distances) {
  with_dice<Vector>(*plan.dice, [&]<int at_once, int most>() {
    draw_distances<Vector, at_once, most>(plan, keys, distances);
  });
}

template <class Vector>
std::uint64_t draw_block(const BlockPlan& plan, const Lanes& lanes) {
  return with_dice<Vector>(*plan.dice, [&]<int at_once, int most>() {
    return draw_block_with<Vector, at_once, most>(plan, lanes);
  });
}

}  // namespace snl::simulation::in_vectors
