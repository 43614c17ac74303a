// Files that commands write: whole, or not at all.
#pragma once

#include "session.hpp"
#include "storage/store_admin.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// A file that is written beside its place, and takes its name when it is committed. If it is
/// destroyed before that, it leaves nothing behind. "-" and /dev/stdout are stdout; on a terminal,
/// names are shown as print_names() shows them. A device or a pipe is written directly.
///
/// With Occupied::refuse, a file that is there stays, even if it appeared while this one was
/// written. A file that is replaced passes on its mode and, where permitted, its owner. Through a
/// link, the file that it leads to is replaced, not the link.
class OutputFile {
 public:
  /// Throws Failure as check_writable() does, and if no file can be made.
  OutputFile(const Session& session, std::string path, Occupied occupied);
  ~OutputFile();

  void write(std::string_view text);

  /// Returns once the file is on the disk under its name. Throws Failure.
  void commit();

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };

  void make_unfinished();
  void set_mode() const;
  void take_place();

  std::string path_;  // as it was given
  std::string place_;
  std::string unfinished_;  // its name until it is committed; empty if it is written directly
  Occupied occupied_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// Throws Failure for a file that is known to be unwritable before there is anything to write: a
/// directory, a part of the session's store, or a file that must stay.
void check_writable(const Session& session, const std::string& path, Occupied occupied);

/// Throws Failure if the file to write, which `option` names, is one of those that the command
/// reads.
void check_not_read(const std::string& path, const std::vector<std::string>& read,
                    std::string_view option = "-o");

/// Makes the signals that end the process remove this file first, and no longer the file of an
/// earlier call. Ignored signals stay ignored.
void remove_when_interrupted(const std::string& path);

}  // namespace snl::cli
