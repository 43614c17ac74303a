// Copies of a store that can be trusted: each is audited before it takes its place, and takes it
// wholly or not at all. Also, making a store smaller. Others may play on meanwhile.
#pragma once

#include "migrations.hpp"
#include "storage/store_admin.hpp"

#include <expected>
#include <string>
#include <vector>

namespace snl {

/// Copies a store, as it is at one moment, to a file. The copy is made beside that file, synced and
/// audited; it gets the file's name only if the report is ok(). A link is followed. An older store
/// is copied as it is, and proven in a copy that is upgraded.
///
/// Throws StoreError if the store can't be read or is damaged, or if the file can't be written, is
/// the store itself or isn't a regular file. Also if there are files beside it (-wal, -shm,
/// -journal): another process may have it open then, or SQLite would take them for those of a
/// database that wasn't closed.
AuditReport back_up(const std::string& store, const std::string& file,
                    const BackupOptions& options = {}, const Schema& schema = schema_of_today());

/// Replaces all that a store holds by the contents of a copy, in one transaction, once the copy is
/// audited and the report ok(). Makes the store if it isn't there. A copy of an older schema is
/// upgraded on the way. Processes that have the store open see the change as one commit. A store
/// that has a game is refused unless it may be replaced: nobody can add one between that check and
/// the copy.
///
/// Throws NotEmpty in that case. Throws StoreError if the copy is no store or damaged
/// (is_damage()), newer, or the store itself, or if the store's file isn't an snl store. A damaged
/// store can be replaced as long as SQLite still recognises it as a database.
AuditReport restore(const std::string& copy, const std::string& store, Occupied occupied,
                    const Schema& schema = schema_of_today());

/// Whether restore() would replace anything: the file is there, and isn't a store without games.
bool holds_something(const std::string& store);

/// Gives unused space back to the disk, and changes no row. If the file isn't sound as a database,
/// does nothing and returns its faults. The file shrinks as soon as nobody reads the store as it
/// was before. Throws StoreError.
std::expected<Compaction, std::vector<Problem>> compact(const std::string& store);

}  // namespace snl
