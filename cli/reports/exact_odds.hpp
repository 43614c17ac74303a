// Odds of one piece and of a race as fractions.
#pragma once

#include "domain/analysis/race_sums.hpp"
#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <boost/json.hpp>

#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

/// Each in lowest terms, "P/Q", or "P" where Q is 1.
struct ExactOdds {
  std::optional<std::string> expected_turns;  // none where it is infinite
  std::string finish_probability;
  std::vector<std::string> win = {};  // by seat; empty where the race has too many states
  std::optional<std::string> expected_game_turns = std::nullopt;  // none where it is infinite, too
};

/// As many states of a piece (cells, on a board without powers) are solved for, in some seconds.
inline constexpr std::size_t max_exact_states = 500;

/// As many states of a race's pieces, counted once for each player, are solved for.
inline constexpr std::size_t max_exact_race_states = 1000;

/// Of a race that nobody has won, and of the piece that is to move. An error is a sentence without
/// its full stop that says why there is none of the piece.
std::expected<ExactOdds, std::string> exact_odds(const Board& board, const Rules& rules,
                                                 const Race& race);

boost::json::object exact_odds_json(const ExactOdds& odds);

}  // namespace snl::cli
