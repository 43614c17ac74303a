#include "store_tables.hpp"

#include "storage/hosted_game_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace snl {

using sqlite::ResetAtEnd;
using sqlite::Statement;

// ---- Rows

Hash hash_at(const Statement& row, int column) {
  Hash hash{};
  const auto blob = row.blob(column);
  if (blob.size() == hash.size()) std::ranges::copy(blob, hash.begin());
  return hash;
}

namespace {

constexpr std::string_view commit_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash";
constexpr int position_column = 0;
constexpr int version_column = 1;
constexpr std::string_view commit_and_game_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash, g.id";

CommitView commit_at(const Statement& row, std::string_view game) {
  CommitView commit{.position = row.integer(position_column),
                    .game = game,
                    .version = row.integer(version_column),
                    .time = row.integer(2),
                    .command = row.text(3),
                    .events = row.text(4),
                    .command_id = std::nullopt,
                    .hash = hash_at(row, 6)};
  if (!row.is_null(5)) commit.command_id = row.text(5);
  return commit;
}

CommitView commit_and_game_at(const Statement& row) {
  return commit_at(row, row.text(7));
}

std::string_view status_text(bool completed) {
  return completed ? "completed" : "in-progress";
}

/// The first column of every row.
std::vector<std::string> texts(Statement& rows) {
  const ResetAtEnd reset(rows);
  std::vector<std::string> texts;
  while (rows.step())
    texts.emplace_back(rows.text(0));
  return texts;
}

/// A reader of pages goes on after the last row of a page. In a damaged store with rows out of
/// order, that would never end.
[[noreturn]] void refuse_order(const sqlite::Connection& connection, std::string_view of_what) {
  throw StoreError(
      StoreError::Cause::damaged,
      fmt::format("store {}: it is damaged (its {} are out of order); see snl db check, "
                  "restore a copy",
                  connection.path(), of_what));
}

/// Fills a page with the commits of these rows. The numbers in this column must ascend from `least`
/// on.
template <class CommitAt>
void fill(CommitPage& page, std::size_t limit, const sqlite::Connection& connection,
          Statement& rows, int column, std::int64_t least, const CommitAt& commit_at) {
  const ResetAtEnd reset(rows);
  page.clear();
  while (page.size() < limit && !page.is_full()) {
    if (!rows.step()) return page.mark_as_last();
    const std::int64_t number = rows.integer(column);
    if (number < least) refuse_order(connection, "commits");
    least = number;
    page.add(commit_at(rows));
  }
}

}  // namespace

// ---- Writing

namespace {

constexpr std::size_t rows_at_once = 16;

/// The statement that adds this many commits to one game: ?1 is the game, ?2 and ?3 are the first
/// commit's position and version.
std::string insertion_of(std::size_t rows) {
  std::string sql =
      "INSERT INTO commits (game, position, version, time, command, events, hash, command_id) "
      "VALUES ";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = 4 + 5 * row;
    sql += fmt::format("{}(?1, ?2 + {}, ?3 + {}, ?{}, ?{}, ?{}, ?{}, ?{})", row == 0 ? "" : ", ",
                       row, row, first, first + 1, first + 2, first + 3, first + 4);
  }
  return sql;
}

}  // namespace

Statement& StoreTables::use(std::optional<Statement>& statement, std::string_view sql) {
  if (!statement) statement.emplace(connection_, sql);
  return *statement;
}

Statement& StoreTables::use(std::optional<Statement>& statement,
                            std::initializer_list<std::string_view> parts) {
  if (!statement) statement.emplace(connection_, fmt::format("{}", fmt::join(parts, "")));
  return *statement;
}

sqlite::TransactionStatements& StoreTables::transactions() {
  if (!transactions_) transactions_.emplace(connection_);
  return *transactions_;
}

void StoreTables::begin() {
  if (connection_.data_version() != known_at_) forget();
}

void StoreTables::end() {
  known_at_ = connection_.data_version();
}

std::optional<std::int64_t> StoreTables::revision(const std::string& id) {
  Statement& row = use(revision_, "SELECT revision FROM hosted_games WHERE id = ?");
  const ResetAtEnd reset(row);
  if (!row.bind(1, id).step()) return std::nullopt;
  return row.integer(0);
}

LogEnd StoreTables::end_of(const std::string& id) {
  const LogEnd* known = known_.ends.find(id);
  return known == nullptr ? read_end(id) : *known;
}

