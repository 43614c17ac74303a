// Tokens, each of which gives a caller its rights. They are random, so their SHA-256 is enough to
// know them by.
#pragma once

#include "http.hpp"
#include "storage/hash.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// 32 bytes as base64url without padding: 43 characters.
std::string token_from(const Hash& bytes);
/// Whether a text is one.
bool is_token(std::string_view text);

/// The text after `Authorization: Bearer` in a request, a token or not; none without that.
std::optional<std::string_view> token_of(const HttpRequest& request);

}  // namespace snl::cli
