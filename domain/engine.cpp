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

/// Whether any of `seats` is this one or comes after it.
bool has_from(const SeatSet& seats, std::size_t first) {
  for (auto seat = static_cast<Seat>(first); seat < max_players; ++seat)
    if (seats.has(seat)) return true;
  return false;
}

/// The checks that come before the dice are looked at.
std::optional<Refusal> refusal_to_move(const GameState& state, Seat seat) {
  if (!state.started()) return WrongStart{};
  if (state.completed()) return GameCompleted{};
  if (seat >= state.players()) return UnknownPlayer{};
  if (seat != state.position.next) return InvalidMove{};
  return std::nullopt;
}

Arrival arrival_of(const GameState& state, const Dice& dice, std::int32_t distance) {
  const Seat seat = state.position.next;
  const Throw thrown{.distance = distance, .enters = let_enter(dice, state.setup->rules)};
  return arrive(state.setup->board, state.setup->rules, state.position.cells[seat], thrown,
                state.position.tallies.shields.of(seat));
}

/// The event is made where it is returned: copies of it would cost more than all that it says.
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

/// The recorded event of type E at `ref`, or the damage that it isn't there.
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
  return takeback.asked < state.players() && !has_from(takeback.agreed, state.players());
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
      return refuse(Damage{"version " + std::to_string(last_turn) + " doesn't lead back"});
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

/// Nothing, or how an event contradicts a state.
using Applied = std::expected<void, Damage>;

std::unexpected<Damage> damaged(const GameState& state, const std::string& what) {
  return std::unexpected(Damage{"after version " + std::to_string(state.version) + ": " + what});
}

bool has_seat(const GameState& state, Seat seat) {
  return state.started() && seat < state.players();
}

/// Where a piece can end a move, and where it can begin one.
bool has_cell(const GameState& state, Cell cell) {
  return cell >= state.setup->rules.start && cell <= state.setup->board.cells();
}
bool has_cell_to_leave(const GameState& state, Cell cell) {
  return has_cell(state, cell) && cell != state.setup->board.cells();
}

/// Next and winner after `seat` moved with this outcome.
void pass_on(Position& position, Seat seat, Outcome outcome, std::optional<Seat> next) {
  position.winner = outcome == Outcome::won ? std::optional(seat) : std::nullopt;
  position.next = next.value_or(seat);
}

/// Whether an outcome can come with such a move: pieces that stay stay, the end is a win, and
/// whoever hasn't won passes on to the next seat, or where turns have effects to any.
bool outcome_agrees(const GameState& state, Seat seat, Outcome outcome, Cell from, Cell to,
                    std::optional<Seat> next) {
  const bool wins = outcome == Outcome::won;
  if (stays(outcome) && to != from) return false;
  if (wins != (to == state.setup->board.cells())) return false;
  if (wins || !next) return wins && !next;
  if (*next == seat_after(seat, state.players()) && outcome != Outcome::waiting) return true;
  return has_effects(*state.setup) && *next < state.players();
}

/// Whether a turn that landed there ends there: where it was if it stayed, else wherever the board
/// leads from the cell where it landed.
bool landing_agrees(const GameState& state, const TurnPlayed& event) {
  if (event.effects.has_value() != has_effects(*state.setup)) return false;
  if (event.effects) [[unlikely]]
    return contradiction_in(event, *state.setup, state.position) == nullptr;
  if (stays(event.outcome)) return event.landed == event.from;
  return has_cell(state, event.landed) && event.to == state.setup->board.landing(event.landed);
}

/// Whether what an undo or a redo moves besides its piece can be moved so, and is there if and only
/// if turns have effects. `known`: what the step before says that it must be, if it does.
bool restored_agrees(const GameState& state, Seat mover, const std::optional<Restored>& restored,
                     const std::optional<Restored>& known) {
  if (restored.has_value() != has_effects(*state.setup)) return false;
  if (!restored || known) return !known || restored == known;
  if (!has_cell_to_leave(state, std::max(restored->captured_to, state.setup->rules.start)))
    return false;
  if (restored->captured.has(mover)) return false;
  if (has_from(restored->captured, state.players())) return false;
  if (!restored->swapped) return restored->swapped_to == 0;
  return has_seat(state, *restored->swapped) && *restored->swapped != mover &&
         has_cell_to_leave(state, restored->swapped_to);
}

/// Events of one command are numbered from 0, and the first of them begins a new version. Those
/// after it go on in its direction.
bool in_sequence(const GameState& state, std::int32_t index, LastStep::Kind direction) {
  const LastStep::Kind last = state.last_step.kind;
  return index == 0 ||
         (index == state.index + 1 && (last == direction || last == LastStep::Kind::unknown));
}

void count_version(GameState& state, std::int32_t index) {
  if (index == 0) ++state.version;
  state.index = index;
}

void note_step_forward(GameState& state, Seat seat, Cell from, Version previous) {
  state.last_step.kind = LastStep::Kind::forward;
  state.last_step.cell = from;
  state.last_step.version = previous;
  state.last_step.seat = seat;
}

