// Reading a database beside which nothing may be made.
#pragma once

#include "sqlite.hpp"

#include <array>

namespace snl {

/// SQLite reads a database with a write-ahead log only where it may make files beside it, or where
/// it is told that the file never changes. Here it is told so (Access::immutable), and whether it
/// was true is found out afterwards:
///
/// This takes the lock that every reader takes on the file itself, SHARED. While somebody holds it,
/// nobody removes a write-ahead log or its -shm, and nobody changes the file but by way of them: a
/// writer without such a log would need the lock EXCLUSIVE. So if there is no log when the reading
/// ends, nobody has written since it began. If there is one, what was read may be torn: it is
/// forgotten, and read again with the log.
class StillFile {
 public:
  /// Waits for the lock as the connection waits for others. Throws sqlite::Error.
  StillFile(const sqlite::Connection& connection, int timeout);

  /// True if the file is all there is of the database, and whole: no write-ahead log with anything
  /// in it or that anybody may be writing to, and nothing that a killed writer left to be undone.
  bool is_whole() const;

  /// Before a reading. False if the file may be another than it was at the last one.
  bool begin();

  /// After a reading: false if somebody may have written meanwhile.
  bool end();

 private:
  /// What a database tells of its changes in its first page, if it has no write-ahead log.
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
