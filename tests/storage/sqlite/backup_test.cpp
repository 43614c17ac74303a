// Goal: a copy of a store is whole, proven and in its place, or doesn't exist. A store that is
// restored or compacted stays whole for other processes that have it open.
//
// Method: real files. A second connection that stays open acts as the other processes.
#include "storage/sqlite/backup.hpp"

#include "../testbed.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/sqlite/store_file.hpp"
#include "storage/store_admin.hpp"

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <stop_token>
#include <thread>

// ---- System calls: they are intercepted here

namespace {

struct Witness {
  std::vector<std::string> synced;
  unsigned rename_flags = 0;
  std::function<void()> when_made = [] {};  // a file under a name of its own
};
Witness& witness() {
  static Witness witness;
  return witness;
}

}  // namespace

extern "C" int fsync(int file) {
  std::error_code error;
  const auto link = "/proc/self/fd/" + std::to_string(file);
  witness().synced.push_back(std::filesystem::read_symlink(link, error).string());
  return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) noexcept {
  witness().rename_flags = flags;
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

extern "C" int mkostemp(char* name, int flags) {
  using Call = int (*)(char*, int);
  static const auto real = reinterpret_cast<Call>(dlsym(RTLD_NEXT, "mkostemp"));
  const int file = real(name, flags);
  witness().when_made();
  return file;
}

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
namespace fs = std::filesystem;

std::unique_ptr<SqliteStore> open_to(Access access, const std::string& path) {
  return SqliteStore::open(path, access);
}

std::vector<Commit> log_of(const std::string& path) {
  return all_commits(*open_to(Access::read, path));
}

bool is_sound(const std::string& path) {
  return audit_all(*open_to(Access::read, path)).ok();
}

/// A store with the orchard's three games, and a place for a copy.
struct Orchard {
  Folder folder;
  std::string path = folder.file("store.db");
  std::string copy = folder.file("copy.db");
  Orchard() { record_orchard(*open_to(Access::write, path)); }
};

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "it went through";
}

void check_says(const std::string& text, std::string_view words) {
  BOOST_CHECK_MESSAGE(text.find(words) != std::string::npos,
                      "\"" << text << "\" doesn't say \"" << words << "\"");
}

constexpr std::string_view notes =
    "CREATE TABLE notes (game INTEGER PRIMARY KEY, note TEXT) STRICT;";

}  // namespace

BOOST_AUTO_TEST_SUITE(a_backup)

BOOST_AUTO_TEST_CASE(holds_all_that_the_store_holds_and_says_its_head) {
  const Orchard orchard;
  const AuditReport report = back_up(orchard.path, orchard.copy);
  BOOST_TEST(report.ok());
  BOOST_TEST(report.games == 3);
  BOOST_CHECK(report.head == audit_store(*open_to(Access::read, orchard.path)).head);
  BOOST_CHECK(log_of(orchard.copy) == log_of(orchard.path));
  BOOST_TEST(is_sound(orchard.copy));
  BOOST_TEST(orchard.folder.contents().size() == 2U);
}

BOOST_AUTO_TEST_CASE(is_for_the_eyes_that_may_see_the_store) {
  for (const auto mode : {fs::perms(0600), fs::perms(0644)}) {
    const Orchard orchard;
    fs::permissions(orchard.path, mode);
    BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
    BOOST_CHECK(fs::status(orchard.copy).permissions() == mode);
  }
}

