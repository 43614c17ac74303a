#include "joint_chain.hpp"

#include "domain/effects.hpp"
#include "domain/turn_dice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace snl {
namespace {

/// A position in one number.
__extension__ using Key = unsigned __int128;

class Packing {
 public:
  Packing(const Board& board, std::size_t players)
      : players_(static_cast<Seat>(players)),
        cell_bits_(static_cast<int>(std::bit_width(static_cast<unsigned>(board.cells())))) {}

  bool has_room() const { return players_ * seat_bits() <= std::numeric_limits<Key>::digits; }

  /// The position as `mover` sees it.
  Key pack(const Position& position, Seat mover) const {
    Key key = 0;
    for (Seat place = 0, seat = mover; place < players_; ++place) {
      const auto cell = static_cast<unsigned>(position.cells[seat]);
      const auto shields = static_cast<unsigned>(position.tallies.shields.of(seat));
      const auto skips = static_cast<unsigned>(position.tallies.skips.of(seat));
      key = key << seat_bits() | (cell << 2 * count_bits | shields << count_bits | skips);
      seat = seat_after(seat, players_);
    }
    return key;
  }

  Position unpack(Key key) const {
    Position position;
    for (Seat place = players_; place-- > 0; key >>= seat_bits()) {
      const auto seat = static_cast<unsigned>(key);
      const auto count = [&](unsigned shift) {
        return static_cast<std::int32_t>(seat >> shift & static_cast<unsigned>(max_seat_count));
      };
      position.cells[place] = static_cast<Cell>(seat >> 2 * count_bits & ((1U << cell_bits_) - 1));
      position.tallies.shields.set(place, count(count_bits));
      position.tallies.skips.set(place, count(0));
    }
    return position;
  }

  Seat players() const { return players_; }

 private:
  static constexpr int count_bits = 2;
  static_assert(max_seat_count < 1 << count_bits);
  int seat_bits() const { return cell_bits_ + 2 * count_bits; }

  Seat players_;
  int cell_bits_;
};

/// Numbers positions in the order in which they are found. It is a table with open addressing,
/// since a chain spends nearly all its time here.
class StateNumbers {
 public:
  JointState of(Key key) {
    if (2 * keys_.size() >= places_.size()) grow();
    JointState& place = places_[place_of(key)];
    if (place == none) {
      place = static_cast<JointState>(keys_.size());
      keys_.push_back(key);
    }
    return place;
  }
  Key key(JointState number) const { return keys_[number]; }
  std::size_t count() const { return keys_.size(); }

 private:
  static constexpr JointState none = std::numeric_limits<JointState>::max();

  std::size_t place_of(Key key) const {
    constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15U;
    const std::uint64_t folded =
        (static_cast<std::uint64_t>(key >> 64U) * spread ^ static_cast<std::uint64_t>(key)) *
        spread;
    std::size_t place = folded >> (64 - std::countr_zero(places_.size()));
    while (places_[place] != none && keys_[places_[place]] != key)
      place = (place + 1) & (places_.size() - 1);
    return place;
  }

  void grow() {
    places_.assign(2 * places_.size(), none);
    for (JointState number = 0; number < keys_.size(); ++number)
      places_[place_of(keys_[number])] = number;
  }

