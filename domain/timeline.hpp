// The history of a game: the turns in force (played and not undone), the turns that were taken
// back, and the position after any turn.
#pragma once

#include "engine.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A projection of a game's events. Feed it all of them in order; it keeps only the turns.
class Timeline {
 public:
  /// A turn as it was played, and whether it was taken back later.
  struct Entry {
    TurnPlayed turn;
    bool undone = false;
  };

  /// Folds the next event in. Reports damage as evolve does, and then changes nothing.
  std::expected<void, Damage> add(const Event& event);

  const GameState& state() const { return state_; }
  Turn first_turn() const { return first_position(*state_.setup).turn; }
  Turn last_turn() const { return state_.position.turn; }

  /// Every turn in recorded order, undone ones too.
  std::span<const Entry> recorded() const { return recorded_; }

  /// Turn `turn` in force, first_turn() < turn ≤ last_turn().
  const TurnPlayed& turn(Turn turn) const { return recorded_[in_force_[offset(turn)]].turn; }

  /// The position after `turn`, first_turn() ≤ turn ≤ last_turn(). The time doesn't grow with the
  /// game: each piece stands where the last turn that moved it left it, a few turns back.
  Position position_after(Turn turn) const;

 private:
  std::size_t offset(Turn turn) const { return static_cast<std::size_t>(turn - first_turn() - 1); }

  GameState state_;
  std::vector<Entry> recorded_;
  std::vector<std::size_t> in_force_;  // indexes of recorded_, by turn
  std::vector<std::size_t> undone_;    // those that a redo would put back, the next one last
};

}  // namespace snl
