// A layer between SQLite and its files, for tests. It remembers the writes since the last sync, so
// tests can act out a power loss. It also fails the calls that a test tells it to fail.
//
// It stands over SQLite's own VFS and is the default of the process, so SqliteStore uses it
// unchanged. It is for a single thread. Syncs do nothing, because the machine stays up, and sleeps
// take no time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace snl::test {

/// The system calls that SQLite makes of a VFS, by kind.
enum class Call : std::uint8_t {
  open,
  read,
  write,
  sync,
  truncate,
  remove,
  size,
  access,
  lock,
  unlock,
  map,       // shared memory
  map_lock,  // locks in shared memory
  unfetch,   // releasing mapped pages: never fails
};
inline constexpr std::size_t call_kinds = 13;
std::string_view name_of(Call call);

/// A change of a file, or of a folder's entries.
struct DiskChange {
  enum class Kind : std::uint8_t { create, write, truncate, sync, remove };
  Kind kind;
  std::string file;           // its name, without the folder
  std::int64_t offset = 0;    // of a write; the new size of a truncated file
  std::string bytes = {};     // of a write
  bool syncs_folder = false;  // of a sync or a remove
};

namespace faulty_vfs {

/// Makes the layer the default VFS, once for the process.
void install();

// ---- Recording changes

/// Records every change from now on to files in this folder.
void record(const std::string& folder);
/// The changes since then; a test may read them during the recording.
const std::vector<DiskChange>& recorded();
std::vector<DiskChange> stop_recording();

// ---- Faults

struct Fault {
  Call call;
  std::int64_t nth;  // from 1, counted from now
  bool lasting;      // every one after it fails too
  int code;          // SQLite's extended result code; SQLITE_OK hides the fault
};
/// A write that fails writes its first half.
void fail(const Fault& fault);
/// Ends the fault. Returns how often it occurred.
std::int64_t heal();

/// Calls of this kind since the last fail().
std::int64_t count(Call call);

// ---- Between calls

/// Runs `visit` before each call from now on, except before its own calls; null ends this. SQLite
/// is in the middle of an operation, so `visit` must not throw.
void interrupt(std::function<void(Call)> visit);

}  // namespace faulty_vfs

/// A disk on which only synced bytes are durable.
///
/// Of the writes since a file's last sync, a power loss keeps any subset, and of each of them any
/// 512-byte sectors. A sector that was never written may hold anything. Bytes around a write stay
/// as they were (SQLite's "powersafe overwrite", which it assumes on Unix by default). Names that
/// were made or removed since the folder's last sync are kept in their order up to any point, as a
/// file system with a journal does. SQLite syncs a folder with the first sync of a journal or a
/// write-ahead log that it opened. Shared memory (-shm) doesn't survive.
class Disk {
 public:
  using Files = std::map<std::string, std::string>;  // bytes by name

  void apply(const DiskChange& change);
  /// True if a power loss could destroy anything.
  bool has_unsynced() const;
  Files after_power_loss(std::mt19937_64& random) const;

 private:
  struct File {
    std::string synced;
    std::vector<DiskChange> since;
  };
  struct Naming {
    std::string name;
    std::shared_ptr<File> file;  // null: removed
  };
  static std::string image(const File& file, std::mt19937_64& random);
  void sync_folder();

  std::map<std::string, std::shared_ptr<File>> synced_names_;
  std::vector<Naming> namings_;  // since the folder's last sync
  std::map<std::string, std::shared_ptr<File>> names_;
};

}  // namespace snl::test
