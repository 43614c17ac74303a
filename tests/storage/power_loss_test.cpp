// Goal: after a power loss at any instant, the store opens and is sound. It has every acknowledged
// turn, and nothing that wasn't done.
//
// Method: the layer of faulty_vfs.hpp records a workload, with a note when each append returns.
// Then the power fails before and after every sync, and after writes in between. Each time several
// disks are made at random from a seed: they have all synced data, and some that wasn't synced. The
// store on each disk is opened, checked and audited. As controls, the same recording with its syncs
// ignored, and the same workload on a store with synchronous=OFF, must show losses.
//
// SNL_TORTURE=n in the environment makes n times as many disks.
#include "faulty_vfs.hpp"
#include "storage/audit.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
using Kind = DiskChange::Kind;

/// The changes to the disk, and the acknowledgements with their times.
struct Recording {
  struct Acknowledged {
    std::size_t change;  // the first change after it
    std::size_t commits;
  };
  std::vector<DiskChange> changes;
  std::vector<Acknowledged> acknowledged;
  std::vector<Commit> log;  // all commits at the end

  /// The commits that were acknowledged before a change.
  std::size_t commits_before(std::size_t change) const {
    std::size_t commits = 0;
    for (const Acknowledged& one : acknowledged)
      if (one.change <= change) commits = one.commits;
    return commits;
  }
  /// True for a number of commits that the store can have had at some time: an append is recorded
  /// as a whole.
  bool is_boundary(std::size_t commits) const {
    return commits == 0 || std::ranges::any_of(acknowledged, [&](const Acknowledged& one) {
             return one.commits == commits;
           });
  }
};

// ---- The workload

/// A game of many turns, as commits for a single append.
struct Bulk {
  std::vector<NewCommit> commits;
  GameState after;
};

Bulk bulk_of(int turns) {
  MemoryStore memory;
  Match match = start(memory, "bulk");
  for (int turn = 0; turn < turns; ++turn)
    perform(match, turn_of_next(match, {6, 6, 6}));
  Bulk bulk{.commits = {}, .after = match.state()};
  for (const Commit& commit : commits_of(memory, "bulk"))
    bulk.commits.push_back({commit.time, commit.command, commit.events, commit.command_id});
  return bulk;
}

/// A board whose JSON takes several pages, so that the log of a few games is long.
Opening big_table() {
  Opening table;
  table.board = {.cells = 4000, .snakes = {}, .ladders = {}};
  for (std::int32_t cell = 2; cell < 1500; ++cell)
    table.board.ladders.push_back({cell, cell + 2000});
  return table;
}

class Workload {
 public:
  explicit Workload(std::string path) : path_(std::move(path)) {}

  Recording run() {
    faulty_vfs::record(std::filesystem::path(path_).parent_path().string());
    play("apple", 60);
    append_in_bulk();
    play("berry", 120);
    start_big_games();
    play("cherry", 20);
    Recording recording{.changes = faulty_vfs::stop_recording(),
                        .acknowledged = std::move(acknowledged_),
                        .log = {}};
    recording.log = all_commits(*SqliteStore::open(path_, Access::read));
    return recording;
  }

 private:
  void acknowledge(std::size_t commits) {
    commits_ += commits;
    acknowledged_.push_back({faulty_vfs::recorded().size(), commits_});
  }

  /// Opens the store, plays, undoes and redoes, closes it.
  void play(const std::string& id, int turns) {
    const auto store = SqliteStore::open(path_, Access::write);
    Match match = start(*store, id);
    acknowledge(1);
    const auto perform_next = [&](const Command& command) {
      perform(match, command);
      acknowledge(1);
    };
    for (int turn = 0; turn < turns; ++turn) {
      perform_next(turn_of_next(match, {6, 6, 6}));
      if (turn % 10 == 5) perform_next(UndoTurns{3});
      if (turn % 10 == 5) perform_next(RedoTurns{2});
    }
    while (!match.state().completed())
      perform_next(RollTurn{});
  }

