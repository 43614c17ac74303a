// The check of a store's hosted games: a part of `snl db check` and `snl audit --all`, the same for
// every store that keeps hosted games.
#pragma once

#include "problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snl {

/// The most faulty hosted games that a check reports.
inline constexpr std::size_t most_faulty_hosted_games = 10;

/// The fault of the hosted game with this document. `events` are those of version 1 of its game's
/// log, if there is one. Faults: the document can't be read, or can't be at its stage; or the log
/// was drawn from another secret, or from other entropy than its players promised. A log that can't
/// be read is passed over: an audit reports it.
std::optional<Problem> fault_of_hosted_game(const std::string& id, std::int64_t revision,
                                            std::string_view document,
                                            std::optional<std::string_view> events);

}  // namespace snl
