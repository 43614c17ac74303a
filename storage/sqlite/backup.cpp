#include "backup.hpp"

#include "sqlite_store.hpp"
#include "storage/held_signals.hpp"
#include "store_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace snl {

using sqlite::Connection;
using sqlite::default_busy_timeout_ms;

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_file(const std::string& path, std::string_view what,
                              StoreError::Cause cause = StoreError::Cause::failed) {
  throw StoreError(cause, fmt::format("file {}: {}", path, what));
}

[[noreturn]] void fail_to_write(const std::string& path) {
  const int error = errno;
  if (error == ENOSPC || error == EDQUOT)
    refuse_file(path, "the disk is full; free some of it, then try again");
  refuse_file(path,
              fmt::format("it can't be written: {}; name another file", std::strerror(error)));
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

// ---- The file that a backup is written to

/// The file itself, if a link to it was given. Throws StoreError if no copy can be put there.
std::string place_for(const std::string& file, const std::string& store, Occupied occupied) {
  std::error_code error;
  if (fs::is_symlink(file, error) && !fs::exists(file, error))
    refuse_file(file, "it is a link to a file that isn't there; name the file itself");
  std::string place = fs::exists(file, error) ? fs::canonical(file).string() : file;
  const auto status = fs::status(place, error);
  if (fs::is_directory(status)) refuse_file(file, "it is a directory; give the path of a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    refuse_file(file, "it is no regular file, and a backup is one; name another file");
  const auto folder = fs::absolute(place).parent_path();
  if (const auto why = fault_of_folder(folder)) refuse_file(file, *why);
  const std::string source = fs::canonical(store).string();
  const std::string absolute = (fs::canonical(folder) / fs::path(place).filename()).string();
  if (fs::equivalent(place, store, error) || absolute == source)
    refuse_file(file, "it is the store itself; name another file");
  const auto owner = database_beside(absolute);
  if (owner && *owner != source)
    refuse_file(file, fmt::format("it would belong to {} beside it; name another file", *owner));
  for (const std::string_view companion : companions) {
    if (absolute == source + std::string(companion))
      refuse_file(file, "it belongs to the store; name another file");
    if (is_there(place + std::string(companion)))
      refuse_file(
          file,
          fmt::format("another process may have it open, since {}{} is there; name another file",
                      fs::path(place).filename().string(), companion),
          StoreError::Cause::busy);
  }
  if (fs::exists(status) && occupied == Occupied::refuse)
    refuse_file(file, "it is there already; name another file");
  return place;
}

/// A copy under a temporary name beside its final one; removed unless it gets the final name.
class UnfinishedFile {
 public:
  /// `notify` gets the file's name before any signal could end the process.
  UnfinishedFile(const std::string& place, const std::function<void(const std::string&)>& notify)
      : place_(place), path_(place + ".XXXXXX") {
    const HeldSignals held;
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail_to_write(place_);
    notify(path_);
  }
  ~UnfinishedFile() {
    if (!path_.empty()) (void)unlink(path_.c_str());
    (void)close(descriptor_);
  }
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;

  const std::string& path() const { return path_; }

  /// Makes the copy durable, and readable by those who may read `like`.
  void sync(const std::string& like) const {
    const mode_t mask = umask(0);
    umask(mask);
    struct stat original{};
    if (stat(like.c_str(), &original) != 0 ||
        fchmod(descriptor_, original.st_mode & 0666U & ~mask) != 0 || fsync(descriptor_) != 0)
      fail_to_write(place_);
  }

  void take_place(Occupied occupied) {
    if (!rename_to_place(occupied)) fail_to_write(place_);
    path_.clear();
    const auto folder = fs::absolute(place_).parent_path();
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
    const int error = errno;
    if (descriptor >= 0) (void)close(descriptor);
    if (synced) return;
    if (occupied == Occupied::replace)
      refuse_file(place_,
                  fmt::format("the copy is in its place, but its folder can't be synced: {}; check "
                              "the disk: after a power cut the old file may be back",
                              std::strerror(error)));
    // A failed attempt leaves nothing that would be in the way of the next one.
    (void)unlink(place_.c_str());
    errno = error;
    fail_to_write(place_);
  }

 private:
  bool rename_to_place(Occupied occupied) const {
    if (occupied == Occupied::refuse) {
      if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.c_str(), RENAME_NOREPLACE) == 0)
        return true;
      // EINVAL: the file system can't promise that.
      if (errno != EINVAL) return false;
    }
    return std::rename(path_.c_str(), place_.c_str()) == 0;
  }

  std::string place_;
  std::string path_;
  int descriptor_ = -1;
};

