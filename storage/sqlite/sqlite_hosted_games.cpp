#include "sqlite_hosted_games.hpp"

#include "sqlite_store.hpp"
#include "storage/hosted_game_codec.hpp"
#include "store_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl {

using sqlite::Connection;
using sqlite::default_busy_timeout_ms;
using sqlite::ResetAtEnd;
using sqlite::Statement;

std::unique_ptr<SqliteHostedGames> SqliteHostedGames::open(const std::string& path) {
  return std::make_unique<SqliteHostedGames>(open_store_to_write(path, default_busy_timeout_ms));
}

std::unique_ptr<SqliteHostedGames> SqliteHostedGames::open_to_read(const std::string& path) {
  Connection copy = Connection::temporary();
  copy.show_path_as(path);
  upgrade(copy, schema_of_today());
  SqliteStore::open(path, SqliteStore::Access::read)->copy_hosted_games_to(copy);
  copy.execute("PRAGMA query_only = ON");
  return std::make_unique<SqliteHostedGames>(std::move(copy));
}

SqliteHostedGames::SqliteHostedGames(Connection connection)
    : connection_(std::move(connection)), checkpoints_(connection_) {}

/// Prepared once. `sql` is a literal.
Statement& SqliteHostedGames::use(std::string_view sql) {
  const auto known = statements_.find(sql);
  return known != statements_.end() ? known->second
                                    : statements_.try_emplace(sql, connection_, sql).first->second;
}

// ---- Reading

namespace {

std::vector<HostedGameStore::Entry> entries_in(Statement& rows) {
  const ResetAtEnd reset(rows);
  using enum HostedGame::Visibility;
  std::vector<HostedGameStore::Entry> found;
  while (rows.step())
    found.push_back({.id = std::string(rows.text(0)),
                     .revision = rows.integer(1),
                     .created = rows.integer(2),
                     .visibility = rows.integer(3) != 0 ? by_its_id : in_lists,
                     .given_up = rows.integer(4) != 0});
  return found;
}

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, 1U << 30U));
}

}  // namespace

std::optional<HostedGame> SqliteHostedGames::game(const std::string& game) {
  Statement& row = use("SELECT revision, document FROM hosted_games WHERE id = ?1");
  const ResetAtEnd reset(row);
  if (!row.bind(1, std::string_view(game)).step()) return std::nullopt;
  return decode_hosted_game(game, row.integer(0), row.text(1));
}

std::optional<std::string> SqliteHostedGames::hosted_by(const Hash& token) {
  Statement& row = use("SELECT id FROM hosted_games WHERE host_token = ?1");
  const std::string hex = to_hex(token);
  const ResetAtEnd reset(row);
  if (!row.bind(1, std::string_view(hex)).step()) return std::nullopt;
  return std::string(row.text(0));
}

std::vector<HostedGameStore::Entry> SqliteHostedGames::waiting(const std::optional<Entry>& after,
                                                               std::size_t limit) {
  Statement& rows =
      use("SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
          "FROM hosted_games WHERE stage <> 'started' AND (created, id) < (?1, ?2) "
          "ORDER BY created DESC, id DESC LIMIT ?3");
  const Entry from = after.value_or(Entry{.id = "", .created = max_time + 1});
  rows.bind(1, from.created).bind(2, std::string_view(from.id)).bind(3, limit_of(limit));
  return entries_in(rows);
}

std::int64_t SqliteHostedGames::count_waiting() {
  Statement& row =
      use("SELECT count(*) FROM hosted_games WHERE stage <> 'started' AND given_up IS NULL");
  const ResetAtEnd reset(row);
  row.step();
  return row.integer(0);
}

std::vector<HostedGameStore::Entry> SqliteHostedGames::settled(std::size_t limit) {
  // The first condition lets SQLite use the index of games that wait.
  Statement& rows =
      use("SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
          "FROM hosted_games WHERE stage <> 'started' AND stage = 'settled' LIMIT ?1");
  return entries_in(rows.bind(1, limit_of(limit)));
}