BOOST_AUTO_TEST_CASE(is_taken_while_somebody_writes_without_a_pause) {
  const Orchard orchard;
  std::vector<Commit> copied;
  {
    std::atomic<bool> playing = false;
    const std::jthread writer([&](const std::stop_token& stop) {
      const auto store = open_to(Access::write, orchard.path);
      Match match = start(*store, "endless");
      while (!stop.stop_requested()) {
        perform(match, turn_of_next(match, {6, 6, 6}));
        playing = true;
      }
    });
    while (!playing)
      std::this_thread::yield();
    for (int round = 0; round < 5; ++round)
      BOOST_TEST(back_up(orchard.path, orchard.copy, {.occupied = Occupied::replace}).ok());
    copied = log_of(orchard.copy);
  }
  const auto log = log_of(orchard.path);
  BOOST_TEST(copied.size() > 20U);
  BOOST_REQUIRE(copied.size() <= log.size());
  BOOST_CHECK(std::ranges::equal(copied, std::span(log).first(copied.size())));
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(is_durable_under_its_name_before_it_is_told_of) {
  const Orchard orchard;
  witness() = {};
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  const auto& synced = witness().synced;
  BOOST_TEST(std::ranges::any_of(
      synced, [&](const std::string& path) { return path.starts_with(orchard.copy + "."); }));
  BOOST_TEST(std::ranges::count(synced, fs::canonical(orchard.folder.path()).string()) == 1);
}

BOOST_AUTO_TEST_CASE(never_takes_the_place_of_what_came_meanwhile) {
  const Orchard orchard;
  witness() = {};
  witness().when_made = [&] { write_file(orchard.copy, "somebody else's"); };
  check_says(refusal_of([&] { back_up(orchard.path, orchard.copy); }), "can't be written");
  witness() = {};
  BOOST_TEST(bytes_of(orchard.copy) == "somebody else's");
}

namespace {
volatile std::sig_atomic_t told_of_the_file = 0;
volatile std::sig_atomic_t knew_at_the_signal = -1;
}  // namespace

BOOST_AUTO_TEST_CASE(is_told_of_before_a_signal_can_come) {
  const Orchard orchard;
  witness() = {};
  const auto before =
      std::signal(SIGUSR1, [](int /*signal*/) { knew_at_the_signal = told_of_the_file; });
  witness().when_made = [] { (void)raise(SIGUSR1); };
  back_up(orchard.path, orchard.copy,
          {.unfinished = [](const std::string&) { told_of_the_file = 1; }});
  witness() = {};
  (void)std::signal(SIGUSR1, before);
  BOOST_TEST(knew_at_the_signal == 1);
}

BOOST_AUTO_TEST_CASE(replaces_a_file_only_where_that_is_wanted) {
  const Orchard orchard;
  write_file(orchard.copy, "notes");
  check_says(refusal_of([&] { back_up(orchard.path, orchard.copy); }), "it is there already");
  BOOST_TEST(bytes_of(orchard.copy) == "notes");
  BOOST_TEST(back_up(orchard.path, orchard.copy, {.occupied = Occupied::replace}).ok());
  BOOST_TEST(is_sound(orchard.copy));
  BOOST_TEST(orchard.folder.contents().size() == 2U);
}

BOOST_AUTO_TEST_CASE(follows_a_link_to_a_file) {
  const Orchard orchard;
  write_file(orchard.copy, "");
  fs::create_symlink("copy.db", orchard.folder.file("link"));
  BOOST_TEST(
      back_up(orchard.path, orchard.folder.file("link"), {.occupied = Occupied::replace}).ok());
  BOOST_TEST(fs::is_symlink(orchard.folder.file("link")));
  BOOST_TEST(is_sound(orchard.copy));
}

BOOST_AUTO_TEST_CASE(is_not_put_where_it_would_harm_or_could_not_be) {
  const Orchard orchard;
  const auto store = open_to(Access::write, orchard.path);  // so that its -wal is there
  start(*store, "more");
  fs::create_symlink("store.db", orchard.folder.file("link"));
  fs::create_symlink("nowhere", orchard.folder.file("dangling"));
  fs::create_hard_link(orchard.path, orchard.folder.file("same"));
  fs::create_directory(orchard.folder.file("folder"));
  write_file(orchard.folder.file("used.db"), "");
  write_file(orchard.folder.file("used.db-wal"), "");
  write_file(orchard.folder.file("torn.db-journal"), "");
  BOOST_REQUIRE(mkfifo(orchard.folder.file("pipe").c_str(), 0600) == 0);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(orchard.folder.path()))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  };
  const auto before = names();
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"store.db", "it is the store itself"},
      {"link", "it is the store itself"},
      {"same", "it is the store itself"},
      {"folder/../store.db", "it is the store itself"},
      {"store.db-wal", "it belongs to the store"},
      {"store.db-shm", "it belongs to the store"},
      {"store.db-journal", "it belongs to"},
      {"used.db", "used.db-wal is there"},
      {"used.db-journal", "it would belong to"},
      {"torn.db", "torn.db-journal is there"},
      {"folder", "it is a directory"},
      {"dangling", "a file that isn't there"},
      {"missing/copy.db", "missing isn't there"},
      {"pipe", "no regular file"},
  };
  for (const auto& [name, words] : wrong)
    check_says(refusal_of([&] {
                 back_up(orchard.path, orchard.folder.file(name), {.occupied = Occupied::replace});
               }),
               words);
  BOOST_TEST(names() == before, boost::test_tools::per_element());
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(of_a_store_that_is_not_sound_is_none) {
  const Orchard orchard;
  write_file(orchard.copy, "the copy of yesterday");
  tamper(orchard.path, [](PlainDatabase& database) {
    database.execute("UPDATE commits SET time = time + 1 WHERE position = 5");
  });
  const AuditReport report = back_up(orchard.path, orchard.copy, {.occupied = Occupied::replace});
  BOOST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(report.problems.front().kind == "hash");
  BOOST_TEST(bytes_of(orchard.copy) == "the copy of yesterday");
  BOOST_TEST(orchard.folder.contents().size() == 2U);
}

