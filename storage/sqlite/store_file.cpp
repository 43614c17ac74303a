#include "store_file.hpp"

#include "sqlite_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
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

/// The checks of a path before SQLite looks at it.
void check_path(const std::string& path, Access access) {
  if (access == Access::write)
    require_file_name(path);
  else
    require_path(path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    refuse(path, "it is a directory; give the path of a file");
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status))
      refuse(path, "it is no regular file; give the path of a file");
    // SQLite takes a file that is shorter than any database for an empty one.
    constexpr std::uintmax_t smallest_page = 512;
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > 0 && size < smallest_page)
      refuse(path, "it is not a store; give the path of one made by snl", Cause::damaged);
    if (access == Access::write) require_one_name(path);
    return;
  }
  if (status.type() != std::filesystem::file_type::not_found)
    refuse(path, fmt::format("it can't be opened: {}; check the path and the permissions",
                             error.message()));
  if (access == Access::read) refuse(path, "there is no such file; snl new makes one");
  const auto folder = std::filesystem::absolute(path, error).parent_path();
  if (const auto why = fault_of_folder(folder)) refuse(path, *why);
  if (const auto owner = database_beside(path))
    refuse(path, fmt::format("it would belong to {} beside it; give another name", *owner));
}

void prepare(Connection& connection, Access access) {
  connection.execute("PRAGMA synchronous = FULL");
  // Room for a long game that is recorded at once: if a page has to leave the cache earlier and
  // changes again, SQLite rewrites everything that it wrote after that page.
  if (access == Access::write) connection.execute("PRAGMA cache_size = -16384");
  if (access == Access::read) connection.execute("PRAGMA query_only = ON");
}

/// The first statement that touches the file.
std::int64_t read_application_id(Connection& connection) {
  return connection.integer("PRAGMA application_id");
}

/// The first statement that needs all the files that SQLite keeps beside it.
void read_schema(Connection& connection) {
  connection.integer("SELECT count(*) FROM sqlite_schema");
}

// ---- Reading: as the owner, or without write access

/// Whether files that SQLite makes beside a file would belong to the file's owner, who must be able
/// to write to them again. (SQLite gives root's files to the owner.)
bool may_make_files_beside(const std::string& path) {
  struct stat status{};
  std::error_code error;
  const auto folder = std::filesystem::canonical(path, error).parent_path();
  const uid_t user = geteuid();
  return stat(path.c_str(), &status) == 0 && (user == 0 || user == status.st_uid) &&
         access(path.c_str(), W_OK) == 0 && access(folder.c_str(), W_OK) == 0;
}

/// Errors with the files beside a database: it may still be readable without making any.
bool is_of_files_beside(const sqlite::Error& error) {
  switch (error.code()) {
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_WRITE:
      return true;
    default:
      return error.primary_code() == SQLITE_CANTOPEN || error.primary_code() == SQLITE_READONLY ||
             error.primary_code() == SQLITE_FULL;
  }
}

/// Opens it with its write-ahead log: like a writer, so that SQLite can look after the log, or
/// read-only, which makes, removes and writes no file.
OpenToRead open_with_log(const std::string& path, Connection::Access access, int timeout) {
  OpenToRead opened{.connection{path, access, timeout}, .still = std::nullopt};
  prepare(opened.connection, Access::read);
  read_schema(opened.connection);
  return opened;
}

/// Leaves no trace: reads with the write-ahead log if there is one, else the file as it is, which
/// hasn't been checked then.
OpenToRead open_without_write_access(const std::string& path, int timeout) {
  // A writer that is making its files needs much less.
  constexpr std::chrono::milliseconds longest_wait{500};
  constexpr std::chrono::milliseconds pause{5};
  const auto deadline = std::chrono::steady_clock::now() + longest_wait;
  while (true) {
    // SQLite notes the size of such a file as it opens it, so the lock must be held by then.
    const Connection first(path, Connection::Access::immutable, timeout);
    const StillFile held(first, timeout);
    Connection alone(path, Connection::Access::immutable, timeout);
    StillFile still(alone, timeout);
    if (still.is_whole()) return {.connection = std::move(alone), .still = still};
    try {
      return open_with_log(path, Connection::Access::read_only,
                           timeout);  // its log can't go while `still` is held
    } catch (const sqlite::Error& error) {
      if (!is_of_files_beside(error)) throw;
      if (std::chrono::steady_clock::now() >= deadline)
        refuse(path,
               "its last changes are in the file beside it that ends in -wal or -journal, which "
               "can't be read here; copy both to a folder that can be written");
    }
    std::this_thread::sleep_for(pause);
  }
}

/// The file hasn't been checked.
OpenToRead open_to_read(const std::string& path, int timeout) {
  if (!may_make_files_beside(path)) return open_without_write_access(path, timeout);
  try {
    return open_with_log(path, Connection::Access::read_write, timeout);
  } catch (const sqlite::Error& error) {
    if (!is_of_files_beside(error)) throw;
    try {
      return open_without_write_access(path, timeout);
    } catch (const StoreError&) {
      throw error;  // it says more
    }
  }
}

/// True for a database in which nobody has made anything yet.
bool is_blank(Connection& connection) {
  return connection.integer("SELECT count(*) FROM sqlite_schema") == 0 &&
         read_application_id(connection) == 0 && connection.integer("PRAGMA user_version") == 0;
}

void require_application(Connection& connection) {
  if (read_application_id(connection) != application_id)
    refuse(connection.path(),
           "it is an SQLite database, but not an snl store; give the path of one made by snl",
           Cause::damaged);
}

