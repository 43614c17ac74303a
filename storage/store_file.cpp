#include "store_file.hpp"

#include "migrations.hpp"
#include "schema.hpp"
#include "store_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <tuple>

namespace snl {

using sqlite::Connection;
using sqlite::ResetAtEnd;
using sqlite::Statement;
using Access = SqliteStore::Access;

namespace {

[[noreturn]] void refuse(int code, const std::string& path, std::string_view what) {
  throw StoreError(code, fmt::format("store {}: {}", path, what));
}

/// What can be said of a path before SQLite looks at it.
void check_path(const std::string& path, Access access) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    refuse(SQLITE_CANTOPEN, path, "it is a directory; give the path of a file");
  if (std::filesystem::exists(status)) return;
  if (access == Access::read)
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

void check_made_by_snl(const Connection& connection) {
  check_schema(connection);
  check_checksums(connection);
}

bool is_of_latest_version(Connection& connection) {
  return connection.integer("PRAGMA user_version") == SqliteStore::latest_schema_version();
}

/// A store that would be refused is refused before anything in it changes.
Connection open_to_write(const std::string& path, int timeout) {
  Connection connection(path, Connection::Access::create, timeout);
  prepare(connection, false);
  if (connection.is_read_only())
    refuse(SQLITE_READONLY, path, "it can't be written; check its permissions and its folder's");
  if (!is_blank(connection)) check_identity(connection);
  const bool is_ready = is_of_latest_version(connection);
  if (is_ready) check_made_by_snl(connection);
  keep_write_ahead_log(connection, timeout);
  if (is_ready) return connection;
  migrate(connection);
  check_made_by_snl(connection);
  return connection;
}

}  // namespace

Connection open_store_file(const std::string& path, Access access,
                           std::chrono::milliseconds busy_timeout) {
  const int timeout = static_cast<int>(busy_timeout.count());
  check_path(path, access);
  if (access == Access::write) return open_to_write(path, timeout);
  Connection connection = open_to_read(path, timeout);
  check_identity(connection);
  if (const auto version = connection.integer("PRAGMA user_version");
      version < SqliteStore::latest_schema_version())
    refuse(SQLITE_SCHEMA, path,
           fmt::format("its schema has version {}, this snl reads version {}; upgrade it with "
                       "snl db migrate",
                       version, SqliteStore::latest_schema_version()));
  check_made_by_snl(connection);
  return connection;
}

// ---- Facts

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

}  // namespace snl
