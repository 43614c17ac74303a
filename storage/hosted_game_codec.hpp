// The document of a hosted game: all that a store keeps of it but its ID and its revision, as JSON.
// Only stores use it; storage/format.md specifies it.
//
// A document names its form, a number, and has the members of that form and no others. A program
// that doesn't know a member doesn't know the game either: it would play it by other rules, or
// write it back without the member. So a new member makes a new form. The new form is written only
// for the games that need it, and earlier forms stay readable.
#pragma once

#include "hosted_games.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace snl {

std::string encode_hosted_game(const HostedGame& game);

/// Throws StoreError if the document is damaged, or has a form that this program doesn't know.
HostedGame decode_hosted_game(std::string_view id, std::int64_t revision,
                              std::string_view document);

}  // namespace snl
