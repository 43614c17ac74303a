// Goal: an exported text is imported as the same game, and any other text is refused.
//
// Method: golden samples; properties over random games; an export cut at every line and changed at
// every byte. A changed export that is accepted must mean the same as the sound one.
#include "../passing_store.hpp"
#include "../scripted.hpp"
#include "../testbed.hpp"
#include "storage/audit.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/exchange/recording.hpp"
#include "storage/exchange/text_form.hpp"
#include "storage/memory/memory_store.hpp"
#include "whole_text.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

using Lines = std::vector<std::string>;

Lines export_of(EventStore& store, const std::string& game) {
  Lines lines;
  export_jsonl(store, game, store.head(game).value(),
               [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

struct Imported {
  std::vector<ImportedGame> games;
  std::optional<ImportFault> fault;
};
Imported import_of(const Lines& lines) {
  JsonlReader reader;
  const bool taken = std::ranges::all_of(lines, [&](const auto& line) { return reader.add(line); });
  if (taken && reader.finish()) return {std::move(reader.games()), std::nullopt};
  BOOST_REQUIRE(reader.fault().has_value());
  return {{}, reader.fault()};
}

void check_fault(const Lines& lines, bool malformed, std::string_view words) {
  const auto fault = import_of(lines).fault;
  BOOST_REQUIRE_MESSAGE(fault, "imported; expected: " << words);
  BOOST_TEST_CONTEXT(fault->why) {
    BOOST_TEST(fault->malformed == malformed);
    BOOST_TEST(fault->why.find(words) != std::string::npos);
    BOOST_TEST(fault->why.starts_with("line "));
  }
}

/// Commits without their place in the store.
std::vector<Commit> unplaced(EventStore& store, const std::string& game) {
  auto commits = commits_of(store, game);
  for (Commit& commit : commits)
    commit.position = 0;
  return commits;
}

bool same_game(EventStore& one, EventStore& other, const std::string& game) {
  return unplaced(one, game) == unplaced(other, game) && one.head(game) == other.head(game) &&
         Match::load(one, game)->state() == Match::load(other, game)->state();
}

/// How many commands of a game were new to a store; none where the store holds another game with
/// that ID.
std::optional<Version> added_by(EventStore& store, const ImportedGame& game) {
  const auto taken = record_together(store, std::span(&game, 1));
  if (!taken) {
    BOOST_CHECK(taken.error().cause == NotRecorded::Cause::conflict);
    return std::nullopt;
  }
  BOOST_REQUIRE_EQUAL(taken->size(), 1U);
  BOOST_CHECK(taken->front().game == game.game && taken->front().version == game.head.version);
  return taken->front().added();
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  return text;
}

Lines split(const std::string& text) {
  Lines lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string replaced(std::string text, std::string_view old, std::string_view with) {
  const std::size_t at = text.find(old);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), with);
}

/// A game of three commits: started, a turn with an ID, and an undo.
void record_small(EventStore& store) {
  Match match = start(store, "g", {.board = {.cells = 9}});
  perform(match, turn_of_next(match, {2}), {.command_id = "k\"1"});
  perform(match, UndoTurns{1});
}

/// Names that are easy to misread in a line.
const std::vector<std::string>& odd_names() {
  static const std::vector<std::string> names{"{\"x",
                                              "{\"player\":\"x\"}",
                                              "#1",
                                              "[A",
                                              "-",
                                              " ",
                                              "  A",
                                              "A  ",
                                              "\"",
                                              "\\",
                                              "\\\"",
                                              "A B",
                                              "6",
                                              "6-6",
                                              "A 6",
                                              "Zo\xC3\xAB",
                                              "\xF0\x9F\x90\x8D",
                                              "{",
                                              "[",
                                              "#",
                                              "[Id \"x\"]",
                                              "\xC2\xA0",
                                              "null",
                                              ","};
  return names;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(an_export)

BOOST_AUTO_TEST_CASE(is_a_header_and_a_line_a_commit) {
  MemoryStore store;
  record_small(store);
  const Lines lines = export_of(store, "g");
  BOOST_REQUIRE_EQUAL(lines.size(), 4U);
  const auto hash = [&](Version version) { return to_hex(store.commit("g", version)->hash); };
  BOOST_TEST(lines[0] ==
             R"({"snl":"game","format":1,"game":"g","version":3,"head":")" + hash(3) + "\"}");
  BOOST_TEST(lines[2] == R"({"game":"g","version":2,"time":"2026-01-01T00:00:01.001Z",)"
                         R"("command":{"play":[1,0,[2]],"id":"k\"1"},)"
                         R"("events":[{"played":[1,1,0,[2],false,1,3,3,"moved",1,0]}],"hash":")" +
                             hash(2) + "\"}");
  BOOST_TEST(log_line(store.commit("g", 2)->view()) == R"({"position":2,)" + lines[2].substr(1));
}

BOOST_AUTO_TEST_CASE(is_imported_as_the_same_game) {
  MemoryStore store;
  record_orchard(store);
  for (const std::string id : {"apple", "berry", "cherry"}) {
    const auto imported = import_of(export_of(store, id));
    BOOST_REQUIRE(!imported.fault);
    BOOST_REQUIRE_EQUAL(imported.games.size(), 1U);
    MemoryStore other;
    BOOST_CHECK(added_by(other, imported.games[0]) == imported.games[0].head.version);
    BOOST_CHECK(same_game(store, other, id));
    BOOST_TEST(audit_store(other).ok());
  }
}

BOOST_AUTO_TEST_CASE(of_any_game_is_imported_as_the_same_game) {
  BOOST_TEST(rc::check("import(export(game)) == game", [](const Script& script) {
    MemoryStore store;
    play(store, "a", script);
    const Lines lines = export_of(store, "a");
    const auto imported = import_of(lines);
    RC_ASSERT(!imported.fault);
    MemoryStore other;
    RC_ASSERT(added_by(other, imported.games.at(0)) == imported.games.at(0).head.version);
    RC_ASSERT(same_game(store, other, "a"));
    RC_ASSERT(export_of(other, "a") == lines);
  }));
}

BOOST_AUTO_TEST_CASE(of_an_earlier_head_ends_there) {
  MemoryStore store;
  record_small(store);
  const Head earlier{2, store.commit("g", 2)->hash};
  Lines lines;
  export_jsonl(store, "g", earlier, [&](std::string_view line) { lines.emplace_back(line); });
  const auto imported = import_of(lines);
  BOOST_REQUIRE(!imported.fault);
  BOOST_CHECK(imported.games[0].head == earlier);
}

