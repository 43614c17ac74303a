#include "joint_odds.hpp"

#include "absorption.hpp"
#include "joint_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace snl {
namespace {

/// The work that a question may still take.
struct Allowance {
  double work;  // see max_work
  const StopRequested& stop;

  bool take(double amount) {
    work -= amount;
    return work >= 0 && !(stop && stop());
  }
};

/// A number, and the most that it may be off by.
struct Bounded {
  double value = 0;
  double error = 0;

  bool is_known(double part) const { return error <= part * std::abs(value); }
  /// Without the digits that aren't known.
  double rounded() const {
    const double digits = std::ceil(std::log10(2 * error));
    if (!std::isfinite(digits)) return value;
    const double unit = std::pow(10, std::abs(digits));
    return digits < 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
  }
};

/// The outcome of a position, by place.
struct JointEnd {
  std::vector<Bounded> win;
  Bounded never;
  Bounded turns;
  Bounded variance;
};

/// The largest error allowed for each.
constexpr double chance_error = 1e-9;
constexpr double turns_error = 1e-9;   // as a part of themselves
constexpr double stddev_error = 1e-7;  // as a part of the expected turns

bool is_known(const JointEnd& end) {
  return end.turns.is_known(turns_error) && end.never.error <= chance_error &&
         std::ranges::all_of(end.win, [](Bounded win) { return win.error <= chance_error; });
}

// ---- Sweeps

/// How far equations are from being solved.
struct Rest {
  double off = 0;                                         // the most that an equation is off by
  double rounding = 0;                                    // the largest rounding error of `off`
  double gain = std::numeric_limits<double>::infinity();  // the least x − Px

  double all() const { return off + rounding; }
};

/// Values x of each state with x(s) = reward(s) + Σ share · x(where the throw leads). A state has
/// one value, or one for each place; places change when the next player moves.
template <std::size_t Width>
class Sweeps {
 public:
  using Row = std::array<double, Width>;

  /// The values of the states from live() on are given, and stay. Empty rewards are all 0.
  Sweeps(const JointChain& chain, Row stuck, Row won, std::span<const double> rewards)
      : chain_(chain),
        next_(static_cast<JointState>(1 % chain.players())),
        rewards_(rewards),
        values_(chain.states() + std::size_t{1}) {
    std::fill(values_.begin() + chain.live(), values_.end(), stuck);
    values_.back() = won;
  }

  const Row& at(JointState state) const { return values_[state]; }

  /// Sweeps until only roundings are left, or the allowance is used up, or `more_rounds` rounds
  /// of sweeps leave more than half of the rest.
  Rest solve(Allowance& allowance, std::size_t more_rounds) {
    constexpr int sweeps = 8;
    std::vector<double> left;
    while (true) {
      std::array<std::vector<Row>, 2> before;
      for (int sweep = 0; sweep < sweeps; ++sweep) {
        if (sweep >= sweeps - 2)
          before.at(static_cast<std::size_t>(sweep - (sweeps - 2))) = values_;
        for (JointState state = 0; state < chain_.live(); ++state)
          update(state);
      }
      const Rest rest = check();
      left.push_back(rest.off);
      const bool is_stalled =
          left.size() > more_rounds && rest.off > left[left.size() - 1 - more_rounds] / 2;
      const auto work = static_cast<double>((sweeps + 1) * Width * chain_.count_moves());
      if (!(rest.off > rest.rounding) || is_stalled || !allowance.take(work)) return rest;
      extrapolate(before);
    }
  }

 private:
  static void add(Row& sum, double share, const Row& there, std::size_t passed) {
    if constexpr (Width == 1) passed = 0;
    for (std::size_t place = 0; place < Width; ++place)
      sum[place] += share * there[place < passed ? place + Width - passed : place - passed];
  }

  Row reward(JointState state) const {
    Row row{};
    if (!rewards_.empty()) row.fill(rewards_[state]);
    return row;
  }

