// The document of a hosted game: all that a store keeps of it but its ID and its revision, as JSON.
// For stores' own use; storage/format.md specifies it.
//
// A document names its form, a number. Its members are those of the form and no others: a program
// that doesn't know a member doesn't know the game either, and would play it by other rules, or
// write it without. So whoever adds a member makes a new form, which is written of the games that
// need it alone, and the forms before it are read beside it.
#pragma once

#include "hosted_games.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace snl {

std::string encode_hosted_game(const HostedGame& game);

/// Throws StoreError for a document that is damaged, or of a form that this program doesn't know.
HostedGame decode_hosted_game(std::string_view id, std::int64_t revision,
                              std::string_view document);

}  // namespace snl
