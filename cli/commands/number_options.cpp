#include "number_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace snl::cli {
namespace {

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The digits of "1e5" or "1.25E+3"; none if it isn't a whole number, or is too large for any
/// option.
std::optional<std::string> digits_of_exponential(std::string_view word) {
  constexpr std::size_t most_places = 20;
  const std::size_t e = std::min(word.find_first_of("eE"), word.size());
  std::string_view exponent = word.substr(std::min(e + 1, word.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  if (!are_digits(exponent) || exponent.size() > 2) return std::nullopt;
  const std::size_t places = std::stoul(std::string(exponent));
  const std::string_view number = word.substr(0, e);
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view fraction = number.substr(std::min(point + 1, number.size()));
  std::string digits(number.substr(0, point));
  digits += fraction;
  if (!are_digits(digits) || places > most_places || fraction.size() > places) return std::nullopt;
  return digits + std::string(places - fraction.size(), '0');
}

}  // namespace

std::string no_whole_number(const std::string& word, const std::optional<std::string>& low,
                            const std::optional<std::string>& high) {
  const std::string shown = word.empty() ? "\"\"" : word;
  if (low && high) return fmt::format("{} isn't a whole number from {} to {}", shown, *low, *high);
  if (low) return fmt::format("{} isn't a whole number from {} on", shown, *low);
  return fmt::format("{} isn't a whole number", shown);
}

std::string too_large_number(const std::string& word) {
  return are_digits(word) ? fmt::format("{} is too large a number", word) : "";
}

std::string plain_number(const std::string& word) {
  std::string digits = digits_of_exponential(word).value_or(word);
  if (are_digits(digits))
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

}  // namespace snl::cli
