// The port behind which games are recorded.
//
// A store holds streams, one for each game. The unit of a stream is a commit: one command with the
// events that it caused. Commits are only ever appended. Each has a version in its game (1, 2, 3 …)
// and a position in the store. Positions grow in the order in which commits become visible: whoever
// has read up to a position has missed nothing before it. That there are no gaps between them is no
// promise of the port.
//
// Interfaces, since this is where I/O begins: EventReader has the reads, ReadTransaction has them
// of one moment, StoreReader is a store that is open to be read, EventStore one that is appended
// to. SqliteStore keeps a file, MemoryStore is for tests and for embedding. tests/storage has the
// one suite that both must pass.
#pragma once

#include "commit.hpp"
#include "domain/game.hpp"
#include "hash.hpp"
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

/// Where a game must be for an append: anywhere; at a version, 0 for a game that must not exist
/// yet; or at a head. A version alone is no proof that the game is the one that was read: a store
/// that was restored from a copy may have other commits under the same numbers.
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

/// What lists are searched by. Derived from the log: written with the append that begins a game,
/// and with those that end it or take its end back. A game is loaded without it.
struct ListEntry {
  std::string id;
  UnixMilliseconds created = 0;  // the time of the first commit
  std::vector<std::string> players;
  bool completed = false;
  friend bool operator==(const ListEntry&, const ListEntry&) = default;
};

// ---- Why an append was refused. A refused append changes nothing.

struct VersionConflict {
  Version actual;  // the game's version now; the one expected if only the head is another
  /// The store knows that it isn't there for having been sent before, when nobody could tell what
  /// became of it: another's commit may have the same hash.
  bool conflicts_with_other_writer = false;
};
/// The command ID was used before in this game, by this commit: with the same command, or another.
struct CommandIdUsed {
  Commit commit;
  bool same_command;
};
/// What a server knows of the game besides its log was changed, or is gone.
struct RevisionConflict {};
using AppendRefusal = std::variant<VersionConflict, CommandIdUsed, RevisionConflict>;

inline bool conflicts_with_other_writer(const AppendRefusal& refusal) {
  const auto* conflict = std::get_if<VersionConflict>(&refusal);
  return conflict != nullptr && conflict->conflicts_with_other_writer;
}

/// The first game that an append to several was refused for.
struct RefusedAppend {
  std::string game;
  AppendRefusal why;
};

/// Which games to list, newest first (in the order in which the store got them).
struct ListFilter {
  std::optional<bool> completed = std::nullopt;
  std::optional<std::string> player = std::nullopt;
  std::optional<std::string> before = std::nullopt;  // only games older than this one
};

// ---- Reading

/// The reads of a store, each of the store as it is when it is called. Of a ReadTransaction: as it
/// was at one moment. What a read answers is the caller's: nothing is under way once it has
/// returned. Throws StoreError.
class EventReader {
 public:
  EventReader() = default;
  virtual ~EventReader() = default;
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  /// Fills `page` with commits of a game from version `from` on, in order: with as many as make a
  /// page, and `limit` at the most.
  virtual void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) = 0;

  /// The same of the whole store from position `from` on, in the order of positions.
  virtual void read_all(StorePosition from, std::size_t limit, CommitPage& page) = 0;

  /// The commit of a game's version.
  virtual std::optional<Commit> commit(const std::string& game, Version version) = 0;

  /// The commit that carries this command ID. From a store that is open to be appended to it is as
  /// durable as what an append answers: who sent it may be told.
  virtual std::optional<Commit> commit_with_id(const std::string& game,
                                               const std::string& command_id) = 0;

  /// The last commit, from the log itself; none for a game that isn't there.
  virtual std::optional<Head> head(const std::string& game) = 0;

  /// None where its rows aren't those of a game.
  virtual std::optional<ListEntry> list_entry(const std::string& game) = 0;

  /// The newest; none of a game that never came so far. Nothing of it has been checked.
  virtual std::optional<Snapshot> snapshot(const std::string& game) = 0;

  /// The IDs of at most `limit` games. By what the list entries say.
  virtual std::vector<std::string> list(const ListFilter& filter, std::size_t limit) = 0;

  /// At most `limit` IDs, in byte order: those after `after`, and those that begin with `prefix`.
  virtual std::vector<std::string> games_after(const std::string& after, std::size_t limit) = 0;
  virtual std::vector<std::string> games_with_prefix(const std::string& prefix,
                                                     std::size_t limit) = 0;

  /// The game that came `back` (≥ 0) before the newest.
  virtual std::optional<std::string> newest_game(std::size_t back) = 0;
};