  /// The right side of a state's equation, without moves to `but`. Adds the shares of those to
  /// `left`.
  Row led_to(JointState state, JointState but, double& left) const {
    Row sum = reward(state);
    const std::span<const double> shares = chain_.shares();
    const std::span<const JointMove> moves = chain_.moves(state);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const JointMove move = moves[i];
      if (move.to == but && move.passed == next_)
        left += shares[i];
      else
        add(sum, shares[i], values_[move.to], move.passed);
    }
    return sum;
  }

  void update(JointState state) {
    if (chain_.after_staying(state) != chain_.won()) return update_ring(state);
    double none = 0;
    values_[state] = led_to(state, chain_.states() + 1, none);
  }

  /// Updates the whole ring that staying leads through, if `first` is its first state.
  void update_ring(JointState first) {
    const std::size_t players = chain_.players();
    std::array<JointState, max_players> states{};
    std::array<double, max_players> staying{};
    std::array<Row, max_players> sums{};
    JointState state = first;
    for (std::size_t i = 0; i < players; ++i) {
      if (state < first) return;  // updated with that one
      const JointState next = chain_.after_staying(state);
      states[i] = state;
      sums[i] = led_to(state, next, staying[i]);
      state = next;
    }
    Row whole{};
    double all_stay = 1;
    for (std::size_t i = players; i-- > 0;) {
      const Row after = std::exchange(whole, sums[i]);
      add(whole, staying[i], after, next_);
      all_stay *= staying[i];
    }
    for (double& value : whole)
      value /= 1 - all_stay;
    for (std::size_t i = players; i-- > 0;) {
      add(sums[i], staying[i], whole, next_);
      values_[states[i]] = whole = sums[i];
    }
  }

  Rest check() const {
    const double roundings =
        static_cast<double>(chain_.shares().size() + 4) * std::numeric_limits<double>::epsilon();
    Rest rest;
    for (JointState state = 0; state < chain_.live(); ++state) {
      double none = 0;
      const Row sum = led_to(state, chain_.states() + 1, none);
      const Row added = reward(state);
      for (std::size_t place = 0; place < Width; ++place) {
        const double value = values_[state][place];
        rest.off = std::max(rest.off, std::abs(value - sum[place]));
        rest.rounding = std::max(rest.rounding, roundings * std::max(value, sum[place]));
        rest.gain = std::min(rest.gain, value - sum[place] + added[place]);
      }
    }
    return rest;
  }

  /// Goes to the limit of the last two changes, if their common ratio goes on (Aitken).
  void extrapolate(const std::array<std::vector<Row>, 2>& before) {
    double products = 0;
    double squares = 0;
    for (JointState state = 0; state < chain_.live(); ++state)
      for (std::size_t place = 0; place < Width; ++place) {
        const double earlier = before[1][state][place] - before[0][state][place];
        products += earlier * (values_[state][place] - before[1][state][place]);
        squares += earlier * earlier;
      }
    const double ratio = products / squares;
    if (!(std::abs(ratio) < 1)) return;
    for (JointState state = 0; state < chain_.live(); ++state)
      for (std::size_t place = 0; place < Width; ++place)
        values_[state][place] +=
            ratio / (1 - ratio) * (values_[state][place] - before[1][state][place]);
  }

  const JointChain& chain_;
  JointState next_;  // the place of the next player
  std::span<const double> rewards_;
  std::vector<Row> values_;
};

/// For each state, whether the game may come to a state from which nobody can win; empty if it
/// never does.
std::vector<bool> may_get_stuck(const JointChain& chain) {
  if (chain.live() == chain.states()) return {};
  std::vector<bool> stuck(chain.states() + std::size_t{1});
  std::fill(stuck.begin() + chain.live(), stuck.end() - 1, true);
  return chain.leading_to(std::move(stuck));
}

/// The variance that each turn adds to the number of turns, and the most that it may be off by, if
/// the expected turns may be off by `part` of themselves. 0 where these are infinite.
struct TurnVariance {
  std::vector<double> added;
  double error = 0;

