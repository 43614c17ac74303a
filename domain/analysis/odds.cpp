#include "odds.hpp"

#include "countdown.hpp"
#include "effects_chain.hpp"
#include "joint_chain.hpp"
#include "joint_odds.hpp"
#include "leaps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace snl {
namespace {

// ---- One piece: expectations.

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
  TurnsOfPiece(Cell piece, const Outlook& outlook, PieceOdds& odds)
      : piece_(piece),
        ever_(outlook.ever[index_of(piece)]),
        never_(outlook.never[index_of(piece)]),
        odds_(odds) {
    // There is no median if just half of the pieces ever finish, or so nearly half that doubles
    // can't tell.
    has_median_ = never_ < 0.5 - tie;
  }

  Cell cell() const { return piece_; }

  void add(const Countdown& now) {
    const double to_come = now.to_come(piece_);
    if (is_median_open() && never_ + to_come <= 0.5 + tie)
      odds_.median_turns = static_cast<std::int64_t>(now.turn());
    add_row(static_cast<std::int64_t>(now.turn()), now.finishes(piece_), to_come);
  }

  /// Adds the rest of the turns.
  void add_tail(const Countdown& at, const Countdown::Tail& tail) {
    const double factor = 1 - tail.leaving;
    double finishes = at.finishes(piece_);
    double to_come = at.to_come(piece_);
    const auto turn = static_cast<std::int64_t>(at.turn());
    if (is_median_open() && to_come > 0) add_median(at, tail);
    for (std::int64_t later = 1; !has_rows() && finishes > 0; ++later) {
      finishes *= factor;
      to_come *= factor;
      add_row(turn + later, finishes, to_come);
    }
    is_complete_ = true;
  }

  /// Finds the median, if it is in the stretch after `from`.
  void find_median(const Countdown& from, const Leaps::Stretch& stretch, Leaps& leaps) {
    if (!is_median_open()) return;
    const auto first_below = [&](double unfinished) {
      const auto is_below = [&](std::int64_t strides) {
        const Countdown then = leaps.after(from, strides, stretch.stride_exponent);
        return never_ + then.to_come(piece_) <= unfinished;
      };
      if (!is_below(stretch.strides())) return std::numeric_limits<double>::infinity();
      std::int64_t low = 0;  // not yet
      for (std::int64_t high = stretch.strides(); high - low > 1;) {
        const std::int64_t middle = low + (high - low) / 2;
        (is_below(middle) ? high : low) = middle;
      }
      return from.turn() + std::ldexp(static_cast<double>(low + 1), stretch.stride_exponent);
    };
    const double median = first_below(0.5 + leap_rounding);
    if (!std::isfinite(median)) return;
    has_median_ =
        median < most_turns && first_below(0.5 - leap_rounding) - median <= 1e-10 * median;
    if (has_median_) odds_.median_turns = static_cast<std::int64_t>(median);
  }

  /// Whether nothing is left to find.
  bool is_over() const { return has_rows() && !is_median_open(); }

  bool has_rows() const { return is_complete_ || rows_.size() >= max_distribution; }

  /// Moves the rows into the odds, if there are enough of them.
  void take_into_odds() {
    if (has_rows()) odds_.distribution = std::move(rows_);
  }

 private:
  static constexpr double negligible = 1e-15;
  // Half of all counts as half, however it was rounded.
  static constexpr double tie = 1e-14;
  static constexpr double leap_rounding = 1e-12;
  static constexpr double most_turns = 9e18;

  bool is_median_open() const { return has_median_ && !odds_.median_turns; }

  void add_row(std::int64_t turn, double finishes, double to_come) {
    if (turn < odds_.fewest_turns || has_rows()) return;
    rows_.push_back({turn, finishes});
    is_complete_ = to_come <= negligible * ever_;
  }

  /// Adds the turn, beyond those that were added, where the chance to have finished passes one
  /// half.
  void add_median(const Countdown& at, const Countdown::Tail& tail) {
    const double left = (0.5 + tie) - never_;  // to come when half have finished
    const double turns = std::log(left / at.to_come(piece_)) / std::log1p(-tail.leaving);
    if (turns < most_turns)
      odds_.median_turns =
          static_cast<std::int64_t>(at.turn()) + static_cast<std::int64_t>(std::ceil(turns));
    else
      has_median_ = false;
  }

  Cell piece_;
  double ever_;
  double never_;
  PieceOdds& odds_;
  std::vector<PieceOdds::Finish> rows_;
  bool has_median_ = false;
  bool is_complete_ = false;
};

// ---- All together.

