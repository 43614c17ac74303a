// Letters and digits of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace snl {

constexpr bool is_letter_or_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Turns A to Z into a to z, and leaves all else as it is.
constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = lower_case(c);
  return lower;
}

/// Whether they are the same but for capitals.
constexpr bool same_but_for_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other,
                            [](char a, char b) { return lower_case(a) == lower_case(b); });
}

}  // namespace snl
