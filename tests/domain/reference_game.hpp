// A second implementation of the game, for comparison with the engine, in the plainest form. Jumps
// are looked up in lists, pieces walk cell by cell, and undo restores a saved position.
#pragma once

#include "domain/game.hpp"

#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

namespace snl::test {

class ReferenceGame {
 public:
  enum class Answer : std::uint8_t {
    accepted,
    invalid_move,
    game_completed,
    unknown_player,
    impossible_dice,
    not_enough_turns,
    turn_out_of_range,
    wrong_start,
  };

  explicit ReferenceGame(std::shared_ptr<const GameSetup> setup);

  Answer perform(const Command& command);

  const Position& position() const { return history_.back(); }
  Turn undoable() const { return static_cast<Turn>(history_.size()) - 1; }
  Turn redoable() const { return static_cast<Turn>(undone_.size()); }
  Version version() const { return version_; }

 private:
  Answer play(Seat seat, const Dice& dice);
  Answer undo(Turn count);
  Answer undo_to(Turn turn);
  Answer redo(Turn count);
  Position after(const Dice& dice, std::int32_t distance) const;
  bool act_on_cell(Position& next, Seat seat) const;
  void change_places(Position& next, Seat seat) const;

  std::shared_ptr<const GameSetup> setup_;
  std::vector<Position> history_;  // the first one, then one after each turn in force
  std::vector<Position> undone_;   // the last one is redone next
  Version version_ = 1;
};

std::ostream& operator<<(std::ostream& out, ReferenceGame::Answer answer);

}  // namespace snl::test
