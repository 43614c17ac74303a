#include "faulty_vfs.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace snl::test {
namespace faulty_vfs {
namespace {

struct Layer {
  sqlite3_vfs* below = nullptr;
  sqlite3_vfs vfs{};

  std::string folder;  // whose files are recorded; none if empty
  std::vector<DiskChange> changes;

  std::optional<Fault> fault;
  std::int64_t strikes = 0;
  std::array<std::int64_t, call_kinds> counts{};

  std::function<void(Call)> visit;
};

Layer& layer() {
  static Layer layer;
  return layer;
}

/// An open file; the file below follows it in memory.
struct File {
  sqlite3_file base;
  std::string* name;  // null: not recorded
  bool syncs_folder;  // with its first sync
  bool failed_to_read;
};
constexpr std::size_t file_size = (sizeof(File) + 15) / 16 * 16;

File* of(sqlite3_file* file) {
  return reinterpret_cast<File*>(file);
}
sqlite3_file* below(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + file_size);
}

/// Calls the visitor, whose own calls aren't visited.
void let_in(Call call) {
  Layer& here = layer();
  if (!here.visit) return;
  const auto visit = std::exchange(here.visit, nullptr);
  visit(call);
  here.visit = visit;
}

/// Counts a call; returns the error that it must fail with.
std::optional<int> fault_of(Call call) {
  let_in(call);
  Layer& here = layer();
  const std::int64_t number = ++here.counts.at(static_cast<std::size_t>(call));
  if (!here.fault || here.fault->call != call || number < here.fault->nth) return std::nullopt;
  if (number > here.fault->nth && !here.fault->lasting) return std::nullopt;
  ++here.strikes;
  return here.fault->code;
}

void note(DiskChange change) {
  layer().changes.push_back(std::move(change));
}

/// The name of a file in the folder that is recorded.
std::optional<std::string> recorded_name(const char* path) {
  const std::string& folder = layer().folder;
  if (path == nullptr || folder.empty()) return std::nullopt;
  const std::string_view whole(path);
  if (!whole.starts_with(folder)) return std::nullopt;
  return std::string(whole.substr(folder.size()));
}

// ---- An open file

int close(sqlite3_file* file) {
  delete std::exchange(of(file)->name, nullptr);
  return below(file)->pMethods->xClose(below(file));
}

int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  if (const auto fault = fault_of(Call::read)) {
    of(file)->failed_to_read = true;
    return *fault;
  }
  return below(file)->pMethods->xRead(below(file), bytes, size, offset);
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  const auto fault = fault_of(Call::write);
  if (fault) size /= 2;
  if (const std::string* name = of(file)->name; name != nullptr && size > 0)
    note({.kind = DiskChange::Kind::write,
          .file = *name,
          .offset = offset,
          .bytes = {static_cast<const char*>(bytes), static_cast<std::size_t>(size)}});
  const int code =
      size == 0 ? SQLITE_OK : below(file)->pMethods->xWrite(below(file), bytes, size, offset);
  return fault.value_or(code);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (const auto fault = fault_of(Call::truncate)) return *fault;
  if (const std::string* name = of(file)->name)
    note({.kind = DiskChange::Kind::truncate, .file = *name, .offset = size});
  return below(file)->pMethods->xTruncate(below(file), size);
}

int sync(sqlite3_file* file, int /*flags*/) {
  if (const auto fault = fault_of(Call::sync)) return *fault;
  const bool folder = std::exchange(of(file)->syncs_folder, false);
  if (const std::string* name = of(file)->name)
    note({.kind = DiskChange::Kind::sync, .file = *name, .syncs_folder = folder});
  return SQLITE_OK;
}

int size(sqlite3_file* file, sqlite3_int64* bytes) {
  if (const auto fault = fault_of(Call::size)) return *fault;
  return below(file)->pMethods->xFileSize(below(file), bytes);
}

int lock(sqlite3_file* file, int level) {
  if (const auto fault = fault_of(Call::lock)) return *fault;
  return below(file)->pMethods->xLock(below(file), level);
}

/// A failed call has released the lock all the same, because it can't be repeated.
int unlock(sqlite3_file* file, int level) {
  const auto fault = fault_of(Call::unlock);
  const int code = below(file)->pMethods->xUnlock(below(file), level);
  return fault.value_or(code);
}

int check_reserved_lock(sqlite3_file* file, int* result) {
  if (const auto fault = fault_of(Call::lock)) return *fault;
  return below(file)->pMethods->xCheckReservedLock(below(file), result);
}

int control(sqlite3_file* file, int operation, void* argument) {
  if (operation == SQLITE_FCNTL_LAST_ERRNO && of(file)->failed_to_read) {
    *static_cast<int*>(argument) = EIO;
    return SQLITE_OK;
  }
  return below(file)->pMethods->xFileControl(below(file), operation, argument);
}

