// The cells that pieces can reach, against the plainest algorithm: repeat until nothing changes.
#include "domain/move.hpp"
#include "domain/reachability.hpp"
#include "domain/turn_dice.hpp"
#include "generators.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <limits>

using namespace snl;
using namespace snl::test;

namespace {

constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();

template <class Visit>
void for_each_move(const Board& board, const Rules& rules, const Visit& visit) {
  for (Cell from = 0; from < board.cells(); ++from)
    for (const std::int32_t distance : distances_of(rules))
      visit(static_cast<std::size_t>(from),
            static_cast<std::size_t>(move_piece(board, rules, from, distance).to));
}

/// The fewest turns from each cell to the end.
std::vector<std::int64_t> turns_to_the_end(const Board& board, const Rules& rules) {
  std::vector<std::int64_t> turns(static_cast<std::size_t>(board.cells()) + 1, far);
  turns.back() = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for_each_move(board, rules, [&](std::size_t from, std::size_t to) {
      if (turns[to] == far || turns[from] <= turns[to] + 1) return;
      turns[from] = turns[to] + 1;
      changed = true;
    });
  }
  return turns;
}

CellSet reached_by_trying(const Board& board, const Rules& rules, Cell start) {
  CellSet reached(static_cast<std::size_t>(board.cells()) + 1);
  reached[static_cast<std::size_t>(start)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for_each_move(board, rules, [&](std::size_t from, std::size_t to) {
      if (!reached[from] || reached[to]) return;
      reached[to] = true;
      changed = true;
    });
  }
  return reached;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reachability)

RC_BOOST_PROP(is_what_trying_finds, (const Board& board, const Rules& rules)) {
  const Cell from = *rc::gen::inRange<Cell>(0, board.cells());
  const auto turns = turns_to_the_end(board, rules);
  const CellSet reached = reached_by_trying(board, rules, from);
  const CellSet finishing = can_finish(board, rules);

  RC_ASSERT(reachable_from(board, rules, from) == reached);
  for (std::size_t cell = 0; cell < turns.size(); ++cell)
    RC_ASSERT(finishing[cell] == (turns[cell] < far));

  const std::int64_t fewest = turns[static_cast<std::size_t>(from)];
  RC_ASSERT(fewest_turns(board, rules, from).value_or(far) == fewest);

  std::size_t stranded = 0;
  while (stranded < turns.size() && !(reached[stranded] && turns[stranded] == far))
    ++stranded;
  const auto found = stranding_cell(board, rules, from);
  RC_ASSERT(found.has_value() == (stranded < turns.size()));
  if (found) RC_ASSERT(static_cast<std::size_t>(*found) == stranded);
}

BOOST_AUTO_TEST_SUITE_END()
