// Tokens: who has one may do what it is for. They are random, so that their SHA-256 is enough to
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

/// SHA-256.
Hash hash_of(std::string_view bytes);

/// The token of a request's `Authorization: Bearer`, whatever it is; none where there is none.
std::optional<std::string_view> token_of(const HttpRequest& request);

}  // namespace snl::cli
