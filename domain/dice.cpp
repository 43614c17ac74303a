#include "dice.hpp"

#include <algorithm>
#include <numeric>

namespace snl {
namespace {

constexpr Turn turns_a_block = 16;
constexpr std::uint32_t digits_a_word = 4;

struct Drawn {
  std::int32_t digit;
  bool fair;
};

/// Digit `place` of a word read as a fraction in base `faces`, and whether the word may be used.
Drawn draw(std::uint32_t word, std::uint32_t place, std::uint32_t faces) {
  Drawn drawn{};
  std::uint64_t outcomes = 1;
  std::uint32_t fraction = word;
  for (std::uint32_t digit = 0; digit < digits_a_word; ++digit) {
    const std::uint64_t product = std::uint64_t{fraction} * faces;
    if (digit == place) drawn.digit = static_cast<std::int32_t>(product >> 32U);
    fraction = static_cast<std::uint32_t>(product);
    outcomes *= faces;
  }
  drawn.fair = fraction >= (std::uint64_t{1} << 32U) % outcomes;
  return drawn;
}

}  // namespace

Dice::Dice(std::span<const std::int32_t> values) : size_(values.size()) {
  std::ranges::copy(values.first(std::min(values.size(), max_dice)), values_.begin());
}

std::span<const std::int32_t> Dice::values() const {
  return std::span(values_).first(std::min(size_, max_dice));
}

std::int64_t Dice::sum() const {
  return std::accumulate(values_.begin(), values_.end(), std::int64_t{0});
}

std::string to_string(const Dice& dice) {
  std::string text;
  for (const std::int32_t value : dice.values()) {
    if (!text.empty()) text += '-';
    text += std::to_string(value);
  }
  if (dice.size() > max_dice) text += "-…";
  return text;
}

std::optional<std::int32_t> distance_of(const Dice& dice, const Rules& rules) {
  const auto values = dice.values();
  const auto on_a_die = [&](std::int32_t value) { return value >= 1 && value <= rules.faces; };
  if (dice.size() == 0 || dice.size() > max_dice) return std::nullopt;
  if (!std::ranges::all_of(values, on_a_die)) return std::nullopt;
  if (rules.sixes == Sixes::again) {
    const auto is_six = [](std::int32_t value) { return value == 6; };
    if (!std::ranges::all_of(values.first(values.size() - 1), is_six)) return std::nullopt;
    return is_forfeit(dice, rules) ? 0 : static_cast<std::int32_t>(dice.sum());
  }
  if (dice.size() != static_cast<std::size_t>(rules.dice)) return std::nullopt;
  return static_cast<std::int32_t>(dice.sum());
}

bool is_forfeit(const Dice& dice, const Rules& rules) {
  return rules.sixes == Sixes::again && dice == Dice{6, 6, 6};
}

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  constexpr std::uint64_t multiplier_0 = 0xD2511F53;
  constexpr std::uint64_t multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9;  // the golden ratio
  constexpr std::uint32_t weyl_1 = 0xBB67AE85;  // √3 − 1
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {static_cast<std::uint32_t>(product_1 >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product_1),
               static_cast<std::uint32_t>(product_0 >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product_0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::int32_t seeded_die(std::uint64_t seed, Turn turn, std::uint32_t die, std::int32_t faces) {
  const Turn index = turn - 1;
  const auto slot = static_cast<std::uint32_t>(index % turns_a_block);
  const std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(seed),
                                         static_cast<std::uint32_t>(seed >> 32U)};
  for (std::uint32_t attempt = 0;; ++attempt) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(index / turns_a_block), die, attempt, 0}, key);
    const Drawn drawn =
        draw(words[slot / digits_a_word], slot % digits_a_word, static_cast<std::uint32_t>(faces));
    if (drawn.fair) return drawn.digit + 1;
  }
}

Dice roll_dice(const Rules& rules, std::uint64_t seed, Turn turn) {
  std::array<std::int32_t, max_dice> values{};
  std::uint32_t count = 0;
  const auto roll = [&] {
    values[count] = seeded_die(seed, turn, count, rules.faces);
    return values[count++];
  };
  if (rules.sixes == Sixes::again) {
    while (roll() == 6 && count < max_dice)
      continue;
  } else {
    for (std::int32_t die = 0; die < rules.dice; ++die)
      roll();
  }
  return Dice(std::span(values).first(count));
}

}  // namespace snl
