// Where benchmarks keep their files.
#pragma once

#include "../temporary_folder.hpp"

#include <string>

namespace snl::benchmarks {

/// The type of the file system that folders are made on: "ext4".
std::string file_system_of_folders();

/// $TMPDIR where that is set, else build/, else the working directory: /tmp is often kept in
/// memory, and how long a turn takes to be on a disk is what is measured.
std::string place_of_folders();

/// A temporary folder in that place. All of them are on one file system, so that a subject and its
/// baseline write to the same one.
class Folder : public test::TemporaryFolder {
 public:
  Folder();
};

}  // namespace snl::benchmarks
