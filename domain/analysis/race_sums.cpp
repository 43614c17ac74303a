#include "race_sums.hpp"

#include "domain/effects.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace snl {
namespace {

/// A term that is smaller than this part of its sum is left out.
constexpr double negligible = 1e-13;

/// The part of itself that a number may be off by, so that its first nine digits are right.
constexpr double allowed = 1e-10;

/// For each factor, the product of all the others.
std::vector<double> products_of_others(const std::vector<double>& factors) {
  std::vector<double> products(factors.size(), 1);
  double before = 1;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    products[i] = before;
    before *= factors[i];
  }
  double after = 1;
  for (std::size_t i = factors.size(); i-- > 0;) {
    products[i] *= after;
    after *= factors[i];
  }
  return products;
}

double product(const std::vector<double>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1.0, std::multiplies<>());
}

/// Σ over k ≥ 1 of (1 − leaving)^(mk), m ≥ 1.
double geometric_sum(double leaving, std::size_t m) {
  const double exponent = static_cast<double>(m) * std::log1p(-leaving);
  return leaving < 1 ? std::exp(exponent) / -std::expm1(exponent) : 0;
}

/// A polynomial in the factor by which chances fall from turn to turn: [i] is the coefficient of
/// its i-th power.
using Polynomial = std::vector<double>;

Polynomial times(const Polynomial& a, double constant, double linear) {
  Polynomial product(a.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    product[i] += a[i] * constant;
    product[i + 1] += a[i] * linear;
  }
  return product;
}

double sum_of_series(const Polynomial& terms, double leaving) {
  double sum = 0;
  for (std::size_t power = 1; power < terms.size(); ++power)
    if (terms[power] > 0) sum += terms[power] * geometric_sum(leaving, power);
  return sum;
}

/// The same sum, with the k-th term multiplied by k − 1.
double sum_of_later(const Polynomial& terms, double leaving) {
  double sum = 0;
  for (std::size_t power = 1; power < terms.size(); ++power) {
    const double share = geometric_sum(leaving, power);
    if (terms[power] > 0) sum += terms[power] * share * share;
  }
  return sum;
}

bool is_known(double value, double uncertain) {
  return std::isfinite(value) && uncertain <= allowed * value;
}

}  // namespace

Position position_of(const Race& race) {
  Position position{.tallies = race.tallies};
  std::ranges::copy(race.cells, position.cells.begin());
  const std::size_t players = race.cells.size();
  const auto before = static_cast<Seat>((race.to_move + players - 1) % players);
  const Handover handover = pass_on(race.tallies.skips, players, before);
  position.next = handover.next;
  position.tallies.skips = handover.skips;
  return position;
}

RaceSums::RaceSums(const Race& race, const Chain& chain, const Outlook& outlook,
                   std::span<const double> quantiles)
    : outlook_(&outlook),
      has_plays_(!chain.plays().empty()),
      wanted_(quantiles.begin(), quantiles.end()),
      quantiles_(quantiles.size()) {
  if (!has_plays_) squared_turns_ = 0;
  if (has_plays_) most_plays_ = std::max(1.0, *std::ranges::max_element(chain.plays()));
  const std::size_t players = race.cells.size();
  for (std::size_t i = 0; i < players; ++i) {
    seats_.push_back((race.to_move + i) % players);
    cells_.push_back(race.cells[seats_.back()]);
  }
  win_.resize(players);
  uncertain_.resize(players);
  to_go_.resize(players + 1);
  const auto winner = std::ranges::find(cells_, chain.last());
  if (winner != cells_.end()) {
    is_over_ = true;
    win_[static_cast<std::size_t>(winner - cells_.begin())] = 1;
    squared_turns_ = 0;
    std::ranges::fill(quantiles_, 0);
    return;
  }
  may_strand_ = std::ranges::any_of(cells_, [&](Cell cell) { return chain.may_strand(cell); });
  may_never_end_ = std::ranges::all_of(cells_, [&](Cell cell) { return chain.may_strand(cell); });
  if (!may_never_end_) return;
  never_ = 1;
  for (std::size_t i = 0; i < players; ++i)
    never_ *= never(i);
  is_over_ = std::ranges::none_of(cells_, [&](Cell cell) { return chain.is_live(cell); });
}

