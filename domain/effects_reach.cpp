#include "effects_reach.hpp"

#include "effects.hpp"
#include "turn_dice.hpp"

#include <algorithm>

namespace snl {
namespace {

/// A piece's cell and its player's shields.
struct Stand {
  Cell cell;
  std::int32_t shields;
};

/// Finds all stands that pieces can come to; then those from which they can finish.
class Search {
 public:
  Search(const Board& board, const Rules& rules)
      : board_(board),
        rules_(rules),
        throws_(throw_ways(rules)),
        reached_(index_of(board.cells() + 1) * most_stands),
        finishing_(reached_.size()),
        ends_move_(index_of(board.cells()) + 1) {}

  void spread_from(Cell from) {
    reach({from, 0});
    do {
      while (!open_.empty()) {
        const Stand stand = open_.back();
        open_.pop_back();
        for_each_move(stand, [&](Cell rest, Stand then) {
          ends_move_[index_of(rest)] = true;
          reach(then);
        });
      }
      move_by_others();
    } while (!open_.empty());
  }

  void find_finishing() {
    highest_finishing_.assign(most_stands, 0);
    for_each_stand([&](Stand stand) {
      if (stand.cell == board_.cells()) finish(stand);
    });
    for (bool found = true; found;) {
      found = false;
      for_each_stand([&](Stand stand) {
        if (finishing_[at(stand)] || !has_finishing_move(stand)) return;
        finish(stand);
        found = true;
      });
    }
  }

  EffectsReach answer(Cell from) const {
    EffectsReach answer{.can_finish = finishing_[at({from, 0})], .stranding_cell = {}, .idle = {}};
    for (Cell cell = board_.cells(); cell >= 0; --cell)
      for (std::int32_t shields = 0; shields <= max_seat_count; ++shields)
        if (reached_[at({cell, shields})] && !finishing_[at({cell, shields})])
          answer.stranding_cell = cell;
    for (const PowerCell& power : board_.powers())
      if (!ends_move_[index_of(power.cell)]) answer.idle.push_back(power);
    return answer;
  }

 private:
  static constexpr std::size_t most_stands = max_seat_count + 1;  // of a cell

  static std::size_t at(Stand stand) {
    return index_of(stand.cell) * most_stands + static_cast<std::size_t>(stand.shields);
  }

  void reach(Stand stand) {
    if (reached_[at(stand)]) return;
    reached_[at(stand)] = true;
    if (stand.cell != board_.cells()) open_.push_back(stand);
  }

  /// Those that were reached, the highest cells first.
  template <class Visit>
  void for_each_stand(const Visit& visit) const {
    for (Cell cell = board_.cells(); cell >= 0; --cell)
      for (std::int32_t shields = 0; shields <= max_seat_count; ++shields)
        if (reached_[at({cell, shields})]) visit(Stand{cell, shields});
  }

  /// visit(where a move ends, where the piece stands after the power there). A swap is left out.
  template <class Visit>
  void for_each_move(Stand stand, const Visit& visit) const {
    for (const auto& [distance, enters, ways, all] : throws_) {
      const Arrival arrival = arrive(board_, rules_, stand.cell,
                                     {.distance = distance, .enters = enters}, stand.shields);
      if (stays(arrival.outcome)) continue;
      const Power* const power = power_met(board_, arrival);
      const bool restarts = power != nullptr && power->kind == PowerKind::restart;
      const std::int32_t shields = stand.shields - (arrival.shielded ? 1 : 0);
      visit(arrival.rest, Stand{.cell = restarts ? rules_.start : arrival.rest,
                                .shields = shields_after(power, shields)});
    }
  }

  /// Captures, and swaps in both directions, of pieces that may stand anywhere they can come to.
  void move_by_others() {
    std::vector<Stand> stands;
    CellSet cells(ends_move_.size());
    for_each_stand([&](Stand stand) {
      if (stand.cell == board_.cells()) return;
      stands.push_back(stand);
      cells[index_of(stand.cell)] = true;
    });
    for (const Stand stand : stands) {
      if (ends_move_[index_of(stand.cell)] && captures_on(rules_, stand.cell))
        reach({rules_.start, stand.shields});
      for (const auto& [cell, power] : board_.powers()) {
        if (power.kind != PowerKind::swap || !ends_move_[index_of(cell)]) continue;
        if (stand.cell > cell) reach({cell, stand.shields});
        if (stand.cell != cell) continue;
        for (Cell ahead = cell + 1; ahead < board_.cells(); ++ahead)
          if (cells[index_of(ahead)]) reach({ahead, stand.shields});
      }
    }
  }

  void finish(Stand stand) {
    finishing_[at(stand)] = true;
    Cell& highest = highest_finishing_[static_cast<std::size_t>(stand.shields)];
    if (stand.cell != board_.cells()) highest = std::max(highest, stand.cell);
  }

  bool has_finishing_move(Stand stand) const {
    bool found = false;
    for_each_move(stand, [&](Cell rest, Stand then) {
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
  std::vector<bool> reached_;    // by stand
  std::vector<bool> finishing_;  // by stand
  CellSet ends_move_;            // cells on which dice and jumps bring a piece to rest
  std::vector<Stand> open_;
  std::vector<Cell> highest_finishing_;  // by shields, but for the last cell
};

}  // namespace

EffectsReach reach_with_effects(const Board& board, const Rules& rules, Cell from) {
  Search search(board, rules);
  search.spread_from(from);
  search.find_finishing();
  return search.answer(from);
}

}  // namespace snl
