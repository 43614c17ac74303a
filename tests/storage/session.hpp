// A session with a store whose calls may fail at any moment: the common part of the tests for
// failing calls and failing allocations.
#pragma once

#include "storage/event_store.hpp"
#include "storage/match.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "torture.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl::test {

/// The state of a session between its commands.
struct Session {
  std::string path;
  std::unique_ptr<SqliteStore> store = nullptr;
  std::optional<Match> match = std::nullopt;
};

/// One command of a session. It can be repeated if it failed. Throws std::logic_error for a wrong
/// answer.
struct Step {
  std::string_view name;
  std::size_t commits;  // the number that it records
  std::function<void(Session&)> run;
};

/// A session: the files that it finds, the commits in them, and its commands.
struct Script {
  std::map<std::string, std::string> files;  // bytes by name; store.db is the store
  std::size_t commits = 0;                   // in them
  std::vector<Step> steps;
  std::vector<Commit> log = {};  // all commits at the end of a run without faults
};

/// Makes a store, uses all its functions, closes it, opens it again.
Script script_of_everything();
/// Opens a store with a write-ahead log that is still to be read, and plays until SQLite
/// checkpoints the log and restarts it.
Script script_of_a_checkpoint();

/// A fault, while a session runs.
struct Trouble {
  std::function<void()> begin;
  std::function<void()> end;  // may be called more than once
  int attempts = 1;           // of a command that fails, before the fault ends
};

/// Every second one of the lasting faults affects two attempts.
inline int attempts_at(std::int64_t nth, bool lasting) {
  return lasting && nth % 2 == 0 ? 2 : 1;
}

struct Trial {
  std::string wrong;             // empty: all is well
  bool is_undetected = false;    // and nothing reported it
  bool is_false_alarm = false;   // of a store with the right contents
  bool failed = false;           // a command failed, as it may
  std::size_t acknowledged = 0;  // commits that the session recorded before any fault of the store
  std::size_t lost = 0;          // of these
};

/// Runs a script during a fault. A command that fails must throw a StoreError; it may be repeated,
/// and fail again. Then the fault ends. The store must be sound and hold all acknowledged commits,
/// and that command and all after it must work. Nothing stays open.
Trial run(const Script& script, const Trouble& trouble);

/// The outcome of many sessions.
struct Tally {
  std::int64_t failed = 0;  // sessions in which a command reported it
  std::int64_t wrong = 0;   // sessions in which anything was wrong
  Torture figures{.acknowledged = 0, .lost = 0, .undetected = 0, .false_alarms = 0};

  void add(const Trial& trial);
  void add(const Tally& more);
};

}  // namespace snl::test
