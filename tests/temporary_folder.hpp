// A folder for files that exist no longer than the test or benchmark that made them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace snl::test {

/// The place for folders: in memory if possible, so that no test waits for a disk. TMPDIR overrides
/// it.
std::string place_for_folders();

/// A new folder, which the destructor removes with all its files.
class TemporaryFolder {
 public:
  /// In `parent`, which must exist. Throws std::system_error.
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in it.
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace snl::test
