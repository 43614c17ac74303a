// Starting games under requested IDs or made-up ones.
#pragma once

#include "match.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace [[gnu::visibility("default")]] snl {

/// Below 2⁵³, so that any reader of JSON keeps every digit.
std::uint64_t random_seed();

/// A random prefix for the IDs of games that belong together; no existing game's ID begins with it.
std::string new_id_prefix(EventReader& store);

/// The ID of the `number`-th of `count` such games. All are of the same length, so that they sort
/// by number.
std::string numbered_id(const std::string& prefix, std::uint64_t number, std::uint64_t count);

/// Starts a game under this ID or, if it is empty, under a short one that is free.
std::expected<Match, Rejection> start_game(EventStore& store, const std::string& id,
                                           const StartGame& command);

}  // namespace snl
