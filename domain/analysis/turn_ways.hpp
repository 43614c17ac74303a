// The turns of one piece alone, or of a race's pieces together, in whole numbers. All ways in which
// a turn's dice can fall are equally likely, and this counts how many of them lead from state to
// state.
#pragma once

#include "domain/board.hpp"
#include "domain/rules.hpp"
#include "race_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

struct TurnWays {
  struct Lead {
    std::size_t to;  // its number; leads.size(): it has finished
    std::int64_t ways;
  };
  std::int64_t all = 1;
  /// By number of a state (a cell, on a board without powers), with states of higher cells last.
  /// Only between states that the piece may come to and can finish from; empty if it can't finish.
  std::vector<std::vector<Lead>> leads;
  std::size_t begin = 0;  // the state that the piece is in
  bool can_strand = false;
};

/// The ways of a piece on this cell. With effects, it finds nobody to swap with or to capture. An
/// error is a sentence without its full stop: there are too many states.
std::expected<TurnWays, std::string> turn_ways(const Board& board, const Rules& rules, Cell piece);

struct RaceWays {
  TurnWays turns;  // of all players; finished: somebody has won
  TurnWays wins;   // the same once for each player; finished: this player has won
  /// The state of `wins` in which each player is, by seat.
  std::vector<std::size_t> begins;
};

/// The ways of a race that nobody has won. An error is a sentence without its full stop: its pieces
/// may stand in more than `most_states` ways.
std::expected<RaceWays, std::string> race_ways(const Board& board, const Rules& rules,
                                               const Race& race, std::size_t most_states);

}  // namespace snl
