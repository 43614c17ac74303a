// What a server's rooms promised of the dice of games, compared with what their logs say: a part of
// `snl db check` and `snl audit --all`, the same for every store that keeps rooms.
#pragma once

#include "hash.hpp"
#include "problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

/// What a room kept of the draw that its game began with.
struct KeptDraw {
  struct Seat {
    std::int64_t seat = 0;
    std::optional<Hash> promised = {};
    std::optional<Hash> given = {};
  };
  std::string game;
  std::optional<Hash> secret = {};
  std::vector<Seat> seats = {};  // those that are taken, in order
};

/// How many broken promises are told of, at most.
inline constexpr std::size_t most_broken_promises = 10;

/// What is wrong if the room has another secret, or its players promised something else, than what
/// version 1 of the log, with these events, was drawn from. A log that can't be read is passed
/// over: an audit tells of it.
std::optional<Problem> broken_promise(const KeptDraw& kept, std::string_view events);

}  // namespace snl
