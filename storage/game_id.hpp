// The IDs of games.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}
bool is_game_id(std::string_view text);

/// The rule in words, for people.
inline constexpr std::string_view game_id_rule =
    "an ID is up to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit";

/// Makes an ID of `length` characters, at most 12, that are easy to read and to type. Each takes
/// five random bits.
std::string game_id_from(std::uint64_t random_bits, std::size_t length);

}  // namespace snl
