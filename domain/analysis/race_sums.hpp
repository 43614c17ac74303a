// The chances to win a race, as sums over its rounds: a player wins with a round in which they
// finish, if nobody did before. Every sum comes with a bound on its error, and is an answer only if
// the error doesn't matter.
#pragma once

#include "chain.hpp"
#include "countdown.hpp"
#include "domain/game.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Players on these cells. The one in seat `to_move` (from 0) has the next turn. A player on the
/// last cell has won; there may be one at most.
struct Race {
  std::vector<Cell> cells;
  std::size_t to_move = 0;
  Tallies tallies = {};  // of the players, in games with effects
};

struct RaceOdds {
  std::vector<double> win;  // by seat
  double never = 0;         // that nobody ever finishes
  std::optional<double> expected_turns =
      std::nullopt;  // of all players together; none where infinite
  /// None if it is infinite, or can't be computed.
  std::optional<double> stddev_turns = std::nullopt;
  /// For each of OddsQuestion::quantiles, the turn by which that share of games is won. None if
  /// that never happens, or if it can't be computed.
  std::vector<std::optional<std::int64_t>> quantiles = {};
  friend bool operator==(const RaceOdds&, const RaceOdds&) = default;
};

/// The position of a race that nobody has won. The next player is the first who has no turn to
/// miss.
Position position_of(const Race& race);

/// The outcome of a piece in the end, from each live or stranded cell.
struct Outlook {
  CellValues ever;   // the chance that it finishes
  CellValues never;  // that it doesn't; each a sum of its own, so that neither loses its digits
  /// The largest expected number of turns, over all cells, of a piece that finishes.
  double longest = 0;
};

class RaceSums {
 public:
  /// Keeps `outlook`, which must outlive it. `quantiles` as in OddsQuestion.
  RaceSums(const Race& race, const Chain& chain, const Outlook& outlook,
           std::span<const double> quantiles = {});

  std::size_t players() const { return cells_.size(); }
  const std::vector<Cell>& cells() const { return cells_; }

  /// Adds the round that ended with `now`, or as many like it as `weight` says. If `now` took
  /// several turns at once, the order of finishes isn't known. That counts as uncertain.
  void add(const Countdown& now, double weight = 1);

  /// Whether the rounds to come can be added as a tail. They can't if pieces that don't finish play
  /// turns, unless those turns don't matter.
  bool takes_tail() const { return is_over_ || !has_plays_ || !may_strand_ || may_never_end_; }
  /// Adds all later rounds, if it takes_tail.
  void add_tail(const Countdown& at, const Countdown::Tail& tail);

  /// Counts the error of a sum over smooth terms as uncertain. It is at most `by` times the bound
  /// that `early` sets on a term: there, a piece from any cell had a chance of `finishing` to
  /// finish with a turn, if it ever did.
  void add_uncertainty(double by, const Countdown& early, double finishing);

  /// Finds out whether anything after `at` could show in the sums. If not, the race is over.
  void look_ahead(const Countdown& at);
  bool is_over() const { return is_over_; }

  /// None if the sums may be off in their tenth digit.
  std::optional<RaceOdds> odds() &&;

 private:
  double never(std::size_t i) const { return outlook_->never[index_of(cells_[i])]; }
  double unfinished(std::size_t i, const Countdown& at) const;
  /// The expected turns that player i played in the last step.
  double played(std::size_t i, const Countdown& at) const;
  double unfinished_before(std::size_t i, const Countdown& at) const;
  /// Takes each factor of a term as somewhere between its values before and after.
  void add_uncertain_order(const Countdown& now, double weight);
  double all_chances() const;
  /// Notes the quantiles that this turn reaches. After it, the chance to go on is `still`.
  void note_quantiles(double turn, double still);
  void add_tail_of_quantiles(const Countdown& at, double factor);
  std::optional<double> stddev_turns() const;

  const Outlook* outlook_;
  std::vector<std::size_t> seats_;  // in the order of their turns
  std::vector<Cell> cells_;         // in the same order
  bool is_over_ = false;
  bool may_never_end_ = false;
  bool may_strand_ = false;  // somebody may
  bool has_plays_;           // of the chain; else every player plays one turn a round
  double most_plays_ = 1;    // from any cell
  double never_ = 0;
  std::vector<double> win_;        // in the same order
  std::vector<double> uncertain_;  // the most that each of them may be off by
  std::vector<double> to_go_;      // scratch: that nobody from a player on has finished before
  double expected_turns_ = 0;
  double uncertain_turns_ = 0;
  /// The mean of the squares of the turns of a race, if each round was one turn of every player.
  std::optional<double> squared_turns_;
  double uncertain_squares_ = 0;
  std::vector<double> wanted_;  // quantiles, and the turns by which they are reached
  std::vector<std::optional<std::int64_t>> quantiles_;
};

}  // namespace snl
