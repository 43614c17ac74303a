// A recorded game as it is read: its state, and the events that a command would cause in it.
#pragma once

#include "domain/engine.hpp"
#include "domain/timeline.hpp"
#include "event_store.hpp"
#include "recollection.hpp"

#include <cstddef>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Throws StoreError if the store fails or the log is damaged.
class RecordedGame {
 public:
  /// The game as it is now; none if no game has this ID. It keeps using this store for later reads.
  static std::optional<RecordedGame> load(StoreReader& store, std::string id);

  const std::string& id() const { return id_; }
  const GameState& state() const { return known_.state; }
  const Head& head() const { return known_.head; }
  /// The time of its first commit.
  UnixMilliseconds created() const { return known_.created; }
  /// The position right after an earlier version. Folds the log up to there.
  Position position_at(Version version) const;
  /// The last turn in force; none before the first, and at the start of a branch.
  std::optional<TurnPlayed> last_turn();

 protected:
  /// A game that has not been loaded, or has just been started.
  RecordedGame(StoreReader& store, std::string id) : store_(&store), id_(std::move(id)) {}
  /// The same game, which uses this store for later reads.
  RecordedGame(StoreReader& store, const RecordedGame& game)
      : store_(&store), id_(game.id_), known_(game.known_) {}

  /// Reads the game as it is now in this store. False if there is no such game.
  bool reload(StoreReader& store);

  std::expected<std::vector<Event>, Refusal> decide_on_state(const Command& command);

  /// The known state of a game. A rollback may have to restore it.
  struct KnownState {
    UnixMilliseconds created = 0;
    GameState state;
    Head head;
  };
  const KnownState& known_state() const { return known_; }
  void set_known_state(KnownState known) { known_ = std::move(known); }

  /// Takes the state that an append led to.
  void move_to(GameState state, const Head& head);

 private:
  const Event* recall(EventRef ref);

  StoreReader* store_;
  std::string id_;
  KnownState known_;
  Recollection recollection_;
};

/// Whether a turn moves only pieces that a game of so many players has.
bool moves_only(const TurnPlayed& turn, std::size_t players);

/// The events of a recorded commit. Throws StoreError if they can't be read.
std::vector<Event> events_of(const CommitView& commit);

/// A game's history up to a head.
struct History {
  Timeline timeline;
  Head head;
};

/// The history of an existing game up to a version; else the whole one. Throws StoreError if its
/// log is damaged.
History history_of(EventReader& store, const std::string& id,
                   Version last = std::numeric_limits<Version>::max());

/// Throws the StoreError for a game's log that is damaged at this version, for this reason.
[[noreturn]] void throw_damaged(std::string_view game, Version version, std::string_view why);

}  // namespace snl
