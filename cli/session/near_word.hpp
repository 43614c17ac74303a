// The word that a user probably meant by a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace snl::cli {

/// The candidate that needs the fewest changes, the first one if several do. It may need one change
/// for every three letters of `word`, or one if `word` is shorter. If none is that near: the first
/// candidate that begins with `word`, if `word` has three letters. Case doesn't count. Empty if no
/// candidate fits.
std::string near_word(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean WORD?" with the near word, or an empty text.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace snl::cli
