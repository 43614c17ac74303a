// Goal: a recorded game can be played from any number of objects, connections and processes at
// once, and is always the game in its log.
//
// Method: examples on both stores, a decorator that counts the reads of a match, derived rows
// changed by hand, forked processes, and properties over random games.
#include "storage/match.hpp"

#include "passing_store.hpp"
#include "scripted.hpp"
#include "storage/audit.hpp"
#include "storage/codec.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/store_admin.hpp"
#include "testbed.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <array>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

using Access = SqliteStore::Access;

/// Counts the commits that are read singly or in pages.
class CountingStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;

  std::size_t looked_up = 0;  // by themselves
  std::size_t lent = 0;       // in pages

  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    PassingStore::read(game, from, limit, page);
    lent += page.size();
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    PassingStore::read_all(from, limit, page);
    lent += page.size();
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    ++looked_up;
    return PassingStore::commit(game, version);
  }
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override {
    ++looked_up;
    return PassingStore::commit_with_id(game, command_id);
  }
};

/// The contents of a match and of its game's log.
struct Portrait {
  GameState state;
  Head head;
  std::vector<Commit> commits;
  friend bool operator==(const Portrait&, const Portrait&) = default;
};
Portrait portrait_of(EventStore& store, const Match& match) {
  return {match.state(), match.head(), commits_of(store, match.id())};
}

template <class Reason>
Reason refusal_in(const std::expected<Recorded, Rejection>& result) {
  BOOST_REQUIRE(!result.has_value());
  const auto* refusal = std::get_if<Refusal>(&result.error());
  BOOST_REQUIRE_MESSAGE(refusal != nullptr, "rejected as alternative " << result.error().index());
  BOOST_REQUIRE(std::holds_alternative<Reason>(*refusal));
  return std::get<Reason>(*refusal);
}

template <class Reason>
Reason rejection_in(const std::expected<Recorded, Rejection>& result) {
  BOOST_REQUIRE(!result.has_value());
  BOOST_REQUIRE(std::holds_alternative<Reason>(result.error()));
  return std::get<Reason>(result.error());
}

Match loaded(EventStore& store, const std::string& id) {
  return Match::load(store, id, ticking_clock()).value();
}

/// A game in which `turns` turns moved nothing.
Match long_game(EventStore& store, const std::string& id, int turns) {
  Match match = start(store, id);
  for (int turn = 0; turn < turns; ++turn)
    perform(match, turn_of_next(match, {6, 6, 6}));
  return match;
}

