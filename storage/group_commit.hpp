// Commands for different games that wait together and share one transaction.
//
// A durable commit costs one sync of the disk, however much is in it. If one process hosts many
// games, one sync can make turns of all of them durable.
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

/// A command for a game; StartGame for a game that isn't there yet.
struct WaitingCommand {
  std::string game;
  Command command;
  Request request = {};
  /// The game as a caller last saw it, perhaps long ago; null: the game is read.
  std::shared_ptr<const RecordedGame> known = nullptr;
  /// The known HostedGame::revision. If it is given, the command is recorded only if the hosted
  /// game still has it, and the game still has the head on which the command was decided.
  std::optional<std::int64_t> expected_revision = std::nullopt;
  /// Decide on the known game, and don't check whether it is old before the append.
  bool is_optimistic = false;
};

/// A command that is in the log, and the game after it. The game reads the store: any thread may
/// call its id(), head() and state(), all else is for the store's thread while the store lives.
struct Committed : Recorded {
  std::shared_ptr<const RecordedGame> game = nullptr;
  NewCommit commit = {};  // empty if it was decided alone, or had been recorded before
};

/// The command isn't recorded, because it may rest on an old state: read the game again.
struct Outdated {};

/// The outcome of a command, as Match::execute and Match::start would have returned it, or the
/// store's failure: unless that is_outcome_unknown(), nothing is recorded. Only a command that is
/// optimistic or expects a revision gets Outdated.
using CommandOutcome = std::variant<Committed, Rejection, StoreError, Outdated>;

/// For one thread, on a store that it has open and that lives longer.
class GroupCommit {
 public:
  explicit GroupCommit(EventStore& store, Clock clock = system_time);

  /// Decides each command on its own game, and records all the decisions in one transaction. No two
  /// may be for one game. A command that is rejected, or whose game is damaged, leaves the others
  /// as they would be without it. When this returns, each Committed is durable.
  std::vector<CommandOutcome> execute(std::span<const WaitingCommand> commands);

 private:
  struct Decided;
  using Outcomes = std::vector<std::optional<CommandOutcome>>;

  std::shared_ptr<Match> match_of(const WaitingCommand& waiting);
  std::optional<CommandOutcome> decide_one(const WaitingCommand& waiting, Decided& decided);
  std::optional<CommandOutcome> decide_on_known(const WaitingCommand& waiting, Decided& decided);
  void record(std::vector<Decided>& decided, Outcomes& outcomes);
  bool append(std::vector<Decided>& decided, Outcomes& outcomes);
  static std::optional<CommandOutcome> outcome_of_refusal(const Decided& decided,
                                                          const AppendRefusal& why);
  CommandOutcome execute_alone(const WaitingCommand& waiting);

  EventStore& store_;
  Clock clock_;
};

}  // namespace snl
