// The odds of one piece and of a race as fractions.
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

/// Fractions in lowest terms: "P/Q", or "P" where Q is 1.
struct ExactOdds {
  std::optional<std::string> expected_turns;  // none if infinite
  std::string finish_probability;
  std::vector<std::string> win = {};  // by seat; empty if the race has too many states
  std::optional<std::string> expected_game_turns = std::nullopt;  // none if infinite, too
};

/// The most states of a piece (cells, on a board without powers): solving takes some seconds.
inline constexpr std::size_t max_exact_states = 500;

/// The most states of a race's pieces, times the number of players.
inline constexpr std::size_t max_exact_race_states = 1000;

/// The odds of a race that nobody has won, and of the piece to move. The error is a sentence
/// without its full stop that says why there are none for the piece.
std::expected<ExactOdds, std::string> exact_odds(const Board& board, const Rules& rules,
                                                 const Race& race);

boost::json::object exact_odds_json(const ExactOdds& odds);

}  // namespace snl::cli
