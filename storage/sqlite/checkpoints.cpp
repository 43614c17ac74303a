#include "checkpoints.hpp"

#include "store_file.hpp"

namespace snl {

using sqlite::Connection;

Checkpoints::Checkpoints(Connection& connection) : connection_(connection) {
  connection_.on_commit_to_wal([this](int frames) { wal_frames_ = frames; });
}

void Checkpoints::make_if_due() {
  constexpr int due_frames = 1000;
  if (wal_frames_ < due_frames) return;
  try {
    if (!guard_)
      guard_ = std::make_unique<Connection>(connection_.path(), Connection::Access::read_write, 0);
    checkpoint_alone(connection_, *guard_);
  } catch (const StoreError&) {
    guard_.reset();
  }
}

}  // namespace snl
