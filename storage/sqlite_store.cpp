#include "sqlite_store.hpp"

#include "codec.hpp"
#include "migrations.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace snl {

using sqlite::Connection;
using sqlite::ResetAtEnd;
using sqlite::Statement;

// ---- Rows

namespace {

constexpr std::string_view commit_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash";
constexpr std::string_view commit_and_game_columns =
    "c.position, c.version, c.time, c.command, c.events, c.command_id, c.hash, g.id";

constexpr std::string_view summary_columns =
    "g.game, g.id, g.created, g.version, g.head, g.turn, g.cells, g.next, g.winner, g.last_turn, "
    "g.redo_version, g.redo_index, g.redoable, g.seal, g.status, g.last_index";

/// A SELECT of columns that several statements have in common.
struct Select {
  std::string_view columns;
  std::string_view rest;
};

Hash hash_at(const Statement& row, int column) {
  Hash hash{};
  const auto blob = row.blob(column);
  if (blob.size() == hash.size()) std::ranges::copy(blob, hash.begin());
  return hash;
}

CommitView commit_at(const Statement& row, std::string_view game) {
  CommitView commit{.position = row.integer(0),
                    .game = game,
                    .version = row.integer(1),
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

/// A seat from a column that anybody may have edited; one that can't be is nobody's.
Seat seat_at(const Statement& row, int column) {
  const std::int64_t seat = row.integer(column);
  return seat >= 0 && seat < static_cast<std::int64_t>(max_players) ? static_cast<Seat>(seat)
                                                                    : unknown_seat;
}

/// All that a games row holds, with the players given; none if it doesn't agree with its own seal.
std::optional<GameSummary> summary_at(const Statement& row, std::vector<std::string> players) {
  const auto cells = decode_cells(row.text(6));
  if (!cells || cells->size() != players.size() || cells->size() > max_players) return std::nullopt;
  const std::int64_t last_index = row.integer(15);
  const std::int64_t redo_index = row.integer(11);
  if (!std::in_range<std::int32_t>(last_index) || !std::in_range<std::int32_t>(redo_index))
    return std::nullopt;
  GameSummary summary{.id = std::string(row.text(1)),
                      .created = row.integer(2),
                      .head = {.version = row.integer(3), .hash = hash_at(row, 4)},
                      .players = std::move(players),
                      .position = {},
                      .index = static_cast<std::int32_t>(last_index),
                      .last_turn = row.integer(9),
                      .redo = {row.integer(10), static_cast<std::int32_t>(redo_index)},
                      .redoable = row.integer(12)};
  std::ranges::copy(*cells, summary.position.cells.begin());
  summary.position.turn = row.integer(5);
  summary.position.next = seat_at(row, 7);
  if (!row.is_null(8)) summary.position.winner = seat_at(row, 8);
  const auto seats = summary.players.size();
  if (summary.position.next >= seats || summary.position.winner.value_or(0) >= seats)
    return std::nullopt;
  if (row.text(14) != status_text(summary.completed())) return std::nullopt;
  if (hash_at(row, 13) != seal_of(summary)) return std::nullopt;
  return summary;
}

std::string first_line_about_open(const std::string& path, std::string_view what) {
  return fmt::format("store {}: {}", path, what);
}

[[noreturn]] void refuse(int code, const std::string& path, std::string_view what) {
  throw StoreError(code, first_line_about_open(path, what));
}

}  // namespace

// ---- Statements, each prepared when it is first needed

class SqliteStore::Tables {
 public:
  explicit Tables(Connection& connection) : connection_(connection) {}

  Statement& use(std::optional<Statement>& statement, std::string_view sql) {
    if (!statement) statement.emplace(connection_, sql);
    return *statement;
  }
  Statement& use(std::optional<Statement>& statement, Select select) {
    if (!statement)
      statement.emplace(connection_, fmt::format("SELECT {} {}", select.columns, select.rest));
    return *statement;
  }

  sqlite::TransactionStatements& transactions() {
    if (!transactions_) transactions_.emplace(connection_);
    return *transactions_;
  }

  /// The key and the head of a game, from the log; 0 if it isn't there.
  struct Tail {
    std::int64_t game = 0;
    Head head;
    UnixMilliseconds created = 0;
  };
  Tail tail(const std::string& id) {
    if (known_.game == 0 || known_.id != id) know(id);
    if (known_.game == 0) return {};
    Statement& last = use(tail_,
                          "SELECT version, hash FROM commits WHERE game = ?1 "
                          "ORDER BY version DESC LIMIT 1");
    const ResetAtEnd reset(last);
    Tail tail{.game = known_.game, .head = {}, .created = known_.created};
    if (last.bind(1, known_.game).step())
      tail.head = {.version = last.integer(0), .hash = hash_at(last, 1)};
    return tail;
  }

  /// To be called when a transaction is rolled back: the game that it made is gone.
  void forget() { known_ = {}; }

  StorePosition last_position() {
    Statement& last = use(last_position_, "SELECT coalesce(max(position), 0) FROM commits");
    const ResetAtEnd reset(last);
    last.step();
    return last.integer(0);
  }

  std::int64_t add_game(const GameSummary& summary) {
    Statement& last = use(last_game_, "SELECT coalesce(max(game), 0) FROM games");
    std::int64_t game = 0;
    {
      const ResetAtEnd reset(last);
      last.step();
      game = last.integer(0) + 1;
    }
    Statement& insert = use(
        insert_game_,
        "INSERT INTO games (game, id, created, version, head, status, turn, cells, next, winner, "
        "last_turn, redo_version, redo_index, redoable, seal, last_index) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)");
    const Made made(summary);
    bind_summary(insert, game, summary, made);
    insert.bind(2, summary.id).run();
    add_players(game, summary.players);
    return game;
  }

  void add_players(std::int64_t game, const std::vector<std::string>& players) {
    Statement& player =
        use(insert_player_, "INSERT INTO players (game, seat, name) VALUES (?1, ?2, ?3)");
    for (std::size_t seat = 0; seat < players.size(); ++seat)
      player.bind(1, game).bind(2, static_cast<std::int64_t>(seat)).bind(3, players[seat]).run();
  }

  void replace_players(std::int64_t game, const std::vector<std::string>& players) {
    Statement remove(connection_, "DELETE FROM players WHERE game = ?1");
    remove.bind(1, game).run();
    add_players(game, players);
  }

  void update_game(std::int64_t game, const GameSummary& summary) {
    const Made made(summary);
    // A turn seldom changes the status, and to write it anyway would rewrite its index.
    Statement& progress = use(
        update_progress_,
        "UPDATE games SET version = ?4, head = ?5, turn = ?7, cells = ?8, next = ?9, winner = ?10, "
        "last_turn = ?11, redo_version = ?12, redo_index = ?13, redoable = ?14, seal = ?15, "
        "last_index = ?16 WHERE game = ?1 AND status = ?6 AND created = ?3");
    bind_summary(progress, game, summary, made);
    if (progress.run() == 1) return;
    Statement& update =
        use(update_game_,
            "UPDATE games SET created = ?3, version = ?4, head = ?5, status = ?6, turn = ?7, "
            "cells = ?8, next = ?9, winner = ?10, last_turn = ?11, redo_version = ?12, "
            "redo_index = ?13, redoable = ?14, seal = ?15, last_index = ?16 WHERE game = ?1");
    bind_summary(update, game, summary, made);
    update.run();
  }

  /// Adds commits of a game, the first of them at `position` and `version`.
  void add_commits(std::int64_t game, StorePosition position, Version version,
                   std::span<const NewCommit> commits, std::span<const Hash> hashes) {
    while (!commits.empty()) {
      // Half of the time of an INSERT is for the statement, not for its rows.
      const std::size_t rows = commits.size() < rows_at_once ? 1 : rows_at_once;
      auto& insert = rows == 1 ? insert_commit_ : insert_commits_;
      if (!insert) insert.emplace(connection_, insertion_of(rows));
      insert->bind(1, game).bind(2, position).bind(3, version);
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
  }

  /// By seat; none if the seats aren't 0, 1, 2 …
  std::vector<std::string> players(std::int64_t game) {
    Statement& names =
        use(players_, "SELECT name, seat FROM players WHERE game = ?1 ORDER BY seat");
    const ResetAtEnd reset(names);
    names.bind(1, game);
    std::vector<std::string> players;
    while (names.step()) {
      if (names.integer(1) != static_cast<std::int64_t>(players.size())) return {};
      players.emplace_back(names.text(0));
    }
    return players;
  }

  /// The first column of every row.
  static std::vector<std::string> texts(Statement& rows) {
    const ResetAtEnd reset(rows);
    std::vector<std::string> texts;
    while (rows.step())
      texts.emplace_back(rows.text(0));
    return texts;
  }

  template <class CommitAt>
  static std::size_t lend(Statement& rows, const CommitVisitor& visit, const CommitAt& commit_at) {
    const ResetAtEnd reset(rows);
    std::size_t count = 0;
    while (rows.step()) {
      ++count;
      if (!visit(commit_at(rows))) break;
    }
    return count;
  }

  std::optional<Statement> read_game;
  std::optional<Statement> read_store;
  std::optional<Statement> commit_of_version;
  std::optional<Statement> commit_of_command_id;
  std::optional<Statement> summary_of_game;
  std::optional<Statement> list_all;
  std::optional<Statement> list_status;
  std::optional<Statement> list_player;
  std::optional<Statement> ids_after;
  std::optional<Statement> ids_between;
  std::optional<Statement> newest;

 private:
  /// The values of a games row that have to be made, kept for as long as they are bound.
  struct Made {
    explicit Made(const GameSummary& summary)
        : cells(encode_cells(std::span(summary.position.cells).first(summary.players.size()))),
          seal(seal_of(summary)) {}
    std::string cells;
    Hash seal;
  };

  static void bind_summary(Statement& statement, std::int64_t game, const GameSummary& summary,
                           const Made& made) {
    const Position& position = summary.position;
    statement.bind(1, game)
        .bind(3, summary.created)
        .bind(4, summary.head.version)
        .bind(5, sqlite::Blob(summary.head.hash))
        .bind(6, status_text(summary.completed()))
        .bind(7, position.turn)
        .bind(8, made.cells)
        .bind(9, std::int64_t{position.next})
        .bind(11, summary.last_turn)
        .bind(12, summary.redo.version)
        .bind(13, std::int64_t{summary.redo.index})
        .bind(14, summary.redoable)
        .bind(15, sqlite::Blob(made.seal))
        .bind(16, std::int64_t{summary.index});
    if (position.winner)
      statement.bind(10, std::int64_t{*position.winner});
    else
      statement.bind_null(10);
  }

  static constexpr std::size_t rows_at_once = 16;

  /// The statement that adds so many commits of one game: ?1 is the game, ?2 and ?3 are the first
  /// one's position and version.
  static std::string insertion_of(std::size_t rows) {
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

  /// What never changes of a game, remembered from one turn to the next.
  struct Known {
    std::string id;
    std::int64_t game = 0;
    UnixMilliseconds created = 0;
  };

  void know(const std::string& id) {
    known_ = {};
    Statement& found = use(known_game_,
                           "SELECT game, (SELECT time FROM commits c WHERE c.game = g.game AND "
                           "version = 1) FROM games g WHERE id = ?1");
    const ResetAtEnd reset(found);
    if (found.bind(1, id).step())
      known_ = {.id = id, .game = found.integer(0), .created = found.integer(1)};
  }

  Connection& connection_;
  Known known_;
  std::optional<sqlite::TransactionStatements> transactions_;
  std::optional<Statement> known_game_;
  std::optional<Statement> tail_;
  std::optional<Statement> last_position_;
  std::optional<Statement> last_game_;
  std::optional<Statement> insert_game_;
  std::optional<Statement> insert_player_;
  std::optional<Statement> update_progress_;
  std::optional<Statement> update_game_;
  std::optional<Statement> insert_commit_;
  std::optional<Statement> insert_commits_;
  std::optional<Statement> players_;
};

// ---- Opening

namespace {

/// What can be said of a path before SQLite looks at it.
void check_path(const std::string& path, SqliteStore::Access access) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    refuse(SQLITE_CANTOPEN, path, "it is a directory; give the path of a file");
  if (std::filesystem::exists(status)) return;
  if (access == SqliteStore::Access::read)
    refuse(SQLITE_CANTOPEN, path, "there is no such file; snl new makes one");
  const auto folder = std::filesystem::absolute(path, error).parent_path();
  if (!std::filesystem::is_directory(folder, error))
    refuse(SQLITE_CANTOPEN, path,
           fmt::format("its folder {} isn't there; make it first", folder.string()));
}

/// True if a write-ahead log waits beside the file: an immutable reader would not see it.
bool has_write_ahead_log(const std::string& path) {
  std::error_code error;
  // SQLite keeps it beside the file itself, not beside a link to it.
  const auto file = std::filesystem::canonical(path, error);
  const auto size = std::filesystem::file_size(file.string() + "-wal", error);
  return !error && size > 0;
}

void prepare(Connection& connection, bool read_only) {
  connection.execute(
      "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON;"
      "PRAGMA synchronous = FULL;");
  if (read_only) connection.execute("PRAGMA query_only = ON");
}

/// The first statement that touches the file.
std::int64_t read_application_id(Connection& connection) {
  return connection.integer("PRAGMA application_id");
}

bool is_failure_to_write(const StoreError& error) {
  const int primary = error.code() & 0xFF;
  return primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY;
}

/// Opens a file to be read: writable if it is, so that SQLite can look after the write-ahead log;
/// else as it is; else, on a medium where no shared memory can be made, as one that never changes.
Connection open_to_read(const std::string& path, int timeout) {
  try {
    Connection connection(path, Connection::Access::read_write, timeout);
    prepare(connection, true);
    read_application_id(connection);
    connection.integer("SELECT count(*) FROM sqlite_schema");
    return connection;
  } catch (const StoreError& error) {
    if (!is_failure_to_write(error)) throw;
  }
  if (has_write_ahead_log(path)) {
    Connection connection(path, Connection::Access::read_only, timeout);
    try {
      prepare(connection, true);
      connection.integer("SELECT count(*) FROM sqlite_schema");
    } catch (const StoreError& error) {
      if (!is_failure_to_write(error)) throw;
      refuse(error.code(), path,
             "its last changes are in the file beside it that ends in -wal, which can't be read "
             "here; copy both to a folder that can be written");
    }
    return connection;
  }
  Connection connection(path, Connection::Access::immutable, timeout);
  prepare(connection, true);
  return connection;
}

void check_schema(const Connection& connection) {
  const auto expected = expected_schema();
  const auto actual = schema_of(connection);
  if (actual == expected) return;
  // Both are in order, so of the first two that differ the lesser one is missing in the other.
  const auto [here, there] = std::ranges::mismatch(actual, expected);
  const auto key = [](const SchemaObject& object) { return std::tie(object.type, object.name); };
  const bool is_here =
      here != actual.end() && (there == expected.end() || key(*here) <= key(*there));
  const SchemaObject& odd = is_here ? *here : *there;
  refuse(SQLITE_CORRUPT, connection.path(),
         fmt::format("its schema isn't the one that snl makes: {} \"{}\" differs; "
                     "export its games from a sound copy",
                     odd.type, odd.name));
}

void check_checksums(const Connection& connection) {
  Statement recorded(connection, "SELECT number, name, sha256 FROM migrations ORDER BY number");
  for (const Migration& migration : migrations()) {
    if (!recorded.step() || recorded.integer(0) != migration.number ||
        recorded.text(1) != migration.name || hash_at(recorded, 2) != checksum_of(migration))
      refuse(SQLITE_CORRUPT, connection.path(),
             fmt::format("migration {} isn't the one that this snl knows; it was edited, here or "
                         "there",
                         migration.number));
  }
  if (recorded.step())
    refuse(SQLITE_CORRUPT, connection.path(), "it records a migration that this snl doesn't know");
}

/// True for a database in which nobody has made anything yet.
bool is_blank(Connection& connection) {
  return connection.integer("SELECT count(*) FROM sqlite_schema") == 0 &&
         read_application_id(connection) == 0 && connection.integer("PRAGMA user_version") == 0;
}

void check_identity(Connection& connection) {
  if (read_application_id(connection) != application_id)
    refuse(SQLITE_NOTADB, connection.path(),
           "it is an SQLite database, but not an snl store; give the path of one made by snl");
  const std::int64_t version = connection.integer("PRAGMA user_version");
  if (version > SqliteStore::latest_schema_version())
    refuse(
        SQLITE_SCHEMA, connection.path(),
        fmt::format("its schema has version {}, this snl knows versions up to {}; use a newer snl",
                    version, SqliteStore::latest_schema_version()));
}

void switch_to_write_ahead_log(const Connection& connection) {
  Statement mode(connection, "PRAGMA journal_mode = WAL");
  const ResetAtEnd reset(mode);
  if (!mode.step() || mode.text(0) != "wal")
    refuse(SQLITE_CANTOPEN, connection.path(),
           "no write-ahead log can be kept beside it; use another file system");
}

/// Of several processes that make a store at once, each has to wait for the others here by itself:
/// SQLite doesn't call its busy handler when it switches a file's journal mode.
void keep_write_ahead_log(const Connection& connection, int timeout) {
  constexpr std::chrono::milliseconds pause{2};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds{timeout};
  while (true) {
    try {
      switch_to_write_ahead_log(connection);
      return;
    } catch (const StoreError& error) {
      const bool busy = (error.code() & 0xFF) == SQLITE_BUSY;
      if (!busy || std::chrono::steady_clock::now() >= deadline) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

/// A store that would be refused is refused before anything in it changes.
void check_before_writing(Connection& connection) {
  check_identity(connection);
  if (connection.integer("PRAGMA user_version") < SqliteStore::latest_schema_version()) return;
  check_schema(connection);
  check_checksums(connection);
}

Connection open_to_write(const std::string& path, int timeout) {
  Connection connection(path, Connection::Access::create, timeout);
  prepare(connection, false);
  if (connection.is_read_only())
    refuse(SQLITE_READONLY, path, "it can't be written; check its permissions and its folder's");
  const bool blank = is_blank(connection);
  if (!blank) check_before_writing(connection);
  keep_write_ahead_log(connection, timeout);
  if (blank || connection.integer("PRAGMA user_version") < SqliteStore::latest_schema_version())
    migrate(connection);
  return connection;
}

Connection open_connection(const std::string& path, SqliteStore::Access access, int timeout) {
  check_path(path, access);
  if (access == SqliteStore::Access::write) return open_to_write(path, timeout);
  Connection connection = open_to_read(path, timeout);
  check_identity(connection);
  if (const auto version = connection.integer("PRAGMA user_version");
      version < SqliteStore::latest_schema_version())
    refuse(SQLITE_SCHEMA, path,
           fmt::format("its schema has version {}, this snl reads version {}; upgrade it with "
                       "snl db migrate",
                       version, SqliteStore::latest_schema_version()));
  return connection;
}

}  // namespace

std::unique_ptr<SqliteStore> SqliteStore::open(const std::string& path, Access access,
                                               Options options) {
  Connection connection =
      open_connection(path, access, static_cast<int>(options.busy_timeout.count()));
  check_schema(connection);
  check_checksums(connection);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(connection)));
}

SqliteStore::SqliteStore(Connection connection)
    : connection_(std::move(connection)), tables_(std::make_unique<Tables>(connection_)) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
}

SqliteStore::~SqliteStore() = default;

bool SqliteStore::exists(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return std::filesystem::exists(path, error);
  return size > 0;
}

std::int64_t SqliteStore::latest_schema_version() {
  return migrations().back().number;
}

SqliteStore::Facts SqliteStore::facts(const std::string& path) {
  check_path(path, Access::read);
  Connection connection = open_to_read(path, static_cast<int>(Options{}.busy_timeout.count()));
  if (read_application_id(connection) != application_id) check_identity(connection);
  const std::int64_t version = connection.integer("PRAGMA user_version");
  const bool known = version <= latest_schema_version();
  return {.schema_version = version,
          .games = known ? connection.integer("SELECT count(*) FROM games") : -1,
          .commits = known ? connection.integer("SELECT count(*) FROM commits") : -1,
          .bytes = static_cast<std::int64_t>(std::filesystem::file_size(path))};
}

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
  refuse(SQLITE_ABORT, connection_.path(), "an append failed, so nothing of its group is recorded");
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
  return Tables::texts(rows);
}

std::vector<std::string> SqliteStore::games_after(const std::string& after, std::size_t limit) {
  Statement& rows =
      tables_->use(tables_->ids_after, "SELECT id FROM games WHERE id > ?1 ORDER BY id LIMIT ?2");
  rows.bind(1, after).bind(2, static_cast<std::int64_t>(limit));
  return Tables::texts(rows);
}

std::vector<std::string> SqliteStore::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  Statement& rows = tables_->use(
      tables_->ids_between, "SELECT id FROM games WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3");
  const std::string end = prefix + '\x7F';  // above every character of an ID
  rows.bind(1, prefix).bind(2, end).bind(3, static_cast<std::int64_t>(limit));
  return Tables::texts(rows);
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
