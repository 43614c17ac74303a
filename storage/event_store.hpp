// The port behind which games are recorded.
//
// A store holds streams, one for each game. The unit of a stream is a commit: one command with the
// events that it caused. Commits are only ever appended. Each has a version in its game (1, 2, 3 …)
// and a position in the store (1, 2, 3 …, in the order in which commits became visible: whoever has
// read up to a position has missed nothing before it).
//
// An interface, since this is where I/O begins: SqliteStore keeps a file, MemoryStore is for tests
// and for embedding. tests/storage has the one suite that both must pass.
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"
#include "store_error.hpp"
#include "time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace snl {

/// The number of a commit in its store, from 1.
using StorePosition = std::int64_t;

/// The last commit of a game: its version and its hash. Version 0 with HashChain::origin: none yet.
struct Head {
  Version version = 0;
  Hash hash = HashChain::origin;
  friend bool operator==(const Head&, const Head&) = default;
};

/// Where a game must be for an append: anywhere; at a version, 0 for a game that must not exist
/// yet; or at a head. A version alone is no proof that the game is the one that was read: a store
/// that was restored from a copy may have other commits under the same numbers.
struct Expectation {
  Expectation(std::nullopt_t /*anywhere*/) {}
  Expectation(Version at) : version(at) {}
  Expectation(std::optional<Version> at) : version(at) {}
  Expectation(const Head& at) : version(at.version), hash(at.hash) {}

  bool admits(const Head& head) const {
    return version.value_or(head.version) == head.version && hash.value_or(head.hash) == head.hash;
  }

  std::optional<Version> version;
  std::optional<Hash> hash;
};

/// What is appended: a command and its events as canonical JSON (codec.hpp).
struct NewCommit {
  UnixMilliseconds time = 0;
  std::string command;
  std::string events;
  std::optional<std::string> command_id;  // the one in `command`, if it has one
};

/// A recorded commit, lent for the time of a call.
struct CommitView {
  StorePosition position = 0;
  std::string_view game;
  Version version = 0;
  UnixMilliseconds time = 0;
  std::string_view command;
  std::string_view events;
  std::optional<std::string_view> command_id;
  Hash hash{};
};

/// A recorded commit, owned.
struct Commit {
  StorePosition position = 0;
  std::string game;
  Version version = 0;
  UnixMilliseconds time = 0;
  std::string command;
  std::string events;
  std::optional<std::string> command_id;
  Hash hash{};

  Commit() = default;
  explicit Commit(const CommitView& view);
  CommitView view() const;
  friend bool operator==(const Commit&, const Commit&) = default;
};

/// What is known of a game without reading its log. Derived: written with each append, bound to
/// the log by `head`, and to itself by a seal that the store checks when it reads one.
struct GameSummary {
  std::string id;
  UnixMilliseconds created = 0;  // the time of the first commit
  Head head;
  std::vector<std::string> players;
  Position position;       // without tallies, which the log alone tells
  std::int32_t index = 0;  // of the last event among its commit's
  Version last_turn = 0;
  EventRef redo;
  Turn redoable = 0;
  bool completed() const { return position.winner.has_value(); }
  friend bool operator==(const GameSummary&, const GameSummary&) = default;
};

/// The summary of a game in this state.
GameSummary summarise(std::string id, UnixMilliseconds created, const Head& head,
                      const GameState& state);

/// A SHA-256 over everything in a summary, by which a hand-edited one is told.
Hash seal_of(const GameSummary& summary);

// ---- Why an append was refused. A refused append changes nothing.

struct VersionConflict {
  Version actual;  // the game's version now; the one expected if only the head is another
};
/// The command ID was used before in this game, by this commit: with the same command, or another.
struct CommandIdUsed {
  Commit commit;
  bool same_command;
};
using AppendRefusal = std::variant<VersionConflict, CommandIdUsed>;

/// Which games to list, newest first (in the order in which the store got them).
struct ListFilter {
  std::optional<bool> completed = std::nullopt;
  std::optional<std::string> player = std::nullopt;
  std::optional<std::string> before = std::nullopt;  // only games older than this one
};

/// Is lent one commit after another; false ends the reading. Must not call the store's reads of the
/// same kind.
using CommitVisitor = std::function<bool(const CommitView&)>;

class EventStore {
 public:
  EventStore() = default;
  virtual ~EventStore() = default;
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;
  EventStore(EventStore&&) = delete;
  EventStore& operator=(EventStore&&) = delete;

