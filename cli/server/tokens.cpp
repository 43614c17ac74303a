#include "tokens.hpp"

#include "storage/ascii.hpp"

#include <algorithm>

namespace snl::cli {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t token_length = 43;

}  // namespace

std::string token_from(const Hash& bytes) {
  std::string token;
  unsigned bits = 0;  // its last ones aren't written yet
  unsigned count = 0;
  for (const std::uint8_t byte : bytes) {
    bits = bits << 8U | byte;
    count += 8;
    for (; count >= 6; count -= 6)
      token += letters[bits >> (count - 6) & 63U];
  }
  token += letters[bits << (6 - count) & 63U];
  return token;
}

bool is_token(std::string_view text) {
  if (text.size() != token_length) return false;
  const auto all_letters = std::ranges::all_of(
      text, [](char letter) { return letters.find(letter) != std::string_view::npos; });
  // The last letter has four bits of the last byte, and two that say nothing.
  return all_letters && letters.find(text.back()) % 4 == 0;
}

std::optional<std::string_view> token_of(const HttpRequest& request) {
  constexpr std::string_view scheme = "bearer ";
  const auto value = request.header("authorization");
  if (!value || value->size() < scheme.size() ||
      !same_but_for_case(value->substr(0, scheme.size()), scheme))
    return std::nullopt;
  std::string_view token = value->substr(scheme.size());
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  return token.substr(0, token.find_last_not_of(' ') + 1);
}

}  // namespace snl::cli
