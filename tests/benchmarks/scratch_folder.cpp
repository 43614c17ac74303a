#include "scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace snl::benchmarks {

ScratchFolder::ScratchFolder() {
  const char* const asked = std::getenv("TMPDIR");
  const std::filesystem::path parent =
      asked != nullptr ? std::filesystem::path(asked) : std::filesystem::current_path();
  std::string name = (parent / "snl-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(),
                            "no folder for the benchmark in " + parent.string());
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace snl::benchmarks
