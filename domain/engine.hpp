// The engine: a decider
// (https://thinkbeforecoding.com/post/2021/12/17/functional-event-sourcing-decider).
//
//   decide(state, command) → events, or why not      applies every rule
//   evolve(state, event)   → state                   makes no decision
//   fold(state, events)    → state
//
// All of it is pure: no I/O, no clock, no global state. Dice are passed in, or made from the seed
// that the game began with.
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

// ---- Why not. A refusal records nothing.

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
/// The log contradicts itself. decide never makes events that do.
struct Damage {
  std::string what;
};

using Refusal = std::variant<InvalidMove, GameCompleted, UnknownPlayer, ImpossibleDice,
                             NotEnoughTurns, TurnOutOfRange, InvalidSetup, WrongStart, Damage>;

/// Reads back a recorded event of the same game; null if there is none. The pointer need only last
/// until the next call. Undo and redo read at most two events for each turn, however long the game:
/// each turn names the one before it, so there is nothing to search.
using Recall = std::function<const Event*(EventRef)>;

/// Checks a turn in this order: a completed game (GameCompleted), an unknown player, a player who
/// isn't to move (InvalidMove), impossible dice. Allocates nothing when it succeeds.
std::expected<TurnPlayed, Refusal> decide(const GameState& state, const PlayTurn& command);
std::expected<TurnPlayed, Refusal> decide(const GameState& state, const RollTurn& command);

std::expected<GameStarted, Refusal> decide(const GameState& state, const StartGame& command);

/// Takes back or puts back all of the turns asked for, or none.
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const UndoTurns& command,
                                                  const Recall& recall);
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const UndoToTurn& command,
                                                  const Recall& recall);
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const RedoTurns& command,
                                                  const Recall& recall);

/// Decides any command: at least one event, or a refusal.
std::expected<std::vector<Event>, Refusal> decide(const GameState& state, const Command& command,
                                                  const Recall& recall);

/// The state after an event. Never fails on an event that decide made from the same state. Decides
/// nothing again. A state that was folded from events stays in bounds and in sequence, whatever the
/// event, so that it is safe to decide on it and to narrate it. An event that would lead out is
/// damage. A sound event meets these conditions:
/// - its seats are players', its cells are on the track, its jump is one of the board's and its
///   dice show faces that the game's dice have;
/// - only a piece that wins is on the last cell, with nobody next;
/// - its turn, player, `from`, index, `previous`, `played` and `later` are those that come next (of
///   steps further back, the state holds only whether there are any);
/// - it has Effects, or Restored, if and only if the game has_effects.
///
/// Whether an event follows from its command isn't checked here: where these dice lead, what a turn
/// does to others, who is next, what an undo gives back. An audit and an import check it: they
/// decide the command again and compare the events.
std::expected<GameState, Damage> evolve(GameState state, const Event& event);
std::expected<GameState, Damage> evolve(GameState state, const TurnPlayed& event);

/// The state after all of the events.
std::expected<GameState, Damage> fold(GameState state, std::span<const Event> events);

// ---- A whole game without a store.

/// The game's own dice, as RollTurn rolls them.
struct SeededDice {};
inline constexpr SeededDice seeded_dice{};
/// Dice that the caller throws for the turn that comes next.
using ThrownDice = std::function<Dice(const GameState&)>;
/// The source of a game's dice. Every event says which it was.
using DiceSource = std::variant<SeededDice, ThrownDice>;

/// Receives each event, in order. It may be empty.
using Observer = std::function<void(const Event&)>;

/// Plays a started game until somebody wins, `stop` answers true before a turn, or `max_turns` more
/// turns have been played. Fails only if thrown dice are impossible.
std::expected<GameState, Refusal> play_out(GameState state, const DiceSource& dice,
                                           const Observer& observer, Turn max_turns,
                                           const StopRequested& stop = {});

}  // namespace snl