LogEnd StoreTables::read_end(const std::string& id) {
  Statement& last = use(end_,
                        "SELECT g.game, c.version, c.hash "
                        "FROM games g LEFT JOIN commits c ON c.game = g.game "
                        "WHERE g.id = ?1 ORDER BY c.version DESC LIMIT 1");
  const ResetAtEnd reset(last);
  if (!last.bind(1, id).step()) return {};
  LogEnd end{.head = {}, .key = last.integer(0)};
  // Only a damaged store has a game without commits.
  if (!last.is_null(1)) end.head = {.version = last.integer(1), .hash = hash_at(last, 2)};
  return end;
}

StorePosition StoreTables::last_position() {
  Statement& last = use(last_position_, "SELECT coalesce(max(position), 0) FROM commits");
  const ResetAtEnd reset(last);
  last.step();
  return last.integer(0);
}

std::int64_t StoreTables::add_game(const ListEntry& entry) {
  Statement& last = use(last_game_, "SELECT coalesce(max(game), 0) FROM games");
  std::int64_t game = 0;
  {
    const ResetAtEnd reset(last);
    last.step();
    game = last.integer(0) + 1;
  }
  // Programs from before the fourth migration read the other columns: to them this row looks out of
  // date.
  Statement& insert =
      use(insert_game_,
          "INSERT INTO games (game, id, created, status, version, head, turn, cells, next, "
          "last_turn, last_index, redo_version, redo_index, redoable, seal) "
          "VALUES (?1, ?2, ?3, ?4, 1, zeroblob(32), 0, '', 0, 0, 0, 0, 0, 0, zeroblob(32))");
  insert.bind(1, game).bind(2, entry.id).bind(3, entry.created);
  insert.bind(4, status_text(entry.completed)).run();
  Statement& player = use(insert_player_,
                          "INSERT INTO players (game, seat, name, completed) "
                          "VALUES (?1, ?2, ?3, ?4)");
  player.bind(1, game).bind(4, std::int64_t{entry.completed});
  for (std::size_t seat = 0; seat < entry.players.size(); ++seat)
    player.bind(2, static_cast<std::int64_t>(seat)).bind(3, entry.players[seat]).run();
  return game;
}

void StoreTables::set_completed(std::int64_t game, bool completed) {
  Statement& update =
      use(update_game_, "UPDATE games SET status = ?2 WHERE game = ?1 AND status <> ?2");
  update.bind(1, game).bind(2, status_text(completed)).run();
  if (connection_.changes() == 0) return;
  Statement& players = use(update_players_, "UPDATE players SET completed = ?2 WHERE game = ?1");
  players.bind(1, game).bind(2, std::int64_t{completed}).run();
}

void StoreTables::put_snapshot(std::int64_t game, const Snapshot& snapshot) {
  Statement& put = use(put_snapshot_,
                       "INSERT OR REPLACE INTO snapshots (game, version, head, state, hash) "
                       "VALUES (?1, ?2, ?3, ?4, ?5)");
  put.bind(1, game)
      .bind(2, snapshot.head.version)
      .bind(3, sqlite::Blob(snapshot.head.hash))
      .bind(4, snapshot.state)
      .bind(5, sqlite::Blob(snapshot.hash))
      .run();
}

void StoreTables::add_commits(const std::string& id, const LogEnd& before, const LogEnd& after,
                              std::span<const NewCommit> commits, std::span<const Hash> hashes) {
  if (!known_.last_position) known_.last_position = last_position();
  StorePosition& position = *known_.last_position;
  Version version = before.head.version;
  while (!commits.empty()) {
    // Much of the time of an INSERT goes into the statement, not its rows.
    const std::size_t rows = commits.size() < rows_at_once ? 1 : rows_at_once;
    auto& insert = rows == 1 ? insert_commit_ : insert_commits_;
    if (!insert) insert.emplace(connection_, insertion_of(rows));
    insert->bind(1, after.key).bind(2, position + 1).bind(3, version + 1);
    for (std::size_t row = 0; row < rows; ++row) {
      const NewCommit& commit = commits[row];
      const int first = 4 + 5 * static_cast<int>(row);
      insert->bind(first, commit.time)
          .bind(first + 1, commit.command)
          .bind(first + 2, commit.events)
          .bind(first + 3, sqlite::Blob(hashes[row]))
          .bind_optional(first + 4, commit.command_id);
    }
    insert->run();
    position += static_cast<StorePosition>(rows);
    version += static_cast<Version>(rows);
    commits = commits.subspan(rows);
    hashes = hashes.subspan(rows);
  }
  known_.ends.put(id, after);
}

