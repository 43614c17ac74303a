#include "odds.hpp"

#include "countdown.hpp"
#include "leaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace snl {
namespace {

/// Σ over k ≥ 1 of (1 − leaving)^(mk), m ≥ 1.
double geometric_sum(double leaving, std::size_t m) {
  const double exponent = static_cast<double>(m) * std::log1p(-leaving);
  return leaving < 1 ? std::exp(exponent) / -std::expm1(exponent) : 0;
}

// ---- One piece: expectations.

/// Of the number of turns from each cell, given the expected number, in units of `unit` squared: by
/// the law of total variance, what each turn adds is the variance of the expectation after it.
CellValues variance_of_each_turn(const Chain& chain, const CellValues& expected, double unit) {
  // Expectations are right to some roundings; a difference of fewer is none.
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  CellValues added(chain.size());
  for (Cell cell = 0; cell < chain.last(); ++cell) {
    if (!chain.is_live(cell)) continue;
    const double here = expected[index_of(cell)];
    chain.for_each_move(cell, [&](Cell to, double probability) {
      const double surprise = expected[index_of(to)] + 1 - here;
      if (std::abs(surprise) <= rounding * here) return;
      added[index_of(cell)] += probability * (surprise / unit) * (surprise / unit);
    });
  }
  return added;
}

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void add_expectations(PieceOdds& odds, const Chain& chain, const Absorption& absorption,
                      Cell piece) {
  if (chain.can_strand()) {
    const CellValues finishing = chain.finishing();
    const CellValues finish = absorption.solve(finishing);
    odds.finish_probability = finish[index_of(piece)];
    odds.residual = absorption.residual(finish, finishing);
    return;
  }
  odds.finish_probability = 1;
  const CellValues every_turn(chain.size(), 1);
  const CellValues expected = absorption.solve(every_turn);
  const double unit = expected[index_of(piece)];
  const CellValues variance = absorption.solve(variance_of_each_turn(chain, expected, unit));
  odds.expected_turns = if_finite(unit);
  odds.stddev_turns = if_finite(unit * std::sqrt(variance[index_of(piece)]));
  odds.residual = absorption.residual(expected, every_turn);
}

// ---- One piece: the number of turns.

/// Collects the chances of each number of turns.
class TurnsOfPiece {
 public:
  TurnsOfPiece(Cell piece, PieceOdds& odds) : piece_(piece), odds_(odds) {}

  void add(const Countdown& now) {
    add(now.turn(), now.finishes(piece_), now.unfinished(piece_), now.lives(piece_));
  }

  /// The rest of the turns, after those that were added.
  void add_tail(const Countdown& at, const Countdown::Tail& tail) {
    const double factor = 1 - tail.leaving;
    const double never = tail.never(at, piece_);
    double finishes = at.finishes(piece_);
    if (!odds_.median_turns && finishes > 0) add_median(at, tail);
    for (std::int64_t turn = at.turn() + 1; !is_complete() && finishes > 0; ++turn) {
      finishes *= factor;
      const double to_come = finishes * factor / tail.leaving;
      add(turn, finishes, never + to_come, to_come);
    }
  }

  /// Where half of all pieces have finished, in the turns that a leap is about to pass over.
  void look_for_median(const Countdown& from, std::int64_t turns, Leaps& leaps) {
    const auto half_have_finished = [&](std::int64_t later) {
      return 1 - leaps.after(from, later).unfinished(piece_) >= half;
    };
    if (odds_.median_turns || !half_have_finished(turns)) return;
    std::int64_t low = 0;  // not yet
    for (std::int64_t high = turns; high - low > 1;) {
      const std::int64_t middle = low + (high - low) / 2;
      (half_have_finished(middle) ? high : low) = middle;
    }
    odds_.median_turns = from.turn() + low + 1;
  }

  /// All that is known, at the end or when it took too long.
  void take_into_odds() {
    // Where just half ever finish, or so nearly half that numbers can't tell, there is no median.
    if (odds_.stranding_cell && std::abs(odds_.finish_probability - 0.5) < 1e-12)
      odds_.median_turns.reset();
    if (is_complete() || has_ended_) odds_.distribution = std::move(rows_);
  }
  void end() { has_ended_ = true; }

 private:
  static constexpr double negligible = 1e-15;
  // Half of all is half of all, however it was rounded.
  static constexpr double half = 0.5 - 1e-14;

  bool is_complete() const { return is_complete_ || rows_.size() >= max_distribution; }

  void add(std::int64_t turn, double finishes, double unfinished, double to_come) {
    if (!odds_.median_turns && 1 - unfinished >= half) odds_.median_turns = turn;
    if (turn < odds_.fewest_turns || is_complete()) return;
    rows_.push_back({turn, finishes});
    is_complete_ = to_come <= negligible * odds_.finish_probability;
  }

