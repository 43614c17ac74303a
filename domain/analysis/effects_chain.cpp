#include "effects_chain.hpp"

#include "domain/effects.hpp"
#include "domain/turn_dice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace snl {
namespace {

/// A state that one turn may lead a piece to.
struct TurnMove {
  ChainState to;
  double chance = 0;
  bool again = false;  // it moves again in the same round
};

constexpr const char* too_many = "a piece on this board has too many states for exact odds";
constexpr const char* endless = "a piece on this board may move again and again without end";

/// The turns of a piece whose player has no turns to miss.
class TurnMoves {
 public:
  TurnMoves(const Board& board, const Rules& rules)
      : board_(board), rules_(rules), throws_(throw_ways(rules)) {}

  Cell last() const { return board_.cells(); }

  std::vector<TurnMove> from(const ChainState& state) const {
    std::vector<TurnMove> moves;
    moves.reserve(throws_.size());
    for (const ThrowWays& ways : throws_) {
      TurnMove move = after(state, throw_of(ways, rules_));
      move.chance = static_cast<double>(ways.ways) / ways.all;
      moves.push_back(move);
    }
    return moves;
  }

 private:
  TurnMove after(const ChainState& state, Throw thrown) const {
    const Arrival arrival = arrive(board_, rules_, state.cell, thrown, state.shields);
    const Power* const power = power_met(board_, arrival);
    const auto is = [&](PowerKind kind) { return power != nullptr && power->kind == kind; };
    const std::int32_t left = state.shields - (arrival.shielded ? 1 : 0);
    const std::int32_t skips = skips_after(power, 0);
    const bool again = moves_again(arrival, power);
    const bool misses = again && skips > 0;  // its next turn, which is one of this round
    return {.to = {.cell = is(PowerKind::restart) ? rules_.start : arrival.rest,
                   .shields = shields_after(power, left),
                   .skips = skips - (misses ? 1 : 0)},
            .again = again && !misses};
  }

  const Board& board_;
  const Rules& rules_;
  std::vector<ThrowWays> throws_;
};

/// The states that a turn or a round leads a piece to, with their chances.
using Leads = std::map<ChainState, double>;

struct Row {
  std::vector<std::pair<ChainState, double>> leads;
  double plays = 1;  // turns

  Row() = default;
  Row(const Leads& found, double turns) : leads(found.begin(), found.end()), plays(turns) {}

  void add_to(Leads& sums, double chance) const {
    for (const auto& [to, share] : leads)
      sums[to] += chance * share;
  }
};

enum class TurnsOfARow : std::uint8_t { one, as_it_says };

/// The rows of all states that pieces come to, as `row_of` gives them.
template <class RowOf>
std::expected<EffectsChain, std::string> chain_from(std::span<const ChainState> from, Cell last,
                                                    const RowOf& row_of, TurnsOfARow turns) {
  std::set<ChainState> seen;
  std::vector<ChainState> open;
  const auto come_to = [&](const ChainState& state) {
    if (state.cell != last && seen.insert(state).second) open.push_back(state);
  };
  for (const ChainState& state : from)
    come_to(state);
  std::map<ChainState, Row> rows;
  std::size_t moves = 0;
  while (!open.empty()) {
    const ChainState state = open.back();
    open.pop_back();
    const Row& row = rows[state] = row_of(state);
    moves += row.leads.size();
    if (moves > max_effects_moves) return std::unexpected(too_many);
    for (const auto& [to, chance] : row.leads)
      come_to(to);
  }
  EffectsChain result;
  result.states.assign(seen.begin(), seen.end());
  Chain::Rows numbered;
  numbered.moves.reserve(moves);
  for (const auto& [state, row] : rows) {
    for (const auto& [to, chance] : row.leads)
      numbered.moves.push_back({result.number_of(to), chance});
    numbered.begin.push_back(numbered.moves.size());
    if (turns == TurnsOfARow::as_it_says) numbered.plays.push_back(row.plays);
  }
  if (std::ranges::all_of(numbered.plays, [](double plays) { return plays == 1; }))
    numbered.plays.clear();
  result.chain = std::make_unique<const Chain>(std::move(numbered));
  return result;
}

/// The rest of a round after a piece moves again, by the state from which it does. This eliminates
/// these states one after the other, without a subtraction, as Absorption does.
class AgainTurns {
 public:
  /// Keeps `moves`.
  explicit AgainTurns(const TurnMoves& moves) : moves_(moves) {}

  /// The rest of the round; null after a failure.
  const Row* from(const ChainState& state) {
    if (failure_ == nullptr && !done_.contains(state)) eliminate_from(state);
    return failure_ == nullptr ? &done_.at(state) : nullptr;
  }

  /// The reason that there is no answer, or null.
  const char* failure() const { return failure_; }

 private:
  struct Open {
    Leads again;  // to states that aren't done
    Leads ends;   // of the round
    double plays = 1;

