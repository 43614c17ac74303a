#include "visits.hpp"

#include "absorption.hpp"
#include "domain/game.hpp"
#include "domain/reachability.hpp"
#include "effects_chain.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <span>
#include <vector>

namespace snl {
namespace {

/// The work of one solution for each cell. A solution costs several steps of the chain.
double work_of(const Chain& chain) {
  constexpr double steps_a_solution = 2;
  return static_cast<double>(chain.size()) * steps_a_solution * chain.work_of_a_step();
}

/// The visits of some states of a chain, from state `from`: the expected turns that begin in any of
/// them, and the chance ever to come to one.
struct StateVisits {
  double turns = 0;
  double chance = 0;
};

StateVisits visits_of_any(const Chain& chain, const Absorption& absorption, Cell from,
                          std::span<const Cell> states) {
  const auto count = static_cast<Eigen::Index>(states.size());
  Eigen::RowVectorXd begun(count);        // turns, in each of the states
  Eigen::MatrixXd between(count, count);  // the same from each of them
  CellValues reward(chain.size());
  for (Eigen::Index column = 0; column < count; ++column) {
    const std::size_t state = index_of(states[static_cast<std::size_t>(column)]);
    reward[state] = 1;
    const CellValues turns = absorption.solve(reward);
    reward[state] = 0;
    begun[column] = turns[index_of(from)];
    for (Eigen::Index row = 0; row < count; ++row)
      between(row, column) = turns[index_of(states[static_cast<std::size_t>(row)])];
  }
  if (count == 1) return {.turns = begun[0], .chance = begun[0] / between(0, 0)};
  // The chances of each state to be the first that the piece comes to. Each leads to its own turns
  // in all of them.
  const Eigen::VectorXd first = between.transpose().partialPivLu().solve(begun.transpose());
  return {.turns = begun.sum(), .chance = std::clamp(first.sum(), 0.0, 1.0)};
}

/// A chain and the states that a piece may be in on each cell, from 0 to the last.
struct StatesByCell {
  const Chain& chain;
  std::vector<std::vector<Cell>> states;
};

std::expected<CellVisits, std::string> visits_of(const StatesByCell& pieces, Cell from) {
  if (work_of(pieces.chain) > max_visits_work)
    return std::unexpected("the board has too many cells for their visits to be worked out");
  const auto absorption = Absorption::make(pieces.chain);
  if (!absorption) return std::unexpected(absorption.error());
  const std::size_t cells = pieces.states.size();
  CellVisits visits{.chance = CellValues(cells), .turns = CellValues(cells)};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (pieces.states[cell].empty()) continue;
    const auto [turns, chance] =
        visits_of_any(pieces.chain, *absorption, from, pieces.states[cell]);
    visits.turns[cell] = turns;
    visits.chance[cell] = chance;
  }
  visits.chance.back() = 1;
  return visits;
}

std::string may_never_finish(Cell cell) {
  return "a piece may come to cell " + std::to_string(cell) +
         " and never finish: it may spend turns without end there";
}

/// The piece is alone, so no other piece can move it.
std::expected<CellVisits, std::string> visits_with_effects(const Board& board, const Rules& rules,
                                                           Cell from) {
  const ChainState begins{.cell = from};
  const auto turns = chain_of_turns(board, rules, std::span(&begins, 1));
  if (!turns) return std::unexpected(turns.error());
  if (const auto cell = turns->stranding_cell()) return std::unexpected(may_never_finish(*cell));
  StatesByCell pieces{.chain = *turns->chain, .states = {}};
  pieces.states.resize(index_of(board.cells()) + 1);
  for (std::size_t i = 0; i < turns->states.size(); ++i)
    pieces.states[index_of(turns->states[i].cell)].push_back(static_cast<Cell>(i));
  return visits_of(pieces, turns->number_of(begins));
}

}  // namespace

std::expected<CellVisits, std::string> cell_visits(const Board& board, const Rules& rules,
                                                   Cell from) {
  if (has_effects(board, rules)) return visits_with_effects(board, rules, from);
  if (const auto cell = stranding_cell(board, rules, from))
    return std::unexpected(may_never_finish(*cell));
  const Chain chain(board, rules, std::span(&from, 1));
  StatesByCell pieces{.chain = chain, .states = {}};
  pieces.states.resize(chain.size());
  for (Cell cell = 0; cell < chain.last(); ++cell)
    if (chain.is_live(cell)) pieces.states[index_of(cell)].push_back(cell);
  return visits_of(pieces, from);
}

}  // namespace snl
