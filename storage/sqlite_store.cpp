#include "sqlite_store.hpp"

#include "store_file.hpp"
#include "store_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace snl {

using sqlite::Connection;
using sqlite::ResetAtEnd;
using sqlite::Statement;

std::unique_ptr<SqliteStore> SqliteStore::open(const std::string& path, Access access,
                                               Options options) {
  return std::unique_ptr<SqliteStore>(
      new SqliteStore(open_store_file(path, access, options.busy_timeout)));
}

SqliteStore::SqliteStore(Connection connection)
    : connection_(std::move(connection)), tables_(std::make_unique<StoreTables>(connection_)) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
}

SqliteStore::~SqliteStore() = default;

// ---- Appending

std::expected<Head, AppendRefusal> SqliteStore::append(const std::string& game,
                                                       std::optional<Version> expected,
                                                       std::span<const NewCommit> commits,
                                                       const GameState& after) {
  if (scope_ != Scope::none) {
    if (scope_ == Scope::failed) throw_failed_scope();
    try {
      return append_in_transaction(game, expected, commits, after);
    } catch (...) {
      scope_ = Scope::failed;  // some of it may have been written
      throw;
    }
  }
  try {
    sqlite::Transaction transaction(tables_->transactions());
    auto appended = append_in_transaction(game, expected, commits, after);
    if (!appended) return appended;
    transaction.commit();
    checkpoint_if_due();
    return appended;
  } catch (...) {
    tables_->forget();
    throw;
  }
}

std::expected<Head, AppendRefusal> SqliteStore::append_in_transaction(
    const std::string& game, std::optional<Version> expected, std::span<const NewCommit> commits,
    const GameState& after) {
  if (auto used = used_command_id(*this, game, commits)) return std::unexpected(*std::move(used));
  const auto tail = tables_->tail(game);
  Head head = tail.head;
  if (expected && *expected != head.version) return std::unexpected(VersionConflict{head.version});
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
  if (scope_ != Scope::none) {
    try {
      work();
    } catch (...) {
      scope_ = Scope::failed;
      throw;
    }
    return;
  }
  sqlite::Transaction transaction(tables_->transactions());
  scope_ = Scope::open;
  try {
    work();
    if (scope_ == Scope::failed) throw_failed_scope();
    transaction.commit();
  } catch (...) {
    scope_ = Scope::none;
    tables_->forget();
    throw;
  }
  scope_ = Scope::none;
  checkpoint_if_due();
}

void SqliteStore::throw_failed_scope() const {
  throw StoreError(SQLITE_ABORT,
                   fmt::format("store {}: an append failed, so nothing of its group is recorded",
                               connection_.path()));
}

/// SQLite before 3.51.3 may lose frames when a checkpoint runs while another connection resets the
/// write-ahead log. So nothing is ever checkpointed automatically; it is done here, while a second
/// connection holds the write lock, so that nobody can reset the log.
void SqliteStore::checkpoint_if_due() {
  constexpr int due_frames = 1000;
  if (wal_frames_ < due_frames) return;
  try {
    if (!checkpoint_guard_)
      checkpoint_guard_ =
          std::make_unique<Connection>(connection_.path(), Connection::Access::read_write, 0);
    const sqlite::Transaction nobody_writes(*checkpoint_guard_);
    connection_.checkpoint();
  } catch (const StoreError&) {
    // Nothing is lost: what was committed is in the log, durably, and the next commit tries again.
    checkpoint_guard_.reset();
  }
}

// ---- Reading

std::size_t SqliteStore::read(const std::string& game, Version from, std::size_t limit,
                              const CommitVisitor& visit) {
  Statement& rows = tables_->use(
      tables_->read_game,
      Select{commit_columns,
             "FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.version >= ?2 "
             "ORDER BY c.version LIMIT ?3"});
  rows.bind(1, game).bind(2, from).bind(3, static_cast<std::int64_t>(limit));
  return tables_->lend(rows, visit, [&](const Statement& row) { return commit_at(row, game); });
}

std::size_t SqliteStore::read_all(StorePosition from, std::size_t limit,
                                  const CommitVisitor& visit) {
  Statement& rows = tables_->use(tables_->read_store,
                                 Select{commit_and_game_columns,
                                        "FROM commits c JOIN games g ON g.game = c.game "
                                        "WHERE c.position >= ?1 ORDER BY c.position LIMIT ?2"});
  rows.bind(1, from).bind(2, static_cast<std::int64_t>(limit));
  return tables_->lend(rows, visit, commit_and_game_at);
}

std::optional<Commit> SqliteStore::commit(const std::string& game, Version version) {
  Statement& rows = tables_->use(
      tables_->commit_of_version,
      Select{commit_columns,
             "FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.version = ?2"});
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).bind(2, version).step()) return std::nullopt;
  return Commit(commit_at(rows, game));
}

std::optional<Commit> SqliteStore::commit_with_id(const std::string& game,
                                                  const std::string& command_id) {
  Statement& rows = tables_->use(
      tables_->commit_of_command_id,
      Select{
          commit_columns,
          "FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.command_id = ?2"});
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).bind(2, command_id).step()) return std::nullopt;
  return Commit(commit_at(rows, game));
}

std::optional<Head> SqliteStore::head(const std::string& game) {
  const auto tail = tables_->tail(game);
  if (tail.game == 0) return std::nullopt;
  return tail.head;
}

