// Odds of one piece as fractions.
#pragma once

#include "domain/board.hpp"
#include "domain/rules.hpp"

#include <boost/json.hpp>

#include <expected>
#include <optional>
#include <string>

namespace snl::cli {

/// Each in lowest terms, "P/Q", or "P" where Q is 1.
struct ExactOdds {
  std::optional<std::string> expected_turns;  // none where it is infinite
  std::string finish_probability;
};

/// As many states of a piece (cells, on a board without powers) are solved for, in some seconds.
inline constexpr std::size_t max_exact_states = 500;

/// Of a piece on this cell. An error is a sentence without its full stop that says why not.
std::expected<ExactOdds, std::string> exact_odds(const Board& board, const Rules& rules,
                                                 Cell piece);

boost::json::object exact_odds_json(const ExactOdds& odds);

}  // namespace snl::cli