  TurnVariance(const JointChain& chain, const Sweeps<1>& turns, double part,
               const std::vector<bool>& stuck)
      : added(chain.live()) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const std::span<const double> shares = chain.shares();
    for (JointState state = 0; state < chain.live(); ++state) {
      if (!stuck.empty() && stuck[state]) continue;
      const double here = turns.at(state)[0];
      double off = 0;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const double there = turns.at(chain.moves(state)[i].to)[0];
        const double surprise = there + 1 - here;
        const double by = (part + 2 * epsilon) * (there + 1 + here);
        added[state] += shares[i] * surprise * surprise;
        off += shares[i] * (2 * std::abs(surprise) + by) * by;
      }
      off += static_cast<double>(shares.size() + 4) * epsilon * added[state];
      error = std::max(error, off);
    }
  }
};

/// Finds the ends by sweeps with as many values a state as there are players.
template <std::size_t Players>
std::vector<JointEnd> ends_by_sweeps(const JointChain& chain, Allowance& allowance,
                                     std::size_t more_rounds) {
  if constexpr (Players < max_players)
    if (chain.players() != Players)
      return ends_by_sweeps<Players + 1>(chain, allowance, more_rounds);
  const std::vector<double> every_turn(chain.live(), 1);
  Sweeps<1> turns(chain, {0}, {0}, every_turn);
  const Rest turns_rest = turns.solve(allowance, more_rounds);
  const double gain = std::max(0.0, turns_rest.gain - turns_rest.rounding);
  const double turns_part = turns_rest.all() / gain;
  typename Sweeps<Players>::Row mover{};
  mover[0] = 1;
  Sweeps<Players> win(chain, {}, mover, {});
  const double win_off = win.solve(allowance, more_rounds).all() / gain;
  const std::vector<bool> stuck = may_get_stuck(chain);
  Sweeps<1> never(chain, {1}, {0}, {});
  const double never_off = stuck.empty() ? 0 : never.solve(allowance, more_rounds).all() / gain;
  const TurnVariance variance(chain, turns, turns_part, stuck);
  Sweeps<1> spread(chain, {0}, {0}, variance.added);
  const double spread_off = (spread.solve(allowance, more_rounds).all() + variance.error) / gain;
  std::vector<JointEnd> ends(chain.count_begins());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const JointState state = chain.begin(i);
    const double longest = turns.at(state)[0];  // 0 if the state is stuck: nothing is off there
    JointEnd& end = ends[i];
    for (const double chance : win.at(state))
      end.win.push_back({chance, state < chain.live() ? win_off * longest : 0});
    if (!stuck.empty() && stuck[state])
      end.never = {never.at(state)[0], state < chain.live() ? never_off * longest : 0};
    end.turns = {longest, turns_part * longest};
    end.variance = {spread.at(state)[0], spread_off * longest};
  }
  return ends;
}

// ---- Elimination

/// A joint chain as a chain of rows. Each of its states becomes `width` states, one for each place.
class RowsOfPlaces {
 public:
  RowsOfPlaces(const JointChain& joint, std::size_t width)
      : joint_(joint), width_(width), stuck_(joint.live() < joint.states() ? 1 : 0) {
    Chain::Rows rows;
    const auto add = [&](Cell to, double share) { rows.moves.push_back({to, share}); };
    const auto end_row = [&] { rows.begin.push_back(rows.moves.size()); };
    if (stuck_ > 0) {
      add(0, 1);
      end_row();
    }
    const std::span<const double> shares = joint.shares();
    for (JointState state = joint.live(); state-- > 0;)
      for (std::size_t place = 0; place < width; ++place) {
        for (std::size_t i = 0; i < shares.size(); ++i) {
          const JointMove move = joint.moves(state)[i];
          add(number_of(move.to, (place + width - move.passed % width) % width), shares[i]);
        }
        end_row();
      }
    chain_ = std::make_unique<const Chain>(std::move(rows));
  }

  const Chain& chain() const { return *chain_; }

