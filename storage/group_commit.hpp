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
  /// HostedGame::revision, as it is known. Given, the command is recorded only while the hosted
  /// game is so, and the game where the command was decided.
  std::optional<std::int64_t> expected_revision = std::nullopt;
  /// It is decided on what is known, and nobody is asked before it is appended.
  bool is_optimistic = false;
};

/// A command that is in the log, and the game after it.
struct Committed : Recorded {
  std::shared_ptr<const RecordedGame> game = nullptr;
  NewCommit commit = {};  // empty if it was decided alone, or had been recorded before
};

/// The command isn't recorded, since what it was made of may be old: look again.
struct Outdated {};

/// What became of a command, as Match::execute and Match::start would have answered; or how the
/// store failed it. Outdated: only of one that is unasked, or expects a revision.
using CommandOutcome = std::variant<Committed, Rejection, StoreError, Outdated>;

/// For one thread, on a store that is open for it.
class GroupCommit {
 public:
  explicit GroupCommit(EventStore& store, Clock clock = system_time);

  /// Decides each command on its own game, and records all that is decided in one transaction. Each
  /// is of another game. One that is rejected, or whose game is damaged, leaves the others as they
  /// would be without it. When this returns, what is Committed is durable.
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