    double leaving() const {
      double sum = 0;
      for (const Leads* leads : {&again, &ends})
        for (const auto& [to, chance] : *leads)
          sum += chance;
      return sum;
    }
    void divide_by(double divisor) {
      for (Leads* leads : {&again, &ends})
        for (auto& [to, chance] : *leads)
          chance /= divisor;
      plays /= divisor;
    }
    /// Replaces the lead to `state` with the leads of `by`, the row of `state`.
    void replace(const ChainState& state, const Open& by) {
      const auto found = again.extract(state);
      if (found.empty()) return;
      for (const auto& [to, share] : by.again)
        again[to] += found.mapped() * share;
      for (const auto& [to, share] : by.ends)
        ends[to] += found.mapped() * share;
      plays += found.mapped() * by.plays;
    }
  };
  using AllOpen = std::map<ChainState, Open>;

  void eliminate_from(const ChainState& first) {
    AllOpen open = opened_from(first);
    std::map<ChainState, std::set<ChainState>> before;
    for (const auto& [state, row] : open)
      for (const auto& [to, chance] : row.again)
        before[to].insert(state);
    for (auto& [state, row] : open) {
      row.again.erase(state);
      const double leaving = row.leaving();
      if (!(leaving > 0)) failure_ = endless;
      if (failure_ != nullptr) return;
      row.divide_by(leaving);
      for (const ChainState& other : before[state]) {
        if (!(other > state)) continue;
        open.at(other).replace(state, row);
        for (const auto& [to, share] : row.again)
          before[to].insert(other);
      }
    }
    for (auto row = open.rbegin(); row != open.rend() && failure_ == nullptr; ++row)
      close(row->first, row->second);
  }

  /// Requires that all later states are done.
  void close(const ChainState& state, Open& open) {
    for (const auto& [later, chance] : open.again) {
      const Row& there = done_.at(later);
      there.add_to(open.ends, chance);
      open.plays += chance * there.plays;
    }
    leads_ += open.ends.size();
    if (leads_ > max_effects_moves / 2) failure_ = too_many;
    done_.emplace(state, Row(open.ends, open.plays));
  }

  /// All states that aren't done yet, in which a piece may move again once it does in `first`.
  AllOpen opened_from(const ChainState& first) const {
    AllOpen open{{first, {}}};
    std::vector<ChainState> found{first};
    while (!found.empty()) {
      const ChainState state = found.back();
      found.pop_back();
      Open& row = open.at(state);
      for (const TurnMove& move : moves_.from(state)) {
        const auto known = done_.find(move.to);
        if (!move.again) {
          row.ends[move.to] += move.chance;
        } else if (known != done_.end()) {
          known->second.add_to(row.ends, move.chance);
          row.plays += move.chance * known->second.plays;
        } else {
          row.again[move.to] += move.chance;
          if (open.try_emplace(move.to).second) found.push_back(move.to);
        }
      }
    }
    return open;
  }

  const TurnMoves& moves_;
  std::map<ChainState, Row> done_;
  std::size_t leads_ = 0;
  const char* failure_ = nullptr;
};

}  // namespace

Cell EffectsChain::number_of(const ChainState& state) const {
  const auto found = std::ranges::lower_bound(states, state);
  const bool is_there = found != states.end() && *found == state;
  return static_cast<Cell>((is_there ? found : states.end()) - states.begin());
}

std::optional<Cell> EffectsChain::stranding_cell() const {
  for (std::size_t i = 0; i < states.size(); ++i)  // ascending, by cells
    if (chain->stranded()[i]) return states[i].cell;
  return std::nullopt;
}

std::expected<EffectsChain, std::string> chain_of_turns(const Board& board, const Rules& rules,
                                                        std::span<const ChainState> from) {
  const TurnMoves moves(board, rules);
  const auto row_of = [&](const ChainState& state) {
    Leads leads;
    for (const TurnMove& move : moves.from(state))
      leads[{.cell = move.to.cell, .shields = move.to.shields}] += move.chance;
    return Row(leads, 1);
  };
  std::vector<ChainState> begins(from.begin(), from.end());
  for (ChainState& state : begins)
    state.skips = 0;
  return chain_from(begins, moves.last(), row_of, TurnsOfARow::one);
}

std::expected<EffectsChain, std::string> chain_of_rounds(const Board& board, const Rules& rules,
                                                         std::span<const ChainState> from) {
  const TurnMoves moves(board, rules);
  AgainTurns again(moves);
  const auto row_of = [&](const ChainState& state) {
    Leads leads;
    if (state.skips > 0) {
      leads[{.cell = state.cell, .shields = state.shields, .skips = state.skips - 1}] = 1;
      return Row(leads, 0);
    }
    double plays = 1;
    for (const TurnMove& move : moves.from(state)) {
      if (!move.again) {
        leads[move.to] += move.chance;
      } else if (const Row* const rest = again.from(move.to)) {
        rest->add_to(leads, move.chance);
        plays += move.chance * rest->plays;
      }
    }
    return Row(leads, plays);
  };
  auto chain = chain_from(from, moves.last(), row_of, TurnsOfARow::as_it_says);
  if (again.failure() != nullptr) return std::unexpected(again.failure());
  return chain;
}

}  // namespace snl
