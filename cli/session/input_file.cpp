#include "input_file.hpp"

#include "failure.hpp"
#include "next_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace snl::cli {
namespace {

namespace fs = std::filesystem;

Failure io_failure(const std::string& name, std::string_view what) {
  return {Exit::failed, fmt::format("{}: {}: {}", name, what, reason_and_next_step(errno))};
}

std::FILE* open_to_read(const std::string& path) {
  if (path == "-") return stdin;
  std::error_code error;
  if (fs::is_directory(path, error))
    throw Failure(Exit::failed,
                  fmt::format("{}: it is a directory; give the path of a file", path));
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) throw io_failure(path, "it can't be read");
  return file;
}

}  // namespace

void CloseInput::operator()(std::FILE* file) const {
  if (file != stdin) (void)std::fclose(file);
}

std::string name_of_input(const std::string& path) {
  return path == "-" ? "stdin" : path;
}

LineReader::LineReader(const std::string& path, std::size_t max_line)
    : name_(name_of_input(path)), max_line_(max_line), file_(open_to_read(path)) {}

std::optional<std::string> LineReader::next() {
  ++number_;
  std::string line;
  int byte = 0;
  while ((byte = getc_unlocked(file_.get())) != EOF && byte != '\n') {
    if (line.size() == max_line_)
      throw Failure(Exit::usage,
                    fmt::format("{}: line {} is longer than {} bytes", name_, number_, max_line_));
    line += static_cast<char>(byte);
  }
  if (std::ferror(file_.get()) != 0) throw io_failure(name_, "it can't be read");
  if (byte == EOF && line.empty()) return std::nullopt;
  return line;
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  // One byte more than a power of two: doubling it ends exactly at a limit that is a power of two.
  constexpr std::size_t first_room = (std::size_t{1} << 16U) + 1;
  const std::unique_ptr<std::FILE, CloseInput> file(open_to_read(path));
  std::error_code error;
  const auto size = path == "-" ? 0 : fs::file_size(path, error);
  // One byte more than expected: it shows whether the file ends there, or is too large.
  std::size_t room = std::max(first_room, error ? 0 : std::min<std::size_t>(size, max_bytes) + 1);
  std::string text;
  for (;; room = std::min(2 * room, max_bytes + 1)) {
    const std::size_t used = text.size();
    text.resize_and_overwrite(room, [&](char* bytes, std::size_t length) {
      return used + std::fread(bytes + used, 1, length - used, file.get());
    });
    if (text.size() > max_bytes)
      throw Failure(Exit::usage,
                    fmt::format("{}: it is larger than {} bytes", name_of_input(path), max_bytes));
    if (text.size() < room) break;
  }
  if (std::ferror(file.get()) != 0) throw io_failure(name_of_input(path), "it can't be read");
  return text;
}

}  // namespace snl::cli
