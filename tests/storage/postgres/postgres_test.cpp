// Goal: a store on PostgreSQL keeps its promises where PostgreSQL has pitfalls. These are defaults
// of a database, transactions that hold up readers, sequences that run ahead or restart, servers
// that are lost during a commit, and superusers.
//
// Method: real servers. Plain sessions act as the other clients: they hold locks, cancel, terminate
// and forge at the moment that matters. The cases wait for states in pg_stat_activity, so that none
// depends on time.
#include "cluster.hpp"
#include "storage/audit.hpp"
#include "storage/group_commit.hpp"
#include "storage/open_store.hpp"
#include "storage/postgres/connection.hpp"
#include "storage/postgres/postgres_admin.hpp"
#include "storage/postgres/postgres_store.hpp"
#include "storage/postgres/upgrade.hpp"
#include "storage/subscription.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

namespace snl::test {
namespace {

using Use = PostgresStore::Use;

NewCommit commit_of(const std::string& text, std::optional<std::string> command_id = {}) {
  return {.time = new_year,
          .command = "{\"" + text + "\"}",
          .events = "[\"" + text + "\"]",
          .command_id = std::move(command_id)};
}

GameState some_state() {
  return *evolve(GameState{}, Event{GameStarted{start_of().setup}});
}

std::expected<Head, AppendRefusal> append(EventStore& store, const std::string& game,
                                          const ExpectedHead& expected, const NewCommit& commit) {
  return store.append(game, expected, std::span(&commit, 1), some_state());
}

Head append(EventStore& store, const std::string& game, const std::string& text) {
  return append(store, game, std::nullopt, commit_of(text)).value();
}

const auto latest_version = std::ssize(postgres::server_migrations());

/// A store in a new database, and a session of its owner.
struct World {
  Cluster& cluster;
  std::string location;
  PostgresStore store;
  PlainSession owner;
  explicit World(Cluster& on = Cluster::shared())
      : cluster(on), location(on.store_database()), store(location, Use::write), owner(location) {}
};

/// The error of a caller that opens it.
std::string refusal_of(const std::string& location) {
  try {
    open_store(location, for_reading);
  } catch (const StoreError& error) {
    return error.what();
  }
  throw std::logic_error("it was opened");
}

/// Polls until the condition holds.
void wait_until(PlainSession& session, const std::string& condition) {
  while (session.value("SELECT coalesce(bool_or(" + condition +
                       "), false) FROM pg_stat_activity WHERE datname = current_database() "
                       "AND application_name = 'snl'") != "t")
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
}

const std::string its_sessions =
    " FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'snl' AND "
    "state = 'active'";

}  // namespace

BOOST_AUTO_TEST_SUITE(a_database)

BOOST_AUTO_TEST_CASE(only_lets_commits_be_appended) {
  World world;
  const std::vector commits{commit_of("one"), commit_of("two")};
  const Head two = world.store.append("a", std::nullopt, commits, some_state()).value();
  for (const char* sql :
       {"UPDATE snl.commits SET time = 0", "DELETE FROM snl.commits", "TRUNCATE snl.commits",
        "UPDATE snl.appending SET time = 0", "DELETE FROM snl.appending",
        "TRUNCATE snl.games CASCADE", "DELETE FROM snl.games", "DELETE FROM snl.clock",
        "UPDATE snl.games SET game = game + 1", "UPDATE snl.games SET id = 'b'",
        "UPDATE snl.clock SET shift = shift - 1, one = 1 WHERE shift > -1"})
    BOOST_TEST_CONTEXT(sql) BOOST_TEST(world.owner.try_to(sql) == "23001");
  // A commit that names another head than the last, a position in another transaction, or an
  // existing version.
  const std::string head = fmt::format(R"('\x{}'::bytea)", to_hex(two.hash));
  const std::string now = "((txid_current() + shift) << 20)";
  const auto insertion = [](int version, const std::string& follows, const std::string& position,
                            const std::string& game = "game") {
    return fmt::format(
        "INSERT INTO snl.appending SELECT {}, {}, {}, {}, 0, 0, sha256('x'), '', '' "
        "FROM snl.games, snl.clock",
        game, version, follows, position);
  };
  for (const std::string& sql :
       {insertion(3, "sha256('x')", now), insertion(4, head, now), insertion(0, head, now),
        insertion(3, head, "1"), insertion(3, head, now + " + (1 << 20)"),
        insertion(3, head, "(txid_current() + shift - 1) << 20"),
        insertion(3, head, now, "game + 1"), insertion(1, head, now, "game + 1"),
        insertion(1, "decode(repeat('00', 32), 'hex')", now, now)})
    BOOST_TEST_CONTEXT(sql) BOOST_TEST(world.owner.try_to(sql) == "44000");
  for (const int version : {1, 2})
    BOOST_TEST(world.owner.try_to(insertion(version, head, now)) == "23505");
  BOOST_TEST(world.owner.try_to(insertion(3, "NULL", now)) == "23502");
  BOOST_TEST(world.store.head("a")->version == 2);
  // A commit that names the right head is appended.
  BOOST_TEST(world.owner.try_to(insertion(3, head, now + " + 7")).empty());
  BOOST_TEST(world.store.head("a")->version == 3);
}

/// A role that may insert commits defines its own functions with the names that a trigger calls.
BOOST_AUTO_TEST_CASE(is_not_talked_into_a_commit_by_operators_of_who_inserts_it) {
  World world;
  append(world.store, "a", "one");
  world.owner.execute(
      "DROP ROLE IF EXISTS schemer; CREATE ROLE schemer LOGIN; SELECT snl.admit('schemer'); "
      "CREATE SCHEMA mine AUTHORIZATION schemer");
  PlainSession schemer(world.location + " user=schemer");
  for (const char* type : {"bytea", "bigint"})
    schemer.execute(fmt::format(
        "CREATE FUNCTION mine.always({0}, {0}) RETURNS boolean LANGUAGE sql AS 'SELECT true'; "
        "CREATE OPERATOR mine.= (FUNCTION = mine.always, LEFTARG = {0}, RIGHTARG = {0}); "
        "CREATE OPERATOR mine.< (FUNCTION = mine.always, LEFTARG = {0}, RIGHTARG = {0})",
        type));
  schemer.execute("SET search_path = mine, pg_catalog");
  BOOST_TEST(schemer.value("SELECT '1'::bytea = '2'::bytea") == "t");
  BOOST_TEST(schemer.try_to("INSERT INTO snl.appending SELECT game, 7, sha256('x'), 1, 0, 0, "
                            "sha256('y'), '', '' FROM snl.games") == "44000");
  BOOST_TEST(all_commits(world.store).size() == 1U);
}

BOOST_AUTO_TEST_CASE(is_asked_for_no_more_of_a_game_than_a_page_has) {
  constexpr std::int64_t commits = 3000;
  World world;
  const std::vector<NewCommit> many(commits, commit_of("one"));
  BOOST_TEST_REQUIRE(world.store.append("a", std::nullopt, many, some_state()).has_value());
  world.owner.execute("ANALYZE snl.commits");
  // A session reports its statistics when it ends, or on request.
  const auto read_so_far = [&] {
    world.owner.execute("SELECT pg_stat_clear_snapshot()");
    return std::stoll(world.owner.value(
        "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE relname = 'commits'"));
  };
  const auto sessions = [&] {
    return world.owner.value(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = "
        "current_database() AND application_name = 'snl'");
  };
  const std::string others = sessions();
  const std::int64_t before = read_so_far();
  {
    PostgresStore store(world.location, Use::read);
    CommitPage page;
    for (int again = 0; again < 10; ++again)
      store.read("a", 1, 10, page);
    BOOST_TEST(page.size() == 10U);
  }
  while (sessions() != others)
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  BOOST_TEST(read_so_far() - before < commits);
  BOOST_TEST(read_so_far() - before >= 100);  // otherwise nothing is counted
}

BOOST_AUTO_TEST_CASE(is_played_in_by_who_is_admitted_and_may_do_nothing_else) {
  World world;
  world.owner.execute("DROP ROLE IF EXISTS web; CREATE ROLE web LOGIN");
  const std::string location = world.location + " user=web";
  BOOST_CHECK_THROW(PostgresStore(location, Use::write), StoreError);
  world.owner.execute("SELECT snl.admit('web')");
  PostgresStore store(location, Use::write);
  record_orchard(store);
  Match berry = *Match::load(store, "berry");
  store.locked("berry", [&](EventStore& now) { append(now, "other", "one"); });
  BOOST_TEST(open_hosted_games(location)->last_revision() == 0);
  PlainSession web(location);
  for (const char* sql :
       {"UPDATE snl.commits SET time = 0", "DELETE FROM snl.commits", "TRUNCATE snl.commits",
        "UPDATE snl.games SET version = 9", "INSERT INTO snl.games SELECT * FROM snl.games",
        "UPDATE snl.clock SET shift = 9", "DELETE FROM snl.players",
        "INSERT INTO snl.commits SELECT * FROM snl.commits",
        "INSERT INTO snl.migrations VALUES (9, '', '')"})
    BOOST_TEST_CONTEXT(sql) BOOST_TEST(web.try_to(sql) == "42501");
  BOOST_TEST(web.try_to(append_in_sql("berry", "x", "sha256('x')", 1)).empty());
}

BOOST_AUTO_TEST_CASE(gets_its_schema_once_however_many_open_it) {
  const std::string location = Cluster::shared().empty_database();
  BOOST_CHECK_THROW(PostgresStore(location, Use::read), StoreError);
  BOOST_TEST(!PostgresAdmin(location).exists());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { append(*open_store(location, for_writing), "a", "one"); });
  }
  BOOST_TEST(PostgresAdmin(location).exists());
  BOOST_TEST(PostgresStore(location, Use::read).head("a")->version == 4);
  BOOST_TEST(PostgresAdmin(location).migrate().from == latest_version);
}

