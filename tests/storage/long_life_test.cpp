// Goal: a store that has been used for years is as fast as a new one. A query of one game, a list,
// and a turn read no more pages, except one for each additional level of each B-tree that they
// descend.
//
// Method: a store of 100,000 games next to one of a hundred. Each operation runs on a connection of
// its own with nothing in its cache, and the layer of faulty_vfs.hpp counts the reads of the file.
// Every statement of the store is captured, and SQLite explains its plan: no table that grows may
// be scanned, except by operations that read all of it.
//
// SNL_TORTURE=n in the environment makes the large store n times as large.
#include "faulty_vfs.hpp"
#include "storage/audit.hpp"
#include "storage/record_game.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "testbed.hpp"
#include "torture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

std::string name_of(std::int64_t game) {
  return fmt::format("game{:07}", game);
}

/// A closed store of games of three turns. Every tenth is won.
class Hall {
 public:
  explicit Hall(std::int64_t games) : games_(games) {
    constexpr std::int64_t batch = 10'000;
    const auto store = SqliteStore::open(path_, Access::write);
    const auto endless = start_of({.players = {"Ann", "Bob"}, .board = {.cells = 100}}).setup;
    const auto short_one = start_of({.players = {"Ann", "Eve"}, .board = {.cells = 3}}).setup;
    for (std::int64_t first = 0; first < games; first += batch)
      together(*store, [&] {
        for (std::int64_t game = first; game < std::min(games, first + batch); ++game)
          BOOST_REQUIRE(record_game(*store, name_of(game), game % 10 == 0 ? short_one : endless,
                                    game % 10 == 0 ? 1000 : 3));
      });
  }

  const std::string& path() const { return path_; }
  std::int64_t games() const { return games_; }
  /// A game that is neither among the first nor among the last.
  std::string some_game() const { return name_of(games_ / 2 + 1); }

 private:
  Folder folder_;
  std::string path_ = folder_.file("store.db");
  std::int64_t games_;
};

// ---- Pages

// The B-trees of a store.
constexpr std::string_view games = "games";
constexpr std::string_view games_by_id = "sqlite_autoindex_games_1";
constexpr std::string_view games_by_status = "games_by_status";
constexpr std::string_view players = "players";
constexpr std::string_view players_by_name = "players_by_name";
constexpr std::string_view commits = "commits";
constexpr std::string_view commits_by_version = "sqlite_autoindex_commits_1";
constexpr std::string_view commits_by_command_id = "commits_by_command_id";

/// An operation on a store, for one game among all.
struct Operation {
  std::string_view name;
  std::function<void(SqliteStore&, const std::string& game)> run;
  /// The trees that it descends; a tree counts once for each separate place.
  std::vector<std::string_view> trees;
  /// Additional pages for rows that happen to continue in a next page, or for a full page that is
  /// split with its neighbours. That depends on the number of rows before them.
  std::int64_t spare = 0;
};

void require(bool holds) {
  if (!holds) throw std::logic_error("an operation answers wrongly");
}

