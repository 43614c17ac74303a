#include "hard_boards.hpp"

#include "domain/move.hpp"
#include "domain/reachability.hpp"
#include "domain/turn_dice.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace snl::test {
namespace {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  /// 0 to bound − 1.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t times) { return below(times) == 0; }

 private:
  std::mt19937_64 random_;
};

Rules any_rules(Chance& chance) {
  constexpr std::array finishes{Finish::exact, Finish::overshoot, Finish::bounce};
  Rules rules{.start = static_cast<Cell>(chance.below(2)),
              .finish = finishes[static_cast<std::size_t>(chance.below(finishes.size()))],
              .sixes = Sixes::plain};
  if (chance.one_in(4)) {
    rules.sixes = Sixes::again;
  } else {
    rules.dice = chance.one_in(4) ? 2 : 1;
    rules.faces = static_cast<std::int32_t>(chance.between(2, rules.dice == 2 ? 4 : 6));
  }
  return rules;
}

/// States from 0; each leads on by the distances of a throw: to_[state][distance − 1].
class Machine {
 public:
  static constexpr std::int64_t end = -1;

  Machine(std::int64_t states, std::int64_t distances)
      : to_(static_cast<std::size_t>(states),
            std::vector<std::int64_t>(static_cast<std::size_t>(distances), 0)) {}

  std::int64_t states() const { return std::ssize(to_); }
  std::int64_t distances() const { return std::ssize(to_.front()); }

  std::int64_t to(std::int64_t state, std::int64_t distance) const {
    return to_[static_cast<std::size_t>(state)][static_cast<std::size_t>(distance - 1)];
  }
  void lead(std::int64_t state, std::int64_t distance, std::int64_t to) {
    to_[static_cast<std::size_t>(state)][static_cast<std::size_t>(distance - 1)] = to;
  }
  void lead_all(std::int64_t state, std::int64_t to) {
    std::ranges::fill(to_[static_cast<std::size_t>(state)], to);
  }

 private:
  std::vector<std::vector<std::int64_t>> to_;
};

/// States from `first` up to `last`; one throw from the last state, or a few, leave them.
struct Region {
  std::int64_t first;
  std::int64_t last;
};

/// Only one distance leads on; all others lead back to the region's first state.
void make_line(Machine& machine, Region region, Chance& chance) {
  const std::int64_t good = chance.between(1, machine.distances());
  for (std::int64_t state = region.first; state <= region.last; ++state) {
    machine.lead_all(state, region.first);
    if (state < region.last) machine.lead(state, good, state + 1);
  }
}

/// Every distance leads to the next state, and from the last one to the first.
void make_ring(Machine& machine, Region region) {
  for (std::int64_t state = region.first; state <= region.last; ++state)
    machine.lead_all(state, state < region.last ? state + 1 : region.first);
}

/// Each of the two halves leads to the other: one step on, or back to its first state.
void make_pendulum(Machine& machine, Region region, Chance& chance) {
  const std::int64_t good = chance.between(1, machine.distances());
  for (std::int64_t state = region.first; state <= region.last; ++state) {
    const bool is_odd = (state - region.first) % 2 == 1;
    machine.lead_all(state,
                     is_odd || region.first == region.last ? region.first : region.first + 1);
    if (state < region.last) machine.lead(state, good, state + 1);
  }
}

void make_mesh(Machine& machine, Region region, Chance& chance) {
  for (std::int64_t state = region.first; state <= region.last; ++state)
    for (std::int64_t distance = 1; distance <= machine.distances(); ++distance)
      machine.lead(state, distance, chance.between(region.first, region.last));
}

void make_region(Machine& machine, Region region, Chance& chance) {
  switch (chance.below(5)) {
    case 0:
    case 1:
      return make_line(machine, region, chance);
    case 2:
      return make_ring(machine, region);
    case 3:
      return make_pendulum(machine, region, chance);
    default:
      return make_mesh(machine, region, chance);
  }
}

