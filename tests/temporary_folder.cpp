#include "temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace snl::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  std::string pattern = (fs::absolute(parent) / "snl-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);  // a test may have taken them away
  fs::remove_all(path_, ignored);
}

}  // namespace snl::test