  Cell number_of(JointState state, std::size_t place) const {
    if (state == joint_.won()) return static_cast<Cell>(stuck_ + width_ * joint_.live());
    if (state >= joint_.live()) return 0;
    return static_cast<Cell>(stuck_ + width_ * (joint_.live() - 1 - state) + place);
  }

  /// The mover's chance to win with the next move, by state.
  CellValues winning() const {
    CellValues chances(chain().size());
    for (JointState state = 0; state < joint_.live(); ++state)
      for (std::size_t i = 0; i < joint_.shares().size(); ++i)
        if (joint_.moves(state)[i].to == joint_.won())
          chances[index_of(number_of(state, 0))] += joint_.shares()[i];
    return chances;
  }

 private:
  const JointChain& joint_;
  std::size_t width_;
  std::size_t stuck_;  // one state for all from which nobody can win, if there are any
  std::unique_ptr<const Chain> chain_;
};

/// The work of Absorption, in the terms of max_work; infinite if it can't do it.
double work_of_elimination(const JointChain& chain) {
  std::vector<bool> is_return(chain.states() + std::size_t{1});
  for (JointState state = 0; state < chain.live(); ++state)
    for (const JointMove move : chain.moves(state))
      if (move.to >= state && move.to < chain.live()) is_return[move.to] = true;
  const auto places = static_cast<double>(chain.players());
  const double returns = places * static_cast<double>(std::ranges::count(is_return, true));
  if (returns > static_cast<double>(max_returns)) return std::numeric_limits<double>::infinity();
  return returns * returns * returns / 3 +
         2 * returns * places * static_cast<double>(chain.count_moves());
}

std::expected<std::vector<JointEnd>, std::string> ends_by_elimination(const JointChain& joint) {
  constexpr double known = 1e-11;  // without subtractions, only roundings of a large system
  const auto bounded = [](double value) { return Bounded{value, known * value}; };
  const RowsOfPlaces places(joint, joint.players());
  const auto absorption = Absorption::make(places.chain());
  if (!absorption) return std::unexpected(absorption.error());
  const CellValues win = absorption->solve(places.winning());
  const RowsOfPlaces whole(joint, 1);
  const auto alone = Absorption::make(whole.chain());
  if (!alone) return std::unexpected(alone.error());
  const CellValues turns = alone->solve(CellValues(whole.chain().size(), 1));
  const CellValues never = alone->solve(whole.chain().stranding());
  const double unit = *std::ranges::max_element(turns);
  const CellValues variance =
      alone->solve(variance_of_each_turn(whole.chain(), turns, std::max(unit, 1.0)));
  std::vector<JointEnd> ends(joint.count_begins());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const JointState state = joint.begin(i);
    const std::size_t number = index_of(whole.number_of(state, 0));
    JointEnd& end = ends[i];
    for (std::size_t place = 0; place < joint.players(); ++place)
      end.win.push_back(bounded(win[index_of(places.number_of(state, place))]));
    end.never = bounded(state < joint.live() ? never[number] : 1);
    end.turns = bounded(turns[number]);
    end.variance = bounded(unit * unit * variance[number]);
  }
  return ends;
}

// ---- Quantiles

/// For each of some shares of all games, the first turn by which that share is won. Goes turn by
/// turn. None for a share that is never reached, or not within the allowance.
std::vector<std::optional<std::int64_t>> quantiles_of(const JointChain& chain, JointState begin,
                                                      std::span<const double> wanted,
                                                      Allowance& allowance) {
  constexpr double tie = 1e-12;  // half of all counts as half, however it was rounded
  std::vector<std::optional<std::int64_t>> quantiles(wanted.size());
  std::vector<double> now(chain.states() + std::size_t{1});
  now[begin] = 1;
  double over = 0;
  for (std::int64_t turn = 1;
       std::ranges::any_of(quantiles, [](const auto& turns) { return !turns; }); ++turn) {
    std::vector<double> after(now.size());
    double going = 0;
    for (JointState state = 0; state < chain.live(); ++state) {
      if (now[state] < as_good_as_none) continue;
      going += now[state];
      for (std::size_t i = 0; i < chain.shares().size(); ++i)
        after[chain.moves(state)[i].to] += now[state] * chain.shares()[i];
    }
    over += std::exchange(after.back(), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!quantiles[i] && over >= wanted[i] - tie) quantiles[i] = turn;
    if (going < tie || !allowance.take(static_cast<double>(chain.count_moves()))) break;
    now = std::move(after);
  }
  return quantiles;
}

