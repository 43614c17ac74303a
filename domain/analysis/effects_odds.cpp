#include "effects_odds.hpp"

#include "domain/effects.hpp"
#include "domain/turn_dice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace snl {
namespace {

/// What is left of all chances when sums are ended.
constexpr double as_good_as_nothing = 1e-17;

using ChancesByPlace = std::vector<double>;

/// Where a turn may lead from a cell, with so many shields.
struct WeighedMove {
  double chance;
  std::size_t to;  // a place, see Moves
  std::int32_t skips;
  bool again;
  bool wins;
};

/// The moves of a piece alone. A place is a cell and a number of shields.
class Moves {
 public:
  static constexpr std::size_t places_a_cell = max_seat_count + 1;

  Moves(const Board& board, const Rules& rules) : last_(board.cells()) {
    const std::vector<ThrowWays> throws = throw_ways(rules);
    moves_.resize(index_of(last_) * places_a_cell);
    for (Cell cell = 0; cell < last_; ++cell)
      for (std::int32_t shields = 0; shields <= max_seat_count; ++shields)
        for (const auto& [distance, enters, ways, all] : throws) {
          const Throw thrown{.distance = distance, .enters = enters};
          const double chance = static_cast<double>(ways) / all;
          moves_[place(cell, shields)].push_back(move(board, rules, cell, shields, thrown, chance));
        }
    find_finishing();
  }

  static std::size_t place(Cell cell, std::int32_t shields) {
    return index_of(cell) * places_a_cell + static_cast<std::size_t>(shields);
  }
  static Cell cell_of(std::size_t place) { return static_cast<Cell>(place / places_a_cell); }

  Cell last() const { return last_; }
  /// Of the cells but the last.
  std::size_t places() const { return moves_.size(); }
  const std::vector<WeighedMove>& from(std::size_t place) const { return moves_[place]; }
  /// Whether a piece alone can finish from a place.
  bool can_finish(std::size_t place) const { return can_finish_[place]; }
  double work() const { return static_cast<double>(moves_.size() * moves_.front().size()); }

 private:
  static WeighedMove move(const Board& board, const Rules& rules, Cell cell, std::int32_t shields,
                          Throw thrown, double chance) {
    const Arrival arrival = arrive(board, rules, cell, thrown, shields);
    const Power* const power = power_met(board, arrival);
    const auto is = [&](PowerKind kind) { return power != nullptr && power->kind == kind; };
    const std::int32_t left = shields - (arrival.shielded ? 1 : 0);
    const Cell to = is(PowerKind::restart) ? rules.start : arrival.rest;
    return {.chance = chance,
            .to = place(to, shields_after(power, left)),
            .skips = skips_after(power, 0),
            .again = is(PowerKind::again),
            .wins = arrival.outcome == Outcome::won};
  }

  void find_finishing() {
    can_finish_.resize(moves_.size());
    for (bool found = true; found;) {
      found = false;
      for (std::size_t place = moves_.size(); place-- > 0;) {
        const bool finishes =
            !can_finish_[place] && std::ranges::any_of(moves_[place], [&](const WeighedMove& move) {
              return move.wins || can_finish_[move.to];
            });
        if (!finishes) continue;
        can_finish_[place] = true;
        found = true;
      }
    }
  }

  Cell last_;
  std::vector<std::vector<WeighedMove>> moves_;
  std::vector<bool> can_finish_;
};

/// One piece alone, a turn that it plays at a time.
class Turns {
 public:
  Turns(const Moves& moves, std::size_t from) : moves_(moves), now_(moves.places()) {
    now_[from] = 1;
  }

  /// The chance to finish with this turn.
  double play() {
    ChancesByPlace next(now_.size());
    double finishing = 0;
    for (std::size_t place = 0; place < now_.size(); ++place) {
      if (now_[place] == 0) continue;
      for (const WeighedMove& move : moves_.from(place))
        (move.wins ? finishing : next[move.to]) += now_[place] * move.chance;
    }
    now_ = std::move(next);
    return finishing;
  }

  /// The chance still to finish, at most.
  double open() const {
    double open = 0;
    for (std::size_t place = 0; place < now_.size(); ++place)
      if (moves_.can_finish(place)) open += now_[place];
    return open;
  }