BOOST_AUTO_TEST_CASE(of_an_older_store_is_as_old_and_proven_all_the_same) {
  const Orchard orchard;
  const LaterSchema later(notes);
  BOOST_TEST(back_up(orchard.path, orchard.copy, {}, later.schema).games == 3);
  BOOST_CHECK(log_of(orchard.copy) == log_of(orchard.path));  // so of today's schema
  tamper(orchard.path, [](PlainDatabase& database) {
    database.execute("UPDATE games SET created = created + 1 WHERE id = 'berry'");
  });
  const auto report = back_up(orchard.path, orchard.folder.file("other.db"), {}, later.schema);
  BOOST_TEST(!report.ok());
  BOOST_TEST(!fs::exists(orchard.folder.file("other.db")));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_restored_store)

BOOST_AUTO_TEST_CASE(is_made_where_there_is_none) {
  const Orchard orchard;
  const std::string path = orchard.folder.file("new.db");
  BOOST_TEST(!holds_something(path));
  BOOST_TEST(restore(orchard.path, path, Occupied::refuse).games == 3);
  BOOST_TEST(holds_something(path));
  BOOST_TEST(is_sound(path));
  BOOST_CHECK(log_of(path) == log_of(orchard.path));
  BOOST_TEST(PlainDatabase(path).value("PRAGMA journal_mode") == "wal");
  const auto store = open_to(Access::write, path);
  auto berry = Match::load(*store, "berry");
  perform(*berry, RollTurn{});
}

BOOST_AUTO_TEST_CASE(is_not_replaced_where_somebody_began_a_game_meanwhile) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  const Folder folder;
  const std::string path = folder.file("store.db");
  const auto store = open_to(Access::write, path);
  std::atomic<bool> is_begun = false;
  std::jthread player([&] {
    together(*store, [&] {
      start(*store, "mine");
      is_begun = true;
      // Long enough for the restore to have done its checks, and to wait for the lock.
      std::this_thread::sleep_for(std::chrono::milliseconds{700});
    });
  });
  while (!is_begun)
    std::this_thread::yield();
  BOOST_CHECK_THROW(restore(orchard.copy, path, Occupied::refuse), NotEmpty);
  player.join();
  BOOST_TEST(store->head("mine").has_value());
  BOOST_TEST(log_of(path).size() == 1U);
}

