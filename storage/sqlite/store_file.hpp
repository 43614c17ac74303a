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

// Each answers a connection to a store that is sound as a file: of this schema, made by migrations
// that this program knows. Throws StoreError as SqliteStore::open says; a store that is refused is
// left as it was. Timeouts are in milliseconds.

/// Makes the store if it isn't there, upgrades an older one.
sqlite::Connection open_store_to_write(const std::string& path, int timeout,
                                       const Schema& schema = schema_of_today());

/// A store that is open to be read.
struct OpenToRead {
  sqlite::Connection connection;
  /// Set where the file is read without SQLite's locks: each reading begins and ends with it, and
  /// where it says no, the store is opened anew.
  std::optional<StillFile> still;
  /// The file is there, but nobody has made anything in it yet: the connection is to an empty store
  /// in memory, and the next reading opens the file anew.
  bool is_blank = false;
};

/// Changes nothing, and refuses an older store. Who owns the file reads it as writers do; who
/// doesn't leaves nothing beside it that would be in the owner's way.
OpenToRead open_store_to_read(const std::string& path, int timeout,
                              const Schema& schema = schema_of_today());

/// Changes nothing. An older store's schema is one that some of the migrations make.
OpenToRead open_store_of_any_version(const std::string& path, int timeout,
                                     const Schema& schema = schema_of_today());

/// As above, but a newer store isn't refused: only its version can be told.
OpenToRead open_store_to_tell_of(const std::string& path, int timeout);

/// Throws StoreError for what SQLite's users know as a database in memory, or as a URI.
void require_path(const std::string& path);

/// The same, and for a name that leaves no room for those of the files beside it.
void require_file_name(const std::string& path);

/// Why no file can be made in a folder: it isn't there, or can't be looked into; none if nothing is
/// known.
std::optional<std::string> fault_of_folder(const std::filesystem::path& folder);

/// Throws StoreError where a file has another name, under which others could write to it as well.
/// One that isn't there has none.
void require_one_name(const std::string& path);

/// A file that nobody else knows or can change, to be read as it is: nothing is locked, and nothing
/// made beside it. Nothing of it has been looked at.
sqlite::Connection open_still_file(const std::string& path);

/// Has a database keep a write-ahead log from now on. Waits for others. Throws StoreError.
void keep_write_ahead_log(const sqlite::Connection& connection, int timeout);

/// What SQLite calls the files that it keeps beside a database, after its name.
inline constexpr std::array<std::string_view, 3> companions{"-wal", "-shm", "-journal"};

/// The file to which one of this name would belong: SQLite would write over it, or remove it.
std::optional<std::string> database_beside(const std::string& path);

/// Copies what it can of the write-ahead log into the file. SQLite before 3.51.3 may lose frames
/// when a checkpoint runs while another connection resets the log. So nothing is ever checkpointed
/// automatically, but here, while `guard`, a second connection to the same file, holds the write
/// lock. Throws StoreError if the guard can't get that in time; nothing is lost then.
void checkpoint_alone(sqlite::Connection& connection, sqlite::Connection& guard);

}  // namespace snl
