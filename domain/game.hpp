// The words of the game: its setup, its commands, its events, its state.
//
// A command is an intention, an event is a fact, and the state is the fold of the events. A file
// format mirrors the names of types and fields here (storage/format.md), so a change to them is a
// change of that format.
#pragma once

#include "board.hpp"
#include "dice.hpp"
#include "move.hpp"
#include "names.hpp"
#include "rules.hpp"
#include "seats.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

inline constexpr std::size_t max_name_bytes = 256;

/// The number of a recorded command within its game. Number 1 started the game.
using Version = std::int64_t;

/// One event of a game: the version of the command that caused it, and its place (from 0) among
/// that command's events. Version 0: no event.
struct EventRef {
  Version version = 0;
  std::int32_t index = 0;
  friend bool operator==(const EventRef&, const EventRef&) = default;
};

/// The things that players have besides a piece. They keep it wherever the piece goes.
struct Tallies {
  SeatCounts shields = {};
  SeatCounts skips = {};  // turns to miss
  friend bool operator==(const Tallies&, const Tallies&) = default;
};

/// Where the pieces stand between two turns.
struct Position {
  std::array<Cell, max_players> cells{};  // by seat; 0 beyond the last player
  Seat next = 0;                          // to move; stays as it was once somebody has won
  std::optional<Seat> winner = std::nullopt;
  Turn turn = 0;  // the last turn in force: played, and not undone
  Tallies tallies = {};
  friend bool operator==(const Position&, const Position&) = default;
};

