// The simulation's kernel in 512-bit vectors. Compiled for machines with AVX-512 (F, BW, VL,
// VBMI) and run on no others,
// so nothing here may be shared with other code: see simulation_lanes.hpp.
#include "simulation_lanes.hpp"

#include <immintrin.h>

namespace snl::simulation {
namespace {

struct Avx512 {
  using Bytes = __m512i;
  using Flags = std::uint64_t;  // a bit for each lane
  using Count = std::uint64_t;
  static constexpr std::int64_t lanes = 64;
  static constexpr int side_by_side = 4;

  static Bytes load(const void* from) { return _mm512_loadu_si512(from); }
  static void store(void* to, Bytes bytes) { _mm512_storeu_si512(to, bytes); }
  static Bytes all(std::uint8_t byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
  static Bytes all_16(std::uint16_t x) { return _mm512_set1_epi16(static_cast<std::int16_t>(x)); }
  static Bytes all_32(std::uint32_t x) { return _mm512_set1_epi32(static_cast<std::int32_t>(x)); }
  static Bytes all_64(std::uint64_t x) { return _mm512_set1_epi64(static_cast<std::int64_t>(x)); }

  /// Every lane from the `games`-th on.
  static Flags from_lane(std::int64_t games) {
    const std::int64_t some = games < 0 ? 0 : games;
    return some >= lanes ? 0 : ~std::uint64_t{0} << static_cast<std::uint64_t>(some);
  }

  // Packing works on each 128-bit quarter by itself. With keys in each that are 16 games after
  // those in the one before, all lanes come out in the order of the games.
  static Bytes keys(const std::uint32_t* from) {
    const auto* quarter = reinterpret_cast<const __m128i*>(from);
    Bytes some = _mm512_castsi128_si512(_mm_loadu_si128(quarter));
    some = _mm512_inserti32x4(some, _mm_loadu_si128(quarter + 4), 1);
    some = _mm512_inserti32x4(some, _mm_loadu_si128(quarter + 8), 2);
    return _mm512_inserti32x4(some, _mm_loadu_si128(quarter + 12), 3);
  }
  static Bytes spread_low(Bytes a) { return _mm512_unpacklo_epi32(a, a); }
  static Bytes spread_high(Bytes a) { return _mm512_unpackhi_epi32(a, a); }

  static Bytes mul_low_32(Bytes a, Bytes b) { return _mm512_mul_epu32(a, b); }
  static Bytes high_32(Bytes a) { return _mm512_srli_epi64(a, 32); }
  static Bytes high_parts(Bytes a, Bytes b) {
    return _mm512_castps_si512(
        _mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), 0xDD));
  }
  static Bytes add_32(Bytes a, Bytes b) { return _mm512_add_epi32(a, b); }
  static Bytes min_32(Bytes a, Bytes b) { return _mm512_min_epu32(a, b); }
  static Bytes pack_32(Bytes a, Bytes b) { return _mm512_packus_epi32(a, b); }
  static Bytes pack_16(Bytes a, Bytes b) { return _mm512_packus_epi16(a, b); }
  static Bytes mul_high_16(Bytes a, Bytes b) { return _mm512_mulhi_epu16(a, b); }
  static Bytes mul_16(Bytes a, Bytes b) { return _mm512_mullo_epi16(a, b); }
  static Bytes sub_16(Bytes a, Bytes b) { return _mm512_sub_epi16(a, b); }

  static Bytes add_8(Bytes a, Bytes b) { return _mm512_add_epi8(a, b); }
  static Bytes sub_8(Bytes a, Bytes b) { return _mm512_sub_epi8(a, b); }
  static Bytes bit_xor(Bytes a, Bytes b) { return _mm512_xor_si512(a, b); }

