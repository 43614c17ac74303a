#include "visits.hpp"

#include "absorption.hpp"
#include "domain/move.hpp"
#include "domain/reachability.hpp"

#include <span>

namespace snl {
namespace {

/// One solution for each cell, each of several steps of the chain.
double work_of(const Chain& chain) {
  constexpr double steps_a_solution = 2;
  return static_cast<double>(chain.size()) * steps_a_solution * chain.work_of_a_step();
}

CellVisits visits_of(const Chain& chain, const Absorption& absorption, Cell from) {
  CellVisits visits{.chance = CellValues(chain.size()), .turns = CellValues(chain.size())};
  CellValues reward(chain.size());
  for (Cell cell = 0; cell < chain.last(); ++cell) {
    if (!chain.is_live(cell)) continue;
    reward[index_of(cell)] = 1;
    const CellValues turns = absorption.solve(reward);
    reward[index_of(cell)] = 0;
    visits.turns[index_of(cell)] = turns[index_of(from)];
    visits.chance[index_of(cell)] = turns[index_of(from)] / turns[index_of(cell)];
  }
  visits.chance.back() = 1;
  return visits;
}

}  // namespace

std::expected<CellVisits, std::string> cell_visits(const Board& board, const Rules& rules,
                                                   Cell from) {
  if (has_effects(board, rules))
    return std::unexpected(
        "they aren't worked out where there are powers, captures or faces that enter");
  if (const auto cell = stranding_cell(board, rules, from))
    return std::unexpected("a piece may come to cell " + std::to_string(*cell) +
                           " and never finish: it may spend turns without end there");
  const Chain chain(board, rules, std::span(&from, 1));
  if (work_of(chain) > max_visits_work)
    return std::unexpected("the board has too many cells for their visits to be worked out");
  const auto absorption = Absorption::make(chain);
  if (!absorption) return std::unexpected(absorption.error());
  return visits_of(chain, *absorption, from);
}

}  // namespace snl
