// Reading a database without making files beside it.
#pragma once

#include "sqlite.hpp"

#include <array>

namespace snl {

/// SQLite reads a database with a write-ahead log only if it may make files beside it, or if it is
/// told that the file never changes. Here it is told so (Access::immutable). Whether that was true
/// is checked afterwards:
///
/// This takes the lock that every reader takes on the file itself, SHARED. While somebody holds it,
/// nobody removes a write-ahead log or its -shm, and nobody changes the file except through them: a
/// writer without such a log would need the lock EXCLUSIVE. So if there is no log when the reading
/// ends, nobody has written since it began. If there is one, the data may be torn: it is thrown
/// away, and read again with the log.
class StillFile {
 public:
  /// Waits for the lock for at most `timeout` milliseconds. Throws sqlite::Error.
  StillFile(const sqlite::Connection& connection, int timeout);

  /// True if the file is the whole database, and complete: there is no write-ahead log that holds
  /// anything or that anybody may be writing to, and nothing that a killed writer left to be
  /// undone.
  bool is_whole() const;

  /// Call it before a reading. False if the file may have changed since the last one.
  bool begin();

  /// Call it after a reading. False if somebody may have written meanwhile.
  bool end();

 private:
  /// The part of a database's first page that changes with each write without a write-ahead log.
  using Mark = std::array<unsigned char, 12>;

  void lock();
  void unlock();
  Mark mark() const;
  bool has_leftover_journal() const;
  void require(int code) const;

  sqlite3* handle_;
  int timeout_;
  bool keeps_lock_ = false;
  bool locked_ = false;
  Mark mark_{};
};

}  // namespace snl
