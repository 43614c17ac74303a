#include "sqlite_store.hpp"

#include "sqlite_log.hpp"
#include "storage/appending.hpp"
#include "storage/deadline.hpp"
#include "store_file.hpp"
#include "store_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

namespace snl {

using sqlite::Connection;

std::unique_ptr<SqliteStore> SqliteStore::open(const std::string& path, Access access,
                                               Options options) {
  const int timeout = static_cast<int>(options.busy_timeout.count());
  if (access == Access::write) {
    Connection connection = open_store_to_write(path, timeout);
    if (options.schema_checks == SchemaChecks::off) connection.drop_schema_checks();
    return std::make_unique<SqliteStore>(std::move(connection));
  }
  return std::make_unique<SqliteStore>([=] { return open_store_to_read(path, timeout); });
}

SqliteStore::SqliteStore(Connection connection)
    : connection_(std::move(connection)), tables_(std::make_unique<StoreTables>(connection_)) {
  checkpoints_.emplace(connection_);
}

SqliteStore::SqliteStore(std::function<OpenToRead()> open) : SqliteStore(open(), open) {}

SqliteStore::SqliteStore(OpenToRead opened, std::function<OpenToRead()> open)
    : open_(std::move(open)),
      connection_(std::move(opened.connection)),
      still_(opened.still),
      is_blank_(opened.is_blank),
      tables_(std::make_unique<StoreTables>(connection_)) {}

SqliteStore::~SqliteStore() = default;

// ---- At one moment

namespace {

/// An error that may pass: a reader without write access to the shared memory of a write-ahead log
/// can't tell a log that somebody is writing from one that needs recovery, and fails for both.
class Passing {
 public:
  /// Waits a moment and returns true, unless it took too long already or this is another error.
  bool is_worth_waiting_for(const sqlite::Error& error) const {
    const bool passes = error.code() == SQLITE_READONLY_RECOVERY ||
                        error.code() == SQLITE_READONLY_CANTINIT ||
                        error.code() == SQLITE_READONLY_CANTLOCK;
    if (!passes || std::chrono::steady_clock::now() >= deadline_) return false;
    constexpr std::chrono::milliseconds pause{1};
    std::this_thread::sleep_for(pause);
    return true;
  }