std::vector<HostedGameStore::Entry> SqliteHostedGames::started_after(const std::string& after,
                                                                     std::size_t limit) {
  Statement& rows =
      use("SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
          "FROM hosted_games WHERE stage = 'started' AND given_up IS NULL AND id > ?1 "
          "ORDER BY id LIMIT ?2");
  return entries_in(rows.bind(1, std::string_view(after)).bind(2, limit_of(limit)));
}

std::vector<HostedGameStore::Entry> SqliteHostedGames::changed_after(std::int64_t after,
                                                                     std::size_t limit) {
  Statement& rows =
      use("SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
          "FROM hosted_games WHERE revision > ?1 ORDER BY revision LIMIT ?2");
  return entries_in(rows.bind(1, after).bind(2, limit_of(limit)));
}

std::vector<std::optional<HostedGameStore::Entry>> SqliteHostedGames::entries(
    std::span<const std::string> games) {
  Statement& row =
      use("SELECT id, revision, created, visibility = 'private', given_up IS NOT NULL "
          "FROM hosted_games WHERE id = ?1");
  std::vector<std::optional<Entry>> found;
  for (const std::string& game : games) {
    auto there = entries_in(row.bind(1, std::string_view(game)));
    found.push_back(there.empty() ? std::nullopt : std::optional(std::move(there.front())));
  }
  return found;
}

std::int64_t SqliteHostedGames::last_revision() {
  Statement& row = use("SELECT last FROM hosted_game_revisions WHERE one = 1");
  const ResetAtEnd reset(row);
  if (!row.step())
    throw StoreError(StoreError::Cause::damaged,
                     fmt::format("store {}: the last revision of its hosted games is missing; "
                                 "restore a copy",
                                 connection_.path()));
  return row.integer(0);
}

// ---- Writing

/// `work` takes the number of the last change, and returns the new last one.
void SqliteHostedGames::in_transaction(const std::function<std::int64_t(std::int64_t last)>& work) {
  sqlite::Transaction transaction(connection_);
  const std::int64_t last = last_revision();
  if (const std::int64_t now = work(last); now != last)
    use("UPDATE hosted_game_revisions SET last = ?1 WHERE one = 1").bind(1, now).run();
  connection_.require_to_commit();
  transaction.commit();
  checkpoints_.make_if_due();
}

std::vector<std::optional<std::int64_t>> SqliteHostedGames::keep(
    std::span<const HostedGame> hosted_games) {
  std::vector<std::optional<std::int64_t>> changes;
  in_transaction([&](std::int64_t last) {
    for (const HostedGame& hosted : hosted_games)
      changes.push_back(keep_one(hosted, last + 1) ? std::optional(++last) : std::nullopt);
    return last;
  });
  return changes;
}

/// Changes nothing and returns false if the store has another revision of the game than the caller.
bool SqliteHostedGames::keep_one(const HostedGame& hosted, std::int64_t revision) {
  Statement& write =
      hosted.revision == 0
          ? use("INSERT INTO hosted_games VALUES (?1, ?2, ?3 ->> 'created', ?3 ->> 'stage', "
                "?3 ->> 'visibility', ?3 ->> 'given_up', ?3 ->> 'host_token', ?3) "
                "ON CONFLICT DO NOTHING")
          : use("UPDATE hosted_games SET revision = ?2, created = ?3 ->> 'created', "
                "stage = ?3 ->> 'stage', visibility = ?3 ->> 'visibility', "
                "given_up = ?3 ->> 'given_up', host_token = ?3 ->> 'host_token', document = ?3 "
                "WHERE id = ?1 AND revision = ?4");
  const std::string document = encode_hosted_game(hosted);
  write.bind(1, std::string_view(hosted.id)).bind(2, revision).bind(3, std::string_view(document));
  if (hosted.revision != 0) write.bind(4, hosted.revision);
  write.run();
  return connection_.changes() > 0;
}

bool SqliteHostedGames::forget(const std::string& game, std::int64_t revision) {
  bool forgotten = false;
  in_transaction([&](std::int64_t last) {
    use("DELETE FROM hosted_games WHERE id = ?1 AND revision = ?2")
        .bind(1, std::string_view(game))
        .bind(2, revision)
        .run();
    forgotten = connection_.changes() > 0;
    return forgotten ? last + 1 : last;
  });
  return forgotten;
}

}  // namespace snl