  void append_in_bulk() {
    const Bulk bulk = bulk_of(400);
    const auto store = SqliteStore::open(path_, Access::write);
    BOOST_REQUIRE(store->append("bulk", 0, bulk.commits, bulk.after));
    acknowledge(bulk.commits.size());
    const std::span<const NewCommit> none;
    BOOST_REQUIRE(!store->append("bulk", 1, none, bulk.after));
    together(*store, [&] {
      start(*store, "one");
      start(*store, "two");
    });
    acknowledge(2);
  }

  /// Enough pages for the write-ahead log to be checkpointed and begun anew.
  void start_big_games() {
    const auto store = SqliteStore::open(path_, Access::write);
    const Opening table = big_table();
    for (int game = 0; game < 130; ++game) {
      Match match = start(*store, fmt::format("big{}", game), table);
      acknowledge(1);
      perform(match, RollTurn{});
      acknowledge(1);
    }
  }

  std::string path_;
  std::size_t commits_ = 0;
  std::vector<Recording::Acknowledged> acknowledged_;
};

// ---- Losing power

struct Tally {
  std::int64_t points = 0;
  std::int64_t disks = 0;
  std::int64_t acknowledged = 0;  // commits, over all disks
  std::int64_t lost = 0;          // of these: not there, or in a store that can't be used
  std::int64_t unopened = 0;      // stores
  std::int64_t unsound = 0;       // stores that were opened and then weren't sound
  std::int64_t unheard_of = 0;    // stores with a change that was never made, or half of one
  std::int64_t false_alarms =
      0;  // stores that were refused, or not sound, with all changes present

  void print(std::string_view what) const {
    fmt::print(
        "{}: {} points, {} disks, {} acknowledged turns: {} lost; stores that did not open: {}, "
        "not sound: {}, with what was never done: {}\n",
        what, points, disks, acknowledged, lost, unopened, unsound, unheard_of);
    print_torture(what,
                  {.tried = disks,
                   .acknowledged = acknowledged,
                   .lost = lost,
                   .undetected = unheard_of,
                   .false_alarms = false_alarms},
                  place_for_folders());
  }
  std::int64_t bad() const { return lost + unopened + unsound + unheard_of; }
};

/// True if plain SQL finds all acknowledged commits, and none that weren't made.
bool holds_what_was_done(const std::string& path, const Recording& recording,
                         std::size_t acknowledged) {
  try {
    const auto rows = PlainDatabase(path).rows(
        "SELECT lower(hex(hash)), command, events FROM commits ORDER BY position");
    return rows.size() >= acknowledged && rows.size() <= recording.log.size() &&
           recording.is_boundary(rows.size()) &&
           std::ranges::equal(rows, std::span(recording.log).first(rows.size()),
                              [](const PlainDatabase::Row& row, const Commit& commit) {
                                return row[0] == to_hex(commit.hash) && row[1] == commit.command &&
                                       row[2] == commit.events;
                              });
  } catch (const std::exception&) {
    return false;
  }
}

/// Opens the store as it was left and compares it with the workload. Returns the faults.
std::string look(const std::string& path, const Recording& recording, std::size_t acknowledged,
                 Tally& tally) {
  ++tally.disks;
  tally.acknowledged += static_cast<std::int64_t>(acknowledged);
  const auto refused = [&](std::int64_t& reason, std::string why) {
    ++reason;
    if (holds_what_was_done(path, recording, acknowledged))
      ++tally.false_alarms;
    else
      tally.lost += static_cast<std::int64_t>(acknowledged);
    return why;
  };
  std::vector<Commit> log;
  try {
    const auto store = SqliteStore::open(path, Access::write);
    try {
      log = all_commits(*store);
      if (!store->check().empty() || !audit_store(*store).ok())
        return refused(tally.unsound, "the store isn't sound");
    } catch (const StoreError& error) {
      return refused(tally.unsound, error.what());
    }
  } catch (const StoreError& error) {
    return refused(tally.unopened, error.what());
  }
  if (log.size() < acknowledged) {
    tally.lost += static_cast<std::int64_t>(acknowledged - log.size());
    return fmt::format("{} of {} acknowledged turns are there", log.size(), acknowledged);
  }
  if (log.size() > recording.log.size() || !recording.is_boundary(log.size()) ||
      !std::ranges::equal(log, std::span(recording.log).first(log.size()))) {
    ++tally.unheard_of;
    return "what is there isn't a prefix of what was done";
  }
  return "";
}

