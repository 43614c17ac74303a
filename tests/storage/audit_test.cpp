// Goal: the audit finds any change of a store's file and names the first bad record. The limits of
// an audit are tested too.
//
// Method: plain SQL changes a small store with three games in one place at a time. The triggers are
// removed before and restored after it, so that only the records can show the change. The tables
// and columns are taken from the schema, so new ones are included.
#include "storage/audit.hpp"

#include "passing_store.hpp"
#include "storage/branch_point_check.hpp"
#include "storage/codec.hpp"
#include "storage/draw.hpp"
#include "storage/game_verifier.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/store_admin.hpp"
#include "testbed.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

/// The row that an append writes when it passes the 256th commit.
void write_snapshot(const std::string& path, const Snapshot& snapshot) {
  PlainDatabase(path).execute(
      fmt::format("INSERT INTO snapshots VALUES (1, {}, x'{}', '{}', x'{}')", snapshot.head.version,
                  to_hex(snapshot.head.hash), snapshot.state, to_hex(snapshot.hash)));
}

/// A sound store; each test tampers with a copy of it.
class Orchard {
 public:
  Orchard() {
    const std::string path = folder_.file("sound.db");
    {
      const auto store = SqliteStore::open(path, Access::write);
      record_orchard(*store);
      head = audit_store(*store).head;
      const Match apple = Match::load(*store, "apple").value();
      write_snapshot(path, snapshot_of(apple.state(), apple.head()));
    }
    // A single file at any time, and faster. The audit's result doesn't depend on it.
    PlainDatabase(path).execute("PRAGMA journal_mode = DELETE");
    bytes_ = bytes_of(path);
  }

  /// The path of a copy after `work` on it.
  std::string tampered(const std::function<void(PlainDatabase&)>& work) const {
    std::string path = folder_.file("tampered.db");
    write_file(path, bytes_);
    tamper(path, work);
    return path;
  }
  std::string tampered(const std::string& sql) const {
    return tampered([&](PlainDatabase& database) { database.execute(sql); });
  }

  std::optional<Hash> head;

 private:
  Folder folder_;
  std::string bytes_;
};

const Orchard& orchard() {
  static const Orchard orchard;
  return orchard;
}

/// The problems that an audit of a whole file finds; a refusal to open it is a problem of kind
/// "refused".
struct Findings {
  std::vector<Problem> problems;
  std::optional<Hash> head;
};
Findings findings_in(const std::string& path) {
  try {
    const auto store = SqliteStore::open(path, Access::read);
    AuditReport report = audit_store(*store);
    std::ranges::move(store->check(), std::back_inserter(report.problems));
    return {std::move(report.problems), report.head};
  } catch (const StoreError& error) {
    return {{{std::nullopt, std::nullopt, "refused", error.what()}}, std::nullopt};
  }
}

/// The first problem after this work on a sound store.
Problem first_problem(const std::string& sql) {
  const auto found = findings_in(orchard().tampered(sql));
  BOOST_REQUIRE_MESSAGE(!found.problems.empty(), sql << " isn't found");
  return found.problems.front();
}

void check_named(const std::string& sql, const std::string& game, Version version,
                 const std::string& kind) {
  const Problem problem = first_problem(sql);
  BOOST_TEST_CONTEXT(sql << " found as: " << problem.detail) {
    BOOST_TEST(problem.game.value_or("none") == game);
    BOOST_TEST(problem.version.value_or(-1) == version);
    BOOST_TEST(problem.kind == kind);
    BOOST_TEST(problem.detail.find('\n') == std::string::npos);
  }
}

struct Column {
  std::string table;
  std::string name;
  std::string type;
};
/// The columns of the log and of derived rows. An audit skips hosted games and columns that no code
/// reads.
std::vector<std::string> tables_of(PlainDatabase& database) {
  std::vector<std::string> tables;
  for (const auto& row : database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' "
                                       "AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'hosted%' "
                                       "AND name NOT IN ('tree', 'checkpoints')"))
    tables.push_back(row[0]);
  return tables;
}
std::vector<Column> columns_of(PlainDatabase& database) {
  std::vector<Column> columns;
  for (const std::string& table : tables_of(database))
    for (const auto& row : database.rows(fmt::format(
             "SELECT name, type FROM pragma_table_info('{0}') WHERE '{0}' <> 'games' OR name IN "
             "('game', 'id', 'created', 'status')",
             table)))
      columns.push_back({table, row[0], row[1]});
  return columns;
}

/// Other values for a column, as SQL.
std::vector<std::string> other_values(const Column& column) {
  const std::string& name = column.name;
  if (column.type == "INTEGER")
    return {name + " + 1",
            name + " - 1",
            "0",
            name + " + 4294967296",
            "-9223372036854775808",
            fmt::format("iif({} IS NULL, 1, NULL)", name)};
  if (column.type == "BLOB")
    return {fmt::format("zeroblob(32)"),
            fmt::format("CAST(substr({0}, 1, 31) || x'00' AS BLOB)", name),
            fmt::format("substr({}, 1, 31)", name), "x''"};
  return {name + " || 'x'",
          name + " || ' '",
          fmt::format("substr({0}, 1, length({0}) - 1)", name),
          "''",
          fmt::format("replace(replace({0}, '2', '3'), 'n', 'm')", name),
          fmt::format("upper({})", name),
          fmt::format("iif({0} IS NULL, 'first', NULL)", name),
          fmt::format("{} || char(0)", name)};
}

/// The condition that picks one row, for each row of a table.
std::vector<std::string> rows_of(PlainDatabase& database, const std::string& table) {
  std::string key = "rowid";
  if (table == "players") key = "game * 100 + seat";
  std::vector<std::string> conditions;
  for (const auto& row : database.rows(fmt::format("SELECT {} FROM {}", key, table)))
    conditions.push_back(fmt::format("{} = {}", key, row[0]));
  return conditions;
}

/// Tampers by one statement. False if SQLite or a constraint refused it, or nothing changed.
bool takes(const std::string& sql, std::string& path) {
  bool taken = false;
  path = orchard().tampered([&](PlainDatabase& database) {
    taken = database.try_to(sql).empty() && database.changes() > 0;
  });
  return taken;
}

