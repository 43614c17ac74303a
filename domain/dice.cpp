#include "dice.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <system_error>

namespace snl {
namespace {

constexpr Turn turns_a_block = 16;
constexpr std::uint32_t digits_a_word = 4;

struct Drawn {
  std::int32_t digit;
  bool fair;
};

/// Digit `place` of a word that is read as a fraction in base `faces`, and whether the word is
/// fair.
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

/// A whole decimal number, or the largest int32 for a larger one; none for anything but digits.
std::optional<std::int32_t> die_from(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  std::int32_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return code == std::errc{} ? value : std::numeric_limits<std::int32_t>::max();
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

std::optional<std::vector<std::int32_t>> parse_dice(std::string_view text) {
  std::vector<std::int32_t> dice;
  while (true) {
    const std::size_t between = std::min(text.find_first_of("-,"), text.size());
    const auto die = die_from(text.substr(0, between));
    if (!die) return std::nullopt;
    dice.push_back(*die);
    if (between == text.size()) return dice;
    text.remove_prefix(between + 1);
  }
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

}  // namespace snl
