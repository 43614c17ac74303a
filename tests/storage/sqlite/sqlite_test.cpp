// Goal: a file is opened only if it is a store; otherwise the error names the reason. No SQLite
// shell can rewrite the log by accident, and the file is maintained.
//
// Method: real files in a temporary folder. A second, plain connection acts as the sqlite3 shell.
#include "../testbed.hpp"
#include "storage/audit.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/sqlite/sqlite_admin.hpp"
#include "storage/sqlite/sqlite_hosted_games.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/sqlite/store_file.hpp"
#include "storage/subscription.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

namespace {
/// The requested lengths of this program's pauses.
std::vector<std::chrono::nanoseconds> pauses;
std::mutex pauses_mutex;
}  // namespace

/// std::this_thread::sleep_for() calls this.
extern "C" int nanosleep(const timespec* wanted, timespec* left) {
  {
    const std::lock_guard lock(pauses_mutex);
    pauses.push_back(std::chrono::seconds{wanted->tv_sec} +
                     std::chrono::nanoseconds{wanted->tv_nsec});
  }
  errno = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
  return errno == 0 ? 0 : -1;
}

namespace snl::test {
namespace {

using Access = SqliteStore::Access;
using Cause = StoreError::Cause;
namespace fs = std::filesystem;

/// The failure of opening: its message and its cause.
struct Failure {
  std::string message;
  Cause cause;
};
std::optional<Failure> failure_of(const std::string& path, Access access) {
  try {
    SqliteStore::open(path, access, {.busy_timeout = std::chrono::milliseconds{50}});
    return std::nullopt;
  } catch (const StoreError& error) {
    return Failure{error.what(), error.cause()};
  }
}

void check_refused(const std::string& path, Access access, Cause cause, std::string_view words) {
  const auto failure = failure_of(path, access);
  BOOST_REQUIRE_MESSAGE(failure, path << " was opened; expected: " << words);
  BOOST_CHECK(failure->cause == cause);
  BOOST_TEST(failure->message.starts_with("store " + path + ": "));
  BOOST_TEST(failure->message.find('\n') == std::string::npos);
  BOOST_CHECK_MESSAGE(failure->message.find(words) != std::string::npos,
                      "\"" << failure->message << "\" doesn't say \"" << words << "\"");
}

/// Reads of the disk fail from some call of SQLite's on, with the system's own error.
class FailingReads {
 public:
  explicit FailingReads(int reads_before) {
    left_ = reads_before;
    for (const char* name : {"pread", "pread64"})
      if (vfs_->xSetSystemCall(vfs_, name, reinterpret_cast<sqlite3_syscall_ptr>(&read)) !=
          SQLITE_OK)
        throw std::runtime_error("SQLite makes no such call");
  }
  ~FailingReads() {
    for (const char* name : {"pread", "pread64"})
      vfs_->xSetSystemCall(vfs_, name, nullptr);
  }
  FailingReads(const FailingReads&) = delete;
  FailingReads& operator=(const FailingReads&) = delete;
  FailingReads(FailingReads&&) = delete;
  FailingReads& operator=(FailingReads&&) = delete;

  static bool struck() { return left_ < 0; }

 private:
  static ssize_t read(int file, void* bytes, size_t size, off64_t offset) {
    if (--left_ >= 0) return pread64(file, bytes, size, offset);
    errno = EIO;
    return -1;
  }
  inline static int left_ = 0;
  sqlite3_vfs* vfs_ = sqlite3_vfs_find(nullptr);
};

/// The number of requests for a lock.
class CountedLocks {
 public:
  CountedLocks() {
    count_ = 0;
    vfs_->xSetSystemCall(vfs_, "fcntl", reinterpret_cast<sqlite3_syscall_ptr>(&lock));
  }
  ~CountedLocks() { vfs_->xSetSystemCall(vfs_, "fcntl", nullptr); }
  CountedLocks(const CountedLocks&) = delete;
  CountedLocks& operator=(const CountedLocks&) = delete;
  CountedLocks(CountedLocks&&) = delete;
  CountedLocks& operator=(CountedLocks&&) = delete;

  static std::size_t count() { return count_; }

 private:
  static int lock(int file, int command, void* argument) {
    ++count_;
    return fcntl(file, command, argument);
  }
  inline static std::size_t count_ = 0;
  sqlite3_vfs* vfs_ = sqlite3_vfs_find(nullptr);
};

void check_refused_both(const std::string& path, Cause cause, std::string_view words) {
  check_refused(path, Access::read, cause, words);
  check_refused(path, Access::write, cause, words);
}

/// A store with the orchard's three games, closed.
struct Orchard {
  Folder folder;
  std::string path = folder.file("store.db");
  Orchard() { record_orchard(*SqliteStore::open(path, Access::write)); }
};

bool is_sound(const std::string& path) {
  const auto store = SqliteStore::open(path, Access::read);
  return audit_store(*store).ok() && store->check().empty();
}

/// The status of a child in which opening must fail with these words: 0 if it does, 1 if it
/// succeeds, 2 for other words.
int status_of_refusal(const std::string& path, Access access, std::string_view words) {
  const auto failure = failure_of(path, access);
  if (!failure) return 1;
  if (failure->message.find(words) != std::string::npos) return 0;
  std::fputs((failure->message + "\n").c_str(), stderr);
  return 2;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(opening_a_path)

BOOST_AUTO_TEST_CASE(without_a_file_makes_one_to_write_and_fails_to_read) {
  const Folder folder;
  const std::string path = folder.file("new.db");
  check_refused(path, Access::read, Cause::failed, "there is no such file");
  BOOST_TEST(!fs::exists(path));
  BOOST_TEST(!SqliteStore::exists(path));
  BOOST_CHECK(!failure_of(path, Access::write));
  BOOST_TEST(SqliteStore::exists(path));
  BOOST_CHECK(!failure_of(path, Access::read));
  BOOST_TEST(is_sound(path));
}

BOOST_AUTO_TEST_CASE(that_is_a_directory) {
  const Folder folder;
  check_refused_both(folder.path().string(), Cause::failed, "it is a directory");
}

BOOST_AUTO_TEST_CASE(in_a_folder_that_is_not_there) {
  const Folder folder;
  const std::string path = folder.file("missing/store.db");
  check_refused(path, Access::write, Cause::failed, "missing isn't there");
  check_refused(path, Access::read, Cause::failed, "there is no such file");
  BOOST_TEST(folder.contents().empty());
}

BOOST_AUTO_TEST_CASE(whose_folder_is_a_file) {
  const Folder folder;
  write_file(folder.file("file"), "x");
  check_refused(folder.file("file/store.db"), Access::write, Cause::failed, "file isn't there");
}

BOOST_AUTO_TEST_CASE(with_a_name_that_sqlite_would_take_for_something_else) {
  const Folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const std::string name : {":memory:", "file:x?mode=memory"}) {
    check_refused_both(name, Cause::failed, "give its path, or ./" + name);
    BOOST_CHECK_THROW(SqliteStore::exists(name), StoreError);
  }
  check_refused_both("", Cause::failed, "");
  for (const Access access : {Access::read, Access::write})
    BOOST_TEST(failure_of(std::string("a\0.db", 5), access).has_value());
  BOOST_TEST(folder.contents().empty());
  for (const std::string name : {"./:memory:", "./file:x?mode=memory", "a?immutable=1", "b%20#c"}) {
    BOOST_CHECK(!failure_of(name, Access::write));
    BOOST_TEST(fs::exists(folder.path() / name));
    BOOST_TEST(is_sound(name));
    BOOST_TEST(open_still_file(name).integer("PRAGMA application_id") == application_id);
  }
  fs::current_path(before);
}

BOOST_AUTO_TEST_CASE(with_a_name_that_leaves_no_room_for_the_files_beside_it_makes_none) {
  const Folder folder;
  check_refused(folder.file(std::string(248, 'x')), Access::write, Cause::failed, "at most 247");
  BOOST_TEST(folder.contents().empty());
  BOOST_CHECK(!failure_of(folder.file(std::string(247, 'x')), Access::write));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_store_whose_file_is_elsewhere)

namespace {

/// A store that is open, with a game in it.
struct OpenStore {
  Folder folder;
  std::string path = folder.file("store.db");
  std::string elsewhere = folder.file("elsewhere.db");
  std::unique_ptr<SqliteStore> store = SqliteStore::open(path, Access::write);
  Match match = start(*store, "a");