void require_identity(Connection& connection, const Schema& schema) {
  require_application(connection);
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

bool is_of_version(Connection& connection, const Schema& schema) {
  return connection.integer("PRAGMA user_version") == schema.version();
}

/// Compare a schema before you query it: a table may be an endless view.
void require_schema_of_any_version(Connection& connection, const Schema& schema) {
  if (is_of_version(connection, schema))
    require_schema(connection, schema);
  else
    require_schema_on_the_way_to(connection, schema);
}

/// A turn writes a page of the log and one of its index, whole, and syncs both: smaller pages are
/// faster. A reader of a game's log then meets more of them. Has no effect on a file that isn't
/// empty.
void choose_page_size(Connection& connection) {
  connection.execute("PRAGMA page_size = 2048");
}

/// The file has nothing in it yet, or its maker is only about to begin: it counts as an empty
/// store.
OpenToRead empty_store(const std::string& path, const Schema& schema) {
  OpenToRead opened{
      .connection = Connection::in_memory(path), .still = std::nullopt, .is_blank = true};
  upgrade(opened.connection, schema);
  return opened;
}

bool was_whole(const OpenToRead& opened) {
  return !opened.still || opened.still->is_whole();
}

/// Opens a store for reading and runs `inspect` on it, unless nobody has made anything in it. If
/// the file is read without SQLite's locks, the result counts only if nobody wrote meanwhile, even
/// if it fails.
template <class Inspect>
OpenToRead open_and_inspect(const std::string& path, int timeout, const Schema& schema,
                            const Inspect& inspect) {
  check_path(path, Access::read);
  OpenToRead opened = open_to_read(path, timeout);
  while (true) {
    try {
      if (opened.still) prepare(opened.connection, Access::read);
      const bool blank = is_blank(opened.connection);
      if (!blank) inspect(opened.connection);
      if (was_whole(opened)) return blank ? empty_store(path, schema) : std::move(opened);
    } catch (const StoreError&) {
      if (was_whole(opened)) throw;
    }
    opened = open_to_read(path, timeout);  // while the other one holds its lock: see open_anew
  }
}

void require_store_of_any_version(Connection& connection, const Schema& schema) {
  require_identity(connection, schema);
  require_schema_of_any_version(connection, schema);
}

}  // namespace

/// A store that has to be refused is refused before anything in it changes.
Connection open_store_to_write(const std::string& path, int timeout, const Schema& schema) {
  check_path(path, Access::write);
  Connection connection(path, Connection::Access::create, timeout);
  // Checked before the file is read: SQLite would make a -wal for that, and it wouldn't be the
  // owner's.
  if (connection.is_read_only())
    refuse(path, "it can't be written; check its permissions and its folder's");
  prepare(connection, Access::write);
  if (is_blank(connection)) {
    choose_page_size(connection);
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

/// Several processes that make a store at once have to wait for each other here by themselves:
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

OpenToRead open_store_to_read(const std::string& path, int timeout, const Schema& schema) {
  return open_and_inspect(path, timeout, schema, [&](Connection& connection) {
    require_store_of_any_version(connection, schema);
    if (is_of_version(connection, schema)) return;
    refuse(path,
           fmt::format("its schema has version {}, this snl reads version {}; upgrade it with "
                       "snl db migrate",
                       connection.integer("PRAGMA user_version"), schema.version()),
           Cause::other_version);
  });
}

OpenToRead open_store_of_any_version(const std::string& path, int timeout, const Schema& schema) {
  return open_and_inspect(path, timeout, schema, [&](Connection& connection) {
    require_store_of_any_version(connection, schema);
  });
}

void require_path(const std::string& path) {
  if (const std::size_t zero = path.find('\0'); zero != std::string::npos)
    refuse(path.substr(0, zero), "its path has a zero byte in it");
  if (path == ":memory:" || path.starts_with("file:"))
    refuse(path, fmt::format("a store is kept in a file, and this names none; give its path, or "
                             "./{} for a file of that name",
                             path));
}

void require_file_name(const std::string& path) {
  require_path(path);
  const std::string name = std::filesystem::path(path).filename().string();
  constexpr std::size_t longest = NAME_MAX - std::string_view("-journal").size();
  if (name.size() > longest)
    refuse(path, fmt::format("its name has {} bytes, which leaves no room for those of the files "
                             "beside it; give one of at most {}",
                             name.size(), longest));
}

std::optional<std::string> fault_of_folder(const std::filesystem::path& folder) {
  std::error_code error;
  const auto status = std::filesystem::status(folder, error);
  if (std::filesystem::is_directory(status)) return std::nullopt;
  if (folder.empty()) return "the working folder isn't there any more; give a full path";
  if (std::filesystem::exists(status) || status.type() == std::filesystem::file_type::not_found)
    return fmt::format("its folder {} isn't there; make it first", folder.string());
  return fmt::format("its folder {} can't be opened: {}; check the permissions", folder.string(),
                     error.message());
}

void require_one_name(const std::string& path) {
  const auto file = sqlite::identity_of(path);
  if (!file) return;
  if (const auto why = sqlite::other_names(path, *file)) refuse(path, *why);
}

Connection open_still_file(const std::string& path) {
  Connection connection(path, Connection::Access::immutable, 0);
  prepare(connection, Access::read);
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

OpenToRead open_store_for_facts(const std::string& path, int timeout) {
  const Schema schema = schema_of_today();
  return open_and_inspect(path, timeout, schema, [&](Connection& connection) {
    require_application(connection);
    if (connection.integer("PRAGMA user_version") <= schema.version())
      require_schema_of_any_version(connection, schema);
  });
}

bool SqliteStore::exists(const std::string& path) {
  require_path(path);
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) return !S_ISREG(status.st_mode) || status.st_size > 0;
  if (errno == ENOENT) return false;
  refuse(path, fmt::format("it can't be opened: {}; check the path and the permissions",
                           std::strerror(errno)));
}

}  // namespace snl
