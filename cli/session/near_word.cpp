#include "near_word.hpp"

#include "storage/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// How many letters must be added, removed, changed, or swapped with the next one, to make one word
/// of the other. No part of a word is changed twice (optimal string alignment).
std::size_t changes_between(std::string_view a, std::string_view b) {
  // One row for each letter of `a`; only the last two are needed.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t i = 0; i < last.size(); ++i)
    last[i] = i;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

std::string near_word(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 64;  // nobody means a longer word
  if (word.empty() || word.size() > longest) return {};
  const std::string typed = lower_case(word);
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t changes = changes_between(typed, lower_case(candidate));
    // If no letter is left, it is another word.
    if (changes >= fewest || changes >= candidate.size()) continue;
    fewest = changes;
    nearest = candidate;
  }
  constexpr std::size_t shortest = 3;  // shorter beginnings fit too many words
  if (!nearest.empty() || typed.size() < shortest) return nearest;
  const auto begins_so = [&](const std::string& candidate) {
    return lower_case(candidate).starts_with(typed);
  };
  const auto longer = std::ranges::find_if(candidates, begins_so);
  return longer == candidates.end() ? std::string() : *longer;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = near_word(word, candidates);
  return near.empty() ? near : fmt::format("; did you mean {}?", near);
}

}  // namespace snl::cli
