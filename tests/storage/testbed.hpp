// The base of the storage tests: a folder of their own, games to record, and a plain SQLite
// connection, for looking at a store and tampering with it.
#pragma once

#include "../temporary_folder.hpp"
#include "storage/event_store.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/migrations.hpp"

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct sqlite3;

namespace snl::test {

/// A longer wait is a failure: no machine takes as long for a lock or an answer.
inline constexpr std::chrono::minutes timeout{10};
inline constexpr int timeout_ms = std::chrono::milliseconds{timeout}.count();

/// A temporary folder in the usual place.
class Folder : public TemporaryFolder {
 public:
  Folder();
  /// Every file by name, with its bytes.
  std::map<std::string, std::string> contents() const;
  /// Writes these files to it.
  void fill(const std::map<std::string, std::string>& files) const;
};

std::string bytes_of(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

/// A clock for one thread: 2026-01-01T00:00:00.000Z, then 1001 ms more at each reading.
Clock ticking_clock();
inline constexpr UnixMilliseconds new_year = 1'767'225'600'000;

// ---- Games

struct Opening {
  std::vector<std::string> players = {"Ann", "Bob"};
  BoardDescription board = {
      .cells = 30, .snakes = {{17, 7}, {27, 1}}, .ladders = {{3, 22}, {5, 8}}};
  Rules rules = {};
  std::uint64_t seed = 7;
};
/// A game that nobody can win: before the last cell there are only snakes.
Opening endless_game();
StartGame start_of(const Opening& table = {});
/// The same game with a drawn seed; only its first player gave entropy.
StartGame drawn(const StartGame& start);

/// A match that has just been started; throws if it can't be.
Match start(EventStore& store, const std::string& id, const Opening& table = {},
            const Clock& clock = ticking_clock());

/// Executes; throws std::logic_error if that is rejected.
Recorded perform(Match& match, const Command& command, const Request& request = {});

/// The turn of the player to move.
PlayTurn turn_of_next(const Match& match, Dice dice);

/// Plays, rolls, undoes, redoes, branches and wins: game "apple" is played with every kind of
/// command and won, "berry" is rolled, "cherry" is a branch of apple's.
void record_orchard(EventStore& store);

/// Runs `work` all or nothing.
inline void together(EventStore& store, const std::function<void()>& work) {
  store.locked("any", [&](EventStore& /*the same*/) { work(); });
}

std::vector<Commit> commits_of(EventReader& store, const std::string& game, Version from = 1);
std::vector<Commit> all_commits(EventReader& store, StorePosition from = 1);

/// The migrations of a later program: today's, and one more.
struct LaterSchema {
  std::vector<Migration> migrations;
  Schema schema;
  explicit LaterSchema(std::string_view sql);
};

// ---- Plain SQL

class PlainDatabase {
 public:
  /// Opens or creates a file as the sqlite3 shell does, without any of the store's precautions.
  explicit PlainDatabase(const std::string& path);

  using Row = std::vector<std::string>;

  /// The error that the statements fail with; empty if they don't.
  std::string try_to(const std::string& sql);
  /// Throws std::runtime_error if that fails.
  void execute(const std::string& sql);
  /// Rows as texts; NULL is "NULL".
  std::vector<Row> rows(const std::string& sql);
  std::string value(const std::string& sql) { return rows(sql).at(0).at(0); }
  std::int64_t changes() const;
  /// From now on, EXPLAIN QUERY PLAN includes the triggers that a statement fires.
  void explain_triggers();

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// Runs `work` on a store's file with every trigger removed, and restores them after it. Anyone
/// with a database editor can do that undetected.
void tamper(const std::string& path, const std::function<void(PlainDatabase&)>& work);

/// Runs `work` in a separate process.
pid_t begin_child(const std::function<int()>& work);
/// The result of its work, once that has ended; 99 if it threw.
int end_of_child(pid_t child);
inline int in_a_child(const std::function<int()>& work) {
  return end_of_child(begin_child(work));
}
/// The same as a user to whom file permissions apply: the user nobody, if this process runs as
/// root.
int without_privileges(const std::function<int()>& work);

/// One process waits for another.
class Signal {
 public:
  Signal();
  ~Signal();
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  Signal(Signal&&) = delete;
  Signal& operator=(Signal&&) = delete;

  void give() const;
  /// False if no process is left that could give the signal.
  bool wait() const;
  void only_wait();

 private:
  std::array<int, 2> ends_{};
};

}  // namespace snl::test