 private:
  const Moves& moves_;
  ChancesByPlace now_;  // by place
};

/// One piece of a race, a round at a time.
class Rounds {
 public:
  Rounds(const Moves& moves, std::size_t from, std::int32_t skips) : moves_(moves) {
    waiting_.fill(ChancesByPlace(moves.places()));
    waiting_[static_cast<std::size_t>(skips)][from] = 1;
  }

  void play() {
    before_ = unfinished_;
    finishing_ = turns_ = 0;
    ChancesByPlace moving = std::move(waiting_[0]);
    std::ranges::rotate(waiting_, waiting_.begin() + 1);
    waiting_.back().assign(moves_.places(), 0);
    while (move_on(moving) > as_good_as_nothing * as_good_as_nothing)
      continue;
    unfinished_ = 0;
    stranded_ = 0;
    for (const ChancesByPlace& chances : waiting_)
      for (std::size_t place = 0; place < chances.size(); ++place)
        (moves_.can_finish(place) ? unfinished_ : stranded_) += chances[place];
    unfinished_ += stranded_;
  }

  double finishing() const { return finishing_; }    // in the round that was played last
  double turns() const { return turns_; }            // expected to be played in it
  double before() const { return before_; }          // not finished before it
  double unfinished() const { return unfinished_; }  // nor in it
  double stranded() const { return stranded_; }      // nor ever

 private:
  /// A turn of those whose chance to move it is; answers how much of them moves again.
  double move_on(ChancesByPlace& moving) {
    ChancesByPlace again(moving.size());
    double left = 0;
    for (std::size_t place = 0; place < moving.size(); ++place) {
      if (moving[place] == 0) continue;
      turns_ += moving[place];
      for (const WeighedMove& move : moves_.from(place)) {
        const double chance = moving[place] * move.chance;
        if (move.wins) {
          finishing_ += chance;
        } else if (move.again) {
          again[move.to] += chance;
          left += chance;
        } else {
          waiting_[static_cast<std::size_t>(move.skips)][move.to] += chance;
        }
      }
    }
    moving = std::move(again);
    return left;
  }

  const Moves& moves_;
  std::array<ChancesByPlace, max_seat_count + 1> waiting_;  // by turns to miss, then by place
  double finishing_ = 0;
  double turns_ = 0;
  double before_ = 1;
  double unfinished_ = 1;
  double stranded_ = 0;
};

/// How much may still be done, and whether to go on at all.
class Effort {
 public:
  Effort(const Moves& moves, const OddsQuestion& question)
      : a_turn_(moves.work()), left_(question.most_work), stop_(question.stop) {}

  bool allows(double turns) {
    left_ -= turns * a_turn_;
    return left_ > 0 && !stop_.stop_requested();
  }

