// The file that a connection has open, and whether its path still leads there.
//
// A file stays open whatever becomes of its name: one that was moved, deleted or replaced takes
// every write, for nobody to find. And SQLite keeps a write-ahead log beside a file for each name
// that it has: who writes under one name doesn't see what was written under the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct sqlite3;

namespace snl::sqlite {

/// What tells one file from all others, and whether it can be found under several names.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;  // the inode's
  std::uint32_t names = 0;   // hard links
  bool is_mounted = false;   // the file itself, not only a folder that it is in

  bool is(const FileIdentity& other) const {
    return device == other.device && number == other.number;
  }
};

/// None where nothing is there, or it can't be told; errno says why.
std::optional<FileIdentity> identity_of(const std::string& path);

/// Why nobody may write to a file under this name; none if it has no other. A sentence with the way
/// out.
std::optional<std::string> other_names(const std::string& path, const FileIdentity& file);

class OpenFile {
 public:
  /// Of what was just opened. Throws StoreError if another file is there by now. A path at which
  /// nothing can be seen has no identity, and is never in question.
  OpenFile(std::string path, sqlite3* handle);

  /// Throws StoreError unless the path leads to it. Costs one call of the system.
  void require_in_place() const;

  /// The same, and that it has no other name, and that its write-ahead log is the one that is open:
  /// for a transaction that wrote, before it is committed. Costs two.
  void require_to_commit();

  /// Whether it was moved without its write-ahead log, and nobody has written to it under its new
  /// name: what is only in the log is to be brought into the file then, or who opens that wouldn't
  /// see it. SQLite itself leaves such a log alone.
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
