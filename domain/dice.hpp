// Dice: the numbers thrown in one turn, and a seeded way to throw a die. How each rule throws a
// turn's dice is in turn_dice.hpp.
//
// Seeded dice are a pure function of (seed, turn, die), the same on every platform. So anyone can
// roll a recorded game again, and a turn that is undone and rolled again falls the same way.
//
// The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy
// as 1, 2, 3", SC'11; std::philox4x32 of C++26). It is counter-based: its 128 bits depend on a
// 64-bit key and a 128-bit counter alone. One word makes four dice, see seeded_die.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A turn's number within its game, from 1; 0 is the start.
using Turn = std::int64_t;

/// More turns than any game has; a branch may not begin later.
inline constexpr Turn max_turn = Turn{1} << 53;

/// The most dice that a turn can use (6-6-x).
inline constexpr std::size_t max_dice = 3;

/// The dice of one turn in rolling order, as a caller reports them: any numbers, any count.
/// decide() says whether they are possible. Of a list longer than max_dice this keeps only the
/// first three and the count, since no rule can use it. Never allocates.
class Dice {
 public:
  Dice() = default;
  Dice(std::initializer_list<std::int32_t> values)
      : Dice(std::span(values.begin(), values.size())) {}
  explicit Dice(std::span<const std::int32_t> values);

  std::size_t size() const { return size_; }
  /// At most the first max_dice values.
  std::span<const std::int32_t> values() const;
  std::int64_t sum() const;

  friend bool operator==(const Dice&, const Dice&) = default;

 private:
  std::array<std::int32_t, max_dice> values_{};
  std::size_t size_ = 0;
};

/// "6-6-1".
std::string to_string(const Dice& dice);

/// Reads "6-3" or "6", as to_string writes them, or "6,3"; none for any other text. A number that
/// is too large for an int32 becomes the largest one, which no die shows.
std::optional<std::vector<std::int32_t>> parse_dice(std::string_view text);

/// Philox4x32-10 of a counter and a key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// The `die`-th die (from 0) of a turn (≥ 1) of the game with this seed: 1 to `faces` (2 to 100),
/// each equally likely.
///
/// With t = turn − 1, the counter is (t ÷ 16 mod 2³², die, attempt, 0) and the key (seed's low 32
/// bits, its high ones). Word (t mod 16) ÷ 4 of the result, as a fraction of 2³², is read as digits
/// in base `faces`: digit t mod 4 (the first is 0) is the die less 1. If the fraction left after
/// four digits is below 2³² mod faces⁴, the word would favour some faces. Then attempt, which
/// begins at 0, goes up by one (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
/// Generation", 2024).
std::int32_t seeded_die(std::uint64_t seed, Turn turn, std::uint32_t die, std::int32_t faces);

}  // namespace snl
