#include "game_id.hpp"

#include "ascii.hpp"

#include <algorithm>

namespace snl {
namespace {

constexpr std::size_t max_length = 64;
constexpr std::string_view easy_to_type = "abcdefghijkmnpqrstuvwxyz23456789";  // no l, o, 0, 1

}  // namespace

bool is_game_id(std::string_view text) {
  const auto may_follow = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= max_length && is_letter_or_digit(text.front()) &&
         std::ranges::all_of(text, may_follow);
}

std::string game_id_from(std::uint64_t random_bits, std::size_t length) {
  static_assert(easy_to_type.size() == 32);
  std::string id;
  for (; id.size() < length; random_bits >>= 5U)
    id += easy_to_type[random_bits & 31U];
  return id;
}

}  // namespace snl
