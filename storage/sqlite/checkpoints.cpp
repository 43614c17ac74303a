#include "checkpoints.hpp"

#include "store_file.hpp"

namespace snl {

using sqlite::Connection;

namespace {

/// A thousand of SQLite's usual pages. Each checkpoint syncs both files.
constexpr std::int64_t due_bytes = 1000 * std::int64_t{4096};

}  // namespace

Checkpoints::Checkpoints(Connection& connection)
    : connection_(connection), due_frames_(due_bytes / connection.integer("PRAGMA page_size")) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
}

void Checkpoints::make() {
  try {
    if (!guard_)
      guard_ = std::make_unique<Connection>(connection_.path(), Connection::Access::read_write, 0);
    connection_.require_in_place();  // or the guard may be of another file
    checkpoint_alone(connection_, *guard_);
  } catch (const StoreError&) {
    guard_.reset();
  }
}

}  // namespace snl
