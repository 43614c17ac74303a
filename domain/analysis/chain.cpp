#include "chain.hpp"

#include "domain/move.hpp"

#include <algorithm>
#include <utility>

namespace snl {
namespace {

CellSet reachable_from_any(const Board& board, const Rules& rules, std::span<const Cell> from) {
  CellSet all(index_of(board.cells()) + 1);
  for (const Cell cell : from) {
    if (all[index_of(cell)]) continue;
    const CellSet reached = reachable_from(board, rules, cell);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (reached[i]) all[i] = true;
  }
  return all;
}

}  // namespace

Chain::Chain(const Board& board, const Rules& rules, std::span<const Cell> from)
    : board_(&board), last_(board.cells()) {
  for (const ThrowOdds& odds : throw_odds(rules)) {
    if (odds.distance == 0)
      forfeit_ = odds.probability;
    else
      moving_.push_back(odds);
  }
  last_plain_ = last() - moving_.back().distance;
  add_moves_near_end(rules);
  for (const auto& jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      landings_.push_back({index_of(jump.from), index_of(jump.to)});

  live_ = reachable_from_any(board, rules, from);
  stranded_ = live_;
  const CellSet finishing = can_finish(board, rules);
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const bool lives = live_[i] && finishing[i] && i != index_of(last());
    stranded_[i] = live_[i] && !finishing[i];
    can_strand_ = can_strand_ || stranded_[i];
    live_[i] = lives;
    if (!lives) not_live_.push_back(i);
  }
  if (can_strand_) may_strand_ = can_reach(board, rules, stranded_);
  landed_.resize(live_.size());
}

Chain::Chain(Rows rows)
    : last_(static_cast<Cell>(rows.begin.size() - 1)),
      near_end_(std::move(rows.moves)),
      near_end_begin_(std::move(rows.begin)),
      plays_(std::move(rows.plays)) {
  const std::size_t states = index_of(last_) + 1;
  if (!plays_.empty()) plays_.resize(states);
  CellSet end(states);
  end.back() = true;
  live_ = leading_to(end);
  stranded_ = live_;
  stranded_.flip();
  live_.back() = false;
  for (std::size_t i = 0; i < states; ++i) {
    can_strand_ = can_strand_ || stranded_[i];
    if (!live_[i]) not_live_.push_back(i);
  }
  if (can_strand_) may_strand_ = leading_to(stranded_);
  landed_.resize(states);
}

CellSet Chain::leading_to(const CellSet& goals) const {
  std::vector<std::vector<Cell>> before(goals.size());
  for (Cell cell = 0; cell < last_; ++cell)
    for (const Move& move : moves_near_end(cell))
      before[index_of(move.to)].push_back(cell);
  CellSet found = goals;
  std::vector<Cell> open;
  for (Cell cell = 0; cell <= last_; ++cell)
    if (goals[index_of(cell)]) open.push_back(cell);
  while (!open.empty()) {
    const Cell cell = open.back();
    open.pop_back();
    for (const Cell from : before[index_of(cell)]) {
      if (found[index_of(from)]) continue;
      found[index_of(from)] = true;
      open.push_back(from);
    }
  }
  return found;
}

void Chain::add_moves_near_end(const Rules& rules) {
  near_end_begin_.push_back(0);
  for (Cell cell = std::max(0, last_plain_ + 1); cell < last(); ++cell) {
    if (forfeit_ > 0) near_end_.push_back({cell, forfeit_});
    for (const ThrowOdds& odds : moving_)
      near_end_.push_back({move_piece(*board_, rules, cell, odds.distance).to, odds.probability});
    near_end_begin_.push_back(near_end_.size());
  }
}

std::span<const Chain::Move> Chain::moves_near_end(Cell cell) const {
  const std::size_t row = index_of(cell - std::max(0, last_plain_ + 1));
  return std::span(near_end_).subspan(near_end_begin_[row],
                                      near_end_begin_[row + 1] - near_end_begin_[row]);
}

void Chain::step(std::span<const double> values, CellValues& after) const {
  // The value of landing on each cell. With it, a throw is a sum over neighbouring cells.
  std::ranges::copy(values, landed_.begin());
  for (const Landing landing : landings_)
    landed_[landing.from] = values[landing.to];

  after.resize(size());
  // Takes some hundred cells at a time, so that they stay in the nearest cache.
  constexpr std::size_t cells_at_once = 512;
  const std::size_t plain = index_of(std::max(0, last_plain_ + 1));
  for (std::size_t begin = 0; begin < plain; begin += cells_at_once)
    step_plain(values, begin, std::min(begin + cells_at_once, plain), after);
  for (Cell cell = static_cast<Cell>(plain); cell < last(); ++cell) {
    double sum = 0;
    for (const Move& move : moves_near_end(cell))
      sum += move.probability * values[index_of(move.to)];
    after[index_of(cell)] = sum < as_good_as_none ? 0 : sum;
  }
  for (const std::size_t i : not_live_)
    after[i] = 0;
}

void Chain::step_everywhere(std::span<const double> values, CellValues& after) const {
  after.assign(size(), 0);
  for (Cell cell = 0; cell < last(); ++cell) {
    double sum = 0;
    for (const Move& move : moves_near_end(cell))
      sum += move.probability * values[index_of(move.to)];
    after[index_of(cell)] = sum < as_good_as_none ? 0 : sum;
  }
}

void Chain::step_plain(std::span<const double> values, std::size_t begin, std::size_t end,
                       CellValues& after) const {
  const std::size_t count = end - begin;
  double* const sums = after.data() + begin;
  const double* const here = values.data() + begin;
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = forfeit_ * here[i];
  for (const ThrowOdds& odds : moving_) {
    const double* const landed = landed_.data() + begin + odds.distance;
    const double probability = odds.probability;
    for (std::size_t i = 0; i < count; ++i)
      sums[i] += probability * landed[i];
  }
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = sums[i] < as_good_as_none ? 0 : sums[i];
}

CellValues Chain::finishing() const {
  CellValues at_end(size());
  at_end.back() = 1;
  CellValues chances;
  step(at_end, chances);
  return chances;
}

CellValues Chain::stranding() const {
  CellValues at_stranded(size());
  for (std::size_t i = 0; i < size(); ++i)
    at_stranded[i] = stranded_[i] ? 1 : 0;
  CellValues chances;
  step(at_stranded, chances);
  return chances;
}

}  // namespace snl
