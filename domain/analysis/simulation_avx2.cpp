// The simulation's kernel in 256-bit vectors. Compiled for machines with AVX2 and run on no others,
// so nothing here may be shared with other code: see simulation_lanes.hpp.
#include "simulation_lanes.hpp"

#include <immintrin.h>

namespace snl::simulation {
namespace {

struct Avx2 {
  using Bytes = __m256i;
  static constexpr int lanes = 32;

  static Bytes load(const void* from) {
    return _mm256_loadu_si256(static_cast<const Bytes*>(from));
  }
  static void store(void* to, Bytes bytes) { _mm256_storeu_si256(static_cast<Bytes*>(to), bytes); }
  static Bytes repeat_16(const void* from) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(from)));
  }
  static Bytes all(std::uint8_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
  static Bytes all_16(std::uint16_t x) { return _mm256_set1_epi16(static_cast<std::int16_t>(x)); }
  static Bytes all_32(std::uint32_t x) { return _mm256_set1_epi32(static_cast<std::int32_t>(x)); }
  static Bytes all_64(std::uint64_t x) { return _mm256_set1_epi64x(static_cast<std::int64_t>(x)); }

  /// Ones in every lane from the `games`-th on.
  static Bytes past(std::int64_t games) {
    const std::int64_t some = games < 0 ? 0 : games > lanes ? lanes : games;
    const Bytes index =
        _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                         21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    return _mm256_cmpgt_epi8(index, _mm256_set1_epi8(static_cast<char>(some - 1)));
  }

  // Packing works on each 128-bit half by itself. With these keys in the low half and those 16
  // games later in the high one, all lanes come out in the order of the games.
  static Bytes keys(const std::uint32_t* from) {
    const auto* low = reinterpret_cast<const __m128i*>(from);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                   _mm_loadu_si128(low + 4), 1);
  }
  static Bytes spread_low(Bytes a) { return _mm256_unpacklo_epi32(a, a); }
  static Bytes spread_high(Bytes a) { return _mm256_unpackhi_epi32(a, a); }

  static Bytes mul_low_32(Bytes a, Bytes b) { return _mm256_mul_epu32(a, b); }
  static Bytes high_32(Bytes a) { return _mm256_srli_epi64(a, 32); }
  static Bytes high_parts(Bytes a, Bytes b) {
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xDD));
  }
  static Bytes add_32(Bytes a, Bytes b) { return _mm256_add_epi32(a, b); }
  static Bytes min_32(Bytes a, Bytes b) { return _mm256_min_epu32(a, b); }
  static Bytes pack_32(Bytes a, Bytes b) { return _mm256_packus_epi32(a, b); }
  static Bytes pack_16(Bytes a, Bytes b) { return _mm256_packus_epi16(a, b); }
  static Bytes mul_high_16(Bytes a, Bytes b) { return _mm256_mulhi_epu16(a, b); }
  static Bytes mul_16(Bytes a, Bytes b) { return _mm256_mullo_epi16(a, b); }
  static Bytes sub_16(Bytes a, Bytes b) { return _mm256_sub_epi16(a, b); }

  static Bytes add_8(Bytes a, Bytes b) { return _mm256_add_epi8(a, b); }
  static Bytes sub_8(Bytes a, Bytes b) { return _mm256_sub_epi8(a, b); }
  static Bytes sub_saturated_8(Bytes a, Bytes b) { return _mm256_subs_epi8(a, b); }
  static Bytes equal_8(Bytes a, Bytes b) { return _mm256_cmpeq_epi8(a, b); }
  static Bytes greater_8(Bytes a, Bytes b) { return _mm256_cmpgt_epi8(a, b); }
  static Bytes shuffle(Bytes table, Bytes index) { return _mm256_shuffle_epi8(table, index); }
  static Bytes bit_and(Bytes a, Bytes b) { return _mm256_and_si256(a, b); }
  static Bytes bit_and_not(Bytes not_a, Bytes b) { return _mm256_andnot_si256(not_a, b); }
  static Bytes bit_or(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
  static Bytes bit_xor(Bytes a, Bytes b) { return _mm256_xor_si256(a, b); }
  static std::uint32_t mask(Bytes a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }

  /// Of all bytes.
  static std::uint64_t sum(Bytes a) {
    const __m256i sums = _mm256_sad_epu8(a, _mm256_setzero_si256());
    const __m128i two =
        _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
  }

  static void move_eight_keys(const std::uint32_t* from, const std::uint8_t* order,
                              std::uint32_t* to) {
    const __m256i lanes_32 =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(order)));
    store(to, _mm256_permutevar8x32_epi32(load(from), lanes_32));
  }
  static void move_eight_bytes(const std::uint8_t* from, const std::uint8_t* order,
                               std::uint8_t* to) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    const __m128i lanes_8 = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(order));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, lanes_8));
  }
};

}  // namespace

void play_block_avx2(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  play_block<Avx2>(plan, lanes, result);
}

std::uint64_t draw_block_avx2(const BlockPlan& plan, const Lanes& lanes) {
  return draw_block<Avx2>(plan, lanes);
}

}  // namespace snl::simulation
