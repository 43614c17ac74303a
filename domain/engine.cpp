#include "engine.hpp"

#include "effects.hpp"
#include "overloaded.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace snl {
namespace {

using Events = std::vector<Event>;

// ---- decide

std::unexpected<Refusal> refuse(Refusal refusal) {
  return std::unexpected(std::move(refusal));
}

/// Whether nobody beyond the players is in a set, or has a count.
bool is_of_players(const GameState& state, const SeatSet& seats) {
  for (auto seat = static_cast<Seat>(state.players()); seat < max_players; ++seat)
    if (seats.has(seat)) return false;
  return true;
}
bool is_of_players(const GameState& state, const SeatCounts& counts) {
  for (auto seat = static_cast<Seat>(state.players()); seat < max_players; ++seat)
    if (counts.of(seat) != 0) return false;
  return true;
}

/// The checks that come before those of the dice.
std::optional<Refusal> refusal_to_move(const GameState& state, Seat seat) {
  if (!state.started()) return WrongStart{};
  if (state.completed()) return GameCompleted{};
  if (seat >= state.players()) return UnknownPlayer{};
  if (seat != state.position.next) return InvalidMove{};
  return std::nullopt;
}

Arrival arrival_of(const GameState& state, const Dice& dice, std::int32_t distance) {
  const Seat seat = state.position.next;
  const Throw thrown{.distance = distance,
                     .enters = allow_entry(dice, state.setup->rules),
                     .again = gives_another_turn(distance, state.setup->rules)};
  return arrive(state.setup->board, state.setup->rules, state.position.cells[seat], thrown,
                state.position.tallies.shields.of(seat));
}

/// Makes the event inside the result: copying it would cost more than filling it in.
std::expected<TurnPlayed, Refusal> turn_of(const GameState& state, const Dice& dice, bool rolled,
                                           std::int32_t distance) {
  std::expected<TurnPlayed, Refusal> decided;
  const GameSetup& setup = *state.setup;
  TurnPlayed& event = *decided;
  event.turn = state.position.turn + 1;
  event.seat = state.position.next;
  event.dice = dice;
  event.rolled = rolled;
  event.from = state.position.cells[event.seat];
  event.previous = state.last_turn;
  if (has_effects(setup)) [[unlikely]] {
    event = with_effects(event, arrival_of(state, dice, distance), setup, state.position);
    return decided;
  }
  const Move move = move_piece(setup.board, setup.rules, event.from, distance);
  event.landed = move.landed;
  event.to = move.to;
  event.outcome = move.outcome;
  if (move.outcome != Outcome::won) event.next = seat_after(event.seat, state.players());
  return decided;
}

std::expected<TurnPlayed, Refusal> play(const GameState& state, const Dice& dice, bool rolled) {
  const auto distance = distance_of(dice, state.setup->rules);
  if (!distance) return refuse(ImpossibleDice{dice, state.setup->rules});
  return turn_of(state, dice, rolled, *distance);
}

/// The recorded event of type E at `ref`, or damage if there is none.
template <class E>
std::expected<E, Refusal> recall_as(const Recall& recall, EventRef ref) {
  const Event* event = recall(ref);
  if (const E* found = event == nullptr ? nullptr : std::get_if<E>(event)) return *found;
  return refuse(Damage{"version " + std::to_string(ref.version) +
                       " isn't the turn that a later command says it is"});
}

std::optional<Restored> restored_by_undo(const TurnPlayed& turn) {
  return turn.effects ? std::optional(taken_back(turn, *turn.effects)) : std::nullopt;
}
std::optional<Restored> restored_by_redo(const TurnPlayed& turn) {
  return turn.effects ? std::optional(put_back(*turn.effects)) : std::nullopt;
}

bool has_seats(const GameState& state, const Takeback& takeback) {
  return takeback.asked < state.players() && is_of_players(state, takeback.agreed);
}

std::expected<Events, Refusal> undo(const GameState& state, Turn count, const Recall& recall) {
  if (!state.started()) return refuse(WrongStart{});
  if (count < 1 || count > state.undoable())
    return refuse(NotEnoughTurns{.asked = count, .possible = state.undoable()});
  Events events;
  EventRef later = state.redo;
  Version last_turn = state.last_turn;
  for (std::int32_t index = 0; index < count; ++index) {
    const auto turn = recall_as<TurnPlayed>(recall, {last_turn, 0});
    if (!turn) return refuse(turn.error());
    if (turn->turn != state.position.turn - index || turn->previous >= last_turn)
      return refuse(
          Damage{"version " + std::to_string(last_turn) + " doesn't name the turn before it"});
    events.emplace_back(TurnUndone{.index = index,
                                   .turn = turn->turn,
                                   .seat = turn->seat,
                                   .from = turn->to,
                                   .to = turn->from,
                                   .played = last_turn,
                                   .previous = turn->previous,
                                   .later = later,
                                   .restored = restored_by_undo(*turn)});
    later = {state.version + 1, index};
    last_turn = turn->previous;
  }
  return events;
}

// ---- evolve

/// Nothing, or the way in which an event contradicts a state.
using Applied = std::expected<void, Damage>;

std::unexpected<Damage> damaged(const GameState& state, const std::string& what) {
  return std::unexpected(Damage{"after version " + std::to_string(state.version) + ": " + what});
}

bool has_seat(const GameState& state, Seat seat) {
  return state.started() && seat < state.players();
}

bool is_on_track(const GameState& state, Cell cell) {
  return cell >= state.setup->rules.start && cell <= state.setup->board.cells();
}
/// Whether a piece that hasn't won can stand there.
bool has_cell(const GameState& state, Cell cell) {
  return is_on_track(state, cell) && cell != state.setup->board.cells();
}

bool are_faces(const GameState& state, const Dice& dice) {
  const std::int32_t faces = state.setup->rules.faces;
  return dice.size() <= max_dice && std::ranges::all_of(dice.values(), [&](std::int32_t die) {
           return die >= 1 && die <= faces;
         });
}

/// Checks the record of everything that moves besides the player's piece: it is there if and only
/// if turns have effects.
bool is_in_bounds(const GameState& state, const std::optional<Restored>& restored) {
  if (restored.has_value() != has_effects(*state.setup)) return false;
  return !restored || (is_of_players(state, restored->tallies.shields) &&
                       is_of_players(state, restored->tallies.skips) &&
                       is_of_players(state, restored->captured) &&
                       (restored->captured.empty() || has_cell(state, restored->captured_to)) &&
                       (!restored->swapped || (has_seat(state, *restored->swapped) &&
                                               has_cell(state, restored->swapped_to))));
}

/// Checks both ways, so that a reader that goes back along the turns stays in bounds too.
bool effects_are_in_bounds(const GameState& state, const TurnPlayed& event) {
  if (!event.effects) return !has_effects(*state.setup);
  return is_in_bounds(state, put_back(*event.effects)) &&
         is_in_bounds(state, taken_back(event, *event.effects)) &&
         is_of_players(state, event.effects->missed);
}

/// Checks that the turn's jump is one of the board's, so that it rests on the track too.
bool has_jump(const GameState& state, const TurnPlayed& event) {
  const Cell rest = rest_of(event);
  return event.landed == rest || state.setup->board.landing(event.landed) == rest;
}

/// Events of one command are numbered from 0. The first of them begins a new version.
bool in_sequence(const GameState& state, std::int32_t index) {
  return index == 0 || index == state.index + 1;
}

void count_version(GameState& state, std::int32_t index) {
  if (index == 0) ++state.version;
  state.index = index;
}

/// The part that a turn played and a turn redone have in common: the next turn, of the player to
/// move.
template <class Moved>
bool goes_on(const GameState& state, const Moved& event) {
  return has_seat(state, event.seat) && !state.completed() &&
         event.turn == state.position.turn + 1 && event.seat == state.position.next &&
         event.from == state.position.cells[event.seat] && is_on_track(state, event.to) &&
         (event.to == state.setup->board.cells()) == (event.outcome == Outcome::won) &&
         event.next.has_value() == (event.outcome != Outcome::won) &&
         has_seat(state, event.next.value_or(event.seat));
}

template <class Moved>
void go_on(GameState& state, const Moved& event) {
  Position& position = state.position;
  position.cells[event.seat] = event.to;
  position.turn = event.turn;
  position.winner = event.next ? std::nullopt : std::optional(event.seat);
  position.next = event.next.value_or(event.seat);
}

Applied apply(GameState& state, const GameStarted& event) {
  if (state.started()) return damaged(state, "the game is started a second time");
  if (event.setup == nullptr || !faults_of(*event.setup).empty())
    return damaged(state, "the game is started with a setup that can't be played");
  state.setup = event.setup;
  state.position = first_position(*event.setup);
  count_version(state, 0);
  return {};
}

Applied apply(GameState& state, const TurnUndone& event) {
  if (!has_seat(state, event.seat) || state.undoable() < 1 || event.turn != state.position.turn ||
      event.seat != state.position.winner.value_or(event.seat) ||
      event.from != state.position.cells[event.seat] || !has_cell(state, event.to) ||
      event.played != state.last_turn || event.previous < 0 || event.previous >= event.played ||
      (event.previous == 0) != (state.undoable() == 1) || event.later != state.redo ||
      !in_sequence(state, event.index) || !is_in_bounds(state, event.restored))
    return damaged(state, "the undo of turn " + std::to_string(event.turn) +
                              " doesn't follow from the turns before it");
  count_version(state, event.index);
  if (event.restored) restore(state.position, *event.restored);
  state.position.cells[event.seat] = event.to;
  state.position.next = event.seat;
  state.position.winner.reset();
  --state.position.turn;
  state.last_turn = event.previous;
  state.redo = {state.version, event.index};
  ++state.redoable;
  return {};
}

Applied apply(GameState& state, const TurnRedone& event) {
  if (!goes_on(state, event) || state.redoable < 1 || event.played <= state.last_turn ||
      event.played > state.version || (event.later.version == 0) != (state.redoable == 1) ||
      !in_sequence(state, event.index) || !is_in_bounds(state, event.restored))
    return damaged(state, "the redo of turn " + std::to_string(event.turn) +
                              " doesn't follow from the turns before it");
  count_version(state, event.index);
  if (event.restored) restore(state.position, *event.restored);
  go_on(state, event);
  state.last_turn = event.played;
  state.redo = event.later;
  --state.redoable;
  return {};
}

Applied apply(GameState& state, const TurnPlayed& event) {
  if (!goes_on(state, event) || event.previous != state.last_turn ||
      !is_on_track(state, event.landed) || !has_jump(state, event) ||
      !are_faces(state, event.dice) || !effects_are_in_bounds(state, event))
    return damaged(
        state, "turn " + std::to_string(event.turn) + " doesn't follow from the turns before it");
  count_version(state, 0);
  if (event.effects) [[unlikely]]
    restore(state.position, put_back(*event.effects));
  go_on(state, event);
  state.last_turn = state.version;
  state.redo = {};
  state.redoable = 0;
  return {};
}

}  // namespace

