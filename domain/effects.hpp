// A turn of a game with powers, captures, faces that enter or sixes that give another turn: what it
// does besides moving a piece.
// The order of what happens is in rules.hpp.
#pragma once

#include "game.hpp"
#include "turn_dice.hpp"

#include <cstdint>
#include <optional>

namespace [[gnu::visibility("default")]] snl {

/// What a turn's dice mean to a piece.
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
  bool again = false;  // the dice give another turn, wherever they brought it
};

/// What a throw does to a piece on `from` (0 to cells − 1) whose player has so many shields.
Arrival arrive(const Board& board, const Rules& rules, Cell from, Throw thrown,
               std::int32_t shields);

/// The power that acts on a piece that arrived so; null if none does.
const Power* power_met(const Board& board, const Arrival& arrival);

/// Whether its player is to move next, by its dice or by a power (or none): unless that turn is one
/// to miss.
bool moves_again(const Arrival& arrival, const Power* power);

/// A player's shields, or turns to miss, once a power (or none) has acted on them.
std::int32_t shields_after(const Power* power, std::int32_t shields);
std::int32_t skips_after(const Power* power, std::int32_t skips);

/// Whether pieces are captured on a cell.
bool captures_on(const Rules& rules, Cell cell);

/// The piece with which one on `cell` would change places: the nearest on a higher cell, of several
/// there the one whose seat follows first; none if nobody is ahead.
std::optional<Seat> nearest_ahead(const Position& position, std::size_t players, Seat seat,
                                  Cell cell);

/// Who moves next, and the turns that are missed before.
struct Handover {
  Seat next;
  SeatCounts skips;  // left to miss
  SeatCounts missed;
};
Handover pass_on(SeatCounts skips, std::size_t players, Seat mover);

/// `turn` with what its player's piece, arriving so, does to everybody in `before`: sets `landed`,
/// `to`, `outcome`, `next` and `effects`.
TurnPlayed with_effects(TurnPlayed turn, const Arrival& arrival, const GameSetup& setup,
                        const Position& before);

}  // namespace snl
