// The history of a game as a person looks back on it: the turns in force, the turns that were taken
// back, and the position after any turn.
#pragma once

#include "engine.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A projection of a game's events. Feed it all of them in order; it keeps the turns only.
class Timeline {
 public:
  /// A turn as it was played, and whether it has been taken back since.
  struct Entry {
    TurnPlayed turn;
    bool undone = false;
  };

  /// Folds the next event in. Damage as evolve reports it; nothing changes then.
  std::expected<void, Damage> add(const Event& event);

  const GameState& state() const { return state_; }
  Turn first_turn() const { return first_position(*state_.setup).turn; }
  Turn last_turn() const { return state_.position.turn; }

  /// Every turn in recorded order, those undone too.
  std::span<const Entry> recorded() const { return recorded_; }

  /// Turn `turn` in force, first_turn() < turn ≤ last_turn().
  const TurnPlayed& turn(Turn turn) const { return recorded_[in_force_[offset(turn)]].turn; }

  /// The position after `turn`, first_turn() ≤ turn ≤ last_turn(). Takes as long however long the
  /// game is: each piece stands where the last turn that moved it left it, a few turns back.
  Position position_after(Turn turn) const;

 private:
  std::size_t offset(Turn turn) const { return static_cast<std::size_t>(turn - first_turn() - 1); }

  GameState state_;
  std::vector<Entry> recorded_;
  std::vector<std::size_t> in_force_;  // indexes of recorded_, by turn
  std::vector<std::size_t> undone_;    // those that a redo would put back, the next one last
};

}  // namespace snl
