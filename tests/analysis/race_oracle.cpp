#include "race_oracle.hpp"

#include "domain/analysis/throw_odds.hpp"
#include "domain/move.hpp"
#include "domain/reachability.hpp"

#include <algorithm>
#include <cmath>

namespace snl::test {
namespace {

constexpr std::size_t most_doublings = 58;  // rounding errors are 10^-16 then

}  // namespace

RaceOracle::RaceOracle(const Board& board, const Rules& rules, std::span<const Cell> from) {
  const auto cells = index_of(board.cells()) + 1;
  CellSet reached(cells);
  for (const Cell cell : from) {
    const CellSet more = reachable_from(board, rules, cell);
    for (std::size_t i = 0; i < cells; ++i)
      reached[i] = reached[i] || more[i];
  }
  const CellSet finishing = can_finish(board, rules);
  state_of_.resize(cells);
  std::vector<Cell> cell_of;
  for (Cell cell = 0; cell < board.cells(); ++cell) {
    if (!reached[index_of(cell)]) continue;
    state_of_[index_of(cell)] = cell_of.size();
    cell_of.push_back(cell);
    can_finish_.push_back(finishing[index_of(cell)]);
  }
  size_ = cell_of.size();
  finish_.resize(size_);
  stay_.resize(size_);
  Values turn(size_ * size_);
  // Every probability of a throw is a whole number of 216ths, or a whole number divided by the
  // square of a die's faces.
  const double all = rules.sixes == Sixes::again ? 216 : rules.faces * rules.faces;
  for (std::size_t state = 0; state < size_; ++state)
    for (const auto& [distance, probability] : throw_odds(rules)) {
      const Quad chance = static_cast<Quad>(std::round(probability * all)) / all;
      const Cell to = move_piece(board, rules, cell_of[state], distance).to;
      if (to == board.cells()) {
        finish_[state] += chance;
      } else {
        stay_[state] += chance;
        turn[state * size_ + state_of(to)] += chance;
      }
    }
  powers_.push_back(std::move(turn));
}

double RaceOracle::work(std::size_t players) const {
  const auto size = static_cast<double>(size_);
  const auto count = static_cast<double>(players);
  const double doubling = std::pow(size, 3) + (count + 1) * count * std::pow(size, count + 1);
  return doubling * static_cast<double>(most_doublings);
}

bool RaceOracle::make_powers() {
  constexpr double as_good_as_gone = 1e-25;
  while (!is_gone_ && powers_.size() < most_doublings) {
    powers_.push_back(squared(powers_.back()));
    is_gone_ = true;
    for (std::size_t from = 0; from < size_; ++from) {
      Quad racing = 0;
      for (std::size_t to = 0; to < size_; ++to)
        if (can_finish_[to]) racing += powers_.back()[from * size_ + to];
      if (racing > as_good_as_gone) is_gone_ = false;
    }
  }
  return is_gone_;
}

RaceOracle::Values RaceOracle::squared(const Values& matrix) const {
  Values square(size_ * size_);
  for (std::size_t from = 0; from < size_; ++from)
    for (std::size_t over = 0; over < size_; ++over) {
      const Quad chance = matrix[from * size_ + over];
      if (chance == 0) continue;
      for (std::size_t to = 0; to < size_; ++to)
        square[from * size_ + to] += chance * matrix[over * size_ + to];
    }
  return square;
}

RaceOracle::Values RaceOracle::apply(const Values& matrix, Values values,
                                     std::size_t players) const {
  // The last dimension of the tuples is summed over and becomes the first. After all players, the
  // dimensions are in their order again.
  const std::size_t others = values.size() / size_;
  for (std::size_t player = 0; player < players; ++player) {
    Values after(values.size());
    for (std::size_t state = 0; state < size_; ++state)
      for (std::size_t to = 0; to < size_; ++to) {
        const Quad chance = matrix[state * size_ + to];
        if (chance == 0) continue;
        for (std::size_t other = 0; other < others; ++other)
          after[state * others + other] += chance * values[other * size_ + to];
      }
    values = std::move(after);
  }
  return values;
}

RaceOracle::Values RaceOracle::product(const std::vector<Values>& factors) const {
  Values product{1};
  for (const Values& factor : factors) {
    Values longer;
    for (const Quad value : product)
      for (const Quad one : factor)
        longer.push_back(value * one);
    product = std::move(longer);
  }
  return product;
}

RaceOracle::Values RaceOracle::never() const {
  Values never(size_);
  for (std::size_t from = 0; from < size_; ++from)
    for (std::size_t to = 0; to < size_; ++to)
      if (!can_finish_[to]) never[from] += powers_.back()[from * size_ + to];
  return never;
}

std::optional<RaceOdds> RaceOracle::race(const Race& race) {
  if (!make_powers()) return std::nullopt;
  const std::size_t players = race.cells.size();
  std::size_t tuple = 0;
  RaceOdds odds{.win = std::vector<double>(players), .never = 1, .expected_turns = std::nullopt};
  Quad nobody = 1;
  const Values never_ever = never();
  for (std::size_t i = 0; i < players; ++i) {
    const std::size_t state = state_of(race.cells[(race.to_move + i) % players]);
    tuple = tuple * size_ + state;
    nobody *= never_ever[state];
  }
  odds.never = static_cast<double>(nobody);

  // The amounts that a round adds: each player's probability of winning in it, and the turns taken.
  std::vector<Values> sums;
  std::vector<Values> factors(players, Values(size_, 1));
  Values turns(product(factors).size());
  for (std::size_t i = 0; i < players; ++i) {
    const Values taken = product(factors);
    for (std::size_t each = 0; each < turns.size(); ++each)
      turns[each] += taken[each];
    factors[i] = finish_;
    sums.push_back(product(factors));
    factors[i] = stay_;
  }
  if (nobody == 0) sums.push_back(std::move(turns));
  for (Values& each : sums)
    each = sum(std::move(each), players);
  for (std::size_t i = 0; i < players; ++i)
    odds.win[(race.to_move + i) % players] = static_cast<double>(sums[i][tuple]);
  if (nobody == 0) odds.expected_turns = static_cast<double>(sums.back()[tuple]);
  return odds;
}

RaceOracle::Values RaceOracle::sum(Values added, std::size_t players) const {
  for (const Values& power : powers_) {
    const Values later = apply(power, added, players);
    for (std::size_t each = 0; each < added.size(); ++each)
      added[each] += later[each];
  }
  return added;
}

std::optional<double> RaceOracle::stddev(std::size_t state) const {
  constexpr double too_small = 1e-10;
  if (never()[state] > 0) return std::nullopt;
  // The sum over n of the probability of taking more than n turns is the mean m. The sum of n + 1
  // times that probability is half the mean of t (t + 1).
  Values racing(size_);
  for (std::size_t each = 0; each < size_; ++each)
    racing[each] = can_finish_[each] ? 1 : 0;
  const Values mean = sum(racing, 1);
  const Quad variance = 2 * sum(mean, 1)[state] - mean[state] - mean[state] * mean[state];
  if (variance < too_small * mean[state] * mean[state]) return std::nullopt;
  return static_cast<double>(std::sqrt(static_cast<long double>(variance)));
}

std::optional<std::int64_t> RaceOracle::median(std::size_t state) const {
  constexpr double half = 0.5 + 1e-14;  // allows for rounding
  if (never()[state] >= 0.5 - 1e-14) return std::nullopt;
  // The number of turns after which more than half of all pieces are left, from the largest power
  // down.
  Values at(size_);
  at[state] = 1;
  std::int64_t turns = 0;
  for (std::size_t power = powers_.size(); power-- > 0;) {
    Values after(size_);
    Quad unfinished = 0;
    for (std::size_t from = 0; from < size_; ++from)
      for (std::size_t to = 0; to < size_; ++to)
        after[to] += at[from] * powers_[power][from * size_ + to];
    for (const Quad chance : after)
      unfinished += chance;
    if (unfinished <= half) continue;
    at = std::move(after);
    turns += std::int64_t{1} << power;
  }
  return turns + 1;
}

std::optional<RaceOracle::Piece> RaceOracle::piece(Cell cell) {
  if (!make_powers()) return std::nullopt;
  const std::size_t state = state_of(cell);
  Piece piece{.finishes = static_cast<double>(sum(finish_, 1)[state]),
              .stddev = stddev(state),
              .median = median(state),
              .finishes_with = {}};
  for (const Values& power : powers_) {
    Quad finishes = 0;
    for (std::size_t at = 0; at < size_; ++at)
      finishes += power[state * size_ + at] * finish_[at];
    piece.finishes_with.push_back(static_cast<double>(finishes));
  }
  return piece;
}

}  // namespace snl::test