int sector_size(sqlite3_file* file) {
  return below(file)->pMethods->xSectorSize(below(file));
}

int characteristics(sqlite3_file* file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

int map(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  if (const auto fault = fault_of(Call::map)) {
    *memory = nullptr;
    return *fault;
  }
  return below(file)->pMethods->xShmMap(below(file), region, size, extend, memory);
}

int map_lock(sqlite3_file* file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0)
    if (const auto fault = fault_of(Call::map_lock)) return *fault;
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}

void barrier(sqlite3_file* file) {
  below(file)->pMethods->xShmBarrier(below(file));
}

int unmap(sqlite3_file* file, int remove) {
  return below(file)->pMethods->xShmUnmap(below(file), remove);
}

int fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** bytes) {
  return below(file)->pMethods->xFetch(below(file), offset, size, bytes);
}

int unfetch(sqlite3_file* file, sqlite3_int64 offset, void* bytes) {
  fault_of(Call::unfetch);
  return below(file)->pMethods->xUnfetch(below(file), offset, bytes);
}

constexpr sqlite3_io_methods methods{.iVersion = 3,
                                     .xClose = close,
                                     .xRead = read,
                                     .xWrite = write,
                                     .xTruncate = truncate,
                                     .xSync = sync,
                                     .xFileSize = size,
                                     .xLock = lock,
                                     .xUnlock = unlock,
                                     .xCheckReservedLock = check_reserved_lock,
                                     .xFileControl = control,
                                     .xSectorSize = sector_size,
                                     .xDeviceCharacteristics = characteristics,
                                     .xShmMap = map,
                                     .xShmLock = map_lock,
                                     .xShmBarrier = barrier,
                                     .xShmUnmap = unmap,
                                     .xFetch = fetch,
                                     .xUnfetch = unfetch};

// ---- The file system

int open(sqlite3_vfs* /*vfs*/, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  const Layer& here = layer();
  file->pMethods = nullptr;
  if (const auto fault = fault_of(Call::open)) return *fault;
  const auto name = recorded_name(path);
  int is_there = 1;
  if (name) here.below->xAccess(here.below, path, SQLITE_ACCESS_EXISTS, &is_there);
  const int code = here.below->xOpen(here.below, path, below(file), flags, out_flags);
  if (code != SQLITE_OK) return code;
  constexpr int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
  of(file)->name = name ? new std::string(*name) : nullptr;
  of(file)->syncs_folder = (flags & journals) != 0 && (flags & SQLITE_OPEN_CREATE) != 0;
  of(file)->failed_to_read = false;
  file->pMethods = &methods;
  if (is_there == 0) note({.kind = DiskChange::Kind::create, .file = *name});
  return SQLITE_OK;
}

int remove(sqlite3_vfs* /*vfs*/, const char* path, int sync_folder) {
  const Layer& here = layer();
  if (const auto fault = fault_of(Call::remove)) return *fault;
  const int code = here.below->xDelete(here.below, path, 0);
  if (const auto name = recorded_name(path); name && code == SQLITE_OK)
    note({.kind = DiskChange::Kind::remove, .file = *name, .syncs_folder = sync_folder != 0});
  return code;
}

int access(sqlite3_vfs* /*vfs*/, const char* path, int flags, int* result) {
  if (const auto fault = fault_of(Call::access)) return *fault;
  return layer().below->xAccess(layer().below, path, flags, result);
}

int sleep(sqlite3_vfs* /*vfs*/, int microseconds) {
  return microseconds;
}

}  // namespace

void install() {
  Layer& here = layer();
  if (here.below != nullptr) return;
  here.below = sqlite3_vfs_find(nullptr);
  if (here.below == nullptr) throw std::runtime_error("SQLite has no VFS");
  here.vfs = *here.below;
  here.vfs.zName = "faulty";
  here.vfs.szOsFile = static_cast<int>(file_size) + here.below->szOsFile;
  here.vfs.xOpen = open;
  here.vfs.xDelete = remove;
  here.vfs.xAccess = access;
  here.vfs.xSleep = sleep;
  if (sqlite3_vfs_register(&here.vfs, 1) != SQLITE_OK)
    throw std::runtime_error("the VFS can't be registered");
}

void record(const std::string& folder) {
  layer().changes.clear();
  layer().folder = folder + '/';
}

const std::vector<DiskChange>& recorded() {
  return layer().changes;
}

std::vector<DiskChange> stop_recording() {
  layer().folder.clear();
  return std::exchange(layer().changes, {});
}

void fail(const Fault& fault) {
  layer().fault = fault;
  layer().strikes = 0;
  layer().counts = {};
}

std::int64_t heal() {
  layer().fault.reset();
  return std::exchange(layer().strikes, 0);
}