BOOST_AUTO_TEST_CASE(has_the_head_that_was_proven_whoever_plays_in_the_copy) {
  const Orchard orchard;
  const Folder folder;
  std::jthread player([&](const std::stop_token& stop) {
    const auto store = open_to(Access::write, orchard.path);
    auto endless = start(*store, "endless");
    while (!stop.stop_requested())
      perform(endless, turn_of_next(endless, {6, 6, 6}));
  });
  for (int i = 0; i < 10; ++i) {
    const std::string path = folder.file("store-" + std::to_string(i));
    const auto report = restore(orchard.path, path, Occupied::refuse);
    BOOST_REQUIRE(report.ok());
    BOOST_CHECK(audit_all(*open_to(Access::read, path)).head == report.head);
  }
}

BOOST_AUTO_TEST_CASE(is_played_on_by_those_that_had_it_open) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  // In the replaced store, the same ID has another key and more commits.
  const std::string path = orchard.folder.file("other.db");
  const auto other = open_to(Access::write, path);
  start(*other, "zebra");
  start(*other, "yak");
  Match berry = start(*other, "berry");  // its key is the orchard's cherry's
  for (int turn = 0; turn < 5; ++turn)
    perform(berry, turn_of_next(berry, {1}));
  BOOST_TEST(restore(orchard.copy, path, Occupied::replace).ok());
  const auto recorded = perform(berry, RollTurn{});
  BOOST_TEST(recorded.head.version == 5);  // the orchard's berry has four
  BOOST_TEST(berry.state().players() == 3U);
  start(*other, "zebra");
  BOOST_TEST(is_sound(path));
  BOOST_TEST(log_of(path).size() == log_of(orchard.copy).size() + 2);
}

BOOST_AUTO_TEST_CASE(is_never_played_on_from_a_history_that_it_does_not_have) {
  const Orchard orchard;
  const auto store = open_to(Access::write, orchard.path);
  auto berry = Match::load(*store, "berry");
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  perform(*berry, PlayTurn{berry->state().position.next, {1, 1}});
  BOOST_TEST(restore(orchard.copy, orchard.path, Occupied::replace).ok());
  {
    const auto second = open_to(Access::write, orchard.path);
    auto same = Match::load(*second, "berry");
    perform(*same, PlayTurn{same->state().position.next, {4, 4}});
    BOOST_TEST(same->head().version == berry->head().version);
  }
  perform(*berry, RollTurn{});  // at the same version, on another head
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(is_seen_as_it_was_by_who_reads_meanwhile) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  start(*open_to(Access::write, orchard.path), "later");
  PlainDatabase reader(orchard.path);
  reader.execute("BEGIN");
  BOOST_TEST(reader.value("SELECT count(*) FROM games") == "4");
  BOOST_TEST(restore(orchard.copy, orchard.path, Occupied::replace).ok());
  BOOST_TEST(reader.value("SELECT count(*) FROM games") == "4");
  reader.execute("COMMIT");
  BOOST_TEST(reader.value("SELECT count(*) FROM games") == "3");
}

BOOST_AUTO_TEST_CASE(is_upgraded_from_an_older_copy) {
  const Orchard orchard;
  const std::string path = orchard.folder.file("new.db");
  const LaterSchema later(notes);
  BOOST_TEST(restore(orchard.path, path, Occupied::refuse, later.schema).games == 3);
  BOOST_TEST(PlainDatabase(path).value("PRAGMA user_version") ==
             std::to_string(later.schema.version()));
  SqliteStore store([&] { return open_store_to_read(path, 0, later.schema); });
  BOOST_TEST(audit_all(store).ok());
  BOOST_CHECK(all_commits(store) == log_of(orchard.path));
}

