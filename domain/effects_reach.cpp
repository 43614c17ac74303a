#include "effects_reach.hpp"

#include "effects.hpp"
#include "turn_dice.hpp"

#include <algorithm>

namespace snl {
namespace {

/// A piece's cell and its player's shields.
struct PieceState {
  Cell cell;
  std::int32_t shields;
};

/// Finds all states that pieces can come to, and then those from which they can finish.
class Search {
 public:
  Search(const Board& board, const Rules& rules)
      : board_(board),
        rules_(rules),
        throws_(throw_ways(rules)),
        reached_(index_of(board.cells() + 1) * states_a_cell),
        finishing_(reached_.size()),
        ends_move_(index_of(board.cells()) + 1) {}

  void spread_from(Cell from, std::int32_t shields) {
    for (; shields >= 0; --shields)
      reach({from, shields});
    do {
      while (!open_.empty()) {
        const PieceState state = open_.back();
        open_.pop_back();
        for_each_move(state, [&](Cell rest, PieceState then) {
          ends_move_[index_of(rest)] = true;
          reach(then);
        });
      }
      move_by_others();
    } while (!open_.empty());
  }

  void find_finishing() {
    highest_finishing_.assign(states_a_cell, 0);
    for_each_state([&](PieceState state) {
      if (state.cell == board_.cells()) finish(state);
    });
    for (bool found = true; found;) {
      found = false;
      for_each_state([&](PieceState state) {
        if (finishing_[at(state)] || !has_finishing_move(state)) return;
        finish(state);
        found = true;
      });
    }
  }

  EffectsReach found(Cell from) const {
    EffectsReach reach{.can_finish = finishing_[at({from, 0})],
                       .stranding_cell = {},
                       .can_meet = false,
                       .idle = {}};
    for (Cell cell = board_.cells(); cell >= 0; --cell)
      for (std::int32_t shields = 0; shields <= max_seat_count; ++shields)
        if (reached_[at({cell, shields})] && !finishing_[at({cell, shields})])
          reach.stranding_cell = cell;
    for (Cell cell = 0; cell < board_.cells(); ++cell)
      if (ends_move_[index_of(cell)] && captures_on(rules_, cell)) reach.can_meet = true;
    for (const PowerCell& power : board_.powers())
      if (!ends_move_[index_of(power.cell)])
        reach.idle.push_back(power);
      else if (power.power.kind == PowerKind::swap)
        reach.can_meet = true;
    return reach;
  }

 private:
  static constexpr std::size_t states_a_cell = max_seat_count + 1;

  static std::size_t at(PieceState state) {
    return index_of(state.cell) * states_a_cell + static_cast<std::size_t>(state.shields);
  }

  void reach(PieceState state) {
    if (reached_[at(state)]) return;
    reached_[at(state)] = true;
    if (state.cell != board_.cells()) open_.push_back(state);
  }

  /// The reached states, the highest cells first.
  template <class Visit>
  void for_each_state(const Visit& visit) const {
    for (Cell cell = board_.cells(); cell >= 0; --cell)
      for (std::int32_t shields = 0; shields <= max_seat_count; ++shields)
        if (reached_[at({cell, shields})]) visit(PieceState{cell, shields});
  }

  /// Calls visit(where a move ends, where the piece is after the power there). Leaves swaps out.
  template <class Visit>
  void for_each_move(PieceState state, const Visit& visit) const {
    for (const ThrowWays& ways : throws_) {
      const Arrival arrival =
          arrive(board_, rules_, state.cell, throw_of(ways, rules_), state.shields);
      if (stays(arrival.outcome)) continue;
      const Power* const power = power_met(board_, arrival);
      const bool restarts = power != nullptr && power->kind == PowerKind::restart;
      const std::int32_t shields = state.shields - (arrival.shielded ? 1 : 0);
      visit(arrival.rest, PieceState{.cell = restarts ? rules_.start : arrival.rest,
                                     .shields = shields_after(power, shields)});
    }
  }

  /// Adds captures and swaps, in both directions. The other pieces may stand anywhere they can come
  /// to.
  void move_by_others() {
    std::vector<PieceState> states;
    CellSet cells(ends_move_.size());
    for_each_state([&](PieceState state) {
      if (state.cell == board_.cells()) return;
      states.push_back(state);
      cells[index_of(state.cell)] = true;
    });
    for (const PieceState state : states) {
      if (ends_move_[index_of(state.cell)] && captures_on(rules_, state.cell))
        reach({rules_.start, state.shields});
      for (const auto& [cell, power] : board_.powers()) {
        if (power.kind != PowerKind::swap || !ends_move_[index_of(cell)]) continue;
        if (state.cell > cell) reach({cell, state.shields});
        if (state.cell != cell) continue;
        for (Cell ahead = cell + 1; ahead < board_.cells(); ++ahead)
          if (cells[index_of(ahead)]) reach({ahead, state.shields});
      }
    }
  }

  void finish(PieceState state) {
    finishing_[at(state)] = true;
    Cell& highest = highest_finishing_[static_cast<std::size_t>(state.shields)];
    if (state.cell != board_.cells()) highest = std::max(highest, state.cell);
  }

  bool has_finishing_move(PieceState state) const {
    bool found = false;
    for_each_move(state, [&](Cell rest, PieceState then) {
      const Power* const power = board_.power_on(rest);
      const bool swaps = power != nullptr && power->kind == PowerKind::swap;
      found = found || finishing_[at(then)] ||
              (swaps && highest_finishing_[static_cast<std::size_t>(then.shields)] > then.cell);
    });
    return found;
  }

  const Board& board_;
  const Rules& rules_;
  std::vector<ThrowWays> throws_;
  std::vector<bool> reached_;    // by state
  std::vector<bool> finishing_;  // by state
  CellSet ends_move_;            // cells where dice and jumps bring a piece to rest
  std::vector<PieceState> open_;
  std::vector<Cell> highest_finishing_;  // by shields, leaving out the last cell
};

}  // namespace

EffectsReach reach_with_effects(const Board& board, const Rules& rules, Cell from,
                                std::int32_t shields) {
  Search search(board, rules);
  search.spread_from(from, shields);
  search.find_finishing();
  return search.found(from);
}

}  // namespace snl
