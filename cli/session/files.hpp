// Files as commands take and make them; "-" is stdin or stdout.
#pragma once

#include "session.hpp"

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// Closes a file that is read, but not stdin.
struct CloseInput {
  void operator()(std::FILE* file) const;
};

/// Reads lines of a file or of stdin. Throws Failure where it can't be read or where a line is
/// longer than `max_line` bytes, before more memory than that is taken.
class LineReader {
 public:
  LineReader(const std::string& path, std::size_t max_line);
  /// The next line without its end; none after the last.
  std::optional<std::string> next();
  /// Takes longer lines from here on.
  void allow(std::size_t max_line) { max_line_ = max_line; }

 private:
  std::string name_;
  std::size_t max_line_;
  std::size_t number_ = 0;  // of the line that was read last
  std::unique_ptr<std::FILE, CloseInput> file_;
};

/// All of a file or of stdin. Throws Failure where it can't be read or is larger than `max_bytes`.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// Has the signals that end a process remove a file first, the last one that this was called with.
/// Signals that are ignored stay so.
void remove_when_interrupted(const std::string& path);

/// Throws the Failure that write_file would, where that can be known before there is anything to
/// write.
void check_writable(const Session& session, const std::string& path, bool force);

/// Writes a file as a whole or not at all: what `write` is given goes to a file beside it, which
/// takes its name in the end. Throws Failure if the file exists and `force` is not set, and in any
/// case if it is part of the session's store. "-" is stdout; on a terminal names are shown as
/// print_names() shows them.
void write_file(const Session& session, const std::string& path, bool force,
                const std::function<void(const std::function<void(std::string_view)>&)>& write);

}  // namespace snl::cli