std::expected<GameStarted, Refusal> decide(const GameState& state, const StartGame& command) {
  if (state.started()) return refuse(WrongStart{});
  if (command.setup == nullptr) return refuse(InvalidSetup{{"there is no setup"}});
  if (auto faults = faults_of(*command.setup); !faults.empty())
    return refuse(InvalidSetup{std::move(faults)});
  return GameStarted{command.setup};
}

std::expected<TurnPlayed, Refusal> decide(const GameState& state, const PlayTurn& command) {
  if (auto refusal = refusal_to_move(state, command.seat)) return refuse(*std::move(refusal));
  return play(state, command.dice, false);
}

std::expected<TurnPlayed, Refusal> decide(const GameState& state, const RollTurn& /*command*/) {
  if (auto refusal = refusal_to_move(state, state.position.next))
    return refuse(*std::move(refusal));
  return play(state, roll_dice(state.setup->rules, state.setup->seed, state.position.turn + 1),
              true);
}

std::expected<Events, Refusal> decide(const GameState& state, const UndoTurns& command,
                                      const Recall& recall) {
  return undo(state, command.count, recall);
}

std::expected<Events, Refusal> decide(const GameState& state, const UndoToTurn& command,
                                      const Recall& recall) {
  if (!state.started()) return refuse(WrongStart{});
  if (command.takeback && !has_seats(state, *command.takeback)) return refuse(UnknownPlayer{});
  const Turn last = state.position.turn;
  if (command.turn < 0 || command.turn > last)
    return refuse(
        TurnOutOfRange{.asked = command.turn, .first = last - state.undoable(), .last = last});
  return undo(state, last - command.turn, recall);
}

