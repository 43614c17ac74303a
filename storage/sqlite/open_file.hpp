// The file that a connection has open, and whether its path still leads there.
//
// A file stays open whatever happens to its name. If it is moved, deleted or replaced, it still
// takes every write, and nobody finds them again. And SQLite keeps a write-ahead log for each name
// of a file: a process that opens one name doesn't see writes under the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct sqlite3;

namespace snl::sqlite {

/// Tells one file from all others, and whether it can be found under several names.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;  // the inode's
  std::uint32_t names = 0;   // hard links
  bool is_mounted = false;   // the file itself, not only a folder that it is in

  bool is(const FileIdentity& other) const {
    return device == other.device && number == other.number;
  }
};

/// None if nothing is there or the identity is unknown; errno says why.
std::optional<FileIdentity> identity_of(const std::string& path);

/// Why nobody may write to a file under this name, in a sentence with the way out; none if it has
/// no other name.
std::optional<std::string> other_names(const std::string& path, const FileIdentity& file);

class OpenFile {
 public:
  /// For a file that was just opened. Throws StoreError if another file is there by now. If the
  /// file can't be identified, all later checks pass.
  OpenFile(std::string path, sqlite3* handle);

  /// Throws StoreError unless the path leads to the file. Costs one system call.
  void require_in_place() const { (void)require(Doing::reading); }

  /// The same, and checks that the file has no other name, and that its write-ahead log is the open
  /// one. For a transaction that wrote, before it commits. Costs two system calls.
  void require_to_commit();

  /// Whether it was moved without its write-ahead log, and nobody has written to it under its new
  /// name. Then the contents of the log must be copied into the file, or nobody who opens it there
  /// would see them. SQLite itself leaves such a log alone.
  bool was_moved_without_its_log() const;

 private:
  enum class Doing : std::uint8_t { reading, writing };
  std::optional<FileIdentity> require(Doing doing) const;
  [[noreturn]] void fail(const std::string& why, Doing doing, const std::string& way_out) const;

  std::string path_;
  std::string log_path_;
  std::optional<FileIdentity> file_;
  std::optional<FileIdentity> log_;  // known as of the first commit
};

}  // namespace snl::sqlite
