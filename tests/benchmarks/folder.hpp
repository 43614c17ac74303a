// Where benchmarks keep their files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace snl::benchmarks {

/// The type of the file system that folders are made on: "ext4".
std::string file_system_of_folders();

/// A new folder, gone with all that is in it when this goes.
///
/// It is made in $TMPDIR where that is set, else in build/, else in the working directory: /tmp is
/// often kept in memory, and how long a turn takes to be on a disk is what is measured. All of them
/// are on one file system, so that a subject and its baseline write to the same one.
class Folder {
 public:
  /// Throws std::system_error.
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  /// The path of a file in it.
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace snl::benchmarks
