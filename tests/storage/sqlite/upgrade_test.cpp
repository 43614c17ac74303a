// Goal: a store is upgraded to the latest schema once, with its log untouched, or stays the same to
// the byte.
//
// Method: the functions that open stores get a list with one more migration, as in a later program.
// tests/stores has stores of the schemas that really landed (test_upgrade.py in tests/cli).
#include "../testbed.hpp"
#include "../torture.hpp"
#include "storage/audit.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/sqlite/store_file.hpp"
#include "storage/store_admin.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <random>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

const std::int64_t today = schema_of_today().version();
constexpr std::string_view notes =
    "CREATE TABLE notes (note TEXT NOT NULL) STRICT; INSERT INTO notes VALUES ('upgraded');";

/// A store with the orchard's three games, closed.
struct Orchard {
  Folder folder;
  std::string path = folder.file("store.db");
  std::vector<Commit> log;
  std::optional<Hash> head;
  Orchard() {
    const auto store = SqliteStore::open(path, Access::write);
    record_orchard(*store);
    log = all_commits(*store);
    head = audit_store(*store).head;
  }
};

void upgrade_to(const Schema& schema, const std::string& path) {
  open_store_to_write(path, timeout_ms, schema);
}

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

/// Checks that the store has this schema and the orchard's log.
void check_holds_the_log(const Orchard& orchard, const Schema& schema) {
  SqliteStore store([&] { return open_store_to_read(orchard.path, timeout_ms, schema); });
  const AuditReport report = audit_all(store);
  BOOST_TEST(report.ok());
  BOOST_CHECK(report.head == orchard.head);
  BOOST_CHECK(all_commits(store) == orchard.log);
}

// ---- Interrupting it

/// Takes a while in a store with commits, and no time in one without.
constexpr std::string_view many_notes =
    "CREATE TABLE notes (note TEXT NOT NULL) STRICT; INSERT INTO notes "
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000 * "
    "(SELECT count(*) FROM commits)) SELECT 'note ' || i FROM n WHERE i > 1;";

struct Interrupted {
  std::int64_t unfinished = 0;  // stores that weren't upgraded yet
  Torture figures{.lost = 0, .undetected = 0, .false_alarms = 0};

  void print(std::string_view fault) const { print_torture(fault, figures, place_for_folders()); }
};

/// True if a store holds the orchard's log and this number of notes, by plain SQL.
bool is_whole(const Orchard& orchard, bool is_upgraded) {
  PlainDatabase database(orchard.path);
  const auto hashes = database.rows("SELECT lower(hex(hash)) FROM commits ORDER BY position");
  const bool has_log = std::ranges::equal(
      hashes, orchard.log, {}, [](const auto& row) { return row[0]; },
      [](const Commit& commit) { return to_hex(commit.hash); });
  const std::string tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'notes'";
  if (!is_upgraded) return has_log && database.value(tables) == "0";
  return has_log && database.value("SELECT count(*) FROM notes") ==
                        std::to_string(5000 * orchard.log.size() - 1);
}

bool is_called_sound(const Orchard& orchard, const Schema& schema) {
  try {
    SqliteStore store([&] { return open_store_to_read(orchard.path, timeout_ms, schema); });
    return audit_all(store).ok();
  } catch (const StoreError&) {
    return false;
  }
}

bool can_be_upgraded(const Orchard& orchard, const Schema& schema) {
  try {
    upgrade_to(schema, orchard.path);
    return is_whole(orchard, true) && is_called_sound(orchard, schema);
  } catch (const StoreError&) {
    return false;
  }
}

