// The port behind which games are recorded.
//
// A store holds one stream for each game. The unit of a stream is a commit: one command with the
// events that it caused. Commits are only ever appended. Each has a version in its game (1, 2, 3 …)
// and a position in the store. Positions grow in the order in which commits become visible: a
// reader that has read up to a position has missed nothing before it. The port doesn't promise that
// there are no gaps between positions.
//
// These are interfaces, since I/O begins here. EventReader has the reads. ReadTransaction has the
// same reads of one moment. StoreReader is a store that is open for reading, EventStore one that is
// open for appending. SqliteStore keeps games in a file, PostgresStore in a database; MemoryStore
// is for tests and for embedding. tests/storage has the one suite that all of them must pass.
#pragma once

#include "commit.hpp"
#include "domain/game.hpp"
#include "hash.hpp"
#include "retry_budget.hpp"
#include "snapshot.hpp"
#include "store_error.hpp"
#include "time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Where a game must be for an append: anywhere, at a version (0 if the game must not exist yet),
/// or at a head. A version alone doesn't prove that the game still has the commits that were read:
/// a store that was restored from a copy may have other ones under the same numbers.
struct ExpectedHead {
  ExpectedHead(std::nullopt_t /*anywhere*/) {}
  ExpectedHead(Version at) : version(at) {}
  ExpectedHead(std::optional<Version> at) : version(at) {}
  ExpectedHead(const Head& at) : version(at.version), hash(at.hash) {}

  bool matches(const Head& head) const {
    return version.value_or(head.version) == head.version && hash.value_or(head.hash) == head.hash;
  }

  std::optional<Version> version;
  std::optional<Hash> hash;
};

/// The fields by which lists are searched. They are derived from the log, and written with the
/// appends that begin a game, end it or take its end back. Loading a game doesn't need them.
struct ListEntry {
  std::string id;
  UnixMilliseconds created = 0;  // the time of the first commit
  std::vector<std::string> players;
  bool completed = false;
  friend bool operator==(const ListEntry&, const ListEntry&) = default;
};

// ---- Why an append was refused. A refused append changes nothing.

struct VersionConflict {
  Version actual;  // the game's version now; equal to the expected one if only the head differs
  /// True if the store knows that the game's commits don't come from an earlier attempt at this
  /// append, with an unknown outcome. Then even a commit with the same hash is another writer's.
  bool conflicts_with_other_writer = false;
};
/// This commit of the game already has the command ID, with the same command or with another.
struct CommandIdUsed {
  Commit commit;
  bool same_command;
};
/// The hosted game (hosted_games.hpp) was changed, or is gone.
struct RevisionConflict {};
using AppendRefusal = std::variant<VersionConflict, CommandIdUsed, RevisionConflict>;

inline bool conflicts_with_other_writer(const AppendRefusal& refusal) {
  const auto* conflict = std::get_if<VersionConflict>(&refusal);
  return conflict != nullptr && conflict->conflicts_with_other_writer;
}

/// The first game for which an append to several games was refused.
struct RefusedAppend {
  std::string game;
  AppendRefusal why;
};

/// Which games to list, newest first: the game that the store got last comes first.
struct ListFilter {
  std::optional<bool> completed = std::nullopt;
  std::optional<std::string> player = std::nullopt;
  std::optional<std::string> before = std::nullopt;  // only games older than this one
};

// ---- Reading

/// The reads of a store. Each reads the store as it is at the call; in a ReadTransaction, as it was
/// at one moment. The caller owns the result: no read is under way once the call has returned.
/// Throws StoreError.
class EventReader {
 public:
  EventReader() = default;
  virtual ~EventReader() = default;
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  /// Fills `page` with commits of a game from version `from` on, in order: as many as make a page,
  /// and at most `limit`.
  virtual void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) = 0;

  /// The same for the whole store from position `from` on, in the order of positions.
  virtual void read_all(StorePosition from, std::size_t limit, CommitPage& page) = 0;

  /// The commit at a game's version; none if the game has no such version.
  virtual std::optional<Commit> commit(const std::string& game, Version version) = 0;

  /// The commit that carries this command ID. If the store is open for appending, the commit is as
  /// durable as an append that has returned: the caller may report it.
  virtual std::optional<Commit> commit_with_id(const std::string& game,
                                               const std::string& command_id) = 0;

  /// The last commit, read from the log itself; none if there is no such game.
  virtual std::optional<Head> head(const std::string& game) = 0;

  /// None if there is no such game, or if its entry can't be read.
  virtual std::optional<ListEntry> list_entry(const std::string& game) = 0;

  /// The newest snapshot, unchecked; none if the game never became long enough.
  virtual std::optional<Snapshot> snapshot(const std::string& game) = 0;

  /// The IDs of at most `limit` games, according to the list entries.
  virtual std::vector<std::string> list(const ListFilter& filter, std::size_t limit) = 0;

  /// At most `limit` IDs, in byte order: those after `after`, or those that begin with `prefix`.
  virtual std::vector<std::string> games_after(const std::string& after, std::size_t limit) = 0;
  virtual std::vector<std::string> games_with_prefix(const std::string& prefix,
                                                     std::size_t limit) = 0;

  /// The game that is `back` (≥ 0) places before the newest one; none if there are too few games.
  virtual std::optional<std::string> newest_game(std::size_t back) = 0;
};