// ---- Proving a copy

/// A temporary copy, upgraded to this schema.
Connection upgraded(SqliteStore& older, const std::string& path, const Schema& schema) {
  auto copy = Connection::temporary();
  copy.show_path_as(path);
  older.copy_to(copy);
  upgrade(copy, schema);
  return copy;
}

AuditReport audit_upgraded(SqliteStore& older, const std::string& path, const Schema& schema) {
  SqliteStore store(upgraded(older, path, schema));
  return audit_all(store);
}

/// Copies the latest commit into the file itself. False if others are too busy for that: the commit
/// is durable, and a later checkpoint will do it.
bool shrink_log(Connection& connection, Connection guard) {
  try {
    checkpoint_alone(connection, guard);
    return true;
  } catch (const StoreError&) {
    return false;
  }
}

}  // namespace

// ---- Backup

AuditReport back_up(const std::string& store, const std::string& file, const BackupOptions& options,
                    const Schema& schema) {
  SqliteStore source(
      [&] { return open_store_of_any_version(store, default_busy_timeout_ms, schema); });
  UnfinishedFile unfinished(place_for(file, store, options.occupied), options.unfinished);
  {
    Connection copy(unfinished.path(), Connection::Access::read_write, 0);
    copy.show_path_as(file);
    // Nobody can use the copy before it is complete, and then it is synced.
    copy.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    source.copy_to(copy, [] {});
  }
  unfinished.sync(store);

  Connection copy = open_still_file(unfinished.path());
  copy.show_path_as(file);
  SqliteStore proven(std::move(copy));
  const bool is_of_this_schema = proven.schema_version() == schema.version();
  AuditReport report = is_of_this_schema ? audit_all(proven) : audit_upgraded(proven, file, schema);
  if (report.ok()) unfinished.take_place(options.occupied);
  return report;
}

// ---- Restore

namespace {

/// The facts in a database file's first 100 bytes.
struct FileHeader {
  std::int64_t application = 0;
  std::int64_t bytes_a_page = 0;  // 0: there is nothing yet
};

/// Reads the header of a file even if its schema is unreadable; none if it isn't a database at all.
std::optional<FileHeader> header_in_file(const std::string& path) {
  std::array<unsigned char, 100> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  constexpr std::string_view magic("SQLite format 3\0", 16);
  if (!file || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t length) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < length; ++i)
      value = value * 256 + bytes[at + i];
    return value;
  };
  const std::int64_t page = number(16, 2);
  return FileHeader{.application = number(68, 4), .bytes_a_page = page == 1 ? 65536 : page};
}

std::optional<FileHeader> header_of(Connection& connection) {
  try {
    connection.execute("PRAGMA synchronous = FULL");
    const bool is_blank = connection.integer("PRAGMA page_count") == 0;
    return FileHeader{.application = connection.integer("PRAGMA application_id"),
                      .bytes_a_page = is_blank ? 0 : connection.integer("PRAGMA page_size")};
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return header_in_file(connection.path());
  }
}

/// Opens the store to restore into. It may be damaged, but it must be an snl store, or nothing yet.
Connection open_to_replace(const std::string& store, std::int64_t bytes_a_page, Occupied occupied) {
  const auto refuse_to = [&](std::string_view why) {
    throw StoreError(StoreError::Cause::failed, fmt::format("store {}: {}", store, why));
  };
  require_file_name(store);
  require_one_name(store);
  Connection target(store, Connection::Access::create, default_busy_timeout_ms);
  const auto header = header_of(target);
  if (!header) refuse_to("it is no SQLite database; move it away first");
  if (header->bytes_a_page == 0)
    target.execute(fmt::format("PRAGMA page_size = {}", bytes_a_page).c_str());
  else if (header->application != application_id)
    refuse_to("it is an SQLite database, but not an snl store; move it away first");
  else if (header->bytes_a_page != bytes_a_page)
    refuse_to(fmt::format("its pages have {} bytes, those of the copy {}; move it away first",
                          header->bytes_a_page, bytes_a_page));
  // Without a write-ahead log, nobody could read it while it is locked.
  if (occupied == Occupied::refuse) keep_write_ahead_log(target, default_busy_timeout_ms);
  return target;
}