/// A store as it is at one moment, which is the one of the first read: whoever appends meanwhile,
/// all that it answers belongs together. While it lives, what others append may make the store's
/// log longer, and the store that it is of must not be appended to.
///
/// A store may be unable to keep the moment: a file that is read without locks and is written to
/// meanwhile, a server that gives up. Then a read throws ReadTransactionLost, as do all after it;
/// what was answered before is right. See in_read_transaction().
class ReadTransaction : public EventReader {};

/// The moment is past: to begin again with another snapshot helps.
class ReadTransactionLost : public StoreError {
 public:
  explicit ReadTransactionLost(const std::string& store);
};

/// A store that is open to be read. For one thread at a time, unless it says otherwise.
class StoreReader : public EventReader {
 public:
  /// One within the life of another is of the same moment. Must not outlive the store.
  virtual std::unique_ptr<ReadTransaction> read_transaction() = 0;

  /// Waits until the store has a commit after position `after`, from here or from another process,
  /// or the time is up. Answers the store's last position.
  virtual StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) = 0;
};

/// What `work` answers of a snapshot; of another one, from the beginning, where one is lost. So
/// `work` answers all that it finds, and changes nothing else.
template <class Work>
auto in_read_transaction(StoreReader& store, const Work& work) {
  while (true) {
    const auto now = store.read_transaction();
    try {
      return work(*now);
    } catch (const ReadTransactionLost&) {
      continue;
    }
  }
}

// ---- Appending

/// What is appended to one game; lent for the time of a call.
struct Append {
  std::string game;
  ExpectedHead expected;
  /// No two of them may carry the same command ID. None: only the expectation is checked.
  std::span<const NewCommit> commits;
  /// The state that all of the game's events fold to then.
  const GameState* after;
  /// HostedGame::revision, where the append depends on what a server knows of the game besides its
  /// log.
  std::optional<std::int64_t> expected_revision = std::nullopt;
};

/// The append was under way when the store failed: it is recorded, all of it, or it isn't, and may
/// still come to be. To send the same again tells: it is recorded now, or its command IDs are used,
/// or the game has its commits already.
class OutcomeUnknown : public StoreError {
 public:
  using StoreError::StoreError;
};

/// A store that is open to be appended to. Appends throw OutcomeUnknown where nobody can tell
/// whether they are recorded; where they throw any other StoreError, nothing is.
class EventStore : public StoreReader {
 public:
  /// Appends to several games, each of another ID, all of it durably, or nothing; answers their new
  /// heads. Of each game its revision is looked at first, then command IDs, then the expectation.
  virtual std::expected<std::vector<Head>, RefusedAppend> append(
      std::span<const Append> appends) = 0;

  /// The same to one game.
  std::expected<Head, AppendRefusal> append(const std::string& game, const ExpectedHead& expected,
                                            std::span<const NewCommit> commits,
                                            const GameState& after);

  /// Runs `work` while nobody else appends to a game: for who has to decide on what it is now. What
  /// `work` appends, by the store that it is given, is recorded all together, or not at all if it
  /// throws. Others may be kept waiting, so what takes time is done before.
  ///
  /// `work` may be run again from its beginning, where a server was lost or two waited for each
  /// other; nothing is left then of what it appended. So it first clears what it gathers, and has
  /// no other effects. One within another is part of it. If the inner one throws, the outer one can
  /// record nothing any more; if it goes on all the same, it throws StoreError.
  virtual void locked(const std::string& game,
                      const std::function<void(EventStore& store)>& work) = 0;
};

// ---- Reading page by page

/// The most commits that a page has.
inline constexpr std::size_t page_size = 1000;

/// Is lent one commit after another; false ends the reading. No read is under way meanwhile, so it
/// may take its time, as one that prints into a pipe does, and use the store.
using CommitVisitor = std::function<bool(const CommitView&)>;

/// Every commit of a game from version `from` on.
void for_each_commit(EventReader& store, const std::string& game, Version from,
                     const CommitVisitor& visit);

/// Every commit of the store from position `from` on.
void for_each_commit(EventReader& store, StorePosition from, const CommitVisitor& visit);

}  // namespace snl
