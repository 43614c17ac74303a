#include "effects.hpp"

#include <algorithm>

namespace snl {
namespace {

SeatSet captured_on(Cell cell, const GameSetup& setup, const Position& before, Seat mover) {
  SeatSet captured;
  if (!captures_on(setup.rules, cell)) return captured;
  const auto players = static_cast<Seat>(setup.players.size());
  for (Seat seat = 0; seat < players; ++seat)
    if (seat != mover && before.cells[seat] == cell) captured.insert(seat);
  return captured;
}

/// Hands the turn to `first`, or to the first player after it who has no turn to miss.
Handover handed_to(Seat first, SeatCounts skips, std::size_t players) {
  Handover handover{.next = first, .skips = skips, .missed = {}};
  for (; handover.skips.of(handover.next) > 0; handover.next = seat_after(handover.next, players)) {
    handover.skips.set(handover.next, handover.skips.of(handover.next) - 1);
    handover.missed.set(handover.next, handover.missed.of(handover.next) + 1);
  }
  return handover;
}

}  // namespace

TurnPlayed with_effects(TurnPlayed turn, const Arrival& arrival, const GameSetup& setup,
                        const Position& before) {
  const Seat seat = turn.seat;
  turn.landed = arrival.landed;
  turn.to = arrival.rest;
  turn.outcome = arrival.outcome;
  Effects effects{.rest = arrival.rest,
                  .shielded = arrival.shielded,
                  .before = before.tallies,
                  .after = before.tallies};
  auto& [shields, skips] = effects.after;
  const Power* const power = power_met(setup.board, arrival);
  if (arrival.outcome == Outcome::moved) {
    effects.captured = captured_on(arrival.rest, setup, before, seat);
    if (!effects.captured.empty()) effects.captured_to = setup.rules.start;
    if (arrival.shielded) shields.set(seat, shields.of(seat) - 1);
    if (power != nullptr) effects.power = *power;
    shields.set(seat, shields_after(power, shields.of(seat)));
    skips.set(seat, skips_after(power, skips.of(seat)));
    if (power != nullptr && power->kind == PowerKind::restart) turn.to = setup.rules.start;
    if (power != nullptr && power->kind == PowerKind::swap)
      effects.swapped = nearest_ahead(before, setup.players.size(), seat, arrival.rest);
    if (effects.swapped) turn.to = before.cells.at(*effects.swapped);
  }
  if (arrival.outcome == Outcome::won) {
    turn.next = std::nullopt;
  } else {
    const std::size_t players = setup.players.size();
    const Handover handover = moves_again(arrival, power) ? handed_to(seat, skips, players)
                                                          : pass_on(skips, players, seat);
    turn.next = handover.next;
    skips = handover.skips;
    effects.missed = handover.missed;
  }
  turn.effects = effects;
  return turn;
}

Arrival arrive(const Board& board, const Rules& rules, Cell from, Throw thrown,
               std::int32_t shields) {
  const bool waits = from == 0 && !thrown.enters && thrown.distance > 0;
  if (waits) return {from, from, Outcome::waiting, false, thrown.again};
  const Move move = move_piece(board, rules, from, thrown.distance);
  const bool is_snake = jump_between(move.landed, move.to) == JumpKind::snake;
  if (is_snake && shields > 0)
    return {move.landed, move.landed, Outcome::moved, true, thrown.again};
  return {move.landed, move.to, move.outcome, false, thrown.again};
}

const Power* power_met(const Board& board, const Arrival& arrival) {
  return arrival.outcome == Outcome::moved ? board.power_on(arrival.rest) : nullptr;
}

Throw throw_of(const ThrowWays& ways, const Rules& rules) {
  return {.distance = ways.distance,
          .enters = ways.enters,
          .again = gives_another_turn(ways.distance, rules)};
}

bool moves_again(const Arrival& arrival, const Power* power) {
  const bool gives_turn = power != nullptr && power->kind == PowerKind::again;
  return arrival.outcome != Outcome::won && (arrival.again || gives_turn);
}

std::int32_t shields_after(const Power* power, std::int32_t shields) {
  if (power == nullptr || power->kind != PowerKind::shield) return shields;
  return std::max(shields, std::int32_t{power->n});
}

std::int32_t skips_after(const Power* power, std::int32_t skips) {
  return power != nullptr && power->kind == PowerKind::skip ? std::int32_t{power->n} : skips;
}

bool captures_on(const Rules& rules, Cell cell) {
  return rules.meet == Meet::capture && cell > 1 && !std::ranges::binary_search(rules.safe, cell);
}

std::optional<Seat> nearest_ahead(const Position& position, std::size_t players, Seat seat,
                                  Cell cell) {
  std::optional<Seat> nearest;
  for (Seat other = seat_after(seat, players); other != seat; other = seat_after(other, players)) {
    const Cell there = position.cells[other];
    if (there > cell && (!nearest || there < position.cells[*nearest])) nearest = other;
  }
  return nearest;
}

Handover pass_on(SeatCounts skips, std::size_t players, Seat mover) {
  return handed_to(seat_after(mover, players), skips, players);
}

}  // namespace snl
