// The store that keeps games in one SQLite file. storage/format.md specifies the format. Its
// positions have no gaps: 1, 2, 3 …
//
// For one thread at a time. Each thread or process that shares a file opens its own store.
#pragma once

#include "checkpoints.hpp"
#include "sqlite.hpp"
#include "still_file.hpp"
#include "storage/atomic_scope.hpp"
#include "storage/event_store.hpp"
#include "storage/forwarding_reader.hpp"
#include "storage/problem.hpp"
#include "storage/store_admin.hpp"
#include "storage/transparency/log_store.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {

class StoreTables;
struct OpenToRead;

class SqliteStore final : public EventStore {
 public:
  enum class Access : std::uint8_t {
    read,   // changes nothing; a file or a folder that can't be written will do
    write,  // makes the file if it isn't there, and upgrades an older one
  };

  /// The file's triggers and foreign keys refuse writes that would damage the log. For the store's
  /// own writes they only repeat what the store has checked under the write lock, and cost
  /// as much as the turn itself. Triggers fire for everybody else.
  enum class SchemaChecks : std::uint8_t { on, off };
#ifdef NDEBUG
  static constexpr SchemaChecks usual_schema_checks = SchemaChecks::off;
#else
  static constexpr SchemaChecks usual_schema_checks = SchemaChecks::on;
#endif

  struct Options {
    std::chrono::milliseconds busy_timeout{sqlite::default_busy_timeout_ms};
    SchemaChecks schema_checks = usual_schema_checks;
  };

  /// Throws StoreError, with a separate message for each reason. A file may be missing (when
  /// reading), a directory, impossible to create, no store, damaged, or read-only (when writing). A
  /// schema may be newer, older (when reading), or not made by snl.
  static std::unique_ptr<SqliteStore> open(const std::string& path, Access access, Options options);
  static std::unique_ptr<SqliteStore> open(const std::string& path, Access access) {
    return open(path, access, Options{});
  }
  /// Uses a connection to a store that has already been checked (store_file.hpp).
  explicit SqliteStore(sqlite::Connection connection);
  /// Uses a connection that only reads, and opens it anew if somebody wrote to a file that was read
  /// without locks.
  explicit SqliteStore(std::function<OpenToRead()> open);

  /// False also for an empty file, which SQLite takes for an empty database. Throws StoreError if
  /// the answer is unknown.
  static bool exists(const std::string& path);

  /// Works also for a store that open() would refuse for its version. Refuses a store with another
  /// schema than snl's own.
  static StoreFacts facts(const std::string& path);

  ~SqliteStore() override;
  SqliteStore& operator=(SqliteStore&&) = delete;

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override;
  /// Nobody else appends to any game meanwhile.
  void locked(const std::string& game, const std::function<void(EventStore& store)>& work) override;
  /// While it lives, the store's own reads see the same moment.
  std::unique_ptr<ReadTransaction> read_transaction() override;
  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override;
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override;
  std::optional<Commit> commit(const std::string& game, Version version) override;
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override;
  std::optional<Head> head(const std::string& game) override;
  std::optional<ListEntry> list_entry(const std::string& game) override;
  std::optional<Snapshot> snapshot(const std::string& game) override;
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override;
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override;
  std::vector<std::string> games_with_prefix(const std::string& prefix, std::size_t limit) override;
  std::optional<std::string> newest_game(std::size_t back) override;
  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override;

  /// The faults of the file as a database: SQLite's own integrity check, rows that belong to no
  /// game, games without commits or out of order, positions with gaps. audit.hpp audits the games
  /// themselves.
  std::vector<Problem> check();

  /// The store's log, in one read transaction, or in one write transaction.
  void read_log(const std::function<void(transparency::LogReader& log)>& work);
  void write_log(const std::function<void(transparency::LogStore& log)>& work);

  /// Makes another database a copy of this one as it is at one moment: see
  /// sqlite::Connection::copy_to.
  void copy_to(sqlite::Connection& target, const std::function<void()>& once_locked = [] {});

  /// The same with the target's own page size: row by row, into a store without games.
  void copy_rows_to(sqlite::Connection& target);
  /// The same for hosted games alone.
  void copy_hosted_games_to(sqlite::Connection& target);

  /// The file's page size.
  std::int64_t bytes_a_page();
  /// The number of the last migration that was applied to it.
  std::int64_t schema_version();
  /// Whether a moment may be lost, because the file isn't locked.
  bool is_read_without_locks() const { return still_.has_value(); }

 private:
  SqliteStore(OpenToRead opened, std::function<OpenToRead()> open);

  /// The steps of an append, within a transaction.
  class Primitives;

  /// Runs `work` in a transaction, or as a part of the one that is open.
  void in_transaction(const std::function<void()>& work);
  bool has_table(std::string_view table);
  std::int64_t rows_of(std::string_view table);

  /// The moment of the open read transactions.
  friend class StoreReadTransaction<SqliteStore>;
  void begin_read_transaction();
  void require_moment() const;
  void end_read_transaction();

  /// Returns what `read` returns for the store at one moment. `read` may run again.
  template <class Read>
  auto reading(const Read& read);
  template <class Read>
  auto reading_alone(const Read& read);
  template <class Read>
  auto reading_at_moment(const Read& read);
  bool begin_reading();
  bool end_reading();
  void open_anew();
  bool may_have_to_read_again() const;

  std::function<OpenToRead()> open_;  // empty in a store that is written
  sqlite::Connection connection_;
  std::optional<StillFile> still_;
  bool is_blank_ = false;
  int moments_ = 0;
  std::optional<sqlite::DeferredTransaction> transaction_;
  std::unique_ptr<StoreTables> tables_;
  std::optional<Checkpoints> checkpoints_;  // of a store that is written
  AtomicScope scope_;
};

}  // namespace snl