BOOST_AUTO_TEST_CASE(replaces_a_damaged_one) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  std::string damaged = bytes_of(orchard.path);
  damaged.replace(4096, damaged.size() - 4096, std::string(damaged.size() - 4096, '\xA5'));
  write_file(orchard.path, damaged);
  BOOST_TEST(holds_something(orchard.path));
  BOOST_TEST(restore(orchard.copy, orchard.path, Occupied::replace).ok());
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(replaces_a_damaged_one_with_the_largest_pages_too) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  PlainDatabase(orchard.copy)
      .execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM");
  const std::string path = orchard.folder.file("damaged.db");
  std::string damaged = bytes_of(orchard.copy);
  damaged.replace(100, damaged.size() - 100, std::string(damaged.size() - 100, '\xA5'));
  write_file(path, damaged);
  BOOST_TEST(restore(orchard.copy, path, Occupied::replace).ok());
  BOOST_TEST(is_sound(path));
}

BOOST_AUTO_TEST_CASE(keeps_a_write_ahead_log_though_the_copy_has_none) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  PlainDatabase(orchard.copy).execute("PRAGMA journal_mode = DELETE");
  for (const Occupied occupied : {Occupied::refuse, Occupied::replace}) {
    const Folder folder;
    const std::string path = folder.file("store.db");
    BOOST_TEST(restore(orchard.copy, path, occupied).ok());
    BOOST_TEST(PlainDatabase(path).value("PRAGMA journal_mode") == "wal");
  }
}

BOOST_AUTO_TEST_CASE(is_looked_at_while_it_is_locked_though_it_had_no_write_ahead_log) {
  const Orchard orchard;
  BOOST_TEST(back_up(orchard.path, orchard.copy).ok());
  const Folder folder;
  const std::string path = folder.file("store.db");
  open_to(Access::write, path);
  PlainDatabase(path).execute("PRAGMA journal_mode = DELETE");
  BOOST_TEST(restore(orchard.copy, path, Occupied::refuse).ok());
  BOOST_CHECK(log_of(path) == log_of(orchard.path));
}

BOOST_AUTO_TEST_CASE(is_looked_at_once_it_is_locked_and_no_sooner) {
  const Orchard orchard;
  const Folder folder;
  const std::string path = folder.file("store.db");
  open_to(Access::write, path);
  PlainDatabase other(path);
  other.execute("BEGIN IMMEDIATE");
  const sqlite::Connection from(orchard.path, sqlite::Connection::Access::read_write, 0);
  sqlite::Connection to(path, sqlite::Connection::Access::read_write, 0);
  bool is_looked_at = false;
  BOOST_CHECK_EXCEPTION(
      from.copy_to(to, [&] { is_looked_at = true; }), sqlite::Error,
      [](const sqlite::Error& error) { return error.cause() == StoreError::Cause::busy; });
  BOOST_TEST(!is_looked_at);
  other.execute("ROLLBACK");
  from.copy_to(to, [&] { is_looked_at = true; });
  BOOST_TEST(is_looked_at);
}

BOOST_AUTO_TEST_CASE(is_left_as_it_was_where_the_copy_will_not_do) {
  const Orchard orchard;
  const auto file = [&](const char* name) { return orchard.folder.file(name); };
  write_file(file("text"), std::string(5000, 'x'));
  PlainDatabase(file("other")).execute("CREATE TABLE games (id)");
  for (const char* copy : {"forged", "newer", "trigger"})
    BOOST_TEST(back_up(orchard.path, file(copy)).ok());
  PlainDatabase(file("newer")).execute("PRAGMA user_version = 77");
  PlainDatabase(file("trigger")).execute("DROP TRIGGER games_keep_their_ids");
  tamper(file("forged"), [](PlainDatabase& database) {
    database.execute("UPDATE players SET name = 'Eve' WHERE name = 'Bob'");
  });
  const std::string before = bytes_of(orchard.path);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"missing", "no such file"}, {"text", "not a store"}, {"other", "not an snl store"},
      {"newer", "version 77"},     {"trigger", "differs"},  {"store.db", "the store itself"},
  };
  for (const auto& [name, words] : wrong)
    check_says(refusal_of([&] { restore(file(name.c_str()), orchard.path, Occupied::replace); }),
               words);
  check_says(refusal_of([&] { restore(file("missing"), orchard.path, Occupied::refuse); }),
             "no such file");
  BOOST_CHECK_THROW(restore(file("text"), orchard.path, Occupied::refuse), NotEmpty);
  BOOST_TEST(!restore(file("forged"), orchard.path, Occupied::replace).ok());
  BOOST_TEST((bytes_of(orchard.path) == before));
  BOOST_TEST(!restore(file("forged"), file("new.db"), Occupied::replace).ok());
  BOOST_TEST(!fs::exists(file("new.db")));
}