double RaceSums::unfinished(std::size_t i, const Countdown& at) const {
  return never(i) + at.to_come(cells_[i]);
}

double RaceSums::unfinished_before(std::size_t i, const Countdown& at) const {
  return unfinished(i, at) + at.finishes(cells_[i]);
}

double RaceSums::played(std::size_t i, const Countdown& at) const {
  return has_plays_ ? at.played(cells_[i]) : unfinished_before(i, at);
}

void RaceSums::add(const Countdown& now, double weight) {
  if (is_over_) return;
  if (now.stride() > 1) squared_turns_.reset();
  // At a player's turn, the players before have had their turn of this round, and the others have
  // not.
  const std::size_t count = cells_.size();
  to_go_[count] = 1;
  for (std::size_t i = count; i-- > 0;)
    to_go_[i] = to_go_[i + 1] * unfinished_before(i, now);
  double gone = 1;
  double turns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double played_now = gone * played(i, now) * to_go_[i + 1];
    turns += played_now;
    win_[i] += weight * gone * now.finishes(cells_[i]) * to_go_[i + 1];
    gone *= unfinished(i, now);
    if (!squared_turns_) continue;
    const double turn = static_cast<double>(count) * (now.turn() - 1) + static_cast<double>(i + 1);
    *squared_turns_ += (2 * turn - 1) * played_now;
    note_quantiles(turn, gone * to_go_[i + 1]);
  }
  expected_turns_ += weight * now.stride() * turns;
  if (now.stride() > 1) add_uncertain_order(now, weight);
}

void RaceSums::add_uncertain_order(const Countdown& now, double weight) {
  const std::size_t count = cells_.size();
  std::vector<double> before(count);
  std::vector<double> after(count);
  for (std::size_t i = 0; i < count; ++i) {
    before[i] = unfinished_before(i, now);
    after[i] = unfinished(i, now);
  }
  const std::vector<double> others_before = products_of_others(before);
  const std::vector<double> others_after = products_of_others(after);
  for (std::size_t i = 0; i < count; ++i)
    uncertain_[i] += weight * now.finishes(cells_[i]) * (others_before[i] - others_after[i]);
  uncertain_turns_ +=
      weight * now.stride() * static_cast<double>(count) * (product(before) - product(after));
  // From one round of a stride to the next, any change of the played turns is possible.
  if (has_plays_) uncertain_turns_ = std::numeric_limits<double>::infinity();
}

void RaceSums::look_ahead(const Countdown& at) {
  if (is_over_) return;
  const std::size_t count = cells_.size();
  std::vector<double> left(count);
  for (std::size_t i = 0; i < count; ++i)
    left[i] = unfinished(i, at);
  const std::vector<double> others = products_of_others(left);
  double turns = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < count; ++i) {
    const double may_win = at.to_come(cells_[i]) * others[i];
    if (may_win > negligible * win_[i]) return;
    if (never(i) == 0) turns = std::min(turns, may_win * outlook_->longest);
  }
  turns *= static_cast<double>(count) * most_plays_;
  if (!may_never_end_ && turns > negligible * expected_turns_) return;
  // The rest of a time that is never expected to be longer than L has a mean square of at most 2
  // L².
  const double squares =
      2 * turns * static_cast<double>(count) * (at.turn() + most_plays_ * outlook_->longest);
  if (!may_never_end_ && squared_turns_ && squares > negligible * *squared_turns_) return;
  is_over_ = true;
}

void RaceSums::add_tail(const Countdown& at, const Countdown::Tail& tail) {
  if (is_over_) return;
  is_over_ = true;
  const double factor = 1 - tail.leaving;
  const std::size_t count = cells_.size();
  std::vector<double> before(count);  // the last round
  for (std::size_t i = 0; i < count; ++i)
    before[i] = unfinished_before(i, at);
  const std::vector<double> others_before = products_of_others(before);
  double turns = 0;
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // A polynomial in the factor of k rounds: the chance that nobody else has finished before
    // player i's turn in round k.
    Polynomial others{1};
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const double to_come = at.to_come(cells_[j]) + at.finishes(cells_[j]);
      others = times(others, never(j), j < i ? to_come * factor : to_come);
    }
    const double own = at.to_come(cells_[i]) + at.finishes(cells_[i]);
    win_[i] += sum_of_series(times(others, 0, at.finishes(cells_[i])), tail.leaving);
    uncertain_[i] += static_cast<double>(count + 1) * tail.uncertainty * own * others_before[i];
    const Polynomial playing =
        has_plays_ ? times(others, 0, at.played(cells_[i])) : times(others, never(i), own);
    turns += sum_of_series(playing, tail.leaving);
    const double first = static_cast<double>(count) * at.turn() + static_cast<double>(i + 1);
    squares += (2 * first - 1) * sum_of_series(playing, tail.leaving) +
               2 * static_cast<double>(count) * sum_of_later(playing, tail.leaving);
  }
  expected_turns_ += turns;
  uncertain_turns_ += static_cast<double>(count) * tail.uncertainty * turns;
  if (!squared_turns_) return;
  *squared_turns_ += squares;
  uncertain_squares_ += 2 * static_cast<double>(count) * tail.uncertainty * squares;
  add_tail_of_quantiles(at, factor);
}

