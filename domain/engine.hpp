// The engine: a decider
// (https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
//
//   decide(state, command) → events, or why not      holds every rule
//   evolve(state, event)   → state                   makes no decision
//   fold(state, events)    → state
//
// All of it is pure: no I/O, no clock, no global state; dice are passed in or made from the seed
// that the game was started with.
#pragma once

#include "game.hpp"

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace snl {

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

/// What must be true of dice lists, for a message: "a turn is one die of 1 to 6".
std::string possible_dice(const Rules& rules);

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

/// The state after an event. Never fails on what decide made of the same state; names the
/// contradiction in anything else.
std::expected<GameState, Damage> evolve(GameState state, const Event& event);
std::expected<GameState, Damage> evolve(GameState state, const TurnPlayed& event);

/// The state after all of the events.
std::expected<GameState, Damage> fold(GameState state, std::span<const Event> events);

// ---- A whole game without a store.

/// The dice of the turn that is about to be played.
using DiceSource = std::function<Dice(const GameState&)>;
/// Is given each event, in order.
using Observer = std::function<void(const Event&)>;

/// The game's own seeded dice.
Dice seeded_dice(const GameState& state);

/// Plays a started game until somebody wins or `max_turns` more turns have been played. Fails only
/// where `dice` gives impossible ones.
std::expected<GameState, Refusal> play_out(GameState state, const DiceSource& dice,
                                           const Observer& observer, Turn max_turns);

}  // namespace snl
