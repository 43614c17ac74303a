// Opening the file behind a SqliteStore: everything that must be true of it before a game is read.
#pragma once

#include "migrations.hpp"
#include "sqlite.hpp"
#include "still_file.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace snl {

// Each returns a connection to a store whose file is sound: it has this schema, made by migrations
// that this program knows. Throws StoreError as SqliteStore::open does; a refused store is left as
// it was. Timeouts are in milliseconds.

/// Makes the store if it isn't there, and upgrades an older one.
sqlite::Connection open_store_to_write(const std::string& path, int timeout,
                                       const Schema& schema = schema_of_today());

/// A store that is open for reading.
struct OpenToRead {
  sqlite::Connection connection;
  /// Set if the file is read without SQLite's locks. Each reading calls begin() and end() of it; if
  /// one returns false, the store is opened anew.
  std::optional<StillFile> still;
  /// The file is there, but nobody has made anything in it yet. The connection is to an empty store
  /// in memory, and the next reading opens the file anew.
  bool is_blank = false;
};

/// Changes nothing, and refuses an older store. The owner of the file reads it as writers do;
/// another user leaves no file beside it that would be in the owner's way.
OpenToRead open_store_to_read(const std::string& path, int timeout,
                              const Schema& schema = schema_of_today());

/// Changes nothing. An older store's schema must be one that the first migrations make.
OpenToRead open_store_of_any_version(const std::string& path, int timeout,
                                     const Schema& schema = schema_of_today());

/// The same, but a newer store isn't refused: only its version is known then.
OpenToRead open_store_for_facts(const std::string& path, int timeout);

/// Throws StoreError for names that SQLite's users know as a database in memory or a URI.
void require_path(const std::string& path);

/// The same, and for a name that leaves no room for the names of the files beside it.
void require_file_name(const std::string& path);

/// Why no file can be made in a folder: it isn't there, or can't be searched. None if no reason is
/// known.
std::optional<std::string> fault_of_folder(const std::filesystem::path& folder);

/// Throws StoreError if a file has another name, under which others could write to it as well. A
/// file that isn't there has none.
void require_one_name(const std::string& path);

/// Opens a file that nobody else knows or can change, to be read as it is: nothing is locked,
/// nothing is made beside it, and nothing has been checked.
sqlite::Connection open_still_file(const std::string& path);

/// Makes a database keep a write-ahead log from now on. Waits for others. Throws StoreError.
void keep_write_ahead_log(const sqlite::Connection& connection, int timeout);

/// SQLite's suffixes for the files that it keeps beside a database.
inline constexpr std::array<std::string_view, 3> companions{"-wal", "-shm", "-journal"};

/// The database to which a file of this name would belong: SQLite would write over the file, or
/// remove it.
std::optional<std::string> database_beside(const std::string& path);

/// Copies as much as it can of the write-ahead log into the file. SQLite before 3.51.3 may lose
/// frames when a checkpoint runs while another connection resets the log. So there are no automatic
/// checkpoints: only this one, which runs while `guard`, a second connection to the same file,
/// holds the write lock. Throws StoreError if the guard can't get the lock in time; nothing is lost
/// then.
void checkpoint_alone(sqlite::Connection& connection, sqlite::Connection& guard);

}  // namespace snl
