#include "folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace snl::benchmarks {

namespace fs = std::filesystem;

std::string place_of_folders() {
  const char* const chosen = std::getenv("TMPDIR");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return fs::is_directory("build") ? "build" : ".";
}

std::string file_system_of_folders() {
  const std::string folder = fs::absolute(place_of_folders()).string();
  std::ifstream mounts("/proc/self/mounts");
  std::string longest;
  std::string found = "an unknown file system";
  for (std::string device, point, type, rest;
       mounts >> device >> point >> type && std::getline(mounts, rest);) {
    const bool holds =
        folder.starts_with(point) &&
        (point.ends_with('/') || folder.size() == point.size() || folder[point.size()] == '/');
    if (!holds || point.size() < longest.size()) continue;
    longest = point;
    found = type;
  }
  return found;
}

Folder::Folder() : TemporaryFolder(place_of_folders()) {}

}  // namespace snl::benchmarks