enum class Summed : std::uint8_t { all, too_long, not_near_enough };

/// Goes through the turns until the rest of them is known.
class Summing {
 public:
  Summing(const Chain& chain, const Outlook& outlook, const OddsQuestion& question,
          std::optional<TurnsOfPiece>& piece, std::vector<RaceSums>& races)
      : chain_(chain), outlook_(outlook), question_(question), piece_(piece), races_(races) {}

  Summed run() {
    const bool may_leap = Leaps::fits(chain_);
    double next_leap = turns_before_leaps;
    Countdown now(chain_, outlook_.ever);
    while (!is_over(now)) {
      if ((question_.stop && question_.stop()) || work_ > question_.most_work)
        return Summed::too_long;
      if (may_leap && now.turn() >= next_leap && (!piece_ || piece_->has_rows())) {
        if (leap(now)) continue;
        if (now.turn() > last_try * turns_before_leaps) return Summed::not_near_enough;
        next_leap *= 2;
      }
      for (int turn = 0; turn < turns_between_checks; ++turn)
        advance(now);
      if (!std::ranges::all_of(races_, &RaceSums::takes_tail)) continue;
      if (const auto tail = now.tail(cells_at_stake())) {
        add_tail(now, *tail);
        return Summed::all;
      }
    }
    return Summed::all;
  }

  static double work_of_a_turn(const Chain& chain, std::size_t races) {
    return 3 * chain.work_of_a_step() + 10.0 * static_cast<double>(races);
  }

 private:
  static constexpr int turns_between_checks = 8;
  static constexpr double turns_before_leaps = max_distribution;
  static constexpr double last_try = 16;  // times as many turns

  bool is_over(const Countdown& now) {
    for (RaceSums& race : races_)
      race.look_ahead(now);
    return (!piece_ || piece_->is_over()) && std::ranges::all_of(races_, &RaceSums::is_over);
  }

  std::vector<Cell> cells_at_stake() const {
    std::vector<Cell> cells;
    if (piece_ && !piece_->is_over()) cells.push_back(piece_->cell());
    for (const RaceSums& race : races_)
      if (!race.is_over()) cells.insert(cells.end(), race.cells().begin(), race.cells().end());
    return cells;
  }

  void advance(Countdown& now) {
    now.advance();
    work_ += work_of_a_turn(chain_, races_.size());
    if (piece_) piece_->add(now);
    for (RaceSums& race : races_)
      race.add(now);
    if (std::has_single_bit(static_cast<std::uint64_t>(now.turn()))) before_.push_back(now);
  }

  void add_tail(const Countdown& now, const Countdown::Tail& tail) {
    if (piece_) piece_->add_tail(now, tail);
    for (RaceSums& race : races_)
      race.add_tail(now, tail);
  }

  /// Leaps over as many turns as possible at once; false if these are too few.
  bool leap(Countdown& now) {
    if (!leaps_) leaps_.emplace(chain_, outlook_.ever);
    std::size_t players = 1;
    for (const RaceSums& race : races_)
      if (!race.is_over()) players = std::max(players, race.players());
    const auto stretch = leaps_->stretch_from(now.turn(), players);
    if (!stretch) return false;
    before_.push_back(now);
    for (const auto& [number, weight] : Leaps::samples(stretch->count))
      add_periods(leaps_->after(now, number * stretch->period, stretch->stride_exponent), *stretch,
                  weight);
    const Countdown& early =
        *std::ranges::find_if(before_.rbegin(), before_.rend(),
                              [&](const Countdown& at) { return at.turn() <= stretch->early; });
    const double turns = std::ldexp(stretch->uncertainty, stretch->stride_exponent);
    for (RaceSums& race : races_)
      race.add_uncertainty(turns, early, leaps_->most_finishing(early));
    if (piece_) piece_->find_median(now, *stretch, *leaps_);
    // Takes the last stride by itself, so that the finishes are known by strides of its length.
    now = leaps_->after(now, stretch->strides() - 1, stretch->stride_exponent);
    leaps_->advance(now, stretch->stride_exponent);
    return true;
  }

  void add_periods(Countdown now, const Leaps::Stretch& stretch, double weight) {
    for (std::int64_t stride = 0; stride < stretch.period; ++stride) {
      leaps_->advance(now, stretch.stride_exponent);
      for (RaceSums& race : races_)
        race.add(now, weight);
    }
    work_ += static_cast<double>(stretch.period) * work_of_a_turn(chain_, races_.size());
  }