  /// Appends all of `commits` to a game, durably, or none; answers the new head. Command IDs are
  /// looked at before versions; no two of `commits` may carry the same one. `after` is the state
  /// that all of the game's events fold to. No commits: only the expectation is checked. Throws
  /// StoreError.
  virtual std::expected<Head, AppendRefusal> append(const std::string& game,
                                                    const Expectation& expected,
                                                    std::span<const NewCommit> commits,
                                                    const GameState& after) = 0;

  /// Runs `work`; what it appends is recorded all together, or not at all if it throws. Nobody else
  /// appends meanwhile. Calls nest: an inner one is part of the outer one. If the inner one throws,
  /// the outer one can record nothing any more; if it goes on all the same, it throws StoreError.
  virtual void atomically(const std::function<void()>& work) = 0;

  /// Runs `work`, which only reads: all that it reads is the store as it is at one moment. One
  /// within another is part of it. While it runs, what others append makes the store's log longer.
  /// `work` may be run again from its beginning, if the store is read without locks and somebody
  /// wrote meanwhile; whatever the run before gathered or threw is dropped. So `work` first clears
  /// what it gathers, and has no other effects.
  virtual void at_one_moment(const std::function<void()>& work) = 0;

  /// At most `limit` commits of a game from version `from` on, in order. Answers how many.
  virtual std::size_t read(const std::string& game, Version from, std::size_t limit,
                           const CommitVisitor& visit) = 0;

  /// At most `limit` commits of the whole store from position `from` on, in order.
  virtual std::size_t read_all(StorePosition from, std::size_t limit,
                               const CommitVisitor& visit) = 0;

  /// The commit of a game's version, by itself; may be called within a visitor.
  virtual std::optional<Commit> commit(const std::string& game, Version version) = 0;

  /// The commit that carries this command ID.
  virtual std::optional<Commit> commit_with_id(const std::string& game,
                                               const std::string& command_id) = 0;

  /// The last commit, from the log itself; none for a game that isn't there.
  virtual std::optional<Head> head(const std::string& game) = 0;

  /// The derived row; none if the game isn't there or the row isn't sealed as it should be.
  virtual std::optional<GameSummary> summary(const std::string& game) = 0;

  /// Replaces everything that is derived from a game's log; nothing if the game is at another head.
  virtual void rewrite_derived(const GameSummary& summary) = 0;

  /// The IDs of at most `limit` games. By what the derived rows say.
  virtual std::vector<std::string> list(const ListFilter& filter, std::size_t limit) = 0;

  /// At most `limit` IDs, in byte order: those after `after`, and those that begin with `prefix`.
  virtual std::vector<std::string> games_after(const std::string& after, std::size_t limit) = 0;
  virtual std::vector<std::string> games_with_prefix(const std::string& prefix,
                                                     std::size_t limit) = 0;

  /// The game that came `back` (≥ 0) before the newest.
  virtual std::optional<std::string> newest_game(std::size_t back) = 0;

  /// Waits until the store has a commit after position `after`, from here or from another process,
  /// or the time is up. Answers the store's last position.
  virtual StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) = 0;
};

/// The first of these commits' command IDs that the game has used already. For stores' own use.
/// Throws std::invalid_argument if two of them carry the same one.
std::optional<CommandIdUsed> used_command_id(EventStore& store, const std::string& game,
                                             std::span<const NewCommit> commits);

/// Of a version or a position: the next one, or the same where there is none, since a hostile store
/// may use the last.
std::int64_t next_number(std::int64_t number);

/// Commits that are read at once, so that no read holds a log back for long.
inline constexpr std::size_t page_size = 1000;

/// Every commit of a game from version `from` on, page by page.
void for_each_commit(EventStore& store, const std::string& game, Version from,
                     const CommitVisitor& visit);

/// Every commit of the store from position `from` on, page by page.
void for_each_commit(EventStore& store, StorePosition from, const CommitVisitor& visit);

/// The same for a visitor that may take its time, as one that prints into a pipe: no read is under
/// way while it is lent a commit, so it holds no log back. Keeps a page of copies in memory, of
/// some 1 MB or one commit.
void for_each_copy(EventStore& store, const std::string& game, Version from,
                   const CommitVisitor& visit);
void for_each_copy(EventStore& store, StorePosition from, const CommitVisitor& visit);

}  // namespace snl