  std::vector<JointState> places_ = std::vector<JointState>(1024, none);  // a power of two of them
  std::vector<Key> keys_;
};

/// "1,500,000", or "10^18" for a number too large to count.
std::string in_digits(double number) {
  if (number >= 1e15) return "10^" + std::to_string(static_cast<int>(std::log10(number)));
  std::string digits = std::to_string(static_cast<std::int64_t>(number));
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

/// The most states that a piece may be in: the cells where it may rest, with shields and turns to
/// miss.
std::size_t most_ways_of_a_piece(const Board& board, const Rules& rules) {
  std::int32_t shields = 0;
  std::int32_t skips = 0;
  for (const PowerCell& at : board.powers()) {
    if (at.power.kind == PowerKind::shield) shields = std::max<std::int32_t>(shields, at.power.n);
    if (at.power.kind == PowerKind::skip) skips = std::max<std::int32_t>(skips, at.power.n);
  }
  std::size_t cells = 0;
  for (Cell cell = rules.start; cell < board.cells(); ++cell) {
    const Cell landing = board.landing(cell);
    if (landing == cell || cell == rules.start || (landing < cell && shields > 0)) ++cells;
  }
  return cells * static_cast<std::size_t>((shields + 1) * (skips + 1));
}

std::string too_many_ways(std::size_t most_states, const GameSetup& setup) {
  const auto of_a_piece = static_cast<double>(most_ways_of_a_piece(setup.board, setup.rules));
  const std::string most = in_digits(static_cast<double>(most_states));
  return "pieces of this race may stand in more than " + most +
         " ways, and perhaps in as many as " +
         in_digits(std::pow(of_a_piece, static_cast<double>(setup.players.size()))) +
         ": exact odds are worked out for up to " + most;
}

}  // namespace

/// Follows all turns from some positions, and numbers the positions that it finds.
class JointChain::Exploration {
 public:
  Exploration(const Board& board, const Rules& rules, std::size_t players)
      : setup_{.players = std::vector<std::string>(players), .board = board, .rules = rules},
        packing_(board, players),
        throws_(throw_ways(rules)) {}

  std::expected<JointChain, std::string> from(std::span<const Position> begins,
                                              std::size_t most_moves, const StopRequested& stop) {
    const std::size_t most_states =
        std::min(max_joint_states, std::min(max_joint_moves, most_moves) / throws_.size());
    if (!packing_.has_room()) return std::unexpected(too_many_ways(most_states, setup_));
    found_.players_ = packing_.players();
    for (const ThrowWays& thrown : throws_)
      found_.shares_.push_back(static_cast<double>(thrown.ways) / thrown.all);
    for (const Position& position : begins)
      found_.begins_.push_back(numbers_.of(packing_.pack(position, position.next)));
    constexpr JointState states_between_checks = 4096;
    for (JointState state = 0; state < numbers_.count(); ++state) {
      if (numbers_.count() > most_states)
        return std::unexpected(too_many_ways(most_states, setup_));
      if (state % states_between_checks == 0 && stop && stop())
        return std::unexpected("the work was stopped");
      play_on_from(state);
    }
    return in_order();
  }

 private:
  static constexpr JointState won = (JointState{1} << 28U) - 1;  // won(), until that is known

  void play_on_from(JointState state) {
    const Position before = packing_.unpack(numbers_.key(state));
    TurnPlayed mover;
    mover.from = before.cells[0];
    JointState staying = won;
    for (const ThrowWays& ways : throws_) {
      const Arrival arrival = arrive(setup_.board, setup_.rules, before.cells[0],
                                     throw_of(ways, setup_.rules), before.tallies.shields.of(0));
      const TurnPlayed turn = with_effects(mover, arrival, setup_, before);
      if (!turn.next) {
        found_.moves_.push_back({.to = won, .passed = 0});
        continue;
      }
      const Position after = position_after(before, turn);
      const JointState to = numbers_.of(packing_.pack(after, after.next));
      found_.moves_.push_back({.to = to & won, .passed = after.next & 15U});
      // Staying counts only if the turn goes to the next player, who misses nothing. After a six
      // that moves nothing, the mover goes on.
      const bool is_handed_on = after.next == 1 % packing_.players();
      if (stays(arrival.outcome) && is_handed_on) staying = to;
    }
    found_.after_staying_.push_back(staying);
  }