BOOST_AUTO_TEST_CASE(may_follow_another_and_have_blank_lines) {
  MemoryStore store;
  record_orchard(store);
  Lines lines{"", "  "};
  for (const std::string id : {"berry", "apple"}) {
    std::ranges::copy(export_of(store, id), std::back_inserter(lines));
    lines.emplace_back("\r");
  }
  const auto imported = import_of(lines);
  BOOST_REQUIRE(!imported.fault);
  BOOST_REQUIRE_EQUAL(imported.games.size(), 2U);
  MemoryStore other;
  together(other, [&] {
    for (const ImportedGame& game : imported.games)
      BOOST_CHECK(added_by(other, game) == game.head.version);
  });
  BOOST_CHECK(same_game(store, other, "apple"));
  BOOST_CHECK(same_game(store, other, "berry"));
}

BOOST_AUTO_TEST_CASE(of_a_game_that_is_there_changes_nothing) {
  MemoryStore store;
  record_small(store);
  const auto same = import_of(export_of(store, "g"));
  BOOST_CHECK(added_by(store, same.games.at(0)) == 0);
  BOOST_TEST(all_commits(store).size() == 3U);
}

BOOST_AUTO_TEST_CASE(of_a_game_that_has_gone_on_from_it_changes_nothing) {
  MemoryStore store;
  record_small(store);
  const auto shorter = import_of(export_of(store, "g"));
  Match match = Match::load(store, "g").value();
  perform(match, RedoTurns{1});
  const auto before = export_of(store, "g");
  BOOST_CHECK(added_by(store, shorter.games.at(0)) == 0);
  BOOST_CHECK(export_of(store, "g") == before);
}

BOOST_AUTO_TEST_CASE(that_goes_on_from_the_game_there_adds_what_is_new) {
  BOOST_TEST(rc::check("import(part); import(whole) == import(whole)", [](const Script& script) {
    MemoryStore source;
    play(source, "a", script);
    const Lines whole = export_of(source, "a");
    const auto last = static_cast<Version>(whole.size()) - 1;
    MemoryStore target;
    Version there = 0;
    while (there < last) {
      there += *rc::gen::inRange<Version>(1, last - there + 1);
      Lines lines;
      export_jsonl(source, "a", Head{there, source.commit("a", there)->hash},
                   [&](std::string_view line) { lines.emplace_back(line); });
      const Version before = target.head("a").value_or(Head{}).version;
      RC_ASSERT(added_by(target, import_of(lines).games.at(0)) == there - before);
      RC_ASSERT(export_of(target, "a") == lines);
      RC_ASSERT(audit_store(target).ok());
    }
    RC_ASSERT(same_game(source, target, "a"));
  }));
}

BOOST_AUTO_TEST_CASE(that_parts_from_the_game_there_is_a_conflict_at_the_version_where_it_does) {
  MemoryStore store;
  record_small(store);
  MemoryStore other;
  BOOST_REQUIRE(added_by(other, import_of(export_of(store, "g")).games.at(0)) == 3);
  for (EventStore* each : {static_cast<EventStore*>(&store), static_cast<EventStore*>(&other)}) {
    Match match = Match::load(*each, "g").value();
    perform(match, turn_of_next(match, {each == &store ? 3 : 4}));
    if (each == &other) perform(match, turn_of_next(match, {2}));
  }
  const auto before = export_of(store, "g");
  for (auto* target : {&store, &other}) {
    EventStore& source = target == &store ? other : store;
    const auto games = import_of(export_of(source, "g")).games;
    const auto recorded = record_together(*target, games);
    BOOST_REQUIRE(!recorded);
    BOOST_CHECK(recorded.error().cause == NotRecorded::Cause::conflict);
    BOOST_TEST(recorded.error().why.starts_with("version 4 is \""));
    BOOST_TEST(!rehearse_together(target, games));
  }
  BOOST_CHECK(export_of(store, "g") == before);
}

BOOST_AUTO_TEST_CASE(of_the_same_turn_at_another_time_is_a_conflict) {
  MemoryStore store;
  record_small(store);
  MemoryStore other;
  BOOST_REQUIRE(added_by(other, import_of(export_of(store, "g")).games.at(0)) == 3);
  Version hour = 0;
  for (EventStore* each : {static_cast<EventStore*>(&store), static_cast<EventStore*>(&other)}) {
    hour += 3'600'000;
    Match match = Match::load(*each, "g", [&] { return hour; }).value();
    perform(match, RedoTurns{1});
  }
  const auto recorded = record_together(store, import_of(export_of(other, "g")).games);
  BOOST_REQUIRE(!recorded);
  BOOST_TEST(recorded.error().why.starts_with("version 4 was recorded at another time"));
}

BOOST_AUTO_TEST_CASE(that_is_twice_in_a_file_counts_as_its_longer_log) {
  MemoryStore source;
  record_small(source);
  const auto shorter = import_of(export_of(source, "g")).games.at(0);
  Match match = Match::load(source, "g").value();
  perform(match, RedoTurns{1});
  const auto longer = import_of(export_of(source, "g")).games.at(0);
  for (const auto& games :
       {std::vector{shorter, longer}, std::vector{longer, shorter}, std::vector{longer, longer}}) {
    MemoryStore store;
    const auto taken = record_together(store, games);
    BOOST_REQUIRE(taken.has_value());
    BOOST_REQUIRE_EQUAL(taken->size(), 1U);
    BOOST_TEST(taken->front().added() == 4);
    BOOST_CHECK(store.head("g") == source.head("g"));
  }
}