/// Returns a database's store to the schema of a migration, as the programs of that schema left it:
/// each game's row named its last commit.
void go_back_to_version(World& world, std::size_t version) {
  const std::vector<std::string> tables{"games", "players", "commits"};
  world.owner.execute("SET client_min_messages = warning; SET session_replication_role = replica");
  for (const std::string& table : tables)
    world.owner.execute(fmt::format("CREATE TABLE public.{0} AS TABLE snl.{0}", table));
  world.owner.execute(
      "UPDATE public.games SET version = 1, position = game, of_version = 1, turn = 0, last_turn = "
      "0, "
      "redo_version = 0, redoable = 0, last_index = 0, redo_index = 0, next = 0, cells = '', "
      "head = sha256('x'), of_head = sha256('x'), seal = sha256('x'); DROP SCHEMA snl CASCADE");
  postgres::ServerConnection connection(world.location, Use::write);
  postgres::upgrade(connection, postgres::server_migrations().first(version));
  for (const std::string& table : tables) {
    const std::string columns = world.owner.value(
        fmt::format("SELECT string_agg(column_name, ', ') FROM information_schema.columns "
                    "WHERE table_schema = 'snl' AND table_name = '{}'",
                    table));
    world.owner.execute(
        fmt::format("INSERT INTO snl.{0} ({1}) SELECT {1} FROM public.{0}", table, columns));
  }
  world.owner.execute(
      "UPDATE snl.games g SET version = c.version, head = c.hash, position = c.position "
      "FROM snl.commits c WHERE c.game = g.game AND c.version = "
      "(SELECT max(version) FROM snl.commits l WHERE l.game = g.game); "
      "SET session_replication_role = origin");
}

/// As the programs of the first three schemas append to a game where it is.
std::string append_of_older_program(const std::string& game) {
  return fmt::format(
      "SET LOCAL search_path = pg_catalog, snl, pg_temp; SELECT snl.append(g.id, c.version, "
      "c.hash, 0, 1, {}, '{{}}', '[]', sha256('x'), NULL, NULL, false, NULL, NULL, NULL, NULL, "
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL) FROM snl.games g JOIN snl.commits c "
      "ON c.game = g.game WHERE g.id = '{}' ORDER BY c.version DESC LIMIT 1",
      new_year, game);
}

/// The last schema whose programs an upgrade stops. Programs of later schemas append as today's do.
constexpr std::size_t last_with_append_function = 3;

BOOST_AUTO_TEST_CASE(is_upgraded_while_it_is_played_in) {
  for (std::size_t version = 1; version < postgres::server_migrations().size(); ++version)
    BOOST_TEST_CONTEXT("from version " << version) {
      World world;
      record_orchard(world.store);
      append(world.store, "new", "one");
      go_back_to_version(world, version);
      const auto before = all_commits(world.store);
      BOOST_TEST(PostgresAdmin(world.location).facts().schema_version ==
                 static_cast<std::int64_t>(version));
      BOOST_CHECK_THROW(PostgresStore(world.location, Use::read), StoreError);
      std::atomic<int> played = 0;
      std::atomic<bool> is_upgraded = false;
      {
        std::vector<std::jthread> threads;
        threads.emplace_back([&] {
          if (version > last_with_append_function) {
            while (!is_upgraded || played < 40)
              append(world.store, "new", fmt::format("turn {}", ++played));
            return;
          }
          // Through the function that older programs call, until the store has a newer schema.
          PlainSession older(world.location);
          std::string state;
          while (state.empty() || state == "40001" || state == "40P01" || state == "SN001") {
            state = older.try_to(append_of_older_program("new"));
            if (state.empty()) ++played;
          }
          BOOST_TEST(state == "25006");
        });
        while (played < 20)
          std::this_thread::yield();
        for (int upgrader = 0; upgrader < 3; ++upgrader)
          threads.emplace_back([&] {
            open_store(world.location, for_writing);
            is_upgraded = true;
          });
      }
      PostgresStore upgraded(world.location, Use::write);
      append(upgraded, "new", "two");
      append(world.store, "new", "three");
      BOOST_TEST(PostgresAdmin(world.location).facts().schema_version == latest_version);
      BOOST_TEST(upgraded.head("new")->version == played + 3);
      auto after = all_commits(upgraded);
      after.resize(before.size());
      BOOST_CHECK(after == before);
      BOOST_TEST(upgraded.check().empty());
      BOOST_TEST(audit_game(upgraded, "berry")->ok());
    }
}

/// Such a program takes its server for a read-only one, reconnects, and gets the error that the
/// schema is newer.
BOOST_AUTO_TEST_CASE(refuses_older_programs_and_their_roles_as_if_it_could_not_be_written_to) {
  World world;
  append(world.store, "a", "one");
  go_back_to_version(world, 3);
  world.owner.execute(
      "DROP ROLE IF EXISTS older; CREATE ROLE older LOGIN; SELECT snl.admit('older')");
  open_store(world.location, for_writing);
  PlainSession role(world.location + " user=older");
  for (PlainSession* session : {&world.owner, &role}) {
    BOOST_TEST(session->try_to(append_of_older_program("a")) == "25006");
    BOOST_TEST(
        session->try_to(
            "INSERT INTO snl.commits (game, version, position, time, attempt, hash, command, "
            "events, command_id) SELECT game, version + 1, 0, 0, 0, head || sha256('x'), '', "
            "'', NULL FROM snl.games") == "25006");
  }
  BOOST_TEST(role.try_to("INSERT INTO snl.commits (follows) VALUES ('')") == "42501");
  // It may also do what newer programs do.
  append(*open_store(world.location + " user=older", for_writing), "a", "two");
  BOOST_TEST(world.store.head("a")->version == 2);
}

/// A session holds a lock that the upgrade needs next, and then waits for one of the upgrade's
/// locks. One of them gets a deadlock error.
BOOST_AUTO_TEST_CASE(is_upgraded_at_another_try_where_others_hold_it_up) {
  World world;
  go_back_to_version(world, 1);
  PlainSession reader(world.location);
  reader.execute("SET deadlock_timeout = '1h'; BEGIN; LOCK TABLE snl.commits IN ACCESS SHARE MODE");
  // It checks for a deadlock once, after that time. So the deadlock has to exist by then.
  std::jthread upgrader(
      [&] { open_store(world.location + " options='-c deadlock_timeout=20s'", for_writing); });
  wait_until(world.owner, "wait_event_type = 'Lock'");
  BOOST_TEST(reader.try_to("SELECT 1 FROM snl.games; COMMIT").empty());
  upgrader.join();
  BOOST_TEST(PostgresAdmin(world.location).facts().schema_version == latest_version);
}

BOOST_AUTO_TEST_CASE(refuses_values_that_cant_be) {
  World world;
  append(world.store, "a", "one");
  const std::string insertion =
      "INSERT INTO snl.appending SELECT game, 2, hash, (txid_current() + shift) << 20, {}, 0, {}, "
      "'', '' FROM snl.commits, snl.clock";
  for (const auto& [time, hash] : std::vector<std::pair<const char*, const char*>>{
           {"-1", "sha256('x')"}, {"253402300800000", "sha256('x')"}, {"0", "'x'"}})
    BOOST_TEST_CONTEXT(time << hash)
  BOOST_TEST(world.owner.try_to(fmt::format(fmt::runtime(insertion), time, hash)) == "44000");
  for (const char* sql :
       {"UPDATE snl.games SET head = 'x'", "UPDATE snl.games SET of_head = 'x'",
        "UPDATE snl.games SET seal = 'x'", "UPDATE snl.games SET version = 0",
        "UPDATE snl.games SET position = 0", "UPDATE snl.games SET game = 0",
        "UPDATE snl.games SET id = ''", "UPDATE snl.games SET id = repeat('x', 65)"})
    BOOST_TEST_CONTEXT(sql) BOOST_TEST(world.owner.try_to(sql) == "23514");
}

