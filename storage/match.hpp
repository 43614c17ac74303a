// A recorded game that is being played: loads its state from a store, decides commands on it and
// appends what they cause.
#pragma once

#include "domain/engine.hpp"
#include "domain/timeline.hpp"
#include "event_store.hpp"
#include "recall.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace snl {

/// What a command's sender may ask besides the command.
struct Request {
  /// The version that the game must be at: nobody moved in between. Without it, a command that
  /// meets somebody else's turn is decided again on the new state.
  std::optional<Version> expected_version = std::nullopt;
  /// An idempotency key: within a game, the same ID with the same command answers what it answered
  /// when it was recorded.
  std::optional<std::string> command_id = std::nullopt;
};

/// A command that is in the log, with its events.
struct Recorded {
  std::vector<Event> events;
  Head head;           // as it was right after
  bool again = false;  // it had been recorded before, under the same command ID
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
struct InvalidCommandId {  // it is held to the same as a player's name
  std::string command_id;
  std::string fault;
};
struct GameIdTaken {};
struct InvalidGameId {};
using Rejection =
    std::variant<Refusal, Conflict, CommandIdTaken, InvalidCommandId, GameIdTaken, InvalidGameId>;

/// Throws StoreError where the store fails, and where the log is damaged.
class Match {
 public:
  /// Records the start of a game under an ID that is free.
  static std::expected<Match, Rejection> start(EventStore& store, std::string id,
                                               const StartGame& command,
                                               const Clock& clock = system_time);

  /// The game as it is now; none if there is no game of this ID.
  static std::optional<Match> load(EventStore& store, std::string id,
                                   const Clock& clock = system_time);

  /// Decides and records a command.
  std::expected<Recorded, Rejection> execute(const Command& command, const Request& request = {});

  const std::string& id() const { return id_; }
  const GameState& state() const { return state_; }
  const Head& head() const { return head_; }
  GameSummary summary() const { return summarise(id_, created_, head_, state_); }
  /// As it was right after an earlier version. Folds the log up to there.
  GameSummary summary_at(Version version) const;
  Position position_at(Version version) const;
  /// The last turn in force; none before the first, and at the start of a branch.
  std::optional<TurnPlayed> last_turn();

 private:
  Match(EventStore& store, std::string id, Clock clock);

  /// The state from the derived row where that agrees with the end of the log, else folded from all
  /// of the log.
  bool reload();
  void fold_log();
  std::optional<GameState> state_from(const GameSummary& summary);
  std::optional<GameState> state_at_end_of_log(const std::shared_ptr<const GameSetup>& setup,
                                               const Head& head);
  std::optional<Position> position_after(Version last_turn, const GameSetup& setup);
  std::expected<std::vector<Event>, Refusal> decide_on_state(const Command& command);
  const Event* recall(EventRef ref);
  void heal();
  void catch_up();
  std::optional<std::expected<Recorded, Rejection>> try_to_record(const Command& command,
                                                                  const std::string& json,
                                                                  const Request& request);
  std::expected<Recorded, Rejection> answer_again(const Commit& commit, bool same_command) const;

  EventStore* store_;
  std::string id_;
  Clock clock_;
  UnixMilliseconds created_ = 0;
  GameState state_;
  Head head_;
  bool derived_is_wrong_ = false;  // the derived rows didn't agree with the log
  bool is_from_derived_ = false;   // the log wasn't folded, and so `redoable` wasn't proven

  Recollection recollection_;
};

/// The events of a recorded commit. Throws StoreError if they can't be read.
std::vector<Event> events_of(const CommitView& commit);

/// A game's history up to a head.
struct History {
  Timeline timeline;
  Head head;
};

/// The whole history of a game that is there. Throws StoreError if its log is damaged.
History history_of(EventStore& store, const std::string& id);

}  // namespace snl