std::optional<GameSummary> SqliteStore::summary(const std::string& game) {
  Statement& rows = tables_->use(tables_->summary_of_game,
                                 Select{summary_columns, "FROM games g WHERE g.id = ?1"});
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).step()) return std::nullopt;
  return summary_at(rows, tables_->players(rows.integer(0)));
}

void SqliteStore::rewrite_derived(const GameSummary& summary) {
  std::optional<sqlite::Transaction> transaction;
  if (scope_ == Scope::none) transaction.emplace(tables_->transactions());
  const auto tail = tables_->tail(summary.id);
  // Somebody may have moved since; what they wrote is newer.
  if (tail.game == 0 || tail.head != summary.head) return;
  tables_->update_game(tail.game, summary);
  tables_->replace_players(tail.game, summary.players);
  if (transaction) transaction->commit();
}

std::vector<std::string> SqliteStore::list(const ListFilter& filter, std::size_t limit) {
  const auto rows_for = [&]() -> Statement& {
    if (filter.player)
      return tables_->use(
          tables_->list_player,
          "SELECT g.id FROM players p JOIN games g ON g.game = p.game "
          "WHERE p.name = ?4 AND (?3 IS NULL OR g.status = ?3) AND (?2 IS NULL OR p.game < "
          "(SELECT game FROM games WHERE id = ?2)) ORDER BY p.game DESC LIMIT ?1");
    if (filter.completed)
      return tables_->use(tables_->list_status,
                          "SELECT id FROM games WHERE status = ?3 AND (?2 IS NULL OR game < "
                          "(SELECT game FROM games WHERE id = ?2)) ORDER BY game DESC LIMIT ?1");
    return tables_->use(tables_->list_all,
                        "SELECT id FROM games WHERE game < iif(?2 IS NULL, 9223372036854775807, "
                        "(SELECT game FROM games WHERE id = ?2)) ORDER BY game DESC LIMIT ?1");
  };
  Statement& rows = rows_for();
  rows.bind(1, static_cast<std::int64_t>(limit)).bind_optional(2, filter.before);
  if (filter.completed) rows.bind(3, status_text(*filter.completed));
  if (filter.player) {
    if (!filter.completed) rows.bind_null(3);
    rows.bind(4, *filter.player);
  }
  return StoreTables::texts(rows);
}

std::vector<std::string> SqliteStore::games_after(const std::string& after, std::size_t limit) {
  Statement& rows =
      tables_->use(tables_->ids_after, "SELECT id FROM games WHERE id > ?1 ORDER BY id LIMIT ?2");
  rows.bind(1, after).bind(2, static_cast<std::int64_t>(limit));
  return StoreTables::texts(rows);
}

std::vector<std::string> SqliteStore::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  Statement& rows = tables_->use(
      tables_->ids_between, "SELECT id FROM games WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3");
  const std::string end = prefix + '\x7F';  // above every character of an ID
  rows.bind(1, prefix).bind(2, end).bind(3, static_cast<std::int64_t>(limit));
  return StoreTables::texts(rows);
}

std::optional<std::string> SqliteStore::newest_game(std::size_t back) {
  Statement& rows =
      tables_->use(tables_->newest, "SELECT id FROM games ORDER BY game DESC LIMIT 1 OFFSET ?1");
  const ResetAtEnd reset(rows);
  if (!std::in_range<std::int64_t>(back)) return std::nullopt;
  if (!rows.bind(1, static_cast<std::int64_t>(back)).step()) return std::nullopt;
  return std::string(rows.text(0));
}

// ---- Checking

std::vector<Problem> SqliteStore::check() {
  std::vector<Problem> problems;
  const auto add = [&](std::string kind, std::string detail) {
    problems.push_back({std::nullopt, std::nullopt, std::move(kind), std::move(detail)});
  };
  Statement integrity(connection_, "PRAGMA integrity_check(10)");
  while (integrity.step())
    if (integrity.text(0) != "ok") add("file", std::string(integrity.text(0)));

  Statement orphans(
      connection_,
      "SELECT 'commit ' || position FROM commits WHERE game NOT IN (SELECT game FROM games) "
      "UNION ALL SELECT 'player ' || name FROM players WHERE game NOT IN (SELECT game FROM games) "
      "LIMIT 10");
  while (orphans.step())
    add("orphan", fmt::format("{} belongs to no game", orphans.text(0)));

  Statement silent(connection_,
                   "SELECT id FROM games g WHERE NOT EXISTS "
                   "(SELECT 1 FROM commits c WHERE c.game = g.game) LIMIT 10");
  while (silent.step()) {
    add("gap", "the game has no commits");
    problems.back().game = std::string(silent.text(0));
  }

  Statement keys(
      connection_,
      "SELECT id FROM (SELECT g.id, g.game, row_number() OVER (ORDER BY c.position) AS n "
      "FROM games g JOIN commits c ON c.game = g.game AND c.version = 1) "
      "WHERE game <> n LIMIT 1");
  if (keys.step()) {
    add("order", "its key isn't its place among the games in the order of their first commits");
    problems.back().game = std::string(keys.text(0));
  }

  Statement gap(connection_,
                "SELECT position FROM (SELECT position, row_number() OVER (ORDER BY position) AS n "
                "FROM commits) WHERE position <> n LIMIT 1");
  if (gap.step()) add("gap", fmt::format("commits are missing before position {}", gap.integer(0)));
  return problems;
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
