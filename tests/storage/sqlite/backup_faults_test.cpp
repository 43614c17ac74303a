// Goal: whatever fails while a store is backed up, restored or compacted, the store is afterwards
// what it was or what it was to be, and a copy is whole or not there; the next attempt works.
//
// Method: each is run through the layer of faulty_vfs.hpp with the first call of a kind failing,
// the second, and so on until it runs through; and recorded, so that the power can fail after any
// change to the disk. SNL_TORTURE=n tries n times as many calls and disks.
#define BOOST_TEST_MODULE storage_backup_faults
#include "../faulty_vfs.hpp"
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/sqlite/backup.hpp"
#include "storage/sqlite/sqlite_store.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
using Log = std::vector<Commit>;

/// Two stores as files, and what they hold.
struct World {
  std::string older;
  std::string newer;
  Log older_log;
  Log newer_log;
};

const World& world() {
  static const World made = [] {
    const Folder folder;
    World stores;
    const std::string path = folder.file("store.db");
    const auto take = [&](std::string& bytes, Log& log) {
      log = all_commits(*SqliteStore::open(path, Access::write));
      bytes = bytes_of(path);
    };
    record_orchard(*SqliteStore::open(path, Access::write));
    take(stores.older, stores.older_log);
    {
      const auto store = SqliteStore::open(path, Access::write);
      Match match = start(*store, "newer");
      for (int turn = 0; turn < 40; ++turn)
        perform(match, turn_of_next(match, {6, 6, 6}));
    }
    PlainDatabase(path).execute(
        "CREATE TABLE waste (b); INSERT INTO waste VALUES (zeroblob(40000)); DROP TABLE waste");
    take(stores.newer, stores.newer_log);
    return stores;
  }();
  return made;
}

/// Something that is done to store.db, the newer store; copy.db is the older one.
struct Deed {
  std::string_view name;
  bool (*run)(const Folder& folder);  // answers whether all was sound
  bool to_older;                      // what the store holds in the end
};

constexpr std::array deeds{
    Deed{"backup",
         [](const Folder& folder) {
           return back_up(folder.file("store.db"), folder.file("copy.db"),
                          {.occupied = Occupied::replace})
               .ok();
         },
         false},
    Deed{"restore",
         [](const Folder& folder) {
           return restore(folder.file("copy.db"), folder.file("store.db"), Occupied::replace).ok();
         },
         true},
    Deed{"compact",
         [](const Folder& folder) { return compact(folder.file("store.db")).has_value(); }, false},
};

void lay_out(const Folder& folder) {
  write_file(folder.file("store.db"), world().newer);
  write_file(folder.file("copy.db"), world().older);
}

/// What is wrong with a store that must hold one of two logs.
std::string fault_of(const std::string& path, const Log& one, const Log& other) {
  try {
    const auto store = SqliteStore::open(path, Access::write);
    const Log log = all_commits(*store);
    if (log != one && log != other) return "it holds something else";
    return audit_file(*store).ok() ? "" : "it isn't sound";
  } catch (const StoreError& error) {
    return error.what();
  }
}

std::string fault_in(const Folder& folder, const Deed& deed) {
  const Log& other = deed.to_older ? world().older_log : world().newer_log;
  if (auto fault = fault_of(folder.file("store.db"), world().newer_log, other); !fault.empty())
    return "the store: " + fault;
  if (auto fault = fault_of(folder.file("copy.db"), world().older_log, world().newer_log);
      !fault.empty())
    return "the copy: " + fault;
  return "";
}

struct Failure {
  Call call;
  int code;
};
constexpr std::array failures{
    Failure{Call::open, SQLITE_CANTOPEN},       Failure{Call::read, SQLITE_IOERR_READ},
    Failure{Call::write, SQLITE_IOERR_WRITE},   Failure{Call::write, SQLITE_FULL},
    Failure{Call::sync, SQLITE_IOERR_FSYNC},    Failure{Call::truncate, SQLITE_IOERR_TRUNCATE},
    Failure{Call::remove, SQLITE_IOERR_DELETE}, Failure{Call::lock, SQLITE_IOERR_LOCK},
    Failure{Call::map, SQLITE_IOERR_SHMSIZE},   Failure{Call::map_lock, SQLITE_IOERR_SHMLOCK},
};

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_call_that_fails)

BOOST_AUTO_TEST_CASE(leaves_the_store_and_the_copy_whole) {
  for (const Deed& deed : deeds) {
    std::int64_t tried = 0;
    std::int64_t told = 0;
    std::int64_t wrong = 0;
    for (const Failure& failure : failures) {
      const auto stride = static_cast<std::int64_t>(
          std::max<std::size_t>(1, (failure.call == Call::read ? 20 : 3) / torture_factor()));
      for (std::int64_t nth = 1;; nth += stride) {
        const Folder folder;
        lay_out(folder);
        const auto files = folder.contents().size();
        faulty_vfs::fail({failure.call, nth, nth % 2 == 0, failure.code});
        std::string said;
        try {
          if (!deed.run(folder)) said = "it isn't sound";
        } catch (const StoreError& error) {
          said = error.what();
        }
        if (faulty_vfs::heal() == 0) break;
        ++tried;
        told += said.empty() ? 0 : 1;
        std::string fault = fault_in(folder, deed);
        if (fault.empty() && folder.contents().size() != files) fault = "it leaves files behind";
        if (!fault.empty()) {
          ++wrong;
          BOOST_ERROR(fmt::format("{}: {} {} fails: {} ({})", deed.name, name_of(failure.call), nth,
                                  fault, said));
        }
        BOOST_TEST(deed.run(folder));
      }
    }
    print_torture(fmt::format("{}, a call fails", deed.name),
                  {.tried = tried, .lost = wrong, .undetected = 0});
    BOOST_TEST(told > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_power_loss)

// The name of a backup is given by a rename that SQLite's layer doesn't see; so not of that.
BOOST_AUTO_TEST_CASE(leaves_a_store_that_is_restored_or_compacted_whole) {
  for (const Deed& deed : {deeds[1], deeds[2]}) {
    const Folder recorded;
    lay_out(recorded);
    Disk disk;
    for (const auto& [name, bytes] : recorded.contents()) {
      disk.apply({.kind = DiskChange::Kind::create, .file = name});
      disk.apply({.kind = DiskChange::Kind::write, .file = name, .bytes = bytes});
      disk.apply({.kind = DiskChange::Kind::sync, .file = name, .syncs_folder = true});
    }
    faulty_vfs::record(recorded.path().string());
    BOOST_TEST(deed.run(recorded));
    const auto changes = faulty_vfs::stop_recording();
    std::int64_t disks = 0;
    std::int64_t wrong = 0;
    for (std::size_t point = 0; point < changes.size(); ++point) {
      disk.apply(changes[point]);
      for (std::size_t seed = 0; seed < torture_factor(); ++seed) {
        std::mt19937_64 random(point * 1'000'003 + seed);
        const Folder folder;
        for (const auto& [name, bytes] : disk.after_power_loss(random))
          write_file(folder.file(name), bytes);
        ++disks;
        const std::string fault = fault_in(folder, deed);
        if (fault.empty()) continue;
        ++wrong;
        BOOST_ERROR(fmt::format("{}: after change {}, seed {}: {}", deed.name, point, seed, fault));
      }
    }
    print_torture(fmt::format("{}, power loss", deed.name),
                  {.tried = disks, .lost = wrong, .undetected = 0});
    BOOST_TEST(disks > 30);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