/// The power fails at a point of the recording, several times with different losses.
void lose_power(const Disk& disk, std::size_t point, std::size_t times,
                const std::function<void(const std::string& path, std::size_t point)>& look_at) {
  for (std::size_t seed = 0; seed < times; ++seed) {
    std::mt19937_64 random(point * 1'000'003 + seed);
    const Folder folder;
    folder.fill(disk.after_power_loss(random));
    BOOST_TEST_CONTEXT("point " << point << ", seed " << seed) {
      look_at(folder.file("store.db"), point);
    }
    if (!disk.has_unsynced()) break;  // all of them are the same
  }
}

/// How many disks are made at points of each kind; fewer under AddressSanitizer.
struct Sampling {
  std::size_t before_sync = 1;
  // Before and after the syncs of the file itself, and new names.
  std::size_t around_files = has_address_sanitizer ? 2 : 6;
  std::size_t every_write = has_address_sanitizer ? 35 : 7;  // a disk after every so many writes
};

/// Visits every point of a recording; returns their number.
std::int64_t for_each_point(
    const std::vector<DiskChange>& changes, const Sampling& sampling,
    const std::function<void(const Disk&, std::size_t point, std::size_t times)>& visit) {
  Disk disk;
  std::int64_t points = 0;
  std::size_t writes = 0;
  const auto at = [&](std::size_t point, std::size_t times) {
    ++points;
    visit(disk, point, times * torture_factor());
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const DiskChange& change = changes[i];
    const bool is_log = change.file.ends_with("-wal");
    const bool is_sync = change.kind == Kind::sync;
    const bool is_rare = !is_log || change.syncs_folder || change.kind == Kind::truncate;
    if (is_sync) at(i, is_rare ? sampling.around_files : sampling.before_sync);
    disk.apply(change);
    if (is_sync || change.kind == Kind::create || change.kind == Kind::remove)
      at(i + 1, is_rare ? sampling.around_files : 1);
    else if (++writes % sampling.every_write == 0)
      at(i + 1, 1);
  }
  return points;
}

/// While this exists, connections are opened with synchronous=OFF, whatever they ask for.
class WithoutSyncs {
 public:
  WithoutSyncs() { sqlite3_auto_extension(entry()); }
  ~WithoutSyncs() { sqlite3_cancel_auto_extension(entry()); }
  WithoutSyncs(const WithoutSyncs&) = delete;
  WithoutSyncs& operator=(const WithoutSyncs&) = delete;
  WithoutSyncs(WithoutSyncs&&) = delete;
  WithoutSyncs& operator=(WithoutSyncs&&) = delete;

 private:
  static int ignore_synchronous(void* /*context*/, int action, const char* pragma,
                                const char* value, const char* /*schema*/, const char* /*by*/) {
    const bool sets_it =
        action == SQLITE_PRAGMA && value != nullptr && std::string_view(pragma) == "synchronous";
    return sets_it ? SQLITE_IGNORE : SQLITE_OK;
  }
  static int begin(sqlite3* handle, char** /*error*/, const sqlite3_api_routines* /*api*/) {
    const int code = sqlite3_exec(handle, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? sqlite3_set_authorizer(handle, ignore_synchronous, nullptr) : code;
  }
  /// The type that sqlite3_auto_extension requires.
  static void (*entry())() { return reinterpret_cast<void (*)()>(begin); }
};

struct Layer {
  Layer() { faulty_vfs::install(); }
};

const Recording& recording() {
  static const Recording recording = [] {
    const Folder folder;
    return Workload(folder.file("store.db")).run();
  }();
  return recording;
}

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_power_loss)