 private:
  double a_turn_;
  double left_;
  std::stop_token stop_;
};

/// The lowest cell that a piece alone may come to and never finish from.
std::optional<Cell> stranding_cell_alone(const Moves& moves, std::size_t from) {
  std::vector<bool> seen(moves.places());
  std::vector<std::size_t> open{from};
  std::optional<Cell> lowest;
  seen[from] = true;
  while (!open.empty()) {
    const std::size_t place = open.back();
    open.pop_back();
    const Cell cell = Moves::cell_of(place);
    if (!moves.can_finish(place)) lowest = std::min(lowest.value_or(cell), cell);
    for (const WeighedMove& move : moves.from(place)) {
      if (move.wins || seen[move.to]) continue;
      seen[move.to] = true;
      open.push_back(move.to);
    }
  }
  return lowest;
}

/// None if that takes too much work: what was summed until then is no answer.
std::optional<PieceOdds> odds_of_piece(const Moves& moves, Cell cell, Effort& effort) {
  const std::size_t from = Moves::place(cell, 0);
  PieceOdds odds;
  odds.stranding_cell = stranding_cell_alone(moves, from);
  odds.reachable = moves.can_finish(from);
  odds.distribution.emplace();
  if (!odds.reachable) return odds;
  Turns turns(moves, from);
  double sum = 0;
  double squares = 0;
  double open = 1;
  std::int64_t turn = 0;
  while (open > as_good_as_nothing) {
    if (!effort.allows(1)) return std::nullopt;
    const double finishing = turns.play();
    open = turns.open();
    ++turn;
    if (finishing == 0) continue;
    if (!odds.fewest_turns) odds.fewest_turns = turn;
    const auto number = static_cast<double>(turn);
    odds.finish_probability += finishing;
    sum += number * finishing;
    squares += number * number * finishing;
    if (!odds.median_turns && odds.finish_probability >= 0.5 - 1e-14) odds.median_turns = turn;
    if (odds.distribution->size() < max_distribution)
      odds.distribution->push_back({.turns = turn, .probability = finishing});
  }
  odds.residual = open;
  if (odds.stranding_cell) return odds;
  odds.finish_probability = 1;
  odds.expected_turns = sum;
  odds.stddev_turns = std::sqrt(std::max(0.0, squares - sum * sum));
  return odds;
}

/// The race to its end; none if that takes too much work.
std::optional<RaceOdds> odds_of_race(const Moves& moves, const Race& race, Effort& effort) {
  const std::size_t players = race.cells.size();
  const auto winner = std::ranges::find(race.cells, moves.last());
  if (winner != race.cells.end()) {
    RaceOdds over{.win = std::vector<double>(players), .never = 0, .expected_turns = 0};
    over.win[static_cast<std::size_t>(winner - race.cells.begin())] = 1;
    return over;
  }
  std::vector<Rounds> pieces;  // in the order of the round
  for (std::size_t away = 0; away < players; ++away) {
    const std::size_t seat = (race.to_move + away) % players;
    const auto number = static_cast<Seat>(seat);
    pieces.emplace_back(moves, Moves::place(race.cells[seat], race.tallies.shields.of(number)),
                        race.tallies.skips.of(number));
  }
  RaceOdds odds{.win = std::vector<double>(players), .never = 0, .expected_turns = 0};
  double turns = 0;
  for (double open = 1; open > as_good_as_nothing;) {
    if (!effort.allows(static_cast<double>(players * Moves::places_a_cell))) return std::nullopt;
    for (Rounds& piece : pieces)
      piece.play();
    double unfinished = 1;
    double stranded = 1;
    for (std::size_t i = 0; i < players; ++i) {
      double others = 1;  // none of them has finished when it is this piece's chance
      for (std::size_t j = 0; j < players; ++j)
        if (j != i) others *= j < i ? pieces[j].unfinished() : pieces[j].before();
      odds.win[(race.to_move + i) % players] += others * pieces[i].finishing();
      turns += others * pieces[i].turns();
      unfinished *= pieces[i].unfinished();
      stranded *= pieces[i].stranded();
    }
    open = unfinished - stranded;
    odds.never = stranded;
  }
  if (odds.never > as_good_as_nothing)
    odds.expected_turns = std::nullopt;
  else
    odds.expected_turns = turns;
  return odds;
}

bool couples_pieces(const Board& board, const Rules& rules) {
  const auto swaps = [](const PowerCell& at) { return at.power.kind == PowerKind::swap; };
  return rules.meet == Meet::capture || std::ranges::any_of(board.powers(), swaps);
}

}  // namespace

std::expected<BoardOdds, std::string> odds_with_effects(const Board& board, const Rules& rules,
                                                        const OddsQuestion& question) {
  const auto is_of_several = [](const Race& race) { return race.cells.size() > 1; };
  if (couples_pieces(board, rules) && std::ranges::any_of(question.races, is_of_several))
    return std::unexpected("where pieces are swapped or captured a race has no exact odds");
  const Moves moves(board, rules);
  Effort effort(moves, question);
  BoardOdds odds;
  if (question.piece) {
    odds.piece = odds_of_piece(moves, *question.piece, effort);
    if (!odds.piece)
      return std::unexpected(
          "games with powers last too long on this board for them to be gone through turn by turn; "
          "snl simulate estimates them");
  }
  std::vector<RaceOdds> races;
  for (const Race& race : question.races) {
    auto answer = odds_of_race(moves, race, effort);
    if (!answer) {
      odds.why_no_races =
          "games last too long on this board for them to be gone through round by round";
      return odds;
    }
    races.push_back(*std::move(answer));
  }
  odds.races = std::move(races);
  return odds;
}

}  // namespace snl