std::expected<Events, Refusal> decide(const GameState& state, const RedoTurns& command,
                                      const Recall& recall) {
  if (!state.started()) return refuse(WrongStart{});
  if (command.count < 1 || command.count > state.redoable)
    return refuse(NotEnoughTurns{.asked = command.count, .possible = state.redoable});
  Events events;
  EventRef undone_at = state.redo;
  for (std::int32_t index = 0; index < command.count; ++index) {
    const auto undone = recall_as<TurnUndone>(recall, undone_at);
    if (!undone) return refuse(undone.error());
    const auto turn = recall_as<TurnPlayed>(recall, {undone->played, 0});
    if (!turn) return refuse(turn.error());
    events.emplace_back(TurnRedone{.index = index,
                                   .turn = turn->turn,
                                   .seat = turn->seat,
                                   .from = turn->from,
                                   .to = turn->to,
                                   .outcome = turn->outcome,
                                   .next = turn->next,
                                   .played = undone->played,
                                   .later = undone->later,
                                   .restored = restored_by_redo(*turn)});
    undone_at = undone->later;
  }
  return events;
}

std::expected<Events, Refusal> decide(const GameState& state, const Command& command,
                                      const Recall& recall) {
  const auto one = [](auto decided) -> std::expected<Events, Refusal> {
    if (!decided) return std::unexpected(std::move(decided).error());
    return Events{*std::move(decided)};
  };
  return std::visit(
      Overloaded{
          [&](const StartGame& start) { return one(decide(state, start)); },
          [&](const PlayTurn& play) { return one(decide(state, play)); },
          [&](const RollTurn& roll) { return one(decide(state, roll)); },
          [&](const auto& undo_or_redo) { return decide(state, undo_or_redo, recall); },
      },
      command);
}