std::vector<std::string> StoreTables::players(std::int64_t game, bool completed) {
  Statement& names =
      use(players_, "SELECT name, seat, completed FROM players WHERE game = ?1 ORDER BY seat");
  const ResetAtEnd reset(names);
  names.bind(1, game);
  std::vector<std::string> players;
  const auto is = [&](int column, std::int64_t value) {
    return names.is(column, Statement::Type::integer) && names.integer(column) == value;
  };
  while (names.step()) {
    if (!names.is(0, Statement::Type::text) || !is(1, static_cast<std::int64_t>(players.size())) ||
        !is(2, std::int64_t{completed}))
      return {};
    players.emplace_back(names.text(0));
  }
  return players;
}

// ---- Reading

void StoreTables::read(const std::string& game, Version from, std::size_t limit, CommitPage& page) {
  Statement& rows =
      use(read_game_,
          {"SELECT ", commit_columns,
           " FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.version >= ?2 "
           "ORDER BY c.version"});
  rows.bind(1, game).bind(2, from);
  fill(page, limit, connection_, rows, version_column, from,
       [&](const Statement& row) { return commit_at(row, game); });
}

void StoreTables::read_all(StorePosition from, std::size_t limit, CommitPage& page) {
  Statement& rows = use(read_store_, {"SELECT ", commit_and_game_columns,
                                      " FROM commits c JOIN games g ON g.game = c.game "
                                      "WHERE c.position >= ?1 ORDER BY c.position"});
  rows.bind(1, from);
  fill(page, limit, connection_, rows, position_column, from, commit_and_game_at);
}

std::optional<Commit> StoreTables::commit(const std::string& game, Version version) {
  Statement& rows =
      use(commit_of_version_,
          {"SELECT ", commit_columns,
           " FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.version = ?2"});
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).bind(2, version).step()) return std::nullopt;
  return Commit(commit_at(rows, game));
}

std::optional<Commit> StoreTables::commit_with_id(const std::string& game,
                                                  const std::string& command_id) {
  Statement& rows = use(
      commit_of_command_id_,
      {"SELECT ", commit_columns,
       " FROM games g JOIN commits c ON c.game = g.game WHERE g.id = ?1 AND c.command_id = ?2"});
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).bind(2, command_id).step()) return std::nullopt;
  return Commit(commit_at(rows, game));
}

std::optional<Head> StoreTables::head(const std::string& game) {
  const LogEnd end = read_end(game);
  return end.key == 0 ? std::nullopt : std::optional(end.head);
}

std::optional<ListEntry> StoreTables::list_entry(const std::string& game) {
  Statement& rows = use(entry_of_game_, "SELECT game, created, status FROM games WHERE id = ?1");
  const ResetAtEnd reset(rows);
  using enum Statement::Type;
  if (!rows.bind(1, game).step() || !rows.is(1, integer) || !rows.is(2, text)) return std::nullopt;
  const bool completed = rows.text(2) == status_text(true);
  if (!completed && rows.text(2) != status_text(false)) return std::nullopt;
  return ListEntry{.id = game,
                   .created = rows.integer(1),
                   .players = players(rows.integer(0), completed),
                   .completed = completed};
}

std::optional<Snapshot> StoreTables::snapshot(const std::string& game) {
  Statement& rows = use(snapshot_of_game_,
                        "SELECT s.version, s.head, s.state, s.hash "
                        "FROM games g JOIN snapshots s ON s.game = g.game WHERE g.id = ?1");
  const ResetAtEnd reset(rows);
  if (!rows.bind(1, game).step()) return std::nullopt;
  return Snapshot{.head = {.version = rows.integer(0), .hash = hash_at(rows, 1)},
                  .state = std::string(rows.text(2)),
                  .hash = hash_at(rows, 3)};
}

std::vector<std::string> StoreTables::list(const ListFilter& filter, std::size_t limit) {
  auto below = std::numeric_limits<std::int64_t>::max();
  if (filter.before) below = key_of(*filter.before);
  Statement& rows = rows_of_list(filter);
  const ResetAtEnd reset(rows);
  rows.bind(1, static_cast<std::int64_t>(limit)).bind(2, below);
  std::vector<std::string> ids;
  while (rows.step()) {
    if (rows.integer(1) >= below) refuse_order(connection_, "games");
    below = rows.integer(1);
    ids.emplace_back(rows.text(0));
  }
  return ids;
}

