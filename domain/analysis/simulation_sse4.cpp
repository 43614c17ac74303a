// The simulation's kernel in 128-bit vectors. Compiled for machines with SSE4.2 and run on no
// others, so nothing here may be shared with other code: see simulation_lanes.hpp.
#include "simulation_lanes.hpp"

#include <nmmintrin.h>

namespace snl::simulation {
namespace {

struct Sse4 {
  using Bytes = __m128i;
  static constexpr int lanes = 16;

  static Bytes load(const void* from) { return _mm_loadu_si128(static_cast<const Bytes*>(from)); }
  static void store(void* to, Bytes bytes) { _mm_storeu_si128(static_cast<Bytes*>(to), bytes); }
  static Bytes repeat_16(const void* from) { return load(from); }
  static Bytes all(std::uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
  static Bytes all_16(std::uint16_t x) { return _mm_set1_epi16(static_cast<std::int16_t>(x)); }
  static Bytes all_32(std::uint32_t x) { return _mm_set1_epi32(static_cast<std::int32_t>(x)); }
  static Bytes all_64(std::uint64_t x) { return _mm_set1_epi64x(static_cast<std::int64_t>(x)); }

  /// Ones in every lane from the `games`-th on.
  static Bytes past(std::int64_t games) {
    const std::int64_t some = games < 0 ? 0 : games > lanes ? lanes : games;
    const Bytes index = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm_cmpgt_epi8(index, _mm_set1_epi8(static_cast<char>(some - 1)));
  }

  static Bytes keys(const std::uint32_t* from) { return load(from); }
  static Bytes spread_low(Bytes a) { return _mm_unpacklo_epi32(a, a); }
  static Bytes spread_high(Bytes a) { return _mm_unpackhi_epi32(a, a); }

  static Bytes mul_low_32(Bytes a, Bytes b) { return _mm_mul_epu32(a, b); }
  static Bytes high_32(Bytes a) { return _mm_srli_epi64(a, 32); }
  static Bytes high_parts(Bytes a, Bytes b) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xDD));
  }
  static Bytes add_32(Bytes a, Bytes b) { return _mm_add_epi32(a, b); }
  static Bytes min_32(Bytes a, Bytes b) { return _mm_min_epu32(a, b); }
  static Bytes pack_32(Bytes a, Bytes b) { return _mm_packus_epi32(a, b); }
  static Bytes pack_16(Bytes a, Bytes b) { return _mm_packus_epi16(a, b); }
  static Bytes mul_high_16(Bytes a, Bytes b) { return _mm_mulhi_epu16(a, b); }
  static Bytes mul_16(Bytes a, Bytes b) { return _mm_mullo_epi16(a, b); }
  static Bytes sub_16(Bytes a, Bytes b) { return _mm_sub_epi16(a, b); }

  static Bytes add_8(Bytes a, Bytes b) { return _mm_add_epi8(a, b); }
  static Bytes sub_8(Bytes a, Bytes b) { return _mm_sub_epi8(a, b); }
  static Bytes sub_saturated_8(Bytes a, Bytes b) { return _mm_subs_epi8(a, b); }
  static Bytes equal_8(Bytes a, Bytes b) { return _mm_cmpeq_epi8(a, b); }
  static Bytes greater_8(Bytes a, Bytes b) { return _mm_cmpgt_epi8(a, b); }
  static Bytes shuffle(Bytes table, Bytes index) { return _mm_shuffle_epi8(table, index); }
  static Bytes bit_and(Bytes a, Bytes b) { return _mm_and_si128(a, b); }
  static Bytes bit_and_not(Bytes not_a, Bytes b) { return _mm_andnot_si128(not_a, b); }
  static Bytes bit_or(Bytes a, Bytes b) { return _mm_or_si128(a, b); }
  static Bytes bit_xor(Bytes a, Bytes b) { return _mm_xor_si128(a, b); }
  static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm_movemask_epi8(a)); }

  /// Of all bytes.
  static std::uint64_t sum(Bytes a) {
    const __m128i sums = _mm_sad_epu8(a, _mm_setzero_si128());
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(sums) + _mm_extract_epi64(sums, 1));
  }

  static void move_eight_keys(const std::uint32_t* from, const std::uint8_t* order,
                              std::uint32_t* to) {
    std::uint32_t moved[8];
    for (int lane = 0; lane < 8; ++lane)
      moved[lane] = from[order[lane]];
    for (int lane = 0; lane < 8; ++lane)
      to[lane] = moved[lane];
  }
  static void move_eight_bytes(const std::uint8_t* from, const std::uint8_t* order,
                               std::uint8_t* to) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    const __m128i lanes_8 = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(order));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, lanes_8));
  }
};

}  // namespace

void play_block_sse4(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  play_block<Sse4>(plan, lanes, result);
}

std::uint64_t draw_block_sse4(const BlockPlan& plan, const Lanes& lanes) {
  return draw_block<Sse4>(plan, lanes);
}

}  // namespace snl::simulation
