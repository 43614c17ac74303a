// Commands for different games that wait together and share one transaction.
//
// A durable commit costs a sync of the disk, whatever is in it. Where many games are played at once
// in one process, one sync can make the turns of all of them durable.
#pragma once

#include "match.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A command for a game; StartGame for one that isn't there yet.
struct WaitingCommand {
  std::string game;
  Command command;
  Request request = {};
};

/// What became of it, as Match::execute and Match::start would have answered; or how the store
/// failed it.
using CommandOutcome = std::variant<Recorded, Rejection, StoreError>;

/// A command that depends on its game's room.
struct RoomCommand {
  WaitingCommand waiting;
  /// Room::changed, as it is known. Given, the command is recorded only while the room is so, and
  /// the game where it was decided.
  std::optional<std::int64_t> revision = std::nullopt;
  /// It was made of what is remembered of its game, and nobody is asked before it is appended. See
  /// GroupCommit::remembered().
  bool is_unasked = false;
};

/// Knows the games that it was last asked of, as Match does. For one thread, on a store that is
/// open for it.
class GroupCommit {
 public:
  explicit GroupCommit(EventStore& store, Clock clock = system_time);

  /// Asks the store once whether others have recorded anything, so that game() need not ask for
  /// each game. Throws StoreError.
  void look_for_others();

  /// The game as it was at the last look_for_others() or later; null if there is none. It changes
  /// with what is executed. Throws StoreError.
  std::shared_ptr<const RecordedGame> game(const std::string& id);

  /// The game as it was when it was last asked for or moved here, which may be long ago; null if
  /// that isn't known. Asks nobody.
  std::shared_ptr<const RecordedGame> remembered(const std::string& id) const;

  /// Decides each command on its own game, and records all that is decided in one transaction. Each
  /// is of another game. One that is rejected, or whose game is damaged, leaves the others as they
  /// would be without it. When this returns, what is Recorded is durable.
  std::vector<CommandOutcome> execute(std::span<const WaitingCommand> commands);

  /// The same, of commands that may depend on rooms. None of such a one: it isn't recorded, since
  /// what it was made of may be old; look again.
  std::vector<std::optional<CommandOutcome>> execute(std::span<const RoomCommand> commands);

 private:
  struct Decided;

  std::shared_ptr<Match> find(const std::string& id);
  std::optional<CommandOutcome> decide_one(const WaitingCommand& waiting, Decided& decided);
  void record(std::vector<Decided>& decided, std::vector<std::optional<CommandOutcome>>& outcomes);
  bool append(std::vector<Decided>& decided, std::vector<std::optional<CommandOutcome>>& outcomes);
  void decide_unasked(const WaitingCommand& waiting, Decided& decided);
  CommandOutcome execute_alone(const WaitingCommand& waiting);
  void remember(const std::string& id, std::shared_ptr<Match> match);
  void forget(const std::string& id) { known_.erase(id); }
  void recorded_one(const Hash& head);
  bool is_end_of_store();

  /// A game, and the look since which nobody but this has moved it.
  struct Known {
    std::shared_ptr<Match> match;
    std::uint64_t look = 0;
  };
  /// The last commit of the store, if nobody else records any.
  struct End {
    StorePosition position = 0;
    Hash hash{};
  };

  EventStore& store_;
  Clock clock_;
  std::unordered_map<std::string, Known> known_;
  std::optional<End> end_;
  std::uint64_t look_ = 1;
  bool has_recorded_ = false;  // since the last look
  int skips_ = 0;  // so many looks after a record needn't look for it at the next position
};

}  // namespace snl