std::expected<GameState, Damage> evolve(GameState state, const TurnPlayed& event) {
  if (auto applied = apply(state, event); !applied)
    return std::unexpected(std::move(applied).error());
  return state;
}

std::expected<GameState, Damage> evolve(GameState state, const Event& event) {
  return fold(std::move(state), std::span(&event, 1));
}

std::expected<GameState, Damage> fold(GameState state, std::span<const Event> events) {
  for (const Event& event : events)
    if (auto applied = std::visit([&](const auto& body) { return apply(state, body); }, event);
        !applied)
      return std::unexpected(std::move(applied).error());
  return state;
}

std::expected<GameState, Refusal> play_out(GameState state, const DiceSource& dice,
                                           const Observer& observer, Turn max_turns,
                                           const StopRequested& stop) {
  const auto decide_turn = Overloaded{
      [&](const SeededDice& /*seeded*/) { return decide(state, RollTurn{}); },
      [&](const ThrownDice& thrown) {
        return decide(state, PlayTurn{state.position.next, thrown(state)});
      },
  };
  for (Turn played = 0; played < max_turns && !state.completed() && !(stop && stop()); ++played) {
    const auto event = std::visit(decide_turn, dice);
    if (!event) return std::unexpected(event.error());
    if (observer) observer(*event);
    state = *evolve(std::move(state), *event);
  }
  return state;
}

}  // namespace snl