/// The IDs and keys of at most ?1 games with keys below ?2, the highest first. An index in that
/// order finds each, so no more is read than is listed.
Statement& StoreTables::rows_of_list(const ListFilter& filter) {
  if (filter.player && filter.completed)
    return use(list_player_and_status_,
               "SELECT g.id, p.game FROM players p JOIN games g ON g.game = p.game "
               "WHERE p.name = ?3 AND p.completed = ?4 AND p.game < ?2 "
               "ORDER BY p.game DESC LIMIT ?1")
        .bind(3, *filter.player)
        .bind(4, std::int64_t{*filter.completed});
  if (filter.player)  // two stretches of one index, merged as they are read
    return use(list_player_,
               "SELECT g.id, p.game FROM players p JOIN games g ON g.game = p.game "
               "WHERE p.name = ?3 AND p.completed = 0 AND p.game < ?2 UNION ALL "
               "SELECT g.id, p.game FROM players p JOIN games g ON g.game = p.game "
               "WHERE p.name = ?3 AND p.completed = 1 AND p.game < ?2 "
               "ORDER BY 2 DESC LIMIT ?1")
        .bind(3, *filter.player);
  if (filter.completed)
    return use(list_status_,
               "SELECT id, game FROM games WHERE status = ?3 AND game < ?2 "
               "ORDER BY game DESC LIMIT ?1")
        .bind(3, status_text(*filter.completed));
  return use(list_all_, "SELECT id, game FROM games WHERE game < ?2 ORDER BY game DESC LIMIT ?1");
}

/// 0 if there is no such game. The index that finds it is compared with the row.
std::int64_t StoreTables::key_of(const std::string& id) {
  Statement& found = use(key_of_game_,
                         "SELECT a.game, b.id IS a.id FROM games a LEFT JOIN games b ON b.game = "
                         "a.game WHERE a.id = ?1");
  const ResetAtEnd reset(found);
  if (!found.bind(1, id).step()) return 0;
  if (found.integer(1) == 0) refuse_order(connection_, "games");
  return found.integer(0);
}

std::vector<std::string> StoreTables::games_after(const std::string& after, std::size_t limit) {
  Statement& rows = use(ids_after_, "SELECT id FROM games WHERE id > ?1 ORDER BY id LIMIT ?2");
  rows.bind(1, after).bind(2, static_cast<std::int64_t>(limit));
  std::vector<std::string> ids = texts(rows);
  const bool ascend = std::ranges::adjacent_find(ids, std::greater_equal{}) == ids.end();
  if (!ids.empty() && (!ascend || ids.front() <= after)) refuse_order(connection_, "games");
  return ids;
}

std::vector<std::string> StoreTables::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  Statement& rows =
      use(ids_between_, "SELECT id FROM games WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3");
  const std::string end = prefix + '\x7F';  // above every character of an ID
  rows.bind(1, prefix).bind(2, end).bind(3, static_cast<std::int64_t>(limit));
  return texts(rows);
}

std::optional<std::string> StoreTables::newest_game(std::size_t back) {
  // A game's key is its place among the games, which check() proves: no need to count back to it.
  Statement& rows =
      use(newest_, "SELECT id FROM games WHERE game = (SELECT max(game) FROM games) - ?1");
  const ResetAtEnd reset(rows);
  if (!std::in_range<std::int64_t>(back)) return std::nullopt;
  if (!rows.bind(1, static_cast<std::int64_t>(back)).step()) return std::nullopt;
  return std::string(rows.text(0));
}

// ---- Checking

namespace {

void add_faulty_hosted_games(sqlite::Connection& connection, std::vector<Problem>& problems) {
  Statement hosted(connection,
                   "SELECT h.id, h.revision, h.document, c.events FROM hosted_games h "
                   "LEFT JOIN games g ON g.id = h.id "
                   "LEFT JOIN commits c ON c.game = g.game AND c.version = 1 ORDER BY h.id");
  for (std::size_t found = 0; found < most_faulty_hosted_games && hosted.step();) {
    auto problem =
        fault_of_hosted_game(std::string(hosted.text(0)), hosted.integer(1), hosted.text(2),
                             hosted.is_null(3) ? std::nullopt : std::optional(hosted.text(3)));
    if (!problem) continue;
    problems.push_back(*std::move(problem));
    ++found;
  }
}

}  // namespace

