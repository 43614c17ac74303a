// A folder of its own for files that are measured.
#pragma once

#include <filesystem>
#include <string>

namespace snl::benchmarks {

/// A new, empty folder under $TMPDIR, else under the working directory: what is measured is a disk,
/// and /tmp is none on many machines. Removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder(ScratchFolder&&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  /// The path of a file in it.
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace snl::benchmarks
