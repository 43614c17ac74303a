// The word that somebody may have meant who mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace snl::cli {

/// How many letters have to be added, taken away, changed, or swapped with the next one, to make
/// one word of the other; no part of a word is changed twice (optimal string alignment).
std::size_t changes_between(std::string_view a, std::string_view b);

/// The candidate that needs the fewest changes, the first of several: at most one change for every
/// three letters of `word`, and one at least; else the first that begins with `word`, if that has
/// three letters. Capital letters count as small ones. Empty: none is near.
std::string near_word(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean WORD?" with the near word, or nothing.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace snl::cli