std::vector<Problem> StoreTables::check() {
  std::vector<Problem> problems;
  const auto add = [&](std::string kind, std::string detail) {
    problems.push_back({std::nullopt, std::nullopt, std::move(kind), std::move(detail)});
  };
  const auto add_lines = [&](const std::string& kind, std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      if (end > 0) add(kind, std::string(lines.substr(0, end)));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  };
  Statement integrity(connection_, "PRAGMA integrity_check(10)");
  while (integrity.step())
    if (integrity.text(0) != "ok") add_lines("file", integrity.text(0));
  if (!problems.empty()) connection_.require_disk();

  Statement orphans(
      connection_,
      "SELECT 'commit ' || position FROM commits WHERE game NOT IN (SELECT game FROM games) "
      "UNION ALL SELECT 'player ' || name FROM players WHERE game NOT IN (SELECT game FROM games) "
      "UNION ALL SELECT 'snapshot ' || game FROM snapshots "
      "WHERE game NOT IN (SELECT game FROM games) "
      "LIMIT 10");
  while (orphans.step())
    add("orphan", fmt::format("{} belongs to no game", orphans.text(0)));

  Statement silent(connection_,
                   "SELECT id || '' FROM games g WHERE NOT EXISTS "
                   "(SELECT 1 FROM commits c WHERE c.game = g.game) LIMIT 10");
  while (silent.step()) {
    add("gap", "the game has no commits");
    problems.back().game = std::string(silent.text(0));
  }

  Statement keys(
      connection_,
      "SELECT id || '' FROM (SELECT g.id, g.game, row_number() OVER (ORDER BY c.position) AS n "
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

  Statement revisions(
      connection_,
      "SELECT 1 WHERE (SELECT count(*) FROM hosted_game_revisions) <> 1 OR "
      "(SELECT max(revision) FROM hosted_games) > (SELECT last FROM hosted_game_revisions)");
  if (revisions.step())
    add("room", "the last revision of hosted games is missing, or lower than one of theirs");
  Statement columns(connection_,
                    "SELECT id FROM hosted_games WHERE json_valid(document) AND "
                    "(created, stage, visibility, given_up, host_token) IS NOT "
                    "(document ->> 'created', document ->> 'stage', document ->> 'visibility', "
                    "document ->> 'given_up', document ->> 'host_token') LIMIT 10");
  while (columns.step()) {
    add("room", "the columns of its hosted game aren't what its document says");
    problems.back().game = std::string(columns.text(0));
  }
  add_faulty_hosted_games(connection_, problems);
  return problems;
}

// ---- Copying

namespace {

/// The rows of a table.
struct RowCopy {
  std::string_view select;
  std::string_view insert;
};
constexpr std::array copies_of_games{
    RowCopy{"SELECT * FROM games ORDER BY game",
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    RowCopy{"SELECT * FROM players ORDER BY game, seat", "INSERT INTO players VALUES (?, ?, ?, ?)"},
    RowCopy{"SELECT * FROM commits ORDER BY position",
            "INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
    RowCopy{"SELECT * FROM snapshots ORDER BY game",
            "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)"},
    RowCopy{"SELECT * FROM tree", "INSERT INTO tree VALUES (?, ?, ?)"},
    RowCopy{"SELECT * FROM checkpoints", "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)"}};
constexpr std::array copies_of_hosted_games{
    RowCopy{"SELECT * FROM hosted_games ORDER BY id",
            "INSERT INTO hosted_games VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
    RowCopy{"SELECT * FROM hosted_game_revisions",
            "INSERT INTO hosted_game_revisions VALUES (?, ?)"}};

void copy_rows(const sqlite::Connection& from, const sqlite::Connection& to,
               std::span<const RowCopy> copies) {
  for (const RowCopy& copy : copies) {
    Statement rows(from, copy.select);
    Statement insert(to, copy.insert);
    while (rows.step())
      insert.bind_row(rows).run();
  }
}

}  // namespace

void StoreTables::copy_rows_to(sqlite::Connection& target) {
  sqlite::Transaction transaction(target);
  copy_rows(connection_, target, copies_of_games);
  target.execute("DELETE FROM hosted_game_revisions");  // the empty store's row
  copy_rows(connection_, target, copies_of_hosted_games);
  transaction.commit();
}

void StoreTables::copy_hosted_games_to(sqlite::Connection& target) {
  sqlite::Transaction transaction(target);
  // The empty store's row, or all of a moment that was lost.
  target.execute("DELETE FROM hosted_games; DELETE FROM hosted_game_revisions");
  copy_rows(connection_, target, copies_of_hosted_games);
  transaction.commit();
}

}  // namespace snl
