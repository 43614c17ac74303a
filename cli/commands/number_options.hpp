// Options that say what is wrong with their value, with the value.
#pragma once

#include "domain/whole_number.hpp"

#include <CLI/CLI.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace snl::cli {

/// What is told of a word that is none of an option's numbers, where it has a least or a greatest
/// one.
std::string no_whole_number(const std::string& word, const std::optional<std::string>& low,
                            const std::optional<std::string>& high);

/// The same of digits that are more than an option's type can hold; empty for another word.
std::string too_large_number(const std::string& word);

/// A check that a word is a whole number from `low` to `high`, to the last digit: CLI11 alone takes
/// -1 for a very large unsigned number, and a number that is too large for the largest.
template <std::integral Number>
auto whole_number(Number low = std::numeric_limits<Number>::min(),
                  Number high = std::numeric_limits<Number>::max()) {
  return [low, high](const std::string& word) -> std::string {
    const auto value = snl::whole_number<Number>(word);
    if (value && *value >= low && *value <= high) return {};
    // What a type of ours can't hold is nobody's range, but for seeds, which are all that it holds.
    using Limits = std::numeric_limits<Number>;
    const bool all = std::is_unsigned_v<Number>;
    if (!value && !all && high == Limits::max())
      if (std::string fault = too_large_number(word); !fault.empty()) return fault;
    return no_whole_number(
        word, all || low != Limits::min() ? std::optional(std::to_string(low)) : std::nullopt,
        all || high != Limits::max() ? std::optional(std::to_string(high)) : std::nullopt);
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