// ---- The whole answer

/// The odds of a race that somebody has won.
RaceOdds odds_of_won(const Race& race, std::size_t winner, const OddsQuestion& question) {
  RaceOdds odds{
      .win = std::vector<double>(race.cells.size()), .expected_turns = 0, .stddev_turns = 0};
  odds.win[winner] = 1;
  odds.quantiles.assign(question.quantiles.size(), 0);
  return odds;
}

RaceOdds race_odds(const JointEnd& end, Seat mover) {
  RaceOdds odds{.win = std::vector<double>(end.win.size()), .never = end.never.rounded()};
  for (std::size_t place = 0; place < end.win.size(); ++place)
    odds.win[(mover + place) % end.win.size()] = end.win[place].rounded();
  if (end.never.value > 0) return odds;
  odds.expected_turns = end.turns.rounded();
  const auto [variance, off] = end.variance;
  const double spread = std::sqrt(std::max(0.0, variance));
  // The variance is a sum without subtractions, so it is 0 only if every term is.
  const Bounded stddev{spread, spread == 0 ? 0 : std::min(std::sqrt(off), off / spread)};
  if (stddev.error <= stddev_error * end.turns.value) odds.stddev_turns = stddev.rounded();
  return odds;
}

std::expected<std::vector<JointEnd>, std::string> ends_of(const JointChain& chain,
                                                          Allowance& allowance) {
  constexpr std::size_t more_rounds = 8;
  const bool has_other_way = work_of_elimination(chain) < allowance.work / 2;
  auto ends = ends_by_sweeps<1>(chain, allowance, has_other_way ? more_rounds : 8 * more_rounds);
  if (std::ranges::all_of(ends, is_known)) return ends;
  if (!allowance.take(work_of_elimination(chain)))
    return std::unexpected("games last too long on this board for exact odds of pieces that meet");
  return ends_by_elimination(chain);
}

}  // namespace

std::expected<std::vector<RaceOdds>, std::string> joint_odds(const Board& board, const Rules& rules,
                                                             std::span<const Race> races,
                                                             const OddsQuestion& question) {
  constexpr double work_of_a_move = 100;  // to find out where it leads
  std::vector<RaceOdds> answers(races.size());
  std::vector<Position> begins;
  std::vector<std::size_t> asked;  // the race of each
  for (std::size_t i = 0; i < races.size(); ++i) {
    const Race& race = races[i];
    const auto winner = std::ranges::find(race.cells, board.cells());
    if (winner != race.cells.end()) {
      answers[i] =
          odds_of_won(race, static_cast<std::size_t>(winner - race.cells.begin()), question);
      continue;
    }
    begins.push_back(position_of(race));
    asked.push_back(i);
  }
  if (begins.empty()) return answers;
  const auto chain = JointChain::make(board, rules, races.front().cells.size(), begins,
                                      static_cast<std::size_t>(question.most_work / work_of_a_move),
                                      question.stop);
  if (!chain) return std::unexpected(chain.error());
  Allowance allowance{.work = question.most_work, .stop = question.stop};
  const auto ends = ends_of(*chain, allowance);
  if (!ends) return std::unexpected(ends.error());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    RaceOdds& answer = answers[asked[i]];
    answer = race_odds((*ends)[i], begins[i].next);
    answer.quantiles = quantiles_of(*chain, chain->begin(i), question.quantiles, allowance);
  }
  return answers;
}

}  // namespace snl