std::int64_t count(Call call) {
  return layer().counts.at(static_cast<std::size_t>(call));
}

void interrupt(std::function<void(Call)> visit) {
  layer().visit = std::move(visit);
}

}  // namespace faulty_vfs

std::string_view name_of(Call call) {
  static constexpr std::array<std::string_view, call_kinds> names{
      "open",   "read", "write",  "sync", "truncate", "remove", "size",
      "access", "lock", "unlock", "map",  "map lock", "unfetch"};
  return names.at(static_cast<std::size_t>(call));
}

// ---- A disk and its losses

namespace {

constexpr std::size_t sector = 512;  // bytes

void put(std::string& image, std::size_t offset, std::string_view bytes) {
  if (image.size() < offset + bytes.size()) image.resize(offset + bytes.size());
  image.replace(offset, bytes.size(), bytes);
}

/// Calls `visit` with the offset and the size of each sector's part of the write.
template <class Visit>
void for_each_sector(const DiskChange& write, const Visit& visit) {
  const auto offset = static_cast<std::size_t>(write.offset);
  for (std::size_t done = 0; done < write.bytes.size();) {
    const std::size_t room = sector - (offset + done) % sector;
    const std::size_t share = std::min(room, write.bytes.size() - done);
    visit(done, share);
    done += share;
  }
}

/// The fate of unsynced writes in a power loss, as percentages.
struct Fate {
  std::uint64_t kept;
  std::uint64_t torn;  // of the writes that aren't kept; the others are dropped
  bool garbage;        // where a file grew without a write
};

Fate fate_of(std::mt19937_64& random) {
  static constexpr std::array<std::uint64_t, 6> chances{0, 20, 50, 80, 95, 100};
  return {.kept = chances.at(random() % chances.size()),
          .torn = chances.at(random() % chances.size()),
          .garbage = random() % 4 == 0};
}

void lose(std::string& image, const DiskChange& write, const Fate& fate, std::mt19937_64& random) {
  const auto offset = static_cast<std::size_t>(write.offset);
  const bool torn = random() % 100 < fate.torn;
  const std::string_view bytes(write.bytes);
  for_each_sector(write, [&](std::size_t at, std::size_t share) {
    if (torn && random() % 2 == 0) {
      put(image, offset + at, bytes.substr(at, share));
    } else if (fate.garbage && offset + at >= image.size()) {
      std::string garbage(share, '\0');
      std::ranges::generate(garbage, [&] { return static_cast<char>(random()); });
      put(image, offset + at, garbage);
    }
  });
}

}  // namespace

void Disk::apply(const DiskChange& change) {
  using Kind = DiskChange::Kind;
  if (change.kind == Kind::create) {
    const auto file = std::make_shared<File>();
    names_[change.file] = file;
    namings_.push_back({change.file, file});
    return;
  }
  if (change.kind == Kind::remove) {
    names_.erase(change.file);
    namings_.push_back({change.file, nullptr});
    if (change.syncs_folder) sync_folder();
    return;
  }
  File& file = *names_.at(change.file);
  if (change.kind != Kind::sync) {
    file.since.push_back(change);
    return;
  }
  for (const DiskChange& done : file.since) {
    if (done.kind == Kind::truncate)
      file.synced.resize(static_cast<std::size_t>(done.offset));
    else
      put(file.synced, static_cast<std::size_t>(done.offset), done.bytes);
  }
  file.since.clear();
  if (change.syncs_folder) sync_folder();
}

void Disk::sync_folder() {
  synced_names_ = names_;
  namings_.clear();
}

bool Disk::has_unsynced() const {
  return !namings_.empty() || std::ranges::any_of(names_, [](const auto& named) {
    return !named.second->since.empty();
  });
}

std::string Disk::image(const File& file, std::mt19937_64& random) {
  const Fate fate = fate_of(random);
  std::string image = file.synced;
  for (const DiskChange& change : file.since) {
    const bool kept = random() % 100 < fate.kept;
    if (change.kind == DiskChange::Kind::truncate) {
      if (kept) image.resize(static_cast<std::size_t>(change.offset));
    } else if (kept) {
      put(image, static_cast<std::size_t>(change.offset), change.bytes);
    } else {
      lose(image, change, fate, random);
    }
  }
  return image;
}

Disk::Files Disk::after_power_loss(std::mt19937_64& random) const {
  auto names = synced_names_;
  const std::size_t kept = random() % (namings_.size() + 1);
  for (std::size_t i = 0; i < kept; ++i) {
    if (namings_[i].file)
      names[namings_[i].name] = namings_[i].file;
    else
      names.erase(namings_[i].name);
  }
  Files files;
  for (const auto& [name, file] : names)
    files[name] = image(*file, random);
  return files;
}

}  // namespace snl::test