BOOST_AUTO_TEST_CASE(of_another_game_of_that_id_and_length_is_a_conflict) {
  MemoryStore store;
  record_small(store);
  MemoryStore other;
  Match match = start(other, "g", {.board = {.cells = 9}});
  perform(match, turn_of_next(match, {3}));
  perform(match, UndoTurns{1});
  const auto imported = import_of(export_of(other, "g"));
  BOOST_REQUIRE(imported.games.at(0).head.version == store.head("g")->version);
  const auto before = export_of(store, "g");
  BOOST_CHECK(!added_by(store, imported.games[0]));
  BOOST_CHECK(export_of(store, "g") == before);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Recording

BOOST_AUTO_TEST_SUITE(recording_the_games_of_a_file)

namespace {

/// Counts the commits that are read, and those of them that are read under the write lock. Runs
/// something just before the lock is taken for the first time, and just before the first append.
/// Meanwhile, other processes may play in games that aren't locked.
class WatchedStore final : public PassingStore {
 public:
  explicit WatchedStore(EventStore& store) : PassingStore(store) {}

  void locked(const std::string& game,
              const std::function<void(EventStore& store)>& work) override {
    std::exchange(before_lock, [] {})();
    PassingStore::locked(game, [&](EventStore& store) {
      is_locked_ = true;
      work(store);
      is_locked_ = false;
    });
  }
  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    PassingStore::read(game, from, limit, page);
    count(page.size());
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    count(1);
    return PassingStore::commit(game, version);
  }

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    std::exchange(before_append, [] {})();
    return PassingStore::append(appends);
  }

  std::function<void()> before_lock = [] {};
  std::function<void()> before_append = [] {};
  std::size_t commits = 0;
  std::size_t commits_under_lock = 0;

 private:
  void count(std::size_t read) {
    commits += read;
    if (is_locked_) commits_under_lock += read;
  }

  bool is_locked_ = false;
};

constexpr Turn turns = 200;

/// Plays a game "m" of 200 turns.
Match record_origin(EventStore& store) {
  Match origin = start(store, "m", {.board = {.cells = 1'000'000}});
  for (Turn turn = 0; turn < turns; ++turn)
    perform(origin, RollTurn{});
  return origin;
}

/// A clock that returns the times of a game's commits from a version on.
Clock clock_at(EventStore& store, const std::string& game, Version from) {
  return [times = commits_of(store, game, from), next = std::size_t{0}]() mutable {
    return times.at(next++).time;
  };
}

using Change = std::function<void(GameSetup&)>;

/// Starts a branch of the present state of "m".
void record_branch(EventStore& store, const std::string& id, Turn at, const Change& change) {
  const History origin = history_of(store, "m");
  GameSetup setup = *origin.timeline.state().setup;
  setup.origin = Origin{.game = "m",
                        .head = to_hex(origin.head.hash),
                        .position = origin.timeline.position_after(at)};
  change(setup);
  Match::start(store, id, {std::make_shared<const GameSetup>(std::move(setup))}).value();
}

/// The exports of a store's games, one after another.
std::vector<ImportedGame> games_of(EventStore& store, const std::vector<std::string>& ids) {
  Lines lines;
  for (const std::string& id : ids)
    std::ranges::copy(export_of(store, id), std::back_inserter(lines));
  auto imported = import_of(lines);
  BOOST_REQUIRE(!imported.fault);
  return std::move(imported.games);
}

/// This number of branches of "m".
std::vector<ImportedGame> branches_of_origin(EventStore& store, int count) {
  std::vector<std::string> ids;
  for (int branch = 0; branch < count; ++branch) {
    ids.push_back(fmt::format("b{}", branch));
    record_branch(store, ids.back(), turns - branch % 7, [](GameSetup&) {});
  }
  return ids.empty() ? std::vector<ImportedGame>{} : games_of(store, ids);
}

void check_refused(EventStore& store, const std::vector<ImportedGame>& games,
                   NotRecorded::Cause cause, const std::string& game) {
  const auto before = all_commits(store).size();
  const auto recorded = record_together(store, games);
  BOOST_REQUIRE(!recorded);
  BOOST_CHECK(recorded.error().cause == cause);
  BOOST_TEST(recorded.error().game == game);
  BOOST_TEST(all_commits(store).size() == before);
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_nothing_that_was_there_under_the_lock_however_many_branches_there_are) {
  for (const int branches : {0, 10, 300}) {
    MemoryStore source;
    record_origin(source);
    const auto games = branches_of_origin(source, branches);
    MemoryStore target;
    BOOST_REQUIRE(record_together(target, games_of(source, {"m"})));
    WatchedStore watched(target);
    BOOST_REQUIRE(record_together(watched, games));
    BOOST_TEST(all_commits(target).size() == all_commits(source).size());
    // The log is proven once outside the lock. Under the lock, its last commit shows that it is the
    // same.
    BOOST_TEST(watched.commits <= static_cast<std::size_t>(turns) + 2);
    BOOST_TEST(watched.commits_under_lock <= 1U);
  }
}

BOOST_AUTO_TEST_CASE(reads_nothing_of_games_that_are_in_the_file) {
  for (const int branches : {0, 10, 300}) {
    MemoryStore source;
    record_origin(source);
    auto games = branches_of_origin(source, branches);
    games.push_back(std::move(games_of(source, {"m"}).front()));
    MemoryStore target;
    WatchedStore watched(target);
    BOOST_REQUIRE(record_together(watched, games));
    BOOST_TEST(watched.commits == 0U);
    BOOST_TEST(audit_store(target).ok());
    BOOST_TEST(audit_store(target).unproven_origins == 0);
  }
}

BOOST_AUTO_TEST_CASE(refuses_a_branch_that_begins_otherwise_wherever_its_origin_is) {
  const std::vector<Change> changes{
      [](GameSetup& setup) { ++setup.origin->position.cells[0]; },
      [](GameSetup& setup) { setup.players[0] = "Eve"; },
      [](GameSetup& setup) { ++setup.seed; },
  };
  for (const Change& change : changes) {
    MemoryStore source;
    record_origin(source);
    record_branch(source, "a", turns, change);
    record_branch(source, "b", turns, [](GameSetup&) {});
    MemoryStore target;
    check_refused(target, games_of(source, {"b", "a", "m"}), NotRecorded::Cause::unsound, "a");
    BOOST_TEST(!rehearse_together(&target, games_of(source, {"a", "m"})));
    BOOST_TEST(!rehearse_together(nullptr, games_of(source, {"a", "m"})));
    BOOST_TEST(rehearse_together(nullptr, games_of(source, {"a"})).has_value());
    BOOST_REQUIRE(record_together(target, games_of(source, {"m"})));
    check_refused(target, games_of(source, {"b", "a"}), NotRecorded::Cause::unsound, "a");
    BOOST_TEST(!rehearse_together(&target, games_of(source, {"a"})));
    BOOST_REQUIRE(record_together(target, games_of(source, {"b"})));
    BOOST_TEST(audit_store(target).ok());
  }
}

