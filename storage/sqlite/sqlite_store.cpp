#include "sqlite_store.hpp"

#include "storage/summary_interval.hpp"
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
    if (options.triggers == Triggers::off) connection.turn_triggers_off();
    return std::make_unique<SqliteStore>(std::move(connection));
  }
  return std::make_unique<SqliteStore>([=] { return open_store_to_read(path, timeout); });
}

SqliteStore::SqliteStore(Connection connection)
    : connection_(std::move(connection)), tables_(std::make_unique<StoreTables>(connection_)) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
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

/// Who may not write to the shared memory of a write-ahead log can't tell one that somebody is
/// writing to from one that has to be brought in order, and is told the latter. It passes.
class Passing {
 public:
  /// Waits a moment, unless it took too long already or another error is meant.
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
  static constexpr std::chrono::seconds patience{5};
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + patience;
};

}  // namespace

/// Where a file is read without SQLite's locks, whatever comes of it counts only if nobody wrote
/// meanwhile: neither a result nor an error does otherwise.
template <class Read>
auto SqliteStore::reading(const Read& read) {
  if (!may_have_to_read_again()) return read();
  if (!begin_reading()) open_anew();
  const Passing passing;
  while (true) {
    try {
      auto result = read_once(read);
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

template <class Read>
auto SqliteStore::read_once(const Read& read) {
  is_reading_ = true;
  try {
    auto result = read();
    is_reading_ = false;
    return result;
  } catch (...) {
    is_reading_ = false;
    throw;
  }
}

bool SqliteStore::may_have_to_read_again() const {
  return !is_reading_ && (still_ || is_blank_ || connection_.is_read_only());
}

bool SqliteStore::begin_reading() {
  return !is_blank_ && (!still_ || still_->begin());
}

bool SqliteStore::end_reading() {
  return !still_ || still_->end();
}

/// What is open stays so until the new one is: as long as it holds its lock, no writer takes away
/// the log that he began, and the new one reads with it.
void SqliteStore::open_anew() {
  OpenToRead opened = open_();
  tables_.reset();
  connection_ = std::move(opened.connection);
  still_ = opened.still;
  is_blank_ = opened.is_blank;
  tables_ = std::make_unique<StoreTables>(connection_);
}

void SqliteStore::at_one_moment(const std::function<void()>& work) {
  std::ignore = reading([&] {
    const sqlite::ReadTransaction transaction(connection_);
    work();
    return true;
  });
}

void SqliteStore::copy_to(Connection& target, const std::function<void()>& once_locked) {
  at_one_moment([&] { connection_.copy_to(target, once_locked); });
}

void SqliteStore::copy_rows_to(Connection& target) {
  at_one_moment([&] { tables_->copy_rows_to(target); });
}

std::int64_t SqliteStore::bytes_a_page() {
  return reading([&] { return connection_.integer("PRAGMA page_size"); });
}

std::int64_t SqliteStore::schema_version() {
  return reading([&] { return connection_.integer("PRAGMA user_version"); });
}

StoreFacts SqliteStore::facts(const std::string& path) {
  const int timeout = static_cast<int>(Options{}.busy_timeout.count());
  SqliteStore store([=] { return open_store_to_tell_of(path, timeout); });
  StoreFacts facts{.latest_schema_version = migrations().back().number,
                   .bytes = static_cast<std::int64_t>(std::filesystem::file_size(path))};
  store.at_one_moment([&] {
    facts.schema_version = store.schema_version();
    if (facts.schema_version > facts.latest_schema_version) return;
    facts.games = store.connection_.integer("SELECT count(*) FROM games");
    facts.commits = store.connection_.integer("SELECT count(*) FROM commits");
  });
  return facts;
}

// ---- Appending

std::expected<Head, AppendRefusal> SqliteStore::append(const std::string& game,
                                                       const Expectation& expected,
                                                       std::span<const NewCommit> commits,
                                                       const GameState& after) {
  std::expected<Head, AppendRefusal> appended;
  atomically([&] { appended = append_in_transaction(game, expected, commits, after); });
  return appended;
}

namespace {

/// Whether an append of so many commits writes what is derived of the game, but for a new game.
bool is_summary_due(const StoreTables::Tail& before, const Head& head, const GameState& after,
                    std::size_t commits) {
  return commits > 1 || head.version % summary_interval == 0 || before.head.version == 0 ||
         before.completed != after.position.winner.has_value();
}

}  // namespace

std::expected<Head, AppendRefusal> SqliteStore::append_in_transaction(
    const std::string& game, const Expectation& expected, std::span<const NewCommit> commits,
    const GameState& after) {
  if (auto used = used_command_id(*this, game, commits)) return std::unexpected(*std::move(used));
  const StoreTables::Tail before = tables_->tail(game);
  Head head = before.head;
  if (!expected.admits(head)) return std::unexpected(VersionConflict{head.version});
  if (commits.empty()) return head;

  // The games row comes first, since the commits refer to it.
  std::vector<Hash> hashes;
  hashes.reserve(commits.size());
  for (const NewCommit& commit : commits) {
    head = {head.version + 1,
            chain_.next(head.hash, game, time_text(commit.time), commit.command, commit.events)};
    hashes.push_back(head.hash);
  }
  const auto summary = [&] {
    const bool is_first = before.head.version == 0;
    return summarise(game, is_first ? commits.front().time : tables_->created(game), head, after);
  };
  StoreTables::Tail end{before.game, head, before.completed};
  if (before.game == 0)
    end.game = tables_->add_game(summary());
  else if (is_summary_due(before, head, after, commits.size()))
    tables_->update_game(before.game, summary());
  end.completed = after.position.winner.has_value();
  tables_->add_commits(game, before, end, commits, hashes);
  return head;
}

void SqliteStore::require_writable() const {
  if (open_)
    throw StoreError(StoreError::Cause::failed,
                     fmt::format("store {}: it was opened to be read, and nothing can be appended",
                                 connection_.path()));
  if (connection_.is_in_transaction())
    throw std::logic_error("an append at one moment, at which only reading is done");
}

void SqliteStore::atomically(const std::function<void()>& work) {
  if (scope_.is_open()) return scope_.join(work, connection_.path());
  require_writable();
  try {
    sqlite::Transaction transaction(tables_->transactions());
    tables_->begin();
    scope_.open(work, connection_.path());
    transaction.commit();
    tables_->end();
  } catch (...) {
    tables_->forget();
    throw;
  }
  checkpoint_if_due();
}

void SqliteStore::checkpoint_if_due() {
  constexpr int due_frames = 1000;
  if (wal_frames_ < due_frames) return;
  try {
    if (!checkpoint_guard_)
      checkpoint_guard_ =
          std::make_unique<Connection>(connection_.path(), Connection::Access::read_write, 0);
    checkpoint_alone(connection_, *checkpoint_guard_);
  } catch (const StoreError&) {
    // Nothing is lost: what was committed is in the log, durably, and the next commit tries again.
    checkpoint_guard_.reset();
  }
}

void SqliteStore::rewrite_derived(const GameSummary& summary) {
  atomically([&] {
    const auto tail = tables_->tail(summary.id);
    // Somebody may have moved since; what they wrote is newer.
    if (tail.game == 0 || tail.head != summary.head) return;
    tables_->update_game(tail.game, summary);
    tables_->replace_players(tail.game, summary);
    tables_->forget();
  });
}

// ---- Reading

/// Copies commits, some megabyte or one commit at a time, and lends them once it is sure that they
/// were read at one moment. `number` is what `read_from` counts by.
template <class ReadFrom>
std::size_t SqliteStore::lend_copies(std::int64_t from, std::size_t limit,
                                     std::int64_t Commit::* number, const CommitVisitor& visit,
                                     const ReadFrom& read_from) {
  constexpr std::size_t most_bytes = 1 << 20;
  std::vector<Commit> page;
  std::size_t lent = 0;
  bool there_is_more = true;
  while (there_is_more) {
    there_is_more = reading([&] {
      page.clear();
      std::size_t bytes = 0;
      read_from(from, limit - lent, [&](const CommitView& commit) {
        page.emplace_back(commit);
        bytes += commit.command.size() + commit.events.size();
        return bytes < most_bytes;
      });
      return bytes >= most_bytes;
    });
    for (const Commit& commit : page) {
      from = next_number(commit.*number);
      ++lent;
      if (!visit(commit.view())) return lent;
    }
  }
  return lent;
}

std::size_t SqliteStore::read(const std::string& game, Version from, std::size_t limit,
                              const CommitVisitor& visit) {
  const auto read_from = [&](Version first, std::size_t most, const CommitVisitor& lend) {
    return tables_->read(game, first, most, lend);
  };
  if (!may_have_to_read_again()) return read_from(from, limit, visit);
  return lend_copies(from, limit, &Commit::version, visit, read_from);
}

std::size_t SqliteStore::read_all(StorePosition from, std::size_t limit,
                                  const CommitVisitor& visit) {
  const auto read_from = [&](StorePosition first, std::size_t most, const CommitVisitor& lend) {
    return tables_->read_all(first, most, lend);
  };
  if (!may_have_to_read_again()) return read_from(from, limit, visit);
  return lend_copies(from, limit, &Commit::position, visit, read_from);
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

std::optional<GameSummary> SqliteStore::summary(const std::string& game) {
  return reading([&] { return tables_->summary(game); });
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

StorePosition SqliteStore::wait_for_append(StorePosition after, std::chrono::milliseconds at_most) {
  constexpr std::chrono::milliseconds pause{20};
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  const auto last_position = [&] { return reading([&] { return tables_->last_position(); }); };
  StorePosition last = last_position();
  while (last <= after && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::min(pause, at_most));
    last = last_position();
  }
  return last;
}

}  // namespace snl
