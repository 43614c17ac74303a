// An operator's tasks with a whole store: to see how large it is and whether it is sound, and to
// copy it. open_store.hpp knows which engine keeps which store.
#pragma once

#include "audit.hpp"
#include "problem.hpp"
#include "store_error.hpp"
#include "transparency/log_store.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Facts about a store. In a database, they cover snl's own schema and nothing else.
struct StoreFacts {
  std::int64_t schema_version = 0;
  std::int64_t latest_schema_version = 0;  // the one that this program writes
  std::int64_t games = -1;                 // −1 if the schema is newer
  std::int64_t commits = -1;               // −1 if the schema is newer
  std::int64_t hosted_games = 0;           // also 0 if the schema has none, or is newer
  std::int64_t bytes = 0;                  // its size
  /// Sentences that an operator should read just now.
  std::vector<std::string> notes = {};
};

/// The schema versions before and after an upgrade.
struct SchemaUpgrade {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// Whether a file or a copy may replace something that is already in its place.
enum class Occupied : std::uint8_t { refuse, replace };

struct BackupOptions {
  /// By default a file that is there is an error.
  Occupied occupied = Occupied::refuse;
  /// Called with the name of the unfinished copy as soon as it exists, for a caller that must
  /// remove it if a signal ends the process.
  std::function<void(const std::string& path)> unfinished = [](const std::string&) {};
};

struct Compaction {
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
};

/// The store has a game in it, and restore() wasn't allowed to replace it.
class NotEmpty : public StoreError {
 public:
  explicit NotEmpty(const std::string& store);
};

/// Looks after one store, while others may play in it. Each call opens the store for itself. All
/// calls but exists(), owns() and restore() need an existing store. Each throws StoreError.
class StoreAdmin {
 public:
  StoreAdmin() = default;
  virtual ~StoreAdmin() = default;
  StoreAdmin(const StoreAdmin&) = delete;
  StoreAdmin& operator=(const StoreAdmin&) = delete;

  /// Whether there is anything at the store's place: a store, or something that would be refused.
  virtual bool exists() = 0;

  /// Whether a file is the store or a part of it, under any name: another spelling, a link, a hard
  /// link. Nothing else may be written there.
  enum class Ownership : std::uint8_t { none, part, whole };
  virtual Ownership owns(const std::string& file) = 0;

  /// A sentence that says why some commits may be invisible here; usually none.
  virtual std::optional<std::string> doubt() { return std::nullopt; }

  /// Works also for a store that can't be opened because of its schema version.
  virtual StoreFacts facts() = 0;

  /// Brings it to this program's schema.
  virtual SchemaUpgrade migrate() = 0;

  /// The faults of the store except those of the games' own logs, as far as its engine can tell.
  /// Damage that keeps it from being opened is a problem too.
  virtual std::vector<Problem> check() = 0;

  /// check(), an audit of every game, and an audit of the store's log, all at one moment.
  virtual AuditReport audit(const transparency::LogExpectations& expected) = 0;

  /// A sentence for the holder of a log's key: why the store may lose commits that were signed.
  /// Usually none.
  virtual std::optional<std::string> danger_to_log() { return std::nullopt; }
  /// The store's log at one moment. `work` may run again from its beginning.
  virtual void read_log(const std::function<void(transparency::LogReader& log)>& work) = 0;
  /// Runs `work` while nobody else writes to the store. All that it puts is kept durably, or
  /// nothing if it throws.
  virtual void write_log(const std::function<void(transparency::LogStore& log)>& work) = 0;

  /// Copies the store, as it is at one moment, to a file. The report is an audit of the copy
  /// itself; the file gets its name only if the report is ok(). An older store is copied as it is.
  /// Throws if the store can't be read or is damaged, and if the file can't be written, is a part
  /// of the store or is in use by another process.
  virtual AuditReport back_up(const std::string& file, const BackupOptions& options) = 0;

  /// Replaces all that the store holds by the contents of a copy, once the copy is audited and the
  /// report ok(): all or nothing. Makes the store if it isn't there. A copy of an older schema is
  /// upgraded on the way. Throws NotEmpty if the store has a game and may not be replaced;
  /// StoreError if the copy is damaged, is newer or isn't a store.
  virtual AuditReport restore(const std::string& copy, Occupied occupied) = 0;

  /// Gives unused space back to the disk, and changes nothing that can be read. If the store isn't
  /// sound, does nothing and returns its faults.
  virtual std::expected<Compaction, std::vector<Problem>> compact() = 0;
};

// ---- For those who implement it

/// StoreAdmin::audit() of an open store, which has check() and read_log() as well.
template <class Store>
AuditReport audit_all(Store& store, const transparency::LogExpectations& expected = {}) {
  return in_read_transaction(store, [&](ReadTransaction& now) {
    const auto problems = store.check();
    AuditReport report = audit_store(now);
    report.problems.insert(report.problems.begin(), problems.begin(), problems.end());
    store.read_log([&](transparency::LogReader& log) {
      report.log = transparency::audit_log(log, expected, report.problems);
    });
    if (!report.ok()) report.head.reset();
    return report;
  });
}

}  // namespace snl
