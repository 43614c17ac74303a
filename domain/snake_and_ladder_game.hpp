// The class that this project grew from, as a thin layer over decide and evolve.
#pragma once

#include "game.hpp"

#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A game on 100 cells by the standard rules. Everybody starts on cell 1. There is one die; a 6
/// rolls again, 6-6-6 moves nothing. A piece takes one snake or ladder a move, and must reach the
/// end exactly.
///
/// A call that isn't legal throws std::invalid_argument, with the value in its message, and changes
/// nothing.
class SnakeAndLadderGame {
 public:
  /// playerIds: 2 to 10 in turn order, non-empty and unique. snakes: "head,tail". ladders:
  /// "start,end". Takes every board that Board::make takes.
  SnakeAndLadderGame(const std::vector<std::string>& playerIds,
                     const std::vector<std::string>& snakes,
                     const std::vector<std::string>& ladders);

  /// Plays one turn with all of its rolls, e.g. {6, 6, 1}. Answers "PLAYER,CELL,NEXT,CONTINUE",
  /// "WIN", "INVALID MOVE" (another player is to move) or "GAME COMPLETED" (before all else); the
  /// last two change nothing.
  std::string playTurn(const std::string& playerId, const std::vector<int>& diceValues);

  /// The player's cell, 1 to 100.
  int getPlayerPosition(const std::string& playerId) const;

  /// The winner's ID, or "" while there is none.
  std::string getWinner() const;

 private:
  Seat seat_of(const std::string& player) const;

  std::vector<std::string> players_;  // by seat
  GameState state_;
};

}  // namespace snl
