#include "key_file.hpp"

#include "durable_file.hpp"
#include "storage/store_error.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace snl::transparency {
namespace {

std::string signed_path(const std::string& path) {
  return path + ".signed";
}

/// Requires a regular file, not a link to one.
struct stat status_of(int descriptor, const std::string& path) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) fail_at(path, "it can't be examined");
  if (!S_ISREG(status.st_mode)) refuse_file(path, "it is no regular file; name a key's file");
  return status;
}

constexpr int reading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/// Opens a key file that may be used.
int open_key(const std::string& path) {
  Descriptor file(path, reading);
  if (!file.is_open() && errno == ELOOP)
    refuse_file(
        path,
        "it is a symbolic link; name the key's file itself, which has its .signed file beside it");
  if (!file.is_open() && errno == ENOENT)
    refuse_file(path, "there is no such file; snl key new makes a key");
  if (!file.is_open()) fail_at(path, "it can't be read");
  const struct stat status = status_of(file, path);
  if ((status.st_mode & 0077U) != 0)
    refuse_file(
        path,
        "others may read or write it, so the key may be known; make a new one, or chmod 600 it");
  if (status.st_uid != 0 && status.st_uid != geteuid())
    refuse_file(path, "it belongs to another user; use a key of your own");
  return file.release();
}

/// Waits for another process that uses it, as long as for a store.
void lock_key(int descriptor, const std::string& path) {
  constexpr std::chrono::seconds timeout{5};
  constexpr std::chrono::milliseconds pause{20};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail_at(path, "it can't be locked");
    if (std::chrono::steady_clock::now() >= deadline)
      refuse_file(path, "another process uses this key; try again once it is done");
    std::this_thread::sleep_for(pause);
  }
}

SigningKey read_key(int descriptor, const std::string& path) {
  constexpr std::size_t longest = 512;
  std::string text = read_text(descriptor, longest, path);
  auto key = text.ends_with('\n') ? parse_private(std::string_view(text).substr(0, text.size() - 1))
                                  : std::nullopt;
  wipe(text);
  if (!key)
    refuse_file(path, "it holds no key, or one that isn't of its name; snl key new makes one");
  return *std::move(key);
}

}  // namespace

VerifierKey make_key_file(const std::string& path, const std::string& name, KeyType type) {
  SigningKey::Seed seed{};
  if (RAND_priv_bytes(seed.data(), static_cast<int>(seed.size())) != 1)
    refuse_file(path, "the system has no random bytes for a key; try again");
  const SigningKey key(name, type, seed);
  std::string text = private_text(key.verifier(), seed);
  text += '\n';
  wipe({reinterpret_cast<char*>(seed.data()), seed.size()});
  try {
    write_new(path, text, S_IRUSR | S_IWUSR);
  } catch (...) {
    wipe(text);
    throw;
  }
  wipe(text);
  const bool had_signed = access(signed_path(path).c_str(), F_OK) == 0;
  try {
    if (type == KeyType::log) {
      const Checkpoint nothing{.origin = name, .size = 0, .root = TreeBuilder().root()};
      write_new(signed_path(path), signed_by(key, nothing).note.to_string(),
                S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    }
    sync_folder_of(path);
  } catch (const StoreError&) {
    (void)unlink(path.c_str());
    if (type == KeyType::log && !had_signed) (void)unlink(signed_path(path).c_str());
    throw;
  }
  return key.verifier();
}

VerifierKey read_verifier(const std::string& path) {
  return read_key(Descriptor(open_key(path)), path).verifier();
}

KeyFile::KeyFile(std::string path, KeyType type) : path_(std::move(path)) {
  Descriptor file(open_key(path_));
  lock_key(file, path_);
  key_ = read_key(file, path_);
  if (key_->verifier().type != type)
    refuse_file(path_, type == KeyType::log
                           ? "it is a witness's key; give a log's"
                           : "it is a log's key; give a witness's (snl key new --witness)");
  descriptor_ = file.release();
}

KeyFile::~KeyFile() {
  (void)close(descriptor_);
}

SignedCheckpoint KeyFile::newest() const {
  const std::string path = signed_path(path_);
  const Descriptor file(path, reading);
  if (!file.is_open() && errno == ENOENT)
    refuse_file(
        path,
        "it is gone, and with it what this key signed last: nothing is signed any more; put "
        "it back, or begin a new log by a new key and name");
  if (!file.is_open() && errno == ELOOP)
    refuse_file(path, "it is a symbolic link; put the file itself there");
  if (!file.is_open()) fail_at(path, "it can't be read");
  (void)status_of(file, path);
  constexpr std::size_t longest = std::size_t{64} << 10U;
  auto checkpoint = SignedCheckpoint::parse(read_text(file, longest, path));
  const VerifierKey& key = key_->verifier();
  if (!checkpoint || checkpoint->checkpoint.origin != key.name ||
      signed_by(checkpoint->note, key) != Signed::yes)
    refuse_file(path, "it isn't the last checkpoint that this key signed; put that back");
  return *std::move(checkpoint);
}

void KeyFile::replace_newest(const SignedCheckpoint& checkpoint) const {
  replace_file(signed_path(path_), checkpoint.note.to_string());
}

}  // namespace snl::transparency
