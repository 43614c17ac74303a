// A game to show turn by turn: what each turn did, and where all pieces stood after it.
#pragma once

#include "domain/timeline.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The remarkable things about a turn. ranked_moments.hpp picks the turns worth stopping at.
struct Moments {
  bool snake = false;
  bool ladder = false;
  bool lead = false;  // another player is now ahead of all others
  bool undo = false;  // it was played in the place of a turn that had been taken back
  bool win = false;
  friend bool operator==(const Moments&, const Moments&) = default;
};

/// A projection of a game's history. Shots are counted from 1; 0 is the position where the game, or
/// the branch, begins.
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
  /// All pieces' places after a shot; 0 ≤ number ≤ shots().
  const Position& position(std::size_t number) const {
    return number == 0 ? first_ : shots_[number - 1].after;
  }
  /// All pieces' places before a shot, 1 ≤ number ≤ shots(). It is after every undo that came
  /// between the shot before it and this one.
  Position before(std::size_t number) const;

  /// The shot of a turn: the one in force rather than one that was undone. The position where the
  /// game begins is 0. None if there is no such turn.
  std::optional<std::size_t> shot_of(Turn turn) const;

  /// Takes in the last event. `timeline`, whose turns in force this shows, has it already.
  void follow(const Timeline& timeline, const Event& event);

 private:
  explicit Recording(std::shared_ptr<const GameSetup> setup);
  void push(const Position& before, const TurnPlayed& turn, bool undone);
  std::optional<Seat> leader_of(const Position& position) const;

  std::shared_ptr<const GameSetup> setup_;
  Position first_;
  std::vector<Shot> shots_;
  std::vector<std::optional<Seat>> leaders_;  // the last sole leader before shot 1, after it, …
  Turn last_recorded_;                        // the number of the last turn played, in force or not
};

}  // namespace cli
}  // namespace snl