/// The same, with turns undone and redone, as one commit.
Match long_game_of_all_kinds(EventStore& store, const std::string& id, int commands) {
  std::optional<Match> match;
  together(store, [&] {
    match = start(store, id, {.board = {.cells = 10'000}});
    for (int command = 0; command < commands; ++command) {
      if (command % 7 == 5)
        perform(*match, UndoTurns{2});
      else if (command % 7 == 6)
        perform(*match, RedoTurns{1});
      else
        perform(*match, RollTurn{});
    }
  });
  return *std::move(match);
}

GameState fold_of(EventStore& store, const std::string& id) {
  GameState state;
  for (const Commit& commit : commits_of(store, id))
    state = fold(std::move(state), events_of(commit.view())).value();
  return state;
}

struct InMemory {
  MemoryStore store_;
  EventStore& store() { return store_; }
  EventStore& another() { return store_; }
};
struct InSqlite {
  Folder folder;
  std::string path = folder.file("store.db");
  std::unique_ptr<SqliteStore> one = SqliteStore::open(path, Access::write);
  std::unique_ptr<SqliteStore> two = SqliteStore::open(path, Access::write);
  EventStore& store() { return *one; }
  EventStore& another() { return *two; }
};
using Stores = std::tuple<InMemory, InSqlite>;

}  // namespace

BOOST_AUTO_TEST_SUITE(starting_a_match)

BOOST_AUTO_TEST_CASE_TEMPLATE(records_its_first_commit, World, Stores) {
  World world;
  const StartGame command = start_of();
  const Match match = Match::start(world.store(), "a", command, ticking_clock()).value();
  const auto commits = commits_of(world.store(), "a");
  BOOST_REQUIRE_EQUAL(commits.size(), 1U);
  BOOST_TEST(commits[0].command == encode(Command{command}));
  BOOST_TEST(commits[0].time == new_year);
  BOOST_TEST(match.id() == "a");
  BOOST_CHECK((match.head() == Head{1, commits[0].hash}));
  BOOST_TEST(match.created() == new_year);
  BOOST_TEST(world.store().list_entry("a")->created == new_year);
  BOOST_CHECK(fold_of(world.store(), "a") == match.state());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(by_a_clock_that_no_log_can_hold_blames_the_clock, World, Stores) {
  const auto blames_clock = [](const StoreError& error) {
    return std::string_view(error.what()).starts_with("this machine's clock is set ");
  };
  World world;
  Match match = start(world.store(), "a");
  for (const UnixMilliseconds now : {UnixMilliseconds{-1}, max_time + 1}) {
    const Clock clock = [now] { return now; };
    BOOST_CHECK_EXCEPTION(Match::start(world.store(), "b", start_of(), clock), StoreError,
                          blames_clock);
    Match later = Match::load(world.store(), "a", clock).value();
    BOOST_CHECK_EXCEPTION(later.execute(RollTurn{}), StoreError, blames_clock);
  }
  BOOST_TEST(all_commits(world.store()).size() == 1U);
  for (const UnixMilliseconds now : {UnixMilliseconds{0}, max_time}) {
    Match later = Match::load(world.store(), "a", [now] { return now; }).value();
    perform(later, RollTurn{});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_an_id_that_is_taken_changes_nothing, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  perform(match, RollTurn{});
  const auto again = Match::start(world.another(), "a", start_of());
  BOOST_REQUIRE(!again.has_value());
  BOOST_CHECK(std::holds_alternative<GameIdTaken>(again.error()));
  BOOST_TEST(commits_of(world.store(), "a").size() == 2U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_what_is_no_id_is_refused, World, Stores) {
  World world;
  const auto match = Match::start(world.store(), "two words", start_of());
  BOOST_REQUIRE(!match.has_value());
  BOOST_CHECK(std::holds_alternative<InvalidGameId>(match.error()));
  BOOST_TEST(world.store().list({}, 10).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(that_cannot_be_played_is_refused_with_every_fault, World, Stores) {
  World world;
  GameSetup setup = *start_of().setup;
  setup.players = {"Ann", "Ann", ""};
  const auto refused = Match::start(world.store(), "a", {std::make_shared<const GameSetup>(setup)});
  BOOST_REQUIRE(!refused.has_value());
  const auto& refusal = std::get<Refusal>(refused.error());
  BOOST_TEST(std::get<InvalidSetup>(refusal).faults.size() == 2U);
  BOOST_CHECK(!world.store().head("a"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(that_is_not_there_cannot_be_loaded, World, Stores) {
  World world;
  BOOST_CHECK(!Match::load(world.store(), "a"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(executing_a_command)

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_what_is_recorded, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  const Recorded recorded = perform(match, turn_of_next(match, {2}));
  const Commit commit = world.store().commit("a", 2).value();
  BOOST_TEST(commit.events == encode(recorded.events));
  BOOST_CHECK((recorded.head == Head{2, commit.hash}));
  BOOST_TEST(!recorded.again);
  BOOST_CHECK(match.head() == recorded.head);
  BOOST_CHECK(loaded(world.another(), "a").state() == match.state());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(that_is_refused_records_nothing, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  perform(match, turn_of_next(match, {2}));
  const Portrait before = portrait_of(world.store(), match);
  refusal_in<InvalidMove>(match.execute(PlayTurn{0, {2}}));
  refusal_in<UnknownPlayer>(match.execute(PlayTurn{unknown_seat, {2}}));
  refusal_in<ImpossibleDice>(match.execute(PlayTurn{1, {7}}));
  BOOST_TEST(refusal_in<NotEnoughTurns>(match.execute(UndoTurns{2})).possible == 1);
  refusal_in<NotEnoughTurns>(match.execute(RedoTurns{1}));
  refusal_in<TurnOutOfRange>(match.execute(UndoToTurn{2}));
  refusal_in<WrongStart>(match.execute(start_of()));
  BOOST_CHECK(portrait_of(world.store(), match) == before);
  perform(match, turn_of_next(match, {6, 6, 6}));
  perform(match, turn_of_next(match, {6, 2}));
  refusal_in<GameCompleted>(match.execute(PlayTurn{unknown_seat, {7}}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_the_version_that_is_expected_and_no_other, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  perform(match, RollTurn{}, {.expected_version = 1});
  const Portrait before = portrait_of(world.store(), match);
  for (const Version wrong : {0, 1, 3, 99}) {
    const auto conflict =
        rejection_in<Conflict>(match.execute(RollTurn{}, {.expected_version = wrong}));
    BOOST_TEST(conflict.expected == wrong);
    BOOST_TEST(conflict.actual == 2);
  }
  BOOST_CHECK(portrait_of(world.store(), match) == before);
  BOOST_TEST(perform(match, RollTurn{}, {.expected_version = 2}).head.version == 3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_the_same_id_answers_what_it_answered, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  const PlayTurn turn{0, {2}};
  const Recorded first = perform(match, turn, {.command_id = "key"});
  perform(match, RollTurn{});
  perform(match, UndoTurns{2});
  const Portrait before = portrait_of(world.store(), match);
  Match other = loaded(world.another(), "a");
  for (Match* sender : {&match, &other})
    for (const std::optional<Version> expected : {std::optional<Version>{}, {1}, {77}}) {
      const Recorded again =
          perform(*sender, turn, {.expected_version = expected, .command_id = "key"});
      BOOST_TEST(again.again);
      BOOST_CHECK(again.events == first.events);
      BOOST_CHECK(again.head == first.head);
    }
  BOOST_CHECK(portrait_of(world.store(), match) == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_an_id_that_stands_for_another_is_rejected, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  perform(match, PlayTurn{0, {2}}, {.command_id = "key"});
  const Portrait before = portrait_of(world.store(), match);
  for (const Command& other :
       {Command{PlayTurn{0, {3}}}, Command{RollTurn{}}, Command{UndoTurns{}}}) {
    const auto taken = rejection_in<CommandIdTaken>(
        match.execute(other, {.expected_version = 55, .command_id = "key"}));
    BOOST_TEST(taken.command_id == "key");
    BOOST_TEST(taken.version == 2);
  }
  BOOST_CHECK(portrait_of(world.store(), match) == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_an_id_that_cannot_be_one_is_rejected, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  const Portrait before = portrait_of(world.store(), match);
  for (const std::string& id :
       {std::string(), std::string("a\nb"), std::string("\xFF"), std::string(257, 'x')}) {
    const auto invalid =
        rejection_in<InvalidCommandId>(match.execute(RollTurn{}, {.command_id = id}));
    BOOST_TEST(invalid.command_id == id);
  }
  BOOST_CHECK(portrait_of(world.store(), match) == before);
  perform(match, RollTurn{}, {.command_id = std::string(256, 'x')});
  BOOST_TEST(audit_store(world.store()).ok());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(does_not_remember_the_id_of_a_refusal, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  refusal_in<InvalidMove>(match.execute(PlayTurn{1, {2}}, {.command_id = "key"}));
  BOOST_TEST(perform(match, PlayTurn{0, {3}}, {.command_id = "key"}).head.version == 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(two_matches_on_one_game)

BOOST_AUTO_TEST_CASE_TEMPLATE(decide_again_on_what_the_other_did, World, Stores) {
  World world;
  Match one = start(world.store(), "a");
  Match two = loaded(world.another(), "a");
  for (int round = 0; round < 3; ++round) {
    perform(one, RollTurn{});
    perform(two, RollTurn{});
  }
  BOOST_TEST(two.state().position.turn == 6);
  BOOST_CHECK(loaded(world.store(), "a").state() == two.state());
  BOOST_TEST(audit_store(world.store()).ok());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_each_play_one_players_turns, World, Stores) {
  World world;
  Match anns = start(world.store(), "a");
  Match bobs = loaded(world.another(), "a");
  for (int round = 0; round < 3; ++round) {
    BOOST_CHECK(anns.execute(PlayTurn{0, {6, 6, 6}}).has_value());
    BOOST_CHECK(bobs.execute(PlayTurn{1, {6, 6, 6}}).has_value());
  }
  refusal_in<InvalidMove>(anns.execute(PlayTurn{1, {6, 6, 6}}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(undo_each_others_turns, World, Stores) {
  World world;
  Match one = start(world.store(), "a");
  Match two = loaded(world.another(), "a");
  perform(one, RollTurn{});
  perform(two, UndoTurns{1});
  perform(one, RedoTurns{1});
  BOOST_TEST(one.head().version == 4);
  BOOST_CHECK(loaded(world.another(), "a").state() == one.state());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_judged_by_the_version_that_the_game_is_at, World, Stores) {
  World world;
  Match one = start(world.store(), "a");
  Match two = loaded(world.another(), "a");
  perform(one, RollTurn{});
  BOOST_TEST(rejection_in<Conflict>(two.execute(RollTurn{}, {.expected_version = 1})).actual == 2);
  perform(one, RollTurn{});
  BOOST_TEST(perform(two, RollTurn{}, {.expected_version = 3}).head.version == 4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(see_a_command_id_that_the_other_used, World, Stores) {
  World world;
  Match one = start(world.store(), "a");
  Match two = loaded(world.another(), "a");
  const Recorded first = perform(one, PlayTurn{0, {2}}, {.command_id = "key"});
  const Recorded again = perform(two, PlayTurn{0, {2}}, {.command_id = "key"});
  BOOST_TEST(again.again);
  BOOST_CHECK(again.head == first.head);
  BOOST_TEST(perform(two, RollTurn{}).head.version == 3);
}

/// Another player appends between a caller's decision and its append.
class Overtaken final : public PassingStore {
 public:
  using PassingStore::PassingStore;

  std::function<void()> others;

  std::optional<Head> head(const std::string& game) override {
    if (others) std::exchange(others, nullptr)();
    return PassingStore::head(game);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(see_that_the_other_used_a_command_id_just_now, World, Stores) {
  for (const std::optional<Version> expected : {std::optional<Version>{}, {2}}) {
    World world;
    start(world.store(), "a");
    const Request request{.expected_version = expected, .command_id = "key"};
    Overtaken store(world.store());
    Match match = loaded(store, "a");
    store.others = [&] {
      Match other = loaded(world.another(), "a");
      perform(other, PlayTurn{0, {2}});
      perform(other, PlayTurn{1, {2}}, request);
    };
    const Recorded again = perform(match, PlayTurn{1, {2}}, request);
    BOOST_TEST(again.again);
    BOOST_TEST(again.head.version == 3);
    BOOST_TEST(commits_of(world.store(), "a").size() == 3U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(go_on_from_the_log_after_work_that_was_rolled_back, World, Stores) {
  World world;
  Match match = start(world.store(), "a");
  const auto work = [&] {
    perform(match, turn_of_next(match, {2}));
    perform(match, turn_of_next(match, {4}));
    perform(match, UndoTurns{1});
    throw std::runtime_error("all or nothing");
  };
  BOOST_CHECK_THROW(together(world.store(), work), std::runtime_error);
  perform(match, PlayTurn{0, {6, 6, 6}});
  perform(match, PlayTurn{1, {5}});
  perform(match, UndoTurns{1});
  BOOST_TEST(match.head().version == 4);
  BOOST_CHECK(fold_of(world.store(), "a") == match.state());
  BOOST_TEST(audit_store(world.store()).ok());
}

namespace {
/// A store that fails at the end of any work that it does all or nothing.
class FailingAtTheEnd final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  void locked(const std::string& game,
              const std::function<void(EventStore& store)>& work) override {
    PassingStore::locked(game, [&](EventStore& store) {
      work(store);
      throw std::runtime_error("the disk is full");
    });
  }
};
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(know_nothing_of_a_turn_that_was_rolled_back, World, Stores) {
  World world;
  Match another = start(world.store(), "a");
  FailingAtTheEnd failing(world.store());
  Match match = loaded(failing, "a");
  const GameState before = match.state();
  perform(another, PlayTurn{0, {2}});  // so that the next one is decided all or nothing
  BOOST_CHECK_THROW(std::ignore = match.execute(PlayTurn{1, {3}}), std::runtime_error);
  BOOST_CHECK(match.state() == before);
  BOOST_TEST(match.head().version == 1);
}

namespace {
/// A store whose connection is lost during a commit, for a given number of times. The append is
/// recorded, or it isn't, and something may happen before the next append.
class LostAtCommit final : public PassingStore {
 public:
  enum class Fate : std::uint8_t { recorded, lost };

  using PassingStore::PassingStore;

  int times = 0;
  int times_locked = 0;
  Fate fate = Fate::lost;
  std::function<void()> then = [] {};
  int sent = 0;

  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    if (is_locked_) return PassingStore::append(appends);
    ++sent;
    if (times == 0) return PassingStore::append(appends);
    --times;
    if (fate == Fate::recorded) std::ignore = PassingStore::append(appends);
    lose();
  }
  void locked(const std::string& game,
              const std::function<void(EventStore& store)>& work) override {
    struct Lost {};
    const bool is_lost = times_locked > 0;
    if (is_lost) --times_locked;
    is_locked_ = true;
    try {
      PassingStore::locked(game, [&](EventStore& store) {
        work(store);
        if (is_lost && fate == Fate::lost) throw Lost{};
      });
    } catch (const Lost&) {
      is_locked_ = false;
      lose();
    }
    is_locked_ = false;
    if (is_lost) lose();
  }

 private:
  [[noreturn]] void lose() {
    std::exchange(then, [] {})();
    throw OutcomeUnknown(StoreError::Cause::failed, "store lost: the connection broke");
  }

  bool is_locked_ = false;
};

constexpr std::array fates{LostAtCommit::Fate::recorded, LostAtCommit::Fate::lost};
}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(find_out_what_became_of_a_turn, World, Stores) {
  for (const auto fate : fates)
    for (const std::optional<std::string>& id : {std::optional<std::string>{}, {"key"}}) {
      World world;
      start(world.store(), "a");
      LostAtCommit store(world.store());
      store.fate = fate;
      Match match = loaded(store, "a");
      store.times = 2;
      const Recorded recorded = perform(match, PlayTurn{0, {2}}, {.command_id = id});
      BOOST_TEST(!recorded.again);
      BOOST_TEST(recorded.head.version == 2);
      BOOST_CHECK(world.store().head("a") == recorded.head);
      BOOST_CHECK(match.head() == recorded.head);
      BOOST_TEST(store.sent == 3);
      perform(match, PlayTurn{1, {2}});
      BOOST_TEST(commits_of(world.store(), "a").size() == 3U);
      BOOST_TEST(audit_store(world.store()).ok());
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(find_out_whether_they_were_started, World, Stores) {
  for (const auto fate : fates) {
    World world;
    LostAtCommit store(world.store());
    store.fate = fate;
    store.times = 1;
    Match match = start(store, "a");
    BOOST_TEST(match.head().version == 1);
    perform(match, PlayTurn{0, {2}});
    BOOST_TEST(commits_of(world.store(), "a").size() == 2U);
    store.times = 1;
    Opening other;
    other.seed = 8;
    const StartGame command = start_of(other);
    const auto taken = Match::start(store, "a", command);
    BOOST_TEST(!taken.has_value());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(find_out_though_somebody_moved_meanwhile, World, Stores) {
  for (const auto fate : fates) {
    World world;
    start(world.store(), "a");
    LostAtCommit store(world.store());
    store.fate = fate;
    Match match = loaded(store, "a");
    store.times = 1;
    store.then = [&] {
      Match other = loaded(world.another(), "a");
      perform(other, turn_of_next(other, {6, 6, 6}));
    };
    const auto recorded = match.execute(PlayTurn{0, {2}});
    if (fate == LostAtCommit::Fate::recorded) {
      BOOST_REQUIRE(recorded.has_value());
      BOOST_TEST(recorded->head.version == 2);
      BOOST_TEST(commits_of(world.store(), "a").size() == 3U);
    } else {  // it is the other player's turn by now
      refusal_in<InvalidMove>(recorded);
      BOOST_TEST(commits_of(world.store(), "a").size() == 2U);
    }
    perform(match, RollTurn{});
    BOOST_TEST(audit_store(world.store()).ok());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(find_out_what_became_of_a_turn_under_the_lock, World, Stores) {
  for (const auto fate : fates) {
    World world;
    Match other = start(world.store(), "a");
    LostAtCommit store(world.store());
    store.fate = fate;
    Match match = loaded(store, "a");
    perform(other, turn_of_next(other, {2}));  // so that the next one is decided under the lock
    store.times_locked = 1;
    store.then = [&] {
      Match quicker = loaded(world.another(), "a");
      perform(quicker, turn_of_next(quicker, {6, 6, 6}));
    };
    const auto recorded = match.execute(PlayTurn{1, {4}});
    const bool was_recorded = fate == LostAtCommit::Fate::recorded;
    BOOST_TEST(recorded.has_value() == was_recorded);
    if (was_recorded) BOOST_TEST(recorded->head.version == 3);
    if (!was_recorded) refusal_in<InvalidMove>(recorded);
    BOOST_TEST(commits_of(world.store(), "a").size() == (was_recorded ? 4U : 3U));
    perform(match, RollTurn{});
    BOOST_TEST(audit_store(world.store()).ok());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(say_so_where_it_can_not_be_found_out, World, Stores) {
  for (const auto fate : fates) {
    World world;
    start(world.store(), "a");
    LostAtCommit store(world.store());
    store.fate = fate;
    Match match = loaded(store, "a");
    store.times = 1000;
    BOOST_CHECK_THROW(std::ignore = match.execute(PlayTurn{0, {2}}, {.command_id = "key"}),
                      OutcomeUnknown);
    store.times = 0;
    const Recorded recorded = perform(match, PlayTurn{0, {2}}, {.command_id = "key"});
    BOOST_TEST(recorded.again == (fate == LostAtCommit::Fate::recorded));
    BOOST_TEST(commits_of(world.store(), "a").size() == 2U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fail_where_the_game_is_gone, World, Stores) {
  World world;
  std::optional<Match> match;
  const auto work = [&] {
    match = start(world.store(), "a");
    throw std::runtime_error("all or nothing");
  };
  BOOST_CHECK_THROW(together(world.store(), work), std::runtime_error);
  BOOST_CHECK_THROW(std::ignore = match->execute(RollTurn{}), StoreError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(loading_a_match)

BOOST_AUTO_TEST_CASE(folds_the_log_of_a_usual_game) {
  const InSqlite world;
  const Match match = long_game(*world.one, "a", 50);
  CountingStore counting(*world.two);
  const Match other = loaded(counting, "a");
  BOOST_CHECK(other.state() == match.state());
  BOOST_TEST(other.created() == match.created());
  BOOST_TEST(counting.lent == 51U);
  BOOST_TEST(counting.looked_up == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(folds_what_follows_on_a_snapshot_however_long_the_game_is, World,
                              Stores) {
  World world;
  Match match = long_game_of_all_kinds(world.store(), "a", 700);
  for (int command = 0; command < 100; ++command) {
    CountingStore counting(world.another());
    const Match other = loaded(counting, "a");
    BOOST_CHECK(other.state() == match.state());
    BOOST_CHECK(other.head() == match.head());
    BOOST_TEST(other.created() == match.created());
    BOOST_TEST(std::cmp_equal(counting.lent, match.head().version % snapshot_interval));
    BOOST_TEST(counting.looked_up == 2U);  // the first commit, and that of the snapshot
    perform(match, command % 3 == 2 ? Command{UndoTurns{1}} : Command{RollTurn{}});
  }
  BOOST_TEST(audit_store(world.store()).ok());
}

BOOST_AUTO_TEST_CASE(goes_on_from_a_snapshot_as_from_the_log) {
  const InSqlite world;
  Match match = long_game_of_all_kinds(*world.one, "a", 255);  // the last command is its own
  BOOST_TEST(world.two->snapshot("a")->head.version == 256);
  Match other = loaded(*world.two, "a");
  BOOST_TEST(refusal_in<NotEnoughTurns>(other.execute(RedoTurns{99})).possible ==
             match.state().redoable);
  perform(other, UndoTurns{9});
  perform(other, RedoTurns{9});
  perform(other, RollTurn{});
  BOOST_CHECK(fold_of(*world.one, "a") == other.state());
  BOOST_TEST(audit_game(*world.two, "a")->ok());
}

BOOST_AUTO_TEST_CASE(folds_the_log_where_the_snapshot_was_changed) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  GameState sound;
  {
    const auto store = SqliteStore::open(path, Access::write);
    std::ignore = long_game_of_all_kinds(*store, "b", 300);
    sound = long_game_of_all_kinds(*store, "a", 300).state();
  }
  const auto whole = bytes_of(path);
  for (const std::string change :
       {"version = 255", "version = 257", "version = 1", "version = 9223372036854775807",
        "head = randomblob(32)", "hash = randomblob(32)", "state = ''", "state = '[]'",
        "state = replace(state, ',0,', ',1,')", "state = state || ' '",
        "(version, head) = (SELECT version, hash FROM commits WHERE game = 2 AND version = 300)",
        "(state, hash) = (SELECT state, hash FROM snapshots WHERE game = 1)",
        "(head, state, hash) = (SELECT head, state, hash FROM snapshots WHERE game = 1)"}) {
    write_file(path, whole);
    tamper(path, [&](PlainDatabase& database) {
      database.execute(std::string("UPDATE snapshots SET ") + change + " WHERE game = 2");
    });
    const auto store = SqliteStore::open(path, Access::write);
    BOOST_TEST_CONTEXT(change) {
      const auto report = audit_game(*store, "a");
      BOOST_REQUIRE_EQUAL(report->problems.size(), 1U);
      BOOST_TEST(report->problems[0].kind == "derived");
      BOOST_TEST(audit_game(*store, "b")->ok());
      CountingStore counting(*store);
      Match match = loaded(counting, "a");
      BOOST_CHECK(match.state() == sound);
      BOOST_TEST(counting.lent >= 301U);
      together(*store, [&] {  // until the next one is written in its place
        while (match.head().version < 512)
          perform(match, RollTurn{});
      });
      BOOST_TEST(audit_game(*store, "a")->ok());
    }
  }
}

BOOST_AUTO_TEST_CASE(folds_the_log_where_what_follows_contradicts_the_snapshot) {
  const InSqlite world;
  const Match match = long_game_of_all_kinds(*world.one, "a", 300);
  const Snapshot sound = world.two->snapshot("a").value();
  const auto setup = match.state().setup;
  const std::vector<std::function<void(GameState&)>> forgeries{
      [](GameState& state) { state.position.cells[0] += 1; },
      [](GameState& state) { state.position.turn += 2; },
      [](GameState& state) { state.last_turn -= 1; }};
  for (const auto& forge : forgeries) {
    GameState state = state_in(sound, setup).value();
    forge(state);
    const Snapshot forged = snapshot_of(state, sound.head);
    PlainDatabase(world.path)
        .execute(fmt::format("UPDATE snapshots SET state = '{}', hash = x'{}'", forged.state,
                             to_hex(forged.hash)));
    BOOST_CHECK(world.two->snapshot("a") == forged);
    BOOST_TEST(!audit_game(*world.two, "a")->ok());
    BOOST_CHECK(loaded(*world.two, "a").state() == match.state());
  }
}

BOOST_AUTO_TEST_CASE(tells_at_once_when_a_game_is_won_and_when_that_is_taken_back) {
  const InSqlite world;
  Match match = start(*world.one, "a", {.board = {.cells = 10}, .rules = {.sixes = Sixes::plain}});
  const auto completed = [&] { return world.two->list({.completed = true, .player = "Ann"}, 9); };
  perform(match, turn_of_next(match, {6}));
  BOOST_TEST(completed().empty());
  perform(match, turn_of_next(match, {1}));
  perform(match, turn_of_next(match, {3}));
  BOOST_TEST(completed().size() == 1U);
  BOOST_TEST(audit_all(*world.two).ok());
  perform(match, UndoTurns{1});
  BOOST_TEST(completed().empty());
  BOOST_TEST(audit_all(*world.two).ok());
  perform(match, RedoTurns{1});
  BOOST_TEST(completed().size() == 1U);
  BOOST_TEST(audit_all(*world.two).ok());
}

BOOST_AUTO_TEST_CASE(believes_no_list_entry) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  record_orchard(*SqliteStore::open(path, Access::write));
  const auto whole = bytes_of(path);
  const Match sound = loaded(*SqliteStore::open(path, Access::write), "apple");
  for (const std::string change : {"UPDATE games SET created = created + 1 WHERE game = 1",
                                   "UPDATE games SET status = 'in-progress' WHERE game = 1",
                                   "UPDATE players SET name = 'Eve' WHERE game = 1 AND seat = 0",
                                   "UPDATE players SET seat = 7 WHERE game = 1 AND seat = 1",
                                   "UPDATE players SET completed = 0 WHERE game = 1 AND seat = 1",
                                   "DELETE FROM players WHERE game = 1",
                                   "INSERT INTO players (game, seat, name) VALUES (1, 2, 'Eve')"}) {
    write_file(path, whole);
    tamper(path, [&](PlainDatabase& database) { database.execute(change); });
    const auto store = SqliteStore::open(path, Access::write);
    BOOST_TEST_CONTEXT(change) {
      const auto report = audit_game(*store, "apple");
      BOOST_REQUIRE_EQUAL(report->problems.size(), 1U);
      BOOST_TEST(report->problems[0].kind == "derived");
      Match match = loaded(*store, "apple");
      BOOST_CHECK(match.state() == sound.state());
      BOOST_TEST(match.created() == sound.created());
      perform(match, UndoTurns{2});
      BOOST_CHECK(fold_of(*store, "apple") == match.state());
    }
  }
}

BOOST_AUTO_TEST_CASE(fails_where_the_log_is_damaged_and_names_the_place) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  record_orchard(*SqliteStore::open(path, Access::write));
  const auto whole = bytes_of(path);
  for (const std::string change :
       {"UPDATE commits SET events = 'x' WHERE game = 1 AND version = 3",
        "UPDATE commits SET events = replace(events, '[1,2,1', '[1,3,1') WHERE game = 1 AND "
        "version = 3",
        "UPDATE commits SET events = substr(events, 1, length(events) - 1) || ',' || "
        "substr(events, 2) "
        "WHERE game = 1 AND version = 3",
        "UPDATE commits SET events = (SELECT events FROM commits WHERE position = 1) "
        "WHERE game = 1 AND version = 3"}) {
    write_file(path, whole);
    tamper(path, [&](PlainDatabase& database) { database.execute(change); });
    const auto store = SqliteStore::open(path, Access::write);
    const auto names_it = [](const StoreError& error) {
      return error.is_damage() && std::string(error.what()).starts_with("game apple, version 3: ");
    };
    BOOST_TEST_CONTEXT(change) {
      BOOST_CHECK_EXCEPTION(loaded(*store, "apple"), StoreError, names_it);
      BOOST_CHECK_EXCEPTION(history_of(*store, "apple"), StoreError, names_it);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(undo_and_redo)

namespace {
/// How many commits one undo, and one redo, of a game with this many turns read.
std::pair<std::size_t, std::size_t> cost_after(int turns) {
  MemoryStore store;
  long_game(store, "a", turns);
  CountingStore counting(store);
  Match match = loaded(counting, "a");
  counting.looked_up = counting.lent = 0;
  perform(match, UndoTurns{1});
  const std::size_t undo = std::exchange(counting.looked_up, 0);
  perform(match, RedoTurns{1});
  BOOST_TEST(counting.lent == 0U);
  return {undo, counting.looked_up};
}
}  // namespace

BOOST_AUTO_TEST_CASE(cost_the_same_at_turn_10_and_at_turn_5000) {
  const auto early = cost_after(10);
  const auto late = cost_after(5000);
  BOOST_TEST(early.first == late.first);
  BOOST_TEST(early.second == late.second);
  BOOST_TEST(late.first <= 1U);
  BOOST_TEST(late.second <= 2U);
}

BOOST_AUTO_TEST_CASE(go_all_the_way_back_and_forth) {
  const InSqlite world;
  std::optional<Match> match;
  together(*world.one, [&] { match = long_game(*world.one, "a", 2000); });
  const Position last = match->state().position;
  perform(*match, UndoTurns{2000});
  BOOST_CHECK(match->state().position == first_position(*match->state().setup));
  Match other = loaded(*world.two, "a");
  perform(other, RedoTurns{1999});
  perform(*match, RedoTurns{1});
  BOOST_CHECK(match->state().position == last);
  BOOST_TEST(match->head().version == 2004);
  BOOST_TEST(audit_store(*world.two).ok());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(in_any_game)

BOOST_AUTO_TEST_CASE(the_log_folds_to_the_live_state_after_every_command) {
  BOOST_TEST(rc::check("fold(log) == live, loaded == live, sound", [](const Script& script) {
    MemoryStore store;
    Match match = start(store, "a", script);
    for (const Wish& wish : script.wishes) {
      attempt(match, wish);
      RC_ASSERT(fold_of(store, "a") == match.state());
      RC_ASSERT(loaded(store, "a").state() == match.state());
    }
    RC_ASSERT(audit_store(store).ok());
  }));
}

BOOST_AUTO_TEST_CASE(a_refused_command_leaves_version_and_head) {
  BOOST_TEST(rc::check("a rejection changes nothing", [](const Script& script) {
    MemoryStore store;
    Match match = start(store, "a", script);
    for (const Wish& wish : script.wishes) {
      const GameState before = match.state();
      const Head head = match.head();
      if (match.execute(command_for(wish, before))) {
        RC_ASSERT(match.head().version == head.version + 1);
        continue;
      }
      RC_ASSERT(match.state() == before);
      RC_ASSERT(match.head() == head);
      RC_ASSERT(store.head("a") == head);
    }
  }));
}

BOOST_AUTO_TEST_CASE(undo_then_redo_restores_all_but_the_version) {
  BOOST_TEST(rc::check("undo; redo == nothing but two versions", [](const Script& script) {
    MemoryStore store;
    Match match = play(store, "a", script);
    const GameState before = match.state();
    RC_PRE(before.undoable() > 0);
    perform(match, UndoTurns{1});
    perform(match, RedoTurns{1});
    RC_ASSERT(match.state().position == before.position);
    RC_ASSERT(match.state().version == before.version + 2);
  }));
}

BOOST_AUTO_TEST_CASE(a_file_opened_anew_for_every_turn_has_the_unbroken_game) {
  BOOST_TEST(rc::check("resumed at every turn == unbroken", [] {
    const Script script = *rc::gen::resize(15, any_script());  // to open fewer files
    MemoryStore memory;
    const Match unbroken = play(memory, "a", script);
    const Folder folder;
    const std::string path = folder.file("store.db");
    const Clock clock = ticking_clock();
    BOOST_REQUIRE(
        Match::start(*SqliteStore::open(path, Access::write), "a", start_of(script), clock));
    for (const Wish& wish : script.wishes) {
      const auto store = SqliteStore::open(path, Access::write);
      Match match = Match::load(*store, "a", clock).value();
      attempt(match, wish);
    }
    const auto store = SqliteStore::open(path, Access::read);
    RC_ASSERT(loaded(*store, "a").state() == unbroken.state());
    RC_ASSERT(commits_of(*store, "a") == commits_of(memory, "a"));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(four_processes_on_one_game)

namespace {

constexpr int children = 4;
constexpr int turns_each = 40;

/// Plays turns, each under an ID of its own and sent twice. Odd children name the version that they
/// expect, and try again after a conflict.
int play_turns(const std::string& path, int child) {
  const auto store = SqliteStore::open(path, Access::write);
  Match match = loaded(*store, "a");
  for (int turn = 0; turn < turns_each; ++turn) {
    Request request{.command_id = fmt::format("{}/{}", child, turn)};
    while (true) {
      if (child % 2 == 1) request.expected_version = loaded(*store, "a").state().version;
      const auto recorded = match.execute(RollTurn{}, request);
      if (recorded) break;
      if (!std::holds_alternative<Conflict>(recorded.error())) return 1;
    }
    const auto again = match.execute(RollTurn{}, request);
    if (!again || !again->again) return 2;
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lose_and_double_no_turn) {
  const Folder folder;
  const std::string path = folder.file("store.db");
  start(*SqliteStore::open(path, Access::write), "a",
        {.board = {.cells = 10'000}, .rules = {.sixes = Sixes::plain}});
  std::vector<pid_t> processes;
  for (int child = 0; child < children; ++child)
    processes.push_back(begin_child([&] { return play_turns(path, child); }));
  for (const pid_t process : processes)
    BOOST_TEST(end_of_child(process) == 0);

  const auto store = SqliteStore::open(path, Access::read);
  const auto commits = commits_of(*store, "a");
  BOOST_TEST(commits.size() == 1U + children * turns_each);
  std::set<std::string> ids;
  for (std::size_t i = 1; i < commits.size(); ++i) {
    BOOST_REQUIRE_EQUAL(commits[i].version, static_cast<Version>(i) + 1);
    ids.insert(commits[i].command_id.value());
  }
  BOOST_TEST(ids.size() == std::size_t{children * turns_each});
  BOOST_TEST(loaded(*store, "a").state().position.turn == children * turns_each);
  BOOST_TEST(audit_store(*store).ok());
  BOOST_TEST(store->check().empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(what_nobody_has_audited)

namespace {
/// A store with an arbitrary snapshot.
class WithAnotherSnapshot final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  std::optional<Snapshot> told;
  std::optional<Snapshot> snapshot(const std::string& /*game*/) override { return told; }
};

/// A game of three turns in memory, and a snapshot of it with a valid hash.
struct Forgeable {
  MemoryStore store;
  GameState sound;
  Head head;

  Forgeable() {
    start(store, "a");
    auto match = loaded(store, "a");
    for (int turn = 0; turn < 3; ++turn)
      BOOST_REQUIRE(match.execute(RollTurn{}));
    sound = match.state();
    head = match.head();
  }

  void check_folded_again(const std::function<void(GameState&, Head&)>& forge) {
    WithAnotherSnapshot forged(store);
    GameState state = sound;
    Head of = head;
    forge(state, of);
    forged.told = snapshot_of(state, of);
    CountingStore counting(forged);
    const auto match = loaded(counting, "a");
    BOOST_TEST((match.state() == sound));
    BOOST_TEST((match.head() == head));
    BOOST_TEST(counting.lent >= 4U);
  }
};
}  // namespace

BOOST_FIXTURE_TEST_CASE(a_snapshot_that_no_game_can_have_is_folded_again, Forgeable) {
  const auto check = [&](const std::function<void(GameState&)>& forge) {
    check_folded_again([&](GameState& state, Head& /*of*/) { forge(state); });
  };
  check([](GameState& forged) { forged.position.turn = -5; });
  check([](GameState& forged) { forged.position.turn = max_turn + 1; });
  check([](GameState& forged) { forged.position.cells[0] = 101; });
  check([](GameState& forged) { forged.position.cells[0] = 100; });
  check([](GameState& forged) { forged.position.next = 7; });
  check([](GameState& forged) { forged.last_turn = 99; });
  check([](GameState& forged) { forged.last_turn = 0; });
  check([](GameState& forged) { forged.redoable = -1; });
  check([](GameState& forged) { forged.redoable = 1; });
  check([](GameState& forged) { forged.redo = {99, 0}; });
  check([](GameState& forged) { forged.index = -1; });
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_of_another_head_is_folded_again, Forgeable) {
  check_folded_again([](GameState& /*state*/, Head& of) { of.hash[0] ^= 1U; });
  check_folded_again([](GameState& /*state*/, Head& of) { of.version = 3; });
  check_folded_again([](GameState& /*state*/, Head& of) { of.version = 0; });
  check_folded_again([](GameState& /*state*/, Head& of) { of.version = 5; });
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_that_is_right_is_not_folded_again, Forgeable) {
  WithAnotherSnapshot right(store);
  right.told = snapshot_of(sound, head);
  CountingStore counting(right);
  BOOST_TEST((loaded(counting, "a").state() == sound));
  BOOST_TEST(counting.lent == 0U);
}

/// Only an audit detects this: a forger who can write the row can hash it too.
BOOST_FIXTURE_TEST_CASE(a_snapshot_that_is_possible_breaks_nothing, Forgeable) {
  const std::vector<std::function<void(GameState&)>> forgeries{
      [](GameState& forged) { forged.position.cells[0] = 2; },
      [](GameState& forged) { forged.last_turn = 2; }, [](GameState& forged) { forged.index = 1; },
      [](GameState& forged) {
        forged.redo = {2, 0};
        forged.redoable = 3;
      }};
  for (const auto& forge : forgeries) {
    WithAnotherSnapshot forged(store);
    GameState state = sound;
    forge(state);
    forged.told = snapshot_of(state, head);
    BOOST_TEST(audit_game(store, "a")->ok());
    BOOST_TEST(!audit_game(forged, "a")->ok());
    auto match = loaded(forged, "a");
    try {
      std::ignore = match.execute(RedoTurns{2});
      std::ignore = match.execute(UndoTurns{3});
    } catch (const StoreError& error) {
      BOOST_TEST(error.is_damage());
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_turn_of_nobody_is_no_answer_to_its_command_id, Forgeable) {
  Match match = loaded(store, "a");  // before anything that a load refuses
  const std::optional<std::string> id = "x";
  const Event event = TurnPlayed{.turn = 4, .seat = 9, .dice = {1}, .next = 8};
  const NewCommit commit{.command = encode(Command{RollTurn{}}, id),
                         .events = encode(std::span(&event, 1)),
                         .command_id = id};
  BOOST_REQUIRE(store.append("a", 4, std::span(&commit, 1), sound));
  BOOST_CHECK_THROW(match.execute(RollTurn{}, {.command_id = id}), StoreError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace snl::test
