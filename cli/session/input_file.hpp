// Files that commands read; "-" is stdin.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace snl::cli {

/// Closes an input file, but not stdin.
struct CloseInput {
  void operator()(std::FILE* file) const;
};

/// The name of an input file in messages.
std::string name_of_input(const std::string& path);

/// Reads the lines of a file or of stdin. Throws Failure if it can't be read, or if a line has more
/// than `max_line` bytes; it takes no more memory than that.
class LineReader {
 public:
  LineReader(const std::string& path, std::size_t max_line);
  /// The next line without its end; none after the last.
  std::optional<std::string> next();
  /// Allows longer lines from here on.
  void allow(std::size_t max_line) { max_line_ = max_line; }

 private:
  std::string name_;
  std::size_t max_line_;
  std::size_t number_ = 0;  // of the last line that was read
  std::unique_ptr<std::FILE, CloseInput> file_;
};

/// The whole of a file or of stdin. Throws Failure if it can't be read or has more than
/// `max_bytes`.
std::string read_file(const std::string& path, std::size_t max_bytes);

}  // namespace snl::cli
