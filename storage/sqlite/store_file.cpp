#include "store_file.hpp"

#include "sqlite_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

namespace snl {

using sqlite::Connection;
using sqlite::ResetAtEnd;
using sqlite::Statement;
using Cause = StoreError::Cause;
using Access = SqliteStore::Access;

namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view what,
                         Cause cause = Cause::failed) {
  throw StoreError(cause, fmt::format("store {}: {}", path, what));
}

/// What can be said of a path before SQLite looks at it.
void check_path(const std::string& path, Access access) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    refuse(path, "it is a directory; give the path of a file");
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status))
      refuse(path, "it is no regular file; give the path of a file");
    // SQLite takes a file that is shorter than any database for one that is still empty.
    constexpr std::uintmax_t smallest_page = 512;
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > 0 && size < smallest_page)
      refuse(path, "it is not a store; give the path of one made by snl", Cause::damaged);
    return;
  }
  if (status.type() != std::filesystem::file_type::not_found)
    refuse(path, fmt::format("it can't be opened: {}", error.message()));
  if (access == Access::read) refuse(path, "there is no such file; snl new makes one");
  const auto folder = std::filesystem::absolute(path, error).parent_path();
  if (!std::filesystem::is_directory(folder, error))
    refuse(path, fmt::format("its folder {} isn't there; make it first", folder.string()));
  if (const auto owner = database_beside(path))
    refuse(path, fmt::format("it would belong to {} beside it; give another name", *owner));
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

bool is_failure_to_write(const sqlite::Error& error) {
  return error.primary_code() == SQLITE_CANTOPEN || error.primary_code() == SQLITE_READONLY;
}

/// True for a failure to open a file beside the store in a folder that can be written: too many
/// open files or a full disk, say. It is no reason to take the store for one that never changes.
bool may_pass(const sqlite::Error& error, const std::string& path) {
  std::error_code none;
  const auto folder = std::filesystem::canonical(path, none).parent_path();
  return error.primary_code() == SQLITE_CANTOPEN && access(folder.c_str(), W_OK) == 0;
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
  } catch (const sqlite::Error& error) {
    if (!is_failure_to_write(error) || may_pass(error, path)) throw;
  }
  if (has_write_ahead_log(path)) {
    Connection connection(path, Connection::Access::read_only, timeout);
    try {
      prepare(connection, true);
      connection.integer("SELECT count(*) FROM sqlite_schema");
    } catch (const sqlite::Error& error) {
      if (!is_failure_to_write(error)) throw;
      refuse(path,
             "its last changes are in the file beside it that ends in -wal, which can't be read "
             "here; copy both to a folder that can be written");
    }
    return connection;
  }
  return open_still_file(path);
}

/// True for a database in which nobody has made anything yet.
bool is_blank(Connection& connection) {
  return connection.integer("SELECT count(*) FROM sqlite_schema") == 0 &&
         read_application_id(connection) == 0 && connection.integer("PRAGMA user_version") == 0;
}

void require_identity(Connection& connection, const Schema& schema) {
  if (read_application_id(connection) != application_id)
    refuse(connection.path(),
           "it is an SQLite database, but not an snl store; give the path of one made by snl",
           Cause::damaged);
  const std::int64_t version = connection.integer("PRAGMA user_version");
  if (version > schema.version())
    refuse(
        connection.path(),
        fmt::format("its schema has version {}, this snl knows versions up to {}; use a newer snl",
                    version, schema.version()),
        Cause::other_version);
}

void switch_to_write_ahead_log(const Connection& connection) {
  Statement mode(connection, "PRAGMA journal_mode = WAL");
  const ResetAtEnd reset(mode);
  if (!mode.step() || mode.text(0) != "wal")
    refuse(connection.path(), "no write-ahead log can be kept beside it; use another file system");
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
    } catch (const sqlite::Error& error) {
      const bool busy = error.primary_code() == SQLITE_BUSY;
      if (!busy || std::chrono::steady_clock::now() >= deadline) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

bool is_of_version(Connection& connection, const Schema& schema) {
  return connection.integer("PRAGMA user_version") == schema.version();
}

}  // namespace

/// A store that would be refused is refused before anything in it changes.
Connection open_store_to_write(const std::string& path, int timeout, const Schema& schema) {
  check_path(path, Access::write);
  Connection connection(path, Connection::Access::create, timeout);
  prepare(connection, false);
  if (connection.is_read_only())
    refuse(path, "it can't be written; check its permissions and its folder's");
  if (is_blank(connection)) {
    keep_write_ahead_log(connection, timeout);
    upgrade(connection, schema);
    return connection;
  }
  require_identity(connection, schema);
  if (is_of_version(connection, schema))
    require_schema(connection, schema);
  else
    upgrade(connection, schema);
  keep_write_ahead_log(connection, timeout);
  return connection;
}

Connection open_store_to_read(const std::string& path, int timeout, const Schema& schema) {
  Connection connection = open_store_of_any_version(path, timeout, schema);
  if (is_of_version(connection, schema)) return connection;
  refuse(path,
         fmt::format("its schema has version {}, this snl reads version {}; upgrade it with "
                     "snl db migrate",
                     connection.integer("PRAGMA user_version"), schema.version()),
         Cause::other_version);
}

Connection open_store_of_any_version(const std::string& path, int timeout, const Schema& schema) {
  check_path(path, Access::read);
  Connection connection = open_to_read(path, timeout);
  require_identity(connection, schema);
  if (is_of_version(connection, schema)) require_schema(connection, schema);
  return connection;
}

Connection open_still_file(const std::string& path) {
  Connection connection(path, Connection::Access::immutable, 0);
  prepare(connection, true);
  return connection;
}

std::optional<std::string> database_beside(const std::string& path) {
  for (const std::string_view companion : companions) {
    if (!path.ends_with(companion)) continue;
    std::string owner = path.substr(0, path.size() - companion.size());
    std::error_code error;
    if (std::filesystem::is_regular_file(owner, error)) return owner;
  }
  return std::nullopt;
}

void checkpoint_alone(Connection& connection, Connection& guard) {
  const sqlite::Transaction nobody_writes(guard);
  connection.checkpoint();
}

// ---- Facts

bool SqliteStore::exists(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) return !S_ISREG(status.st_mode) || status.st_size > 0;
  if (errno == ENOENT) return false;
  refuse(path, fmt::format("it can't be opened: {}", std::strerror(errno)));
}

std::int64_t SqliteStore::latest_schema_version() {
  return migrations().back().number;
}

SqliteStore::Facts SqliteStore::facts(const std::string& path) {
  check_path(path, Access::read);
  Connection connection = open_to_read(path, static_cast<int>(Options{}.busy_timeout.count()));
  if (read_application_id(connection) != application_id)
    require_identity(connection, schema_of_today());
  const std::int64_t version = connection.integer("PRAGMA user_version");
  const bool known = version <= latest_schema_version();
  return {.schema_version = version,
          .games = known ? connection.integer("SELECT count(*) FROM games") : -1,
          .commits = known ? connection.integer("SELECT count(*) FROM commits") : -1,
          .bytes = static_cast<std::int64_t>(std::filesystem::file_size(path))};
}

}  // namespace snl
