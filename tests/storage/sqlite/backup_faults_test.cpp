// Goal: a failure while a store is backed up, restored or compacted leaves the old store or the
// intended one. A copy is whole or doesn't exist, and the next attempt works.
//
// Method: each operation runs on the layer of faulty_vfs.hpp, which fails the first call of a kind,
// then the second, and so on, until the operation succeeds. It is also recorded, so that the power
// can fail after any change to the disk. As a control, a compaction without a journal must lose the
// store. SNL_TORTURE=n tries n times as many calls and disks.
#include "../faulty_vfs.hpp"
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/sqlite/backup.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/store_admin.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <functional>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
using Log = std::vector<Commit>;

/// Two stores as files, and their contents.
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

/// An operation on store.db, the newer store; copy.db is the older one.
struct Deed {
  std::string_view name;
  bool (*run)(const Folder& folder);  // returns whether everything was sound
  bool to_older;                      // the contents of the store at the end
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
constexpr Deed without_a_journal{
    "compact without a journal",
    [](const Folder& folder) {
      return PlainDatabase(folder.file("store.db")).try_to("PRAGMA journal_mode = OFF; VACUUM") ==
             "";
    },
    false};

void lay_out(const Folder& folder) {
  write_file(folder.file("store.db"), world().newer);
  write_file(folder.file("copy.db"), world().older);
}

/// A store that must hold one of two logs: whether it does, by plain SQL, and snl's verdict on it.
struct Look {
  bool is_right = false;
  std::string alarm;  // empty: it is called sound
};

bool holds(const std::string& path, const Log& log) {
  try {
    return std::ranges::equal(
        PlainDatabase(path).rows("SELECT lower(hex(hash)) FROM commits ORDER BY position"), log, {},
        [](const PlainDatabase::Row& row) { return row[0]; },
        [](const Commit& commit) { return to_hex(commit.hash); });
  } catch (const std::exception&) {
    return false;
  }
}

std::string alarm_of(const std::string& path) {
  try {
    return audit_all(*SqliteStore::open(path, Access::write)).ok() ? "" : "it isn't sound";
  } catch (const StoreError& error) {
    return error.what();
  }
}

Look look_at(const std::string& path, const Log& one, const Log& other) {
  Look look{.alarm = alarm_of(path)};
  look.is_right = holds(path, one) || holds(path, other);
  return look;
}

/// Checks both files and counts the results; returns the fault.
std::string count_faults(const Folder& folder, const Deed& deed, Torture& figures) {
  const World& stores = world();
  const Look looks[] = {look_at(folder.file("store.db"), stores.newer_log,
                                deed.to_older ? stores.older_log : stores.newer_log),
                        look_at(folder.file("copy.db"), stores.older_log, stores.newer_log)};
  std::string wrong;
  for (const Look& look : looks) {
    if (!look.is_right) ++*figures.lost;
    figures.judge(look.is_right, look.alarm.empty());
    const std::string_view name = &look == &looks[0] ? "the store" : "the copy";
    if (!look.is_right) wrong += fmt::format("{} holds something else; ", name);
    if (!look.alarm.empty()) wrong += fmt::format("{}: {}; ", name, look.alarm);
  }
  return wrong;
}

/// True if the result is right after the operation reported success.
bool is_done(const Folder& folder, const Deed& deed) {
  const Log& log = deed.to_older ? world().older_log : world().newer_log;
  const std::string result = folder.file(deed.name == "backup" ? "copy.db" : "store.db");
  return holds(result, log);
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

/// The results of an operation over all failures.
struct Tally {
  std::int64_t told = 0;  // times that it reported the failure
  Torture figures{.lost = 0, .undetected = 0, .false_alarms = 0};

  void print(const std::string& fault) const { print_torture(fault, figures, place_for_folders()); }
  std::int64_t bad() const { return *figures.lost + *figures.undetected + *figures.false_alarms; }
};

/// Runs the operation once, while a call fails; false if that call wasn't reached. `wrong` is the
/// fault afterwards.
bool try_it(const Deed& deed, const faulty_vfs::Fault& failing, Tally& tally, std::string& wrong) {
  const Folder folder;
  lay_out(folder);
  const auto files = folder.contents().size();
  faulty_vfs::fail(failing);
  bool is_called_sound = true;
  bool is_told = false;
  try {
    is_called_sound = deed.run(folder);
  } catch (const StoreError& error) {
    is_told = true;
    is_called_sound = !error.is_damage();
    wrong = is_called_sound ? "" : error.what();
  }
  if (faulty_vfs::heal() == 0) return false;
  ++tally.figures.tried;
  if (is_told) ++tally.told;
  if (!is_called_sound) ++*tally.figures.false_alarms;  // both exist, and only a call failed
  if (!is_told && is_called_sound && !is_done(folder, deed)) ++*tally.figures.undetected;
  wrong += count_faults(folder, deed, tally.figures);
  if (wrong.empty() && folder.contents().size() != files) wrong = "it leaves files behind";
  if (wrong.empty() && !deed.run(folder)) wrong = "it can't be done again";
  return true;
}

void try_each_call(const Deed& deed, const Failure& failure, Tally& tally,
                   const std::function<void(const std::string& wrong)>& tell) {
  const auto stride =
      static_cast<std::int64_t>(torture_stride(failure.call == Call::read ? 20 : 3));
  for (std::int64_t nth = 1;; nth += stride) {
    std::string wrong;
    if (!try_it(deed, {failure.call, nth, nth % 2 == 0, failure.code}, tally, wrong)) return;
    if (!wrong.empty())
      tell(fmt::format("{}: {} {} fails: {}", deed.name, name_of(failure.call), nth, wrong));
  }
}

/// Runs the operation, and simulates a power loss after each change to the disk.
void lose_power(const Deed& deed, Tally& tally,
                const std::function<void(const std::string& wrong)>& tell) {
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
  for (std::size_t point = 0; point < changes.size(); ++point) {
    disk.apply(changes[point]);
    for (std::size_t seed = 0; seed < torture_factor(); ++seed) {
      std::mt19937_64 random(point * 1'000'003 + seed);
      const Folder folder;
      folder.fill(disk.after_power_loss(random));
      ++tally.figures.tried;
      const std::string wrong = count_faults(folder, deed, tally.figures);
      if (!wrong.empty())
        tell(fmt::format("{}: after change {}, seed {}: {}", deed.name, point, seed, wrong));
    }
  }
}

void report(const std::string& wrong) {
  BOOST_ERROR(wrong);
}
void expect(const std::string& /*wrong*/) {}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_call_that_fails)

BOOST_AUTO_TEST_CASE(leaves_the_store_and_the_copy_whole) {
  for (const Deed& deed : deeds) {
    Tally tally;
    for (const Failure& failure : failures)
      try_each_call(deed, failure, tally, report);
    tally.print(fmt::format("{}, a call fails", deed.name));
    BOOST_TEST(tally.told > 0);
    BOOST_TEST(tally.bad() == 0);
  }
}

BOOST_AUTO_TEST_CASE(is_seen_to_break_a_store_that_is_compacted_without_a_journal) {
  Tally tally;
  try_each_call(without_a_journal, {Call::write, SQLITE_IOERR_WRITE}, tally, expect);
  tally.print("control: compact without a journal, a call fails");
  BOOST_TEST(*tally.figures.lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_power_loss)

// A backup gets its name by a rename that SQLite's layer doesn't see, so it isn't included.
BOOST_AUTO_TEST_CASE(leaves_a_store_that_is_restored_or_compacted_whole) {
  for (const Deed& deed : {deeds[1], deeds[2]}) {
    Tally tally;
    lose_power(deed, tally, report);
    tally.print(fmt::format("{}, power loss", deed.name));
    BOOST_TEST(tally.figures.tried > 30);
    BOOST_TEST(tally.bad() == 0);
  }
}

BOOST_AUTO_TEST_CASE(is_seen_to_break_a_store_that_is_compacted_without_a_journal) {
  Tally tally;
  lose_power(without_a_journal, tally, expect);
  tally.print("control: compact without a journal, power loss");
  BOOST_TEST(*tally.figures.lost > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