BOOST_AUTO_TEST_CASE(is_refused_where_its_schema_is_newer_or_was_edited) {
  World world;
  const auto cause_of = [&] {
    try {
      PostgresStore(world.location, Use::write);
    } catch (const StoreError& error) {
      return error.cause();
    }
    throw std::logic_error("it was opened");
  };
  const std::int64_t newer = latest_version + 1;
  world.owner.execute(
      fmt::format("INSERT INTO snl.migrations VALUES ({}, 'later', sha256('x'))", newer));
  BOOST_CHECK(cause_of() == StoreError::Cause::other_version);
  BOOST_TEST(PostgresAdmin(world.location).facts().schema_version == newer);
  world.owner.execute(fmt::format("DELETE FROM snl.migrations WHERE number = {}", newer));
  world.owner.execute("UPDATE snl.migrations SET sha256 = sha256('x')");
  BOOST_CHECK(cause_of() == StoreError::Cause::damaged);
}

BOOST_AUTO_TEST_CASE(may_have_any_defaults) {
  World world;
  world.owner.execute(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', "
      "current_database()); EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = "
      "serializable', current_database()); EXECUTE format('ALTER DATABASE %I SET bytea_output = "
      "escape', current_database()); EXECUTE format('ALTER DATABASE %I SET statement_timeout = 1', "
      "current_database()); EXECUTE format('ALTER DATABASE %I SET array_nulls = off', "
      "current_database()); EXECUTE format('ALTER DATABASE %I SET quote_all_identifiers = on', "
      "current_database()); EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', "
      "current_database(), 'Asia/Tokyo'); END $$");
  PostgresStore store(world.location, Use::write);
  record_orchard(store);
  const std::vector commits{commit_of("1"), commit_of("2")};
  BOOST_REQUIRE(store.append("two", 0, commits, some_state()).has_value());
  BOOST_TEST(!store.commit("two", 2)->command_id);
  world.owner.execute(
      "SET session_replication_role = replica; DELETE FROM snl.commits "
      "WHERE game = (SELECT game FROM snl.games WHERE id = 'two'); "
      "DELETE FROM snl.players WHERE game NOT IN (SELECT game FROM snl.commits); "
      "DELETE FROM snl.games WHERE id = 'two'");
  BOOST_TEST(PostgresAdmin(world.location).audit({}).ok());
}