BOOST_AUTO_TEST_CASE(looks_again_under_the_lock_at_what_others_recorded_meanwhile) {
  MemoryStore source;
  Match origin = record_origin(source);
  record_branch(source, "sound", turns, [](GameSetup&) {});
  record_branch(source, "a", turns, [](GameSetup& setup) { ++setup.seed; });
  const auto whole = games_of(source, {"m"});
  const auto branch = games_of(source, {"a"});
  // The origin is imported, is continued up to the head that the branch names, or is another game.
  using Moment = std::function<void()> WatchedStore::*;
  const auto race = [&](EventStore& target, const std::vector<ImportedGame>& games, Moment moment,
                        const std::function<void()>& meanwhile) {
    WatchedStore watched(target);
    watched.*moment = meanwhile;
    const auto recorded = record_together(watched, games);
    BOOST_REQUIRE(!recorded);
    BOOST_CHECK(recorded.error().cause == NotRecorded::Cause::unsound);
    BOOST_CHECK(!target.head("a"));
    BOOST_CHECK(target.head("m") == origin.head());
    BOOST_CHECK(record_together(target, games_of(source, {"sound"})).has_value());
    BOOST_TEST(audit_store(target).ok());
  };
  const Head half{turns / 2, source.commit("m", turns / 2)->hash};
  Lines lines;
  export_jsonl(source, "m", half, [&](std::string_view line) { lines.emplace_back(line); });
  for (const Moment moment : {&WatchedStore::before_lock, &WatchedStore::before_append}) {
    MemoryStore without;
    race(without, branch, moment, [&] { BOOST_REQUIRE(record_together(without, whole)); });
    // The file has half of the origin itself.
    MemoryStore empty;
    auto games = import_of(lines).games;
    games.push_back(branch.front());
    race(empty, games, moment, [&] { BOOST_REQUIRE(record_together(empty, whole)); });
    MemoryStore behind;
    BOOST_REQUIRE(record_together(behind, import_of(lines).games));
    race(behind, branch, moment, [&] {
      Match match = Match::load(behind, "m", clock_at(source, "m", half.version + 1)).value();
      while (match.head().version < origin.head().version)
        perform(match, RollTurn{});
      BOOST_REQUIRE(match.head() == origin.head());
    });
  }
}

BOOST_AUTO_TEST_CASE(proves_a_branch_by_the_store_where_that_has_gone_on_from_the_file) {
  MemoryStore source;
  Match origin = record_origin(source);
  const Head half{turns / 2, source.commit("m", turns / 2)->hash};
  Lines lines;
  export_jsonl(source, "m", half, [&](std::string_view line) { lines.emplace_back(line); });
  record_branch(source, "sound", turns, [](GameSetup&) {});
  record_branch(source, "a", turns, [](GameSetup& setup) { ++setup.seed; });
  MemoryStore target;
  BOOST_REQUIRE(record_together(target, games_of(source, {"m"})));
  auto games = import_of(lines).games;
  games.push_back(std::move(games_of(source, {"a"}).front()));
  check_refused(target, games, NotRecorded::Cause::unsound, "a");
  BOOST_TEST(!rehearse_together(&target, games));
  games.back() = std::move(games_of(source, {"sound"}).front());
  BOOST_REQUIRE(record_together(target, games).has_value());
  BOOST_TEST(audit_store(target).ok());
}

BOOST_AUTO_TEST_CASE(refuses_another_game_under_an_id_in_the_file_or_in_the_store) {
  MemoryStore one;
  record_small(one);
  MemoryStore two;
  Match match = start(two, "g", {.board = {.cells = 9}});
  perform(match, turn_of_next(match, {3}));
  perform(match, UndoTurns{1});
  auto games = games_of(one, {"g"});
  auto others = games_of(two, {"g"});
  check_refused(one, others, NotRecorded::Cause::conflict, "g");
  BOOST_TEST(!rehearse_together(&one, others));
  BOOST_CHECK(record_together(one, games).has_value());
  games.push_back(std::move(others.front()));
  MemoryStore target;
  check_refused(target, games, NotRecorded::Cause::conflict, "g");
  BOOST_TEST(!rehearse_together(nullptr, games));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(an_export_that_was_changed)

namespace {
Lines small_export() {
  MemoryStore store;
  record_small(store);
  return export_of(store, "g");
}
}  // namespace

BOOST_AUTO_TEST_CASE(is_refused_where_lines_are_missing) {
  const Lines lines = small_export();
  check_fault({}, true, "there is no game in it");
  for (std::size_t count = 1; count < lines.size(); ++count)
    check_fault({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)}, false,
                "but its header names version 3");
  for (std::size_t missing = 1; missing < lines.size(); ++missing) {
    Lines without = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(missing));
    BOOST_CHECK(import_of(without).fault);
  }
}

BOOST_AUTO_TEST_CASE(is_refused_where_lines_are_doubled_or_swapped) {
  const Lines lines = small_export();
  for (std::size_t line = 0; line < lines.size(); ++line) {
    Lines doubled = lines;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(line), lines[line]);
    BOOST_CHECK(import_of(doubled).fault);
    if (line + 1 == lines.size()) continue;
    Lines swapped = lines;
    std::swap(swapped[line], swapped[line + 1]);
    BOOST_CHECK(import_of(swapped).fault);
  }
}

