#include "reachability.hpp"

#include "effects_reach.hpp"
#include "move.hpp"
#include "turn_dice.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace snl {
namespace {

/// The cells that turns lead to, a turn at a time.
class Spread {
 public:
  Spread(const Board& board, const Rules& rules, Cell from)
      : board_(board),
        rules_(rules),
        distances_(distances_of(rules)),
        reached_(index_of(board.cells()) + 1),
        frontier_{from} {
    reached_[index_of(from)] = true;
  }

  bool go_on() {
    std::vector<Cell> next;
    for (const Cell from : frontier_) {
      if (from == board_.cells()) continue;
      for (const std::int32_t distance : distances_) {
        const Cell to = move_piece(board_, rules_, from, distance).to;
        if (reached_[index_of(to)]) continue;
        reached_[index_of(to)] = true;
        next.push_back(to);
      }
    }
    frontier_ = std::move(next);
    return !frontier_.empty();
  }

  bool reached(Cell cell) const { return reached_[index_of(cell)]; }
  CellSet take() { return std::move(reached_); }

 private:
  const Board& board_;
  const Rules& rules_;
  std::vector<std::int32_t> distances_;
  CellSet reached_;
  std::vector<Cell> frontier_;
};

/// The cells from which moves lead to a cell, without a list of all moves.
class Origins {
 public:
  Origins(const Board& board, const Rules& rules) : board_(board), distances_(distances_of(rules)) {
    for (const auto& jumps : {board.snakes(), board.ladders()})
      for (const Jump jump : jumps)
        arrivals_.push_back({.to = jump.to, .from = jump.from});
    std::ranges::sort(arrivals_);
    add_moves_past_the_end(rules);
  }

  template <class Visit>
  void for_each(Cell to, const Visit& visit) const {
    if (board_.landing(to) == to) for_each_landing(to, visit);
    for (const Edge edge : std::ranges::equal_range(arrivals_, to, {}, &Edge::to))
      for_each_landing(edge.from, visit);
    for (const Edge edge : std::ranges::equal_range(past_the_end_, to, {}, &Edge::to))
      visit(edge.from);
  }

 private:
  struct Edge {
    Cell to;
    Cell from;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };

  template <class Visit>
  void for_each_landing(Cell landed, const Visit& visit) const {
    for (const std::int32_t distance : distances_)
      if (distance > 0 && distance <= landed) visit(landed - distance);
  }

  void add_moves_past_the_end(const Rules& rules) {
    const Cell last = board_.cells();
    for (Cell from = std::max(0, last - distances_.back() + 1); from < last; ++from)
      for (const std::int32_t distance : distances_)
        if (from + distance > last)
          past_the_end_.push_back(
              {.to = move_piece(board_, rules, from, distance).to, .from = from});
    std::ranges::sort(past_the_end_);
  }

  const Board& board_;
  std::vector<std::int32_t> distances_;
  std::vector<Edge> arrivals_;      // jumps, by where they end
  std::vector<Edge> past_the_end_;  // moves that pass the end, by where they lead
};

/// Whether some throw leads up from every cell, and so in the end to the last one. This is true of
/// most boards, and much faster to find out than the reachable cells.
bool climbs_from_everywhere(const Board& board, const Rules& rules) {
  const std::vector<std::int32_t> distances = distances_of(rules);
  for (Cell from = 0; from < board.cells(); ++from)
    if (std::ranges::none_of(distances, [&](std::int32_t distance) {
          return move_piece(board, rules, from, distance).to > from;
        }))
      return false;
  return true;
}

}  // namespace

CellSet reachable_from(const Board& board, const Rules& rules, Cell from) {
  Spread spread(board, rules, from);
  while (spread.go_on())
    continue;
  return spread.take();
}

CellSet can_reach(const Board& board, const Rules& rules, const CellSet& goals) {
  const Origins origins(board, rules);
  CellSet found = goals;
  std::vector<Cell> open;
  for (Cell cell = 0; cell <= board.cells(); ++cell)
    if (goals[index_of(cell)]) open.push_back(cell);
  while (!open.empty()) {
    const Cell to = open.back();
    open.pop_back();
    origins.for_each(to, [&](Cell from) {
      if (found[index_of(from)]) return;
      found[index_of(from)] = true;
      open.push_back(from);
    });
  }
  return found;
}

CellSet can_finish(const Board& board, const Rules& rules) {
  CellSet end(index_of(board.cells()) + 1);
  end.back() = true;
  return can_reach(board, rules, end);
}

std::optional<Cell> stranding_cell(const Board& board, const Rules& rules, Cell from) {
  if (has_effects(board, rules)) return reach_with_effects(board, rules, from).stranding_cell;
  if (climbs_from_everywhere(board, rules)) return std::nullopt;
  const CellSet reached = reachable_from(board, rules, from);
  const CellSet finishing = can_finish(board, rules);
  for (Cell cell = 0; cell <= board.cells(); ++cell)
    if (reached[index_of(cell)] && !finishing[index_of(cell)]) return cell;
  return std::nullopt;
}

bool can_meet(const Board& board, const Rules& rules, std::span<const Cell> from,
              std::int32_t shields) {
  if (!has_effects(board, rules)) return false;
  const std::set<Cell> cells(from.begin(), from.end());
  return std::ranges::any_of(cells, [&](Cell cell) {
    return cell != board.cells() && reach_with_effects(board, rules, cell, shields).can_meet;
  });
}

bool can_finish_from(const Board& board, const Rules& rules, Cell from) {
  if (has_effects(board, rules)) return reach_with_effects(board, rules, from).can_finish;
  return can_finish(board, rules)[index_of(from)];
}

std::optional<std::int64_t> fewest_turns(const Board& board, const Rules& rules, Cell from) {
  Spread spread(board, rules, from);
  for (std::int64_t turns = 0;; ++turns) {
    if (spread.reached(board.cells())) return turns;
    if (!spread.go_on()) return std::nullopt;
  }
}

}  // namespace snl
