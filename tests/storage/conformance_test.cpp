// Goal: every EventStore keeps the promises of its port (storage/event_store.hpp).
//
// Method: every case runs against every implementation, through the port alone. A store never
// parses the commits that it records, so they are short texts here that are easy to tell apart.
// "Another" store is a second connection to the same file where there is a file.
#include "storage/deadline.hpp"
#include "storage/memory/memory_store.hpp"
#ifdef SNL_POSTGRESQL
#include "passing_store.hpp"
#include "postgres/cluster.hpp"
#include "storage/postgres/postgres_store.hpp"
#endif
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/subscription.hpp"
#include "testbed.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

class InMemory {
 public:
  EventStore& store() { return store_; }
  EventStore& another() { return store_; }
  /// A store for one thread of several.
  void with_own(const std::function<void(EventStore&)>& work) { work(store_); }

 private:
  MemoryStore store_;
};

template <SqliteStore::SchemaChecks schema_checks>
class InSqlite {
 public:
  EventStore& store() { return *store_; }
  EventStore& another() {
    if (!another_) another_ = open();
    return *another_;
  }
  void with_own(const std::function<void(EventStore&)>& work) const { work(*open()); }

 private:
  std::unique_ptr<SqliteStore> open() const {
    return SqliteStore::open(folder_.file("store.db"), SqliteStore::Access::write,
                             {.busy_timeout = timeout, .schema_checks = schema_checks});
  }

  Folder folder_;
  std::unique_ptr<SqliteStore> store_ = open();
  std::unique_ptr<SqliteStore> another_;
};

// As a debug build opens it, and as a release build does.
using InDebuggedSqlite = InSqlite<SqliteStore::SchemaChecks::on>;
using InReleasedSqlite = InSqlite<SqliteStore::SchemaChecks::off>;

#ifdef SNL_POSTGRESQL
/// On the test's own server, in a separate database for each case.
class InPostgres {
 public:
  EventStore& store() { return store_; }
  EventStore& another() {
    if (!another_) another_ = open();
    return *another_;
  }
  void with_own(const std::function<void(EventStore&)>& work) const { work(*open()); }

 private:
  std::unique_ptr<PostgresStore> open() const {
    return std::make_unique<PostgresStore>(location_, PostgresStore::Use::write);
  }

  std::string location_ = Cluster::shared().store_database();
  PostgresStore store_{location_, PostgresStore::Use::write};
  std::unique_ptr<PostgresStore> another_;
};
using Stores = boost::mpl::list<InMemory, InDebuggedSqlite, InReleasedSqlite, InPostgres>;
#else
using Stores = boost::mpl::list<InMemory, InDebuggedSqlite, InReleasedSqlite>;
#endif

using Ids = std::vector<std::string>;
constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
constexpr std::chrono::milliseconds at_once{0};

/// A commit that its text identifies.
NewCommit commit_of(const std::string& text, std::optional<std::string> command_id = {}) {
  return {.time = new_year + static_cast<UnixMilliseconds>(text.size()),
          .command = "{\"" + text + "\"}",
          .events = "[\"" + text + "\"]",
          .command_id = std::move(command_id)};
}

GameState state_of(const Opening& table = {}) {
  return *evolve(GameState{}, Event{GameStarted{start_of(table).setup}});
}

/// After an undo.
GameState taken_back_state(const Opening& table = {}) {
  GameState state = state_of(table);
  state.redo = {state.version, 0};
  return state;
}

GameState won_state(const Opening& table = {}) {
  GameState state = state_of(table);
  state.position.winner = Seat{1};
  return state;
}

/// One commit for each text, at the game's present version.
Head append(EventStore& store, const std::string& game, const std::vector<std::string>& texts,
            const GameState& after = state_of()) {
  std::vector<NewCommit> commits;
  for (const std::string& text : texts)
    commits.push_back(commit_of(text));
  return store.append(game, std::nullopt, commits, after).value();
}

std::expected<Head, AppendRefusal> append_at(EventStore& store, const std::string& game,
                                             const ExpectedHead& expected,
                                             const NewCommit& commit) {
  return store.append(game, expected, std::span(&commit, 1), state_of());
}

Version conflict_in(const std::expected<Head, AppendRefusal>& appended) {
  BOOST_REQUIRE(!appended.has_value());
  BOOST_REQUIRE(std::holds_alternative<VersionConflict>(appended.error()));
  return std::get<VersionConflict>(appended.error()).actual;
}

CommandIdUsed used_in(const std::expected<Head, AppendRefusal>& appended) {
  BOOST_REQUIRE(!appended.has_value());
  BOOST_REQUIRE(std::holds_alternative<CommandIdUsed>(appended.error()));
  return std::get<CommandIdUsed>(appended.error());
}

/// Everything that a store answers about one game.
struct Portrait {
  std::vector<Commit> commits;
  std::optional<Head> head;
  std::optional<ListEntry> entry;
  std::optional<Snapshot> snapshot;
  Ids newest_first;
  StorePosition last;
  friend bool operator==(const Portrait&, const Portrait&) = default;
};
Portrait portrait_of(EventStore& store, const std::string& game) {
  return {.commits = all_commits(store),
          .head = store.head(game),
          .entry = store.list_entry(game),
          .snapshot = store.snapshot(game),
          .newest_first = store.list({}, everything),
          .last = store.wait_for_append(0, at_once)};
}

std::vector<std::string> texts_of(const std::vector<Commit>& commits) {
  std::vector<std::string> texts;
  for (const Commit& commit : commits)
    texts.push_back(commit.command.substr(2, commit.command.size() - 4));
  return texts;
}

using Texts = std::vector<std::string>;

Texts texts_of(const CommitPage& page) {
  std::vector<Commit> commits;
  for (const CommitView& commit : page)
    commits.emplace_back(commit);
  return texts_of(commits);
}

/// The texts that one read returns.
Texts read(EventReader& store, const std::string& game, Version from, std::size_t limit) {
  CommitPage page;
  store.read(game, from, limit, page);
  return texts_of(page);
}

/// The position of the n-th commit of the store, from 1 on. There may be gaps between positions.
/// Future commits come after all existing ones.
StorePosition position_of(EventReader& store, StorePosition nth) {
  const auto all = all_commits(store);
  const auto count = static_cast<StorePosition>(all.size());
  if (nth < 1) return nth;
  if (nth > count) return (all.empty() ? 0 : all.back().position) + nth - count;
  return all[static_cast<std::size_t>(nth) - 1].position;
}