/// The game that a branch came from, as it was then.
struct Origin {
  std::string game;   // its ID
  std::string head;   // the hash of its last command, 64 hex digits
  Position position;  // where the branch begins
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The origin of a seed that nobody chose. The seed is made from a secret and from the players'
/// entropy, each committed to before the other was known. This only holds them; fault_of_draw in
/// storage/draw.hpp checks them.
struct Draw {
  using Bytes = std::array<std::uint8_t, 32>;
  Bytes commitment{};  // the SHA-256 of the secret
  Bytes secret{};
  std::vector<std::optional<Bytes>> entropy;  // by seat; none where that seat had no say
  friend bool operator==(const Draw&, const Draw&) = default;
};

/// The part of a game that never changes.
struct GameSetup {
  std::vector<std::string> players;  // in turn order
  Board board;
  Rules rules;
  std::uint64_t seed = 0;  // of the dice that RollTurn rolls
  std::optional<Origin> origin = std::nullopt;
  std::optional<Draw> draw = std::nullopt;  // none in a branch: its seed is its origin's
  friend bool operator==(const GameSetup&, const GameSetup&) = default;
};

/// Whether a turn of this game may do more than move one piece. The turns of such a game carry
/// Effects; those of other games don't.
inline bool has_effects(const GameSetup& setup) {
  return has_effects(setup.board, setup.rules);
}

/// All faults of a setup, a sentence each. There must be 2 to 10 names: unique, non-empty UTF-8 of
/// at most max_name_bytes, without control characters.
std::vector<std::string> faults_of(const GameSetup& setup);
/// The faults of its players and rules alone, for a caller that has no sound board yet.
std::vector<std::string> faults_besides_board(std::span<const std::string> players,
                                              const Rules& rules);

/// The fault of a text as a name, e.g. "has a control character"; none for a good name.
std::optional<std::string> fault_of_name(std::string_view name);

/// The faults of the number of players and of their names, a sentence each. `fault_of` gives the
/// fault of one name, as fault_of_name does. Of more than max_players, only the first ones' names
/// are checked.
std::vector<std::string> faults_of_players(
    std::span<const std::string> players,
    const std::function<std::optional<std::string>(std::string_view)>& fault_of);

/// Whether turns of this setup could have led to a position, as far as that shows without playing
/// them. The setup must be sound, apart from its origin. Every piece must be on the track, on the
/// last cell if and only if its player has won, and at the start until its first turn. The next
/// player must be the one to move after that many turns. (With powers, a turn's number doesn't tell
/// whose turn it is; there the next player must have no turn to miss.)
bool is_possible(const Position& position, const GameSetup& setup);

/// The position in which a game with this setup begins.
Position first_position(const GameSetup& setup);

// ---- Commands: intentions.

struct StartGame {
  std::shared_ptr<const GameSetup> setup;
};
/// One turn with dice that the sender throws.
struct PlayTurn {
  Seat seat = 0;
  Dice dice;
  friend bool operator==(const PlayTurn&, const PlayTurn&) = default;
};
/// The side that rolls a turn: the player to move, or a server in that player's place.
enum class Roller : std::uint8_t {
  player,
  pace,       // since the player took too long
  automatic,  // since the player wants it or is away, or since the host lets the server roll
  computer,   // since nobody else plays that seat
};
inline constexpr std::array roller_names{NamedValue{"pace", Roller::pace},
                                         NamedValue{"auto", Roller::automatic},
                                         NamedValue{"computer", Roller::computer}};

/// One turn of the player to move, with the game's own seeded dice. They are the same for every
/// roller.
struct RollTurn {
  Roller by = Roller::player;
  friend bool operator==(const RollTurn&, const RollTurn&) = default;
};
/// Take back the last `count` (≥ 1) turns.
struct UndoTurns {
  Turn count = 1;
  friend bool operator==(const UndoTurns&, const UndoTurns&) = default;
};
/// The player who asked for turns to be taken back, and those who agreed, where players ask each
/// other.
struct Takeback {
  Seat asked = 0;
  SeatSet agreed = {};
  friend bool operator==(const Takeback&, const Takeback&) = default;
};
/// Take back every turn after `turn`.
struct UndoToTurn {
  Turn turn = 0;
  std::optional<Takeback> takeback = std::nullopt;
  friend bool operator==(const UndoToTurn&, const UndoToTurn&) = default;
};
/// Put back the last `count` (≥ 1) turns that were taken back.
struct RedoTurns {
  Turn count = 1;
  friend bool operator==(const RedoTurns&, const RedoTurns&) = default;
};
using Command = std::variant<StartGame, PlayTurn, RollTurn, UndoTurns, UndoToTurn, RedoTurns>;

// ---- Events: facts.

struct GameStarted {
  std::shared_ptr<const GameSetup> setup;
  friend bool operator==(const GameStarted& a, const GameStarted& b) {
    return a.setup == b.setup || (a.setup && b.setup && *a.setup == *b.setup);
  }
};

/// Everything that a turn did besides moving its player's piece from where it stood to where it
/// landed, in a game that has_effects.
struct Effects {
  Cell rest = 0;          // where dice and jump carried the piece, before its cell's power
  bool shielded = false;  // a shield was used up: it rests on the head of a snake
  SeatSet captured = {};  // their pieces stood on `rest`, and went to `captured_to`
  Cell captured_to = 0;   // the cell where pieces start; 0 if nobody was captured
  std::optional<Power> power = std::nullopt;   // the power that acted
  std::optional<Seat> swapped = std::nullopt;  // its piece went to `rest`, the mover's to its cell
  Tallies before = {};
  Tallies after = {};
  SeatCounts missed = {};  // turns that players missed before the next one
  friend bool operator==(const Effects&, const Effects&) = default;
};

struct TurnPlayed {
  Turn turn = 0;
  Seat seat = 0;
  Dice dice;
  bool rolled = false;  // by the game's seeded dice, not thrown by the sender
  Cell from = 0;
  Cell landed = 0;  // before the jump, after a bounce; = from when the piece stayed
  Cell to = 0;      // at the end of the turn
  Outcome outcome = Outcome::moved;
  std::optional<Seat> next;  // none once won
  Version previous = 0;      // the command that played the turn in force before this; 0: none
  std::optional<Effects> effects = std::nullopt;
  friend bool operator==(const TurnPlayed&, const TurnPlayed&) = default;
};

/// Everything that a turn moves besides its player's piece when it is taken back or put back, in a
/// game that has_effects.
struct Restored {
  SeatSet captured;                            // their pieces go to `captured_to`
  Cell captured_to = 0;                        // 0 if there are none
  std::optional<Seat> swapped = std::nullopt;  // its piece goes to `swapped_to`
  Cell swapped_to = 0;                         // 0 if there is none
  Tallies tallies = {};                        // as they are now
  friend bool operator==(const Restored&, const Restored&) = default;
};

/// A turn was taken back: its piece goes back, and its player is to move again.
struct TurnUndone {
  std::int32_t index = 0;  // among the events of its command
  Turn turn = 0;
  Seat seat = 0;
  Cell from = 0;         // where the piece stood
  Cell to = 0;           // where it stands again
  Version played = 0;    // the command that played the turn
  Version previous = 0;  // the command that played the turn now last in force; 0: none
  EventRef later;  // the TurnUndone that can be redone once this one has been; version 0: none
  std::optional<Restored> restored = std::nullopt;
  friend bool operator==(const TurnUndone&, const TurnUndone&) = default;
};

/// A turn that was taken back is in force again.
struct TurnRedone {
  std::int32_t index = 0;
  Turn turn = 0;
  Seat seat = 0;
  Cell from = 0;
  Cell to = 0;
  Outcome outcome = Outcome::moved;
  std::optional<Seat> next;
  Version played = 0;
  EventRef later;  // the TurnUndone that can be redone now; version 0: none
  std::optional<Restored> restored = std::nullopt;
  friend bool operator==(const TurnRedone&, const TurnRedone&) = default;
};

// ---- Reading a turn's event

/// Where dice and jump carried the piece, before its cell's power.
inline Cell rest_of(const TurnPlayed& turn) {
  return turn.effects ? turn.effects->rest : turn.to;
}

/// The jump that a turn took, if any.
inline std::optional<JumpKind> jump_of(const TurnPlayed& turn) {
  return jump_between(turn.landed, rest_of(turn));
}

/// The reason that a piece of the player to move came to a cell.
enum class StepKind : std::uint8_t { dice, ladder, snake, shield, restart, swap };
std::string_view to_string(StepKind kind);

struct Step {
  StepKind why;
  Cell to;
  friend bool operator==(const Step&, const Step&) = default;
};

/// Each place to which a turn brought its player's piece, in order; none if it stayed. A shield
/// keeps the piece in place.
std::vector<Step> steps_of(const TurnPlayed& turn);

/// A piece of another player that a turn moved.
struct Displaced {
  enum class Why : std::uint8_t { captured, swapped };
  Seat seat;
  Why why;
  Cell from;
  Cell to;
  friend bool operator==(const Displaced&, const Displaced&) = default;
};
std::string_view to_string(Displaced::Why why);

/// The captured pieces in turn order after the mover, and then the one that was swapped.
std::vector<Displaced> displaced_by(const TurnPlayed& turn);

/// Whether a power or a six lets the same player move next, before anybody misses a turn.
bool moves_again(const TurnPlayed& turn);

/// The seats that missed turns before the next one, in order, once for each turn missed.
std::vector<Seat> missed_after(const TurnPlayed& turn);

/// Everything that taking a turn back, or putting it back, moves besides its player's piece.
Restored taken_back(const TurnPlayed& turn, const Effects& effects);
Restored put_back(const Effects& effects);

/// Puts other players' pieces and all tallies where `restored` says.
void restore(Position& position, const Restored& restored);

/// The position after a turn that was played in `before`, and the position before a turn that led
/// to `after`.
Position position_after(Position before, const TurnPlayed& turn);
Position position_before(Position after, const TurnPlayed& turn);

using Event = std::variant<GameStarted, TurnPlayed, TurnUndone, TurnRedone>;

// ---- State: the fold of the events.

struct GameState {
  std::shared_ptr<const GameSetup> setup;  // null before the game has started
  Position position;
  Version version = 0;     // commands recorded so far
  std::int32_t index = 0;  // of the last event among its command's
  Version last_turn = 0;   // the command that played the last turn in force; 0: none
  EventRef redo;           // the TurnUndone that a redo would put back; version 0: none
  Turn redoable = 0;       // turns that a redo could put back

  bool started() const { return setup != nullptr; }
  bool completed() const { return position.winner.has_value(); }
  std::size_t players() const { return setup->players.size(); }
  /// Turns that an undo could take back; in a branch, only its own.
  Turn undoable() const { return position.turn - first_position(*setup).turn; }

  friend bool operator==(const GameState& a, const GameState& b);
};

/// The seat that plays under this name, or unknown_seat.
Seat seat_of(const GameSetup& setup, std::string_view name);

}  // namespace snl