BOOST_AUTO_TEST_CASE(is_tried_on_a_workload_that_checkpoints_and_begins_its_log_anew) {
  const auto& changes = recording().changes;
  const auto count = [&](Kind kind, std::string_view file) {
    return std::ranges::count_if(changes, [&](const DiskChange& change) {
      return change.kind == kind && change.file == file;
    });
  };
  const auto log_begins = std::ranges::count_if(changes, [](const DiskChange& change) {
    return change.kind == Kind::write && change.file == "store.db-wal" && change.offset == 0;
  });
  fmt::print(
      "recorded: {} commits in {} appends, {} syncs of the log, {} of the file, "
      "the log begun {} times\n",
      recording().log.size(), recording().acknowledged.size(), count(Kind::sync, "store.db-wal"),
      count(Kind::sync, "store.db"), log_begins);
  BOOST_TEST(recording().log.size() == recording().acknowledged.back().commits);
  BOOST_TEST(count(Kind::sync, "store.db-wal") > 300);
  BOOST_TEST(count(Kind::create, "store.db-wal") == 5);  // each time the store was opened
  BOOST_TEST(log_begins > 5);                            // so once while it was open
}

BOOST_AUTO_TEST_CASE(loses_no_turn_that_was_acknowledged) {
  Tally tally;
  tally.points = for_each_point(
      recording().changes, {}, [&](const Disk& disk, std::size_t point, std::size_t times) {
        lose_power(disk, point, times, [&](const std::string& path, std::size_t where) {
          const std::string wrong =
              look(path, recording(), recording().commits_before(where), tally);
          BOOST_CHECK_MESSAGE(wrong.empty(), wrong);
        });
      });
  tally.print("power loss");
  BOOST_TEST(tally.points > 1000);
  BOOST_TEST(tally.bad() == 0);
}

BOOST_AUTO_TEST_CASE(is_seen_to_lose_turns_on_a_disk_that_ignores_syncs) {
  std::vector<DiskChange> changes;  // the syncs do nothing, but they stay in the recording
  for (const DiskChange& change : recording().changes) {
    changes.push_back(change);
    if (change.kind == Kind::sync) changes.back() = {.kind = Kind::write, .file = change.file};
  }
  Tally tally;
  tally.points = for_each_point(
      changes, {.before_sync = 0, .around_files = 0, .every_write = 97},
      [&](const Disk& disk, std::size_t point, std::size_t times) {
        lose_power(disk, point, times, [&](const std::string& path, std::size_t where) {
          look(path, recording(), recording().commits_before(where), tally);
        });
      });
  tally.print("control: power loss, syncs ignored");
  BOOST_TEST(tally.lost > 0);
  BOOST_TEST(tally.bad() * 2 > tally.disks);
}

BOOST_AUTO_TEST_CASE(is_seen_to_lose_turns_of_a_store_with_synchronous_off) {
  const Recording unsynced = [] {
    const Folder folder;
    const WithoutSyncs without;
    return Workload(folder.file("store.db")).run();
  }();
  BOOST_TEST(std::ranges::count(unsynced.changes, Kind::sync, &DiskChange::kind) == 0);
  Tally tally;
  tally.points = for_each_point(
      unsynced.changes, {.before_sync = 1, .around_files = 1, .every_write = 97},
      [&](const Disk& disk, std::size_t point, std::size_t times) {
        lose_power(disk, point, times, [&](const std::string& path, std::size_t where) {
          look(path, unsynced, unsynced.commits_before(where), tally);
        });
      });
  tally.print("control: power loss, the store with synchronous=OFF");
  BOOST_TEST(tally.lost > 0);
  BOOST_TEST(tally.bad() * 2 > tally.disks);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
