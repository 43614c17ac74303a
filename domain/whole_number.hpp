// Whole numbers in texts.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace snl {

/// The number that all of the text is, in decimal digits with a minus before them at the most; none
/// where it is something else, or doesn't fit the type.
template <std::integral Number = std::int64_t>
std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace snl