Texts read_all(EventReader& store, StorePosition from, std::size_t limit) {
  CommitPage page;
  store.read_all(from, limit, page);
  return texts_of(page);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(an_empty_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(has_nothing_to_tell, World, Stores) {
  World world;
  EventStore& store = world.store();
  BOOST_CHECK(!store.head("a"));
  BOOST_CHECK(!store.list_entry("a"));
  BOOST_CHECK(!store.snapshot("a"));
  BOOST_CHECK(!store.commit("a", 1));
  BOOST_CHECK(!store.commit_with_id("a", "x"));
  BOOST_CHECK(!store.newest_game(0));
  BOOST_TEST(read(store, "a", 1, everything).empty());
  BOOST_TEST(read_all(store, 1, everything).empty());
  BOOST_TEST(store.list({}, everything).empty());
  BOOST_TEST(store.games_after("", everything).empty());
  BOOST_TEST(store.games_with_prefix("", everything).empty());
  BOOST_TEST(store.wait_for_append(0, at_once) == 0);
}

BOOST_AUTO_TEST_CASE(the_longest_wait_ends_later_than_now) {
  const auto now = std::chrono::steady_clock::now();
  const bool is_later =
      deadline_after(std::chrono::milliseconds::max()) > now + std::chrono::hours{1};
  BOOST_TEST(is_later);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(appending)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_commit_is_read_back_as_it_was_given, World, Stores) {
  World world;
  EventStore& store = world.store();
  const NewCommit given = commit_of("start \xE2\x86\x92 '\"; DROP TABLE commits", "my id");
  const Head head = *append_at(store, "a", 0, given);
  const Commit read = commits_of(store, "a").at(0);
  BOOST_TEST(read.position > 0);
  BOOST_TEST(read.game == "a");
  BOOST_TEST(read.version == 1);
  BOOST_TEST(read.time == given.time);
  BOOST_TEST(read.command == given.command);
  BOOST_TEST(read.events == given.events);
  BOOST_CHECK(read.command_id == given.command_id);
  BOOST_CHECK(read.hash == head.hash);
  BOOST_CHECK(store.commit("a", 1) == read);
  BOOST_CHECK(store.commit_with_id("a", "my id") == read);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_head_is_the_chain_over_every_commit, World, Stores) {
  World world;
  append(world.store(), "a", {"one"});
  const Head head = append(world.store(), "a", {"two", "three"});
  HashChain chain;
  Hash hash = HashChain::origin;
  for (const Commit& commit : commits_of(world.store(), "a")) {
    hash = chain.next(hash, "a", format_time(commit.time), commit.command, commit.events);
    BOOST_CHECK(commit.hash == hash);
  }
  BOOST_CHECK((head == Head{3, hash}));
  BOOST_CHECK(world.store().head("a") == head);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(versions_count_in_a_game_and_positions_in_the_store, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"a1"});
  append(store, "b", {"b1", "b2"});
  append(store, "a", {"a2"});
  const auto all = all_commits(store);
  BOOST_TEST(texts_of(all) == (Texts{"a1", "b1", "b2", "a2"}), boost::test_tools::per_element());
  const std::vector<Version> versions{1, 1, 2, 2};
  StorePosition last = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    BOOST_TEST(all[i].position > last);
    BOOST_TEST(all[i].version == versions[i]);
    last = all[i].position;
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_at_once_are_recorded_as_one_after_another, World, Stores) {
  World at_once;
  World one_by_one;
  std::vector<NewCommit> commits;
  for (int i = 0; i < 40; ++i)
    commits.push_back(
        commit_of("turn" + std::to_string(i),
                  i % 7 == 3 ? std::optional("id" + std::to_string(i)) : std::nullopt));
  append(at_once.store(), "other", {"first"});
  append(one_by_one.store(), "other", {"first"});
  const auto head = at_once.store().append("a", 0, commits, state_of());
  for (const NewCommit& commit : commits)
    BOOST_REQUIRE(append_at(one_by_one.store(), "a", std::nullopt, commit));
  BOOST_CHECK(head.value() == one_by_one.store().head("a"));
  Portrait one = portrait_of(at_once.another(), "a");
  Portrait other = portrait_of(one_by_one.another(), "a");
  one.entry = other.entry = std::nullopt;      // these may be of different versions
  for (Portrait* portrait : {&one, &other}) {  // and there may be gaps between positions
    portrait->last = 0;
    for (Commit& commit : portrait->commits)
      commit.position = 0;
  }
  BOOST_CHECK(one == other);
  BOOST_TEST(at_once.another().commit_with_id("a", "id38")->version == 39);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_is_appended_where_there_are_no_commits, World, Stores) {
  World world;
  EventStore& store = world.store();
  BOOST_CHECK(store.append("a", 0, {}, GameState{}) == Head{});
  BOOST_CHECK(!store.head("a"));
  const Head head = append(store, "a", {"one"});
  const Portrait before = portrait_of(store, "a");
  BOOST_CHECK(store.append("a", 1, {}, GameState{}) == head);
  BOOST_CHECK(store.append("a", std::nullopt, {}, GameState{}) == head);
  BOOST_TEST(conflict_in(store.append("a", 0, {}, GameState{})) == 1);
  BOOST_TEST(conflict_in(store.append("a", 2, {}, GameState{})) == 1);
  BOOST_CHECK(portrait_of(store, "a") == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(another_store_sees_a_commit_at_once, World, Stores) {
  World world;
  const Head head = append(world.store(), "a", {"one"});
  BOOST_CHECK(world.another().head("a") == head);
  const Head next = append(world.another(), "a", {"two"});
  BOOST_CHECK(world.store().head("a") == next);
  BOOST_CHECK(commits_of(world.store(), "a") == commits_of(world.another(), "a"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(expecting_a_version)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_exact_one_is_appended_to, World, Stores) {
  World world;
  BOOST_TEST(append_at(world.store(), "a", 0, commit_of("one"))->version == 1);
  BOOST_TEST(append_at(world.store(), "a", 1, commit_of("two"))->version == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_will_do_where_none_is_named, World, Stores) {
  World world;
  for (Version version = 1; version <= 3; ++version)
    BOOST_TEST(append_at(world.store(), "a", std::nullopt, commit_of("x"))->version == version);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_other_one_is_refused_and_the_right_one_still_works, World,
                              Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one", "two", "three"});
  append(store, "b", {"of another game"});
  const Portrait before = portrait_of(store, "a");
  for (const Version wrong : {0, 1, 2, 4, 5, 1000, -1}) {
    BOOST_TEST(conflict_in(append_at(store, "a", wrong, commit_of("four"))) == 3);
    BOOST_CHECK(portrait_of(store, "a") == before);
  }
  BOOST_TEST(append_at(store, "a", 3, commit_of("four"))->version == 4);
  BOOST_TEST(texts_of(commits_of(store, "a")) == (Texts{"one", "two", "three", "four"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_head_stands_for_one_history_alone, World, Stores) {
  World world;
  EventStore& store = world.store();
  const Head head = append(store, "a", {"one", "two"});
  BOOST_TEST(conflict_in(append_at(store, "a", append(store, "b", {"one", "two"}),
                                   commit_of("three"))) == 2);
  BOOST_TEST(conflict_in(append_at(store, "a", Head{}, commit_of("three"))) == 2);
  BOOST_TEST(append_at(store, "a", head, commit_of("three"))->version == 3);
  BOOST_TEST(append_at(store, "c", Head{}, commit_of("one"))->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_game_that_is_not_there_is_at_version_0, World, Stores) {
  World world;
  EventStore& store = world.store();
  for (const Version ahead : {1, 2}) {
    BOOST_TEST(conflict_in(append_at(store, "a", ahead, commit_of("one"))) == 0);
    BOOST_CHECK(!store.head("a"));
    BOOST_CHECK(!store.newest_game(0));
  }
  BOOST_TEST(append_at(store, "a", 0, commit_of("one"))->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_two_that_expect_the_same_version_one_wins, World, Stores) {
  World world;
  append(world.store(), "a", {"one"});
  BOOST_CHECK(append_at(world.store(), "a", 1, commit_of("first")).has_value());
  BOOST_TEST(conflict_in(append_at(world.another(), "a", 1, commit_of("second"))) == 2);
  BOOST_CHECK(append_at(world.another(), "a", 2, commit_of("second")).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(command_ids)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_same_command_is_told_and_not_appended_again, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one"});
  append_at(store, "a", 1, commit_of("two", "key")).value();
  append(store, "a", {"three"});
  const Portrait before = portrait_of(store, "a");
  for (const std::optional<Version> expected : {std::optional<Version>{}, {1}, {3}, {7}}) {
    const auto used = used_in(append_at(store, "a", expected, commit_of("two", "key")));
    BOOST_TEST(used.same_command);
    BOOST_CHECK(used.commit == commits_of(store, "a").at(1));
    BOOST_CHECK(portrait_of(store, "a") == before);
  }
  BOOST_TEST(append_at(store, "a", 3, commit_of("four", "other key"))->version == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(another_command_is_refused_whatever_version_is_expected, World,
                              Stores) {
  World world;
  EventStore& store = world.store();
  append_at(store, "a", 0, commit_of("one", "key")).value();
  const Portrait before = portrait_of(store, "a");
  for (const std::optional<Version> expected : {std::optional<Version>{}, {0}, {1}, {9}}) {
    const auto used = used_in(append_at(store, "a", expected, commit_of("other", "key")));
    BOOST_TEST(!used.same_command);
    BOOST_TEST(used.commit.version == 1);
    BOOST_CHECK(portrait_of(store, "a") == before);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_used_id_among_several_commits_refuses_them_all, World, Stores) {
  World world;
  EventStore& store = world.store();
  append_at(store, "a", 0, commit_of("one", "key")).value();
  const Portrait before = portrait_of(store, "a");
  const std::vector commits{commit_of("two"), commit_of("three", "key")};
  BOOST_TEST(!used_in(store.append("a", 1, commits, state_of())).same_command);
  BOOST_CHECK(portrait_of(store, "a") == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cannot_be_there_twice_in_one_append, World, Stores) {
  World world;
  EventStore& store = world.store();
  const std::vector commits{commit_of("one", "key"), commit_of("two", "key")};
  BOOST_CHECK_THROW(std::ignore = store.append("a", 0, commits, state_of()), std::invalid_argument);
  BOOST_CHECK(!store.head("a"));
  BOOST_CHECK(!store.newest_game(0));
  BOOST_TEST(append_at(store, "a", 0, commits[0])->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_a_games_own, World, Stores) {
  World world;
  EventStore& store = world.store();
  append_at(store, "a", 0, commit_of("one", "key")).value();
  BOOST_CHECK(append_at(store, "b", 0, commit_of("other", "key")).has_value());
  BOOST_TEST(store.commit_with_id("b", "key")->game == "b");
  BOOST_CHECK(!store.commit_with_id("b", "ke"));
  BOOST_CHECK(!store.commit_with_id("c", "key"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_a_refused_append_are_not_remembered, World, Stores) {
  World world;
  BOOST_TEST(conflict_in(append_at(world.store(), "a", 5, commit_of("one", "key"))) == 0);
  BOOST_CHECK(append_at(world.store(), "a", 0, commit_of("other", "key")).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reading)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_game_from_any_version_with_any_limit, World, Stores) {
  World world;
  EventStore& store = world.store();
  const Texts texts{"a1", "a2", "a3", "a4", "a5"};
  for (const std::string& text : texts) {
    append(store, "b", {"noise"});
    append(store, "a", {text});
  }
  for (const Version from : {-3, 0, 1, 2, 5, 6, 100})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{3}, everything}) {
      const auto first =
          std::min<std::size_t>(static_cast<std::size_t>(std::max<Version>(from, 1)) - 1, 5);
      const auto count = std::min(limit, 5 - first);
      const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(first);
      BOOST_TEST_CONTEXT("from " << from << ", limit " << limit)
      BOOST_TEST(
          read(store, "a", from, limit) == Texts(begin, begin + static_cast<std::ptrdiff_t>(count)),
          boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_store_from_any_position_with_any_limit, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"p1"});
  append(store, "b", {"p2"});
  append(store, "a", {"p3"});
  const Texts texts{"p1", "p2", "p3"};
  for (const StorePosition from : {-1, 0, 1, 2, 3, 4, 50})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{2}, everything}) {
      const auto first =
          std::min<std::size_t>(static_cast<std::size_t>(std::max<StorePosition>(from, 1)) - 1, 3);
      const auto count = std::min(limit, 3 - first);
      const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(first);
      BOOST_TEST_CONTEXT("from " << from << ", limit " << limit)
      BOOST_TEST(read_all(store, position_of(store, from), limit) ==
                     Texts(begin, begin + static_cast<std::ptrdiff_t>(count)),
                 boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ends_where_the_visitor_has_had_enough, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1", "2", "3"});
  int seen = 0;
  const CommitVisitor twice = [&](const CommitView&) { return ++seen < 2; };
  for_each_commit(store, "a", 1, twice);
  BOOST_TEST(seen == 2);
  seen = 0;
  for_each_commit(store, 1, twice);
  BOOST_TEST(seen == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(goes_on_after_a_visitor_that_threw, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1", "2"});
  const CommitVisitor throwing = [](const CommitView&) -> bool { throw std::runtime_error("no"); };
  BOOST_CHECK_THROW(for_each_commit(store, "a", 1, throwing), std::runtime_error);
  BOOST_CHECK_THROW(for_each_commit(store, 1, throwing), std::runtime_error);
  BOOST_TEST(read(store, "a", 1, everything).size() == 2U);
  append(store, "a", {"3"});
  BOOST_TEST(read_all(store, 1, everything).size() == 3U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_visitor_may_use_the_store, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1", "2", "3"});
  Texts seen;
  for_each_commit(store, "a", 1, [&](const CommitView& commit) {
    const auto other = read(store, "a", 4 - commit.version, 1);
    seen.push_back(std::string(commit.command) + other.at(0));
    if (commit.version < 3) append(store, "b", {"while reading"});
    return true;
  });
  BOOST_TEST(seen == (Texts{R"({"1"}3)", R"({"2"}2)", R"({"3"}1)"}),
             boost::test_tools::per_element());
  BOOST_TEST(store.head("b")->version == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_page_says_whether_it_is_the_last, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1", "2", "3"});
  CommitPage page;
  for (const std::size_t limit : {std::size_t{4}, everything}) {
    store.read("a", 1, limit, page);
    BOOST_TEST(page.is_last());
    store.read_all(1, limit, page);
    BOOST_TEST(page.is_last());
  }
  store.read("a", 1, 2, page);
  BOOST_TEST(!page.is_last());
  store.read("b", 1, 1, page);
  BOOST_TEST(page.empty());
  BOOST_TEST(page.is_last());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_page_lasts_whatever_is_done_with_the_store, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1", "2"});
  CommitPage page;
  store.read("a", 1, everything, page);
  append(store, "a", {"3"});
  read(store, "a", 1, everything);
  BOOST_TEST(texts_of(page) == (Texts{"1", "2"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(large_commits_come_one_a_page, World, Stores) {
  World world;
  EventStore& store = world.store();
  const std::string large(1'000'000, 'x');
  append(store, "a", {large, "small", large});
  CommitPage page;
  store.read("a", 1, everything, page);
  BOOST_TEST(page.size() == 1U);
  BOOST_TEST(!page.is_last());
  BOOST_CHECK((texts_of(commits_of(store, "a")) == Texts{large, "small", large}));
  BOOST_CHECK((texts_of(all_commits(store)) == Texts{large, "small", large}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(page_by_page_lends_each_commit_once, World, Stores) {
  World world;
  EventStore& store = world.store();
  const std::size_t count = 2 * page_size + 1;
  const std::vector<NewCommit> many(count, commit_of("x"));
  store.append("a", 0, many, state_of()).value();
  for (const Version from : {Version{1}, Version{2}, static_cast<Version>(page_size + 1)}) {
    const auto commits = commits_of(store, "a", from);
    BOOST_TEST(commits.size() == count - static_cast<std::size_t>(from) + 1);
    BOOST_CHECK(all_commits(store, position_of(store, from)) == commits);
    for (std::size_t i = 0; i < commits.size(); ++i)
      BOOST_REQUIRE_EQUAL(commits[i].version, from + static_cast<Version>(i));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_commit_that_is_not_there_is_none, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one"});
  for (const Version version : {-1, 0, 2})
    BOOST_CHECK(!store.commit("a", version));
  BOOST_CHECK(!store.commit("b", 1));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(listing_games)

namespace {
/// d and b are won, a was changed last; Cleo plays in b and c.
void record_four(EventStore& store) {
  const Opening with_cleo{.players = {"Cleo", "Ann"}};
  append(store, "d", {"d"}, won_state());
  append(store, "b", {"b"}, won_state(with_cleo));
  append(store, "a", {"a"});
  append(store, "c", {"c"}, state_of(with_cleo));
  append(store, "a", {"again"});
}
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(comes_newest_first_whatever_was_touched_last, World, Stores) {
  World world;
  EventStore& store = world.store();
  record_four(store);
  const auto per_element = boost::test_tools::per_element();
  BOOST_TEST(store.list({}, everything) == (Ids{"c", "a", "b", "d"}), per_element);
  BOOST_TEST(store.list({}, 2) == (Ids{"c", "a"}), per_element);
  BOOST_TEST(store.list({}, 0).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(can_be_narrowed_to_a_status_a_player_and_older_ones, World, Stores) {
  World world;
  EventStore& store = world.store();
  record_four(store);
  const auto listed = [&](const ListFilter& filter, const Ids& ids) {
    BOOST_TEST(store.list(filter, everything) == ids, boost::test_tools::per_element());
    const Ids first(ids.begin(), ids.begin() + (ids.empty() ? 0 : 1));
    BOOST_TEST(store.list(filter, 1) == first, boost::test_tools::per_element());
  };
  listed({.completed = true}, {"b", "d"});
  listed({.completed = false}, {"c", "a"});
  listed({.player = "Cleo"}, {"c", "b"});
  listed({.player = "Ann"}, {"c", "a", "b", "d"});
  listed({.player = "Nobody"}, {});
  listed({.player = "\xff"}, {});
  listed({.completed = true, .player = "Cleo"}, {"b"});
  listed({.completed = false, .player = "Cleo"}, {"c"});
  listed({.before = "c"}, {"a", "b", "d"});
  listed({.before = "d"}, {});
  listed({.completed = true, .before = "b"}, {"d"});
  listed({.player = "Cleo", .before = "c"}, {"b"});
  listed({.completed = false, .player = "Ann", .before = "c"}, {"a"});
  listed({}, {"c", "a", "b", "d"});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_game_is_older_than_one_that_is_not_there, World, Stores) {
  World world;
  EventStore& store = world.store();
  record_four(store);
  BOOST_TEST(store.list({.before = "x"}, everything).empty());
  BOOST_TEST(store.list({.completed = true, .before = "x"}, everything).empty());
  BOOST_TEST(store.list({.player = "Ann", .before = "x"}, everything).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_game_that_is_won_changes_lists, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1"});
  BOOST_TEST(store.list({.completed = false}, everything).size() == 1U);
  append(store, "a", {"2"}, won_state());
  BOOST_TEST(store.list({.completed = false}, everything).empty());
  append(store, "a", {"undone"}, taken_back_state());
  BOOST_TEST(store.list({.completed = true}, everything).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ids_come_in_byte_order, World, Stores) {
  World world;
  EventStore& store = world.store();
  for (const char* id : {"b", "a.b", "a", "B", "a-b", "a_b", "ab", "aB", "1"})
    append(store, id, {"x"});
  const auto per_element = boost::test_tools::per_element();
  BOOST_TEST(store.games_after("", everything) ==
                 (Ids{"1", "B", "a", "a-b", "a.b", "aB", "a_b", "ab", "b"}),
             per_element);
  BOOST_TEST(store.games_after("a.b", 2) == (Ids{"aB", "a_b"}), per_element);
  BOOST_TEST(store.games_after("a.a", 1) == (Ids{"a.b"}), per_element);
  BOOST_TEST(store.games_after("b", everything).empty());
  BOOST_TEST(
      store.games_with_prefix("a", everything) == (Ids{"a", "a-b", "a.b", "aB", "a_b", "ab"}),
      per_element);
  BOOST_TEST(store.games_with_prefix("a", 2) == (Ids{"a", "a-b"}), per_element);
  BOOST_TEST(store.games_with_prefix("a_", everything) == (Ids{"a_b"}), per_element);
  BOOST_TEST(store.games_with_prefix("ab", everything) == (Ids{"ab"}), per_element);
  BOOST_TEST(store.games_with_prefix("%", everything).empty());
  BOOST_TEST(store.games_with_prefix("", everything).size() == 9U);
}

BOOST_AUTO_TEST_CASE(each_game_is_visited_once_however_many_pages_they_fill) {
  MemoryStore store;
  Ids ids;
  for (std::size_t game = 0; game < 2 * page_size + 1; ++game) {
    ids.push_back(std::to_string(100'000 + game));
    append(store, ids.back(), {"1"});
  }
  Ids visited;
  for_each_game(store, [&](const std::string& id) { visited.push_back(id); });
  BOOST_TEST(visited == ids, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_newest_and_those_before_it_can_be_named, World, Stores) {
  World world;
  EventStore& store = world.store();
  record_four(store);
  BOOST_CHECK(store.newest_game(0) == "c");
  BOOST_CHECK(store.newest_game(1) == "a");
  BOOST_CHECK(store.newest_game(3) == "d");
  BOOST_CHECK(!store.newest_game(4));
  BOOST_CHECK(!store.newest_game(everything));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_list_entry)

BOOST_AUTO_TEST_CASE_TEMPLATE(tells_who_plays_and_when_the_game_began, World, Stores) {
  World world;
  EventStore& store = world.store();
  const Opening table{.players = {"Zo\xC3\xAB", "\"q\"", "x"}};
  append(store, "a", {"one"}, state_of(table));
  append(store, "b", {"three", "four"}, won_state());
  const UnixMilliseconds created = store.commit("a", 1)->time;
  const ListEntry entry{.id = "a", .created = created, .players = table.players};
  BOOST_CHECK(store.list_entry("a") == entry);
  for (int times = 0; times < 3; ++times)
    append(store, "a", {"x", "y"}, state_of(table));
  BOOST_CHECK(store.list_entry("a") == entry);
  BOOST_CHECK(world.another().list_entry("a") == entry);
  BOOST_TEST(store.list_entry("b")->completed);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tells_at_once_of_the_end_and_of_an_end_taken_back, World, Stores) {
  World world;
  EventStore& store = world.store();
  for (int turn = 0; turn < 50; ++turn) {
    const bool wins = turn % 20 == 5;
    const GameState state = wins ? won_state() : turn % 20 == 6 ? taken_back_state() : state_of();
    append(turn % 3 == 0 ? store : world.another(), "a", {"x"}, state);
    BOOST_TEST(store.list_entry("a")->completed == wins);
    BOOST_TEST(store.list({.completed = true, .player = "Ann"}, everything).size() ==
               std::size_t{wins});
    BOOST_TEST(store.list({.completed = false}, everything).size() == std::size_t{!wins});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_of_the_last_of_several_that_are_appended_at_once, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one"});
  append(store, "a", {"two", "three"}, won_state());
  BOOST_TEST(store.list_entry("a")->completed);
  append(store, "a", {"undo", "turn"}, state_of());
  BOOST_TEST(!store.list_entry("a")->completed);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_state_snapshot)

namespace {
/// A state with distinctive values.
GameState state_at(Turn turn) {
  GameState state = state_of();
  state.position = {.cells = {4, 30}, .next = 1, .winner = std::nullopt, .turn = turn};
  state.last_turn = 5;
  state.redoable = 4;
  return state;
}
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(is_written_with_the_append_that_passes_each_256th_commit, World,
                              Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "b", {"one"});
  append(store, "a", std::vector<std::string>(255, "x"), state_at(254));
  BOOST_CHECK(!store.snapshot("a"));
  const Head of_turn = append(world.another(), "a", {"y"}, state_at(255));
  BOOST_CHECK(store.snapshot("a") == snapshot_of(state_at(255), of_turn));
  append(store, "a", {"z"}, state_at(256));
  BOOST_CHECK(store.snapshot("a") == snapshot_of(state_at(255), of_turn));
  const Head of_many = append(store, "a", std::vector<std::string>(300, "x"), state_at(556));
  BOOST_TEST(of_many.version == 557);
  BOOST_CHECK(store.snapshot("a") == snapshot_of(state_at(556), of_many));
  BOOST_CHECK(world.another().snapshot("a") == store.snapshot("a"));
  BOOST_CHECK(!store.snapshot("b"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_written_with_several_games_at_once_and_within_a_lock, World,
                              Stores) {
  World world;
  EventStore& store = world.store();
  const std::vector<std::string> ids{"a", "b", "c"};
  for (const std::string& id : ids)
    append(store, id, std::vector<std::string>(254, "x"));
  const auto append_to_all = [](EventStore& now, Turn turn) {
    const NewCommit commit = commit_of("y");
    const GameState after = state_at(turn);
    std::vector<Append> appends;
    for (const char* id : {"c", "a", "b"})
      appends.push_back({.game = id,
                         .expected = now.head(id).value(),
                         .commits = std::span(&commit, 1),
                         .after = &after});
    return now.append(appends).value();
  };
  append_to_all(store, 254);
  const auto heads = append_to_all(store, 255);
  BOOST_CHECK(store.snapshot("a") == snapshot_of(state_at(255), heads[1]));
  BOOST_CHECK(store.snapshot("b") == snapshot_of(state_at(255), heads[2]));
  BOOST_CHECK(store.snapshot("c") == snapshot_of(state_at(255), heads[0]));
  for (const std::string& id : ids)
    append(store, id, std::vector<std::string>(255, "x"));
  store.locked("a", [&](EventStore& now) { append_to_all(now, 511); });
  for (const std::string& id : ids)
    BOOST_CHECK(store.snapshot(id) == snapshot_of(state_at(511), store.head(id).value()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_not_written_where_the_append_is_refused, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", std::vector<std::string>(255, "x"));
  const Head stale = store.head("a").value();
  const Head head = append(world.another(), "a", {"theirs"}, state_at(255));
  const NewCommit commit = commit_of("ours");
  BOOST_CHECK(!store.append("a", stale, std::span(&commit, 1), state_at(256)));
  BOOST_CHECK(store.snapshot("a") == snapshot_of(state_at(255), head));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(one_moment)

BOOST_AUTO_TEST_CASE_TEMPLATE(stays_whatever_is_appended_meanwhile, World, Stores) {
  World world;
  EventStore& writer = world.another();
  append_at(writer, "a", 0, commit_of("a1", "first")).value();
  append(writer, "b", {"b1"});
  const auto now = world.store().read_transaction();
  const Head before = now->head("a").value();
  const auto entry = now->list_entry("a");
  append_at(writer, "a", 1, commit_of("a2", "second")).value();
  append(writer, "a", {"a3"}, won_state());
  append(writer, "c", {"c1"});
  BOOST_CHECK(now->head("a") == before);
  BOOST_CHECK(now->list_entry("a") == entry);
  BOOST_CHECK(!now->head("c"));
  BOOST_CHECK(!now->list_entry("c"));
  BOOST_CHECK(!now->commit("a", 2));
  BOOST_CHECK(now->commit_with_id("a", "first").has_value());
  BOOST_CHECK(!now->commit_with_id("a", "second"));
  const auto per_element = boost::test_tools::per_element();
  BOOST_TEST(read(*now, "a", 1, everything) == Texts{"a1"}, per_element);
  BOOST_TEST(read_all(*now, 1, everything) == (Texts{"a1", "b1"}), per_element);
  BOOST_TEST(now->list({}, everything) == (Ids{"b", "a"}), per_element);
  BOOST_TEST(now->list({.completed = true}, everything).empty());
  BOOST_TEST(now->list({.completed = false, .before = "b"}, everything) == Ids{"a"}, per_element);
  BOOST_TEST(now->games_after("", everything) == (Ids{"a", "b"}), per_element);
  BOOST_TEST(now->games_with_prefix("c", everything).empty());
  BOOST_CHECK(now->newest_game(0) == "b");
  BOOST_CHECK(!now->newest_game(2));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(has_no_snapshot_of_later_commits, World, Stores) {
  World world;
  append(world.another(), "a", std::vector<std::string>(255, "x"));
  const auto now = world.store().read_transaction();
  BOOST_TEST(now->head("a")->version == 255);
  append(world.another(), "a", {"y"});
  BOOST_CHECK(!now->snapshot("a"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_within_another_is_the_same, World, Stores) {
  World world;
  EventStore& writer = world.another();
  append(writer, "a", {"a1"});
  const auto outer = world.store().read_transaction();
  BOOST_TEST(read(*outer, "a", 1, everything).size() == 1U);
  {
    const auto inner = world.store().read_transaction();
    BOOST_TEST(read(*inner, "a", 1, everything).size() == 1U);
  }
  BOOST_TEST(read(*outer, "a", 1, everything).size() == 1U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_next_one_sees_what_came_since, World, Stores) {
  World world;
  for (std::size_t games = 1; games < 4; ++games) {
    append(world.another(), std::string(games, 'a'), {"1"});
    BOOST_TEST(world.store().read_transaction()->games_after("", everything).size() == games);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(work_of_a_moment_answers_once, World, Stores) {
  World world;
  append(world.another(), "a", {"1"});
  const auto heads = in_read_transaction(
      world.store(), [](ReadTransaction& now) { return std::pair(now.head("a"), now.head("b")); });
  BOOST_TEST(heads.first->version == 1);
  BOOST_CHECK(!heads.second);
  BOOST_CHECK_THROW(
      in_read_transaction(world.store(),
                          [](ReadTransaction&) { throw std::runtime_error("enough"); }),
      std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(appending_to_several_games)

namespace {
/// One commit for each of some games.
class Several {
 public:
  void add(const std::string& game, const ExpectedHead& expected, std::optional<NewCommit> commit) {
    if (commit) commits_.push_back(*std::move(commit));
    games_.push_back({game, expected, commits_.size()});
  }
  std::expected<std::vector<Head>, RefusedAppend> append_to(EventStore& store) const {
    std::vector<Append> appends;
    std::size_t begin = 0;
    for (const auto& [game, expected, end] : games_) {
      appends.push_back({.game = game,
                         .expected = expected,
                         .commits = std::span(commits_).subspan(begin, end - begin),
                         .after = &state_});
      begin = end;
    }
    return store.append(appends);
  }

 private:
  struct OfGame {
    std::string game;
    ExpectedHead expected;
    std::size_t end;
  };
  std::vector<OfGame> games_;
  std::vector<NewCommit> commits_;
  GameState state_ = state_of();
};
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(records_them_all_and_answers_their_heads, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "b", {"b1"});
  Several several;
  several.add("c", 0, commit_of("c1"));
  several.add("b", 1, commit_of("b2"));
  several.add("a", std::nullopt, commit_of("a1", "key"));
  const auto heads = several.append_to(store);
  BOOST_REQUIRE(heads.has_value());
  BOOST_CHECK((*heads == std::vector{*store.head("c"), *store.head("b"), *store.head("a")}));
  BOOST_TEST(texts_of(all_commits(world.another())) == (Texts{"b1", "c1", "b2", "a1"}),
             boost::test_tools::per_element());
  BOOST_TEST(store.commit_with_id("a", "key")->version == 1);
  BOOST_TEST(store.list({}, everything) == (Ids{"a", "c", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(records_none_where_one_is_refused_and_says_which, World, Stores) {
  World world;
  EventStore& store = world.store();
  append_at(store, "b", 0, commit_of("b1", "key")).value();
  const Portrait before = portrait_of(store, "b");
  for (const bool is_used : {true, false}) {
    Several several;
    several.add("a", 0, commit_of("a1"));
    several.add("b", 0, is_used ? commit_of("b1", "key") : commit_of("b2"));
    several.add("c", 0, commit_of("c1"));
    const auto refused = several.append_to(store);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().game == "b");
    BOOST_TEST(std::holds_alternative<CommandIdUsed>(refused.error().why) == is_used);
    BOOST_CHECK(portrait_of(store, "b") == before);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_expect_something_of_a_game_and_append_nothing_to_it, World,
                              Stores) {
  World world;
  EventStore& store = world.store();
  const Head head = append(store, "b", {"b1"});
  Several moved;
  moved.add("a", 0, commit_of("a1"));
  moved.add("b", Head{}, std::nullopt);
  BOOST_TEST(moved.append_to(store).error().game == "b");
  BOOST_CHECK(!store.head("a"));
  Several still;
  still.add("a", 0, commit_of("a1"));
  still.add("b", head, std::nullopt);
  const auto heads = still.append_to(store).value();
  BOOST_CHECK((heads == std::vector{*store.head("a"), head}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(each_game_is_there_once, World, Stores) {
  World world;
  Several twice;
  twice.add("a", 0, commit_of("a1"));
  twice.add("a", 1, commit_of("a2"));
  BOOST_CHECK_THROW(std::ignore = twice.append_to(world.store()), std::invalid_argument);
  BOOST_CHECK(!world.store().head("a"));
  BOOST_CHECK(world.store().append({}).value().empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_seen_whole_or_not_at_all, World, Stores) {
  constexpr int rounds = 100;
  World world;
  std::atomic<bool> done = false;
  std::atomic<int> torn = 0;
  EventStore& reader = world.store();
  EventStore& writer = world.another();
  std::jthread reading([&] {
    while (!done) {
      const auto now = reader.read_transaction();
      if (now->head("left").value_or(Head{}).version != now->head("right").value_or(Head{}).version)
        ++torn;
    }
  });
  for (Version version = 0; version < rounds; ++version) {
    Several both;
    both.add("left", version, commit_of("x"));
    both.add("right", version, commit_of("x"));
    BOOST_REQUIRE(both.append_to(writer));
  }
  done = true;
  reading.join();
  BOOST_TEST(torn == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(locked)

BOOST_AUTO_TEST_CASE_TEMPLATE(all_is_recorded_where_nothing_throws, World, Stores) {
  World world;
  EventStore& store = world.store();
  together(store, [&] {
    append(store, "a", {"a1"});
    append(store, "b", {"b1"});
    append(store, "a", {"a2"});
    BOOST_TEST(store.head("a")->version == 2);
  });
  BOOST_TEST(texts_of(all_commits(world.another())) == (Texts{"a1", "b1", "a2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_is_where_something_does, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"a1"});
  const Portrait before = portrait_of(store, "a");
  const auto work = [&] {
    append(store, "a", {"a2"}, won_state());
    append(store, "new", {"n1"});
    append(store, "a", {"a3"});
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(together(store, work), std::runtime_error);
  BOOST_CHECK(portrait_of(store, "a") == before);
  BOOST_CHECK(portrait_of(world.another(), "a") == before);
  BOOST_CHECK(!store.head("new"));
  BOOST_TEST(append_at(store, "a", 1, commit_of("a2"))->version == 2);
  BOOST_TEST(append_at(store, "new", 0, commit_of("n1"))->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_game_that_was_rolled_back_is_forgotten, World, Stores) {
  World world;
  EventStore& store = world.store();
  const auto work = [&] {
    append(store, "never", {"n1"});
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(together(store, work), std::runtime_error);
  append(world.another(), "other", {"o1"});  // has the key that "never" would have been given
  append(store, "never", {"n1"});
  BOOST_TEST(read(store, "other", 1, everything) == Texts{"o1"}, boost::test_tools::per_element());
  BOOST_TEST(read(store, "never", 1, everything) == Texts{"n1"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_refusal_inside_leaves_the_rest_to_be_recorded, World, Stores) {
  World world;
  EventStore& store = world.store();
  together(store, [&] {
    append(store, "a", {"a1"});
    BOOST_TEST(conflict_in(append_at(store, "a", 9, commit_of("never"))) == 1);
    append(store, "a", {"a2"});
  });
  BOOST_TEST(texts_of(all_commits(store)) == (Texts{"a1", "a2"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_within_another_is_part_of_it, World, Stores) {
  World world;
  EventStore& store = world.store();
  together(store, [&] {
    append(store, "a", {"a1"});
    together(store, [&] { append(store, "a", {"a2"}); });
    append(store, "a", {"a3"});
  });
  BOOST_TEST(texts_of(all_commits(world.another())) == (Texts{"a1", "a2", "a3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_is_recorded_where_one_within_another_throws, World, Stores) {
  World world;
  EventStore& store = world.store();
  const auto fail = [&] {
    append(store, "a", {"a2"});
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(together(store,
                             [&] {
                               append(store, "a", {"a1"});
                               together(store, fail);
                             }),
                    std::runtime_error);
  BOOST_CHECK(!store.head("a"));
  BOOST_CHECK_THROW(together(store,
                             [&] {
                               append(store, "a", {"a1"});
                               BOOST_CHECK_THROW(together(store, fail), std::runtime_error);
                               // Work that could only be undone together with the rest isn't done
                               // at all.
                               bool is_tried = false;
                               BOOST_CHECK_THROW(together(store, [&] { is_tried = true; }),
                                                 StoreError);
                               BOOST_TEST(!is_tried);
                             }),
                    StoreError);
  BOOST_CHECK(!store.head("a"));
  BOOST_CHECK(!world.another().head("a"));
  BOOST_TEST(append_at(store, "a", 0, commit_of("a1"))->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nobody_else_appends_to_the_game, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"1"});
  std::jthread other;
  store.locked("a", [&](EventStore& now) {
    other = std::jthread(
        [&] { world.with_own([](EventStore& own) { append(own, "a", {"of another"}); }); });
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    BOOST_TEST(now.head("a")->version == 1);
    append(now, "a", {"2"});
  });
  other.join();
  BOOST_TEST(read(store, "a", 1, everything) == (Texts{"1", "2", "of another"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_command_id_that_was_rolled_back_is_free, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one"});
  BOOST_CHECK_THROW(store.locked("a",
                                 [](EventStore& now) {
                                   append_at(now, "a", 1, commit_of("two", "key")).value();
                                   throw std::runtime_error("enough");
                                 }),
                    std::runtime_error);
  append(store, "a", {"another two"});
  BOOST_CHECK(!store.commit_with_id("a", "key"));
  BOOST_CHECK(append_at(store, "a", 2, commit_of("three", "key")).has_value());
  BOOST_TEST(store.commit_with_id("a", "key")->version == 3);
  BOOST_TEST(!used_in(append_at(store, "a", 3, commit_of("two", "key"))).same_command);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_snapshot_is_rolled_back_too, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", std::vector<std::string>(255, "x"));
  BOOST_CHECK_THROW(store.locked("a",
                                 [](EventStore& now) {
                                   append(now, "a", {"y", "z"});
                                   throw std::runtime_error("enough");
                                 }),
                    std::runtime_error);
  BOOST_CHECK(!store.snapshot("a"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_a_list_entry_says_is_rolled_back_too, World, Stores) {
  World world;
  EventStore& store = world.store();
  append(store, "a", {"one"});
  const auto before = store.list_entry("a");
  BOOST_CHECK_THROW(store.locked("a",
                                 [](EventStore& now) {
                                   append(now, "a", {"two", "three"}, won_state());
                                   throw std::runtime_error("enough");
                                 }),
                    std::runtime_error);
  BOOST_CHECK(store.list_entry("a") == before);
  append(store, "a", {"another two"});
  append(store, "a", {"another three"});
  BOOST_CHECK(store.list_entry("a") == before);
  BOOST_TEST(store.list({.completed = true}, everything).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(works_again_after_a_failure, World, Stores) {
  World world;
  EventStore& store = world.store();
  const auto fail = [] { throw std::runtime_error("no"); };
  BOOST_CHECK_THROW(together(store, fail), std::runtime_error);
  together(store, [&] { append(store, "a", {"a1"}); });
  append(store, "a", {"a2"});
  BOOST_TEST(read_all(world.another(), 1, everything).size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(subscribing)

namespace {
/// Collects the commits that a poll lends.
Texts polled(Subscription& subscription) {
  std::vector<Commit> commits;
  BOOST_TEST(subscription.poll([&](const CommitView& commit) {
    commits.emplace_back(commit);
    return true;
  }));
  return texts_of(commits);
}
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subscriber_gets_each_commit_once_as_the_store_grows, World,
                              Stores) {
  World world;
  auto to_store = Subscription::to_store(world.store(), 1);
  auto to_game = Subscription::to_game(world.store(), "a", 1);
  const auto per_element = boost::test_tools::per_element();
  BOOST_TEST(polled(to_store).empty());
  BOOST_TEST(polled(to_game).empty());
  append(world.store(), "a", {"a1"});
  append(world.another(), "b", {"b1"});
  BOOST_TEST(polled(to_store) == (Texts{"a1", "b1"}), per_element);
  BOOST_TEST(polled(to_game) == (Texts{"a1"}), per_element);
  append(world.another(), "a", {"a2", "a3"});
  BOOST_TEST(polled(to_store) == (Texts{"a2", "a3"}), per_element);
  BOOST_TEST(polled(to_game) == (Texts{"a2", "a3"}), per_element);
  BOOST_TEST(polled(to_store).empty());
  BOOST_TEST(polled(to_game).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subscriber_that_has_seen_all_waits_for_what_is_next, World,
                              Stores) {
  class Watched final : public PassingStore {
   public:
    using PassingStore::PassingStore;
    std::stop_source stop;  // at the first wait
    std::vector<StorePosition> waited_after;
    StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override {
      if (at_most.count() > 0) {
        waited_after.push_back(after);
        stop.request_stop();
      }
      return PassingStore::wait_for_append(after, at_most);
    }
  };
  World world;
  append(world.store(), "a", {"1", "2", "3"});
  Watched store(world.store());
  auto subscription = Subscription::to_store(store, 1);
  subscription.run([](const CommitView&) { return true; }, store.stop.get_token());
  BOOST_TEST(store.waited_after == std::vector{position_of(world.store(), 3)},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_last_number_has_none_after_it) {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST(next_number(1) == 2);
  BOOST_TEST(next_number(last - 1) == last);
  BOOST_TEST(next_number(last) == last);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subscriber_may_begin_anywhere, World, Stores) {
  World world;
  append(world.store(), "a", {"1", "2", "3"});
  const auto per_element = boost::test_tools::per_element();
  for (const StorePosition from : {0, 1, 2, 3, 4}) {
    const Texts all{"1", "2", "3", "4"};
    auto to_store = Subscription::to_store(world.store(), position_of(world.store(), from));
    auto to_game = Subscription::to_game(world.store(), "a", from);
    const Texts expected(all.begin() + std::max<StorePosition>(from - 1, 0), all.begin() + 3);
    BOOST_TEST(polled(to_store) == expected, per_element);
    BOOST_TEST(polled(to_game) == expected, per_element);
  }
  auto ahead = Subscription::to_store(world.store(), position_of(world.store(), 4));
  append(world.store(), "a", {"4", "5"});
  BOOST_TEST(polled(ahead) == (Texts{"4", "5"}), per_element);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subscriber_that_stops_can_go_on_later, World, Stores) {
  World world;
  append(world.store(), "a", {"1", "2", "3"});
  auto subscription = Subscription::to_store(world.store(), 1);
  BOOST_TEST(!subscription.poll([](const CommitView&) { return false; }));
  BOOST_TEST(polled(subscription) == (Texts{"2", "3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_commit_that_came_while_polling_is_not_lost, World, Stores) {
  World world;
  EventStore& writer = world.another();
  append(writer, "a", {"1", "2"});
  auto subscription = Subscription::to_store(world.store(), 1);
  Texts seen;
  const CommitVisitor visit = [&](const CommitView& commit) {
    seen.emplace_back(commit.command);
    if (seen.size() == 1) append(writer, "a", {"3"});
    return true;
  };
  subscription.poll(visit);
  subscription.poll(visit);
  BOOST_TEST(seen == (Texts{R"({"1"})", R"({"2"})", R"({"3"})"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_running_subscriber_misses_nothing_another_thread_appends, World,
                              Stores) {
  constexpr int count = 300;
  World world;
  EventStore& reader = world.store();
  EventStore& writer = world.another();
  std::vector<Commit> seen;
  {
    const std::jthread writing([&] {
      for (int i = 0; i < count; ++i)
        append(writer, i % 3 == 0 ? "b" : "a", {std::to_string(i)});
    });
    Subscription::to_store(reader, 1).run(
        [&](const CommitView& commit) {
          seen.emplace_back(commit);
          return seen.size() < count;
        },
        {});
  }
  BOOST_TEST(seen.size() == static_cast<std::size_t>(count));
  BOOST_CHECK(seen == all_commits(reader));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_running_subscriber_of_a_game_sees_that_game_alone, World, Stores) {
  constexpr std::size_t count = 50;
  World world;
  EventStore& reader = world.store();
  EventStore& writer = world.another();
  std::vector<Commit> seen;
  {
    const std::jthread writing([&] {
      for (std::size_t i = 0; i < count; ++i) {
        append(writer, "other", {"noise"});
        append(writer, "a", {std::to_string(i)});
      }
    });
    Subscription::to_game(reader, "a", 1)
        .run(
            [&](const CommitView& commit) {
              seen.emplace_back(commit);
              return seen.size() < count;
            },
            {});
  }
  BOOST_CHECK(seen == commits_of(reader, "a"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_running_subscriber_ends_when_it_is_asked_to, World, Stores) {
  World world;
  append(world.another(), "a", {"1"});
  std::atomic<int> seen = 0;
  std::stop_source stop;
  std::jthread reading([&] {
    Subscription::to_store(world.store(), 1)
        .run([&](const CommitView&) { return ++seen > 0; }, stop.get_token());
  });
  while (seen == 0)
    std::this_thread::yield();
  stop.request_stop();
  reading.join();
  BOOST_TEST(seen == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(waiting_ends_with_the_time_or_with_a_commit, World, Stores) {
  World world;
  append(world.store(), "a", {"1"});
  const StorePosition first = position_of(world.store(), 1);
  BOOST_TEST(world.store().wait_for_append(0, std::chrono::hours{1}) == first);
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(world.store().wait_for_append(first, std::chrono::milliseconds{30}) == first);
  BOOST_CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{30});
  EventStore& writer = world.another();
  StorePosition second = 0;
  {
    const std::jthread writing([&] { append(writer, "a", {"2"}); });
    second = world.store().wait_for_append(first, std::chrono::hours{24});
  }
  BOOST_TEST(second == position_of(world.store(), 2));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(several_writers_lose_and_double_nothing, World, Stores) {
  constexpr int each = 100;
  World world;
  const auto write = [](EventStore& store, const std::string& name) {
    for (int i = 0; i < each; ++i)
      append(store, "a", {name + std::to_string(i)});
  };
  {
    EventStore& first = world.store();
    EventStore& second = world.another();
    const std::jthread one([&] { write(first, "x"); });
    const std::jthread two([&] { write(second, "y"); });
  }
  const auto commits = commits_of(world.store(), "a");
  BOOST_TEST(commits.size() == 2U * each);
  int next_x = 0;
  int next_y = 0;
  for (const std::string& text : texts_of(commits)) {
    int& next = text.front() == 'x' ? next_x : next_y;
    BOOST_REQUIRE_EQUAL(text.substr(1), std::to_string(next++));
  }
  BOOST_TEST(world.store().head("a")->version == 2 * each);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(several_threads)

namespace {

constexpr int writers = 4;
constexpr int commits_each = 25;

/// Appends to games to which others append as well, always at the version that it expects.
void write_as(int writer, EventStore& store) {
  for (int i = 0; i < commits_each;) {
    const std::string game(1, "abc"[i % 3]);
    const Version expected = store.head(game).value_or(Head{}).version;
    const std::string text = std::to_string(writer) + "-" + std::to_string(i);
    if (append_at(store, game, expected, commit_of(text, text))) ++i;
  }
}

/// Appends to two games together; every other time neither is recorded.
void write_together(EventStore& store) {
  for (int i = 0; i < commits_each; ++i) {
    const auto both = [&] {
      append(store, "left", {std::to_string(i)});
      append(store, "right", {std::to_string(i)});
      if (i % 2 == 1) throw std::logic_error("neither");
    };
    try {
      together(store, both);
    } catch (const std::logic_error&) {
      continue;  // as it was meant
    }
  }
}

/// Reads everything until `done`; returns the inconsistencies that it saw.
std::string fault_seen(EventStore& store, const std::atomic<bool>& done) {
  while (!done) {
    StorePosition position = 0;
    for (const Commit& commit : all_commits(store))
      if (commit.position <= std::exchange(position, commit.position))
        return "positions that don't grow";
    const auto right = commits_of(store, "right");
    if (commits_of(store, "left").size() < right.size()) return "half of what was written together";
    for (const std::string& id : store.list({.player = "Ann"}, everything)) {
      const auto before = store.head(id);
      if (!before || !store.list_entry(id)) return "a game that is listed and isn't there";
      const auto commit = store.commit(id, before->version);
      if (!commit || commit->hash != before->hash) return "a head that is no commit's";
      if (commit->command_id && store.commit_with_id(id, *commit->command_id) != commit)
        return "a command ID of another commit";
    }
    const std::size_t games = store.games_after("", everything).size();
    if (games > 0 && (!store.newest_game(0) || !store.newest_game(games - 1)))
      return "fewer games than there were";
    if (store.games_with_prefix("l", everything).size() > 1) return "a game of another name";
    store.wait_for_append(position, at_once);
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(that_have_read_up_to_a_position_have_missed_nothing, World, Stores) {
  World world;
  std::atomic<bool> done = false;
  std::vector<std::vector<Commit>> seen(2);
  std::vector<std::jthread> readers;
  for (auto& mine : seen)
    readers.emplace_back([&] {
      world.with_own([&](EventStore& store) {
        auto subscription = Subscription::to_store(store, 1);
        const CommitVisitor keep = [&](const CommitView& commit) {
          mine.emplace_back(commit);
          return true;
        };
        while (!done)
          subscription.poll(keep);
        subscription.poll(keep);
      });
    });
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer)
      threads.emplace_back(
          [&, writer] { world.with_own([&](EventStore& store) { write_as(writer, store); }); });
  }
  done = true;
  readers.clear();
  const auto all = all_commits(world.store());
  BOOST_TEST(all.size() == std::size_t{writers * commits_each});
  for (const auto& mine : seen)
    BOOST_CHECK(mine == all);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(write_and_read_at_once_and_see_nothing_half_done, World, Stores) {
  World world;
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      world.with_own([&](EventStore& store) {
        if (!fault_seen(store, done).empty()) ++wrong;
      });
    });
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer)
      threads.emplace_back(
          [&, writer] { world.with_own([&](EventStore& store) { write_as(writer, store); }); });
    threads.emplace_back([&] { world.with_own(write_together); });
  }
  done = true;
  readers.clear();
  BOOST_TEST(wrong == 0);
  const std::size_t together = commits_each / 2 + 1;
  BOOST_TEST(commits_of(world.store(), "left").size() == together);
  BOOST_TEST(commits_of(world.store(), "right").size() == together);
  BOOST_TEST(all_commits(world.store()).size() == writers * commits_each + 2 * together);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