/// A store as it is at one moment, at the latest that of the first read. All results belong
/// together, even if others append meanwhile. While a transaction lives, don't append through the
/// store that it came from. All that others append makes a file's write-ahead log grow meanwhile.
///
/// A store may be unable to keep the moment: somebody writes to a file that is read without locks,
/// or a server ends the transaction. Then that read and all later ones throw ReadTransactionLost;
/// earlier results stay right. See in_read_transaction().
class ReadTransaction : public EventReader {};

/// The store no longer has that moment. Begin again with another read transaction.
class ReadTransactionLost : public StoreError {
 public:
  explicit ReadTransactionLost(const std::string& store);
};

/// A store that is open for reading. For one thread at a time, unless a store says otherwise.
class StoreReader : public EventReader {
 public:
  /// A transaction that begins while another one lives has the same moment, except in a
  /// MemoryStore. It must not outlive the store.
  virtual std::unique_ptr<ReadTransaction> read_transaction() = 0;

  /// Waits until the store has a commit after position `after`, from this process or another, or
  /// until the time is up. Returns the store's last position.
  virtual StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) = 0;
};

/// Returns what `work` returns for a read transaction. If the moment is lost, `work` runs again
/// from its beginning, with another transaction, until the budget is used up. So `work` must return
/// all its results and have no other effect.
template <class Work>
auto in_read_transaction(StoreReader& store, const Work& work,
                         RetryBudget budget = RetryBudget(std::chrono::seconds{10})) {
  while (true) {
    const auto now = store.read_transaction();
    try {
      return work(*now);
    } catch (const ReadTransactionLost&) {
      if (!budget.pause()) throw;
    }
  }
}

// ---- Appending

/// The commits to append to one game. `commits` and `after` must live until the call returns.
struct Append {
  std::string game;
  ExpectedHead expected;
  /// No two may carry the same command ID. If there are none, only the expected values are checked.
  std::span<const NewCommit> commits;
  /// The state to which all of the game's events fold after the append.
  const GameState* after;
  /// HostedGame::revision, if the append depends on the hosted game.
  std::optional<std::int64_t> expected_revision = std::nullopt;
};

/// The store failed while the append was under way. Either all of it is recorded or nothing, and it
/// may still become recorded. To find out, send the same append again: the store records it now, or
/// refuses it because its command IDs are used or the game already has its commits.
class OutcomeUnknown : public StoreError {
 public:
  OutcomeUnknown(Cause cause, const std::string& message) : StoreError(cause, message, true) {}
};

/// A store that is open for appending. An append throws OutcomeUnknown if nobody can tell whether
/// it is recorded. If it throws any other StoreError, nothing is recorded.
class EventStore : public StoreReader {
 public:
  /// Appends to several games with different IDs: all of it durably, or nothing. Returns their new
  /// heads. For each game it checks the revision first, then command IDs, then the expected head.
  virtual std::expected<std::vector<Head>, RefusedAppend> append(
      std::span<const Append> appends) = 0;

  /// The same for one game.
  std::expected<Head, AppendRefusal> append(const std::string& game, const ExpectedHead& expected,
                                            std::span<const NewCommit> commits,
                                            const GameState& after);

  /// Runs `work` while nobody else appends to a game, for a caller that must decide on the game's
  /// present state. All that `work` appends through the store it is given is recorded together, or
  /// not at all if `work` throws. Others may have to wait, so do slow work before the call.
  ///
  /// `work` may run again from its beginning, if the connection to a server was lost or two
  /// transactions waited for each other; nothing that it appended is left then. So it must first
  /// clear its results, and have no other effects. A nested call is part of the outer one. If the
  /// inner one throws, the outer one can record nothing more; if it goes on, it throws StoreError.
  virtual void locked(const std::string& game,
                      const std::function<void(EventStore& store)>& work) = 0;
};

// ---- Reading page by page

/// The most commits on a page.
inline constexpr std::size_t page_size = 1000;

/// Receives one commit after another; returning false ends the reading. No read is under way during
/// the call, so the visitor may be slow (it may print into a pipe) and may use the store.
using CommitVisitor = std::function<bool(const CommitView&)>;

/// Every commit of a game from version `from` on.
void for_each_commit(EventReader& store, const std::string& game, Version from,
                     const CommitVisitor& visit);

/// Every commit of the store from position `from` on.
void for_each_commit(EventReader& store, StorePosition from, const CommitVisitor& visit);

/// The ID of every game, in byte order. No read is under way during a call of `visit`.
void for_each_game(EventReader& store, const std::function<void(const std::string&)>& visit);

}  // namespace snl
