// The effects of a turn, besides moving a piece, in a game with powers, captures, faces that enter
// or sixes that give another turn. Their order is in rules.hpp.
#pragma once

#include "game.hpp"
#include "turn_dice.hpp"

#include <cstdint>
#include <optional>

namespace [[gnu::visibility("default")]] snl {

/// The meaning of a turn's dice for a piece.
struct Throw {
  std::int32_t distance;  // 0 is a forfeit
  bool enters;            // they show a face of Rules::enter
  bool again = false;     // they give another turn
};
Throw throw_of(const ThrowWays& ways, const Rules& rules);

/// Where dice and jump carry a piece.
struct Arrival {
  Cell landed;
  Cell rest;
  Outcome outcome;
  bool shielded;       // a shield kept it on the head of a snake
  bool again = false;  // the dice give another turn, wherever they brought the piece
};

/// Moves a piece by a throw from `from` (0 to cells − 1). Its player has this many shields.
Arrival arrive(const Board& board, const Rules& rules, Cell from, Throw thrown,
               std::int32_t shields);

/// The power that acts on a piece after this arrival; null if none does.
const Power* power_met(const Board& board, const Arrival& arrival);

/// Whether the dice or the power, which may be null, let the player move next. The player may still
/// have to miss that turn.
bool moves_again(const Arrival& arrival, const Power* power);

/// A player's shields, or turns to miss, after `power`, which may be null, has acted.
std::int32_t shields_after(const Power* power, std::int32_t shields);
std::int32_t skips_after(const Power* power, std::int32_t skips);

/// Whether a piece can be captured on a cell.
bool captures_on(const Rules& rules, Cell cell);

/// The seat whose piece changes places with that of `seat` on `cell`: the nearest on a higher cell.
/// If several stand there, it is the first in turn order after `seat`. None if nobody is ahead.
std::optional<Seat> nearest_ahead(const Position& position, std::size_t players, Seat seat,
                                  Cell cell);

/// The player who moves next, and the turns that are missed before that.
struct Handover {
  Seat next;
  SeatCounts skips;  // left to miss
  SeatCounts missed;
};
Handover pass_on(SeatCounts skips, std::size_t players, Seat mover);

/// `turn` with the effects of this arrival on everybody in `before`. Sets `landed`, `to`,
/// `outcome`, `next` and `effects`.
TurnPlayed with_effects(TurnPlayed turn, const Arrival& arrival, const GameSetup& setup,
                        const Position& before);

}  // namespace snl