  /// Where the chance to have finished passes one half beyond the turns that were added.
  void add_median(const Countdown& at, const Countdown::Tail& tail) {
    const double never = tail.never(at, piece_);
    const double to_come = at.finishes(piece_) * (1 - tail.leaving) / tail.leaving;
    const double left = (1 - half) - never;  // of it when half have finished
    if (left <= 0) return;
    const double turns = std::log(left / to_come) / std::log1p(-tail.leaving);
    if (turns < 9e15) odds_.median_turns = at.turn() + static_cast<std::int64_t>(std::ceil(turns));
  }

  Cell piece_;
  PieceOdds& odds_;
  std::vector<PieceOdds::Finish> rows_;
  bool is_complete_ = false;
  bool has_ended_ = false;
};

// ---- Several players.

/// A polynomial in the factor by which chances fall from turn to turn: [i] of its i-th power.
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

/// Adds up a race, a round of turns after the other.
class RaceSums {
 public:
  RaceSums(const Race& race, const Chain& chain) : win_(race.cells.size()) {
    const std::size_t players = race.cells.size();
    for (std::size_t i = 0; i < players; ++i)
      seats_.push_back((race.to_move + i) % players);
    for (const std::size_t seat : seats_)
      cells_.push_back(race.cells[seat]);
    may_never_end_ =
        std::ranges::all_of(race.cells, [&](Cell cell) { return chain.may_strand(cell); });
    const auto winner = std::ranges::find(race.cells, chain.last());
    if (winner == race.cells.end()) return;
    is_over_ = true;
    win_[static_cast<std::size_t>(winner - race.cells.begin())] = 1;
  }

  /// A round, or as many like it as `weight` says.
  void add(const Countdown& now, double weight = 1) {
    if (is_over_) return;
    // Those who had their turn of this round, times those who had not: nobody has finished.
    double nobody = 1;
    for (const Cell cell : cells_)
      nobody *= now.unfinished_before(cell);
    expected_turns_ += weight * nobody;
    double before = 1;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell cell = cells_[i];
      double after = 1;
      for (std::size_t j = i + 1; j < cells_.size(); ++j)
        after *= now.unfinished_before(cells_[j]);
      win_[seats_[i]] += weight * before * now.finishes(cell) * after;
      before *= now.unfinished(cell);
      if (i + 1 < cells_.size()) expected_turns_ += weight * before * after;
    }
  }

  /// No live piece is left.
  void end(const Countdown& at) {
    for (const Cell cell : cells_)
      never_ *= at.stranded(cell);
  }

  /// All rounds after those that were added.
  void add_tail(const Countdown& at, const Countdown::Tail& tail) {
    if (is_over_) return;
    const double factor = 1 - tail.leaving;
    for (const Cell cell : cells_)
      never_ *= tail.never(at, cell);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      // Of the power k of the factor: before player i's turn, k rounds on, nobody has finished.
      Polynomial others{1};
      for (std::size_t j = 0; j < cells_.size(); ++j) {
        if (j == i) continue;
        const double to_come = at.finishes(cells_[j]) / tail.leaving;  // before the round
        others = times(others, tail.never(at, cells_[j]), j < i ? to_come * factor : to_come);
      }
      const double own = at.finishes(cells_[i]);
      win_[seats_[i]] += sum_of_series(times(others, 0, own), tail.leaving);
      expected_turns_ +=
          sum_of_series(times(others, tail.never(at, cells_[i]), own / tail.leaving), tail.leaving);
    }
  }

  /// None if the chances don't add up: the chain did not behave as its summing takes for granted.
  std::optional<RaceOdds> odds() && {
    constexpr double allowed = 1e-9;
    RaceOdds odds;
    odds.win = std::move(win_);
    odds.never = is_over_ || !may_never_end_ ? 0 : never_;
    const double all = std::accumulate(odds.win.begin(), odds.win.end(), odds.never);
    if (!(std::abs(all - 1) <= allowed)) return std::nullopt;
    if (is_over_ || !may_never_end_) odds.expected_turns = if_finite(expected_turns_);
    return odds;
  }

 private:
  std::vector<std::size_t> seats_;  // in the order of their turns
  std::vector<Cell> cells_;         // in the same order
  bool is_over_ = false;
  bool may_never_end_ = false;
  std::vector<double> win_;  // by seat
  double never_ = 1;
  double expected_turns_ = 0;
};

// ---- All together.

std::vector<Cell> cells_in(const OddsQuestion& question) {
  std::vector<Cell> cells;
  if (question.piece) cells.push_back(*question.piece);
  for (const Race& race : question.races)
    cells.insert(cells.end(), race.cells.begin(), race.cells.end());
  return cells;
}

