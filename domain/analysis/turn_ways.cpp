#include "turn_ways.hpp"

#include "domain/turn_dice.hpp"
#include "effects_chain.hpp"

#include <cassert>
#include <cmath>
#include <span>

namespace snl {

std::expected<TurnWays, std::string> turn_ways(const Board& board, const Rules& rules, Cell piece) {
  const ChainState begins{.cell = piece};
  const auto turns = chain_of_turns(board, rules, std::span(&begins, 1));
  if (!turns) return std::unexpected(turns.error());
  const Chain& chain = *turns->chain;
  const Cell from = turns->number_of(begins);
  TurnWays ways;
  ways.all = throw_ways(rules).front().all;
  ways.can_strand = chain.can_strand();
  if (!chain.is_live(from)) return ways;

  std::vector<std::size_t> number(chain.size());
  std::size_t live = 0;
  for (Cell state = 0; state < chain.last(); ++state)
    if (chain.is_live(state)) number[index_of(state)] = live++;
  number.back() = live;
  ways.leads.resize(live);
  ways.begin = number[index_of(from)];
  for (Cell state = 0; state < chain.last(); ++state) {
    if (!chain.is_live(state)) continue;
    chain.for_each_move(state, [&](Cell to, double chance) {
      if (!chain.is_live(to) && to != chain.last()) return;
      const double share = chance * static_cast<double>(ways.all);
      const std::int64_t falls = std::llround(share);
      assert(std::abs(share - static_cast<double>(falls)) < 1e-6);
      ways.leads[number[index_of(state)]].push_back({number[index_of(to)], falls});
    });
  }
  return ways;
}

}  // namespace snl