BOOST_AUTO_TEST_CASE(is_refused_with_the_line_that_is_wrong) {
  const Lines sound = small_export();
  const auto with = [&](std::size_t line, std::string_view old, std::string_view text) {
    Lines lines = sound;
    lines[line] = replaced(lines[line], old, text);
    return lines;
  };
  // The header.
  check_fault(with(0, "\"game\",", "\"team\","), true, "line 1: an export begins with");
  check_fault(with(0, "\"format\":1", "\"format\":2"), true, "export format 2 isn't known");
  check_fault(with(0, "\"format\":1,", ""), true, "export format 0 isn't known");
  check_fault(with(0, "\"version\":3", "\"version\":0"), true, "a header names a game");
  check_fault(with(0, "\"version\":3", "\"version\":\"3\""), true, "a header names a game");
  check_fault(with(0, "\"game\":\"g\"", "\"game\":\"-g\""), true, "a header names a game");
  check_fault(with(0, "\"head\":\"", "\"head\":\"0"), true, "a header names a game");
  check_fault(with(0, "{", "["), true, "line 1: an export begins with");
  check_fault(with(0, "\"version\":3", "\"version\":2"), false, "line 3: game g: its head isn't");
  check_fault(with(0, "\"version\":3", "\"version\":4"), false, "but its header names version 4");
  // Commits.
  check_fault(with(2, "{\"game\"", "{game"), true, "line 3: this isn't a JSON object");
  check_fault(with(2, "\"hash\"", "\"hush\""), true, "line 3: a commit has a game");
  check_fault(with(2, "2026-01-01T", "2026-01-01 "), true, "line 3: a commit has a game");
  check_fault(with(2, "\"version\":2", "\"version\":2.0"), true, "line 3: a commit has a game");
  check_fault(with(2, "\"version\":2", "\"version\":3"), false, "version 2 is missing");
  check_fault(with(2, "\"game\":\"g\"", "\"game\":\"h\""), false,
              "line 3: game g ends at version 1");
  check_fault(with(2, "00:00:01.001", "00:00:01.002"), false,
              "line 3: game g, version 2: its hash");
  check_fault(with(2, "[2]", "[3]"), false, "line 3: game g, version 2: its hash");
  check_fault(with(2, "k\\\"1", "k\\\"2"), false, "line 3: game g, version 2: its hash");
}

BOOST_AUTO_TEST_CASE(and_hashed_anew_is_still_refused) {
  MemoryStore store;
  record_small(store);
  const Commit first = *store.commit("g", 1);
  const Commit turn = *store.commit("g", 2);
  const std::string events = replaced(turn.events, "3,3", "4,4");
  HashChain chain;
  const Hash hash = chain.next(first.hash, "g", format_time(turn.time), turn.command, events);
  Lines lines = small_export();
  lines.pop_back();
  lines[0] = replaced(replaced(lines[0], "\"version\":3", "\"version\":2"),
                      to_hex(store.head("g")->hash), to_hex(hash));
  lines[2] = replaced(replaced(lines[2], "3,3", "4,4"), to_hex(turn.hash), to_hex(hash));
  check_fault(lines, false, "line 3: game g, version 2: its command, decided again");
}

BOOST_AUTO_TEST_CASE(to_have_a_command_id_twice_is_refused_even_hashed_anew) {
  MemoryStore store;
  Match match = start(store, "g", {.board = {.cells = 9}});
  perform(match, turn_of_next(match, {2}), {.command_id = "one"});
  perform(match, turn_of_next(match, {2}), {.command_id = "two"});
  const auto with_last_id = [&](std::string_view id) {
    Lines lines = export_of(store, "g");
    const Commit last = *store.commit("g", 3);
    const std::string command = replaced(last.command, "two", id);
    HashChain chain;
    const Hash hash =
        chain.next(store.commit("g", 2)->hash, "g", format_time(last.time), command, last.events);
    lines[0] = replaced(lines[0], to_hex(last.hash), to_hex(hash));
    lines[3] = replaced(replaced(lines[3], last.command, command), to_hex(last.hash), to_hex(hash));
    return lines;
  };
  BOOST_CHECK(!import_of(with_last_id("six")).fault);
  check_fault(with_last_id("one"), false, "line 4: command ID \"one\" appears twice");
}

BOOST_AUTO_TEST_CASE(in_any_byte_is_refused_or_means_the_same) {
  MemoryStore sound;
  record_small(sound);
  const std::string text = joined(export_of(sound, "g"));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char byte : {'\0', ' ', '"', '0', '1', '9', 'a', ',', '\\', '\n', '}', '\xFF'}) {
      if (text[at] == byte) continue;
      std::string changed = text;
      changed[at] = byte;
      const auto imported = import_of(split(changed));
      if (imported.fault) {
        ++refused;
        continue;
      }
      MemoryStore other;
      for (const ImportedGame& game : imported.games)
        added_by(other, game);
      BOOST_CHECK_MESSAGE(same_game(sound, other, "g") && all_commits(other).size() == 3,
                          "byte " << at << " as " << int{byte});
    }
  BOOST_TEST(refused > 11 * text.size());
}

BOOST_AUTO_TEST_CASE(in_spaces_escapes_and_order_alone_means_the_same) {
  Lines lines = small_export();
  lines[0] =
      replaced(lines[0], "{\"snl\":\"game\",", "{ \"x\" : null, \"snl\" : \"\\u0067ame\" , ");
  lines[2] = replaced(lines[2], "\"version\":2,", "");
  lines[2] = replaced(lines[2], "{\"game\"", "{\"version\" :2, \"game\"");
  lines[2] = replaced(lines[2], "[1,0,[2]]", "[ 1, 0, [ 2 ] ]") + " \r";
  const auto imported = import_of(lines);
  BOOST_REQUIRE_MESSAGE(!imported.fault, imported.fault->why);
  MemoryStore sound;
  record_small(sound);
  MemoryStore other;
  added_by(other, imported.games.at(0));
  BOOST_CHECK(same_game(sound, other, "g"));
}

