#include "temporary_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <system_error>

namespace snl::test {

namespace fs = std::filesystem;

std::string place_for_folders() {
  const std::string memory = "/dev/shm";
  constexpr std::uintmax_t enough = 1U << 30U;  // bytes; a container may have only a few
  std::error_code none;
  const bool chosen = std::getenv("TMPDIR") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  if (chosen || access(memory.c_str(), W_OK) != 0) return fs::temp_directory_path().string();
  const auto space = fs::space(memory, none);
  return !none && space.available >= enough ? memory : fs::temp_directory_path().string();
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  std::string pattern = (fs::absolute(parent) / "snl-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);  // a test may have removed its permissions
  fs::remove_all(path_, ignored);
}

}  // namespace snl::test
