// What an operator asks of a store as a whole, beside the games in it: how large it is, whether it
// is sound, copies of it. open_store.hpp knows who keeps which store.
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

/// Facts about a store, of nothing but what snl's own schema says.
struct StoreFacts {
  std::int64_t schema_version = 0;
  std::int64_t latest_schema_version = 0;  // the one that this program writes
  std::int64_t games = -1;                 // −1 if the schema is newer
  std::int64_t commits = -1;               // −1 if the schema is newer
  std::int64_t hosted_games = 0;           // 0 too if the schema has none, or is newer
  std::int64_t bytes = 0;                  // that it takes
  /// What an operator should know of it just now: a sentence each.
  std::vector<std::string> notes = {};
};

/// From which schema version to which a store was brought.
struct SchemaUpgrade {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// What becomes of something that is in the place where a copy shall be.
enum class Occupied : std::uint8_t { refuse, replace };

struct BackupOptions {
  /// By default a file that is there is an error.
  Occupied occupied = Occupied::refuse;
  /// Is told the name of the unfinished copy as soon as there is one: for who must remove it where
  /// a signal ends the process.
  std::function<void(const std::string& path)> unfinished = [](const std::string&) {};
};

struct Compaction {
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
};

/// There is a game in the store that a restore was not to replace.
class NotEmpty : public StoreError {
 public:
  explicit NotEmpty(const std::string& store);
};

/// Looks after one store, whoever plays in it meanwhile. Each call opens the store for itself. All
/// but exists(), owns() and restore() need a store that is there. Each throws StoreError.
class StoreAdmin {
 public:
  StoreAdmin() = default;
  virtual ~StoreAdmin() = default;
  StoreAdmin(const StoreAdmin&) = delete;
  StoreAdmin& operator=(const StoreAdmin&) = delete;

  /// Whether there is anything where the store would be: a store, or something to be refused.
  virtual bool exists() = 0;

  /// Whether a file is the store, or a part of it, by whatever name: another spelling, a link, a
  /// hard link. Nothing else may be written there.
  enum class Ownership : std::uint8_t { none, part, whole };
  virtual Ownership owns(const std::string& file) = 0;

  /// Why not all that was recorded in it may be seen here, in a sentence; none usually.
  virtual std::optional<std::string> doubt() { return std::nullopt; }

  /// Also of a store that is refused for its version, and so can't be opened.
  virtual StoreFacts facts() = 0;

  /// Brings it to this program's schema.
  virtual SchemaUpgrade migrate() = 0;

  /// What is wrong with it but for the games' own logs, as far as its engine can tell; that it
  /// can't be opened for damage is a problem too.
  virtual std::vector<Problem> check() = 0;

  /// check(), an audit of every game, and of the store's log, of the store as it is at one moment.
  virtual AuditReport audit(const transparency::LogExpectations& expected) = 0;

  /// Whether such a store can have a log that is signed.
  virtual bool can_have_log() const { return true; }
  /// The store's log at one moment. `work` may run again from its beginning.
  virtual void read_log(const std::function<void(transparency::LogReader& log)>& work) = 0;
  /// Runs `work` while nobody else writes to the store: all that it puts is kept, durably, or
  /// nothing where it throws.
  virtual void write_log(const std::function<void(transparency::LogStore& log)>& work) = 0;

  /// Copies the store, as it is at one moment, to a file, which gets its name only if its report
  /// is ok(): an audit of the copy itself. An older store is copied as it is. Throws where the
  /// store can't be read or is damaged, and where the file can't be written, is a part of the
  /// store or is used by another process.
  virtual AuditReport back_up(const std::string& file, const BackupOptions& options) = 0;

  /// Replaces all that the store holds by what a copy holds, once that is audited and the report
  /// ok(): all or nothing. Makes the store if it isn't there. A copy of an older schema is
  /// upgraded on the way. Throws NotEmpty for a store with a game in it that shall not be
  /// replaced; StoreError where the copy is damaged, newer or no store.
  virtual AuditReport restore(const std::string& copy, Occupied occupied) = 0;

  /// Gives the space that nothing uses back to the disk, and changes nothing that can be read.
  /// Answers what is wrong where the store isn't sound; then nothing is done.
  virtual std::expected<Compaction, std::vector<Problem>> compact() = 0;
};

}  // namespace snl
