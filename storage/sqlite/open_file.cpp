#include "open_file.hpp"

#include "storage/store_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace snl::sqlite {
namespace {

namespace fs = std::filesystem;

/// The path of a file that this process has open; none if it has no name any more.
std::optional<std::string> place_of(const FileIdentity& file) {
  std::error_code error;
  for (const fs::directory_entry& open : fs::directory_iterator("/proc/self/fd", error)) {
    const auto there = identity_of(open.path().string());
    if (!there || !there->is(file) || there->names == 0) continue;
    const fs::path place = fs::read_symlink(open.path(), error);
    if (!error) return place.string();
  }
  return std::nullopt;
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct statx status{};
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_NLINK, &status) != 0) return std::nullopt;
  return FileIdentity{.device = (std::uint64_t{status.stx_dev_major} << 32U) | status.stx_dev_minor,
                      .number = status.stx_ino,
                      .names = status.stx_nlink,
                      // Linux before 5.8 doesn't say.
                      .is_mounted = (status.stx_attributes & status.stx_attributes_mask &
                                     STATX_ATTR_MOUNT_ROOT) != 0};
}

std::optional<std::string> other_names(const std::string& path, const FileIdentity& file) {
  if (file.names > 1)
    return fmt::format(
        "its file has {} names (hard links), and turns that are played under one are lost to the "
        "others; look for them with find / -xdev -samefile {}, and leave it one",
        file.names, path);
  if (file.is_mounted)
    return "the file itself is mounted there, and turns that are played here are lost under its "
           "other name; use a mount of its folder instead";
  return std::nullopt;
}

OpenFile::OpenFile(std::string path, sqlite3* handle)
    : path_(std::move(path)), file_(identity_of(path_)) {
  const char* log_path = sqlite3_filename_wal(sqlite3_db_filename(handle, "main"));
  if (log_path != nullptr) log_path_ = log_path;
  int has_moved = 0;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  if (has_moved != 0)
    throw StoreError(StoreError::Cause::failed,
                     fmt::format("store {}: another file was put in its place while it was opened; "
                                 "try again",
                                 path_));
}

void OpenFile::require_to_commit() {
  const auto now = require(Doing::writing);
  if (!now) return;
  if (const auto why = other_names(path_, *now))
    throw StoreError(StoreError::Cause::failed,
                     fmt::format("store {}: nothing new was recorded: {}", path_, *why));
  const auto log = identity_of(log_path_);
  if (log && !log_) log_ = log;
  if (!log_ || (log && log->is(*log_))) return;
  fail("the file beside it that ends in -wal was deleted or replaced while it was open",
       Doing::writing, "close each snl that has it open, then see snl audit");
}

bool OpenFile::was_moved_without_its_log() const {
  if (!file_ || identity_of(path_) || (errno != ENOENT && errno != ENOTDIR)) return false;
  const auto place = place_of(*file_);
  std::error_code error;
  if (!place || fs::exists(*place + "-wal", error) || error) return false;
  const auto file_changed = fs::last_write_time(*place, error);
  if (error) return false;
  const auto log_changed = fs::last_write_time(log_path_, error);
  return !error && file_changed <= log_changed;
}

/// Identifies the file that is there now.
std::optional<FileIdentity> OpenFile::require(Doing doing) const {
  if (!file_) return std::nullopt;
  const auto now = identity_of(path_);
  if (now && now->is(*file_)) return now;
  const int error = errno;
  if (!now && error != ENOENT && error != ENOTDIR)
    fail(fmt::format("its path can't be followed any more: {}", std::strerror(error)), doing,
         "check the permissions");
  const auto place = place_of(*file_);
  if (now)
    fail(fmt::format("another file was put in its place while it was open; {}",
                     place ? fmt::format("the one that was open, with its turns, is {} now", *place)
                           : "the one that was open was deleted, with its turns"),
         doing,
         place ? "put that file back, or end this process and start it again"
               : "restore a copy, or start again");
  if (place)
    fail(fmt::format("its file was moved while it was open: it is {} now", *place), doing,
         "move it back, or end this process and open the store there");
  fail("its file was deleted while it was open, with its turns", doing,
       "restore a copy with snl db restore, then start again");
}

void OpenFile::fail(const std::string& why, Doing doing, const std::string& way_out) const {
  throw StoreError(
      StoreError::Cause::failed,
      fmt::format("store {}: {}; {}{}", path_, why,
                  doing == Doing::writing ? "nothing new was recorded; " : "", way_out));
}

}  // namespace snl::sqlite