/// The first write beyond this size of a file kills this process.
void die_beyond(std::uint64_t bytes) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// Kills processes in the middle of an upgrade, and checks the stores that they leave.
Interrupted interrupt(const Schema& later, std::size_t kills,
                      const std::function<void(const std::string& path)>& work) {
  constexpr std::uint64_t least = 1 << 16;  // more than the store has before, less than the notes
  constexpr std::uint64_t most = 1 << 22;
  std::mt19937 random(20261122);
  Interrupted done;
  for (std::size_t number = 0; number < kills; ++number) {
    const Orchard orchard;
    const std::uint64_t bytes = number == 0 ? least : least + random() % (most - least);
    in_a_child([&] {
      die_beyond(bytes);
      work(orchard.path);
      return 0;
    });
    const bool is_sound_today = is_called_sound(orchard, schema_of_today());
    const bool is_sound_later = is_called_sound(orchard, later);
    const bool is_upgraded =
        PlainDatabase(orchard.path).value("PRAGMA user_version") != std::to_string(today);
    const bool whole = is_whole(orchard, is_upgraded);
    ++done.figures.tried;
    if (!is_upgraded) ++done.unfinished;
    if (!whole) ++*done.figures.lost;
    done.figures.judge(whole, is_upgraded ? is_sound_later : is_sound_today);
    if (whole && !can_be_upgraded(orchard, later)) ++*done.figures.false_alarms;
  }
  return done;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(an_older_store)

BOOST_AUTO_TEST_CASE(is_upgraded_by_a_writer_with_its_log_untouched) {
  const Orchard orchard;
  const LaterSchema later(notes);
  upgrade_to(later.schema, orchard.path);
  check_holds_the_log(orchard, later.schema);
  PlainDatabase database(orchard.path);
  BOOST_TEST(database.value("PRAGMA user_version") == std::to_string(later.schema.version()));
  BOOST_TEST(database.value("SELECT group_concat(name) FROM migrations") ==
             "log,accidents_and_lists,rooms,one_of_each,transparency_log,later");
  BOOST_TEST(database.value("SELECT note FROM notes") == "upgraded");
}

BOOST_AUTO_TEST_CASE(is_refused_to_a_reader_who_is_told_the_way_out) {
  const Orchard orchard;
  const LaterSchema later(notes);
  const std::string before = bytes_of(orchard.path);
  check_says(
      refusal_of([&] { open_store_to_read(orchard.path, timeout_ms, later.schema); }),
      fmt::format("its schema has version {}, this snl reads version {}; upgrade it with snl "
                  "db migrate",
                  today, today + 1));
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_CASE(once_upgraded_is_refused_to_the_older_program_that_names_both_versions) {
  const Orchard orchard;
  upgrade_to(LaterSchema(notes).schema, orchard.path);
  const std::string before = bytes_of(orchard.path);
  for (const Access access : {Access::read, Access::write})
    check_says(
        refusal_of([&] { SqliteStore::open(orchard.path, access); }),
        fmt::format("its schema has version {}, this snl knows versions up to {}; use a newer snl",
                    today + 1, today));
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_CASE(is_upgraded_once_by_processes_that_come_at_once) {
  const LaterSchema later(notes);
  for (int round = 0; round < 10; ++round) {
    const Orchard orchard;
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i)
      children.push_back(begin_child([&] {
        upgrade_to(later.schema, orchard.path);
        return 0;
      }));
    for (const pid_t child : children)
      BOOST_TEST(end_of_child(child) == 0);
    BOOST_TEST(PlainDatabase(orchard.path).value("SELECT count(*) FROM notes") == "1");
    check_holds_the_log(orchard, later.schema);
  }
}

BOOST_AUTO_TEST_CASE(whose_version_was_edited_is_put_right) {
  const LaterSchema later(notes);
  for (const char* version : {"0", "1"}) {
    const Orchard orchard;
    upgrade_to(later.schema, orchard.path);
    PlainDatabase(orchard.path).execute(fmt::format("PRAGMA user_version = {}", version));
    upgrade_to(later.schema, orchard.path);
    check_holds_the_log(orchard, later.schema);
    BOOST_TEST(PlainDatabase(orchard.path).value("SELECT count(*) FROM notes") == "1");
  }
  const Orchard orchard;
  PlainDatabase(orchard.path).execute("PRAGMA user_version = 0");
  upgrade_to(later.schema, orchard.path);
  check_holds_the_log(orchard, later.schema);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(an_upgrade_that_fails)

BOOST_AUTO_TEST_CASE(leaves_the_store_as_it_was_to_the_byte) {
  const std::vector<std::pair<std::string_view, std::string_view>> failing{
      // A migration that works on an empty store and not on this one.
      {"CREATE TABLE notes (note TEXT) STRICT; INSERT INTO migrations VALUES (1, 'x', "
       "zeroblob(32));",
       "UNIQUE"},
      {"CREATE TABLE notes (note TEXT) STRICT; UPDATE commits SET time = time + 1;",
       "commits are never updated"},
      {"CREATE TABLE notes (note TEXT) STRICT; UPDATE migrations SET sha256 = zeroblob(32);",
       "migration 1 isn't the one"},
  };
  for (const auto& [sql, words] : failing) {
    const Orchard orchard;
    const LaterSchema later(sql);
    const auto before = orchard.folder.contents();
    check_says(refusal_of([&] { upgrade_to(later.schema, orchard.path); }), words);
    BOOST_CHECK(orchard.folder.contents() == before);
    check_holds_the_log(orchard, schema_of_today());
  }
}

BOOST_AUTO_TEST_CASE(never_runs_what_a_stranger_put_into_the_store) {
  const Orchard orchard;
  PlainDatabase(orchard.path)
      .execute("CREATE TRIGGER evil AFTER INSERT ON migrations BEGIN DELETE FROM players; END");
  const std::string before = bytes_of(orchard.path);
  check_says(refusal_of([&] { upgrade_to(LaterSchema(notes).schema, orchard.path); }),
             "\"evil\" differs");
  BOOST_TEST((bytes_of(orchard.path) == before));
}

BOOST_AUTO_TEST_CASE(since_it_was_killed_can_be_tried_again) {
  const LaterSchema later(many_notes);
  const Interrupted interrupted =
      interrupt(later.schema, 10 * torture_factor(),
                [&](const std::string& path) { upgrade_to(later.schema, path); });
  interrupted.print("upgrade interrupted");
  BOOST_TEST(interrupted.unfinished > 0);
  BOOST_TEST(*interrupted.figures.lost == 0);
  BOOST_TEST(*interrupted.figures.undetected == 0);
  BOOST_TEST(*interrupted.figures.false_alarms == 0);
}

BOOST_AUTO_TEST_CASE(is_seen_to_be_half_done_without_a_transaction) {
  const LaterSchema later(many_notes);
  const Interrupted interrupted = interrupt(later.schema, 10, [&](const std::string& path) {
    PlainDatabase database(path);
    database.execute("PRAGMA synchronous = OFF; CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    while (true)
      database.execute("INSERT INTO notes VALUES (hex(randomblob(5000)))");
  });
  interrupted.print("control: upgrade interrupted, without a transaction");
  BOOST_TEST(*interrupted.figures.lost == interrupted.figures.tried);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
