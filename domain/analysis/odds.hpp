// Exact odds of a board and its rules: how long a piece takes, and which of several players wins.
//
// If pieces don't influence each other, each piece's own chances to finish with its first, second,
// third … turn decide a race. (Else see joint_odds.hpp.) Nothing is simulated.
//
// Answers are right to 9 digits and more, however small they are. Expectations and the chances to
// finish are solutions of linear equations (see Absorption). A sum over turns ends where the rest
// is below a part of 10^-13, or is a geometric series (see Countdown::tail). It may leap over
// turns, with a bound on the error (see Leaps). An answer that can't be found this way is left out,
// with the reason. The chance of a number of turns that is as_good_as_none shows as 0.
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

/// The odds of one piece alone. A value is none if it is infinite, or if it takes too much work. A
/// median is also none if no more than half of all pieces ever finish. The same holds if, for many
/// turns, the share that has finished is too close to half for doubles to tell the turn.
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
  /// The chances to finish with exactly so many turns. They go from the fewest turns until 10^-15
  /// of the finishing chance is left, or for max_distribution rows. None if they weren't computed.
  std::optional<std::vector<Finish>> distribution;
  /// The residual of the equations behind the expected turns, or else the finish probability; see
  /// Absorption.
  double residual = 0;

  /// The first turn by which this share of all pieces, above 0 and below 1, has finished. None if
  /// the distribution ends before it.
  std::optional<std::int64_t> quantile(double share) const;
};

inline constexpr std::size_t max_distribution = 100'000;

struct BoardOdds {
  std::optional<PieceOdds> piece;
  /// In the order of the question's races.
  std::optional<std::vector<RaceOdds>> races;
  /// If there are none, the reason, as a sentence without its full stop.
  std::string why_no_races;
};

/// The most multiplications that the turn-by-turn part may take: a minute or two. It is enough for
/// any board of 10,000 cells whose games last some 100,000 turns. It is also enough for boards of
/// which a piece can stand on up to Leaps::most_cells cells, however long games last. Beyond it,
/// the races are left out, and everything else that isn't known by then.
inline constexpr double max_work = 1.5e11;

/// A question about a board.
struct OddsQuestion {
  std::optional<Cell> piece = std::nullopt;  // on this cell, to finish
  std::vector<Race> races = {};
  /// Shares of all games, above 0 and below 1. For each race, the answer says by which turn they
  /// are won.
  std::vector<double> quantiles = {};
  double most_work = max_work;  // as max_work, for callers that can't wait so long
  StopRequested stop = {};      // once it answers true, the rest of the answer is left out
};

/// Cells must be 0 to cells(), and the piece's cell not the last one. An error is a sentence that
/// says why there are no exact odds: see Absorption::make. With effects, a piece alone finds nobody
/// to swap with or to capture. The turns of a race are those that are played, not those missed. If
/// pieces meet, a race is one chain of all of them (joint_odds.hpp), and is left out if that has
/// more than 1,500,000 states.
std::expected<BoardOdds, std::string> odds_of(const Board& board, const Rules& rules,
                                              const OddsQuestion& question);

/// Whether a game of this many players may come to a position from which nobody can win any more.
/// If pieces meet, that depends on all of them: one may be stuck until another sends it away, and
/// pieces that finish alone may capture each other without end. None if there are too many states
/// to find out soon.
std::optional<bool> may_never_end(const Board& board, const Rules& rules, std::size_t players);

}  // namespace snl
