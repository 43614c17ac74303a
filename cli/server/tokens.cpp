#include "tokens.hpp"

#include "domain/whole_number.hpp"
#include "storage/ascii.hpp"
#include "storage/transparency/keys.hpp"

#include <algorithm>

namespace snl::cli {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t token_length = 43;

}  // namespace

std::string token_from(const Hash& bytes) {
  std::string token = transparency::to_base64(bytes);
  token.pop_back();  // the padding
  std::ranges::replace(token, '+', '-');
  std::ranges::replace(token, '/', '_');
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
  return without_spaces_around(value->substr(scheme.size()));
}

}  // namespace snl::cli