  static Flags equal_8(Bytes a, Bytes b) { return _mm512_cmpeq_epi8_mask(a, b); }
  static Flags greater_8(Bytes a, Bytes b) { return _mm512_cmpgt_epi8_mask(a, b); }
  static Flags both(Flags a, Flags b) { return a & b; }
  static Flags either(Flags a, Flags b) { return a | b; }
  static std::uint64_t bits(Flags a) { return a; }
  static std::uint64_t negative_bits(Bytes a) { return _mm512_movepi8_mask(a); }
  static Bytes where(Flags flags, Bytes a) { return _mm512_maskz_mov_epi8(flags, a); }
  static Bytes choose(Flags flags, Bytes a, Bytes b) { return _mm512_mask_mov_epi8(b, flags, a); }
  static Bytes all_ones_where(Flags flags, Bytes a) {
    return _mm512_mask_mov_epi8(a, flags, _mm512_set1_epi8(-1));
  }
  static Bytes low_7_bits(Bytes a) { return _mm512_and_si512(a, _mm512_set1_epi8(127)); }
  static Bytes choose_where_negative(Bytes sign, Bytes a, Bytes b) {
    return _mm512_mask_mov_epi8(b, _mm512_movepi8_mask(sign), a);
  }
  static Count no_count() { return 0; }
  static void count(Count& count, Flags flags) {
    count += static_cast<std::uint64_t>(__builtin_popcountll(flags));
  }
  static std::uint64_t total(Count count) { return count; }

  static bool any_low_below(Bytes a, std::uint32_t limit) {
    constexpr __mmask16 low_halves = 0x5555;
    return _mm512_mask_cmplt_epu32_mask(low_halves, a, all_32(limit)) != 0;
  }

  template <int segments>
  class Steps {
   public:
    explicit Steps(const VectorTrack& track) {
      std::uint8_t steps[VectorTrack::segments][VectorTrack::segment_size];
      for (int s = 0; s < VectorTrack::segments; ++s)
        for (int i = 0; i < VectorTrack::segment_size; ++i)
          steps[s][i] =
              static_cast<std::uint8_t>(track.steps[s][i] ^ (s == 0 ? 0 : steps[s - 1][i]));
      low_ = load(steps);
      high_ = load(steps[VectorTrack::segments / 2]);
    }
    /// Where pieces end that would come to these heights, with the snake's bit; 0 for heights below
    /// 0.
    Bytes find(Bytes heights) const {
      const Flags at_least_0 = ~negative_bits(heights);
      return _mm512_maskz_permutex2var_epi8(at_least_0, low_, heights, high_);
    }

   private:
    Bytes low_;
    Bytes high_;
  };

  /// The sum of all bytes.
  static std::uint64_t sum(Bytes a) {
    std::uint64_t sums[lanes / 8];
    store(sums, _mm512_sad_epu8(a, _mm512_setzero_si512()));
    std::uint64_t all_sums = 0;
    for (const std::uint64_t some : sums)
      all_sums += some;
    return all_sums;
  }

  static void move_eight_keys(const std::uint32_t* from, const std::uint8_t* order,
                              std::uint32_t* to) {
    const __m256i lanes_32 =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(order)));
    const __m256i keys = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_permutevar8x32_epi32(keys, lanes_32));
  }
  static void move_eight_bytes(const std::uint8_t* from, const std::uint8_t* order,
                               std::uint8_t* to) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    const __m128i lanes_8 = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(order));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, lanes_8));
  }
};

}  // namespace

void play_block_avx512(const BlockPlan& plan, Lanes& lanes, BlockResult& result) {
  in_vectors::play_block<Avx512>(plan, lanes, result);
}

std::uint64_t draw_block_avx512(const BlockPlan& plan, const Lanes& lanes) {
  return in_vectors::draw_block<Avx512>(plan, lanes);
}

void draw_distances_avx512(const BlockPlan& plan, const std::uint32_t* keys,
                           std::uint8_t* distances) {
  in_vectors::draw_all_distances<Avx512>(plan, keys, distances);
}

}  // namespace snl::simulation