  const Chain& chain_;
  const Outlook& outlook_;
  const OddsQuestion& question_;
  std::optional<TurnsOfPiece>& piece_;
  std::vector<RaceSums>& races_;
  std::optional<Leaps> leaps_;
  std::vector<Countdown> before_;  // some of the turns that are over
  double work_ = 0;
};

const char* reason(Summed summed) {
  return summed == Summed::too_long
             ? "games on this board last too long to be summed turn by turn"
             : "games on this board last too long for sums that are exact to nine digits";
}

void add_turn_by_turn(BoardOdds& odds, const Chain& chain, const Outlook& outlook,
                      const OddsQuestion& question) {
  std::optional<TurnsOfPiece> piece;
  if (odds.piece && odds.piece->reachable) piece.emplace(*question.piece, outlook, *odds.piece);
  std::vector<RaceSums> races;
  races.reserve(question.races.size());
  for (const Race& race : question.races)
    races.emplace_back(race, chain, outlook, question.quantiles);
  const Summed summed = Summing(chain, outlook, question, piece, races).run();
  if (piece) piece->take_into_odds();
  std::vector<RaceOdds> answers;
  for (RaceSums& race : races) {
    auto answer = std::move(race).odds();
    if (!answer) {
      odds.why_no_races = reason(summed == Summed::all ? Summed::not_near_enough : summed);
      return;
    }
    answers.push_back(*std::move(answer));
  }
  odds.races = std::move(answers);
}

/// A smaller chance has lost digits: parts of it below as_good_as_none were counted as 0.
constexpr double least_chance = 1e-230;
constexpr const char* too_small =
    "some chances to finish on this board are too small for exact odds, below 10^-230";

/// The outcomes of pieces in the end, or the reason that there are none.
std::expected<Outlook, std::string> outlook_of(const Chain& chain, const Absorption& absorption) {
  Outlook outlook{.ever = CellValues(chain.size()), .never = CellValues(chain.size())};
  for (std::size_t i = 0; i < chain.size(); ++i)
    outlook.ever[i] = chain.live()[i] ? 1 : 0;
  if (chain.can_strand()) {
    outlook.ever = absorption.solve(chain.finishing());
    outlook.never = absorption.solve(chain.stranding());
    for (std::size_t i = 0; i < chain.size(); ++i)
      if (chain.stranded()[i]) outlook.never[i] = 1;
  }
  const CellValues turns = absorption.solve(outlook.ever);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (!chain.live()[i]) continue;
    if (!(outlook.ever[i] > least_chance)) return std::unexpected(too_small);
    outlook.longest = std::max(outlook.longest, turns[i] / outlook.ever[i]);
  }
  return outlook;
}

std::vector<Cell> cells_in(const OddsQuestion& question) {
  std::vector<Cell> cells;
  if (question.piece) cells.push_back(*question.piece);
  for (const Race& race : question.races)
    cells.insert(cells.end(), race.cells.begin(), race.cells.end());
  return cells;
}

/// The least work that an answer can take. Nobody finishes before the fewest turns, so the sums go
/// through at least that many.
double least_work(const Chain& chain, std::int64_t turns, const OddsQuestion& question) {
  return static_cast<double>(turns) * Summing::work_of_a_turn(chain, question.races.size());
}

std::int64_t least_turns(const Board& board, const Rules& rules, const OddsQuestion& question) {
  std::vector<Cell> cells;
  if (question.piece) cells.push_back(*question.piece);
  if (!question.races.empty()) cells.push_back(question.races.front().cells.front());
  std::int64_t turns = 0;
  for (const Cell cell : cells)
    turns = std::max(turns, fewest_turns(board, rules, cell).value_or(0));
  return turns;
}

/// The chain of pieces from some cells, and its equations ready to be solved.
struct SolvedChain {
  std::unique_ptr<const Chain> chain;
  Absorption absorption;

  static std::expected<SolvedChain, std::string> of(std::unique_ptr<const Chain> chain) {
    auto absorption = Absorption::make(*chain);
    if (!absorption) return std::unexpected(std::move(absorption).error());
    return SolvedChain{.chain = std::move(chain), .absorption = *std::move(absorption)};
  }

  /// Whether this is also the chain of pieces from these cells.
  bool covers(std::span<const Cell> cells) const {
    return std::ranges::all_of(cells, [&](Cell cell) {
      return chain->is_live(cell) || chain->stranded()[index_of(cell)] || cell == chain->last();
    });
  }
};

