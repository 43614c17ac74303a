#include "still_file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

namespace snl {
namespace {

/// SQLite's own handle of the file. (Opening and closing the file separately would drop SQLite's
/// locks: POSIX locks belong to the process.)
sqlite3_file& file_of(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  return *file;
}

/// The size of a file; none if it isn't there.
std::optional<off_t> size_of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_size;
}

std::string path_of(sqlite3* handle) {
  return sqlite3_db_filename(handle, "main");  // with links followed
}

}  // namespace

StillFile::StillFile(const sqlite::Connection& connection, int timeout)
    : handle_(connection.handle()), timeout_(timeout) {
  lock();
  mark_ = mark();
  // A file with a write-ahead log doesn't show its changes, so the lock has to be held all the
  // time. That is in nobody's way; without such a log it would be in every writer's.
  constexpr unsigned char with_write_ahead_log = 2;
  keeps_lock_ = mark_[0] == with_write_ahead_log;
}

bool StillFile::is_whole() const {
  const std::string path = path_of(handle_);
  const auto log = size_of(path + "-wal");
  const bool is_unused = !log || (*log == 0 && !size_of(path + "-shm"));
  return is_unused && !has_leftover_journal();
}

/// A journal of a writer at work doesn't matter: the lock keeps that writer from the file.
bool StillFile::has_leftover_journal() const {
  const auto is_there = [&] { return size_of(path_of(handle_) + "-journal").value_or(0) > 0; };
  if (!is_there()) return false;
  int somebody_writes = 0;
  sqlite3_file& file = file_of(handle_);
  if (file.pMethods->xCheckReservedLock(&file, &somebody_writes) != SQLITE_OK) return true;
  return somebody_writes == 0 && is_there();
}

bool StillFile::begin() {
  if (locked_) return is_whole();
  lock();
  return is_whole() && mark() == mark_;
}

bool StillFile::end() {
  const bool was_whole = is_whole();
  if (!keeps_lock_) unlock();
  return was_whole;
}

void StillFile::lock() {
  constexpr std::chrono::milliseconds pause{1};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds{timeout_};
  sqlite3_file& file = file_of(handle_);
  int code = SQLITE_BUSY;
  while ((code = file.pMethods->xLock(&file, SQLITE_LOCK_SHARED)) == SQLITE_BUSY &&
         std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(pause);
  require(code);
  locked_ = true;
}

void StillFile::unlock() {
  sqlite3_file& file = file_of(handle_);
  file.pMethods->xUnlock(&file, SQLITE_LOCK_NONE);
  locked_ = false;
}

void StillFile::require(int code) const {
  if (code == SQLITE_OK) return;
  const std::string_view why = (code & 0xFF) == SQLITE_BUSY
                                   ? "another process is using it and did not let go in time"
                                   : "the disk failed to read or to lock it";
  throw sqlite::Error(code, fmt::format("store {}: {}; try again", path_of(handle_), why));
}

/// The journal mode in bytes 18 and 19, the change counter from 24 on, and the number of pages
/// after it. Zeros for a file that has no page yet.
StillFile::Mark StillFile::mark() const {
  constexpr int first_byte = 18;
  constexpr int changes = 24;
  std::array<unsigned char, 32> header{};
  sqlite3_file& file = file_of(handle_);
  const int code = file.pMethods->xRead(&file, header.data(), static_cast<int>(header.size()), 0);
  if (code != SQLITE_IOERR_SHORT_READ) require(code);  // it fills the rest with zeros
  Mark mark{};
  std::copy_n(header.begin() + first_byte, 2, mark.begin());
  std::copy_n(header.begin() + changes, 8, mark.begin() + 2);
  return mark;
}

}  // namespace snl