  /// The error of a refused append, which records nothing.
  std::string refusal() {
    const Head before = match.head();
    try {
      perform(match, RollTurn{});
    } catch (const OutcomeUnknown&) {
      BOOST_ERROR("it is known that nothing was recorded");
    } catch (const StoreError& error) {
      BOOST_CHECK(match.head() == before);
      return error.what();
    }
    return "recorded";
  }
};

bool says(const std::string& message, std::string_view words) {
  return message.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(answers_nothing_and_goes_on_once_it_is_back) {
  OpenStore open;
  const auto reader = SqliteStore::open(open.path, Access::read);
  fs::rename(open.path, open.elsewhere);
  BOOST_TEST(says(open.refusal(), "moved while it was open: it is " + open.elsewhere + " now"));
  BOOST_TEST(says(open.refusal(), "nothing new was recorded"));
  for (SqliteStore* store : {open.store.get(), reader.get()}) {
    BOOST_CHECK_THROW(store->head("a"), StoreError);
    BOOST_CHECK_THROW(store->commit_with_id("a", "x"), StoreError);
    BOOST_CHECK_THROW(store->wait_for_append(0, std::chrono::milliseconds{0}), StoreError);
    BOOST_CHECK_THROW(store->read_transaction(), StoreError);
  }
  fs::rename(open.elsewhere, open.path);
  BOOST_TEST(open.refusal() == "recorded");
  BOOST_CHECK(reader->head("a") == open.match.head());
  BOOST_TEST(open.match.head().version == 2);
}

BOOST_AUTO_TEST_CASE(keeps_no_hosted_game_either) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  SqliteStore::open(path, Access::write);
  const auto rooms = SqliteHostedGames::open(path);
  fs::rename(path, folder.file("elsewhere.db"));
  BOOST_CHECK_THROW(rooms->keep({}), StoreError);
  fs::rename(folder.file("elsewhere.db"), path);
  rooms->keep({});
}

BOOST_AUTO_TEST_CASE(has_all_its_turns_in_its_new_place_once_it_is_closed) {
  OpenStore open;
  for (int turn = 0; turn < 5; ++turn)
    perform(open.match, RollTurn{});
  const Head head = open.match.head();
  fs::rename(open.path, open.elsewhere);
  open.store.reset();
  BOOST_CHECK(SqliteStore::open(open.elsewhere, Access::read)->head("a") == head);
  BOOST_TEST(is_sound(open.elsewhere));
}

BOOST_AUTO_TEST_CASE(or_gone_or_another_says_so) {
  OpenStore deleted;
  fs::remove(deleted.path);
  BOOST_TEST(says(deleted.refusal(), "deleted while it was open"));
  OpenStore replaced;
  fs::copy_file(replaced.path, replaced.elsewhere);
  fs::rename(replaced.elsewhere, replaced.path);
  BOOST_TEST(says(replaced.refusal(), "another file was put in its place"));
  OpenStore without_log;
  fs::remove(without_log.path + "-wal");
  BOOST_TEST(says(without_log.refusal(), "-wal was deleted"));
}

BOOST_AUTO_TEST_CASE(or_has_a_second_name_is_not_written) {
  OpenStore open;
  fs::create_hard_link(open.path, open.elsewhere);
  BOOST_TEST(says(open.refusal(), "nothing new was recorded: its file has 2 names"));
  check_refused(open.path, Access::write, Cause::failed, "its file has 2 names");
  check_refused(open.elsewhere, Access::write, Cause::failed, "its file has 2 names");
  BOOST_TEST(SqliteAdmin(open.path).doubt().has_value());
  fs::remove(open.elsewhere);
  BOOST_TEST(open.refusal() == "recorded");
  BOOST_TEST(!SqliteAdmin(open.path).doubt());
}

BOOST_AUTO_TEST_CASE(or_is_mounted_by_itself_has_another_name) {
  BOOST_TEST(!sqlite::other_names("x", {.names = 1}));
  BOOST_TEST(says(*sqlite::other_names("x", {.names = 1, .is_mounted = true}), "mount"));
  BOOST_TEST(says(*sqlite::other_names("x", {.names = 3}), "3 names"));
  BOOST_TEST(sqlite::identity_of("/proc").value().is_mounted);
  BOOST_TEST(!sqlite::identity_of(Folder().path().string()).value().is_mounted);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(opening_a_file_that_is_no_store)

BOOST_AUTO_TEST_CASE(a_text) {
  const Folder folder;
  const std::string path = folder.file("notes.txt");
  const std::string text(2000, 'x');
  write_file(path, text);
  check_refused_both(path, Cause::damaged, "it is not a store");
  BOOST_TEST((bytes_of(path) == text));
}

BOOST_AUTO_TEST_CASE(a_short_text) {
  const Folder folder;
  write_file(folder.file("short"), "hello");
  check_refused_both(folder.file("short"), Cause::damaged, "it is not a store");
}

BOOST_AUTO_TEST_CASE(a_blank_file_is_a_store_without_games) {
  const Folder folder;
  write_file(folder.file("empty"), "");
  PlainDatabase(folder.file("blank")).execute("PRAGMA journal_mode = WAL");
  for (const std::string name : {"empty", "blank"}) {
    const std::string path = folder.file(name);
    const auto before = folder.contents();
    BOOST_TEST(SqliteStore::exists(path) == (name == "blank"));
    const auto reader = SqliteStore::open(path, Access::read);
    BOOST_TEST(reader->list({}, 10).empty());
    BOOST_TEST(reader->check().empty());
    BOOST_TEST(SqliteStore::facts(path).games == 0);
    BOOST_CHECK(folder.contents() == before);
    start(*SqliteStore::open(path, Access::write), "first");
    BOOST_TEST(reader->list({}, 10).size() == 1U);  // it is checked again
    BOOST_TEST(is_sound(path));
  }
}

BOOST_AUTO_TEST_CASE(one_that_can_have_no_write_ahead_log_is_none) {
  BOOST_CHECK_EXCEPTION(keep_write_ahead_log(sqlite::Connection::temporary(), 0), StoreError,
                        [](const StoreError& error) {
                          return std::string_view(error.what())
                              .ends_with(
                                  "no write-ahead log can be kept beside it; use another "
                                  "file system");
                        });
}

BOOST_AUTO_TEST_CASE(another_sqlite_database) {
  const Folder folder;
  const std::string path = folder.file("other.db");
  PlainDatabase(path).execute("CREATE TABLE commits (position INTEGER)");
  const std::string before = bytes_of(path);
  check_refused_both(path, Cause::damaged, "not an snl store");
  BOOST_TEST((bytes_of(path) == before));
}

BOOST_AUTO_TEST_CASE(a_store_of_another_application) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA application_id = 1");
  check_refused_both(orchard.path, Cause::damaged, "not an snl store");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(opening_a_store_of_another_version)

BOOST_AUTO_TEST_CASE(a_newer_one_is_refused_and_both_versions_are_named) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA user_version = 77");
  const std::string words =
      fmt::format("version 77, this snl knows versions up to {}", schema_of_today().version());
  check_refused_both(orchard.path, Cause::other_version, words);
  const auto facts = SqliteStore::facts(orchard.path);
  BOOST_TEST(facts.schema_version == 77);
  BOOST_TEST(facts.games == -1);
  BOOST_TEST(facts.commits == -1);
}

BOOST_AUTO_TEST_CASE(an_older_one_is_not_read_and_the_way_out_is_named) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA user_version = 0");
  check_refused(orchard.path, Access::read, Cause::other_version, "upgrade it with snl db migrate");
}

BOOST_AUTO_TEST_CASE(one_that_lies_about_its_version_is_put_right_by_a_writer) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA user_version = 0");
  BOOST_CHECK(!failure_of(orchard.path, Access::write));
  BOOST_TEST(SqliteStore::facts(orchard.path).schema_version == schema_of_today().version());
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(one_of_a_schema_that_no_version_had_is_left_as_it_is) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA user_version = 0; DROP VIEW events");
  const std::string before = bytes_of(orchard.path);
  check_refused(orchard.path, Access::write, Cause::damaged, "\" differs");
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_CASE(facts_are_told_of_a_store_of_today) {
  const Orchard orchard;
  const auto facts = SqliteStore::facts(orchard.path);
  BOOST_TEST(facts.schema_version == schema_of_today().version());
  BOOST_TEST(facts.games == 3);
  BOOST_TEST(facts.commits == 19);
  BOOST_TEST(facts.bytes == static_cast<std::int64_t>(fs::file_size(orchard.path)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(opening_a_store_whose_schema_was_changed)

BOOST_AUTO_TEST_CASE(every_table_index_trigger_and_view_counts) {
  const std::vector<std::pair<std::string, std::string>> changes{
      {"DROP TRIGGER commits_are_never_updated", "commits_are_never_updated"},
      {"DROP TRIGGER commits_are_appended_without_gaps", "commits_are_appended_without_gaps"},
      {"DROP TRIGGER games_are_added_in_order; CREATE TRIGGER games_are_added_in_order "
       "BEFORE INSERT ON games WHEN 0 BEGIN SELECT 1; END",
       "games_are_added_in_order"},
      {"CREATE TRIGGER evil AFTER INSERT ON commits BEGIN DELETE FROM players; END", "evil"},
      {"DROP VIEW events", "events"},
      {"CREATE VIEW more AS SELECT 1", "more"},
      {"CREATE TABLE more (a)", "more"},
      {"DROP TABLE migrations", "migrations"},
      {"ALTER TABLE players ADD COLUMN age INTEGER", "players"},
      {"DROP INDEX commits_by_command_id", "commits_by_command_id"},
      {"CREATE INDEX more ON commits (time)", "more"},
  };
  for (const auto& [sql, name] : changes) {
    const Orchard orchard;
    PlainDatabase(orchard.path).execute(sql);
    const std::string words = fmt::format("\"{}\" differs", name);
    BOOST_TEST_CONTEXT(sql) check_refused_both(orchard.path, Cause::damaged, words);
  }
}

BOOST_AUTO_TEST_CASE(a_trigger_under_a_name_of_sqlites_own_counts_too) {
  const Orchard orchard;
  PlainDatabase(orchard.path)
      .execute(
          "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('trigger', "
          "'sqlite_evil', 'commits', 0, 'CREATE TRIGGER sqlite_evil AFTER INSERT ON commits "
          "BEGIN DELETE FROM players; END')");
  check_refused_both(orchard.path, Cause::damaged, "\"sqlite_evil\" differs");
}

BOOST_AUTO_TEST_CASE(the_statistics_of_analyze_do_not) {
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("ANALYZE");
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(an_edited_migration_is_told) {
  for (const std::string change :
       {"UPDATE migrations SET sha256 = zeroblob(32)", "UPDATE migrations SET name = 'x'",
        "UPDATE migrations SET number = 9 WHERE number = 1", "DELETE FROM migrations"}) {
    const Orchard orchard;
    PlainDatabase(orchard.path).execute(change);
    BOOST_TEST_CONTEXT(change)
    check_refused_both(orchard.path, Cause::damaged, "migration 1 isn't the one");
  }
}

BOOST_AUTO_TEST_CASE(a_migration_that_is_not_known_is_told) {
  const Orchard orchard;
  PlainDatabase(orchard.path)
      .execute(fmt::format("INSERT INTO migrations VALUES ({}, 'future', zeroblob(32))",
                           schema_of_today().version() + 1));
  check_refused_both(orchard.path, Cause::damaged, "a migration that this snl doesn't know");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_damaged_store)

namespace {
/// Opens and audits a file. True if either step reported damage, or if the file is sound after all.
/// Any other result (an exception of another kind, a crash) fails the test.
bool is_told(const std::string& path) {
  try {
    const auto store = SqliteStore::open(path, Access::read);
    const bool ok = audit_store(*store).ok();
    return !store->check().empty() || !ok;
  } catch (const StoreError& error) {
    return error.is_damage();
  }
}
}  // namespace

BOOST_AUTO_TEST_CASE(truncated_anywhere_is_told) {
  const Orchard orchard;
  const std::string whole = bytes_of(orchard.path);
  const std::string copy = orchard.folder.file("copy.db");
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{99}, std::size_t{100}, std::size_t{512}, std::size_t{4095},
        std::size_t{4096}, std::size_t{4097}, std::size_t{3 * 4096}, whole.size() / 2,
        whole.size() - 2048, whole.size() - 1}) {
    write_file(copy, whole.substr(0, size));
    BOOST_CHECK_MESSAGE(is_told(copy), "cut to " << size << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(every_page_overwritten_is_told) {
  const Orchard orchard;
  // Pages that a migration freed are empty.
  PlainDatabase(orchard.path).execute("VACUUM");
  const std::string whole = bytes_of(orchard.path);
  const std::string copy = orchard.folder.file("copy.db");
  constexpr std::size_t size = 2048;
  for (const char filler : {'\0', '\xFF', 'a'})
    for (std::size_t page = 0; page < whole.size() / size; ++page) {
      std::string damaged = whole;
      damaged.replace(page * size, size, std::string(size, filler));
      write_file(copy, damaged);
      BOOST_CHECK_MESSAGE(is_told(copy), "page " << page << " of " << int{filler});
    }
}

BOOST_AUTO_TEST_CASE(any_byte_changed_crashes_nothing) {
  const Orchard orchard;
  const std::string whole = bytes_of(orchard.path);
  const std::string copy = orchard.folder.file("copy.db");
  std::size_t told = 0;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < whole.size(); at += 251) {  // a prime: all over the pages
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write_file(copy, damaged);
    ++tried;
    try {
      told += is_told(copy) ? 1U : 0U;
    } catch (const std::exception& error) {
      BOOST_ERROR("byte " << at << ": " << error.what());
    }
  }
  BOOST_TEST(told > tried / 20);  // the pages of a small store are mostly empty
}

/// Found by flipping every byte: a query for the games after the last one returned it again.
BOOST_AUTO_TEST_CASE(whose_index_of_games_is_out_of_order_is_told_and_read_to_an_end) {
  const Orchard orchard;
  std::string bytes = bytes_of(orchard.path);
  const std::string entry =
      "\x03\x17\x01"
      "berry";  // of the index on game IDs
  const std::size_t at = bytes.find(entry);
  BOOST_REQUIRE(at != std::string::npos);
  bytes[at + 3] = 'z';  // between apple and cherry
  write_file(orchard.path, bytes);
  const auto store = SqliteStore::open(orchard.path, Access::read);
  const AuditReport report = audit_store(*store);
  BOOST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(report.problems[0].kind == "file");
  BOOST_TEST(report.problems[0].detail.ends_with(
      "its games are out of order); see snl db check, restore a copy"));
  BOOST_TEST(store->check().front().kind == "file");
}

namespace {
/// A store in which SQLite finds rows out of order: this part of its schema was read as
/// `descending` when an index was made, and is read correctly since then.
std::string store_in_disorder(const Folder& folder, const std::string& name,
                              const std::string& ascending, const std::string& descending,
                              const std::string& rebuild) {
  const std::string path = folder.file("store.db");
  {
    const auto store = SqliteStore::open(path, Access::write);
    for (const std::string game : {"apple", "berry", "cherry"}) {
      Match match = start(*store, game);
      perform(match, turn_of_next(match, {2}));
    }
  }
  const auto reword = [&](const std::string& from, const std::string& to) {
    PlainDatabase database(path);
    database.execute(fmt::format(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{}', "
        "'{}') WHERE name = '{}'",
        from, to, name));
    BOOST_REQUIRE(database.changes() == 1);
  };
  reword(ascending, descending);
  PlainDatabase(path).execute(rebuild);
  reword(descending, ascending);
  return path;
}

void check_told_out_of_order(const std::string& path, const std::string& of_what,
                             const std::function<void(SqliteStore&)>& read) {
  const auto store = SqliteStore::open(path, Access::read);
  BOOST_CHECK_EXCEPTION(read(*store), StoreError, [&](const StoreError& error) {
    return error.is_damage() &&
           std::string_view(error.what()).contains(fmt::format("its {} are out of order", of_what));
  });
}
}  // namespace

BOOST_AUTO_TEST_CASE(whose_commits_are_out_of_order_is_told) {
  const Folder folder;
  const std::string path = store_in_disorder(folder, "commits", "UNIQUE (game, version)",
                                             "UNIQUE (game, version DESC)", "REINDEX commits");
  check_told_out_of_order(path, "commits", [](SqliteStore& store) {
    CommitPage page;
    store.read("apple", 2, 10, page);
  });
}

BOOST_AUTO_TEST_CASE(whose_list_is_out_of_order_is_told) {
  const Folder folder;
  const std::string path = store_in_disorder(folder, "games_by_status", "(status, game)",
                                             "(status, game DESC)", "REINDEX games_by_status");
  check_told_out_of_order(path, "games",
                          [](SqliteStore& store) { store.list({.completed = false}, 10); });
}

BOOST_AUTO_TEST_CASE(whose_list_of_a_player_is_out_of_order_is_told) {
  const Folder folder;
  const std::string path =
      store_in_disorder(folder, "players_by_name", "(name, completed, game)",
                        "(name, completed, game DESC)", "REINDEX players_by_name");
  for (const ListFilter& filter :
       {ListFilter{.player = "Ann"}, ListFilter{.completed = false, .player = "Ann"}})
    check_told_out_of_order(path, "games", [&](SqliteStore& store) { store.list(filter, 10); });
}

BOOST_AUTO_TEST_CASE(a_damaged_header_has_a_message_of_its_own) {
  const Orchard orchard;
  std::string bytes = bytes_of(orchard.path);
  bytes.replace(100, 8, std::string(8, '\xFF'));  // the root page's own header
  write_file(orchard.path, bytes);
  check_refused(orchard.path, Access::read, Cause::damaged, "it is damaged");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_store_whose_tables_are_views_without_an_end)

namespace {
/// A hostile file: it claims to be a store, and counting its games takes for ever.
std::string endless_store(const Folder& folder, std::string_view version) {
  const std::string path = folder.file("endless.db");
  PlainDatabase(path).execute(fmt::format(
      "CREATE VIEW games AS WITH RECURSIVE n(game) AS (SELECT 1 UNION ALL SELECT game + 1 "
      "FROM n) SELECT * FROM n; CREATE VIEW commits AS SELECT * FROM games;"
      "PRAGMA application_id = {}; PRAGMA user_version = {}",
      application_id, version));
  return path;
}

/// The result of some work within a time limit, in a process that is killed after it.
int soon(const std::function<void()>& work) {
  return in_a_child([&] {
    alarm(20);
    try {
      work();
      return 1;
    } catch (const StoreError& error) {
      return error.is_damage() ? 0 : 2;
    }
  });
}
}  // namespace

BOOST_AUTO_TEST_CASE(is_asked_for_nothing_before_its_schema_is_compared) {
  for (const std::string_view version : {"0", "1"}) {
    const Folder folder;
    const std::string path = endless_store(folder, version);
    const auto before = folder.contents();
    BOOST_TEST(soon([&] { SqliteStore::facts(path); }) == 0);
    BOOST_TEST(soon([&] { SqliteStore::open(path, Access::read); }) == 0);
    BOOST_TEST(soon([&] { SqliteStore::open(path, Access::write); }) == 0);
    BOOST_CHECK(folder.contents() == before);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(every_connection)

namespace {

int flag_of(const sqlite::Connection& connection, int option) {
  int value = -1;
  sqlite3_db_config(connection.handle(), option, -1, &value);
  return value;
}

void check_settings(sqlite::Connection& connection, std::string_view kind) {
  BOOST_TEST_CONTEXT(kind) {
    BOOST_TEST(flag_of(connection, SQLITE_DBCONFIG_DEFENSIVE) == 1);
    BOOST_TEST(flag_of(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA) == 0);
    BOOST_TEST(flag_of(connection, SQLITE_DBCONFIG_ENABLE_FKEY) == 1);
    BOOST_TEST(flag_of(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER) == 1);
    BOOST_TEST(connection.integer("PRAGMA cell_size_check") == 1);
    BOOST_TEST(connection.integer("PRAGMA wal_autocheckpoint") == 0);
    BOOST_TEST(connection.integer("PRAGMA synchronous") == 2);
    // It has no result for a database in memory.
    sqlite::Statement mapped(connection, "PRAGMA mmap_size");
    if (mapped.step()) BOOST_TEST(mapped.integer(0) == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_set_up_for_files_of_strangers_and_for_power_cuts) {
  // A build of SQLite may map files by default; Debian's doesn't, so here it does.
  const auto map_by_default = [](sqlite3_int64 bytes) {
    sqlite3_shutdown();
    BOOST_TEST(sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, bytes, sqlite3_int64{1} << 30) == SQLITE_OK);
  };
  map_by_default(sqlite3_int64{1} << 20);
  using Kind = sqlite::Connection::Access;
  const Orchard orchard;
  const auto writer = SqliteStore::open(orchard.path, Access::write);  // whose log a reader needs
  for (const Kind kind : {Kind::read_only, Kind::immutable, Kind::read_write, Kind::create}) {
    sqlite::Connection connection(orchard.path, kind, 0);
    check_settings(connection, fmt::format("kind {}", static_cast<int>(kind)));
  }
  auto memory = sqlite::Connection::in_memory();
  check_settings(memory, "in memory");
  auto temporary = sqlite::Connection::temporary();
  check_settings(temporary, "temporary");
  auto written = open_store_to_write(orchard.path, 0);
  check_settings(written, "to write");
  BOOST_TEST(written.integer("PRAGMA cache_size") == -16384);
  written.drop_schema_checks();
  BOOST_TEST(flag_of(written, SQLITE_DBCONFIG_ENABLE_TRIGGER) == 0);
  BOOST_TEST(flag_of(written, SQLITE_DBCONFIG_ENABLE_FKEY) == 0);
  auto any = open_store_of_any_version(orchard.path, 0);
  check_settings(any.connection, "to read, of any version");
  auto still = open_still_file(orchard.path);
  check_settings(still, "a still file");
  BOOST_TEST(any.connection.integer("PRAGMA query_only") == 1);
  BOOST_TEST(still.integer("PRAGMA query_only") == 1);
  BOOST_TEST(written.integer("PRAGMA query_only") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_store_that_cannot_be_written)

BOOST_AUTO_TEST_CASE(is_refused_to_a_writer_and_read_by_a_reader) {
  const Orchard orchard;
  fs::permissions(orchard.folder.path(), fs::perms(0755));
  fs::permissions(orchard.path, fs::perms(0444));
  const std::string before = bytes_of(orchard.path);
  BOOST_TEST(without_privileges([&] {
               return status_of_refusal(orchard.path, Access::write,
                                        "it can't be written; check its");
             }) == 0);
  BOOST_TEST(without_privileges([&] { return is_sound(orchard.path) ? 0 : 1; }) == 0);
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_CASE(since_its_folder_cannot_be_is_read_all_the_same) {
  const Orchard orchard;
  fs::permissions(orchard.path, fs::perms(0666));
  fs::permissions(orchard.folder.path(), fs::perms(0555));
  const auto before = orchard.folder.contents();
  BOOST_TEST(without_privileges([&] { return is_sound(orchard.path) ? 0 : 1; }) == 0);
  BOOST_CHECK(without_privileges([&] {
                return status_of_refusal(orchard.path, Access::write, "it can't be");
              }) == 0);
  BOOST_CHECK(orchard.folder.contents() == before);
}

BOOST_AUTO_TEST_CASE(for_want_of_a_descriptor_is_not_taken_for_one_that_never_changes) {
  const Orchard orchard;
  PlainDatabase writer(orchard.path);  // whose log can't be opened
  writer.execute("BEGIN IMMEDIATE");
  BOOST_TEST(in_a_child([&] {
               const int next = dup(STDIN_FILENO);
               close(next);
               const auto one_more =
                   static_cast<rlim_t>(next) + 1;  // the file, not the files beside it
               const rlimit limit{.rlim_cur = one_more, .rlim_max = one_more};
               if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 98;
               return status_of_refusal(orchard.path, Access::read, "too many files are open");
             }) == 0);
}

BOOST_AUTO_TEST_CASE(nor_made_in_its_folder) {
  const Folder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  BOOST_TEST(without_privileges([&] {
               return status_of_refusal(folder.file("new.db"), Access::write, "it can't be opened");
             }) == 0);
  BOOST_TEST(folder.contents().empty());
}

BOOST_AUTO_TEST_CASE(nor_read_is_refused_to_both) {
  const Orchard orchard;
  fs::permissions(orchard.folder.path(), fs::perms(0755));
  fs::permissions(orchard.path, fs::perms(0000));
  for (const Access access : {Access::read, Access::write})
    BOOST_TEST(without_privileges([&] {
                 return status_of_refusal(orchard.path, access,
                                          "check the path and the permissions");
               }) == 0);
}

BOOST_AUTO_TEST_CASE(with_changes_beside_it_says_what_to_do_or_shows_them) {
  const Orchard orchard;
  const Folder copies;
  {
    // Still open: only the write-ahead log has the last commit.
    const auto store = SqliteStore::open(orchard.path, Access::write);
    start(*store, "latest");
    for (const auto& [name, bytes] : orchard.folder.contents())
      if (!name.ends_with("-shm")) write_file(copies.file(name), bytes);
  }
  const std::string copy = copies.file("store.db");
  for (const auto& entry : fs::directory_iterator(copies.path()))
    fs::permissions(entry.path(), fs::perms(0444));
  fs::permissions(copies.path(), fs::perms(0555));
  BOOST_TEST(without_privileges([&] {
               const auto failure = failure_of(copy, Access::read);
               if (failure) return failure->message.find("-wal") != std::string::npos ? 0 : 2;
               return SqliteStore::open(copy, Access::read)->head("latest") ? 0 : 1;
             }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading_a_store)

BOOST_AUTO_TEST_CASE(changes_no_byte_and_leaves_no_file) {
  const Orchard orchard;
  const auto before = orchard.folder.contents();
  {
    const auto store = SqliteStore::open(orchard.path, Access::read);
    audit_store(*store);
    store->check();
    store->list({}, 10);
    store->wait_for_append(0, std::chrono::milliseconds{0});
    history_of(*store, "apple");
  }
  SqliteStore::facts(orchard.path);
  BOOST_CHECK(orchard.folder.contents() == before);
}

BOOST_AUTO_TEST_CASE(refuses_to_append) {
  const Orchard orchard;
  const auto says_why = [](const StoreError& error) {
    return std::string_view(error.what()).find("opened to be read") != std::string_view::npos;
  };
  const auto before = orchard.folder.contents();
  {
    const auto store = SqliteStore::open(orchard.path, Access::read);
    auto apple = Match::load(*store, "apple");
    BOOST_CHECK_EXCEPTION(std::ignore = apple->execute(UndoTurns{1}), StoreError, says_why);
    BOOST_CHECK_EXCEPTION(std::ignore = Match::start(*store, "new", start_of()), StoreError,
                          says_why);
  }
  BOOST_CHECK(orchard.folder.contents() == before);
}

BOOST_AUTO_TEST_CASE(is_told_from_a_mistake_of_the_programs_own) {
  const Orchard orchard;
  const auto store = SqliteStore::open(orchard.path, Access::write);
  {
    const auto now = store->read_transaction();
    BOOST_CHECK_THROW(start(*store, "new"), std::logic_error);
  }
  start(*store, "new");
}

BOOST_AUTO_TEST_CASE(
    by_a_reader_without_write_access_sees_what_is_written_meanwhile_and_nothing_torn) {
  const Orchard orchard;
  fs::permissions(orchard.folder.path(), fs::perms(0777));
  fs::permissions(orchard.path, fs::perms(0644));
  // The child reads twice in one transaction, and waits in between until the parent has written.
  std::array<int, 2> asked{};
  std::array<int, 2> done{};
  BOOST_REQUIRE(pipe(asked.data()) == 0 && pipe(done.data()) == 0);
  const pid_t reader = begin_child([&] {
    return without_privileges([&] {
      const auto store = SqliteStore::open(orchard.path, Access::read);
      if (all_commits(*store).empty()) return 1;
      int rounds = 0;
      const auto [before, after] = in_read_transaction(*store, [&](ReadTransaction& now) {
        const std::size_t first = all_commits(now).size();
        char byte = 'x';
        if (rounds++ == 0 && (write(asked[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1))
          throw std::runtime_error("the parent is gone");
        return std::pair(first, all_commits(now).size());
      });
      if (before != after) return 2;
      if (rounds != 2) return 3;  // another process wrote while nothing was locked
      return all_commits(*store).size() == after && store->head("during") ? 0 : 4;
    });
  });
  char byte = 0;
  BOOST_REQUIRE(read(asked[0], &byte, 1) == 1);
  const auto owner = SqliteStore::open(orchard.path, Access::write);
  start(*owner, "during");
  BOOST_REQUIRE(write(done[1], &byte, 1) == 1);
  BOOST_TEST(end_of_child(reader) == 0);
  for (const int end : {asked[0], asked[1], done[0], done[1]})
    close(end);
  for (const auto& entry : fs::directory_iterator(orchard.folder.path())) {
    struct stat status{};
    BOOST_TEST(stat(entry.path().c_str(), &status) == 0);
    BOOST_TEST(status.st_uid == geteuid());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(positions)

BOOST_AUTO_TEST_CASE(have_no_gaps_whatever_was_refused_or_rolled_back) {
  const Folder folder;
  const auto store = SqliteStore::open(folder.file("store.db"), Access::write);
  const auto other = SqliteStore::open(folder.file("store.db"), Access::write);
  Match match = start(*store, "a");
  for (int turn = 0; turn < 40; ++turn) {
    BOOST_REQUIRE(!Match::start(*other, "a", start_of()));
    BOOST_CHECK_THROW(together(*store,
                               [&] {
                                 start(*store, "never");
                                 throw std::runtime_error("enough");
                               }),
                      std::runtime_error);
    start(*other, "b" + std::to_string(turn));
    perform(match, turn_of_next(match, {6, 6, 6}));
  }
  StorePosition position = 0;
  for (const Commit& commit : all_commits(*store))
    BOOST_REQUIRE_EQUAL(commit.position, ++position);
  BOOST_TEST(position == 81);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_log_in_any_sqlite_shell)

namespace {

/// Forbidden changes of the log, and the error of the schema for each.
const std::vector<std::pair<std::string, std::string>>& forbidden() {
  static const std::string copy =
      "SELECT position, game, version, time, command, events, hash, command_id FROM commits ";
  static const std::vector<std::pair<std::string, std::string>> statements{
      {"UPDATE commits SET time = 0", "commits are never updated"},
      {"UPDATE commits SET hash = hash WHERE position = 1", "commits are never updated"},
      {"UPDATE OR REPLACE commits SET position = 1 WHERE position = 2",
       "commits are never updated"},
      {"UPDATE OR IGNORE commits SET rowid = 99 WHERE position = 1", "commits are never updated"},
      {"DELETE FROM commits", "commits are never deleted"},
      {"DELETE FROM commits WHERE position = (SELECT max(position) FROM commits)",
       "commits are never deleted"},
      // By position.
      {"INSERT OR REPLACE INTO commits " + copy + "WHERE position = 3", "position is the next"},
      {"REPLACE INTO commits SELECT 1, game, 99, time, command, events, hash, NULL FROM commits "
       "WHERE position = 3",
       "position is the next"},
      {"INSERT OR IGNORE INTO commits " + copy + "WHERE position = 3", "position is the next"},
      {"INSERT INTO commits " + copy + "WHERE position = 3 ON CONFLICT DO NOTHING",
       "position is the next"},
      // By game and version, by command ID: at the next position.
      {"INSERT OR REPLACE INTO commits SELECT 20, game, 2, time, command, events, hash, NULL "
       "FROM commits WHERE position = 3",
       "version is the next"},
      {"INSERT OR REPLACE INTO commits SELECT 20, 1, 14, time, command, events, hash, 'first' "
       "FROM commits WHERE position = 3",
       "a command ID is used once"},
      // Gaps.
      {"INSERT INTO commits SELECT 21, 1, 14, time, command, events, hash, NULL FROM commits "
       "WHERE position = 3",
       "position is the next"},
      {"INSERT INTO commits SELECT NULL, 1, 14, time, command, events, hash, NULL FROM commits "
       "WHERE position = 3",
       "position is the next"},
      {"INSERT INTO commits SELECT 20, 1, 15, time, command, events, hash, NULL FROM commits "
       "WHERE position = 3",
       "version is the next"},
      {"INSERT INTO commits SELECT 20, 1, 0, time, command, events, hash, NULL FROM commits "
       "WHERE position = 3",
       "version is the next"},
      // Of no game, and out of turn: foreign keys are off in the shell.
      {"INSERT INTO commits SELECT 20, 999, 1, time, command, events, hash, NULL FROM commits "
       "WHERE position = 1",
       "belongs to a game that is there"},
      {"INSERT INTO games SELECT 77, 'pear', created, version, head, status, turn, cells, next, "
       "winner, last_turn, last_index, redo_version, redo_index, redoable, seal FROM games "
       "WHERE id = 'apple'",
       "key is the next one"},
      {"INSERT INTO games SELECT NULL, 'pear', created, version, head, status, turn, cells, next, "
       "winner, last_turn, last_index, redo_version, redo_index, redoable, seal FROM games "
       "WHERE id = 'apple'",
       "key is the next one"},
      {"DELETE FROM games", "games are never deleted"},
      {"DELETE FROM games WHERE id = 'cherry'", "games are never deleted"},
      {"UPDATE games SET id = 'pear' WHERE id = 'apple'", "a game keeps its ID"},
      {"UPDATE games SET game = 99 WHERE id = 'apple'", "a game keeps its ID"},
      {"UPDATE OR REPLACE games SET id = 'apple' WHERE id = 'berry'", "a game keeps its ID"},
      {"INSERT OR REPLACE INTO games SELECT * FROM games WHERE id = 'apple'",
       "games are never replaced"},
      {"INSERT OR REPLACE INTO games SELECT 99, id, created, version, head, status, turn, cells, "
       "next, winner, last_turn, last_index, redo_version, redo_index, redoable, seal FROM games "
       "WHERE id = 'apple'",
       "games are never replaced"},
  };
  return statements;
}

/// The output of the sqlite3 shell.
std::string in_the_shell(const std::string& path, const std::string& sql) {
  const std::string script = path + ".sql";
  write_file(script, sql + ";\n");
  const std::string command = fmt::format("sqlite3 '{}' < '{}' 2>&1", path, script);
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): the shell is under test
  std::string output;
  std::array<char, 256> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  pclose(pipe);
  return output;
}

}  // namespace

BOOST_AUTO_TEST_CASE(refuses_every_change_through_the_library) {
  const Orchard orchard;
  PlainDatabase database(orchard.path);
  const auto log = database.rows("SELECT *, hex(hash) FROM commits");
  for (const std::string recursive : {"OFF", "ON"}) {
    database.execute("PRAGMA recursive_triggers = " + recursive);
    for (const auto& [sql, words] : forbidden()) {
      const std::string error = database.try_to(sql);
      BOOST_CHECK_MESSAGE(error.find(words) != std::string::npos,
                          sql << ": \"" << error << "\" doesn't say \"" << words << "\"");
    }
  }
  BOOST_CHECK(database.rows("SELECT *, hex(hash) FROM commits") == log);
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(refuses_every_change_in_the_shell_itself) {
  const Orchard orchard;
  for (const auto& [sql, words] : forbidden()) {
    const std::string output = in_the_shell(orchard.path, sql);
    BOOST_CHECK_MESSAGE(output.find(words) != std::string::npos,
                        sql << ": \"" << output << "\" doesn't say \"" << words << "\"");
  }
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(refuses_a_new_key_for_a_game_by_any_name_of_it) {
  const Orchard orchard;
  PlainDatabase database(orchard.path);
  for (const std::string name : {"rowid", "oid", "_rowid_"})
    BOOST_TEST(database.try_to("UPDATE games SET " + name + " = 99 WHERE id = 'apple'") ==
               "a game keeps its ID");
}

BOOST_AUTO_TEST_CASE(lets_a_game_without_commits_be_taken_away_again) {
  const Orchard orchard;
  BOOST_TEST(in_the_shell(orchard.path,
                          "INSERT INTO games SELECT 4, 'pear', created, version, head, status, "
                          "turn, cells, next, winner, last_turn, last_index, redo_version, "
                          "redo_index, redoable, seal FROM games WHERE id = 'apple'") == "");
  BOOST_TEST(!is_sound(orchard.path));
  BOOST_TEST(in_the_shell(orchard.path, "DELETE FROM games WHERE id = 'pear'") == "");
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(takes_the_commit_that_comes_next) {
  const Orchard orchard;
  PlainDatabase database(orchard.path);
  BOOST_TEST(database.try_to("INSERT INTO commits SELECT 20, 1, 14, time, command, events, hash, "
                             "'new' FROM commits WHERE position = 3") == "");
  BOOST_TEST(!is_sound(orchard.path));  // its hash is of another one
}

BOOST_AUTO_TEST_CASE(shows_each_event_in_a_row_with_named_columns) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  Head last;
  {
    const auto store = SqliteStore::open(path, Access::write);
    Match match = start(*store, "a");
    perform(match, turn_of_next(match, {2}));
    perform(match, RollTurn{});
    perform(match, UndoTurns{2});
    perform(match, RedoTurns{1});
    perform(match, turn_of_next(match, {6, 6, 6}));
    last = perform(match, turn_of_next(match, {6, 2})).head;
  }
  PlainDatabase database(path);
  using Row = PlainDatabase::Row;
  const std::vector<Row> expected{
      {"1", "a", "1", "0", "2026-01-01T00:00:00.000Z", "started", "NULL", "NULL", "NULL", "NULL",
       "NULL", "NULL", "NULL", "NULL", "NULL"},
      {"2", "a", "2", "0", "2026-01-01T00:00:01.001Z", "played", "1", "Ann", "[2]", "0", "1", "3",
       "22", "moved", "Bob"},
      {"3", "a", "3", "0", "2026-01-01T00:00:02.002Z", "played", "2", "Bob", "[5]", "1", "1", "6",
       "6", "moved", "Ann"},
      {"4", "a", "4", "0", "2026-01-01T00:00:03.003Z", "undone", "2", "Bob", "NULL", "NULL", "6",
       "NULL", "1", "NULL", "Bob"},
      {"4", "a", "4", "1", "2026-01-01T00:00:03.003Z", "undone", "1", "Ann", "NULL", "NULL", "22",
       "NULL", "1", "NULL", "Ann"},
      {"5", "a", "5", "0", "2026-01-01T00:00:04.004Z", "redone", "1", "Ann", "NULL", "NULL", "1",
       "NULL", "22", "moved", "Bob"},
      {"6", "a", "6", "0", "2026-01-01T00:00:05.005Z", "played", "2", "Bob", "[6,6,6]", "0", "1",
       "1", "1", "forfeited", "Ann"},
      {"7", "a", "7", "0", "2026-01-01T00:00:06.006Z", "played", "3", "Ann", "[6,2]", "0", "22",
       "30", "30", "won", "NULL"},
  };
  const auto rows = database.rows(
      "SELECT position, game, version, \"index\", time, type, turn, player, dice, rolled, "
      "\"from\", landed, \"to\", outcome, next FROM events ORDER BY version, \"index\"");
  BOOST_REQUIRE_EQUAL(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    BOOST_TEST(rows[i] == expected[i], boost::test_tools::per_element());
  BOOST_TEST(database.value("SELECT hash FROM events WHERE version = 7") == to_hex(last.hash));
}

BOOST_AUTO_TEST_CASE(shows_the_time_to_the_millisecond) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  std::vector<std::string> expected;
  {
    const auto store = SqliteStore::open(path, Access::write);
    UnixMilliseconds time = 0;
    for (int game = 0; game < 200; ++game, time = (time * 31 + 86'399'999) % max_time) {
      start(*store, fmt::format("g{:03}", game), {}, [&] { return time; });
      expected.push_back(format_time(time));
    }
  }
  std::vector<std::string> shown;
  for (const auto& row : PlainDatabase(path).rows("SELECT time FROM events ORDER BY position"))
    shown.push_back(row[0]);
  BOOST_TEST(shown == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_file)

BOOST_AUTO_TEST_CASE(says_what_it_is) {
  const Orchard orchard;
  PlainDatabase database(orchard.path);
  BOOST_TEST(database.value("PRAGMA application_id") == "1397640241");  // "SNL1"
  BOOST_TEST(database.value("PRAGMA user_version") == std::to_string(schema_of_today().version()));
  BOOST_TEST(database.value("PRAGMA journal_mode") == "wal");
  BOOST_TEST(bytes_of(orchard.path).substr(68, 4) == "SNL1");
}

BOOST_AUTO_TEST_CASE(is_one_file_once_closed) {
  const Orchard orchard;
  const auto contents = orchard.folder.contents();
  BOOST_TEST(contents.size() == 1U);
  BOOST_TEST(contents.contains("store.db"));
}

BOOST_AUTO_TEST_CASE(does_not_let_its_write_ahead_log_grow_without_bound) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  constexpr int appends = 5000;
  constexpr std::uintmax_t frame = 2048 + 24;
  std::uintmax_t most = 0;
  {
    const auto store = SqliteStore::open(path, Access::write);
    Match match = start(*store, "long");
    for (int i = 0; i < appends; ++i) {
      perform(match, turn_of_next(match, {6, 6, 6}));
      if (i % 100 == 0) most = std::max(most, fs::file_size(path + "-wal"));
    }
  }
  BOOST_TEST(most < 3000 * frame);
  BOOST_TEST(is_sound(path));
}

BOOST_AUTO_TEST_CASE(is_checkpointed_while_somebody_else_writes_too) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  SqliteStore::open(path, Access::write);
  const auto write = [&](const std::string& id) {
    const auto store = SqliteStore::open(path, Access::write, {.busy_timeout = timeout});
    Match match = start(*store, id);
    for (int i = 0; i < 700; ++i)
      perform(match, turn_of_next(match, {6, 6, 6}));
  };
  {
    const std::jthread one([&] { write("one"); });
    const std::jthread two([&] { write("two"); });
  }
  BOOST_TEST(is_sound(path));
  BOOST_TEST(SqliteStore::facts(path).commits == 1402);
}

BOOST_AUTO_TEST_CASE(can_be_checkpointed_while_somebody_takes_his_time_to_follow_it) {
  const Orchard orchard;
  const auto reader = SqliteStore::open(orchard.path, Access::read);
  PlainDatabase other(orchard.path);
  other.execute("PRAGMA busy_timeout = 0");
  const auto can_reset_the_log = [&](const CommitView& /*commit*/) {
    other.execute(  // as it is
        "PRAGMA user_version = " + std::to_string(schema_of_today().version()));
    return other.value("PRAGMA wal_checkpoint(TRUNCATE)") == "0";
  };
  BOOST_TEST(Subscription::to_store(*reader, 1).poll(can_reset_the_log));
  BOOST_TEST(Subscription::to_game(*reader, "apple", 1).poll(can_reset_the_log));
  const auto line = [&](std::string_view) { BOOST_TEST(can_reset_the_log({})); };
  export_jsonl(*reader, "apple", *reader->head("apple"), line);
}

BOOST_AUTO_TEST_CASE(waits_for_a_busy_writer_and_gives_up_in_time) {
  const Orchard orchard;
  const auto store = SqliteStore::open(orchard.path, Access::write,
                                       {.busy_timeout = std::chrono::milliseconds{100}});
  auto berry = Match::load(*store, "berry");
  PlainDatabase other(orchard.path);
  other.execute("BEGIN IMMEDIATE");
  const auto is_busy = [](const StoreError& error) {
    return error.cause() == Cause::busy && !error.is_damage() &&
           std::string(error.what()).find("another process is using it") != std::string::npos;
  };
  const auto begin = std::chrono::steady_clock::now();
  BOOST_CHECK_EXCEPTION(std::ignore = berry->execute(RollTurn{}), StoreError, is_busy);
  BOOST_CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{90});
  BOOST_TEST(store->head("berry")->version == 4);
  const auto patient = SqliteStore::open(orchard.path, Access::write, {.busy_timeout = timeout});
  berry = Match::load(*patient, "berry");
  std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    other.execute("COMMIT");
  });
  perform(*berry, RollTurn{});
  BOOST_TEST(berry->head().version == 5);
}

BOOST_AUTO_TEST_CASE(on_a_disk_that_fails_to_be_read_is_not_taken_for_damaged) {
  const Orchard orchard;
  PlainDatabase keeps_the_log(orchard.path);  // so that reads use both files
  bool struck = true;
  for (int reads = 0; struck; ++reads) {
    const FailingReads failing(reads);
    try {
      const auto store = SqliteStore::open(orchard.path, Access::read);
      const auto report = audit_all(*store);
      struck = FailingReads::struck();
      BOOST_TEST_CONTEXT("read " << reads << " failed") {
        BOOST_TEST(report.ok());
      }
    } catch (const StoreError& error) {
      BOOST_TEST_CONTEXT("read " << reads << " failed: " << error.what()) {
        BOOST_TEST(!error.is_damage());
        BOOST_CHECK(error.cause() == Cause::failed);
      }
    }
  }
  BOOST_TEST(is_sound(orchard.path));
}

BOOST_AUTO_TEST_CASE(is_looked_for_again_and_again_at_short_intervals) {
  // Measured by the requested length of each pause, so that a busy machine has no influence.
  // SQLite's own handler would request up to 100 ms.
  const Orchard orchard;
  std::array<int, 2> locked{};
  BOOST_REQUIRE(pipe(locked.data()) == 0);
  const pid_t holder = begin_child([&] {
    PlainDatabase other(orchard.path);
    other.execute("BEGIN IMMEDIATE");
    const char byte = 'x';
    if (write(locked[1], &byte, 1) == 1) pause();
    return 0;
  });
  char byte = 0;
  BOOST_REQUIRE(read(locked[0], &byte, 1) == 1);
  const auto store = SqliteStore::open(orchard.path, Access::write,
                                       {.busy_timeout = std::chrono::milliseconds{340}});
  auto berry = Match::load(*store, "berry");
  pauses.clear();
  const CountedLocks locks;
  BOOST_CHECK_THROW(std::ignore = berry->execute(RollTurn{}), StoreError);
  kill(holder, SIGKILL);
  std::ignore = end_of_child(holder);
  BOOST_TEST_REQUIRE(!pauses.empty());
  BOOST_CHECK(std::ranges::max(pauses) < std::chrono::milliseconds{5});
  BOOST_TEST(CountedLocks::count() > pauses.size());
}

// Among processes that make a store at once, a few find it locked by another. Here that is certain.
// SQLite itself doesn't wait for this lock.
BOOST_AUTO_TEST_CASE(is_waited_for_by_who_makes_its_write_ahead_log) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  PlainDatabase other(path);
  other.execute("CREATE TABLE t (a); BEGIN; SELECT count(*) FROM t");
  const sqlite::Connection connection(path, sqlite::Connection::Access::read_write, 0);
  BOOST_CHECK_THROW(keep_write_ahead_log(connection, 0), StoreError);
  const std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    other.execute("COMMIT");
  });
  keep_write_ahead_log(connection, timeout_ms);
  BOOST_TEST(PlainDatabase(path).value("PRAGMA journal_mode") == "wal");
}

BOOST_AUTO_TEST_CASE(can_be_made_by_eight_processes_at_once) {
  for (int round = 0; round < 25; ++round) {
    const Folder folder;
    const std::string path = folder.file("store.db");
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      const std::string id = "game" + std::to_string(i);
      children.push_back(begin_child([&] {
        const auto store = SqliteStore::open(path, Access::write, {.busy_timeout = timeout});
        start(*store, id);
        return 0;
      }));
    }
    for (const pid_t child : children)
      BOOST_TEST(end_of_child(child) == 0);
    BOOST_TEST(SqliteStore::facts(path).games == 8);
    BOOST_TEST(is_sound(path));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