BOOST_AUTO_TEST_CASE(is_not_made_of_what_is_no_store) {
  const Orchard orchard;
  const std::string text(5000, 'x');
  write_file(orchard.folder.file("text"), text);
  PlainDatabase(orchard.folder.file("other")).execute("CREATE TABLE games (id)");
  const std::string other = bytes_of(orchard.folder.file("other"));
  for (const char* name : {"text", "other"}) {
    BOOST_TEST(holds_something(orchard.folder.file(name)));
    check_says(
        refusal_of([&] { restore(orchard.path, orchard.folder.file(name), Occupied::replace); }),
        "move it away first");
  }
  BOOST_TEST((bytes_of(orchard.folder.file("text")) == text));
  BOOST_TEST((bytes_of(orchard.folder.file("other")) == other));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_compacted_store)

namespace {
/// Leaves unused pages behind.
void waste_space(const std::string& path) {
  PlainDatabase(path).execute(
      "CREATE TABLE waste (b); INSERT INTO waste VALUES (zeroblob(1000000)); DROP TABLE waste");
}

std::vector<std::vector<PlainDatabase::Row>> rows_of(const std::string& path) {
  PlainDatabase database(path);
  std::vector<std::vector<PlainDatabase::Row>> rows;
  for (const char* table : {"commits", "games", "players", "migrations", "sqlite_schema"})
    rows.push_back(
        database.rows(std::string("SELECT ") +
                      (std::string_view(table) == "sqlite_schema" ? "type, name, sql" : "*") +
                      " FROM " + table + " ORDER BY 1, 2"));
  return rows;
}
}  // namespace

BOOST_AUTO_TEST_CASE(is_smaller_and_has_the_same_rows) {
  const Orchard orchard;
  waste_space(orchard.path);
  const auto rows = rows_of(orchard.path);
  const auto size = static_cast<std::int64_t>(fs::file_size(orchard.path));
  const auto compaction = compact(orchard.path);
  BOOST_REQUIRE(compaction.has_value());
  BOOST_TEST(compaction->bytes_before == size);
  BOOST_TEST(compaction->bytes_after < size - 900'000);
  BOOST_TEST(compaction->bytes_after == static_cast<std::int64_t>(fs::file_size(orchard.path)));
  BOOST_CHECK(rows_of(orchard.path) == rows);
  BOOST_TEST(is_sound(orchard.path));
  BOOST_TEST(orchard.folder.contents().size() == 1U);
}

BOOST_AUTO_TEST_CASE(is_played_on_by_those_that_had_it_open) {
  const Orchard orchard;
  waste_space(orchard.path);
  const auto store = open_to(Access::write, orchard.path);
  auto berry = Match::load(*store, "berry");
  for (int round = 0; round < 3; ++round) {
    perform(*berry, RollTurn{});
    BOOST_TEST(compact(orchard.path).has_value());
  }
  perform(*berry, RollTurn{});
  BOOST_TEST(fs::file_size(orchard.path) < 900'000U);
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(was_sound_before) {
  const Orchard orchard;
  PlainDatabase(orchard.path)
      .execute("INSERT INTO players (game, seat, name) VALUES (99, 0, 'Eve')");
  const std::string before = bytes_of(orchard.path);
  BOOST_TEST(!compact(orchard.path).has_value());
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
