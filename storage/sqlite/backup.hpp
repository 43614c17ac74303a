// Copies of a store that can be trusted: every one is audited before it takes its place, and takes
// it whole or not at all. And a store made smaller. Others may play on meanwhile.
#pragma once

#include "migrations.hpp"
#include "storage/store_admin.hpp"

#include <expected>
#include <string>
#include <vector>

namespace snl {

/// Copies a store, as it is at one moment, to a file. The copy is made beside that file, synced and
/// audited; only if the report is ok() does it get its name. A link is followed. An older store is
/// copied as it is, and proven in a copy that is upgraded.
///
/// Throws StoreError: where the store can't be read or is damaged; where the file can't be written,
/// is the store itself or is something else than a file; and where there are files beside it (-wal,
/// -shm, -journal) by which another process may have it open, or SQLite would take it for one that
/// wasn't closed.
AuditReport back_up(const std::string& store, const std::string& file,
                    const BackupOptions& options = {}, const Schema& schema = schema_of_today());

/// Replaces all that a store holds by what a copy holds, in one transaction, once the copy is
/// audited and the report ok(). Makes the store if it isn't there. A copy of an older schema is
/// upgraded on the way. Processes that have the store open see it change as by a commit. A store
/// that has a game in it is refused unless it shall be replaced: nobody can add one between that
/// look and the copy.
///
/// Throws NotEmpty for that. Throws StoreError: where the copy is no store or damaged
/// (is_damage()), newer, or the store itself; where the store's file is something else than an snl
/// store. A damaged store can be replaced as long as SQLite still knows it for a database.
AuditReport restore(const std::string& copy, const std::string& store, Occupied occupied,
                    const Schema& schema = schema_of_today());

/// Whether restore() would replace anything: the file is there, and isn't a store without games.
bool holds_something(const std::string& store);

/// Gives the space that nothing uses back to the disk, and changes no row. Answers what is wrong
/// where the file isn't sound as a database; then nothing is done. The file shrinks as soon as
/// nobody reads the store as it was before. Throws StoreError.
std::expected<Compaction, std::vector<Problem>> compact(const std::string& store);

}  // namespace snl
