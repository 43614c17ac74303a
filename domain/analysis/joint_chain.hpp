// All pieces of a race as one chain, for games in which one piece may move another. A state is the
// cells and tallies of all players, seen from the player to move. That player has place 0, and the
// others follow in turn order. Only states that the race can reach from the given positions get a
// number. The functions that decide uses say where a turn leads (domain/effects.hpp).
#pragma once

#include "domain/board.hpp"
#include "domain/game.hpp"
#include "domain/rules.hpp"
#include "domain/stop_requested.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace snl {

/// The most states of a joint chain, and the most moves: a third of a gigabyte at most.
inline constexpr std::size_t max_joint_states = 1'500'000;
inline constexpr std::size_t max_joint_moves = 16'000'000;

using JointState = std::uint32_t;

/// The state that a throw leads to. When the next player moves, place p becomes place p − passed,
/// modulo the players.
struct JointMove {
  JointState to : 28;
  JointState passed : 4;
};

class JointChain {
 public:
  /// The chain of the positions that a race of this many players (1 to max_players) comes to from
  /// any of `begins`, in which nobody has won. An error is a sentence without its full stop: there
  /// are too many positions, or more than `most_moves` moves, or `stop` answered true.
  static std::expected<JointChain, std::string> make(const Board& board, const Rules& rules,
                                                     std::size_t players,
                                                     std::span<const Position> begins,
                                                     std::size_t most_moves,
                                                     const StopRequested& stop = {});

  std::size_t players() const { return players_; }
  /// The number of states from which somebody can still win. They come first, from 0 on, with the
  /// highest sums of cells first, so that most moves lead to earlier states.
  JointState live() const { return live_; }
  /// The number of all states. Nobody can win any more from those after the live ones.
  JointState states() const { return states_; }
  /// The state that a winning throw leads to.
  JointState won() const { return states_; }
  /// The state of one of the given positions.
  JointState begin(std::size_t asked) const { return begins_[asked]; }
  std::size_t count_begins() const { return begins_.size(); }

  /// The chance of each throw, and where they lead, in the same order.
  std::span<const double> shares() const { return shares_; }
  std::span<const JointMove> moves(JointState from) const {
    return std::span(moves_).subspan(from * shares_.size(), shares_.size());
  }
  std::size_t count_moves() const { return moves_.size(); }

  /// The state after a throw that leaves the mover where it is, if all players can go on staying
  /// until it is the mover's turn again; else won().
  JointState after_staying(JointState from) const { return after_staying_[from]; }

  /// Whether each state may lead to one of `goals` (by state, with a place for won()), or is one.
  std::vector<bool> leading_to(std::vector<bool> goals) const;

 private:
  class Exploration;
  JointChain() = default;

  std::size_t players_ = 0;
  JointState live_ = 0;
  JointState states_ = 0;
  std::vector<double> shares_;
  std::vector<JointMove> moves_;
  std::vector<JointState> after_staying_;
  std::vector<JointState> begins_;
};

}  // namespace snl