void list(SqliteStore& store, const ListFilter& filter) {
  const auto ids = store.list(filter, 10);
  require(ids.size() == 10);
  for (const std::string& id : ids)
    require(Match::load(store, id).has_value());
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> operations{
      {"show",
       [](SqliteStore& store, const std::string& game) {
         require(Match::load(store, game)->last_turn().has_value());
       },
       {games_by_id, games, players, commits_by_version, commits},
       1},
      {"replay",
       [](SqliteStore& store, const std::string& game) {
         require(history_of(store, game).timeline.last_turn() == 3);
       },
       {games_by_id, commits_by_version, commits},
       1},
      {"audit",
       [](SqliteStore& store, const std::string& game) { require(audit_game(store, game)->ok()); },
       {games_by_id, games, players, commits_by_version, commits},
       1},
      {"turn",
       [](SqliteStore& store, const std::string& game) {
         auto match = Match::load(store, game);
         perform(*match, RollTurn{}, {.command_id = "once"});
       },
       {games_by_id, games, players, commits_by_version, commits, commits_by_command_id, commits},
       2},
      {"undo",
       [](SqliteStore& store, const std::string& game) {
         auto match = Match::load(store, game);
         perform(*match, UndoTurns{1});
       },
       {games_by_id, games, players, commits_by_version, commits, commits},
       2},
      {"new",
       [](SqliteStore& store, const std::string& /*game*/) { start(store, "new"); },
       {games_by_id, games, games_by_status, players, players_by_name, players_by_name,
        commits_by_version, commits},
       4},
      {"list",
       [](SqliteStore& store, const std::string& /*game*/) { list(store, {}); },
       {games, games_by_id, players, commits_by_version, commits},
       1},
      {"list --status",
       [](SqliteStore& store, const std::string& /*game*/) { list(store, {.completed = true}); },
       {games_by_status, games, games_by_id, players, commits_by_version, commits},
       6},
      {"list --player",
       [](SqliteStore& store, const std::string& /*game*/) { list(store, {.player = "Eve"}); },
       {players_by_name, games, games_by_id, players, commits_by_version, commits},
       6},
      {"list --player --status",
       [](SqliteStore& store, const std::string& /*game*/) {
         list(store, {.completed = true, .player = "Ann"});
       },
       {players_by_name, games, games_by_id, players, commits_by_version, commits},
       6},
      {"list, older ones",
       [](SqliteStore& store, const std::string& game) { list(store, {.before = game}); },
       {games, games_by_id, players, commits_by_version, commits},
       1},
      {"log, a page of 10",
       [](SqliteStore& store, const std::string& game) {
         const auto first = store.commit(game, 1);
         CommitPage page;
         store.read_all(first->position, 10, page);
         require(page.size() == 10);
       },
       {games_by_id, commits_by_version, commits, games},
       1},
      {"a command ID",
       [](SqliteStore& store, const std::string& game) {
         require(!store.commit_with_id(game, "never used"));
       },
       {games_by_id, commits_by_command_id}},
      {"the game before the newest",
       [](SqliteStore& store, const std::string& /*game*/) {
         require(store.newest_game(1).has_value());
       },
       {games}},
      {"a prefix",
       [](SqliteStore& store, const std::string& game) {
         require(store.games_with_prefix(game, 11).size() == 1);
       },
       {games_by_id}},
      {"the last position",
       [](SqliteStore& store, const std::string& /*game*/) {
         require(store.wait_for_append(0, {}) > 0);
       },
       {commits}}};
  return operations;
}

/// The pages that an operation reads from the file, on a connection that has only opened the store.
/// The store stays as it was.
std::int64_t pages_read(const Hall& hall, const Operation& operation) {
  const auto store = SqliteStore::open(hall.path(), Access::write);
  struct Undo {};
  std::int64_t pages = 0;
  try {
    together(*store, [&] {
      const std::int64_t before = faulty_vfs::count(Call::read);
      operation.run(*store, hall.some_game());
      pages = faulty_vfs::count(Call::read) - before;
      throw Undo{};
    });
  } catch (const Undo&) {
    return pages;
  }
  return -1;
}

/// The levels of the B-tree with this root in a closed store: down to its last leaf.
std::int64_t levels_from(std::ifstream& file, std::int64_t page_bytes, std::int64_t page) {
  for (std::int64_t levels = 1;; ++levels) {
    std::array<char, 12> header{};
    if (!file.seekg((page - 1) * page_bytes).read(header.data(), header.size()))
      throw std::runtime_error("a page can't be read");
    const bool is_leaf = header[0] != 2 && header[0] != 5;
    if (is_leaf) return levels;
    page = 0;  // its right-most child
    for (std::size_t i = 8; i < header.size(); ++i)
      page = page << 8 | static_cast<unsigned char>(header.at(i));
  }
}