void add_sums(BoardOdds& odds, const SolvedChain& solved, std::int64_t turns,
              const OddsQuestion& question) {
  if (least_work(*solved.chain, turns, question) > question.most_work) {
    odds.why_no_races = reason(Summed::too_long);
    return;
  }
  const auto outlook = outlook_of(*solved.chain, solved.absorption);
  if (outlook)
    add_turn_by_turn(odds, *solved.chain, *outlook, question);
  else
    odds.why_no_races = outlook.error();
}

PieceOdds odds_of_piece(const Board& board, const Rules& rules, const SolvedChain& solved,
                        Cell piece) {
  PieceOdds odds;
  odds.stranding_cell = stranding_cell(board, rules, piece);
  odds.fewest_turns = fewest_turns(board, rules, piece);
  odds.reachable = odds.fewest_turns.has_value();
  if (odds.reachable)
    add_expectations(odds, *solved.chain, solved.absorption, piece);
  else
    odds.distribution.emplace();
  return odds;
}

// ---- Games with effects: the same with another chain.

/// The fewest turns in which a piece finishes, by number of its state; none if it can't.
std::optional<std::int64_t> fewest_turns_in(const Chain& chain, Cell from) {
  CellSet seen(chain.size());
  seen[index_of(from)] = true;
  std::vector<Cell> now{from};
  for (std::int64_t turns = 0; !now.empty(); ++turns) {
    if (seen.back()) return turns;
    std::vector<Cell> next;
    for (const Cell cell : now)
      chain.for_each_move(cell, [&](Cell to, double /*probability*/) {
        if (seen[index_of(to)]) return;
        seen[index_of(to)] = true;
        next.push_back(to);
      });
    now = std::move(next);
  }
  return std::nullopt;
}

std::expected<PieceOdds, std::string> piece_with_effects(const Board& board, const Rules& rules,
                                                         const OddsQuestion& question) {
  const ChainState begins{.cell = *question.piece};
  auto turns = chain_of_turns(board, rules, std::span(&begins, 1));
  if (!turns) return std::unexpected(std::move(turns).error());
  const Cell from = turns->number_of(begins);
  BoardOdds odds{.piece = PieceOdds{}, .races = {}, .why_no_races = {}};
  odds.piece->stranding_cell = turns->stranding_cell();
  odds.piece->fewest_turns = fewest_turns_in(*turns->chain, from);
  odds.piece->reachable = odds.piece->fewest_turns.has_value();
  if (!odds.piece->reachable) {
    odds.piece->distribution.emplace();
    return *std::move(odds.piece);
  }
  auto solved = SolvedChain::of(std::move(turns->chain));
  if (!solved) return std::unexpected(std::move(solved).error());
  add_expectations(*odds.piece, *solved->chain, solved->absorption, from);
  const OddsQuestion alone{
      .piece = from, .races = {}, .most_work = question.most_work, .stop = question.stop};
  add_sums(odds, *solved, *odds.piece->fewest_turns, alone);
  return *std::move(odds.piece);
}

std::vector<ChainState> states_of(const Race& race) {
  std::vector<ChainState> states;
  for (std::size_t i = 0; i < race.cells.size(); ++i) {
    const auto seat = static_cast<Seat>(i);
    states.push_back({.cell = race.cells[i],
                      .shields = race.tallies.shields.of(seat),
                      .skips = race.tallies.skips.of(seat)});
  }
  return states;
}

/// Ignores the question's piece.
BoardOdds races_with_effects(const Board& board, const Rules& rules, const OddsQuestion& question) {
  BoardOdds odds;
  std::vector<ChainState> begins;
  for (const Race& race : question.races)
    for (const ChainState& state : states_of(race))
      begins.push_back(state);
  auto rounds = chain_of_rounds(board, rules, begins);
  if (!rounds) {
    odds.why_no_races = std::move(rounds).error();
    return odds;
  }
  OddsQuestion numbered = question;
  numbered.piece.reset();
  numbered.races.clear();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Race& race : question.races) {
    Race in_states{.cells = {}, .to_move = race.to_move};
    for (const ChainState& state : states_of(race))
      in_states.cells.push_back(rounds->number_of(state));
    least = std::min(least, fewest_turns_in(*rounds->chain, in_states.cells.front()).value_or(0));
    numbered.races.push_back(std::move(in_states));
  }
  if (question.races.empty()) least = 0;
  auto solved = SolvedChain::of(std::move(rounds->chain));
  if (!solved)
    odds.why_no_races = std::move(solved).error();
  else
    add_sums(odds, *solved, least, numbered);
  return odds;
}

