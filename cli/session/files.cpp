#include "files.hpp"

#include "failure.hpp"
#include "storage/held_signals.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace snl::cli {
namespace {

namespace fs = std::filesystem;

Failure io_failure(const std::string& name, std::string_view what) {
  return {Exit::failed, fmt::format("{}: {}: {}", name, what, std::strerror(errno))};
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

LineReader::LineReader(const std::string& path, std::size_t max_line)
    : name_(path == "-" ? "stdin" : path), max_line_(max_line), file_(open_to_read(path)) {}

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
  // A byte more than a power of two: doubled again and again it ends at a limit that is one.
  constexpr std::size_t first_room = (std::size_t{1} << 16U) + 1;
  const std::unique_ptr<std::FILE, CloseInput> file(open_to_read(path));
  std::error_code error;
  const auto size = path == "-" ? 0 : fs::file_size(path, error);
  // A byte more than there should be shows that there is no more, or too much.
  std::size_t room = std::max(first_room, error ? 0 : std::min<std::size_t>(size, max_bytes) + 1);
  std::string text;
  for (;; room = std::min(2 * room, max_bytes + 1)) {
    const std::size_t used = text.size();
    text.resize_and_overwrite(room, [&](char* bytes, std::size_t length) {
      return used + std::fread(bytes + used, 1, length - used, file.get());
    });
    if (text.size() > max_bytes)
      throw Failure(Exit::usage, fmt::format("{}: it is larger than {} bytes", path, max_bytes));
    if (text.size() < room) break;
  }
  if (std::ferror(file.get()) != 0)
    throw io_failure(path == "-" ? "stdin" : path, "it can't be read");
  return text;
}

namespace {

/// What a signal removes before it ends the process; a handler finds nothing but this.
std::array<char, 4096> unfinished_file{};

extern "C" void remove_and_leave(int signal) {
  if (unfinished_file[0] != '\0') (void)unlink(unfinished_file.data());
  if (signal == SIGINT) _exit(static_cast<int>(Exit::interrupted));
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

/// By default, and so that the process is told of it.
bool ends_a_process(int signal) {
  constexpr std::array others{SIGCHLD, SIGCONT, SIGKILL, SIGSTOP, SIGTSTP,
                              SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH};
  return std::ranges::find(others, signal) == others.end();
}

}  // namespace

void remove_when_interrupted(const std::string& path) {
  if (path.size() >= unfinished_file.size()) return;
  unfinished_file[path.copy(unfinished_file.data(), path.size())] = '\0';
  for (int signal = 1; signal < NSIG; ++signal)
    if (ends_a_process(signal) && std::signal(signal, remove_and_leave) == SIG_IGN)
      (void)std::signal(signal, SIG_IGN);
}

namespace {

using Write = std::function<void(const std::function<void(std::string_view)>&)>;
using File = std::unique_ptr<std::FILE, decltype([](std::FILE* file) { (void)std::fclose(file); })>;

void write_all(std::FILE* file, const std::string& path, const Write& write) {
  write([&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
      throw io_failure(path, "it can't be written");
  });
  if (std::fflush(file) != 0) throw io_failure(path, "it can't be written");
}

/// A device or a pipe: there is nothing to replace.
void write_special_file(const std::string& path, const Write& write) {
  const File file(std::fopen(path.c_str(), "wbe"));
  if (!file) throw io_failure(path, "it can't be written");
  write_all(file.get(), path, write);
}

void replace_file(const std::string& path, const Write& write) {
  std::error_code error;
  std::string unfinished = path + ".XXXXXX";
  const int descriptor = [&] {
    const HeldSignals held;  // until it is known what they have to remove
    const int made = mkostemp(unfinished.data(), O_CLOEXEC);
    if (made >= 0) remove_when_interrupted(unfinished);
    return made;
  }();
  if (descriptor < 0) throw io_failure(path, "it can't be written");
  const File file(fdopen(descriptor, "wb"));
  try {
    write_all(file.get(), path, write);
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor, 0666U & ~mask) != 0 || fsync(descriptor) != 0)
      throw io_failure(path, "it can't be written");
    fs::rename(unfinished, path);
  } catch (...) {
    fs::remove(unfinished, error);
    throw;
  }
}

}  // namespace

void check_writable(const Session& session, const std::string& path, bool force) {
  if (path == "-") return;
  session.check_no_part_of_store(path);
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status))
    throw Failure(Exit::failed,
                  fmt::format("{}: it is a directory; give the path of a file", path));
  if (fs::is_regular_file(status) && !force)
    throw Failure(Exit::usage, fmt::format("{}: it is there already; --force overwrites it", path));
}

void write_file(const Session& session, const std::string& path, bool force, const Write& write) {
  if (path == "-") {
    write(print_names);
    return;
  }
  check_writable(session, path, force);
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_special_file(path, write);
  replace_file(path, write);
}

}  // namespace snl::cli
