// The place for the files of benchmarks.
#pragma once

#include "../temporary_folder.hpp"

#include <string>

namespace snl::benchmarks {

/// The type of the file system that folders are made on: "ext4".
std::string file_system_of_folders();

/// $TMPDIR if that is set, else build/, else the working directory. Not /tmp, which is often kept
/// in memory: benchmarks measure the time until a turn is on a disk.
std::string place_of_folders();

/// A temporary folder in that place. All of them are on one file system, so a subject and its
/// baseline write to the same one.
class Folder : public test::TemporaryFolder {
 public:
  Folder();
};

}  // namespace snl::benchmarks