BOOST_AUTO_TEST_CASE(to_anything_crashes_nothing) {
  BOOST_TEST(rc::check("any text after a sound header is refused", [](const Lines& garbage) {
    Lines lines{small_export().front()};
    std::ranges::copy(garbage, std::back_inserter(lines));
    RC_ASSERT(import_of(lines).fault.has_value());
  }));
  check_fault({std::string(100'000, '[')}, true, "an export begins with");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_turn_line)

namespace {
void check_turn(std::string_view line, const std::string& player,
                const std::vector<std::int32_t>& dice, const std::optional<std::string>& id = {},
                const std::vector<std::string>& players = {}) {
  const auto turn = parse_turn_line(line, players);
  BOOST_REQUIRE_MESSAGE(turn && *turn, line << " isn't taken");
  BOOST_TEST((*turn)->player == player);
  BOOST_TEST((*turn)->dice == dice, boost::test_tools::per_element());
  BOOST_CHECK((*turn)->command_id == id);
}

void check_no_turn(std::string_view line, std::string_view words) {
  const auto turn = parse_turn_line(line);
  BOOST_REQUIRE_MESSAGE(!turn, line << " is taken");
  BOOST_CHECK_MESSAGE(turn.error().find(words) != std::string::npos,
                      turn.error() << " doesn't say " << words);
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_a_player_and_dice) {
  check_turn("Ann 3", "Ann", {3});
  check_turn("Ann Lee 6-6-1", "Ann Lee", {6, 6, 1});
  check_turn("Ann 6-3\r", "Ann", {6, 3});
  check_turn("Ann 6-3   ", "Ann", {6, 3});
  for (const char* line : {"  Ann  3", "Ann\t3", "Ann 3\t", "\tAnn \t 3 \r"})
    check_turn(line, "Ann", {3});
  check_turn("Ann 0-007", "Ann", {0, 7});
  check_turn("Ann 99999999999", "Ann", {2147483647});  // no die has this face
  check_turn("Ann 1-2-3-4-5", "Ann", {1, 2, 3, 4, 5});
}

BOOST_AUTO_TEST_CASE(is_one_of_the_players_before_anything_else) {
  const std::vector<std::string> players{"Ann", "Ann 6", "Ann ", " Ann", " #", "\u00a0"};
  const auto check = [&](std::string_view line, const std::string& player,
                         const std::vector<std::int32_t>& dice) {
    check_turn(line, player, dice, {}, players);
  };
  check("Ann 3", "Ann", {3});
  check("Ann  3", "Ann ", {3});
  check("Ann\t3", "Ann", {3});
  check(" Ann 3", " Ann", {3});
  check(" # 3", " #", {3});
  check("Ann 6 3", "Ann 6", {3});
  check("Ann 6 6 3", "Ann 6", {6, 3});
  check("Ann 6-6 3", "Ann", {6, 6, 3});
  check("  Ann 5 3 ", "Ann", {5, 3});
  check("Zed 6 3", "Zed 6", {3});
  check("6 6 3", "6 6", {3});
}

BOOST_AUTO_TEST_CASE(is_json_where_it_looks_like_it) {
  check_turn("\t{\"player\":\"A\",\"dice\":[2]} ", "A", {2});
  check_turn(R"({"player":"Ann Lee","dice":[6,6,1]})", "Ann Lee", {6, 6, 1});
  check_turn(R"({"id":"k","dice":[],"player":"\u0041"})", "A", {}, "k");
  check_turn(R"({"player":"A","dice":[-1,3000000000,18446744073709551615]})", "A",
             {-1, 2147483647, 2147483647});
  check_no_turn(R"({"player":"A","dice":[1])", "this isn't a JSON object");
  check_no_turn(R"({"player":"A","player":"B","dice":[1]})", "\"player\" appears twice");
  check_no_turn(R"({"player":"A","dice":[1],"dice":[2]})", "\"dice\" appears twice");
  check_no_turn(R"({"id":"x","id":"x","player":"A","dice":[1]})", "\"id\" appears twice");
  check_no_turn(R"({"player":"A"})", "both needed");
  check_no_turn(R"({"dice":[1]})", "both needed");
  check_no_turn(R"({"player":1,"dice":[1]})", "\"player\" is a text in quotes");
  check_no_turn(R"({"player":"A","dice":[1],"id":7})", "\"id\" is a text in quotes");
  check_no_turn(R"({"player":"A","dice":1})", "\"dice\" is a list of whole numbers");
  check_no_turn(R"({"player":"A","dice":"[1]"})", "\"dice\" is a list of whole numbers");
  check_no_turn(R"({"player":"A","dice":[1.5]})", "whole numbers");
  check_no_turn(R"({"player":"A","dice":["1"]})", "whole numbers");
  check_no_turn(R"({"player":"A","dice":[1],"x":1})", "\"x\" isn't expected here");
}

BOOST_AUTO_TEST_CASE(is_passed_over_where_it_is_blank_or_a_comment) {
  for (const char* line : {"", " ", "\t", "\r", "# a comment", "#", "#1 3", " # 3", "\t#"}) {
    const auto turn = parse_turn_line(line);
    BOOST_CHECK_MESSAGE(turn && !*turn, line);
  }
}

BOOST_AUTO_TEST_CASE(that_is_neither_is_an_error) {
  check_no_turn("Ann", "\"Ann\" isn't a turn");
  check_no_turn("6-3", "isn't a turn");
  for (const char* dice : {"x", "6-", "-6", "6--3", "6,", "+6", "6-x", "6.0", "0x6", "6-3!"})
    check_no_turn(std::string("Ann ") + dice, "isn't a list of dice");
}

BOOST_AUTO_TEST_CASE(of_any_name_is_read_back) {
  for (const std::string& name : odd_names())
    for (const Dice& dice : {Dice{6, 6, 1}, Dice{3}}) {
      const std::string line = format_turn_line(name, dice);
      const auto values = dice.values();
      BOOST_TEST_CONTEXT(line) check_turn(line, name, {values.begin(), values.end()});
    }
  BOOST_TEST(rc::check("parse(format(turn)) == turn", [] {
    const std::string name = *any_name();
    const auto turn = parse_turn_line(format_turn_line(name, {6, 2}));
    RC_ASSERT(turn && *turn);
    RC_ASSERT((*turn)->player == name);
  }));
}

BOOST_AUTO_TEST_CASE(of_a_plain_name_is_plain) {
  BOOST_TEST(format_turn_line("Ann Lee", {6, 3}) == "Ann Lee 6-3");
  BOOST_TEST(format_turn_line("#1", {6}) == R"({"player":"#1","dice":[6]})");
  BOOST_TEST(format_turn_line("[A", {6}) == R"({"player":"[A","dice":[6]})");
  BOOST_TEST(format_turn_line("{\"x", {6, 6, 2}) == R"({"player":"{\"x","dice":[6,6,2]})");
  // A first line would lose it.
  BOOST_TEST(format_turn_line("\uFEFFA", {6}) == "{\"player\":\"\uFEFFA\",\"dice\":[6]}");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_game_as_text)

namespace {

const std::string golden =
    "[Id \"final\"]\n"
    "[Player \"Ann\"]\n"
    "[Player \"\\\"B\\\" \\\\\"]\n"
    "[Cells \"30\"]\n"
    "[Width \"10\"]\n"
    "[Snake \"17,7\"]\n"
    "[Snake \"27,1\"]\n"
    "[Ladder \"3,22\"]\n"
    "[Ladder \"5,8\"]\n"
    "[Start \"1\"]\n"
    "[Finish \"exact\"]\n"
    "[Dice \"1\"]\n"
    "[Faces \"6\"]\n"
    "[Sixes \"again\"]\n"
    "\n"
    "Ann 6-6-6\n"
    "\"B\" \\ 2\n"
    "Ann 6-3\n";

void check_no_game(const std::string& text, std::string_view words) {
  const auto game = parse_game_text(text);
  BOOST_REQUIRE_MESSAGE(!game, text << " is taken");
  BOOST_CHECK_MESSAGE(game.error().find(words) != std::string::npos,
                      game.error() << " doesn't say " << words);
}

/// Plays a text's turns in a new game.
Match replay(EventStore& store, const std::string& id, const WholeText& text, std::uint64_t seed) {
  GameSetup setup = *text.setup;
  setup.seed = seed;
  Match match = Match::start(store, id, {std::make_shared<const GameSetup>(setup)}).value();
  for (const auto& [line, turn] : text.turns)
    perform(match, PlayTurn{seat_of(setup, turn.player), Dice(std::span(turn.dice))});
  return match;
}

const std::string two_players = "[Player \"A\"]\n[Player \"B\"]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(has_its_headers_and_the_turns_in_force) {
  MemoryStore store;
  Match match = start(store, "final", {.players = {"Ann", "\"B\" \\"}});
  perform(match, turn_of_next(match, {6, 6, 6}));
  perform(match, turn_of_next(match, {4}));
  perform(match, UndoTurns{1});
  perform(match, turn_of_next(match, {2}));
  perform(match, turn_of_next(match, {6, 3}));
  BOOST_TEST(format_game_text("final", history_of(store, "final").timeline).value() == golden);
}

BOOST_AUTO_TEST_CASE(is_read_back) {
  const auto game = parse_game_text(golden);
  BOOST_REQUIRE_MESSAGE(game, game.error());
  BOOST_CHECK(game->id == "final");
  const auto setup = start_of({.players = {"Ann", "\"B\" \\"}, .seed = 0}).setup;
  BOOST_CHECK(*game->setup == *setup);
  BOOST_REQUIRE_EQUAL(game->turns.size(), 3U);
  BOOST_TEST(game->turns[1].line == 17U);
  BOOST_TEST(game->turns[1].turn.player == "\"B\" \\");
}

BOOST_AUTO_TEST_CASE(of_any_game_is_read_back_with_its_turns) {
  BOOST_TEST(
      rc::check("replay(parse(format(game))) has the game's turns", [](const Script& script) {
        MemoryStore store;
        const Match match = play(store, "a", script);
        const Timeline timeline = history_of(store, "a").timeline;
        const auto text = format_game_text("a", timeline);
        RC_ASSERT(text.has_value() == !script.setup->origin.has_value());
        if (!text) return;
        const auto game = parse_game_text(*text);
        RC_ASSERT(game.has_value());
        GameSetup told = *match.state().setup;
        told.draw.reset();
        const Match again = replay(store, "b", *game, told.seed);
        RC_ASSERT(again.state().position == match.state().position);
        RC_ASSERT(*again.state().setup == told);
        RC_ASSERT(format_game_text("a", history_of(store, "b").timeline) == text);
      }));
}

BOOST_AUTO_TEST_CASE(has_names_that_would_be_misread_as_json) {
  for (std::size_t i = 0; i + 1 < odd_names().size(); i += 2) {
    MemoryStore store;
    Match match = start(store, "a", {.players = {odd_names()[i], odd_names()[i + 1]}});
    perform(match, turn_of_next(match, {6, 6, 6}));
    perform(match, turn_of_next(match, {6, 6, 6}));
    const std::string text = format_game_text("a", history_of(store, "a").timeline).value();
    const auto game = parse_game_text(text);
    BOOST_REQUIRE_MESSAGE(game, text << game.error());
    BOOST_CHECK(replay(store, "b", *game, 7).state().position == match.state().position);
  }
}

BOOST_AUTO_TEST_CASE(is_not_there_of_a_branch) {
  MemoryStore store;
  record_orchard(store);
  BOOST_CHECK(format_game_text("apple", history_of(store, "apple").timeline).has_value());
  BOOST_CHECK(!format_game_text("cherry", history_of(store, "cherry").timeline));
}

BOOST_AUTO_TEST_CASE(needs_no_more_than_two_players) {
  const auto game = parse_game_text(two_players);
  BOOST_REQUIRE(game.has_value());
  BOOST_CHECK(!game->id);
  BOOST_TEST(game->setup->board.cells() == 100);
  BOOST_CHECK(game->setup->rules == Rules{});
  BOOST_TEST(game->turns.empty());
}

BOOST_AUTO_TEST_CASE(may_have_comments_blank_lines_and_other_line_ends) {
  const auto game = parse_game_text(
      "# by hand\r\n\r\n[Player \"A\"]\r\n\n# more\n[Player \"B\"]\r\n"
      "A 3\r\n\r\n# then\r\nB 2");
  BOOST_REQUIRE_MESSAGE(game, game.error());
  BOOST_REQUIRE_EQUAL(game->turns.size(), 2U);
  BOOST_TEST(game->turns[0].line == 7U);
  BOOST_TEST(game->turns[1].line == 10U);
}

BOOST_AUTO_TEST_CASE(plays_plain_sixes_where_other_dice_rule_the_rest_out) {
  const auto game = parse_game_text(two_players + "[Dice \"2\"]\n");
  BOOST_REQUIRE(game.has_value());
  BOOST_CHECK(game->setup->rules.sixes == Sixes::plain);
  check_no_game(two_players + "[Dice \"2\"]\n[Sixes \"again\"]\n", "the headers: ");
}

BOOST_AUTO_TEST_CASE(is_played_as_turn_by_turn) {
  const std::string text = two_players + "[Cells \"30\"]\n\nA 3\n" +
                           R"({"player":"B","dice":[6,1],"id":"k"})" + "\nA 2\n";
  const auto game = parse_game_text(text);
  BOOST_REQUIRE_MESSAGE(game, game.error());
  GameFromText played(*game->setup, 9, ticking_clock());
  for (const auto& [line, turn] : game->turns)
    BOOST_REQUIRE(played.play(turn).has_value());
  MemoryStore store;
  BOOST_REQUIRE(store.append("g", 0, played.commits(), played.state()));
  BOOST_TEST(audit_store(store).ok());
  BOOST_TEST(history_of(store, "g").timeline.state().setup->seed == 9U);
  MemoryStore by_hand;
  GameSetup setup = *game->setup;
  setup.seed = 9;
  Match match =
      Match::start(by_hand, "g", {std::make_shared<const GameSetup>(setup)}, ticking_clock())
          .value();
  perform(match, PlayTurn{0, {3}});
  perform(match, PlayTurn{1, {6, 1}}, {.command_id = "k"});
  perform(match, PlayTurn{0, {2}});
  BOOST_CHECK(same_game(store, by_hand, "g"));
}

BOOST_AUTO_TEST_CASE(refuses_a_turn_that_the_rules_refuse_and_stays_as_it_was) {
  GameFromText game(*parse_game_text(two_players).value().setup, 0);
  const auto turn = [](const std::string& player, std::int32_t die) {
    return parse_turn_line(fmt::format("{} {}", player, die)).value().value();
  };
  BOOST_REQUIRE(game.play(turn("A", 3)).has_value());
  const GameState before = game.state();
  const auto refused = [&](const std::string& player, std::int32_t die) {
    const auto played = game.play(turn(player, die));
    BOOST_REQUIRE(!played);
    BOOST_TEST(game.commits().size() == 2U);
    BOOST_CHECK(game.state() == before);
    return played.error();
  };
  BOOST_CHECK(std::holds_alternative<InvalidMove>(refused("A", 3)));
  BOOST_CHECK(std::holds_alternative<UnknownPlayer>(refused("C", 3)));
  BOOST_CHECK(std::holds_alternative<ImpossibleDice>(refused("B", 7)));
}

BOOST_AUTO_TEST_CASE(tells_each_turn_with_its_line_as_it_is_read) {
  GameTextReader reader;
  for (const std::string line : {"[Player \"A\"]", "[Player \"B\"]", ""})
    BOOST_TEST(!reader.add(line).value().has_value());
  const auto turn = reader.add("A 3").value();
  BOOST_REQUIRE(turn.has_value());
  BOOST_TEST(turn->line == 4U);
  BOOST_TEST(turn->turn.player == "A");
  BOOST_TEST(reader.game().value().setup->players.size() == 2U);
}

BOOST_AUTO_TEST_CASE(passes_over_headers_that_it_does_not_know) {
  GameTextReader reader(10);
  for (const std::string line : {"[Player \"A\"]", "[Colour \"red\"]", " [Player\t\"B\" ] ", ""})
    BOOST_TEST(!reader.add(line).value().has_value());
  BOOST_TEST(reader.game().value().setup->players.size() == 2U);
  BOOST_REQUIRE_EQUAL(reader.unknown_headers().size(), 1U);
  BOOST_TEST(reader.unknown_headers().front() == "line 12: the header Colour isn't known");
}

BOOST_AUTO_TEST_CASE(ends_where_the_headers_of_another_begin) {
  GameTextReader reader;
  const std::string id = "[Id \"a\"]";
  for (const std::string& line :
       {id, std::string("[Player \"A\"]"), std::string("[Player \"B\"]")}) {
    BOOST_TEST(!reader.ends_before(id));
    BOOST_REQUIRE(reader.add(line));
  }
  BOOST_REQUIRE(reader.add(""));
  BOOST_TEST(reader.ends_before(id));
  BOOST_TEST(!reader.ends_before("[Cells \"9\"]"));
  BOOST_REQUIRE(reader.add("A 3"));
  BOOST_TEST(reader.ends_before("[Cells \"9\"]"));
  BOOST_TEST(!reader.ends_before("[Bob] 3"));
  BOOST_TEST(reader.lines() == 5U);
}

BOOST_AUTO_TEST_CASE(that_cannot_be_read_names_the_line) {
  check_no_game("", "the headers: 0 players");
  check_no_game(two_players + "[Player \"A\"]", "two players have this name");
  check_no_game(two_players + "[Id \"a\"]\n[Id \"b\"]", "line 4: the game has two Id headers");
  for (const std::string header :
       {"[Cells \"9\"]", "[Width \"3\"]", "[Start \"0\"]", "[Dice \"1\"]", "[Faces \"8\"]",
        "[Finish \"exact\"]", "[Sixes \"plain\"]"})
    check_no_game(
        two_players + header + "\n" + header,
        "line 4: the game has two " + header.substr(1, header.find(' ') - 1) + " headers");
  const std::string turn = R"({"player":"A","dice":[2],"id":"k"})";
  const std::string other = R"({"player":"B","dice":[2],"id":"k"})";
  check_no_game(two_players + turn + "\n" + other, "line 4: command ID \"k\" appears twice");
  check_no_game(two_players + R"({"player":"A","dice":[2],"id":""})", "line 3: command ID");
  check_no_game(two_players + "[Cells \"many\"]", "line 3: Cells \"many\": a number");
  check_no_game(two_players + "[Cells \"1\"]", "the headers: ");
  check_no_game(two_players + "[Cells \"99999999999999999999\"]", "line 3: Cells");
  check_no_game(two_players + "[Faces \"4294967302\"]", "line 3: Faces");
  check_no_game(two_players + "[Snake \"7\"]", "line 3: Snake \"7\": two cells");
  check_no_game(two_players + "[Snake \"7,\"]", "line 3: Snake \"7,\": two cells");
  check_no_game(two_players + "[Ladder \"3,22,4\"]", "line 3: Ladder");
  check_no_game(two_players + "[Snake \"3,22\"]\n[Ladder \"9,2\"]", "lower one; ladder 9,2: ");
  check_no_game(two_players + "[Snake \"3,22\"]\n[Enter \"9,9\"]", "enter 9,9: 9 is named twice");
  check_no_game(two_players + "[Finish \"soft\"]", "line 3: Finish \"soft\": it must be exact");
  check_no_game(two_players + "[Sixes \"six\"]",
                "line 3: Sixes \"six\": it must be again, plain or each");
  for (const std::string header : {"[Id]", "[Id \"x]", "[Id \"x\"", "[Id x]", "[Id \"x\"]]",
                                   "[Id \"x\\\"]", "[Id \"x\\", "[", "[]", "[ \"x\"]"})
    check_no_game(two_players + header, "line 3: " + header + " isn't a header");
  check_no_game(two_players + "\nA 3\nB", "line 5: \"B\" isn't a turn");
  check_no_game(two_players + "\nA 3\n[Cells \"9\"]", "line 5: ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