 private:
  static constexpr std::chrono::seconds timeout{5};
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + timeout;
};

}  // namespace

template <class Read>
auto SqliteStore::reading(const Read& read) {
  // Within a transaction this is checked once: as it begins, or before it commits.
  if (moments_ == 0 && !scope_.is_open()) connection_.require_in_place();
  if (!may_have_to_read_again()) return read();
  return moments_ > 0 ? reading_at_moment(read) : reading_alone(read);
}

/// If a file is read without SQLite's locks, a result or an error counts only if nobody wrote
/// meanwhile.
template <class Read>
auto SqliteStore::reading_alone(const Read& read) {
  if (!begin_reading()) open_anew();
  const Passing passing;
  while (true) {
    try {
      auto result = read();
      if (end_reading()) return result;
      open_anew();
    } catch (const sqlite::Error& error) {
      if (passing.is_worth_waiting_for(error)) continue;
      if (end_reading()) throw;
      open_anew();
    } catch (...) {
      if (end_reading()) throw;
      open_anew();
    }
  }
}

/// The same within a moment. It doesn't read again, because earlier reads would have another
/// moment.
template <class Read>
auto SqliteStore::reading_at_moment(const Read& read) {
  const Passing passing;
  while (true) {
    try {
      auto result = read();
      require_moment();
      return result;
    } catch (const ReadTransactionLost&) {
      throw;
    } catch (const sqlite::Error& error) {
      if (passing.is_worth_waiting_for(error)) continue;  // nothing was read yet
      require_moment();
      throw;
    } catch (...) {
      require_moment();
      throw;
    }
  }
}

bool SqliteStore::may_have_to_read_again() const {
  return still_ || is_blank_ || connection_.is_read_only();
}

bool SqliteStore::begin_reading() {
  return !is_blank_ && (!still_ || still_->begin());
}

bool SqliteStore::end_reading() {
  return !still_ || still_->end();
}

/// The old connection stays open until the new one is. As long as it holds its lock, no writer
/// removes the log that the writer began, and the new connection reads with that log.
void SqliteStore::open_anew() {
  OpenToRead opened = open_();
  tables_.reset();
  connection_ = std::move(opened.connection);
  still_ = opened.still;
  is_blank_ = opened.is_blank;
  tables_ = std::make_unique<StoreTables>(connection_);
}

std::unique_ptr<ReadTransaction> SqliteStore::read_transaction() {
  return std::make_unique<StoreReadTransaction<SqliteStore>>(*this);
}

void SqliteStore::begin_read_transaction() {
  if (moments_ > 0) {
    require_moment();
  } else {
    if (!scope_.is_open()) connection_.require_in_place();
    if (may_have_to_read_again() && !begin_reading()) open_anew();
    transaction_.emplace(connection_);
  }
  ++moments_;
}

void SqliteStore::require_moment() const {
  if (still_ && !still_->is_whole()) throw ReadTransactionLost(connection_.path());
}

void SqliteStore::end_read_transaction() {
  if (--moments_ > 0) return;
  transaction_.reset();
  std::ignore = end_reading();
}

void SqliteStore::copy_to(Connection& target, const std::function<void()>& once_locked) {
  in_read_transaction(*this, [&](ReadTransaction&) {
    reading([&] {
      connection_.copy_to(target, once_locked);
      return true;
    });
  });
}

void SqliteStore::copy_rows_to(Connection& target) {
  in_read_transaction(*this, [&](ReadTransaction&) {
    reading([&] {
      tables_->copy_rows_to(target);
      return true;
    });
  });
}

void SqliteStore::copy_hosted_games_to(Connection& target) {
  in_read_transaction(*this, [&](ReadTransaction&) {
    reading([&] {
      tables_->copy_hosted_games_to(target);
      return true;
    });
  });
}

std::int64_t SqliteStore::bytes_a_page() {
  return reading([&] { return connection_.integer("PRAGMA page_size"); });
}

std::int64_t SqliteStore::schema_version() {
  return reading([&] { return connection_.integer("PRAGMA user_version"); });
}

StoreFacts SqliteStore::facts(const std::string& path) {
  SqliteStore store([&] { return open_store_for_facts(path, sqlite::default_busy_timeout_ms); });
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  return in_read_transaction(store, [&](ReadTransaction&) {
    StoreFacts facts{.schema_version = store.schema_version(),
                     .latest_schema_version = migrations().back().number,
                     .bytes = bytes};
    if (facts.schema_version > facts.latest_schema_version) return facts;
    facts.games = store.rows_of("games");
    facts.commits = store.rows_of("commits");
    for (const std::string_view table : {"hosted_games", "rooms"})  // rooms: in version 3
      if (store.has_table(table)) facts.hosted_games = store.rows_of(table);
    return facts;
  });
}

bool SqliteStore::has_table(std::string_view table) {
  return reading([&] {
    sqlite::Statement found(connection_,
                            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    found.bind(1, table);
    return found.step();
  });
}

std::int64_t SqliteStore::rows_of(std::string_view table) {
  return reading(
      [&] { return connection_.integer(fmt::format("SELECT count(*) FROM {}", table).c_str()); });
}

// ---- Appending

class SqliteStore::Primitives final : public AppendPrimitives {
 public:
  explicit Primitives(StoreTables& tables) : tables_(tables) {}

  std::optional<Commit> used_id(const std::string& game, const std::string& command_id) override {
    return tables_.commit_with_id(game, command_id);
  }
  LogEnd end_of(const Append& append) override { return tables_.end_of(append.game); }
  std::optional<std::int64_t> revision(const Append& append) override {
    return tables_.revision(append.game);
  }

  void write(const Append& append, const LogEnd& before, const Head& after,
             std::span<const Hash> hashes) override {
    LogEnd end{.head = after, .key = before.key};
    // The games row comes first, since the commits refer to it.
    if (end.key == 0)
      end.key = tables_.add_game(first_entry(append));
    else if (may_change_status(append))
      tables_.set_completed(end.key, append.after->completed());
    tables_.add_commits(append.game, before, end, append.commits, hashes);
    if (is_snapshot_due(before.head.version, after.version))
      tables_.put_snapshot(end.key, snapshot_of(*append.after, after));
  }

 private:
  StoreTables& tables_;
};

std::expected<std::vector<Head>, RefusedAppend> SqliteStore::append(
    std::span<const Append> appends) {
  std::expected<std::vector<Head>, RefusedAppend> appended;
  const auto append_all = [&] {
    Primitives primitives(*tables_);
    appended = append_by(primitives, appends);
  };
  in_transaction(std::ref(append_all));  // a reference avoids a copy on the heap for each turn
  return appended;
}

void SqliteStore::locked(const std::string& /*game*/,
                         const std::function<void(EventStore& store)>& work) {
  in_transaction([&] { work(*this); });
}

namespace {

/// If a COMMIT fails after its end was written to the log, a process that reads the log anew may
/// find the transaction there, though this connection takes it for undone. It certainly wasn't
/// written only if others were in the way, or there was no space for it.
bool may_be_committed(const sqlite::Error& error) {
  return error.primary_code() != SQLITE_BUSY && error.primary_code() != SQLITE_FULL;
}

void finish(sqlite::Transaction& transaction) {
  try {
    transaction.commit();
  } catch (const sqlite::Error& error) {
    if (may_be_committed(error))
      throw OutcomeUnknown(error.cause(),
                           fmt::format("{}; this may have been recorded: see snl log before you "
                                       "repeat it",
                                       error.what()));
    throw;
  }
}

}  // namespace

void SqliteStore::in_transaction(const std::function<void()>& work) {
  if (scope_.is_open()) return scope_.join(work, connection_.path());
  if (open_)
    throw StoreError(StoreError::Cause::failed,
                     fmt::format("store {}: it was opened to be read, and nothing can be appended",
                                 connection_.path()));
  if (connection_.is_in_transaction())
    throw std::logic_error("an append at one moment, at which only reading is done");
  try {
    sqlite::Transaction transaction(tables_->transactions());
    tables_->begin();
    scope_.open(work, connection_.path());
    connection_.require_to_commit();
    finish(transaction);
    tables_->end();
  } catch (...) {
    tables_->forget();
    throw;
  }
  checkpoints_->make_if_due();
}

// ---- Reading

void SqliteStore::read(const std::string& game, Version from, std::size_t limit, CommitPage& page) {
  reading([&] {
    tables_->read(game, from, limit, page);
    return true;
  });
}

void SqliteStore::read_all(StorePosition from, std::size_t limit, CommitPage& page) {
  reading([&] {
    tables_->read_all(from, limit, page);
    return true;
  });
}

std::optional<Commit> SqliteStore::commit(const std::string& game, Version version) {
  return reading([&] { return tables_->commit(game, version); });
}

std::optional<Commit> SqliteStore::commit_with_id(const std::string& game,
                                                  const std::string& command_id) {
  return reading([&] { return tables_->commit_with_id(game, command_id); });
}

std::optional<Head> SqliteStore::head(const std::string& game) {
  return reading([&] { return tables_->head(game); });
}

std::optional<ListEntry> SqliteStore::list_entry(const std::string& game) {
  return reading([&] { return tables_->list_entry(game); });
}

std::optional<Snapshot> SqliteStore::snapshot(const std::string& game) {
  return reading([&] { return tables_->snapshot(game); });
}

std::vector<std::string> SqliteStore::list(const ListFilter& filter, std::size_t limit) {
  return reading([&] { return tables_->list(filter, limit); });
}

std::vector<std::string> SqliteStore::games_after(const std::string& after, std::size_t limit) {
  return reading([&] { return tables_->games_after(after, limit); });
}

std::vector<std::string> SqliteStore::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  return reading([&] { return tables_->games_with_prefix(prefix, limit); });
}

std::optional<std::string> SqliteStore::newest_game(std::size_t back) {
  return reading([&] { return tables_->newest_game(back); });
}

std::vector<Problem> SqliteStore::check() {
  return reading([&] { return tables_->check(); });
}

void SqliteStore::read_log(const std::function<void(transparency::LogReader& log)>& work) {
  in_read_transaction(*this, [&](ReadTransaction&) {
    return reading([&] {
      SqliteLog log(connection_);
      work(log);
      return true;
    });
  });
}

void SqliteStore::write_log(const std::function<void(transparency::LogStore& log)>& work) {
  in_transaction([&] {
    SqliteLog log(connection_);
    work(log);
  });
}

StorePosition SqliteStore::wait_for_append(StorePosition after, std::chrono::milliseconds at_most) {
  constexpr std::chrono::milliseconds pause{20};
  const auto deadline = deadline_after(at_most);
  const auto last_position = [&] { return reading([&] { return tables_->last_position(); }); };
  StorePosition last = last_position();
  while (last <= after && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::min(pause, at_most));
    last = last_position();
  }
  return last;
}

}  // namespace snl
