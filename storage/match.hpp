// A recorded game that is being played: decides commands on its state and appends their events.
#pragma once

#include "domain/engine.hpp"
#include "event_store.hpp"
#include "recorded_game.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A sender's wishes besides the command.
struct Request {
  /// The version that the game must be at, so that nobody has moved in between. Without it, a
  /// command that meets somebody else's turn is decided again on the new state.
  std::optional<Version> expected_version = std::nullopt;
  /// An idempotency key: within a game, the same ID with the same command gets the outcome that it
  /// got when it was recorded.
  std::optional<std::string> command_id = std::nullopt;
};

/// A command that is in the log, with its events.
struct Recorded {
  std::vector<Event> events;
  Head head;           // right after the command
  bool again = false;  // it was already recorded, under the same command ID
};

// ---- Why nothing was recorded.

struct Conflict {  // the game isn't at the version that was expected
  Version expected;
  Version actual;
};
struct CommandIdTaken {  // by another command
  std::string command_id;
  Version version;
};
struct InvalidCommandId {  // the rules are those for a player's name
  std::string command_id;
  std::string fault;
};
struct GameIdTaken {};
struct InvalidGameId {};
using Rejection =
    std::variant<Refusal, Conflict, CommandIdTaken, InvalidCommandId, GameIdTaken, InvalidGameId>;

/// In words, e.g. "the game is at version 5, not 4".
std::string explain(const Rejection& rejection);

/// For the store's thread, and on a store that lives longer. Throws StoreError if the store fails
/// or the log is damaged. If nobody can tell at once whether a command was recorded, the match
/// finds out; it throws OutcomeUnknown if it can't.
class Match : public RecordedGame {
 public:
  /// Records the start of a game under an ID that is free.
  static std::expected<Match, Rejection> start(EventStore& store, std::string id,
                                               const StartGame& command,
                                               const Clock& clock = system_time);

  /// Like RecordedGame::load.
  static std::optional<Match> load(EventStore& store, std::string id,
                                   const Clock& clock = system_time);

  /// Decides and records a command.
  std::expected<Recorded, Rejection> execute(const Command& command, const Request& request = {});

 private:
  friend class GroupCommit;

  Match(EventStore& store, std::string id, Clock clock);
  Match(EventStore& store, const RecordedGame& game, Clock clock);

  /// A commit to append, and the state of the game after it.
  struct Attempt {
    std::vector<Event> events;
    NewCommit commit;
    GameState after;
  };
  /// None: the game isn't at the head that the match knows.
  using Outcome = std::optional<std::expected<Recorded, Rejection>>;
  /// The commit to append, decided on the known state; otherwise the outcome to return instead.
  std::expected<Attempt, Outcome> attempt(EventStore& store, const Command& command,
                                          const Request& request);
  /// The same, without checking whether the known state is old.
  std::expected<Attempt, Rejection> attempt_on_known(const Command& command,
                                                     const Request& request);
  /// The beginning of a game that isn't there yet.
  std::expected<Attempt, Rejection> attempt_start(const StartGame& command);
  /// An attempt's commit, to follow the known head.
  Append append_of(const Attempt& attempt,
                   std::optional<std::int64_t> expected_revision = std::nullopt) const;
  /// Appends, and finds out what became of it.
  static std::expected<std::vector<Head>, RefusedAppend> send(EventStore& store,
                                                              std::span<const Append> appends);
  Recorded accept(Attempt attempt, const Head& head);
  static std::optional<Rejection> fault_of_id(const Request& request);
  Outcome outcome_of_used_id(EventStore& store, const Command& command,
                             const Request& request) const;
  Outcome try_to_record(EventStore& store, const Command& command, const Request& request);
  Outcome append(EventStore& store, Attempt attempt);
  std::expected<Recorded, Rejection> record_locked(const Command& command, const Request& request);
  std::expected<Recorded, Rejection> repeated_outcome(const Commit& commit,
                                                      bool same_command) const;

  EventStore* store_;
  Clock clock_;
};

}  // namespace snl
