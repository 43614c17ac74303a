#include "turn_ways.hpp"

#include "domain/turn_dice.hpp"
#include "effects_chain.hpp"
#include "joint_chain.hpp"

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

std::expected<RaceWays, std::string> race_ways(const Board& board, const Rules& rules,
                                               const Race& race, std::size_t most_states) {
  const std::vector<ThrowWays> throws = throw_ways(rules);
  const Position begin = position_of(race);
  const std::size_t players = race.cells.size();
  const auto chain =
      JointChain::make(board, rules, players, std::span(&begin, 1), most_states * throws.size());
  if (!chain) return std::unexpected(chain.error());

  RaceWays ways;
  ways.turns.all = ways.wins.all = throws.front().all;
  ways.turns.can_strand = chain->live() < chain->states();
  ways.wins.can_strand = true;
  const std::size_t live = chain->live();
  if (chain->begin(0) >= live) {
    ways.begins.resize(players);
    return ways;
  }
  ways.turns.leads.resize(live);
  ways.wins.leads.resize(live * players);
  // The chain's last states are those of the lowest cells.
  const auto number = [&](JointState state) { return live - 1 - state; };
  const auto number_of_player = [&](JointState state, std::size_t place) {
    return number(state) * players + place;
  };
  for (JointState state = 0; state < live; ++state) {
    const auto moves = chain->moves(state);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto [to, passed] = moves[i];
      if (to == chain->won()) {
        ways.turns.leads[number(state)].push_back({live, throws[i].ways});
        ways.wins.leads[number_of_player(state, 0)].push_back({live * players, throws[i].ways});
      } else if (to < live) {
        ways.turns.leads[number(state)].push_back({number(to), throws[i].ways});
        for (std::size_t place = 0; place < players; ++place)
          ways.wins.leads[number_of_player(state, (place + passed) % players)].push_back(
              {number_of_player(to, place), throws[i].ways});
      }
    }
  }
  ways.turns.begin = number(chain->begin(0));
  for (std::size_t seat = 0; seat < players; ++seat)
    ways.begins.push_back(
        number_of_player(chain->begin(0), (seat + players - begin.next) % players));
  return ways;
}

}  // namespace snl