/// The page size that a store's file will keep; none if it has none yet.
std::optional<std::int64_t> page_size_of_file(const std::string& store) {
  const auto header = header_in_file(store);
  return header ? std::optional(header->bytes_a_page) : std::nullopt;
}

/// A temporary copy with another page size: the original's pages can't be copied then.
Connection with_pages_of(std::int64_t bytes, SqliteStore& original, const std::string& path,
                         const Schema& schema) {
  auto copy = Connection::temporary();
  copy.show_path_as(path);
  copy.execute(fmt::format("PRAGMA page_size = {}", bytes).c_str());
  upgrade(copy, schema);
  original.copy_rows_to(copy);
  return copy;
}

/// Copies a proven store, in the transaction that proved it.
void replace(SqliteStore& proven, const std::string& store, Occupied occupied,
             const Schema& schema) {
  Connection target = open_to_replace(store, proven.bytes_a_page(), occupied);
  proven.copy_to(target, [&] {
    // From here on nobody else writes, so this sees exactly the games that would be lost.
    if (occupied == Occupied::refuse && holds_something(store)) throw NotEmpty(store);
    target.require_to_commit();
  });
  // This also makes the file of a new store keep a write-ahead log.
  std::ignore = shrink_log(target, open_store_to_write(store, default_busy_timeout_ms, schema));
}

}  // namespace

AuditReport restore(const std::string& copy, const std::string& store, Occupied occupied,
                    const Schema& schema) {
  std::error_code error;
  const bool is_there = fs::exists(copy, error);
  if (error)
    refuse_file(copy, fmt::format("it can't be opened: {}; check the path and the permissions",
                                  error.message()));
  if (!is_there) refuse_file(copy, "there is no such file; give the path of a backup");
  if (occupied == Occupied::refuse && holds_something(store)) throw NotEmpty(store);
  if (fs::equivalent(copy, store, error))
    refuse_file(copy, "it is the store itself; name a copy of it");

  SqliteStore source(
      [&] { return open_store_of_any_version(copy, default_busy_timeout_ms, schema); });
  // The copy is proven before the store is even made. The proven pages are the ones that are
  // copied, even if somebody writes to the copy meanwhile.
  const auto prove_and_replace = [&](SqliteStore& proven) {
    return in_read_transaction(proven, [&](ReadTransaction&) {
      AuditReport report = audit_all(proven);
      if (report.ok()) replace(proven, store, occupied, schema);
      return report;
    });
  };
  const std::int64_t bytes_a_page = page_size_of_file(store).value_or(source.bytes_a_page());
  const bool has_its_pages = source.bytes_a_page() == bytes_a_page;
  // A copy that is read without locks may have to be read again, once the store is replaced.
  if (has_its_pages && source.schema_version() == schema.version() &&
      !source.is_read_without_locks())
    return prove_and_replace(source);
  SqliteStore own(upgraded(source, copy, schema));
  if (has_its_pages) return prove_and_replace(own);
  // Only sound rows can be copied one by one.
  if (AuditReport report = audit_all(own); !report.ok()) return report;
  SqliteStore fitting(with_pages_of(bytes_a_page, own, copy, schema));
  return prove_and_replace(fitting);
}

bool holds_something(const std::string& store) {
  if (!SqliteStore::exists(store)) return false;
  try {
    const StoreFacts facts = SqliteStore::facts(store);
    return facts.games != 0 || facts.hosted_games != 0;
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    return true;
  }
}

// ---- Compaction

std::expected<Compaction, std::vector<Problem>> compact(const std::string& store) {
  if (auto problems = SqliteStore(open_store_to_write(store, default_busy_timeout_ms)).check();
      !problems.empty())
    return std::unexpected(std::move(problems));
  Connection connection = open_store_to_write(store, default_busy_timeout_ms);
  const auto bytes = [&] {
    return connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size");
  };
  Compaction compaction{.bytes_before = bytes()};
  connection.require_to_commit();
  connection.execute("VACUUM");
  compaction.bytes_after = bytes();
  std::ignore = shrink_log(
      connection, Connection(store, Connection::Access::read_write, default_busy_timeout_ms));
  return compaction;
}

}  // namespace snl
