// Files as commands take them; "-" is stdin.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace snl::cli {

/// Closes a file that is read, but not stdin.
struct CloseInput {
  void operator()(std::FILE* file) const;
};

/// What messages call the file of this path.
std::string name_of_input(const std::string& path);

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

}  // namespace snl::cli