/// The schema and the rows of the sound store, for planning the changes.
PlainDatabase sound_database() {
  return PlainDatabase(orchard().tampered([](PlainDatabase&) {}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(auditing_a_sound_store)

BOOST_AUTO_TEST_CASE(finds_nothing_and_tells_its_head) {
  const auto found = findings_in(orchard().tampered([](PlainDatabase&) {}));
  BOOST_TEST(found.problems.empty());
  BOOST_CHECK(found.head == orchard().head);
  BOOST_CHECK(found.head.has_value());
}

BOOST_AUTO_TEST_CASE(counts_its_games_and_turns) {
  const auto store = SqliteStore::open(orchard().tampered([](PlainDatabase&) {}), Access::read);
  const AuditReport all = audit_store(*store);
  BOOST_TEST(all.games == 3);
  BOOST_TEST(all.turns == 5 + 3 + 1);
  BOOST_TEST(all.fairness.all().dice() == 18);
  const auto apple = audit_game(*store, "apple");
  BOOST_TEST(apple->games == 1);
  BOOST_TEST(apple->turns == 5);
  BOOST_CHECK(apple->head == store->head("apple")->hash);
  BOOST_CHECK(!audit_game(*store, "pear"));
}

BOOST_AUTO_TEST_CASE(its_head_is_made_of_the_games_heads_in_the_order_of_their_ids) {
  MemoryStore store;
  for (const std::string id : {"b", "a.1", "A", "a"})
    start(store, id);
  StoreHead head;
  for (const std::string id : {"A", "a", "a.1", "b"})
    head.add(id, store.head(id)->hash);
  BOOST_CHECK(audit_store(store).head == head.finish());
}

// Computed with Python's hashlib from storage/format.md: another program must get the same hashes.
BOOST_AUTO_TEST_CASE(its_head_is_the_hash_that_the_format_specifies) {
  StoreHead head;
  std::uint8_t filler = 0;
  for (const std::string id : {"A", "a", "a.1"}) {
    Hash hash{};
    hash.fill(++filler);
    head.add(id, hash);
  }
  BOOST_TEST(to_hex(head.finish()) ==
             "a2c840e1f7206bef83fba394f1e5202b1e0407eb6d85de304856bdcd2802671e");
  BOOST_TEST(to_hex(StoreHead().finish()) ==
             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_AUTO_TEST_CASE(an_empty_store_is_sound) {
  MemoryStore store;
  const auto report = audit_store(store);
  BOOST_TEST(report.ok());
  BOOST_TEST(report.games == 0);
  BOOST_CHECK(report.head == StoreHead().finish());
  BOOST_CHECK(!report.fairness.all().p_value());
}

BOOST_AUTO_TEST_CASE(tells_of_one_moment_while_others_play_on) {
  /// A store that runs something just before a game's list entry is read.
  class Busy final : public PassingStore {
   public:
    Busy(EventStore& store, std::function<void()> work)
        : PassingStore(store), work_(std::move(work)) {}
    std::optional<ListEntry> list_entry(const std::string& game) override {
      work_();
      return PassingStore::list_entry(game);
    }

   private:
    std::function<void()> work_;
  };
  const Folder folder;
  const std::string path = folder.file("store.db");
  const auto other = SqliteStore::open(path, Access::write);
  std::vector<Match> matches;
  for (const std::string id : {"a", "b", "c"})
    matches.push_back(start(*other, id));
  const auto before = audit_store(*other);
  const auto play_all = [&] {
    for (Match& match : matches)
      perform(match, RollTurn{});
  };
  const auto store = SqliteStore::open(path, Access::read);
  Busy busy(*store, play_all);
  const auto all = audit_store(busy);
  BOOST_TEST(all.ok());
  BOOST_TEST(all.turns == 0);
  BOOST_CHECK(all.head == before.head);
  BOOST_TEST(audit_store(*store).turns == 3 * 3);
  const Hash earlier = store->head("a")->hash;
  const auto one = audit_game(busy, "a");
  BOOST_TEST(one->ok());
  BOOST_CHECK(one->head == earlier);
  BOOST_CHECK(store->head("a")->hash != earlier);
}

BOOST_AUTO_TEST_CASE(that_has_to_be_read_again_tells_of_the_last_time) {
  /// Another process writes during a read without locks, so everything is read again.
  class ReadTwice final : public PassingStore {
   public:
    using PassingStore::PassingStore;
    std::optional<ListEntry> list_entry(const std::string& game) override {
      if (game == "b" && std::exchange(is_kept_, true) == false) throw ReadTransactionLost("twice");
      return PassingStore::list_entry(game);
    }

   private:
    bool is_kept_ = false;
  };
  MemoryStore store;
  start(store, "a");
  start(store, "b");
  ReadTwice twice(store);
  const auto report = audit_store(twice);
  BOOST_TEST(report.ok());
  BOOST_TEST(report.games == 2);
  BOOST_CHECK(report.head == audit_store(store).head);
  ReadTwice again(store);
  BOOST_TEST(audit_game(again, "b")->games == 1);
}

BOOST_AUTO_TEST_CASE(that_is_never_read_to_its_end_is_given_up) {
  class NeverWhole final : public PassingStore {
   public:
    using PassingStore::PassingStore;
    std::optional<Head> head(const std::string& /*game*/) override {
      throw ReadTransactionLost("busy.db");
    }
  };
  MemoryStore store;
  NeverWhole never(store);
  int times = 0;
  const auto read = [&](ReadTransaction& now) {
    ++times;
    return now.head("a");
  };
  BOOST_CHECK_THROW(in_read_transaction(never, read, RetryBudget(std::chrono::milliseconds{20})),
                    ReadTransactionLost);
  BOOST_TEST(times > 1);
}

BOOST_AUTO_TEST_CASE(a_head_kept_elsewhere_is_compared) {
  MemoryStore store;
  Match match = start(store, "a");
  const Hash kept = match.head().hash;
  auto report = audit_game(store, "a");
  expect_head(*report, kept, "a");
  BOOST_TEST(report->ok());
  perform(match, RollTurn{});
  report = audit_game(store, "a");
  expect_head(*report, kept, "a");
  BOOST_REQUIRE_EQUAL(report->problems.size(), 1U);
  const Problem& problem = report->problems.front();
  BOOST_TEST(problem.kind == "head");
  BOOST_CHECK(problem.game == "a");
  BOOST_TEST(problem.detail.find(to_hex(kept)) != std::string::npos);
  BOOST_TEST(problem.detail.find(to_hex(match.head().hash)) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_store_that_was_tampered_with)

BOOST_AUTO_TEST_CASE(in_any_cell_of_any_table_is_found) {
  PlainDatabase sound = sound_database();
  std::map<std::string, int> taken;
  for (const Column& column : columns_of(sound)) {
    int& count = taken[column.table + "." + column.name];
    for (const std::string& row : rows_of(sound, column.table))
      for (const std::string& value : other_values(column)) {
        const std::string sql = fmt::format("UPDATE {0} SET {1} = {2} WHERE {3} AND {1} IS NOT {2}",
                                            column.table, column.name, value, row);
        std::string path;
        if (!takes(sql, path)) continue;
        ++count;
        BOOST_CHECK_MESSAGE(!findings_in(path).problems.empty(), sql << " isn't found");
      }
  }
  BOOST_TEST(taken.size() == 3U + 4U + 4U + 8U + 5U);
  for (const auto& [column, count] : taken)
    BOOST_CHECK_MESSAGE(count > 0, "nothing could be changed in " << column);
}

BOOST_AUTO_TEST_CASE(by_deleting_any_row_is_found) {
  PlainDatabase sound = sound_database();
  int taken = 0;
  for (const std::string& table : tables_of(sound))
    for (const std::string& row : rows_of(sound, table)) {
      const std::string sql = fmt::format("DELETE FROM {} WHERE {}", table, row);
      // Only a kept head shows that the store's end was cut off. A missing snapshot is no problem.
      if (sql == "DELETE FROM commits WHERE rowid = 19" || table == "snapshots") continue;
      std::string path;
      taken += takes(sql, path) ? 1 : 0;
      BOOST_CHECK_MESSAGE(!findings_in(path).problems.empty(), sql << " isn't found");
    }
  BOOST_TEST(taken == 5 + 3 + 7 + 18);
}

BOOST_AUTO_TEST_CASE(by_cutting_off_its_last_commit_is_found_only_by_a_head_kept_elsewhere) {
  const auto without = [](int position) {
    const std::string cut = fmt::format("DELETE FROM commits WHERE position = {}", position);
    return audit_all(*SqliteStore::open(orchard().tampered(cut), Access::read));
  };
  auto cut = without(19);  // the second of "cherry"
  BOOST_TEST(cut.ok());
  expect_head(cut, *orchard().head, std::nullopt);
  BOOST_REQUIRE_EQUAL(cut.problems.size(), 1U);
  BOOST_TEST(cut.problems.front().kind == "head");

  const auto in_the_middle = without(17);  // the last of "berry"
  BOOST_REQUIRE_EQUAL(in_the_middle.problems.size(), 1U);
  BOOST_TEST(in_the_middle.problems.front().kind == "gap");
  BOOST_TEST(!in_the_middle.problems.front().game.has_value());
}

BOOST_AUTO_TEST_CASE(by_emptying_any_table_is_found) {
  PlainDatabase sound = sound_database();
  for (const std::string& table : tables_of(sound))
    BOOST_CHECK_MESSAGE(!findings_in(orchard().tampered("DELETE FROM " + table)).problems.empty() ||
                            table == "snapshots",
                        table << " emptied isn't found");
}

BOOST_AUTO_TEST_CASE(by_swapping_the_contents_of_two_commits_is_found) {
  constexpr int commits = 19;
  for (int one = 1; one <= commits; ++one)
    for (const int distance : {1, 2, 7}) {
      const int other = one + distance;
      if (other > commits) continue;
      const std::string sql = fmt::format(
          "UPDATE commits AS c SET (time, command, events, hash, command_id) = "
          "(SELECT time, command, events, hash, command_id FROM saved s "
          " WHERE s.position = {0} + {1} - c.position) WHERE position IN ({0}, {1})",
          one, other);
      const std::string path = orchard().tampered([&](PlainDatabase& database) {
        database.execute("CREATE TEMP TABLE saved AS SELECT * FROM commits");
        database.execute("DROP INDEX commits_by_command_id");
        database.execute(sql);
        database.execute(
            "CREATE UNIQUE INDEX commits_by_command_id ON commits (game, command_id)\n"
            "  WHERE command_id IS NOT NULL");
      });
      BOOST_CHECK_MESSAGE(findings_in(path).problems.front().kind != "refused",
                          "commits " << one << " and " << other);
    }
}

BOOST_AUTO_TEST_CASE(by_swapping_two_players_is_found) {
  check_named("UPDATE players SET name = iif(seat = 0, 'Bob', 'Ann') WHERE game = 1", "apple", 13,
              "derived");
}

BOOST_AUTO_TEST_CASE(by_adding_rows_is_found) {
  for (const std::string sql :
       {"INSERT INTO players (game, seat, name) VALUES (1, 2, 'Mallory')",
        "INSERT INTO players (game, seat, name) VALUES (9, 0, 'X')",
        "INSERT INTO migrations VALUES (6, 'x', zeroblob(32))",
        "INSERT INTO snapshots SELECT 2, version, head, state, hash FROM snapshots",
        "INSERT INTO snapshots SELECT 9, version, head, state, hash FROM snapshots",
        "INSERT INTO games SELECT 4, 'date', created, version, head, status, turn, cells, next, "
        "winner, last_turn, last_index, redo_version, redo_index, redoable, seal FROM games "
        "WHERE game = 3",
        "INSERT INTO commits SELECT 20, game, 99, time, command, events, hash, NULL FROM commits "
        "WHERE position = 19",
        "INSERT INTO commits SELECT 20, 9, 1, time, command, events, hash, NULL FROM commits "
        "WHERE position = 1"})
    BOOST_CHECK_MESSAGE(!findings_in(orchard().tampered(sql)).problems.empty(),
                        sql << " isn't found");
}

BOOST_AUTO_TEST_CASE(names_the_first_bad_commit) {
  check_named("UPDATE commits SET events = replace(events, '[2]', '[3]') WHERE position = 2",
              "apple", 2, "hash");
  check_named("UPDATE commits SET time = time + 1 WHERE game = 1 AND version >= 5", "apple", 5,
              "hash");
  check_named("UPDATE commits SET hash = zeroblob(32) WHERE game = 1 AND version = 13", "apple", 13,
              "hash");
  check_named("DELETE FROM commits WHERE game = 1 AND version = 4", "apple", 4, "gap");
  check_named("DELETE FROM commits WHERE game = 2 AND version = 1", "berry", 1, "gap");
  check_named("UPDATE commits SET version = 99 WHERE game = 2 AND version = 3", "berry", 3, "gap");
  check_named("UPDATE commits SET time = -1 WHERE game = 3 AND version = 2", "cherry", 2, "time");
  check_named("UPDATE commits SET command_id = 'x' WHERE game = 2 AND version = 2", "berry", 2,
              "command-id");
  check_named("UPDATE commits SET command_id = NULL WHERE game = 1 AND version = 2", "apple", 2,
              "command-id");
  check_named("UPDATE games SET created = created + 1 WHERE id = 'berry'", "berry", 4, "derived");
  check_named("UPDATE snapshots SET hash = zeroblob(32)", "apple", 13, "derived");
  check_named("DELETE FROM commits WHERE game = 1 AND version = 13", "apple", 12, "derived");
  check_named("UPDATE games SET id = 'zebra' WHERE id = 'apple'", "zebra", 1, "hash");
}

BOOST_AUTO_TEST_CASE(by_an_order_of_positions_that_is_not_that_of_versions_is_found) {
  const std::string swap =
      "UPDATE commits SET position = -position WHERE game = 1 AND version IN (5, 6);"
      "UPDATE commits SET position = 11 + position WHERE position < 0";
  check_named(swap, "apple", 6, "order");
}

BOOST_AUTO_TEST_CASE(by_keys_that_are_not_in_the_order_of_the_games_is_found) {
  std::string swap;
  for (const std::string table : {"commits", "players", "snapshots", "games"})
    swap += fmt::format(
        "UPDATE {0} SET game = -game WHERE game IN (1, 2);"
        "UPDATE {0} SET game = 3 + game WHERE game < 0;",
        table);
  const auto found = findings_in(orchard().tampered(swap));
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1U);
  BOOST_TEST(found.problems.front().kind == "order");
}

BOOST_AUTO_TEST_CASE(in_the_file_alone_has_no_head_though_every_game_is_sound) {
  const std::string leave_a_gap = "UPDATE commits SET position = 1000 + position";
  const auto store = SqliteStore::open(orchard().tampered(leave_a_gap), Access::read);
  BOOST_TEST(audit_store(*store).ok());
  const auto report = audit_all(*store);
  BOOST_REQUIRE_EQUAL(report.problems.size(), 1U);
  BOOST_TEST(report.problems.front().kind == "gap");
  BOOST_CHECK(!report.head);
}

BOOST_AUTO_TEST_CASE(so_that_a_command_id_leads_elsewhere_is_found) {
  /// A store in which every command ID leads to the given commit.
  class Misled final : public PassingStore {
   public:
    Misled(EventStore& store, std::optional<Commit> found)
        : PassingStore(store), found_(std::move(found)) {}
    std::optional<Commit> commit_with_id(const std::string& /*game*/,
                                         const std::string& /*command_id*/) override {
      return found_;
    }

   private:
    std::optional<Commit> found_;
  };
  MemoryStore store;
  Match match = start(store, "a");
  perform(match, RollTurn{}, {.command_id = "x"});
  const auto problem_with = [&](std::optional<Commit> found) {
    Misled misled(store, std::move(found));
    const auto report = audit_game(misled, "a");
    return report->ok() ? Problem{} : report->problems.front();
  };
  BOOST_CHECK(problem_with(store.commit("a", 2)) == Problem{});
  for (const auto& elsewhere : {std::optional<Commit>(), store.commit("a", 1)}) {
    const Problem problem = problem_with(elsewhere);
    BOOST_TEST(problem.kind == "command-id");
    BOOST_TEST(problem.version.value_or(0) == 2);
  }
}

// The hash doesn't cover the position in the store, so that a game keeps its head wherever it is
// imported. So two games' commits can swap positions undetected while each game's order stays.
BOOST_AUTO_TEST_CASE(by_another_interleaving_of_games_is_not_and_leaves_every_head_as_it_was) {
  const std::string rotate =
      "UPDATE commits SET position = -position WHERE position IN (13, 14);"
      "UPDATE commits SET position = 27 + position WHERE position < 0";
  const auto found = findings_in(orchard().tampered(rotate));
  BOOST_TEST(found.problems.empty());
  BOOST_CHECK(found.head == orchard().head);
}

BOOST_AUTO_TEST_CASE(in_one_game_still_has_the_others_audited) {
  const auto store = SqliteStore::open(
      orchard().tampered("UPDATE commits SET time = 0 WHERE game IN (1, 3) AND version = 2"),
      Access::read);
  const auto report = audit_store(*store);
  BOOST_TEST(report.games == 3);
  BOOST_REQUIRE_EQUAL(report.problems.size(), 2U);
  BOOST_CHECK(report.problems[0].game == "apple");
  BOOST_CHECK(report.problems[1].game == "cherry");
  BOOST_CHECK(!report.head);
  BOOST_TEST(audit_game(*store, "berry")->ok());
  BOOST_TEST(!audit_game(*store, "cherry")->ok());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_forger_who_hashes_everything_anew)

namespace {

/// Rewrites a game's log in place, then the hash chain, and the head and the seal of the derived
/// rows.
class Forgery {
 public:
  explicit Forgery(const std::string& game) : game_(game) {}

  Forgery& replace(Version version, const std::string& column, const std::string& old,
                   const std::string& with) {
    edits_ += fmt::format(
        "UPDATE commits SET {0} = replace({0}, '{1}', '{2}') WHERE version = {3} AND game = "
        "(SELECT game FROM games WHERE id = '{4}');",
        column, old, with, version, game_);
    return *this;
  }

  std::string path() const {
    return orchard().tampered([&](PlainDatabase& database) {
      const auto before = database.rows("SELECT command, events FROM commits");
      database.execute(edits_);
      BOOST_CHECK(database.rows("SELECT command, events FROM commits") != before);
      hash_anew(database);
    });
  }

 private:
  void hash_anew(PlainDatabase& database) const {
    HashChain chain;
    Head head;
    const auto rows = database.rows(
        fmt::format("SELECT c.position, c.time, c.command, c.events FROM commits c JOIN games g "
                    "ON g.game = c.game WHERE g.id = '{}' ORDER BY c.version",
                    game_));
    for (const auto& row : rows) {
      const auto time = format_time(std::stoll(row[1]));
      head = {head.version + 1, chain.next(head.hash, game_, time, row[2], row[3])};
      database.execute(fmt::format("UPDATE commits SET hash = x'{}' WHERE position = {}",
                                   to_hex(head.hash), row[0]));
    }
    database.execute(
        fmt::format("UPDATE games SET head = x'{}' WHERE id = '{}'", to_hex(head.hash), game_));
  }

  std::string game_;
  std::string edits_;
};

void check_decision(const Forgery& forgery, const std::string& game, Version version,
                    const std::string& kind = "decision") {
  const auto found = findings_in(forgery.path());
  BOOST_REQUIRE(!found.problems.empty());
  const Problem& first = found.problems.front();
  BOOST_TEST_CONTEXT(first.detail) {
    BOOST_TEST(first.kind == kind);
    BOOST_CHECK(first.game == game);
    BOOST_TEST(first.version.value_or(0) == version);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_a_die_in_an_event_alone_is_found) {
  check_decision(Forgery("apple").replace(2, "events", "[2]", "[3]"), "apple", 2);
}

BOOST_AUTO_TEST_CASE(of_a_rolled_die_is_found_since_the_seed_says_otherwise) {
  check_decision(Forgery("apple").replace(4, "events", "true", "false"), "apple", 4);
  check_decision(Forgery("berry").replace(1, "events", ",7,null]", ",8,null]"), "berry", 1);
}

BOOST_AUTO_TEST_CASE(of_a_seed_is_found_at_the_first_turn_that_was_rolled) {
  Forgery forgery("berry");
  forgery.replace(1, "command", ",7,null]", ",8,null]")
      .replace(1, "events", ",7,null]", ",8,null]");
  check_decision(forgery, "berry", 2);
}

BOOST_AUTO_TEST_CASE(of_a_cell_or_an_outcome_is_found) {
  check_decision(Forgery("apple").replace(2, "events", ",22,", ",23,"), "apple", 2);
  check_decision(Forgery("apple").replace(9, "events", "blocked", "moved"), "apple", 9);
  check_decision(Forgery("apple").replace(11, "events", "won", "moved"), "apple", 11);
}

BOOST_AUTO_TEST_CASE(of_an_undo_is_found) {
  check_decision(Forgery("apple").replace(6, "command", "[1,2]", "[1,1]"), "apple", 6);
}

BOOST_AUTO_TEST_CASE(of_a_player_who_was_not_to_move_is_found) {
  check_decision(Forgery("apple").replace(2, "command", "[1,0,", "[1,1,"), "apple", 2);
}

BOOST_AUTO_TEST_CASE(of_the_rules_is_found_where_they_would_have_mattered) {
  Forgery forgery("apple");
  forgery.replace(1, "command", "exact", "bounce").replace(1, "events", "exact", "bounce");
  check_decision(forgery, "apple", 9);
}

BOOST_AUTO_TEST_CASE(of_a_type_or_a_form_that_is_not_known_is_found) {
  check_decision(Forgery("apple").replace(2, "events", "played", "placed"), "apple", 2, "format");
  check_decision(Forgery("apple").replace(2, "events", "[1,1,", "[2,1,"), "apple", 2, "format");
  check_decision(Forgery("apple").replace(2, "command", "[1,0", "[1, 0"), "apple", 2, "format");
}

namespace {

/// A game in which turns have every effect on other players, and are undone and redone.
void record_quarrel(EventStore& store) {
  Match quarrel = start(store, "quarrel",
                        {.players = {"Ann", "Bob", "Cy"},
                         .board = {.cells = 20,
                                   .snakes = {{17, 4}},
                                   .ladders = {{3, 12}},
                                   .powers = {{5, PowerKind::swap},
                                              {6, PowerKind::skip, 2},
                                              {8, PowerKind::shield, 1}}},
                         .rules = {.start = 1, .sixes = Sixes::plain, .meet = Meet::capture}});
  for (const std::int32_t die : {2, 4, 5, 5, 1})
    perform(quarrel, turn_of_next(quarrel, {die}));
  perform(quarrel, UndoTurns{4});
  perform(quarrel, RedoTurns{3});
  perform(quarrel, RollTurn{});
}

/// Each number of a text in turn, another one in its place.
std::vector<std::string> with_another_number(const std::string& text) {
  std::vector<std::string> others;
  for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos;
       at = text.find_first_of("0123456789", text.find_first_not_of("0123456789", at))) {
    const std::size_t end = text.find_first_not_of("0123456789", at);
    const std::int64_t number = std::stoll(text.substr(at, end - at));
    others.push_back(text.substr(0, at) + std::to_string(number + 1) + text.substr(end));
    if (number > 0)
      others.push_back(text.substr(0, at) + std::to_string(number - 1) + text.substr(end));
  }
  return others;
}

/// The result of a proof for a game whose last commit here has other events, with a valid hash.
std::optional<Problem> problem_with(const std::vector<Commit>& commits, std::size_t last,
                                    const std::string& events) {
  GameVerifier proof(commits[0].game, [&](Version version) -> std::optional<Commit> {
    return commits[static_cast<std::size_t>(version) - 1];
  });
  for (std::size_t i = 0; i < last; ++i)
    if (proof.add(commits[i].view())) throw std::logic_error("the commits before are sound");
  Commit forged = commits[last];
  forged.events = events;
  forged.hash = HashChain().next(proof.head().hash, forged.game, time_text(forged.time),
                                 forged.command, forged.events);
  return proof.add(forged.view());
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_any_number_in_any_event_is_found_where_it_stands) {
  MemoryStore store;
  record_orchard(store);
  record_quarrel(store);
  for (const std::string game : {"apple", "berry", "cherry", "quarrel"}) {
    const auto commits = commits_of(store, game);
    for (std::size_t i = 0; i < commits.size(); ++i) {
      BOOST_TEST(!problem_with(commits, i, commits[i].events).has_value());
      for (const std::string& forged : with_another_number(commits[i].events)) {
        const auto problem = problem_with(commits, i, forged);
        BOOST_TEST_CONTEXT(game << ": " << forged) {
          BOOST_REQUIRE(problem.has_value());
          BOOST_TEST(problem->version.value_or(0) == commits[i].version);
          BOOST_TEST((problem->kind == "decision" || problem->kind == "format"));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(of_everything_at_once_is_found_only_by_a_head_kept_elsewhere) {
  Forgery forgery("apple");
  forgery.replace(2, "command", "first", "forged")
      .replace(2, "command_id", "first", "forged")
      .replace(2, "events", "nothing", "nothing");
  const std::string path = forgery.path();
  // The forger writes the same snapshot as the program would.
  PlainDatabase(path).execute("DELETE FROM snapshots");
  const Match apple = Match::load(*SqliteStore::open(path, Access::write), "apple").value();
  write_snapshot(path, snapshot_of(apple.state(), apple.head()));
  const auto store = SqliteStore::open(path, Access::read);
  auto report = audit_store(*store);
  BOOST_TEST(report.ok());
  expect_head(report, *orchard().head, std::nullopt);
  BOOST_REQUIRE_EQUAL(report.problems.size(), 1U);
  BOOST_TEST(report.problems.front().kind == "head");
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Branches

namespace {

/// Counts the reads of a store, and those under the write lock.
class CountingStore final : public PassingStore {
 public:
  explicit CountingStore(EventStore& store) : PassingStore(store) {}

  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    PassingStore::read(game, from, limit, page);
    commits += page.size();
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    ++commits;
    return PassingStore::commit(game, version);
  }

  std::size_t commits = 0;  // commits read
};

/// Starts a branch of a match's present state, at a turn that is in force.
Match branch_of(EventStore& store, const Match& origin, Turn at, const std::string& id) {
  const Timeline timeline = history_of(store, origin.id()).timeline;
  GameSetup setup = *origin.state().setup;
  setup.origin = Origin{.game = origin.id(),
                        .head = to_hex(origin.head().hash),
                        .position = timeline.position_after(at)};
  return Match::start(store, id, {std::make_shared<const GameSetup>(std::move(setup))},
                      ticking_clock())
      .value();
}

const Opening endless{.board = {.cells = 1'000'000}};

/// A game of 200 turns with this number of branches at different turns. One is far from the others
/// in the order of IDs.
void record_branches(EventStore& store, int branches) {
  Match origin = start(store, "m", endless);
  for (int turn = 0; turn < 200; ++turn)
    perform(origin, RollTurn{});
  for (int branch = 0; branch < branches; ++branch)
    branch_of(store, origin, 200 - branch % 7,
              fmt::format("{}{}", branch % 2 == 0 ? "a" : "z", branch));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(games_with_a_draw)

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (const std::size_t at = text.find(from); at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

/// The problems that an audit finds in a forged game with a draw and two rolled turns. `to`
/// replaces the first `from` in each text of its log, and all hashes are computed again.
std::vector<Problem> problems_of_forged(const std::string& from, const std::string& to) {
  MemoryStore store;
  Match match = Match::start(store, "g", drawn(start_of()), ticking_clock()).value();
  for (int turn = 0; turn < 2; ++turn)
    perform(match, RollTurn{});
  std::vector<NewCommit> forged;
  for (const Commit& commit : commits_of(store, "g"))
    forged.push_back({.time = commit.time,
                      .command = replaced(commit.command, from, to),
                      .events = replaced(commit.events, from, to),
                      .command_id = std::nullopt});
  MemoryStore other;
  const Append append{
      .game = "g", .expected = Version{0}, .commits = forged, .after = &match.state()};
  BOOST_REQUIRE(other.append(std::span(&append, 1)));
  return audit_game(other, "g")->problems;
}

std::string hex_of(std::uint8_t byte) {
  return fmt::format("\"{}\"",
                     fmt::join(std::vector<std::string>(32, fmt::format("{:02x}", byte)), ""));
}

}  // namespace

BOOST_AUTO_TEST_CASE(are_sound_with_turns_and_takebacks_and_branches) {
  MemoryStore store;
  Match match = Match::start(store, "g", drawn(start_of()), ticking_clock()).value();
  for (int turn = 0; turn < 4; ++turn)
    perform(match, RollTurn{});
  Takeback takeback{.asked = 0};
  takeback.agreed.insert(1);
  perform(match, UndoToTurn{.turn = 2, .takeback = takeback});
  GameSetup branch = *match.state().setup;
  branch.draw.reset();
  branch.origin = Origin{.game = "g",
                         .head = to_hex(match.head().hash),
                         .position = history_of(store, "g").timeline.position_after(2)};
  BOOST_REQUIRE(Match::start(store, "b", {std::make_shared<const GameSetup>(branch)}));
  const auto report = audit_store(store);
  BOOST_TEST(report.ok());
  BOOST_TEST(report.unproven_origins == 0);
  BOOST_TEST(problems_of_forged("nothing", "at all").empty());
}

BOOST_AUTO_TEST_CASE(are_not_started_with_another_seed_or_another_promise) {
  const auto refused = [](const auto& change) {
    GameSetup setup = *drawn(start_of()).setup;
    change(setup);
    MemoryStore store;
    const auto match =
        Match::start(store, "g", {std::make_shared<const GameSetup>(std::move(setup))});
    BOOST_REQUIRE(!match);
    BOOST_CHECK(std::holds_alternative<InvalidSetup>(std::get<Refusal>(match.error())));
    BOOST_CHECK(!store.head("g"));
  };
  refused([](GameSetup& setup) { ++setup.seed; });
  refused([](GameSetup& setup) { ++setup.draw->secret[0]; });
  refused([](GameSetup& setup) { ++setup.draw->commitment[0]; });
  refused([](GameSetup& setup) { setup.draw->entropy.pop_back(); });
}

BOOST_AUTO_TEST_CASE(are_found_with_any_part_of_the_draw_changed) {
  const GameSetup setup = *drawn(start_of()).setup;
  const auto check = [](const std::string& from, const std::string& to, const std::string& words) {
    const auto problems = problems_of_forged(from, to);
    BOOST_REQUIRE_EQUAL(problems.size(), 1U);
    BOOST_TEST(problems[0].kind == "draw");
    BOOST_TEST((problems[0].version == 1));
    BOOST_CHECK_MESSAGE(problems[0].detail.find(words) != std::string::npos, problems[0].detail);
  };
  const std::string commitment = to_hex(setup.draw->commitment);
  check(commitment, std::string(64, 'a'), "commitment");
  check(hex_of(7), hex_of(9), "commitment");
  check(hex_of(8), hex_of(9), "the seed is");
  check(hex_of(8) + ",null", "null," + hex_of(8), "the seed is");
  check(hex_of(8), "null", "the seed is");
  check(hex_of(8), hex_of(8) + ",null", "entropy of 3 seats");
  check(std::to_string(setup.seed), std::to_string(setup.seed ^ 1U), "the seed is");
}

BOOST_AUTO_TEST_CASE(are_found_with_a_die_changed) {
  const Dice dice = roll_dice(Rules{}, drawn(start_of()).setup->seed, 1);
  std::vector<std::int32_t> changed(dice.values().begin(), dice.values().end());
  changed.back() = changed.back() % 6 + 1;
  const auto list = [](const auto& values) {
    return fmt::format(",[{}],true", fmt::join(values, ","));
  };
  const auto problems = problems_of_forged(list(dice.values()), list(changed));
  BOOST_REQUIRE_EQUAL(problems.size(), 1U);
  BOOST_TEST(problems[0].kind == "decision");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(branches_of_a_game)

BOOST_AUTO_TEST_CASE(have_each_commit_of_the_game_read_once_however_many_they_are) {
  for (const int branches : {0, 10, 300}) {
    MemoryStore store;
    record_branches(store, branches);
    CountingStore counting(store);
    const auto report = audit_store(counting);
    BOOST_TEST(report.ok());
    BOOST_TEST(report.unproven_origins == 0);
    // The audit reads each game's first commit beforehand, and once more where it compares a
    // branch.
    const std::size_t games = 1 + static_cast<std::size_t>(branches);
    BOOST_TEST(counting.commits <= 201 + 3 * games);
  }
}

BOOST_AUTO_TEST_CASE(are_compared_with_it_wherever_they_stand_in_the_order_of_ids) {
  MemoryStore store;
  Match origin = start(store, "m", endless);
  for (int turn = 0; turn < 9; ++turn)
    perform(origin, RollTurn{});
  const auto start_elsewhere = [&](const std::string& id, const auto& change) {
    GameSetup setup = *origin.state().setup;
    setup.origin = Origin{.game = "m",
                          .head = to_hex(origin.head().hash),
                          .position = history_of(store, "m").timeline.position_after(9)};
    change(setup);
    Match::start(store, id, {std::make_shared<const GameSetup>(std::move(setup))}).value();
  };
  for (const std::string side : {"a", "z"}) {
    start_elsewhere(side + "-cell", [](auto& setup) { ++setup.origin->position.cells[0]; });
    start_elsewhere(side + "-turn", [](auto& setup) { setup.origin->position.turn += 2; });
    start_elsewhere(side + "-name", [](auto& setup) { setup.players[1] = "Eve"; });
    start_elsewhere(side + "-seed", [](auto& setup) { ++setup.seed; });
    start_elsewhere(side + "-board",
                    [](auto& setup) { setup.board = Board::make({.cells = 999'999}).value(); });
    start_elsewhere(side + "-rules", [](auto& setup) { setup.rules.finish = Finish::bounce; });
    start_elsewhere(side + "-sound", [](auto&) {});
    start_elsewhere(side + "-head", [](auto& setup) { setup.origin->head[0] ^= 1; });
    start_elsewhere(side + "-gone", [](auto& setup) { setup.origin->game = "nowhere"; });
  }
  const auto report = audit_store(store);
  std::vector<std::string> found;
  for (const Problem& problem : report.problems) {
    BOOST_TEST(problem.kind == "origin");
    found.push_back(problem.game.value_or(""));
    BOOST_CHECK(audit_game(store, found.back())->problems == std::vector{problem});
  }
  const std::vector<std::string> expected{"a-board", "a-cell",  "a-name",  "a-rules",
                                          "a-seed",  "a-turn",  "z-board", "z-cell",
                                          "z-name",  "z-rules", "z-seed",  "z-turn"};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
  BOOST_TEST(report.unproven_origins == 4);
  BOOST_TEST(audit_game(store, "a-gone")->unproven_origins == 1);
  BOOST_TEST(audit_game(store, "z-head")->unproven_origins == 1);
  BOOST_TEST(audit_game(store, "z-sound")->unproven_origins == 0);
}

BOOST_AUTO_TEST_CASE(are_compared_from_the_beginning_where_the_store_has_another_history_by_now) {
  MemoryStore before;
  MemoryStore now;
  start(before, "origin", {.board = {.cells = 100}, .seed = 7});
  Match origin = start(now, "origin", {.board = {.cells = 100}, .seed = 8});
  perform(origin, RollTurn{});
  const Match branch = branch_of(now, origin, 0, "branch");
  const auto setup = branch.state().setup;
  OriginProof proof("origin", [&](const std::string& /*branch*/) { return setup; });
  proof.expect("branch", setup->origin->head);
  proof.catch_up(before);
  BOOST_TEST(!proof.branch_points().all_seen());
  proof.catch_up(now);
  BOOST_TEST(proof.branch_points().all_seen());
  BOOST_TEST(proof.branch_points().faults().empty());
}

BOOST_AUTO_TEST_CASE(are_told_of_once_where_their_own_log_is_not_sound) {
  MemoryStore store;
  Match origin = start(store, "m", endless);
  perform(origin, RollTurn{});
  const auto start_unsound = [&](const std::string& id, const Origin& from) {
    GameSetup setup = *origin.state().setup;
    setup.origin = from;
    const auto branch =
        Match::start(store, id, {std::make_shared<const GameSetup>(std::move(setup))}).value();
    const NewCommit nothing{.command = "{}", .events = "[]", .command_id = std::nullopt};
    BOOST_REQUIRE(store.append(id, branch.head(), std::span(&nothing, 1), branch.state()));
  };
  Position elsewhere = origin.state().position;
  ++elsewhere.cells[0];
  const std::string head = to_hex(origin.head().hash);
  start_unsound("a", {.game = "m", .head = head, .position = elsewhere});
  start_unsound("b", {.game = "gone", .head = head, .position = origin.state().position});
  const auto report = audit_store(store);
  BOOST_REQUIRE_EQUAL(report.problems.size(), 2U);
  for (const Problem& problem : report.problems)
    BOOST_TEST(problem.kind == "format");
  BOOST_TEST(report.unproven_origins == 0);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Fairness

BOOST_AUTO_TEST_SUITE(fairness)

namespace {
void add(DiceFalls& dice, const std::vector<std::int32_t>& falls, std::int32_t faces) {
  for (std::size_t face = 0; face < falls.size(); ++face)
    for (std::int32_t fell = 0; fell < falls[face]; ++fell)
      dice.add(static_cast<std::int32_t>(face) + 1, faces);
}

/// The counts of faces over these turns of a seed, each turn once.
DiceFalls seeded(std::uint64_t seed, const Rules& rules, Turn first, Turn last) {
  DiceFalls falls;
  for (Turn turn = first; turn <= last; ++turn)
    for (const std::int32_t die : roll_dice(rules, seed, turn).values())
      falls.add(die, rules.faces);
  return falls;
}

constexpr Rules one_die{.sixes = Sixes::plain};

Match long_match(EventStore& store, const std::string& id, std::uint64_t seed) {
  return start(store, id, {.board = {.cells = 1'000'000}, .rules = one_die, .seed = seed});
}
}  // namespace

BOOST_AUTO_TEST_CASE(is_pearsons_test_computed_by_hand) {
  // Expected 10 of each: (25 + 4 + 1 + 4 + 0 + 100) / 10 = 13.4 with 5 degrees of freedom.
  DiceFalls dice;
  add(dice, {5, 8, 9, 8, 10, 20}, 6);
  BOOST_TEST(dice.dice() == 60);
  BOOST_TEST(dice.degrees_of_freedom() == 5);
  BOOST_CHECK_CLOSE(dice.chi_squared(), 13.4, 1e-9);
  BOOST_CHECK_CLOSE(dice.p_value().value(), 0.0199052, 1e-3);
}

BOOST_AUTO_TEST_CASE(of_dice_with_different_faces_is_added_up) {
  // Two faces, expected 10 of each: (4 + 4) / 10 = 0.8; six faces: 13.4; 6 degrees of freedom.
  DiceFalls dice;
  add(dice, {12, 8}, 2);
  add(dice, {5, 8, 9, 8, 10, 20}, 6);
  BOOST_TEST(dice.degrees_of_freedom() == 6);
  BOOST_CHECK_CLOSE(dice.chi_squared(), 14.2, 1e-9);
  // e^(-7.1) (1 + 7.1 + 7.1²/2)
  BOOST_CHECK_CLOSE(dice.p_value().value(), std::exp(-7.1) * (1 + 7.1 + 7.1 * 7.1 / 2), 1e-6);
}

BOOST_AUTO_TEST_CASE(says_nothing_of_too_few_falls) {
  DiceFalls dice;
  add(dice, {29, 0, 0, 0, 0, 0}, 6);
  BOOST_CHECK(!dice.p_value());
  add(dice, {1}, 6);
  BOOST_CHECK(dice.p_value().value() < 1e-20);
}

BOOST_AUTO_TEST_CASE(counts_every_die_of_every_turn_that_was_ever_played) {
  MemoryStore store;
  Match match = start(store, "a");
  perform(match, turn_of_next(match, {6, 6, 3}));
  perform(match, UndoTurns{1});
  perform(match, turn_of_next(match, {6, 3}));
  perform(match, UndoTurns{1});
  perform(match, RedoTurns{1});
  const auto report = audit_store(store);
  const std::vector<std::int64_t> falls{0, 0, 2, 0, 0, 3};
  BOOST_TEST(report.fairness.typed.counts.at(6) == falls, boost::test_tools::per_element());
  BOOST_TEST(report.fairness.rolled.dice() == 0);
}

BOOST_AUTO_TEST_CASE(counts_a_seeded_die_once_whichever_turns_were_rolled_before_and_again) {
  MemoryStore store;
  Match match = long_match(store, "a", 7);
  perform(match, turn_of_next(match, {1}));
  perform(match, RollTurn{});  // turn 2
  perform(match, UndoTurns{2});
  perform(match, RollTurn{});  // turn 1
  perform(match, RollTurn{});  // turn 2 again
  const auto check = [&](const Fairness& fairness) {
    BOOST_CHECK(fairness.rolled.counts == seeded(7, one_die, 1, 2).counts);
    BOOST_TEST(fairness.typed.dice() == 1);
  };
  check(audit_store(store).fairness);
  check(audit_game(store, "a")->fairness);
}

BOOST_AUTO_TEST_CASE(tests_dice_that_were_typed_in_apart_from_those_of_seeds) {
  MemoryStore store;
  Match match = long_match(store, "a", 7);
  for (int turn = 0; turn < 600; ++turn)
    perform(match, RollTurn{});
  for (int turn = 0; turn < 30; ++turn)
    perform(match, turn_of_next(match, {6}));
  const Fairness fairness = audit_game(store, "a")->fairness;
  BOOST_TEST(fairness.rolled.p_value().value() > 0.01);
  BOOST_TEST(fairness.typed.p_value().value() < 1e-20);
  BOOST_TEST(fairness.all().dice() == 630);
}

BOOST_AUTO_TEST_CASE(counts_the_dice_of_games_with_the_same_seed_once) {
  MemoryStore store;
  const int games = 60;
  for (int game = 0; game < games; ++game) {
    Match match = long_match(store, fmt::format("g{}", game), 42);
    for (int turn = 0; turn <= game; ++turn)
      perform(match, RollTurn{});
  }
  const Fairness fairness = audit_store(store).fairness;
  BOOST_CHECK(fairness.rolled.counts == seeded(42, one_die, 1, games).counts);
  BOOST_TEST(fairness.all().p_value().value() > 0.01);
}

BOOST_AUTO_TEST_CASE(counts_the_dice_of_branches_of_the_start_once) {
  MemoryStore store;
  const Match origin = long_match(store, "origin", 42);
  for (int branch = 0; branch < 60; ++branch) {
    Match match = branch_of(store, origin, 0, fmt::format("b{}", branch));
    perform(match, RollTurn{});
  }
  BOOST_CHECK(audit_store(store).fairness.rolled.counts == seeded(42, one_die, 1, 1).counts);
}

BOOST_AUTO_TEST_CASE(counts_a_die_once_where_games_roll_more_or_fewer_in_the_turn) {
  // With one seed, the first die of a turn is the same whether a second is rolled or not.
  MemoryStore store;
  const Rules two_dice{.dice = 2, .sixes = Sixes::plain};
  for (const auto& [id, rules] :
       {std::pair("a", one_die), std::pair("b", two_dice), std::pair("c", Rules{})}) {
    Match match = start(store, id, {.board = {.cells = 1'000'000}, .rules = rules, .seed = 42});
    for (int turn = 0; turn < 40; ++turn)
      perform(match, RollTurn{});
  }
  DiceFalls expected = seeded(42, two_dice, 1, 40);
  for (Turn turn = 1; turn <= 40; ++turn)
    if (const Dice dice = roll_dice(Rules{}, 42, turn); dice.size() == 3)
      expected.add(dice.values()[2], 6);
  BOOST_CHECK(audit_store(store).fairness.rolled.counts == expected.counts);
}

BOOST_AUTO_TEST_CASE(counts_dice_of_other_faces_by_themselves) {
  MemoryStore store;
  for (const std::int32_t faces : {6, 8}) {
    Match match = start(store, fmt::format("g{}", faces),
                        {.board = {.cells = 1'000'000},
                         .rules = {.faces = faces, .sixes = Sixes::plain},
                         .seed = 42});
    for (int turn = 0; turn < 5; ++turn)
      perform(match, RollTurn{});
  }
  const Fairness fairness = audit_store(store).fairness;
  for (const std::int32_t faces : {6, 8}) {
    const Rules rules{.faces = faces, .sixes = Sixes::plain};
    BOOST_CHECK(fairness.rolled.counts.at(faces) == seeded(42, rules, 1, 5).counts.at(faces));
  }
}

BOOST_AUTO_TEST_CASE(counts_the_dice_of_a_branch_but_those_that_its_origin_rolled_too) {
  MemoryStore store;
  Match origin = long_match(store, "origin", 7);
  for (int i = 0; i < 3; ++i)
    perform(origin, RollTurn{});
  Match branch = branch_of(store, origin, 3, "branch");
  for (int i = 0; i < 4; ++i)
    perform(branch, RollTurn{});
  BOOST_TEST(audit_game(store, "branch")->fairness.rolled.dice() == 4);
  BOOST_TEST(audit_store(store).fairness.rolled.dice() == 7);
  for (int i = 0; i < 3; ++i)
    perform(origin, RollTurn{});  // as in the branch
  BOOST_TEST(audit_store(store).fairness.rolled.dice() == 7);
  BOOST_TEST(audit_game(store, "branch")->fairness.rolled.dice() == 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
