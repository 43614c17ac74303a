// The simulation's kernel in 256-bit vectors. Compiled for machines with AVX2 and run on no others,
// so nothing here may be shared with other code: see simulation_lanes.hpp.
#include "simulation_lanes.hpp"

#include <immintrin.h>

namespace snl::simulation {
namespace {

struct Avx2 {
  using Bytes = __m256i;
  using Flags = __m256i;  // ones or zeros
  using Count = __m256i;  // a byte for each lane
  static constexpr std::int64_t lanes = 32;
  static constexpr int side_by_side = 2;

  static Bytes load(const void* from) {
    return _mm256_loadu_si256(static_cast<const Bytes*>(from));
  }
  static void store(void* to, Bytes bytes) { _mm256_storeu_si256(static_cast<Bytes*>(to), bytes); }
  static Bytes all(std::uint8_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
  static Bytes all_16(std::uint16_t x) { return _mm256_set1_epi16(static_cast<std::int16_t>(x)); }
  static Bytes all_32(std::uint32_t x) { return _mm256_set1_epi32(static_cast<std::int32_t>(x)); }
  static Bytes all_64(std::uint64_t x) { return _mm256_set1_epi64x(static_cast<std::int64_t>(x)); }

  /// Every lane from the `games`-th on.
  static Flags from_lane(std::int64_t games) {
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
  static Bytes bit_xor(Bytes a, Bytes b) { return _mm256_xor_si256(a, b); }

  static Flags equal_8(Bytes a, Bytes b) { return _mm256_cmpeq_epi8(a, b); }
  static Flags greater_8(Bytes a, Bytes b) { return _mm256_cmpgt_epi8(a, b); }
  static Flags both(Flags a, Flags b) { return _mm256_and_si256(a, b); }
  static Flags either(Flags a, Flags b) { return _mm256_or_si256(a, b); }
  static std::uint64_t bits(Flags a) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(a)); }
  static std::uint64_t negative_bits(Bytes a) { return bits(a); }
  static Bytes where(Flags flags, Bytes a) { return _mm256_and_si256(flags, a); }
  static Bytes choose(Flags flags, Bytes a, Bytes b) { return _mm256_blendv_epi8(b, a, flags); }
  static Bytes all_ones_where(Flags flags, Bytes a) { return _mm256_or_si256(flags, a); }
  static Bytes low_7_bits(Bytes a) { return _mm256_and_si256(a, _mm256_set1_epi8(127)); }
  /// `a` where `sign` is negative, and `b`, which is 0 there, elsewhere.
  static Bytes choose_where_negative(Bytes sign, Bytes a, Bytes b) {
    return _mm256_or_si256(b, _mm256_and_si256(a, greater_8(_mm256_setzero_si256(), sign)));
  }
  static Count no_count() { return _mm256_setzero_si256(); }
  static void count(Count& count, Flags flags) { count = _mm256_sub_epi8(count, flags); }
  static std::uint64_t total(Count count) { return sum(count); }

  static bool any_low_below(Bytes a, std::uint32_t limit) {
    std::uint32_t numbers[lanes / 4];
    store(numbers, a);
    bool any = false;
    for (int i = 0; i < lanes / 4; i += 2)
      any |= numbers[i] < limit;
    return any;
  }

  template <int segments>
  class Steps {
   public:
    explicit Steps(const VectorTrack& track) {
      for (int s = 0; s < segments; ++s)
        steps_[s] = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(track.steps[s])));
    }
    /// Where pieces end that would come to these heights, with the snake's bit; 0 for heights below
    /// 0. A byte shuffle takes what the low four bits name, and 0 where the byte is negative. So
    /// the first k of these count for a height in segment k − 1, and their XOR is that segment's
    /// entry.
    Bytes find(Bytes heights) const {
      Bytes found = _mm256_shuffle_epi8(steps_[0], heights);
#pragma GCC unroll 8
      for (int s = 1; s < segments; ++s) {
        const Bytes below = _mm256_set1_epi8(static_cast<char>(s * VectorTrack::segment_size));
        const Bytes within = _mm256_subs_epi8(heights, below);
        found = _mm256_xor_si256(found, _mm256_shuffle_epi8(steps_[s], within));
      }
      return found;
    }

   private:
    Bytes steps_[segments];
  };

  /// The sum of all bytes.
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
  in_vectors::play_block<Avx2>(plan, lanes, result);
}

std::uint64_t draw_block_avx2(const BlockPlan& plan, const Lanes& lanes) {
  return in_vectors::draw_block<Avx2>(plan, lanes);
}

void draw_distances_avx2(const BlockPlan& plan, const std::uint32_t* keys,
                         std::uint8_t* distances) {
  in_vectors::draw_all_distances<Avx2>(plan, keys, distances);
}

}  // namespace snl::simulation
