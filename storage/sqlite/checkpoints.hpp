// When the write-ahead log of a connection's file is brought into the file.
#pragma once

#include "sqlite.hpp"

#include <cstdint>
#include <memory>

namespace snl {

/// Watches what one connection commits. Must not outlive it, nor be left by it.
class Checkpoints {
 public:
  explicit Checkpoints(sqlite::Connection& connection);
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;
  Checkpoints(Checkpoints&&) = delete;
  Checkpoints& operator=(Checkpoints&&) = delete;
  ~Checkpoints() = default;

  /// To be called after a commit, outside a transaction. Never throws StoreError: what was
  /// committed is in the log, durably, and the next one tries again.
  void make_if_due();

 private:
  sqlite::Connection& connection_;
  std::unique_ptr<sqlite::Connection> guard_;  // made when first needed
  std::int64_t due_frames_;
  int wal_frames_ = 0;
};

}  // namespace snl
