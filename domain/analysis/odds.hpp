// Exact odds of a board and its rules: how long a piece takes, and who of several players wins.
//
// Pieces don't influence each other, so a race is decided by each piece's own chances to finish
// with its first, second, third … turn. Nothing is simulated. Answers are right to 9 digits and
// more, however small they are: expectations and the chances to finish are solutions of linear
// equations (see Absorption); sums over turns are ended where what is left of them is bounded by a
// part of 10^-13 or is a geometric series (see Countdown::tail), and go over turns that are leapt
// over with a bound on what that loses (see Leaps). What can't be had so is left out, and why is
// said. The chance of a number of turns that is as_good_as_none shows as 0.
#pragma once

#include "absorption.hpp"
#include "domain/stop_requested.hpp"
#include "race_sums.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// How one piece fares alone. None where the value is infinite or, for a median, where no more than
/// half of all pieces ever finish; also where it takes too much work to find out, or where half
/// have finished so nearly for so many turns that numbers can't tell by which.
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
  /// Of the equations behind the expected turns, or else the finish probability; see Absorption.
  double residual = 0;

  /// The first turn by which so large a share of all pieces, above 0 and below 1, has finished.
  /// None where the distribution ends before it.
  std::optional<std::int64_t> quantile(double share) const;
};

inline constexpr std::size_t max_distribution = 100'000;

struct BoardOdds {
  std::optional<PieceOdds> piece;
  /// In the order of the races asked for.
  std::optional<std::vector<RaceOdds>> races;
  /// Where there are none: why, as a sentence without its full stop.
  std::string why_no_races;
};

/// How many multiplications the turn by turn part may take: a minute or two. It fits any board of
/// 10,000 cells whose games last some 100,000 turns, and however long they last boards of which a
/// piece can stand on up to Leaps::most_cells. Beyond it the races are left out, and what else
/// isn't known by then.
inline constexpr double max_work = 1.5e11;

/// What is asked about a board.
struct OddsQuestion {
  std::optional<Cell> piece = std::nullopt;  // on this cell, to finish
  std::vector<Race> races = {};
  /// The shares of all games, above 0 and below 1, to be won by a turn that is asked of each race.
  std::vector<double> quantiles = {};
  double most_work = max_work;  // as max_work, for who can't wait so long
  StopRequested stop = {};      // once it answers true, what isn't known yet is left out
};

/// Cells must be 0 to cells(), the piece's not the last one. An error is a sentence that says why
/// exact odds can't be had: see Absorption::make. With effects a piece alone finds nobody to swap
/// with or to capture, and the turns of a race are those that are played, not those missed. Where
/// pieces meet, a race is a chain of all of them (joint_odds.hpp), and left out where that has more
/// than 1,500,000 states.
std::expected<BoardOdds, std::string> odds_of(const Board& board, const Rules& rules,
                                              const OddsQuestion& question);

/// Whether a game of so many players may come to where nobody can win any more. Where pieces meet,
/// all of them together say so: one may be stuck until another sends it away, and pieces that
/// finish when they are alone may capture each other without end. None where that has too many
/// states to be found out soon.
std::optional<bool> may_never_end(const Board& board, const Rules& rules, std::size_t players);

}  // namespace snl
