// Options that say what is wrong with their value, with the value.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <limits>
#include <string>
#include <utility>

namespace snl::cli {

/// A check that a word is a whole number from `low` to `high`, to the last digit: CLI11 alone takes
/// -1 for a very large unsigned number, and a number that is too large for the largest.
template <std::integral Number>
auto whole_number(Number low = std::numeric_limits<Number>::min(),
                  Number high = std::numeric_limits<Number>::max()) {
  return [low, high](const std::string& word) -> std::string {
    Number value{};
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc{} && stop == end && value >= low && value <= high) return {};
    return fmt::format("{} isn't a whole number from {} to {}", word.empty() ? "\"\"" : word, low,
                       high);
  };
}

/// An option that takes a whole number.
template <class Target>
CLI::Option* add_number(CLI::App& command, const std::string& names, Target& target,
                        const std::string& about) {
  using Number = decltype([] {
    if constexpr (std::integral<Target>)
      return Target{};
    else
      return typename Target::value_type{};
  }());
  return command.add_option(names, target, about)->check(whole_number<Number>())->type_name("N");
}

}  // namespace snl::cli
