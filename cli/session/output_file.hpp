// Files as commands make them: whole, or not at all.
#pragma once

#include "session.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace snl::cli {

/// What becomes of a file that has the name already.
enum class Existing : std::uint8_t { keep, replace };

/// A file that is written beside its place and takes its name when it is committed; destroyed
/// before that, it leaves nothing. "-" is stdout, and so is /dev/stdout; on a terminal names are
/// shown as print_names() shows them. A device or a pipe is written to as it is.
///
/// A file that is kept stays the same file even if it appeared while this one was written. One that
/// is replaced keeps its mode, and its owner where that may be; what a link leads to is replaced,
/// not the link.
class OutputFile {
 public:
  /// Throws Failure as check_writable() does, and where no file can be made.
  OutputFile(const Session& session, std::string path, Existing existing);
  ~OutputFile();

  void write(std::string_view text);

  /// What was written is on the disk, under its name, when this returns. Throws Failure.
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
  std::string unfinished_;  // its name until it is committed; empty where there is no other file
  Existing existing_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// Throws Failure for a file that can't be written, as far as that is known before there is
/// anything to write: a directory, a part of the session's store, or one that is to be kept.
void check_writable(const Session& session, const std::string& path, Existing existing);

/// Has the signals that end a process remove a file first, the last one that this was called with.
/// Signals that are ignored stay so.
void remove_when_interrupted(const std::string& path);

}  // namespace snl::cli
