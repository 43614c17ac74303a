#include "durable_file.hpp"

#include "storage/store_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace snl::transparency {

Descriptor::Descriptor(const std::string& path, int flags, unsigned mode)
    : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}

Descriptor::~Descriptor() {
  if (number_ >= 0) (void)close(number_);
}

int Descriptor::release() {
  return std::exchange(number_, -1);
}

void refuse_file(const std::string& path, std::string_view what) {
  throw StoreError(StoreError::Cause::failed, fmt::format("file {}: {}", path, what));
}

void fail_at(const std::string& path, std::string_view what) {
  refuse_file(path, fmt::format("{}: {}; check the path, the permissions and the disk", what,
                                std::strerror(errno)));
}

namespace {

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_at(path, "it can't be written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(descriptor) != 0) fail_at(path, "it can't be written");
}

}  // namespace

void sync_folder_of(const std::string& path) {
  const Descriptor folder(std::filesystem::absolute(path).parent_path().string(),
                          O_RDONLY | O_DIRECTORY);
  if (!folder.is_open() || (fsync(folder) != 0 && errno != EINVAL))
    fail_at(path, "its folder can't be synced");
}

std::string read_text(int descriptor, std::size_t most, const std::string& path) {
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t got = read(descriptor, text.data() + size, most - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_at(path, "it can't be read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

void write_new(const std::string& path, std::string_view text, unsigned mode) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (!file.is_open() && errno == EEXIST)
    refuse_file(path, "it is there already, and is never written over; name another file");
  if (!file.is_open()) fail_at(path, "it can't be made");
  try {
    write_all(file, text, path);
  } catch (const StoreError&) {
    (void)unlink(path.c_str());
    throw;
  }
}

void replace_file(const std::string& path, std::string_view text) {
  const std::string unfinished = path + ".new";
  try {
    const Descriptor file(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    if (!file.is_open()) fail_at(unfinished, "it can't be made");
    write_all(file, text, unfinished);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) fail_at(path, "it can't be replaced");
  } catch (const StoreError&) {
    (void)unlink(unfinished.c_str());
    throw;
  }
  sync_folder_of(path);
}

}  // namespace snl::transparency
