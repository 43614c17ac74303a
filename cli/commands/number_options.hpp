// Options that say what is wrong with their value, with the value.
#pragma once

#include "domain/whole_number.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace snl::cli {

/// A check that a word is a whole number from `low` to `high`, to the last digit: CLI11 alone takes
/// -1 for a very large unsigned number, and a number that is too large for the largest.
template <std::integral Number>
auto whole_number(Number low = std::numeric_limits<Number>::min(),
                  Number high = std::numeric_limits<Number>::max()) {
  return [low, high](const std::string& word) -> std::string {
    const auto value = snl::whole_number<Number>(word);
    if (value && *value >= low && *value <= high) return {};
    return fmt::format("{} isn't a whole number from {} to {}", word.empty() ? "\"\"" : word, low,
                       high);
  };
}

/// "1e5" as "100000", "010" as "10", which the library of arguments would take for an octal 8. Any
/// other word stays as it is, to be looked at by a check.
std::string plain_number(const std::string& word);

/// The number that an option's value is, or would be if it were given.
template <class Target>
struct NumberOf {
  using Type = Target;
};
template <class Number>
struct NumberOf<std::optional<Number>> {
  using Type = Number;
};

/// An option that takes a whole number from `low` to `high`.
template <class Target, class Number = typename NumberOf<Target>::Type>
CLI::Option* add_number(CLI::App& command, const std::string& names, Target& target,
                        const std::string& about,
                        std::type_identity_t<Number> low = std::numeric_limits<Number>::min(),
                        std::type_identity_t<Number> high = std::numeric_limits<Number>::max()) {
  return command.add_option(names, target, about)
      ->transform(plain_number)
      ->check(whole_number<Number>(low, high))
      ->type_name("N");
}

}  // namespace snl::cli
