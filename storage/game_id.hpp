// What games are called.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}
bool is_game_id(std::string_view text);

/// The same for people.
inline constexpr std::string_view game_id_rule =
    "an ID is up to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit";

/// An ID of `length` characters that are easy to read and to type, made from random bits: five are
/// used for each character, at most 12 characters.
std::string game_id_from(std::uint64_t random_bits, std::size_t length);

}  // namespace snl
