// Goal: an upgrade of a store from the first schema to today's leaves its log untouched, or leaves
// the old store if anything fails. Programs that had it open continue. Stores with pages of one
// size can be copied into stores of another.
//
// Method: the first migration alone makes an older store, into which the rows of the orchard or of
// a long game are copied. The layer of faulty_vfs.hpp fails each call of an upgrade in turn, and
// simulates a power loss after each change to the disk. Processes that upgrade are killed. The
// statements of an older program stand in for it.
#include "../faulty_vfs.hpp"
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/audit.hpp"
#include "storage/sqlite/backup.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/sqlite/store_file.hpp"
#include "storage/store_admin.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <random>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

const std::int64_t today = schema_of_today().version();

/// Makes the store of a program that knew only the first migration, with SQLite's default page
/// size, from the contents of another store.
void make_older(const std::string& path, const std::string& from) {
  PlainDatabase(path).execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL");
  open_store_to_write(path, timeout_ms, schema_made_by(migrations().first(1)));
  PlainDatabase database(path);
  database.execute("ATTACH '" + from + "' AS today");
  database.execute(
      "BEGIN; INSERT INTO games SELECT * FROM today.games ORDER BY game;"
      "INSERT INTO players (game, seat, name) SELECT game, seat, name FROM today.players;"
      "INSERT INTO commits SELECT * FROM today.commits ORDER BY position; COMMIT");
}

/// An older store, closed, and its contents.
struct OlderStore {
  Folder folder;
  std::string path = folder.file("store.db");
  std::vector<Commit> log;
  std::optional<Hash> head;
  explicit OlderStore(const std::function<void(EventStore&)>& record) {
    const Folder other;
    const std::string from = other.file("today.db");
    {
      const auto store = SqliteStore::open(from, Access::write);
      record(*store);
      log = all_commits(*store);
      head = audit_store(*store).head;
    }
    make_older(path, from);
  }
};

/// A store with the orchard's three games.
struct OlderOrchard : OlderStore {
  OlderOrchard() : OlderStore(record_orchard) {}
};

constexpr int many_commands = 5000;

