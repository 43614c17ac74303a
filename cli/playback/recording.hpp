// A game as it is shown turn by turn: what happened in each turn, and where everybody stood after
// it.
#pragma once

#include "domain/timeline.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The remarkable sides of a turn. (Which turns are worth stopping at: ranked_moments.hpp.)
struct Moments {
  bool snake = false;
  bool ladder = false;
  bool lead = false;  // somebody else is now ahead of all others
  bool undo = false;  // it was played where another turn had been taken back
  bool win = false;
  friend bool operator==(const Moments&, const Moments&) = default;
};

/// A projection of a game's history. Shots are counted from 1; 0 is the position that the game (or
/// the branch) begins in.
class Recording {
 public:
  struct Shot {
    TurnPlayed turn;
    bool undone = false;  // it has been taken back since
    Moments moments = {};
    Position after;
  };

  /// The turns in force.
  static Recording in_force(const Timeline& timeline);
  /// Every turn in recorded order, those taken back too.
  static Recording recorded(const Timeline& timeline);

  const GameSetup& setup() const { return *setup_; }
  std::size_t shots() const { return shots_.size(); }
  /// 1 ≤ number ≤ shots().
  const Shot& shot(std::size_t number) const { return shots_[number - 1]; }
  /// Where everybody stands after a shot; 0 ≤ number ≤ shots().
  const Position& position(std::size_t number) const {
    return number == 0 ? first_ : shots_[number - 1].after;
  }
  /// Where everybody stood before a shot, 1 ≤ number ≤ shots(): after whatever was undone between
  /// the shot before it and this one.
  Position before(std::size_t number) const;

  /// The shot of a turn, the one in force rather than one that was undone, or the position that
  /// the game begins in; none if there is no such turn.
  std::optional<std::size_t> shot_of(Turn turn) const;

  /// Takes in what happened last, after `timeline` (whose turns in force this shows) has.
  void follow(const Timeline& timeline, const Event& event);

 private:
  explicit Recording(std::shared_ptr<const GameSetup> setup);
  void push(const Position& before, const TurnPlayed& turn, bool undone);
  std::optional<Seat> leader_of(const Position& position) const;

  std::shared_ptr<const GameSetup> setup_;
  Position first_;
  std::vector<Shot> shots_;
  std::vector<std::optional<Seat>> leaders_;  // before shot 1, after it, …; the last sole leader
  Turn last_recorded_;  // the number of the turn that was played last, in force or not
};

}  // namespace cli
}  // namespace snl
