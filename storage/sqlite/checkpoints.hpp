// Decides when a connection's write-ahead log is copied into its file.
#pragma once

#include "sqlite.hpp"

#include <cstdint>
#include <memory>

namespace snl {

/// Watches the commits of one connection, which must live as long, and must not commit once this is
/// gone.
class Checkpoints {
 public:
  explicit Checkpoints(sqlite::Connection& connection);
  Checkpoints& operator=(Checkpoints&&) = delete;
  ~Checkpoints() = default;

  /// Call it after a commit, outside a transaction. Never throws StoreError: the commit is durable
  /// in the log, and the next call tries again.
  void make_if_due() {
    if (wal_frames_ >= due_frames_) make();
  }

 private:
  void make();

  sqlite::Connection& connection_;
  std::unique_ptr<sqlite::Connection> guard_;  // made when first needed
  std::int64_t due_frames_;
  int wal_frames_ = 0;
};

}  // namespace snl
