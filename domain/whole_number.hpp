// Whole numbers in texts.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <system_error>
#include <vector>

namespace snl {

/// The number that the whole text is: decimal digits, perhaps after a minus. None for any other
/// text, or if the number doesn't fit the type.
template <std::integral Number = std::int64_t>
std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A part of a text without the spaces at its ends.
constexpr std::string_view without_spaces_around(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// The numbers of "1,6" or "1, 6", in their order; none for any other text, or if one doesn't fit.
inline std::optional<std::vector<std::int32_t>> whole_numbers(std::string_view text) {
  std::vector<std::int32_t> numbers;
  for (const auto part : std::views::split(text, ',')) {
    const auto number = whole_number<std::int32_t>(without_spaces_around(std::string_view(part)));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

}  // namespace snl