/// The odds of races that all have the same number of players. Pieces that may meet are one chain.
/// So are two pieces that can't meet, if that takes little work: one chain also tells how long a
/// race takes if a round isn't one turn of each player. Else every piece goes by itself, in rounds;
/// if that fails, all pieces are one chain after all.
BoardOdds races_of_as_many(const Board& board, const Rules& rules, const OddsQuestion& question) {
  constexpr double soon = 2e8;
  BoardOdds odds;
  const auto take_together = [&](double most_work) {
    OddsQuestion within = question;
    within.most_work = most_work;
    auto found = joint_odds(board, rules, question.races, within);
    if (found)
      odds.races = *std::move(found);
    else
      odds.why_no_races = std::move(found).error();
    return odds.races.has_value();
  };
  std::int32_t shields = 0;
  for (const Race& race : question.races)
    for (const ChainState& state : states_of(race))
      shields = std::max(shields, state.shields);
  const std::size_t players = question.races.front().cells.size();
  if (players > 1 && can_meet(board, rules, cells_in(question), shields)) {
    take_together(question.most_work);
  } else if (players > 2 || !take_together(std::min(soon, question.most_work))) {
    odds = races_with_effects(board, rules, question);
    const std::string why = odds.why_no_races;
    if (!odds.races && !take_together(question.most_work)) odds.why_no_races = why;
  }
  return odds;
}

/// Ignores the question's piece.
BoardOdds all_races_with_effects(const Board& board, const Rules& rules,
                                 const OddsQuestion& question) {
  std::vector<RaceOdds> answers(question.races.size());
  for (std::size_t players = 1; players <= max_players; ++players) {
    OddsQuestion as_many = question;
    as_many.piece.reset();
    std::erase_if(as_many.races, [&](const Race& race) { return race.cells.size() != players; });
    if (as_many.races.empty()) continue;
    BoardOdds odds = races_of_as_many(board, rules, as_many);
    if (!odds.races) return odds;
    auto next = odds.races->begin();
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (question.races[i].cells.size() == players) answers[i] = std::move(*next++);
  }
  return {.piece = {}, .races = std::move(answers), .why_no_races = {}};
}

std::expected<BoardOdds, std::string> odds_with_effects(const Board& board, const Rules& rules,
                                                        const OddsQuestion& question) {
  BoardOdds odds = all_races_with_effects(board, rules, question);
  if (question.piece) {
    auto piece = piece_with_effects(board, rules, question);
    if (!piece) return std::unexpected(std::move(piece).error());
    odds.piece = *std::move(piece);
  }
  return odds;
}

}  // namespace

std::expected<BoardOdds, std::string> odds_of(const Board& board, const Rules& rules,
                                              const OddsQuestion& question) {
  if (has_effects(board, rules)) return odds_with_effects(board, rules, question);
  BoardOdds odds;
  const auto chain_of = [&](std::span<const Cell> cells) {
    return std::make_unique<const Chain>(board, rules, cells);
  };
  const std::vector<Cell> cells = cells_in(question);
  const std::int64_t turns = least_turns(board, rules, question);
  std::optional<SolvedChain> alone;
  if (question.piece) {
    auto solved = SolvedChain::of(chain_of(std::span(&*question.piece, 1)));
    if (!solved) return std::unexpected(std::move(solved).error());
    alone = *std::move(solved);
    odds.piece = odds_of_piece(board, rules, *alone, *question.piece);
  }
  if (alone && alone->covers(cells)) {
    add_sums(odds, *alone, turns, question);
    return odds;
  }
  auto chain = chain_of(cells);
  if (least_work(*chain, turns, question) > question.most_work)
    odds.why_no_races = reason(Summed::too_long);
  else if (const auto together = SolvedChain::of(std::move(chain)))
    add_sums(odds, *together, turns, question);
  else
    odds.why_no_races = together.error();
  return odds;
}

std::optional<std::int64_t> PieceOdds::quantile(double share) const {
  constexpr double tie = 1e-14;  // half of all counts as half, however it was rounded
  double over = 0;
  if (distribution)
    for (const auto& [turns, probability] : *distribution) {
      over += probability;
      if (over >= share - tie) return turns;
    }
  return std::nullopt;
}

std::optional<bool> may_never_end(const Board& board, const Rules& rules, std::size_t players) {
  constexpr std::size_t most_moves = 1'000'000;
  if (!can_meet(board, rules, std::span(&rules.start, 1)))
    return stranding_cell(board, rules, rules.start).has_value();
  Position begin;
  std::fill_n(begin.cells.begin(), players, rules.start);
  const auto chain = JointChain::make(board, rules, players, std::span(&begin, 1), most_moves);
  if (!chain) return std::nullopt;
  return chain->live() < chain->states();
}

}  // namespace snl
