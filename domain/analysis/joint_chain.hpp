// All pieces of a race as one chain, where what one does may move another: a state is the cells and
// tallies of all players, seen from whoever moves, who is in place 0; the others follow in turn
// order. Only states that are reached from the positions asked about are numbered. Where a turn
// leads is asked of the parts that decide is made of (domain/effects.hpp).
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

/// Where a throw leads. Place p is place p − passed, modulo the players, once the next one moves.
struct JointMove {
  JointState to : 28;
  JointState passed : 4;
};

class JointChain {
 public:
  /// Of the positions that a race of so many players (1 to max_players) comes to from any of
  /// `begins`, which nobody has won. An error is a sentence without its full stop: there are too
  /// many of them, or more than `most_moves` moves, or `stop` answered true.
  static std::expected<JointChain, std::string> make(const Board& board, const Rules& rules,
                                                     std::size_t players,
                                                     std::span<const Position> begins,
                                                     std::size_t most_moves,
                                                     const StopRequested& stop = {});

  std::size_t players() const { return players_; }
  /// The states from 0 on, from which somebody can still win: those with the highest sum of cells
  /// first, so that most moves lead to earlier states.
  JointState live() const { return live_; }
  /// All states: from those after the live ones nobody can win any more.
  JointState states() const { return states_; }
  /// The state to which a throw leads that wins.
  JointState won() const { return states_; }
  /// The state of a position that was asked about.
  JointState begin(std::size_t asked) const { return begins_[asked]; }
  std::size_t count_begins() const { return begins_.size(); }

  /// The chance of each throw, and where they lead, in the same order.
  std::span<const double> shares() const { return shares_; }
  std::span<const JointMove> moves(JointState from) const {
    return std::span(moves_).subspan(from * shares_.size(), shares_.size());
  }
  std::size_t count_moves() const { return moves_.size(); }

  /// Where the throws lead that leave the mover where it is, if all players can go on staying until
  /// it is the mover's turn again; else won().
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