/// Moves what else a turn moves; answers what would move it back.
std::optional<Restored> move_others(Position& position, const std::optional<Restored>& restored) {
  if (!restored) return std::nullopt;
  const Restored opposite = opposite_of(*restored, position);
  restore(position, *restored);
  return opposite;
}

/// What the last step, if it went this way, leaves to be restored by one that goes the other way.
std::optional<Restored> known_restored(const GameState& state, LastStep::Kind direction) {
  return state.last_step.kind == direction ? state.last_step.restored : std::nullopt;
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

/// Whether the turn that is undone was played so, and leads back to the turn that is named.
bool leads_back(const GameState& state, const TurnUndone& event) {
  const LastStep& known = state.last_step;
  if (known.kind == LastStep::Kind::forward)
    return event.to == known.cell && event.previous == known.version;
  const bool is_first = state.undoable() == 1;
  return has_cell_to_leave(state, event.to) &&
         (is_first ? event.previous == 0 : event.previous > 0 && event.previous < event.played);
}

/// Whether the turn that is redone was undone so, and what is left to redo can be what is named.
bool leads_on(const GameState& state, const TurnRedone& event) {
  const LastStep& known = state.last_step;
  if (known.kind == LastStep::Kind::back)
    return event.to == known.cell && event.played == known.version && event.later == known.later;
  const bool is_last = state.redoable == 1;
  return event.played > state.last_turn && event.played <= state.version &&
         is_last == (event.later.version == 0);
}

/// Whether the turn that is undone next can have been this seat's.
bool was_turn_of(const GameState& state, Seat seat) {
  if (state.completed()) return seat == *state.position.winner;
  // Where turns have effects, who is next doesn't tell whose turn it was.
  if (has_effects(*state.setup))
    return state.last_step.kind != LastStep::Kind::forward || seat == state.last_step.seat;
  const std::size_t players = state.players();
  return seat == (state.position.next + players - 1) % players;
}

Applied apply(GameState& state, const TurnUndone& event) {
  if (!has_seat(state, event.seat) || event.turn != state.position.turn || state.undoable() < 1 ||
      !was_turn_of(state, event.seat) || event.played != state.last_turn ||
      !leads_back(state, event) || event.from != state.position.cells[event.seat] ||
      event.later != state.redo || !in_sequence(state, event.index, LastStep::Kind::back) ||
      !restored_agrees(state, event.seat, event.restored,
                       known_restored(state, LastStep::Kind::forward)))
    return damaged(state, "turn " + std::to_string(event.turn) + " isn't there to be undone so");
  count_version(state, event.index);
  state.last_step = {.kind = LastStep::Kind::back,
                     .cell = event.from,
                     .version = event.played,
                     .later = event.later,
                     .seat = event.seat,
                     .restored = move_others(state.position, event.restored)};
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
  if (!has_seat(state, event.seat) || !has_cell(state, event.to) || state.redoable < 1 ||
      state.completed() || event.turn != state.position.turn + 1 ||
      event.seat != state.position.next || event.from != state.position.cells[event.seat] ||
      !outcome_agrees(state, event.seat, event.outcome, event.from, event.to, event.next) ||
      !leads_on(state, event) || !in_sequence(state, event.index, LastStep::Kind::forward) ||
      !restored_agrees(state, event.seat, event.restored,
                       known_restored(state, LastStep::Kind::back)))
    return damaged(state, "turn " + std::to_string(event.turn) + " isn't there to be redone so");
  count_version(state, event.index);
  note_step_forward(state, event.seat, event.from, state.last_turn);
  state.last_step.restored = move_others(state.position, event.restored);
  state.position.cells[event.seat] = event.to;
  state.position.turn = event.turn;
  pass_on(state.position, event.seat, event.outcome, event.next);
  state.last_turn = event.played;
  state.redo = event.later;
  --state.redoable;
  return {};
}

Applied apply(GameState& state, const TurnPlayed& event) {
  if (!has_seat(state, event.seat) || !has_cell(state, event.to) || state.completed() ||
      event.turn != state.position.turn + 1 || event.seat != state.position.next ||
      event.from != state.position.cells[event.seat] || event.previous != state.last_turn ||
      !landing_agrees(state, event) ||
      !outcome_agrees(state, event.seat, event.outcome, event.from, event.to, event.next))
    return damaged(
        state, "turn " + std::to_string(event.turn) + " doesn't follow from the turns before it");
  count_version(state, 0);
  note_step_forward(state, event.seat, event.from, event.previous);
  if (event.effects) [[unlikely]]
    state.last_step.restored = move_others(state.position, put_back(*event.effects));
  state.position.cells[event.seat] = event.to;
  state.position.turn = event.turn;
  pass_on(state.position, event.seat, event.outcome, event.next);
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
    observer(*event);
    state = *evolve(std::move(state), *event);
  }
  return state;
}

}  // namespace snl