/// The orchard, and a game of many commands, among them undos and redos.
void record_long_game(EventStore& store) {
  record_orchard(store);
  Match match = start(store, "long", {.board = {.cells = 100'000}});
  together(store, [&] {
    for (int command = 0; command < many_commands; ++command) {
      if (command % 10 == 8)
        perform(match, UndoTurns{5});
      else if (command % 10 == 9)
        perform(match, RedoTurns{2});
      else
        perform(match, RollTurn{});
    }
  });
}

std::int64_t version_of(const std::string& path) {
  return SqliteStore::facts(path).schema_version;
}

std::string page_size_of(const std::string& path) {
  return PlainDatabase(path).value("PRAGMA page_size");
}

void upgrade(const std::string& path) {
  open_store_to_write(path, timeout_ms);
}

void check_is_upgraded(const OlderStore& older, const std::string& path) {
  BOOST_TEST(version_of(path) == today);
  const auto store = SqliteStore::open(path, Access::read);
  const AuditReport report = audit_all(*store);
  BOOST_TEST(report.ok());
  BOOST_CHECK(report.head == older.head);
  BOOST_CHECK(all_commits(*store) == older.log);
}

std::string players_of(const std::string& path) {
  return PlainDatabase(path).value(
      "SELECT group_concat(game || name || completed, ' ') FROM (SELECT * FROM players ORDER BY "
      "game, seat)");
}

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_store_of_the_first_schema)

BOOST_AUTO_TEST_CASE(is_upgraded_with_its_log_untouched) {
  const OlderOrchard orchard;
  BOOST_TEST(version_of(orchard.path) == 1);
  upgrade(orchard.path);
  check_is_upgraded(orchard, orchard.path);
  BOOST_TEST(players_of(orchard.path) == "1Ann1 1Bob1 2Cleo0 2Dan0 2Eve0 3Ann0 3Bob0");
  const auto store = SqliteStore::open(orchard.path, Access::read);
  using Ids = std::vector<std::string>;
  BOOST_TEST((store->list({.completed = true, .player = "Ann"}, 10) == Ids{"apple"}));
  BOOST_TEST((store->list({.completed = false, .player = "Ann"}, 10) == Ids{"cherry"}));
  BOOST_TEST((store->list({.player = "Ann"}, 10) == Ids{"cherry", "apple"}));
}

BOOST_AUTO_TEST_CASE(with_a_long_game_is_upgraded_and_played_on) {
  const OlderStore older(record_long_game);
  BOOST_TEST(version_of(older.path) == 1);
  upgrade(older.path);
  check_is_upgraded(older, older.path);
  const auto store = SqliteStore::open(older.path, Access::write);
  BOOST_CHECK(!store->snapshot("long"));
  Match match = Match::load(*store, "long", ticking_clock()).value();
  BOOST_TEST(match.head().version == 1 + many_commands);
  BOOST_CHECK(match.state() == history_of(*store, "long").timeline.state());
  perform(match, RedoTurns{3});
  BOOST_TEST(perform(match, RollTurn{}).head.version == many_commands + 3);
  together(*store, [&] {
    while (match.head().version < 5120)
      perform(match, RollTurn{});
  });
  BOOST_CHECK(store->snapshot("long") == snapshot_of(match.state(), match.head()));
  BOOST_TEST(audit_all(*store).ok());
}

BOOST_AUTO_TEST_CASE(is_of_one_schema_or_the_other_when_its_upgrade_is_killed) {
  const OlderStore older(record_long_game);
  const auto files = older.folder.contents();
  std::uint64_t calls = 0;  // of SQLite's calls, any of which may be the last
  faulty_vfs::interrupt([&](Call /*call*/) { ++calls; });
  upgrade(older.path);
  faulty_vfs::interrupt(nullptr);
  std::mt19937 random(20261122);
  std::array<int, 6> of_version{};  // to today's
  for (std::size_t kills = 0; kills < 20 * torture_factor(); ++kills) {
    const std::uint64_t last = kills == 0 ? 0 : kills == 1 ? calls - 1 : random() % calls;
    const Folder folder;
    folder.fill(files);
    const std::string path = folder.file("store.db");
    const int status = in_a_child([&] {
      faulty_vfs::interrupt([left = last](Call /*call*/) mutable {
        if (left-- == 0) kill(getpid(), SIGKILL);
      });
      upgrade(path);
      return 0;
    });
    BOOST_TEST(status == 128 + SIGKILL);
    const auto version = version_of(path);
    ++of_version.at(static_cast<std::size_t>(version));
    BOOST_TEST(PlainDatabase(path).value("SELECT count(*) FROM commits") ==
               std::to_string(older.log.size()));
    upgrade(path);
    check_is_upgraded(older, path);
  }
  BOOST_TEST(of_version[1] > 0);
  BOOST_TEST(of_version.back() > 0);
}

BOOST_AUTO_TEST_CASE(keeps_what_a_program_writes_that_had_it_open_before) {
  const OlderOrchard orchard;
  PlainDatabase older(orchard.path);
  older.value("SELECT count(*) FROM games");
  upgrade(orchard.path);
  const std::string named_columns =
      "created, version, head, status, turn, cells, next, winner, last_turn, last_index, "
      "redo_version, redo_index, redoable, seal FROM games WHERE id = 'apple'";
  older.execute("INSERT INTO games SELECT 4, 'won', " + named_columns);
  older.execute("INSERT INTO players (game, seat, name) VALUES (4, 0, 'Kim')");
  BOOST_TEST(older.value("SELECT completed FROM players WHERE name = 'Kim'") == "1");
  older.execute("UPDATE games SET status = 'in-progress' WHERE id = 'won'");
  BOOST_TEST(older.value("SELECT completed FROM players WHERE name = 'Kim'") == "0");
  older.execute("UPDATE games SET status = 'completed' WHERE id = 'won'");
  BOOST_TEST(older.value("SELECT completed FROM players WHERE name = 'Kim'") == "1");
}

BOOST_AUTO_TEST_CASE(stays_whole_whichever_call_of_its_upgrade_fails) {
  const OlderOrchard orchard;
  const auto files = orchard.folder.contents();
  constexpr std::array failures{
      std::pair{Call::open, SQLITE_CANTOPEN},         std::pair{Call::read, SQLITE_IOERR_READ},
      std::pair{Call::write, SQLITE_IOERR_WRITE},     std::pair{Call::write, SQLITE_FULL},
      std::pair{Call::sync, SQLITE_IOERR_FSYNC},      std::pair{Call::lock, SQLITE_IOERR_LOCK},
      std::pair{Call::map_lock, SQLITE_IOERR_SHMLOCK}};
  std::int64_t told = 0;
  for (const auto& [call, code] : failures) {
    for (std::int64_t nth = 1, struck = 1; struck > 0; ++nth) {
      const Folder folder;
      folder.fill(files);
      const std::string path = folder.file("store.db");
      faulty_vfs::fail({.call = call, .nth = nth, .lasting = true, .code = code});
      try {
        upgrade(path);
      } catch (const StoreError& error) {
        ++told;
        BOOST_TEST(!error.is_damage());
      }
      struck = faulty_vfs::heal();
      BOOST_TEST_CONTEXT(name_of(call) << " " << nth) {
        if (version_of(path) == 1)
          BOOST_TEST(PlainDatabase(path).value("SELECT count(*) FROM commits") == "19");
        upgrade(path);
        check_is_upgraded(orchard, path);
      }
    }
  }
  BOOST_TEST(told > 0);
}

BOOST_AUTO_TEST_CASE(is_of_one_schema_or_the_other_when_the_power_fails) {
  const OlderOrchard orchard;
  faulty_vfs::record(orchard.folder.path().string());
  const auto before = orchard.folder.contents();
  upgrade(orchard.path);
  const auto changes = faulty_vfs::stop_recording();
  std::mt19937_64 random(20261122);
  Disk disk;
  for (const auto& [name, bytes] : before) {
    disk.apply({.kind = DiskChange::Kind::create, .file = name});
    disk.apply({.kind = DiskChange::Kind::write, .file = name, .bytes = bytes});
    disk.apply({.kind = DiskChange::Kind::sync, .file = name, .syncs_folder = true});
  }
  std::array<int, 6> of_version{};  // to today's
  for (const DiskChange& change : changes) {
    disk.apply(change);
    const Folder folder;
    folder.fill(disk.after_power_loss(random));
    const std::string path = folder.file("store.db");
    ++of_version.at(static_cast<std::size_t>(version_of(path)));
    upgrade(path);
    check_is_upgraded(orchard, path);
  }
  BOOST_TEST(of_version[1] > 0);
  BOOST_TEST(of_version.back() > 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pages_of_another_size)

BOOST_AUTO_TEST_CASE(are_kept_by_an_older_store_and_new_ones_have_small_pages) {
  const OlderOrchard orchard;
  upgrade(orchard.path);
  BOOST_TEST(page_size_of(orchard.path) == "4096");
  const std::string made = orchard.folder.file("new.db");
  upgrade(made);
  BOOST_TEST(page_size_of(made) == "2048");
}

BOOST_AUTO_TEST_CASE(are_no_matter_to_a_restore_either_way) {
  for (const char* bytes : {"512", "2048", "65536"}) {
    const OlderOrchard orchard;
    const auto file = [&](const char* name) { return orchard.folder.file(name); };
    BOOST_TEST(back_up(orchard.path, file("copy")).ok());
    PlainDatabase(file("store"))
        .execute(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = WAL", bytes));
    const auto store = SqliteStore::open(file("store"), Access::write);
    start(*store, "lost");
    const auto report = restore(file("copy"), file("store"), Occupied::replace);
    BOOST_TEST(report.ok());
    BOOST_CHECK(report.head == orchard.head);
    BOOST_TEST(page_size_of(file("store")) == bytes);
    BOOST_CHECK(all_commits(*store) == orchard.log);  // a process that had it open sees the change
    check_is_upgraded(orchard, file("store"));

    upgrade(orchard.path);
    start(*SqliteStore::open(orchard.path, Access::write), "lost");
    BOOST_TEST(restore(file("store"), orchard.path, Occupied::replace).ok());
    BOOST_TEST(page_size_of(orchard.path) == "4096");
    check_is_upgraded(orchard, orchard.path);
  }
}

BOOST_AUTO_TEST_CASE(are_no_matter_to_the_findings_in_a_copy_that_is_not_sound) {
  const OlderOrchard orchard;
  upgrade(orchard.path);
  tamper(orchard.path, [](PlainDatabase& database) {
    database.execute("DELETE FROM commits WHERE position = 5");
  });
  const std::string store = orchard.folder.file("new.db");
  start(*SqliteStore::open(store, Access::write), "kept");
  const std::string before = bytes_of(store);
  const auto report = restore(orchard.path, store, Occupied::replace);
  BOOST_TEST(!report.ok());
  BOOST_TEST((bytes_of(store) == before));
}

BOOST_AUTO_TEST_CASE(are_no_matter_to_a_backup_and_a_compaction) {
  const OlderOrchard orchard;
  upgrade(orchard.path);
  BOOST_TEST(compact(orchard.path).has_value());
  BOOST_TEST(page_size_of(orchard.path) == "4096");
  const std::string copy = orchard.folder.file("copy.db");
  BOOST_TEST(back_up(orchard.path, copy).ok());
  BOOST_TEST(page_size_of(copy) == "4096");
  check_is_upgraded(orchard, orchard.path);
  check_is_upgraded(orchard, copy);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
