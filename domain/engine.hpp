// The engine: a decider
// (https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
//
//   decide(state, command) → events, or why not      applies every rule
//   evolve(state, event)   → state                   makes no decision
//   fold(state, events)    → state
//
// All of it is pure: no I/O, no clock, no global state; dice are passed in or made from the seed
// that the game was started with.
#pragma once

#include "game.hpp"
#include "stop_requested.hpp"
#include "turn_dice.hpp"

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

// ---- Why not. None of these records anything.

struct InvalidMove {};    // another player is to move: "INVALID MOVE"
struct GameCompleted {};  // somebody has won: "GAME COMPLETED"
struct UnknownPlayer {};  // nobody plays in that seat
struct ImpossibleDice {
  Dice dice;
  Rules rules;
};
struct NotEnoughTurns {  // to undo or to redo
  Turn asked;
  Turn possible;
};
struct TurnOutOfRange {
  Turn asked;
  Turn first;
  Turn last;
};
struct InvalidSetup {
  std::vector<std::string> faults;
};
struct WrongStart {};  // a second StartGame, or another command before the first
/// The log contradicts itself; decide and evolve never make events that do.
struct Damage {
  std::string what;
};

using Refusal = std::variant<InvalidMove, GameCompleted, UnknownPlayer, ImpossibleDice,
                             NotEnoughTurns, TurnOutOfRange, InvalidSetup, WrongStart, Damage>;

/// Reads back a recorded event of the same game; null if there is none. The pointer need only last
/// until the next call. Undo and redo read at most two events for each turn they move, however long
/// the game: a turn names the one before it, so history is a chain to step along, not to search.
using Recall = std::function<const Event*(EventRef)>;

/// The checks of a turn come in this order: a completed game (GameCompleted), an unknown player, a
/// player who isn't the one to move (InvalidMove), impossible dice. Allocates nothing when it
/// succeeds.
std::expected<TurnPlayed, Refusal> decide(const GameState& state, const PlayTurn& command);
std::expected<TurnPlayed, Refusal> decide(const GameState& state, const RollTurn& command);

std::expected<GameStarted, Refusal> decide(const GameState& state, const StartGame& command);

/// All of the turns asked for, or none.
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const UndoTurns& command,
                                                  const Recall& recall);
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const UndoToTurn& command,
                                                  const Recall& recall);
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const RedoTurns& command,
                                                  const Recall& recall);

/// Any command; at least one event, or why not.
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const Command& command,
                                                  const Recall& recall);

/// The state after an event. Never fails on what decide made of the same state, and decides nothing
/// again. Whatever the event, a state that was folded from events stays in bounds and in sequence,
/// so that deciding on it and telling of it is safe; an event that would lead out is damage:
/// - the seats that it names are players', the cells are on the track, a jump is one of the board's
///   and the dice have such faces; only a piece that wins is on the last cell, with nobody next;
/// - its turn, player, `from`, index, `previous`, `played` and `later` are those that come next; of
///   steps further back it is known only whether there are any;
/// - it has Effects, or Restored, if and only if the game has_effects.
/// That an event follows from its command (where these dice lead, what a turn does to others, who
/// is next, what an undo gives back) shows when the command is decided again and its events
/// compared, as an audit and an import do.
std::expected<GameState, Damage> evolve(GameState state, const Event& event);
std::expected<GameState, Damage> evolve(GameState state, const TurnPlayed& event);

/// The state after all of the events.
std::expected<GameState, Damage> fold(GameState state, std::span<const Event> events);

// ---- A whole game without a store.

/// The game's own dice, as RollTurn rolls them.
struct SeededDice {};
inline constexpr SeededDice seeded_dice{};
/// Dice that are thrown elsewhere for the turn that is about to be played.
using ThrownDice = std::function<Dice(const GameState&)>;
/// Where the dice of a game come from: every event says which.
using DiceSource = std::variant<SeededDice, ThrownDice>;

/// Is given each event, in order.
using Observer = std::function<void(const Event&)>;

/// Plays a started game until somebody wins, `stop` answers true before a turn, or `max_turns` more
/// turns have been played. Fails only where dice that were thrown are impossible.
std::expected<GameState, Refusal> play_out(GameState state, const DiceSource& dice,
                                           const Observer& observer, Turn max_turns,
                                           const StopRequested& stop = {});

}  // namespace snl