  JointChain in_order() {
    found_.live_ = found_.states_ = static_cast<JointState>(numbers_.count());
    std::ranges::replace(found_.after_staying_, JointState{won}, found_.won());
    for (JointMove& move : found_.moves_)
      if (move.to == won) move.to = found_.won() & won;
    break_short_rings();
    JointChain chain = renumbered(found_, by_sums());
    std::vector<bool> goals(chain.states() + std::size_t{1});
    goals.back() = true;
    const std::vector<bool> ends = chain.leading_to(std::move(goals));
    std::vector<JointState> order;
    std::vector<JointState> stuck;
    for (JointState at = 0; at < chain.states(); ++at)
      (ends[at] ? order : stuck).push_back(at);
    if (stuck.empty()) return chain;
    std::ranges::copy(stuck, std::back_inserter(order));
    chain = renumbered(chain, order);
    chain.live_ -= static_cast<JointState>(stuck.size());
    return chain;
  }

  /// Keeps the state that staying leads to only if everybody can stay in turn.
  void break_short_rings() {
    std::vector<JointState>& staying = found_.after_staying_;
    std::vector<JointState> rings(staying.size(), found_.won());
    for (JointState state = 0; state < staying.size(); ++state) {
      JointState at = state;
      for (std::size_t turn = 0; turn < found_.players_ && at != found_.won(); ++turn)
        at = staying[at];
      if (at == state) rings[state] = staying[state];
    }
    staying = std::move(rings);
  }

  /// The highest sum of cells comes first; among equals, the fewest turns to miss.
  std::vector<JointState> by_sums() const {
    std::vector<std::uint64_t> keys(numbers_.count());
    for (JointState state = 0; state < keys.size(); ++state) {
      const Position position = packing_.unpack(numbers_.key(state));
      std::uint64_t sum = 0;
      std::uint64_t skips = 0;
      for (Seat place = 0; place < packing_.players(); ++place) {
        sum += static_cast<std::uint64_t>(position.cells[place]);
        skips += static_cast<std::uint64_t>(position.tallies.skips.of(place));
      }
      constexpr std::uint64_t most_sum = (std::uint64_t{1} << 27U) - 1;
      keys[state] = (most_sum - sum) << 37U | skips << 32U | state;
    }
    std::ranges::sort(keys);
    std::vector<JointState> order(keys.size());
    std::ranges::transform(keys, order.begin(),
                           [](std::uint64_t key) { return static_cast<JointState>(key); });
    return order;
  }

  /// Reorders the chain: state order[i] becomes state i.
  static JointChain renumbered(const JointChain& old, const std::vector<JointState>& order) {
    std::vector<JointState> number(order.size() + 1);
    for (JointState state = 0; state < order.size(); ++state)
      number[order[state]] = state;
    number.back() = old.won();
    JointChain chain;
    chain.players_ = old.players_;
    chain.live_ = old.live_;
    chain.states_ = old.states_;
    chain.shares_ = old.shares_;
    chain.moves_.reserve(old.moves_.size());
    chain.after_staying_.reserve(order.size());
    for (const JointState state : order) {
      for (const JointMove move : old.moves(state))
        chain.moves_.push_back({.to = number[move.to] & won, .passed = move.passed});
      chain.after_staying_.push_back(number[old.after_staying_[state]]);
    }
    for (const JointState state : old.begins_)
      chain.begins_.push_back(number[state]);
    return chain;
  }

  GameSetup setup_;
  Packing packing_;
  std::vector<ThrowWays> throws_;
  StateNumbers numbers_;
  JointChain found_;
};

std::expected<JointChain, std::string> JointChain::make(const Board& board, const Rules& rules,
                                                        std::size_t players,
                                                        std::span<const Position> begins,
                                                        std::size_t most_moves,
                                                        const StopRequested& stop) {
  return Exploration(board, rules, players).from(begins, most_moves, stop);
}

std::vector<bool> JointChain::leading_to(std::vector<bool> goals) const {
  for (bool found = true; found;) {
    found = false;
    for (JointState state = 0; state < states_; ++state) {
      if (goals[state]) continue;
      const auto leads = [&](JointMove move) { return static_cast<bool>(goals[move.to]); };
      if (!std::ranges::any_of(moves(state), leads)) continue;
      goals[state] = true;
      found = true;
    }
  }
  return goals;
}

}  // namespace snl