/// The levels of every B-tree, by the name of its table or index.
std::map<std::string, std::int64_t> levels(const Hall& hall) {
  PlainDatabase database(hall.path());
  const auto roots = database.rows("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0");
  const std::int64_t page_bytes = std::stoll(database.value("PRAGMA page_size"));
  std::ifstream file(hall.path(), std::ios::binary);
  std::map<std::string, std::int64_t> levels;
  for (const auto& root : roots)
    levels[root[0]] = levels_from(file, page_bytes, std::stoll(root[1]));
  return levels;
}

/// By how many levels each B-tree of one store is deeper than that of another.
std::map<std::string, std::int64_t> levels_more(const Hall& large, const Hall& small) {
  auto more = levels(large);
  for (const auto& [name, count] : levels(small))
    more.at(name) -= count;
  return more;
}

/// How many more pages an operation may read for this additional depth of the trees.
std::int64_t pages_more(const Operation& operation,
                        const std::map<std::string, std::int64_t>& deeper) {
  std::int64_t pages = operation.spare;
  for (const std::string_view tree : operation.trees)
    pages += deeper.at(std::string(tree));
  return pages;
}

// ---- Statements

using Statements = std::set<std::string>;

Statements& caught() {
  static Statements statements;
  return statements;
}

int catch_statement(unsigned /*event*/, void* /*context*/, void* statement, void* /*text*/) {
  caught().insert(sqlite3_sql(static_cast<sqlite3_stmt*>(statement)));
  return 0;
}

int trace(sqlite3* handle, char** /*error*/, const sqlite3_api_routines* /*api*/) {
  return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, catch_statement, nullptr);
}

/// The statements on connections that `work` makes and uses.
Statements statements_of(const std::function<void()>& work) {
  caught().clear();
  const auto entry =
      reinterpret_cast<void (*)()>(trace);  // the type that sqlite3_auto_extension requires
  sqlite3_auto_extension(entry);
  work();
  sqlite3_cancel_auto_extension(entry);
  return std::exchange(caught(), {});
}

/// SQLite's plan for a statement on a store, with the triggers that it fires; one line a step.
std::vector<std::string> plan_of(const std::string& path, const std::string& statement) {
  PlainDatabase database(path);
  database.explain_triggers();
  std::vector<std::string> plan;
  for (const auto& row : database.rows("EXPLAIN QUERY PLAN " + statement))
    plan.push_back(row.at(3));
  return plan;
}

bool scans_what_grows(const std::string& step) {
  static const std::vector<std::string> tables{"games", "g", "commits", "c", "players", "p"};
  return std::ranges::any_of(tables, [&](const std::string& table) {
    return step == "SCAN " + table || step.starts_with("SCAN " + table + " ");
  });
}

/// Those of the statements that scan a table that grows.
Statements scans_among(const std::string& path, const Statements& statements) {
  Statements scans;
  for (const std::string& statement : statements)
    if (std::ranges::any_of(plan_of(path, statement), scans_what_grows)) scans.insert(statement);
  return scans;
}

/// All operations of a store, except the check of the file.
void use_all(const Hall& hall) {
  const std::string game = hall.some_game();
  {
    const auto store = SqliteStore::open(hall.path(), Access::write);
    record_orchard(*store);
    BOOST_TEST(record_game(*store, "at-once", start_of().setup, 1000).has_value());
    for (const Operation& operation : operations())
      if (operation.name != "new") operation.run(*store, game);
    store->list({.completed = false, .player = "Ann", .before = game}, 10);
    store->list({.completed = true, .player = "Ann"}, 10);
    store->list({.completed = true, .before = game}, 10);
  }
  const auto store = SqliteStore::open(hall.path(), Access::read);
  BOOST_TEST(audit_store(*store).ok());
  all_commits(*store);
}