BOOST_AUTO_TEST_CASE(sorts_ids_as_bytes_whatever_its_language) {
  Cluster& cluster = Cluster::shared();
  const std::string name = "in_english";
  PlainSession(cluster.location("postgres"))
      .execute("CREATE DATABASE " + name +
               " TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'");
  const std::string location = cluster.location(name);
  BOOST_REQUIRE(PlainSession(location).value("SELECT 'a' < 'B' AND 'a-b' < 'aa'") == "t");
  PostgresStore store(location, Use::write);
  for (const char* game : {"b", "B", "a", "C", "aa", "a-b", "a.b", "A_1", "a_b"})
    append(store, game, "one");
  const std::vector<std::string> sorted{"A_1", "B", "C", "a", "a-b", "a.b", "a_b", "aa", "b"};
  BOOST_TEST(store.games_after("", 100) == sorted, boost::test_tools::per_element());
  BOOST_TEST(store.games_after("a-b", 2) == std::vector<std::string>({"a.b", "a_b"}),
             boost::test_tools::per_element());
  BOOST_TEST(store.games_with_prefix("a", 100) ==
                 std::vector<std::string>({"a", "a-b", "a.b", "a_b", "aa"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(that_is_gone_is_told_without_its_password) {
  const std::string what = refusal_of("postgresql://me:secret@127.0.0.1:1/games");
  BOOST_TEST(what.find("127.0.0.1") != std::string::npos);
  BOOST_TEST(what.find("secret") == std::string::npos);
  BOOST_TEST(what.find('\n') == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_location)

BOOST_AUTO_TEST_CASE(is_a_file_or_what_libpq_takes) {
  for (const char* location :
       {"postgresql://host/db", "postgres://", "host=/tmp dbname=x", "dbname = x", "service=games",
        "application_name=x host=db", "aplication_name=x host=db", "a='b c' user = x",
        "postgresql:/h/d", "Postgres://h/d", "postgresql:h"})
    BOOST_TEST(!is_file_location(location), location);
  for (const char* location : {"games.db", "./host=x", "/tmp/a=b", "hosts=x", "a b", "", "host",
                               "a=b", "my host=x", "=", "postgresql.db", "./a=b host=x"})
    BOOST_TEST(is_file_location(location), location);
}

BOOST_AUTO_TEST_CASE(has_the_keywords_that_libpq_knows) {
  for (const std::string& keyword : keywords_of_libpq())
    BOOST_TEST(!is_file_location(keyword + "=x"), keyword);
}

BOOST_AUTO_TEST_CASE(that_cant_be_read_is_refused_without_a_word_of_its_password) {
  for (const char* location :
       {"postgresql://u:sec%ret@h/db", "postgresql://u:sec%%rets3@[::1/db",
        "postgresql:/u:secret@h", "postgresql://u:sec/ret@localhost:5501/db",
        "postgresql://u:sec@ret@h/db", "postgresql://u:sec?ret@h/db",
        "postgresql://u:sec?ret=x@h/db", "POSTGRES://u:secret@h/d",
        "postgresql://u:sec?host=ret@h/db", "host=h password=sec ret", "host=h password='sec ret",
        "host=h password=sec ret=s", "aplication_name=secret host=h"})
    BOOST_TEST_CONTEXT(location) {
      const std::string what = refusal_of(location);
      BOOST_TEST(what.starts_with("store "));
      BOOST_TEST(what.find("sec") == std::string::npos, what);
      BOOST_TEST(what.find("ret") == std::string::npos, what);
      BOOST_TEST(shown_location(location).find("sec%") == std::string::npos);
    }
  BOOST_TEST(refusal_of("postgresql:/h/d").find("must look like postgresql://") !=
             std::string::npos);
  BOOST_TEST(refusal_of("postgresql://u:a%b@h/d").find("%25") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(is_shown_without_a_password) {
  BOOST_TEST(shown_location("postgresql://me:p%40ss@host:5432/db") ==
             "postgresql://me@host:5432/db");
  BOOST_TEST(shown_location("postgresql://me@host/db?password=x&user=y") ==
             "postgresql://me@host/db?password=***&user=y");
  BOOST_TEST(shown_location("host=h password='a b' dbname=d") == "host=h password=*** dbname=d");
  BOOST_TEST(shown_location("host=h password = x") == "host=h password = ***");
  BOOST_TEST(shown_location("password=x&y host=h") == "password=*** host=h");
  BOOST_TEST(shown_location("password.db") == "password.db");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(readers)

BOOST_AUTO_TEST_CASE(wait_for_whoever_has_a_number_already) {
  World world;
  PlainSession elsewhere(world.cluster.location("postgres"));
  const auto seen = [&] { return all_commits(world.store).size(); };
  append(world.store, "a", "one");
  BOOST_TEST(seen() == 1U);
  // A store that only reads has none.
  world.owner.execute("BEGIN; SELECT count(*) FROM snl.commits");
  append(world.store, "a", "two");
  BOOST_TEST(seen() == 2U);
  world.owner.execute("COMMIT");
  std::size_t before = 2;
  for (PlainSession* session : {&world.owner, &elsewhere})
    for (const char* end : {"COMMIT", "ROLLBACK", "PREPARE TRANSACTION 'p'"}) {
      session->execute("BEGIN; SELECT pg_current_xact_id()");
      append(world.store, "a", "more");
      BOOST_TEST(seen() == before);
      BOOST_TEST(commits_of(world.store, "a").size() == before + 1);  // a game doesn't wait
      session->execute(end);
      if (std::string_view(end).starts_with("PREPARE")) {
        BOOST_TEST(seen() == before);
        session->execute("COMMIT PREPARED 'p'");
      }
      ++before;
      BOOST_TEST(seen() == before);
    }
}

BOOST_AUTO_TEST_CASE(wait_no_longer_for_a_session_that_stopped_than_it_is_given) {
  World world;
  postgres::ServerConnection stopped(world.location, postgres::ServerConnection::Use::write);
  BOOST_TEST(stopped.execute("SHOW idle_in_transaction_session_timeout").text(0, 0) == "1min");
  stopped.execute("SET idle_in_transaction_session_timeout = '50ms'");
  stopped.execute("BEGIN; SELECT pg_current_xact_id()");
  append(world.store, "a", "one");
  const std::string there = "SELECT snl.horizon() > max(position) FROM snl.commits";
  while (world.owner.value(there) != "t")
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  BOOST_TEST(all_commits(world.store).size() == 1U);
  BOOST_CHECK_EXCEPTION(stopped.execute("SELECT 1"), postgres::ServerError,
                        [](const postgres::ServerError& error) { return error.is_lost(); });
}

BOOST_AUTO_TEST_CASE(are_told_whom_they_wait_for) {
  World world;
  world.owner.execute("BEGIN; SELECT pg_current_xact_id()");
  while (PostgresAdmin(world.location).facts().notes.empty())
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  const auto notes = PostgresAdmin(world.location).facts().notes;
  BOOST_TEST(notes.front().find("subscribers wait: process ") == 0U);
  BOOST_TEST(notes.front().find(world.owner.value("SELECT pg_backend_pid()")) != std::string::npos);
  // A role that may not see the start of the transaction gets the message all the same.
  world.owner.execute("COMMIT; DROP ROLE IF EXISTS player; CREATE ROLE player LOGIN");
  world.owner.execute("SELECT snl.admit('player')");
  world.owner.execute("BEGIN; SELECT pg_current_xact_id()");
  const auto theirs = PostgresAdmin(world.location + " user=player").facts().notes;
  BOOST_TEST_REQUIRE(theirs.size() == 1U);
  BOOST_TEST(theirs.front().find("pg_read_all_stats") != std::string::npos);
  BOOST_TEST(theirs.front().find(world.owner.value("SELECT pg_backend_pid()")) !=
             std::string::npos);
}

/// Waits in a separate thread for commits after `before`. Once this object is made, the thread has
/// polled and found nothing.
class Waiting {
 public:
  Waiting(World& world, PostgresStore& store)
      : before_(store.wait_for_append(0, std::chrono::milliseconds{0})) {
    store.wait_for_append(before_, std::chrono::milliseconds{20});  // listens from now on
    const std::string since = world.owner.value("SELECT clock_timestamp()");
    thread_ = std::jthread([&] { heard_ = store.wait_for_append(before_, std::chrono::hours{1}); });
    wait_until(world.owner,
               "query LIKE '%horizon%' AND state = 'idle' AND query_start > '" + since + "'");
  }
  bool has_heard() const { return heard_ > before_; }
  bool hears() {
    thread_.join();
    return has_heard();
  }

 private:
  StorePosition before_;
  std::atomic<StorePosition> heard_ = 0;
  std::jthread thread_;
};

BOOST_AUTO_TEST_CASE(of_one_moment_get_each_commit_whatever_they_ask_in_between) {
  constexpr std::int64_t commits = 2100;
  constexpr std::int64_t longest = 900;
  World world;
  // Some are so long that a page is full before its rows are used up.
  for (const std::string game : {"a", "b"}) {
    std::vector<NewCommit> many;
    for (std::int64_t i = 1; i <= commits; ++i)
      many.push_back(
          commit_of(fmt::format("{} {} {}", game, i, std::string(i % 7 == 0 ? longest : 0, 'x'))));
    BOOST_TEST_REQUIRE(world.store.append(game, std::nullopt, many, some_state()).has_value());
  }
  const auto now = world.store.read_transaction();
  BOOST_TEST(now->head("a")->version == commits);
  PostgresStore other(world.location, Use::write);
  append(other, "a", "late");
  const auto is_in_order = [](const CommitView& commit, const char* game, Version version) {
    return commit.version == version &&
           commit.command.starts_with(fmt::format("{{\"{} {} ", game, version));
  };
  Version of_a = 0;
  Version of_b = 0;
  CommitPage page;
  for_each_commit(*now, std::string("a"), 1, [&](const CommitView& commit) {
    BOOST_TEST_REQUIRE(is_in_order(commit, "a", ++of_a));
    if (of_a % 50 == 0) BOOST_TEST(now->commit("b", of_a)->version == of_a);
    if (of_a % 450 == 0) {
      now->read("b", of_b + 1, page_size, page);
      for (const CommitView& each : page)
        BOOST_TEST_REQUIRE(is_in_order(each, "b", ++of_b));
    }
    return true;
  });
  BOOST_TEST(of_a == commits);
  BOOST_TEST(of_b > 0);
  std::int64_t all = 0;
  StorePosition last = 0;
  for_each_commit(*now, StorePosition{1}, [&](const CommitView& commit) {
    BOOST_TEST_REQUIRE(commit.position > last);
    last = commit.position;
    return ++all > 0;
  });
  BOOST_TEST(all == 2 * commits);
}

/// The server reports damage where a commit is read, also where it is read ahead of those that are
/// being worked on.
BOOST_AUTO_TEST_CASE(of_one_moment_read_on_after_damage) {
  constexpr Version last = 1301;
  World world;
  Match match = start(world.store, "a", endless_game());
  start(world.store, "b");
  together(world.store, [&] {
    for (Version version = 2; version <= last; ++version)
      perform(match, RollTurn{}, {.command_id = std::to_string(version)});
  });
  world.owner.execute(
      "CREATE FUNCTION public.damage() RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN RAISE "
      "EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$; ALTER TABLE snl.commits RENAME TO "
      "whole");
  for (const Version damaged : {2, 500, 900, 1300})
    BOOST_TEST_CONTEXT(damaged) {
      world.owner.execute(fmt::format(
          "CREATE OR REPLACE VIEW snl.commits AS SELECT position, game, version, time, attempt, "
          "hash, CASE WHEN version = {} THEN public.damage() ELSE command END AS command, events, "
          "command_id, follows FROM snl.whole",
          damaged));
      PostgresStore store(world.location, Use::read);
      const AuditReport report = audit_store(store);
      BOOST_TEST(report.games == 2);
      BOOST_TEST_REQUIRE(report.problems.size() == 1U);
      BOOST_TEST(report.problems.front().game.value() == "a");
      BOOST_TEST(report.problems.front().detail.contains("invalid page"));
    }
}

BOOST_AUTO_TEST_CASE(are_told_of_appends_and_need_not_look) {
  World world;
  append(world.store, "a", "start");
  PostgresStore store(world.location, Use::read, {.poll_interval = std::chrono::hours{1}});
  Waiting waiting(world, store);
  while (!waiting.has_heard()) {  // a fast writer notifies only from time to time
    append(world.store, "a", "more");
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  BOOST_TEST(waiting.hears());
}

BOOST_AUTO_TEST_CASE(hear_of_what_nobody_tells_them) {
  World world;
  append(world.store, "a", "start");
  PostgresStore store(world.location, Use::read);
  BOOST_TEST(world.store.head("a")->version == 1);  // after which its own notification is out
  PlainSession listening(world.location);
  listening.execute("LISTEN snl");
  Waiting waiting(world, store);
  world.owner.execute(append_in_sql("a", "more", "sha256('x')", 1));
  BOOST_TEST(waiting.hears());
  BOOST_TEST(!listening.was_notified());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(positions)

BOOST_AUTO_TEST_CASE(are_refused_to_who_got_a_number_early_and_appends_late) {
  World world;
  append(world.store, "a", "one");
  world.owner.execute("BEGIN; SELECT pg_current_xact_id()");
  append(world.store, "a", "two");
  BOOST_TEST(world.owner.try_to(append_in_sql("a", "three", "sha256('x')", 1)) == "44000");
  world.owner.execute("ROLLBACK");
  append(world.store, "a", "three");
}

BOOST_AUTO_TEST_CASE(go_on_after_a_dump_was_restored_to_a_server_that_counts_anew) {
  World world;
  record_orchard(world.store);
  world.owner.execute(
      "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; "
      "END LOOP; END $$");
  append(world.store, "last", "one");
  const auto before = all_commits(world.store);
  const std::string dump = world.cluster.folder() + "/dump";
  world.cluster.run("pg_dump", {"-Fc", "-f", dump, world.location});
  Cluster fresh;
  const std::string location = fresh.empty_database();
  fresh.run("pg_restore", {"--exit-on-error", "-d", location, dump});
  PlainSession owner(location);
  BOOST_TEST(owner.value("SELECT snl.clock_is_behind()") == "t");
  // A reader without write access misses nothing, and finds nothing wrong.
  owner.execute("ALTER ROLE snl SET default_transaction_read_only = on");
  {
    PostgresStore store(location, Use::read);
    BOOST_CHECK(all_commits(store) == before);
    BOOST_TEST(store.wait_for_append(0, std::chrono::milliseconds{0}) == before.back().position);
    BOOST_TEST(store.check().empty());
  }
  owner.execute("SET default_transaction_read_only = off; ALTER ROLE snl RESET ALL");
  BOOST_TEST(owner.value("SELECT snl.clock_is_behind()") == "t");
  BOOST_TEST(PostgresAdmin(location).check().empty());
  BOOST_TEST(owner.value("SELECT snl.clock_is_behind()") == "f");
  PostgresStore store(location, Use::write);
  BOOST_CHECK(all_commits(store) == before);
  append(store, "last", "two");
  append(store, "new", "one");
  const auto after = all_commits(store);
  BOOST_TEST(after.size() == before.size() + 2);
  BOOST_TEST(after.back().game == "new");
  BOOST_CHECK(store.newest_game(0) == "new");
  BOOST_TEST(PostgresStore(location, Use::read).check().empty());
}

BOOST_AUTO_TEST_CASE(may_pass_what_a_double_counts_to) {
  World world;
  append(world.store, "before", "one");
  world.owner.execute("UPDATE snl.clock SET shift = shift + (1::bigint << 34)");
  record_orchard(world.store);
  append(world.store, "after", "one");
  const auto all = all_commits(world.store);
  constexpr StorePosition exact_in_a_double = StorePosition{1} << 53U;
  BOOST_TEST(all.front().position < exact_in_a_double);
  BOOST_TEST(all.at(1).position > exact_in_a_double);
  for (std::size_t i = 1; i < all.size(); ++i)
    BOOST_TEST(all[i].position > all[i - 1].position);
  BOOST_TEST(all.back().game == "after");
  BOOST_TEST(world.store.wait_for_append(0, std::chrono::milliseconds{0}) == all.back().position);
  BOOST_TEST(PostgresStore(world.location, Use::read).check().empty());
}

BOOST_AUTO_TEST_CASE(are_not_enough_for_more_commits_than_a_transaction_counts) {
  World world;
  const std::vector<NewCommit> many((std::size_t{1} << 20U) + 1, commit_of("one"));
  BOOST_CHECK_EXCEPTION(
      (void)world.store.append("a", std::nullopt, many, some_state()), StoreError,
      [](const StoreError& error) {
        return std::string_view(error.what())
            .ends_with(
                "1048577 commits are too many for one transaction, which has room for "
                "1048576; make several of them");
      });
  BOOST_TEST(!world.store.head("a"));
  append(world.store, "a", "one");
}

BOOST_AUTO_TEST_CASE(count_from_0_in_each_transaction_in_the_order_given) {
  World world;
  const GameState state = some_state();
  const std::vector commits{commit_of("1"), commit_of("2")};
  const std::vector<Append> appends{
      {.game = "b", .expected = 0, .commits = commits, .after = &state},
      {.game = "a", .expected = 0, .commits = commits, .after = &state}};
  BOOST_REQUIRE(world.store.append(appends));
  const auto all = all_commits(world.store);
  BOOST_TEST(all.size() == 4U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    BOOST_TEST((all[i].position & 0xFFFFF) == static_cast<StorePosition>(i));
    BOOST_TEST(all[i].game == (i < 2 ? "b" : "a"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(appends)

BOOST_AUTO_TEST_CASE(go_on_by_themselves_where_the_connection_is_lost_before_they_are_done) {
  World world;
  append(world.store, "a", "one");
  world.owner.execute("BEGIN; SELECT snl.lock_games()");
  std::jthread appending([&] { append(world.store, "a", "two"); });
  PlainSession other(world.location);
  for (int times = 0; times < 3; ++times) {
    wait_until(other, "wait_event_type = 'Lock'");
    other.execute("SELECT pg_terminate_backend(pid)" + its_sessions);
  }
  world.owner.execute("COMMIT");
  appending.join();
  BOOST_TEST(world.store.head("a")->version == 2);
}

/// Runs each with a store of its own, and lets them continue once all of them wait to append.
void meet_at_the_lock(World& world, const std::vector<std::function<void(PostgresStore&)>>& all) {
  PlainSession other(world.location);
  world.owner.execute("BEGIN; SELECT snl.lock_games()");
  std::vector<std::jthread> threads;
  for (const auto& work : all)
    threads.emplace_back([&] {
      PostgresStore store(world.location, Use::write);
      work(store);
    });
  while (other.value("SELECT count(*)" + its_sessions + " AND wait_event_type = 'Lock'") !=
         std::to_string(all.size()))
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  world.owner.execute("COMMIT");
}

BOOST_AUTO_TEST_CASE(that_are_the_same_and_meet_are_told_that_their_id_is_used) {
  World world;
  const Head one = append(world.store, "a", "one");
  std::atomic<int> appended = 0;
  std::atomic<int> used = 0;
  const auto send = [&](PostgresStore& store) {
    const auto answer = append(store, "a", one, commit_of("two", "id"));
    if (answer)
      ++appended;
    else if (const auto* id = std::get_if<CommandIdUsed>(&answer.error()); id && id->same_command)
      ++used;
  };
  meet_at_the_lock(world, {send, send, send});
  BOOST_TEST(appended == 1);
  BOOST_TEST(used == 2);
}

/// Another session has inserted the game's next commit, and hasn't ended its transaction yet.
BOOST_AUTO_TEST_CASE(that_meet_at_a_version_wait_for_who_was_first) {
  World world;
  append(world.store, "a", "one");
  append(world.store, "b", "one");
  PlainSession other(world.location);
  const GameState state = some_state();
  for (const bool are_several : {false, true})
    for (const char* end : {"COMMIT", "ROLLBACK"})
      BOOST_TEST_CONTEXT(are_several << end) {
        const Head before = world.store.head("a").value();
        const Head of_b = world.store.head("b").value();
        world.owner.execute("BEGIN");
        world.owner.execute(append_in_sql("a", "first", "sha256('x')", 1));
        std::optional<std::expected<std::vector<Head>, RefusedAppend>> answer;
        std::jthread appending([&] {
          const NewCommit commit = commit_of("second");
          std::vector<Append> all{
              {.game = "a", .expected = before, .commits = {&commit, 1}, .after = &state},
              {.game = "b", .expected = of_b, .commits = {&commit, 1}, .after = &state}};
          if (!are_several) all.pop_back();
          answer = world.store.append(all);
        });
        wait_until(other, "wait_event_type = 'Lock'");
        world.owner.execute(end);
        appending.join();
        BOOST_TEST_REQUIRE(answer.has_value());
        if (std::string_view(end) == "ROLLBACK") {
          BOOST_TEST_REQUIRE(answer->has_value());
          BOOST_TEST((*answer)->front().version == before.version + 1);
        } else {
          BOOST_TEST_REQUIRE(!answer->has_value());
          BOOST_TEST(answer->error().game == "a");
          BOOST_TEST(std::get<VersionConflict>(answer->error().why).actual == before.version + 1);
          BOOST_CHECK(world.store.head("b") == of_b);
        }
      }
  BOOST_TEST(world.store.check().empty());
}

BOOST_AUTO_TEST_CASE(of_the_same_command_that_meet_are_answered_with_its_turn) {
  for (const std::optional<Version> expected : {std::optional<Version>{}, {1}}) {
    World world;
    start(world.store, "a", endless_game());
    std::atomic<int> first = 0;
    std::atomic<int> again = 0;
    const auto play = [&](PostgresStore& store) {
      Match match = Match::load(store, "a").value();
      const auto answer = match.execute(turn_of_next(match, {3}),
                                        {.expected_version = expected, .command_id = "id"});
      if (answer) ++(answer->again ? again : first);
    };
    meet_at_the_lock(world, {play, play});
    BOOST_TEST(first == 1);
    BOOST_TEST(again == 1);
    BOOST_TEST(world.store.head("a")->version == 2);
  }
}

BOOST_AUTO_TEST_CASE(are_never_taken_for_recorded_where_no_standby_has_them) {
  Cluster cluster;
  World world(cluster);
  append(world.store, "a", "one");
  PlainSession other(world.location);
  for (const char* function : {"pg_cancel_backend", "pg_terminate_backend"})
    for (const bool with_id : {false, true}) {
      const Head before = world.store.head("a").value();
      cluster.wait_for_nobody(true);
      std::atomic<bool> done = false;
      std::jthread appending([&] {
        const auto id = with_id ? std::optional(fmt::format("id {}", function)) : std::nullopt;
        BOOST_TEST(append(world.store, "a", before, commit_of("two", id))->version ==
                   before.version + 1);
        done = true;
      });
      for (int times = 0; times < 3; ++times) {
        wait_until(other, "wait_event = 'SyncRep'");
        BOOST_TEST(!done);
        other.execute(fmt::format("SELECT {}(pid)", function) + its_sessions +
                      " AND wait_event = 'SyncRep'");
        // The commit is visible to others already, while its sender still waits.
      }
      wait_until(other, "wait_event = 'SyncRep'");
      BOOST_TEST(!done);
      cluster.wait_for_nobody(false);
      appending.join();
      BOOST_TEST(world.store.head("a")->version == before.version + 1);
    }
}

HostedGame some_hosted_game() {
  HostedGame hosted;
  hosted.id = "hosted";
  hosted.created = new_year;
  hosted.host_token.fill(1);
  hosted.request.fill(2);
  hosted.board = "{}";
  hosted.seats.resize(2);
  return hosted;
}

/// The session that recorded a turn, or a hosted game, ends before a standby has the commit.
BOOST_AUTO_TEST_CASE(are_not_told_of_by_their_id_before_a_standby_has_them) {
  Cluster cluster;
  World world(cluster);
  start(world.store, "a", endless_game());
  const HostedGame hosted = some_hosted_game();
  const Request request{.command_id = "id"};
  PlainSession other(world.location);
  const auto play = [&](PostgresStore& store) {
    Match match = Match::load(store, "a").value();
    perform(match, PlayTurn{0, {3}}, request);
  };
  const auto keep = [&](PostgresStore&) {
    const auto store = open_hosted_games(world.location);
    if (!store->hosted_by(hosted.host_token)) std::ignore = store->keep({&hosted, 1});
  };
  const auto play_in_group = [&](PostgresStore& store) {
    GroupCommit group(store);
    const std::vector<WaitingCommand> commands{{"a", PlayTurn{0, {3}}, request}};
    BOOST_TEST(std::get<Committed>(group.execute(commands).at(0)).again);
  };
  const auto play_locked = [&](PostgresStore& store) {
    store.locked("a",
                 [&](EventStore& now) { BOOST_TEST(now.commit_with_id("a", "id").has_value()); });
  };
  const auto append_again = [&](PostgresStore& store) {
    const NewCommit commit = commit_of("other", "id");
    BOOST_TEST(!append(store, "a", std::nullopt, commit).has_value());
  };
  const std::vector<std::function<void(PostgresStore&)>> all{
      play, play, play_in_group, play_locked, append_again, keep, keep};
  cluster.wait_for_nobody(true);
  for (std::size_t i = 0; i < all.size(); ++i)
    BOOST_TEST_CONTEXT(i) {
      std::atomic<bool> done = false;
      std::jthread asking([&] {
        PostgresStore store(world.location, Use::write);
        all[i](store);
        done = true;
      });
      while (!done &&
             other.value("SELECT count(*)" + its_sessions + " AND wait_event = 'SyncRep'") == "0")
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
      BOOST_TEST(!done);
      cluster.wait_for_nobody(false);
      asking.join();
      cluster.wait_for_nobody(true);
    }
  // A reader without write access can't learn that the commit will last.
  BOOST_TEST(PostgresStore(world.location, Use::read).commit_with_id("a", "id").has_value());
}

BOOST_AUTO_TEST_CASE(are_in_doubt_where_every_wait_for_a_standby_is_cancelled) {
  Cluster cluster;
  const std::string location = cluster.store_database();
  PostgresStore store(location, Use::write, {.timeout = std::chrono::milliseconds{50}});
  const Head one = append(store, "a", "one");
  cluster.wait_for_nobody(true);
  std::atomic<std::size_t> waits = 0;
  std::jthread cancelling([&](const std::stop_token& stop) {
    PlainSession other(location);
    std::set<std::string> transactions;
    while (!stop.stop_requested()) {
      for (const auto& row : other.rows("SELECT backend_xid, pg_cancel_backend(pid)" +
                                        its_sessions + " AND wait_event = 'SyncRep'"))
        transactions.insert(row[0]);
      waits = transactions.size();
    }
  });
  for (int times = 0; times < 2; ++times)  // it remains so when it is sent again
    BOOST_CHECK_THROW(std::ignore = append(store, "a", one, commit_of("two", "id")),
                      OutcomeUnknown);
  BOOST_CHECK_THROW(store.locked("b", [](EventStore& now) { append(now, "b", "one"); }),
                    OutcomeUnknown);
  for (const auto& lookup : {std::function([&] { store.commit_with_id("a", "id"); }),
                             std::function([&] { store.commit("b", 1); })}) {
    const std::size_t before = waits;
    BOOST_CHECK_THROW(lookup(), StoreError);
    BOOST_TEST(waits - before <= 10U);  // within one budget
  }
  cancelling.request_stop();
  cancelling.join();
  cluster.wait_for_nobody(false);
  BOOST_TEST(store.commit_with_id("a", "id")->version == 2);
  BOOST_TEST(store.commit("b", 1)->version == 1);
}

BOOST_AUTO_TEST_CASE(are_done_whatever_a_server_warns_of_with_each) {
  World world;
  world.owner.execute(
      "CREATE FUNCTION public.warn() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE WARNING "
      "''database must be vacuumed''; RETURN NEW; END'; CREATE TRIGGER warns BEFORE INSERT ON "
      "snl.commits FOR EACH ROW EXECUTE FUNCTION public.warn()");
  append(world.store, "a", "one");
  world.store.locked("a", [](EventStore& now) { append(now, "a", "two"); });
  BOOST_TEST(world.store.head("a")->version == 2);
}

/// Each attempt advances a sequence, which a rollback doesn't reset.
BOOST_AUTO_TEST_CASE(end_within_their_budget_where_an_error_lasts) {
  World world;
  const Head one = append(world.store, "a", "one");
  world.owner.execute(
      "CREATE SEQUENCE public.tries; CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE "
      "plpgsql SECURITY "
      "DEFINER AS $$ BEGIN PERFORM nextval('public.tries'); RAISE EXCEPTION 'no luck' USING "
      "ERRCODE = current_setting('test.state'); END $$; "
      "CREATE TRIGGER fails BEFORE INSERT ON snl.commits FOR EACH ROW EXECUTE FUNCTION "
      "public.fail()");
  const NewCommit commit = commit_of("two");
  const GameState state = some_state();
  const std::vector<Append> both{
      {.game = "a", .expected = one, .commits = {&commit, 1}, .after = &state},
      {.game = "b", .expected = 0, .commits = {&commit, 1}, .after = &state}};
  const std::vector<std::function<void(PostgresStore&)>> all{
      [&](PostgresStore& store) { std::ignore = append(store, "a", one, commit); },
      [&](PostgresStore& store) { std::ignore = store.append(both); },
      [&](PostgresStore& store) { append(store, "a", "two"); },
      [&](PostgresStore& store) {
        store.locked("a", [&](EventStore& now) { std::ignore = now.append(both); });
      }};
  for (const char* sqlstate : {"40001", "40P01", "23505", "44000"})
    for (std::size_t i = 0; i < all.size(); ++i)
      BOOST_TEST_CONTEXT(sqlstate << " " << i) {
        PostgresStore store(world.location + fmt::format(" options='-c test.state={}'", sqlstate),
                            Use::write, {.timeout = std::chrono::milliseconds{50}});
        world.owner.execute("ALTER SEQUENCE public.tries RESTART");
        BOOST_CHECK_EXCEPTION(all[i](store), StoreError, [&](const StoreError& error) {
          const bool is_unknown = dynamic_cast<const OutcomeUnknown*>(&error) != nullptr;
          return !is_unknown && std::string_view(error.what()).find("no luck") != std::string::npos;
        });
        const auto tries = std::stoll(world.owner.value("SELECT last_value FROM public.tries"));
        // A refusal is final where there are no other appends.
        const bool is_final = i >= 2 && !std::string_view(sqlstate).starts_with("40");
        BOOST_TEST((is_final ? tries == 1 : tries >= 3 && tries <= 10), tries);
        // The session still works.
        BOOST_CHECK(store.head("a") == one);
        BOOST_TEST(!store.head("b").has_value());
      }
}

BOOST_AUTO_TEST_CASE(end_where_the_session_can_not_write) {
  const std::string location = Cluster::shared().store_database();
  PlainSession owner(location);
  append(*open_store(location, for_writing), "a", "one");
  owner.execute(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', "
      "current_database()); END $$");
  PostgresStore store(location + " target_session_attrs=any", Use::write,
                      {.timeout = std::chrono::milliseconds{50}});
  const auto refusal_of = [](const std::function<void()>& work) -> std::string {
    try {
      work();
    } catch (const OutcomeUnknown&) {
      return "unknown";
    } catch (const StoreError& error) {
      return error.what();
    }
    return "none";
  };
  for (const std::string& told :
       {refusal_of([&] { append(store, "a", "two"); }),
        refusal_of([&] { store.locked("a", [](EventStore& now) { append(now, "a", "two"); }); })}) {
    BOOST_TEST(told.find("can be written to") != std::string::npos, told);
    BOOST_TEST(told.find('\n') == std::string::npos);
  }
}

constexpr const char* hosted_game_of_a =
    "INSERT INTO snl.hosted_games (id, revision, document) VALUES ('a', 7, "
    R"('{"created":0,"stage":"started","visibility":"public","host_token":""}'))";

std::expected<std::vector<Head>, RefusedAppend> append_at_revision(PostgresStore& store,
                                                                   const Head& at,
                                                                   std::int64_t revision) {
  const NewCommit commit = commit_of("two");
  const GameState state = some_state();
  return store.append(std::vector{Append{.game = "a",
                                         .expected = at,
                                         .commits = {&commit, 1},
                                         .after = &state,
                                         .expected_revision = revision}});
}

BOOST_AUTO_TEST_CASE(depend_on_the_hosted_game_of_a_game_that_is_known_or_not) {
  constexpr int turns = 20;  // for some of them a summary is due
  World world;
  Head at = append(world.store, "a", "one");
  world.owner.execute(hosted_game_of_a);
  for (int turn = 0; turn < turns; ++turn) {
    PostgresStore stranger(world.location, Use::write);
    for (PostgresStore* store : {&stranger, &stranger, &world.store}) {
      const auto refused = append_at_revision(*store, at, 6);
      BOOST_TEST_REQUIRE(!refused.has_value());
      BOOST_TEST(std::holds_alternative<RevisionConflict>(refused.error().why));
      const auto appended = append_at_revision(*store, at, 7);
      BOOST_TEST_REQUIRE(appended.has_value());
      at = appended->front();
    }
  }
  BOOST_CHECK((world.store.head("a") == at));
  BOOST_TEST(at.version == 3 * turns + 1);
}

BOOST_AUTO_TEST_CASE(that_are_recorded_are_told_of_whatever_becomes_of_the_hosted_game_meanwhile) {
  Cluster cluster;
  World world(cluster);
  const Head one = append(world.store, "a", "one");
  world.owner.execute(hosted_game_of_a);
  PlainSession other(world.location);
  cluster.wait_for_nobody(true);
  std::jthread appending([&] {
    const auto appended = append_at_revision(world.store, one, 7);
    BOOST_TEST_REQUIRE(appended.has_value());
    BOOST_TEST(appended->front().version == 2);
  });
  const auto cancel = [&] {
    wait_until(other, "wait_event = 'SyncRep'");
    other.execute("SELECT pg_cancel_backend(pid)" + its_sessions + " AND wait_event = 'SyncRep'");
  };
  wait_until(other, "wait_event = 'SyncRep'");
  PlainSession changing(world.location);
  changing.execute("SET application_name = 'changing'; SET synchronous_commit = off");
  changing.send("UPDATE snl.hosted_games SET revision = 8");
  std::string change;
  while (change.empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    change = other.value(
        "SELECT CASE WHEN wait_event_type = 'Lock' THEN 'waits' WHEN state = 'idle' AND query LIKE "
        "'UPDATE%' THEN 'done' ELSE '' END FROM pg_stat_activity WHERE application_name = "
        "'changing'");
  }
  BOOST_TEST(change == "waits");  // for the append, which depends on what it changes
  cancel();
  BOOST_TEST(changing.finish().empty());
  cancel();  // it is sent again after the change
  cluster.wait_for_nobody(false);
  appending.join();
  BOOST_TEST(world.store.head("a")->version == 2);
}

BOOST_AUTO_TEST_CASE(wait_for_whoever_changes_their_hosted_game) {
  World world;
  const Head one = append(world.store, "a", "one");
  world.owner.execute(hosted_game_of_a);
  PlainSession other(world.location);
  for (const std::string end : {"COMMIT", "ROLLBACK"})
    BOOST_TEST_CONTEXT(end) {
      world.owner.execute("BEGIN; UPDATE snl.hosted_games SET revision = revision + 1");
      std::optional<std::expected<std::vector<Head>, RefusedAppend>> answer;
      std::atomic<bool> done = false;
      std::jthread appending([&] {
        answer = append_at_revision(world.store, one, end == "COMMIT" ? 7 : 8);
        done = true;
      });
      while (!done &&
             other.value("SELECT count(*)" + its_sessions + " AND wait_event_type = 'Lock'") == "0")
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
      BOOST_TEST(!done);
      world.owner.execute(end);
      appending.join();
      if (end == "COMMIT") {
        BOOST_TEST_REQUIRE(!answer->has_value());
        BOOST_TEST(std::holds_alternative<RevisionConflict>(answer->error().why));
      } else {
        BOOST_TEST_REQUIRE(answer->has_value());
        BOOST_TEST((*answer)->front().version == 2);
      }
    }
}

/// A change of several hosted games is held up at the first, and then meets an append to both.
BOOST_AUTO_TEST_CASE(never_wait_for_changes_of_hosted_games_that_wait_for_them) {
  World world;
  const std::map<std::string, Head> heads{{"a", append(world.store, "a", "one")},
                                          {"b", append(world.store, "b", "one")}};
  const auto hosted_games = open_hosted_games(world.location);
  std::vector<HostedGame> both(2, some_hosted_game());
  both[0].id = "b";
  both[1].id = "a";
  both[1].host_token.fill(3);
  const auto revisions = hosted_games->keep(both);
  for (std::size_t i = 0; i < both.size(); ++i)
    both[i].revision = revisions[i].value();
  world.owner.execute("BEGIN; SELECT FROM snl.hosted_games WHERE id = 'a' FOR KEY SHARE");
  PlainSession other(world.location);
  std::jthread keeping([&] {
    try {
      for (const auto& change : hosted_games->keep(both))
        BOOST_TEST(change.has_value());
    } catch (const StoreError& error) {
      BOOST_ERROR(error.what());
    }
  });
  wait_until(other, "wait_event_type = 'Lock'");
  std::atomic<bool> done = false;
  std::jthread appending([&] {
    const NewCommit commit = commit_of("two");
    const GameState state = some_state();
    std::vector<Append> appends;
    for (const HostedGame& hosted : both)
      appends.push_back({.game = hosted.id,
                         .expected = heads.at(hosted.id),
                         .commits = {&commit, 1},
                         .after = &state,
                         .expected_revision = hosted.revision});
    BOOST_TEST(world.store.append(appends).has_value());
    done = true;
  });
  while (!done &&
         other.value("SELECT count(*)" + its_sessions + " AND wait_event_type = 'Lock'") != "2")
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  world.owner.execute("COMMIT");
}

BOOST_AUTO_TEST_CASE(are_in_doubt_where_their_hosted_game_changes_while_nobody_can_tell) {
  World world;
  const Head one = append(world.store, "a", "one");
  world.owner.execute(hosted_game_of_a);
  PlainSession other(world.location);
  world.owner.execute("BEGIN; LOCK TABLE snl.commits IN SHARE ROW EXCLUSIVE MODE");
  std::jthread appending([&] {
    // Repeatedly: the commit that was sent first may still be recorded.
    for (int times = 0; times < 2; ++times)
      BOOST_CHECK_THROW(std::ignore = append_at_revision(world.store, one, 7), OutcomeUnknown);
  });
  wait_until(other, "wait_event_type = 'Lock'");
  other.execute("UPDATE snl.hosted_games SET revision = 8");
  const std::string first = other.value("SELECT pid" + its_sessions);
  other.execute("SELECT pg_terminate_backend(" + first + ")");
  wait_until(other, "wait_event_type = 'Lock' AND pid <> " + first);
  world.owner.execute("COMMIT");
  appending.join();
  BOOST_TEST(world.store.head("a")->version == 1);
}

BOOST_AUTO_TEST_CASE(are_not_anothers_for_having_the_same_hash) {
  World world;
  const Head one = append(world.store, "a", "one");
  world.owner.execute("BEGIN; SELECT snl.lock_games()");
  std::optional<std::expected<Head, AppendRefusal>> answer;
  std::jthread appending([&] { answer = append(world.store, "a", one, commit_of("same")); });
  PlainSession other(world.location);
  wait_until(other, "wait_event_type = 'Lock'");
  other.execute("SELECT pg_terminate_backend(pid)" + its_sessions);
  const NewCommit same = commit_of("same");
  const Hash hash =
      HashChain().next(one.hash, "a", time_text(same.time), same.command, same.events);
  world.owner.execute(
      append_in_sql("a", "same", fmt::format(R"('\x{}'::bytea)", to_hex(hash)), 42));
  world.owner.execute("COMMIT");
  appending.join();
  BOOST_REQUIRE(answer && !answer->has_value());
  const auto conflict = std::get<VersionConflict>(answer->error());
  BOOST_TEST(conflict.actual == 2);
  BOOST_TEST(conflict.conflicts_with_other_writer);
  BOOST_CHECK((world.store.head("a") == Head{2, hash}));
}

BOOST_AUTO_TEST_CASE(are_not_remembered_of_who_gave_up) {
  Cluster cluster;
  const std::string location = cluster.store_database();
  PostgresStore store(location, Use::write, {.timeout = std::chrono::milliseconds{50}});
  const Head one = append(store, "a", "one");
  cluster.stop();
  BOOST_CHECK_THROW(std::ignore = append(store, "a", one, commit_of("two")), OutcomeUnknown);
  BOOST_CHECK_THROW(store.head("a"), StoreError);
  cluster.start();
  BOOST_TEST(append(store, "a", one, commit_of("two"))->version == 2);
  BOOST_TEST(append(store, "a", "three").version == 3);
}

BOOST_AUTO_TEST_CASE(to_several_games_never_wait_for_each_other) {
  constexpr int rounds = 40;
  World world;
  append(world.store, "a", "start");
  append(world.store, "b", "start");
  const GameState state = some_state();
  const auto write = [&](const char* first, const char* second) {
    PostgresStore store(world.location, Use::write);
    const NewCommit commit = commit_of("x");
    for (int i = 0; i < rounds; ++i) {
      const std::vector<Append> both{
          {.game = first, .expected = std::nullopt, .commits = {&commit, 1}, .after = &state},
          {.game = second, .expected = std::nullopt, .commits = {&commit, 1}, .after = &state}};
      BOOST_REQUIRE(store.append(both));
    }
  };
  {
    const std::jthread one([&] { write("a", "b"); });
    const std::jthread other([&] { write("b", "a"); });
  }
  BOOST_TEST(world.store.head("a")->version == 2 * rounds + 1);
  BOOST_TEST(world.store.head("b")->version == 2 * rounds + 1);
  BOOST_TEST(world.store.check().empty());
}

BOOST_AUTO_TEST_CASE(of_a_group_are_recorded_once_where_the_server_is_lost_as_it_commits) {
  Cluster cluster;
  World world(cluster);
  append(world.store, "a", "one");
  PlainSession other(world.location);
  cluster.wait_for_nobody(true);
  int runs = 0;
  std::jthread appending([&] {
    world.store.locked("a", [&](EventStore& now) {
      ++runs;
      append(now, "a", "two");
      append(now, "b", "one");
    });
  });
  for (const char* function : {"pg_cancel_backend", "pg_terminate_backend"}) {
    wait_until(other, "wait_event = 'SyncRep'");
    other.execute(fmt::format("SELECT {}(pid)", function) + its_sessions +
                  " AND wait_event = 'SyncRep'");
  }
  wait_until(other, "wait_event = 'SyncRep'");
  cluster.wait_for_nobody(false);
  appending.join();
  BOOST_TEST(runs == 1);
  BOOST_TEST(world.store.head("a")->version == 2);
  BOOST_TEST(world.store.head("b")->version == 1);
}

BOOST_AUTO_TEST_CASE(outlast_a_crash_whatever_the_database_has_for_a_default) {
  Cluster cluster({"wal_writer_delay = 10s"});
  World world(cluster);
  world.owner.execute("CREATE TABLE control (n integer); CHECKPOINT");
  append(world.store, "a", "one");
  world.owner.execute("SET synchronous_commit = off; INSERT INTO control VALUES (1)");
  PlainSession(cluster.location("postgres"))
      .execute("ALTER DATABASE d2 SET synchronous_commit = off");
  PostgresStore store(world.location, Use::write);
  const Head head = append(store, "a", "two");
  world.owner.execute("INSERT INTO control VALUES (2)");
  cluster.crash();
  cluster.start();
  BOOST_CHECK(world.store.head("a") == head);
  BOOST_TEST(PlainSession(world.location).value("SELECT count(*) FROM control WHERE n = 2") == "0");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_superuser)

BOOST_AUTO_TEST_CASE(cant_change_a_column_of_the_log_unseen) {
  World world;
  record_orchard(world.store);
  BOOST_REQUIRE(PostgresAdmin(world.location).audit({}).ok());
  // Neither triggers nor foreign keys stop a role that may switch them off.
  world.owner.execute("SET session_replication_role = replica");
  const std::map<std::string, std::string> changes{{"bigint", "coalesce({0}, 0) + 1"},
                                                   {"integer", "coalesce({0}, 0) + 1"},
                                                   {"boolean", "NOT {0}"},
                                                   {"bytea", "sha256({0})"},
                                                   {"text", "coalesce({0}, '') || 'x'"}};
  int changed = 0;
  for (const std::string table : {"commits", "games", "players"}) {
    world.owner.execute(fmt::format("CREATE TABLE kept AS TABLE snl.{}", table));
    const std::string where =
        table == "commits" ? "position = (SELECT max(c.position) FROM snl.games g JOIN snl.commits "
                             "c ON c.game = g.game WHERE g.id = 'apple')"
        : table == "games"
            ? "id = 'apple'"
            : "name = 'Ann' AND game = (SELECT game FROM snl.games WHERE id = 'apple')";
    for (const auto& column : world.owner.rows(fmt::format(
             "SELECT column_name, data_type FROM information_schema.columns "
             "WHERE table_schema = 'snl' AND table_name = '{}' AND column_name <> 'attempt' "
             "AND (table_name <> 'games' OR column_name IN ('game', 'id', 'created', 'completed'))",
             table))) {
      const std::string value = fmt::format(fmt::runtime(changes.at(column[1])), column[0]);
      world.owner.execute(fmt::format("UPDATE snl.{} SET {} = {} WHERE {}", table, column[0],
                                      table == "players" && column[0] == "seat" ? "7" : value,
                                      where));
      BOOST_TEST_CONTEXT(table << "." << column[0])
      BOOST_TEST(!PostgresAdmin(world.location).audit({}).ok());
      world.owner.execute(
          fmt::format("DELETE FROM snl.{0}; INSERT INTO snl.{0} TABLE kept", table));
      ++changed;
    }
    world.owner.execute("DROP TABLE kept");
  }
  BOOST_TEST(changed == 9 + 4 + 4);
  BOOST_TEST(PostgresAdmin(world.location).audit({}).ok());
  world.owner.execute("DELETE FROM snl.commits WHERE version = 3");
  BOOST_TEST(!PostgresAdmin(world.location).audit({}).ok());
}

BOOST_AUTO_TEST_CASE(cant_switch_triggers_off_unseen) {
  World world;
  world.owner.execute("ALTER TABLE snl.commits DISABLE TRIGGER commits_are_never_updated");
  const auto problems = world.store.check();
  BOOST_TEST(problems.size() == 1U);
  BOOST_TEST(problems.at(0).kind == "trigger");
}

BOOST_AUTO_TEST_CASE(cant_put_others_in_the_place_of_triggers_and_functions_unseen) {
  const std::string lax = "RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'";
  const std::map<std::string, std::string> changes{
      {"CREATE OR REPLACE FUNCTION snl.refuse() " + lax, "function refuse"},
      {"ALTER VIEW snl.appending RESET (check_option)", "view appending"},
      {"CREATE OR REPLACE VIEW snl.appending AS SELECT game, version, follows, position, time, "
       "attempt, hash, command, events, command_id FROM snl.commits WITH CHECK OPTION",
       "view appending"},
      {"DROP VIEW snl.appending", "view appending is missing"},
      {"ALTER FUNCTION snl.lock_games() RESET ALL", "function lock_games"},
      {"ALTER FUNCTION snl.lock_games() SECURITY INVOKER", "function lock_games"},
      {"CREATE OR REPLACE TRIGGER commits_are_never_updated BEFORE UPDATE ON snl.commits FOR EACH "
       "STATEMENT WHEN (false) EXECUTE FUNCTION snl.refuse('commits are never updated')",
       "trigger commits_are_never_updated"},
      {"CREATE OR REPLACE TRIGGER games_only_go_on BEFORE UPDATE ON snl.games FOR EACH ROW "
       "WHEN (NEW.game <> OLD.game) EXECUTE FUNCTION snl.refuse('a game keeps its ID, and only "
       "goes on')",
       "trigger games_only_go_on"},
      {"DROP TRIGGER commits_are_never_deleted ON snl.commits",
       "trigger commits_are_never_deleted"}};
  World world;
  world.owner.execute("ALTER TABLE snl.commits ENABLE ALWAYS TRIGGER commits_are_never_updated");
  BOOST_TEST(world.store.check().empty());  // which is stricter
  for (const auto& [sql, what] : changes)
    BOOST_TEST_CONTEXT(sql) {
      World changed;
      changed.owner.execute(sql);
      const auto problems = changed.store.check();
      BOOST_TEST_REQUIRE(problems.size() == 1U);
      BOOST_TEST(problems[0].detail.find(what) != std::string::npos, problems[0].detail);
    }
}

BOOST_AUTO_TEST_CASE(cant_take_the_clock_away_unseen) {
  World world;
  append(world.store, "a", "one");
  world.owner.execute("SET session_replication_role = replica; DELETE FROM snl.clock");
  const auto problems = world.store.check();
  BOOST_TEST(problems.size() == 1U);
  BOOST_TEST(problems.at(0).kind == "clock");
  BOOST_CHECK_EXCEPTION(append(world.store, "a", "two"), StoreError,
                        [](const StoreError& error) { return error.is_damage(); });
}

BOOST_AUTO_TEST_CASE(cant_take_commits_back_from_a_subscriber_unseen) {
  World world;
  append(world.store, "a", "one");
  append(world.store, "a", "two");
  auto to_store = Subscription::to_store(world.store, 1);
  auto to_game = Subscription::to_game(world.store, "a", 1);
  const CommitVisitor pass = [](const CommitView&) { return true; };
  to_store.poll(pass);
  to_game.poll(pass);
  world.owner.execute(
      "SET session_replication_role = replica; "
      "UPDATE snl.commits SET hash = sha256('other') WHERE version = 2");
  BOOST_CHECK_THROW(to_store.poll(pass), StoreError);
  BOOST_CHECK_THROW(to_game.poll(pass), StoreError);
  world.owner.execute("DELETE FROM snl.commits WHERE version = 2");
  BOOST_CHECK_THROW(to_store.poll(pass), StoreError);
  BOOST_CHECK_THROW(to_game.poll(pass), StoreError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
