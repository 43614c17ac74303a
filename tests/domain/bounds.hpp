// The promises of evolve about every state, whatever events it was folded from.
#pragma once

#include "domain/game.hpp"

namespace snl::test {

/// The place where a started game's state is out of bounds, or contradicts itself; null if none.
inline const char* fault_in(const GameState& state) {
  const auto& [cells, next, winner, turn, tallies] = state.position;
  const Cell last = state.setup->board.cells();
  if (next >= state.players() || winner.value_or(0) >= state.players()) return "nobody's seat";
  for (Seat seat = 0; seat < state.players(); ++seat) {
    if (cells[seat] < state.setup->rules.start || cells[seat] > last)
      return "a piece off the track";
    if ((cells[seat] == last) != (winner == seat)) return "the last cell isn't the winner's";
  }
  for (auto seat = static_cast<Seat>(state.players()); seat < max_players; ++seat)
    if (cells[seat] != 0 || tallies.shields.of(seat) != 0 || tallies.skips.of(seat) != 0)
      return "something of a seat that nobody has";
  if (state.undoable() < 0 || (state.undoable() == 0) != (state.last_turn == 0))
    return "turns to undo without a chain of them";
  if (state.redoable < 0 || (state.redoable == 0) != (state.redo.version == 0))
    return "turns to redo without a chain of them";
  return nullptr;
}

}  // namespace snl::test
