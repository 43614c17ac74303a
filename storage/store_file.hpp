// Opening the file behind a SqliteStore: everything that must be true of it before a game is read.
#pragma once

#include "sqlite_store.hpp"

#include <chrono>
#include <string>

namespace snl {

/// A connection to a store that is sound as a file: of this schema, made by migrations that this
/// program knows. Throws StoreError as SqliteStore::open says; a store that is refused is left as
/// it was.
sqlite::Connection open_store_file(const std::string& path, SqliteStore::Access access,
                                   std::chrono::milliseconds busy_timeout);

}  // namespace snl
