#include "output_file.hpp"

#include "failure.hpp"
#include "next_step.hpp"
#include "output.hpp"
#include "storage/held_signals.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

namespace snl::cli {
namespace {

namespace fs = std::filesystem;

Failure not_written(const std::string& path) {
  return {Exit::failed,
          fmt::format("{}: it can't be written: {}", path, reason_and_next_step(errno))};
}

Failure there_already(const std::string& path) {
  return {Exit::usage, fmt::format("{}: it is there already; --force overwrites it", path)};
}

bool is_stdout(const std::string& path) {
  return path == "-" || path == "/dev/stdout";
}

/// A device or a pipe can't be replaced.
bool is_special(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// The end of a chain of links; no file need be there yet.
std::string end_of_links(const std::string& path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  fs::path place = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(place, error)); ++links) {
    if (links == most_links)
      throw Failure(Exit::failed,
                    fmt::format("{}: its links lead nowhere; give the path of a file", path));
    place = place.parent_path() / fs::read_symlink(place, error);
  }
  return place.string();
}

/// A template for mkostemp: a name in the same folder, cut to the longest that a name may be.
std::string name_beside(const std::string& place) {
  constexpr std::string_view ending = ".XXXXXX";
  const fs::path path = place;
  const std::string name = path.filename().string();
  return (path.parent_path() / name.substr(0, NAME_MAX - ending.size())).string() +
         std::string(ending);
}

/// Renames a file to a name that nothing has. On failure, errno tells why.
bool name_new_file(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // This file system can't do that in one step: add the second name, then remove the first.
  return link(from.c_str(), to.c_str()) == 0 && unlink(from.c_str()) == 0;
}

}  // namespace

OutputFile::OutputFile(const Session& session, std::string path, Occupied occupied)
    : path_(std::move(path)), occupied_(occupied) {
  if (is_stdout(path_)) return;
  check_writable(session, path_, occupied);
  if (is_special(path_)) {
    file_.reset(std::fopen(path_.c_str(), "wbe"));
    if (!file_) throw not_written(path_);
    return;
  }
  place_ = occupied == Occupied::replace ? end_of_links(path_) : path_;
  make_unfinished();
}

OutputFile::~OutputFile() {
  std::error_code error;
  if (!unfinished_.empty()) fs::remove(unfinished_, error);
}

void OutputFile::make_unfinished() {
  std::string name = name_beside(place_);
  const HeldSignals held;  // until the file that they remove is noted
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw not_written(path_);
  remove_when_interrupted(name);
  unfinished_ = std::move(name);
  file_.reset(fdopen(descriptor, "wb"));
  if (!file_) throw not_written(path_);
}

void OutputFile::write(std::string_view text) {
  if (!file_) return print_names(text);
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    throw not_written(path_);
}

void OutputFile::commit() {
  if (!file_) return;
  if (std::fflush(file_.get()) != 0) throw not_written(path_);
  if (unfinished_.empty()) return;
  set_mode();
  if (fsync(fileno(file_.get())) != 0) throw not_written(path_);
  take_place();
  unfinished_.clear();
}

void OutputFile::set_mode() const {
  const int descriptor = fileno(file_.get());
  const mode_t mask = umask(0);
  umask(mask);
  mode_t mode = 0666U & ~mask;
  struct stat before{};
  if (stat(place_.c_str(), &before) == 0) {
    mode = before.st_mode & 07777U;
    // Only root may give files away. For all others, the new file is their own.
    if (fchown(descriptor, before.st_uid, before.st_gid) != 0) mode &= 0777U;
  }
  if (fchmod(descriptor, mode) != 0) throw not_written(path_);
}

void OutputFile::take_place() {
  const bool done = occupied_ == Occupied::replace
                        ? std::rename(unfinished_.c_str(), place_.c_str()) == 0
                        : name_new_file(unfinished_, place_);
  if (done) return;
  if (occupied_ == Occupied::refuse && errno == EEXIST) throw there_already(path_);
  throw not_written(path_);
}

void check_not_read(const std::string& path, const std::vector<std::string>& read,
                    std::string_view option) {
  std::error_code error;
  for (const std::string& other : read)
    if (fs::equivalent(path, other, error))
      throw Failure(
          Exit::usage,
          fmt::format("{} {}: this command reads that file; name another one", option, path));
}

void check_writable(const Session& session, const std::string& path, Occupied occupied) {
  if (is_stdout(path)) return;
  session.check_no_part_of_store(path);
  std::error_code error;
  if (fs::is_directory(path, error))
    throw Failure(Exit::failed,
                  fmt::format("{}: it is a directory; give the path of a file", path));
  if (fs::path(path).filename().string().size() > NAME_MAX) {
    errno = ENAMETOOLONG;
    throw not_written(path);
  }
  if (occupied == Occupied::replace) return session.check_no_part_of_store(end_of_links(path));
  if (fs::exists(fs::symlink_status(path, error)) && !is_special(path)) throw there_already(path);
}

namespace {

/// The file that a signal removes before it ends the process. A handler can reach only globals.
std::array<char, 4096> unfinished_file{};

extern "C" void remove_and_leave(int signal) {
  if (unfinished_file[0] != '\0') (void)unlink(unfinished_file.data());
  if (signal == SIGINT) _exit(static_cast<int>(Exit::interrupted));
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

/// Whether a signal ends the process by default, and can be handled.
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

}  // namespace snl::cli
