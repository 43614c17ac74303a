// Numbers in JSON from people and other programs: a whole number counts as one in any spelling.
#pragma once

#include <boost/json/value.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace snl {

/// 2.0 and 2e0 are 2. None for a fraction, or for a number that a double may have rounded.
inline std::optional<std::int64_t> whole_number(double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53: up to here a double has every whole number
  if (std::trunc(number) != number || std::abs(number) > exact) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

/// The whole number of a value that fits 64 bits; none for a larger one.
inline std::optional<std::int64_t> whole_number(const boost::json::value& value) {
  if (const auto* number = value.if_int64()) return *number;
  if (const auto* number = value.if_double()) return whole_number(*number);
  return std::nullopt;
}

}  // namespace snl
