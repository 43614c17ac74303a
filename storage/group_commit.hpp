// Commands for different games that wait together and share one transaction.
//
// A durable commit costs a sync of the disk, whatever is in it. Where many games are played at once
// in one process, one sync can make the turns of all of them durable.
#pragma once

#include "match.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A command for a game; StartGame for one that isn't there yet.
struct WaitingCommand {
  std::string game;
  Command command;
  Request request = {};
  /// The game as it was when somebody last looked, which may be long ago; null: it is read.
  std::shared_ptr<const RecordedGame> known = nullptr;
  /// The number of the last change of the game's hosted game that is known. Given, the command is
  /// recorded only if the store sees that the game and its hosted game still are so, and nobody
  /// else is asked: on stores that see hosted games, for a game that is known.
  std::optional<std::int64_t> room_change = std::nullopt;
};

/// A command that is in the log, and the game after it.
struct Committed : Recorded {
  std::shared_ptr<const RecordedGame> game = nullptr;
  NewCommit commit = {};  // empty if it was decided alone, or had been recorded before
};

/// What a command was made of may be old, and the store wasn't asked: look again.
struct Outdated {};

/// What became of a command, as Match::execute and Match::start would have answered; or how the
/// store failed it. Outdated: of one with `room_change` alone.
using CommandOutcome = std::variant<Committed, Rejection, StoreError, Outdated>;

/// For one thread, on a store that is open for it.
class GroupCommit {
 public:
  explicit GroupCommit(EventStore& store, Clock clock = system_time);

  /// Whether the store sees hosted games, so that a command can depend on one.
  bool sees_rooms() const;

  /// Decides each command on its own game, and records all that is decided in one transaction. Each
  /// is of another game. One that is rejected, or whose game is damaged, leaves the others as they
  /// would be without it. When this returns, what is Committed is durable. Throws
  /// std::invalid_argument for a command that depends on a hosted game that the store doesn't see.
  std::vector<CommandOutcome> execute(std::span<const WaitingCommand> commands);

 private:
  struct Decided;
  using Outcomes = std::vector<std::optional<CommandOutcome>>;

  std::shared_ptr<Match> match_of(const WaitingCommand& waiting);
  std::optional<CommandOutcome> decide_one(const WaitingCommand& waiting, Decided& decided);
  std::optional<CommandOutcome> decide_on_known(const WaitingCommand& waiting, Decided& decided);
  void record(std::vector<Decided>& decided, Outcomes& outcomes);
  bool append(std::vector<Decided>& decided, Outcomes& outcomes);
  CommandOutcome execute_alone(const WaitingCommand& waiting);

  EventStore& store_;
  Clock clock_;
};

}  // namespace snl