struct Layer {
  Layer() { faulty_vfs::install(); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Layer);

BOOST_AUTO_TEST_SUITE(a_long_life)

BOOST_AUTO_TEST_CASE(costs_no_page_but_one_for_each_level_of_a_deeper_tree) {
  const Hall small(100);
  const Hall large(100'000 * static_cast<std::int64_t>(torture_factor()));
  const auto deeper = levels_more(large, small);
  fmt::print("pages read in a store of {} games and of {}, and how many the latter may be:\n",
             small.games(), large.games());
  Torture figures{.undetected = 0};
  for (const Operation& operation : operations()) {
    const std::int64_t few = pages_read(small, operation);
    const std::int64_t many = pages_read(large, operation);
    const std::int64_t most = few + pages_more(operation, deeper);
    fmt::print("  {}: {}, {} of {}\n", operation.name, few, many, most);
    ++figures.tried;
    if (many > most) ++*figures.undetected;  // pages beyond the allowance
    BOOST_TEST_CONTEXT(operation.name) {
      BOOST_TEST(few > 0);
      BOOST_TEST(many <= most);
    }
  }
  print_torture("pages read in a store of many games", figures, place_for_folders());

  const Operation walk{"a walk through all commits",
                       [](EventStore& store, const std::string& /*game*/) { all_commits(store); },
                       {commits_by_version, commits},
                       1};
  const bool is_seen = pages_read(large, walk) > pages_read(small, walk) + pages_more(walk, deeper);
  print_torture("control: pages read by a walk through all games",
                {.tried = 1, .undetected = is_seen ? 1 : 0}, place_for_folders());
  BOOST_TEST(is_seen);
}

BOOST_AUTO_TEST_CASE(lists_a_players_games_of_a_status_without_a_look_at_all_the_others) {
  // Ann has a few games from long ago that are won, and many in progress. Since then, her games
  // alternate with games that others have won.
  const Folder folder;
  const std::string path = folder.file("store.db");
  constexpr std::int64_t won = 5;
  constexpr std::int64_t all = 20'000;
  {
    const auto store = SqliteStore::open(path, Access::write);
    const auto short_of = [](const std::string& name) {
      return start_of({.players = {name, "Bob"}, .board = {.cells = 3}}).setup;
    };
    const auto anns = short_of("Ann");
    const auto eves = short_of("Eve");
    together(*store, [&] {
      for (std::int64_t game = 0; game < all; ++game) {
        const bool is_anns = game < won || game % 2 == 0;
        const bool is_won = game < won || !is_anns;
        BOOST_REQUIRE(record_game(*store, name_of(game), is_anns ? anns : eves, is_won ? 1000 : 0));
      }
    });
  }
  const auto store = SqliteStore::open(path, Access::write);
  const std::int64_t before = faulty_vfs::count(Call::read);
  BOOST_TEST(store->list({.completed = true, .player = "Ann"}, 20).size() == won);
  const std::int64_t pages = faulty_vfs::count(Call::read) - before;
  BOOST_TEST(pages > 0);
  BOOST_TEST(pages < 30);
}

BOOST_AUTO_TEST_CASE(looks_up_the_end_of_the_log_only_if_somebody_else_wrote) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  Statements after_own;
  Statements after_another;
  statements_of([&] {
    const auto store = SqliteStore::open(path, Access::write);
    Match match = start(*store, "a");
    const auto statements_of_a_turn = [&] {
      caught().clear();
      perform(match, RollTurn{});
      return caught();
    };
    perform(match, RollTurn{});
    after_own = statements_of_a_turn();
    start(*SqliteStore::open(path, Access::write), "b");
    after_another = statements_of_a_turn();
  });
  BOOST_TEST(after_own.size() == 3U);  // BEGIN, INSERT and COMMIT
  BOOST_TEST(after_another.size() == 5U);
}

BOOST_AUTO_TEST_CASE(scans_nothing_that_grows_but_to_check_the_file) {
  const Hall hall(100);
  const Statements used = statements_of([&] { use_all(hall); });
  const Statements checking = statements_of([&] {
    const auto store = SqliteStore::open(hall.path(), Access::read);
    BOOST_TEST(store->check().empty());
    SqliteStore::facts(hall.path());
  });
  BOOST_TEST(used.size() > 30);
  for (const std::string& statement : scans_among(hall.path(), used))
    BOOST_ERROR("scans: " << statement);
  BOOST_TEST(scans_among(hall.path(), checking).size() >= 6);  // so scans are detected
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