Machine any_machine(std::int64_t most_states, std::int64_t distances, Chance& chance) {
  Machine machine(chance.between(1, most_states), distances);
  std::vector<Region> regions;
  for (std::int64_t first = 0; first < machine.states();) {
    const std::int64_t last = std::min(
        machine.states() - 1, first + (chance.one_in(2) ? chance.between(4, 13) : chance.below(4)));
    regions.push_back({first, last});
    make_region(machine, regions.back(), chance);
    first = last + 1;
  }
  const auto count = std::ssize(regions);
  const bool has_trap = count > 2 && chance.one_in(4);
  for (std::int64_t i = 0; i < count; ++i) {
    const Region region = regions[static_cast<std::size_t>(i)];
    if (has_trap && i == count - 2) continue;
    const auto exits = chance.between(1, 2);
    for (std::int64_t exit = 0; exit < exits; ++exit) {
      const bool back = chance.one_in(6);
      const std::int64_t next = back ? chance.below(count) : i + chance.between(1, 2);
      machine.lead(region.last, chance.between(1, distances),
                   next >= count ? Machine::end : regions[static_cast<std::size_t>(next)].first);
    }
  }
  return machine;
}

Board board_of(const Machine& machine, Chance& chance) {
  const std::int64_t stride = machine.distances() + 1;
  const std::int64_t first = 1 + chance.below(2);
  BoardDescription description{.cells = first + machine.states() * stride + chance.below(4)};
  description.cells = std::max<std::int64_t>(description.cells, 2);
  const auto add = [&](std::int64_t from, std::int64_t to) {
    if (from == to || from >= description.cells) return;
    (to < from ? description.snakes : description.ladders).push_back({from, to});
  };
  if (first == 2) add(1, 2);
  for (std::int64_t state = 0; state < machine.states(); ++state)
    for (std::int64_t distance = 1; distance <= machine.distances(); ++distance) {
      const std::int64_t to = machine.to(state, distance);
      add(first + state * stride + distance,
          to == Machine::end ? description.cells : first + to * stride);
    }
  // A few ordinary cells.
  std::erase_if(description.snakes, [&](const auto&) { return chance.one_in(300); });
  return *Board::make(description);
}

/// Jumps between any cells of a board, many or few of them, most of them down.
Board any_jumps(Chance& chance) {
  BoardDescription description{.cells = chance.between(2, chance.one_in(3) ? 400 : 40)};
  const std::int64_t density = chance.between(1, 10);
  for (std::int64_t from = 2; from < description.cells; ++from) {
    if (chance.below(10) >= density) continue;
    const std::int64_t to = chance.between(1, chance.one_in(12) ? description.cells : from);
    if (to < from) description.snakes.push_back({from, to});
    if (to > from) description.ladders.push_back({from, to});
  }
  return *Board::make(description);
}

}  // namespace

HardBoard hard_board(std::uint64_t seed) {
  Chance chance(seed);
  const Rules rules = any_rules(chance);
  const std::int64_t distances = distances_of(rules).back();
  const std::int64_t most_states = std::min<std::int64_t>(
      chance.one_in(2) ? 14 : 400, std::max<std::int64_t>(3, 395 / (distances + 1)));
  HardBoard hard{.board = chance.one_in(4)
                              ? any_jumps(chance)
                              : board_of(any_machine(most_states, distances, chance), chance),
                 .rules = rules,
                 .cells = {rules.start}};
  const CellSet reached = reachable_from(hard.board, rules, rules.start);
  for (Cell cell = rules.start + 1; cell < hard.board.cells(); ++cell)
    if (reached[index_of(cell)] ? !chance.one_in(3) : chance.one_in(50)) hard.cells.push_back(cell);
  return hard;
}

Race hard_race(const HardBoard& board, std::size_t players, std::uint64_t seed) {
  Chance chance(seed ^ 0x9e3779b97f4a7c15U);
  Race race{.cells = {},
            .to_move = static_cast<std::size_t>(chance.below(static_cast<std::int64_t>(players)))};
  const bool from_start = chance.one_in(3);
  for (std::size_t i = 0; i < players; ++i)
    race.cells.push_back(
        from_start ? board.rules.start
                   : board.cells[static_cast<std::size_t>(chance.below(std::ssize(board.cells)))]);
  return race;
}

std::ostream& operator<<(std::ostream& out, const HardBoard& hard) {
  out << R"({"cells":)" << hard.board.cells();
  const auto print = [&](const char* name, std::span<const Jump> jumps) {
    out << ",\"" << name << "\":[";
    for (std::size_t i = 0; i < jumps.size(); ++i)
      out << (i > 0 ? "," : "") << '[' << jumps[i].from << ',' << jumps[i].to << ']';
    out << ']';
  };
  print("snakes", hard.board.snakes());
  print("ladders", hard.board.ladders());
  return out << "} --start " << hard.rules.start << " --finish " << to_string(hard.rules.finish)
             << " --dice " << hard.rules.dice << " --faces " << hard.rules.faces << " --sixes "
             << to_string(hard.rules.sixes);
}

}  // namespace snl::test
