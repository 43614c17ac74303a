// Options for numbers. Their errors show the bad value.
#pragma once

#include "domain/whole_number.hpp"

#include <CLI/CLI.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace snl::cli {

/// The error for a word that isn't a number of the option, with the least and the greatest number
/// if there are any.
std::string no_whole_number(const std::string& word, const std::optional<std::string>& low,
                            const std::optional<std::string>& high);

/// The error for digits that are more than the option's type can hold; empty for any other word.
std::string too_large_number(const std::string& word);

/// A check that a word is a whole number from `low` to `high`, to the last digit. CLI11 alone is
/// laxer: it takes -1 for a very large unsigned number, and a number that is too large for the
/// largest.
template <std::integral Number>
auto whole_number(Number low = std::numeric_limits<Number>::min(),
                  Number high = std::numeric_limits<Number>::max()) {
  return [low, high](const std::string& word) -> std::string {
    const auto value = snl::whole_number<Number>(word);
    if (value && *value >= low && *value <= high) return {};
    // The limits of our types mean nothing to a user. Seeds are the exception: they fill theirs.
    using OfType = std::numeric_limits<Number>;
    const bool all = std::is_unsigned_v<Number>;
    if (!value && !all && high == OfType::max())
      if (std::string fault = too_large_number(word); !fault.empty()) return fault;
    return no_whole_number(
        word, all || low != OfType::min() ? std::optional(std::to_string(low)) : std::nullopt,
        all || high != OfType::max() ? std::optional(std::to_string(high)) : std::nullopt);
  };
}

/// "1e5" as "100000", and "010" as "10", which CLI11 would read as an octal 8. Any other word stays
/// as it is, for a check to judge.
std::string plain_number(const std::string& word);

/// The type of the number in an option's target, which may be a std::optional.
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
