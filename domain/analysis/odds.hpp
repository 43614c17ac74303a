// Exact odds of a board and its rules: how long a piece takes, and who of several players wins.
//
// Pieces don't influence each other, so a race is decided by each piece's own chances to finish
// with its first, second, third … turn. Nothing is simulated or rounded off on the way; see
// Absorption and Countdown for how far the answers can be trusted.
#pragma once

#include "absorption.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

namespace snl {

/// How one piece fares alone. None where the value is infinite or, for a median, where less than
/// half of all pieces ever finish; also where a board is too large for it, see BoardOdds.
struct PieceOdds {
  struct Finish {
    std::int64_t turns;
    double probability;
  };

  bool reachable = false;  // whether the piece can finish at all
  double finish_probability = 0;
  std::optional<Cell> stranding_cell;  // the lowest cell it may come to and never finish from
  std::optional<std::int64_t> fewest_turns;
  std::optional<double> expected_turns;
  std::optional<double> stddev_turns;
  std::optional<std::int64_t> median_turns;  // the first by which half of all pieces have finished
  /// Of finishing with exactly so many turns: from the fewest up to where 10^-15 of the finishing
  /// chance is left, or max_distribution rows. None where that was not worked out.
  std::optional<std::vector<Finish>> distribution;
  /// Of the equations behind the expected turns, or else the finish probability.
  double residual = 0;
};

inline constexpr std::size_t max_distribution = 100'000;

/// Players on these cells; the one in seat `to_move` (from 0) has the next turn. A cell that is the
/// last one means that its player has won, one at most.
struct Race {
  std::vector<Cell> cells;
  std::size_t to_move = 0;
};

struct RaceOdds {
  std::vector<double> win;               // by seat
  double never = 0;                      // that nobody ever finishes
  std::optional<double> expected_turns;  // of all players together; none where infinite
  friend bool operator==(const RaceOdds&, const RaceOdds&) = default;
};

struct BoardOdds {
  std::optional<PieceOdds> piece;
  /// In the order of the races asked for. None where that would take more than max_work.
  std::optional<std::vector<RaceOdds>> races;
};

/// How many multiplications the turn by turn part may take: half a minute or so. It fits any board
/// of 10,000 cells whose games last some 100,000 turns. Beyond it the median, the distribution
/// and the races are left out.
inline constexpr double max_work = 1.5e11;

/// What is asked about a board.
struct OddsQuestion {
  std::optional<Cell> piece = std::nullopt;  // on this cell, to finish
  std::vector<Race> races = {};
};

/// Cells must be 0 to cells(). Fails, before any long work, where the board is too large.
std::expected<BoardOdds, TooManyReturns> odds_of(const Board& board, const Rules& rules,
                                                 const OddsQuestion& question);

}  // namespace snl
