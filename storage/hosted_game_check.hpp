// What is wrong with a hosted game of a store: a part of `snl db check` and `snl audit --all`, the
// same for every store that keeps some.
#pragma once

#include "problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snl {

/// How many are told of, at most.
inline constexpr std::size_t most_faulty_hosted_games = 10;

/// Of the hosted game with this document, and the events of version 1 of its game's log, if there
/// is one: that it can't be read, or can't be at its stage; that it has another secret, or its
/// players promised something else, than what the log was drawn from. A log that can't be read is
/// passed over: an audit tells of it.
std::optional<Problem> fault_of_hosted_game(const std::string& id, std::int64_t revision,
                                            std::string_view document,
                                            std::optional<std::string_view> events);

}  // namespace snl