/// Goes through the turns until all that is left is known.
class Summing {
 public:
  Summing(const Chain& chain, const OddsQuestion& question, std::optional<TurnsOfPiece>& piece,
          std::vector<RaceSums>& races)
      : chain_(chain), question_(question), piece_(piece), races_(races) {}

  /// False if that takes too long, or nobody waits for it any more.
  bool run() {
    Countdown now(chain_);
    while (!now.is_over()) {
      if (question_.stop.stop_requested()) return false;
      if (now.turn() == turns_before_leaps && Leaps::fits(chain_)) return leap(std::move(now));
      now.advance();
      if (piece_) piece_->add(now);
      for (RaceSums& race : races_)
        race.add(now);
      if (now.turn() % turns_between_looks != 0) continue;
      if (const auto tail = now.tail()) {
        add_tail(now, *tail);
        return true;
      }
      if (static_cast<double>(now.turn()) * work_of_a_turn(chain_, races_.size()) >
          question_.most_work)
        return false;
    }
    end(now);
    return true;
  }

  static double work_of_a_turn(const Chain& chain, std::size_t races) {
    return 3 * chain.work_of_a_step() + 10.0 * static_cast<double>(races);
  }

 private:
  static constexpr std::int64_t turns_between_looks = 8;
  static constexpr std::int64_t turns_before_leaps = max_distribution;

  void add_tail(const Countdown& now, const Countdown::Tail& tail) {
    if (piece_) piece_->add_tail(now, tail);
    for (RaceSums& race : races_)
      race.add_tail(now, tail);
    if (piece_) piece_->end();
  }

  void end(const Countdown& now) {
    for (RaceSums& race : races_)
      race.end(now);
    if (piece_) piece_->end();
  }

  bool leap(Countdown now) {
    Leaps leaps(chain_);
    while (!now.is_over()) {
      const auto turns = Leaps::turns_from(now.turn());
      if (!turns || question_.stop.stop_requested()) return false;
      for (const auto& [later, weight] : Leaps::samples(*turns)) {
        const Countdown then = leaps.after(now, later);
        for (RaceSums& race : races_)
          race.add(then, weight);
      }
      if (piece_) piece_->look_for_median(now, *turns, leaps);
      now = leaps.after(now, *turns);
    }
    end(now);
    return true;
  }

  const Chain& chain_;
  const OddsQuestion& question_;
  std::optional<TurnsOfPiece>& piece_;
  std::vector<RaceSums>& races_;
};

void add_turn_by_turn(BoardOdds& odds, const Chain& chain, const OddsQuestion& question) {
  std::optional<TurnsOfPiece> piece;
  if (odds.piece && odds.piece->reachable) piece.emplace(*question.piece, *odds.piece);
  std::vector<RaceSums> races;
  races.reserve(question.races.size());
  for (const Race& race : question.races)
    races.emplace_back(race, chain);
  const bool done = Summing(chain, question, piece, races).run();
  if (piece) piece->take_into_odds();
  if (!done) return;
  std::vector<RaceOdds> answers;
  for (RaceSums& race : races) {
    auto answer = std::move(race).odds();
    if (!answer) return;
    answers.push_back(*std::move(answer));
  }
  odds.races = std::move(answers);
}

/// The fewest turns that what is asked about can take: as many are gone through at the least.
std::int64_t fewest_turns_of(const Board& board, const Rules& rules, const OddsQuestion& question) {
  std::vector<Cell> cells;
  if (question.piece) cells.push_back(*question.piece);
  if (!question.races.empty()) cells.push_back(question.races.front().cells.front());
  std::int64_t most = 0;
  for (const Cell cell : cells)
    most = std::max(most, fewest_turns(board, rules, cell).value_or(0));
  return most;
}

}  // namespace

std::expected<BoardOdds, std::string> odds_of(const Board& board, const Rules& rules,
                                              const OddsQuestion& question) {
  BoardOdds odds;
  if (question.piece) {
    const Cell piece = *question.piece;
    const Chain chain(board, rules, std::span(&piece, 1));
    odds.piece.emplace();
    odds.piece->stranding_cell = stranding_cell(board, rules, piece);
    odds.piece->fewest_turns = fewest_turns(board, rules, piece);
    odds.piece->reachable = odds.piece->fewest_turns.has_value();
    if (odds.piece->reachable) {
      const auto absorption = Absorption::make(chain);
      if (!absorption) return std::unexpected(absorption.error());
      add_expectations(*odds.piece, chain, *absorption, piece);
    }
  }
  const std::vector<Cell> cells = cells_in(question);
  const Chain chain(board, rules, cells);
  const double work = Summing::work_of_a_turn(chain, question.races.size());
  if (static_cast<double>(fewest_turns_of(board, rules, question)) * work <= question.most_work)
    add_turn_by_turn(odds, chain, question);
  if (odds.piece && !odds.piece->reachable) odds.piece->distribution.emplace();
  return odds;
}

}  // namespace snl
