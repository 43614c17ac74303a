#include "sqlite_store.hpp"

#include "store_file.hpp"
#include "store_tables.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace snl {

using sqlite::Connection;

std::unique_ptr<SqliteStore> SqliteStore::open(const std::string& path, Access access,
                                               Options options) {
  const int timeout = static_cast<int>(options.busy_timeout.count());
  return std::make_unique<SqliteStore>(access == Access::write ? open_store_to_write(path, timeout)
                                                               : open_store_to_read(path, timeout));
}

SqliteStore::SqliteStore(Connection connection)
    : connection_(std::move(connection)), tables_(std::make_unique<StoreTables>(connection_)) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
}

SqliteStore::~SqliteStore() = default;

// ---- Appending

std::expected<Head, AppendRefusal> SqliteStore::append(const std::string& game,
                                                       const Expectation& expected,
                                                       std::span<const NewCommit> commits,
                                                       const GameState& after) {
  std::expected<Head, AppendRefusal> appended;
  atomically([&] { appended = append_in_transaction(game, expected, commits, after); });
  return appended;
}

std::expected<Head, AppendRefusal> SqliteStore::append_in_transaction(
    const std::string& game, const Expectation& expected, std::span<const NewCommit> commits,
    const GameState& after) {
  if (auto used = used_command_id(*this, game, commits)) return std::unexpected(*std::move(used));
  const auto tail = tables_->tail(game);
  Head head = tail.head;
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
  const bool is_new = tail.game == 0;
  const auto created = is_new ? commits.front().time : tail.created;
  const GameSummary summary = summarise(game, created, head, after);
  const std::int64_t key = is_new ? tables_->add_game(summary) : tail.game;
  if (!is_new) tables_->update_game(key, summary);
  tables_->add_commits(key, tables_->last_position() + 1, tail.head.version + 1, commits, hashes);
  return head;
}

void SqliteStore::atomically(const std::function<void()>& work) {
  if (scope_.is_open()) return scope_.join(work, connection_.path());
  try {
    sqlite::Transaction transaction(tables_->transactions());
    scope_.open(work, connection_.path());
    transaction.commit();
  } catch (...) {
    tables_->forget();
    throw;
  }
  checkpoint_if_due();
}

void SqliteStore::at_one_moment(const std::function<void()>& work) {
  const sqlite::ReadTransaction transaction(connection_);
  work();
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
    tables_->replace_players(tail.game, summary.players);
  });
}

// ---- Reading

std::size_t SqliteStore::read(const std::string& game, Version from, std::size_t limit,
                              const CommitVisitor& visit) {
  return tables_->read(game, from, limit, visit);
}

std::size_t SqliteStore::read_all(StorePosition from, std::size_t limit,
                                  const CommitVisitor& visit) {
  return tables_->read_all(from, limit, visit);
}

std::optional<Commit> SqliteStore::commit(const std::string& game, Version version) {
  return tables_->commit(game, version);
}

std::optional<Commit> SqliteStore::commit_with_id(const std::string& game,
                                                  const std::string& command_id) {
  return tables_->commit_with_id(game, command_id);
}

std::optional<Head> SqliteStore::head(const std::string& game) {
  const auto tail = tables_->tail(game);
  if (tail.game == 0) return std::nullopt;
  return tail.head;
}

std::optional<GameSummary> SqliteStore::summary(const std::string& game) {
  return tables_->summary(game);
}

std::vector<std::string> SqliteStore::list(const ListFilter& filter, std::size_t limit) {
  return tables_->list(filter, limit);
}

std::vector<std::string> SqliteStore::games_after(const std::string& after, std::size_t limit) {
  return tables_->games_after(after, limit);
}

std::vector<std::string> SqliteStore::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  return tables_->games_with_prefix(prefix, limit);
}

std::optional<std::string> SqliteStore::newest_game(std::size_t back) {
  return tables_->newest_game(back);
}

std::vector<Problem> SqliteStore::check() {
  return tables_->check();
}

StorePosition SqliteStore::wait_for_append(StorePosition after, std::chrono::milliseconds at_most) {
  constexpr std::chrono::milliseconds pause{20};
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  StorePosition last = tables_->last_position();
  while (last <= after && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::min(pause, at_most));
    last = tables_->last_position();
  }
  return last;
}

}  // namespace snl