void RaceSums::add_uncertainty(double by, const Countdown& early, double finishing) {
  if (is_over_) return;
  std::vector<double> left(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i)
    left[i] = unfinished(i, early);
  const std::vector<double> others = products_of_others(left);
  for (std::size_t i = 0; i < cells_.size(); ++i)
    uncertain_[i] += by * early.to_come(cells_[i]) * finishing * others[i];
  uncertain_turns_ += by * most_plays_ * static_cast<double>(cells_.size()) * product(left);
  if (has_plays_ && may_strand_) uncertain_turns_ = std::numeric_limits<double>::infinity();
}

void RaceSums::note_quantiles(double turn, double still) {
  constexpr double tie = 1e-14;  // half of all counts as half, however it was rounded
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    if (!quantiles_[i] && still <= (1 - wanted_[i]) + tie)
      quantiles_[i] = static_cast<std::int64_t>(turn);
}

void RaceSums::add_tail_of_quantiles(const Countdown& at, double factor) {
  constexpr double most_rounds = 1e15;
  const auto still = [&](double rounds, std::size_t moved) {
    double chance = 1;
    for (std::size_t i = 0; i < cells_.size(); ++i)
      chance *=
          never(i) + at.to_come(cells_[i]) * std::pow(factor, i < moved ? rounds : rounds - 1);
    return chance;
  };
  for (std::size_t wanted = 0; wanted < wanted_.size(); ++wanted) {
    const auto is_reached = [&](double rounds) {
      return still(rounds, cells_.size()) <= 1 - wanted_[wanted];
    };
    if (quantiles_[wanted] || !is_reached(most_rounds)) continue;
    double low = 0;  // not yet
    double high = most_rounds;
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (is_reached(middle) ? high : low) = middle;
    }
    for (std::size_t moved = 1; moved <= cells_.size() && !quantiles_[wanted]; ++moved)
      note_quantiles(
          static_cast<double>(cells_.size()) * (at.turn() + high - 1) + static_cast<double>(moved),
          still(high, moved));
  }
}

std::optional<double> RaceSums::stddev_turns() const {
  constexpr double roundings = 1e-12;
  if (!squared_turns_) return std::nullopt;
  const double variance = *squared_turns_ - expected_turns_ * expected_turns_;
  if (variance == 0) return 0;
  const double off = roundings * *squared_turns_ + uncertain_squares_;
  return off <= 1e-8 * variance ? std::optional(std::sqrt(variance)) : std::nullopt;
}

double RaceSums::all_chances() const {
  return std::accumulate(win_.begin(), win_.end(), never_);
}

std::optional<RaceOdds> RaceSums::odds() && {
  if (!is_over_ || !(std::abs(all_chances() - 1) <= allowed)) return std::nullopt;
  for (std::size_t i = 0; i < win_.size(); ++i)
    if (!is_known(win_[i], uncertain_[i])) return std::nullopt;
  RaceOdds odds{.win = std::vector<double>(win_.size()), .never = never_};
  odds.quantiles = quantiles_;
  for (std::size_t i = 0; i < win_.size(); ++i)
    odds.win[seats_[i]] = win_[i];
  if (may_never_end_) return odds;
  if (expected_turns_ > 0 && !is_known(expected_turns_, uncertain_turns_)) return std::nullopt;
  odds.expected_turns = expected_turns_;
  odds.stddev_turns = stddev_turns();
  return odds;
}

}  // namespace snl
