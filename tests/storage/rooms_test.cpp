// Goal: a RoomStore keeps what its port promises (storage/rooms.hpp), whichever one it is; a
// GroupCommit answers what a Match alone would have; and a store's copies have its rooms in them.
//
// Method: every case runs against every implementation, through the port alone. "Another" store is
// a second connection to the same file where there is a file.
#include "passing_store.hpp"
#ifdef SNL_POSTGRESQL
#include "postgres/cluster.hpp"
#endif
#include "counted_store.hpp"
#include "storage/audit.hpp"
#include "storage/group_commit.hpp"
#include "storage/memory/memory_rooms.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_rooms.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "testbed.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

class InMemory {
 public:
  static constexpr bool positions_have_no_gaps = true;
  RoomStore& rooms() { return rooms_; }
  RoomStore& another() { return rooms_; }
  EventStore& store() { return store_; }

 private:
  MemoryRooms rooms_;
  MemoryStore store_{&rooms_};
};

class InSqlite {
 public:
  static constexpr bool positions_have_no_gaps = true;
  RoomStore& rooms() { return *rooms_; }
  RoomStore& another() { return *another_; }
  EventStore& store() { return *store_; }
  std::string path() const { return folder_.file("store.db"); }
  std::string file(std::string_view name) const { return folder_.file(name); }

 private:
  Folder folder_;
  std::unique_ptr<EventStore> store_ = open_store(path(), for_writing);
  std::unique_ptr<RoomStore> rooms_ = open_rooms(path());
  std::unique_ptr<RoomStore> another_ = open_rooms(path());
};

#ifdef SNL_POSTGRESQL
class InPostgres {
 public:
  static constexpr bool positions_have_no_gaps = false;
  RoomStore& rooms() { return *rooms_; }
  RoomStore& another() { return *another_; }
  EventStore& store() { return *store_; }

 private:
  std::string location_ = Cluster::shared().store_database();
  std::unique_ptr<EventStore> store_ = open_store(location_, for_writing);
  std::unique_ptr<RoomStore> rooms_ = open_rooms(location_);
  std::unique_ptr<RoomStore> another_ = open_rooms(location_);
};
using Worlds = boost::mpl::list<InMemory, InSqlite, InPostgres>;
#else
using Worlds = boost::mpl::list<InMemory, InSqlite>;
#endif

Hash bytes(std::uint8_t byte) {
  Hash hash{};
  hash.fill(byte);
  return hash;
}

Room room_of(const std::string& id, std::uint8_t host, UnixMilliseconds created = new_year) {
  Room room;
  room.id = id;
  room.created = created;
  room.host_token = bytes(host);
  room.request = bytes(200);
  room.board = R"({"cells":30,"width":10,"snakes":[[17,7]],"ladders":[]})";
  room.seats.resize(3);
  room.secret.emplace(bytes(99));
  return room;
}

/// Keeps it, and answers it as it is then.
Room kept(RoomStore& rooms, Room room) {
  const auto changes = rooms.keep(std::span(&room, 1));
  BOOST_REQUIRE(changes.size() == 1U);
  BOOST_REQUIRE(changes.front().has_value());
  room.changed = *changes.front();
  return room;
}

bool are_same(const Room& one, const Room& other) {
  return one.id == other.id && one.changed == other.changed && one.created == other.created &&
         one.stage == other.stage && one.host_token == other.host_token &&
         one.request == other.request && one.visibility == other.visibility &&
         one.dice == other.dice && one.takebacks == other.takebacks && one.board == other.board &&
         one.rules == other.rules && one.seats == other.seats &&
         one.secret.has_value() == other.secret.has_value() &&
         (!one.secret || one.secret->to_keep() == other.secret->to_keep()) &&
         one.question == other.question && one.given_up == other.given_up;
}

BOOST_AUTO_TEST_SUITE(a_room)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_kept_as_it_is, World, Worlds) {
  World world;
  Room room = room_of("a", 1);
  BOOST_TEST(!world.rooms().room("a"));
  room = kept(world.rooms(), room);
  BOOST_TEST(are_same(*world.another().room("a"), room));
  // Then all that can change, and each value that there is.
  room.seats[1] = RoomSeat{.name = "Ann \"ü\" 🎲", .token = bytes(2), .tokens = 3};
  room = kept(world.rooms(), room);
  BOOST_TEST(are_same(*world.another().room("a"), room));
  room.seats[0] = RoomSeat{.name = "Bob", .token = bytes(3), .entropy_hash = bytes(4)};
  room.stage = RoomStage::drawing;
  room = kept(world.rooms(), room);
  room.seats[0]->entropy = bytes(5);
  room.seats[1].reset();
  room.stage = RoomStage::settled;
  room = kept(world.rooms(), room);
  BOOST_TEST(are_same(*world.another().room("a"), room));
  room.stage = RoomStage::started;
  room.question = RoomQuestion{.id = 7, .by = 2, .to = 3, .asked_at = 9};
  room.question->agreed.insert(2);
  room.question->agreed.insert(9);
  room = kept(world.rooms(), room);
  BOOST_TEST(are_same(*world.another().room("a"), room));
  using enum RoomQuestion::Outcome;
  for (const auto outcome : {refused, withdrawn}) {
    room.question->outcome = outcome;
    room = kept(world.rooms(), room);
    BOOST_TEST(are_same(*world.another().room("a"), room));
  }
  for (const auto by : {Room::GivenUp::by_host, Room::GivenUp::when_idle}) {
    room.given_up = by;
    room.question.reset();
    room = kept(world.rooms(), room);
    BOOST_TEST(are_same(*world.another().room("a"), room));
  }
  Room other = room_of("b", 9);
  other.dice = Room::Dice::own;
  other.takebacks = Room::Takebacks::none;
  other.visibility = Room::Visibility::by_its_id;
  other.secret.reset();
  other.rules = {
      .start = 0, .finish = Finish::bounce, .dice = 2, .faces = 8, .sixes = Sixes::plain};
  other.seats.resize(10);
  other = kept(world.rooms(), other);
  BOOST_TEST(are_same(*world.another().room("b"), other));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_kept_only_by_who_knows_it_as_it_is, World, Worlds) {
  World world;
  const Room first = kept(world.rooms(), room_of("a", 1));
  Room ours = first;
  ours.stage = RoomStage::drawing;
  ours = kept(world.rooms(), ours);
  Room theirs = first;
  theirs.given_up = Room::GivenUp::by_host;
  const Room fresh = room_of("b", 2);
  const Room same_host = room_of("c", 1);
  const Room same_id = room_of("a", 7);
  const std::vector rooms{theirs, fresh, same_host, same_id};
  const auto changes = world.another().keep(rooms);
  BOOST_TEST(!changes[0].has_value());
  BOOST_TEST(changes[1].has_value());  // one that isn't kept doesn't spoil the others
  BOOST_TEST(!changes[2].has_value());
  BOOST_TEST(!changes[3].has_value());
  BOOST_TEST(are_same(*world.rooms().room("a"), ours));
  BOOST_TEST(!world.rooms().room("c"));
  BOOST_TEST(world.rooms().keep({}).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_found_by_its_hosts_token, World, Worlds) {
  World world;
  const Room room = kept(world.rooms(), room_of("a", 1));
  BOOST_TEST(world.another().hosted_by(bytes(1)).value() == "a");
  BOOST_TEST(!world.another().hosted_by(bytes(2)));
  BOOST_TEST(!world.rooms().forget("a", room.changed + 1));
  BOOST_TEST(!world.rooms().forget("b", 1));
  BOOST_TEST(world.rooms().forget("a", room.changed));
  BOOST_TEST(!world.another().room("a"));
  BOOST_TEST(!world.another().hosted_by(bytes(1)));
  // Its number is used up.
  BOOST_TEST(kept(world.rooms(), room_of("a", 1)).changed > room.changed + 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tells_a_list_what_it_needs, World, Worlds) {
  World world;
  Room given_up = room_of("b", 2);
  given_up.given_up = Room::GivenUp::by_host;
  Room hidden = room_of("c", 3);
  hidden.visibility = Room::Visibility::by_its_id;
  kept(world.rooms(), room_of("a", 1));
  kept(world.rooms(), given_up);
  kept(world.rooms(), hidden);
  using Listing = RoomStore::Listing;
  const std::vector<std::string> games{"c", "nobody's", "a", "", "b", "{\"a\", \\}"};
  const std::vector<std::optional<Listing>> listings = world.another().listings(games);
  BOOST_TEST_REQUIRE(listings.size() == games.size());
  BOOST_CHECK(listings[0] == (Listing{.visibility = Room::Visibility::by_its_id}));
  BOOST_CHECK(!listings[1] && !listings[3] && !listings[5]);
  BOOST_CHECK(listings[2] == Listing{});
  BOOST_CHECK(listings[4] == (Listing{.given_up = true}));
  BOOST_TEST(world.another().listings({}).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(waits_until_it_is_started, World, Worlds) {
  World world;
  Room c = kept(world.rooms(), room_of("c", 3, new_year));
  kept(world.rooms(), room_of("b", 2, new_year + 5));
  kept(world.rooms(), room_of("a", 1, new_year));
  kept(world.rooms(), room_of("d", 4, new_year - 5));
  const auto ids = [](const std::vector<RoomStore::Waiting>& waiting) {
    std::string all;
    for (const RoomStore::Waiting& one : waiting)
      all += one.id;
    return all;
  };
  RoomStore& rooms = world.another();
  BOOST_TEST(ids(rooms.waiting({}, 10)) == "bcad");
  BOOST_TEST(ids(rooms.waiting({}, 2)) == "bc");
  BOOST_TEST(ids(rooms.waiting(rooms.waiting({}, 2).back(), 10)) == "ad");
  BOOST_TEST(ids(rooms.waiting(RoomStore::Waiting{"", new_year}, 10)) == "d");
  BOOST_TEST(rooms.count_waiting() == 4);
  BOOST_TEST(rooms.settled(10).empty());
  c.stage = RoomStage::settled;
  c = kept(world.rooms(), c);
  BOOST_TEST(rooms.settled(10) == std::vector<std::string>{"c"}, boost::test_tools::per_element());
  BOOST_TEST(rooms.settled(0).empty());
  BOOST_TEST(rooms.count_waiting() == 4);
  c.stage = RoomStage::started;
  c = kept(world.rooms(), c);
  BOOST_TEST(ids(rooms.waiting({}, 10)) == "bad");
  BOOST_TEST(rooms.count_waiting() == 3);
  BOOST_TEST(rooms.started_after("", 10) == std::vector<std::string>{"c"},
             boost::test_tools::per_element());
  BOOST_TEST(rooms.started_after("c", 10).empty());
  c.given_up = Room::GivenUp::when_idle;
  kept(world.rooms(), c);
  BOOST_TEST(rooms.started_after("", 10).empty());
  Room given_up = *rooms.room("a");
  given_up.given_up = Room::GivenUp::by_host;
  kept(world.rooms(), given_up);
  BOOST_TEST(rooms.count_waiting() == 2);
  BOOST_TEST(ids(rooms.waiting({}, 10)) == "bad");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(changes_under_a_number_of_its_own, World, Worlds) {
  World world;
  BOOST_TEST(world.another().last_change() == 0);
  const Room a = kept(world.rooms(), room_of("a", 1));
  const Room b = kept(world.rooms(), room_of("b", 2));
  const Room again = kept(world.rooms(), a);
  BOOST_TEST(a.changed < b.changed);
  BOOST_TEST(b.changed < again.changed);
  BOOST_TEST(world.another().last_change() == again.changed);
  const auto changed = [&](std::int64_t after, std::size_t limit) {
    std::string ids;
    for (const RoomStore::Changed& one : world.another().changed_after(after, limit))
      ids += one.id;
    return ids;
  };
  BOOST_TEST(changed(0, 10) == "ba");
  BOOST_TEST(changed(0, 1) == "b");
  BOOST_TEST(changed(b.changed, 10) == "a");
  BOOST_TEST(changed(again.changed, 10) == "");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(copies_of_a_store)

BOOST_AUTO_TEST_CASE(have_its_rooms_in_them) {
  InSqlite world;
  start(world.store(), "apple");
  Room room = room_of("apple", 1);
  room.stage = RoomStage::started;
  room.dice = Room::Dice::own;  // nothing was drawn
  for (const std::size_t seat : {0U, 1U})
    room.seats[seat] = RoomSeat{.name = std::to_string(seat), .token = bytes(2)};
  room = kept(world.rooms(), room);
  const Room waiting = kept(world.rooms(), room_of("waits", 7));
  const auto keeper = keeper_of_store(world.path());
  BOOST_TEST(keeper->check().empty());
  const auto check_has_them = [&](const std::string& path) {
    const auto rooms = open_rooms(path);
    BOOST_TEST(are_same(*rooms->room("apple"), room));
    BOOST_TEST(are_same(*rooms->room("waits"), waiting));
    BOOST_TEST(rooms->last_change() == waiting.changed);
    BOOST_TEST(open_store(path, for_reading)->head("apple").has_value());
  };
  const std::string copy = world.file("copy.db");
  BOOST_TEST(keeper->back_up(copy, {}).ok());
  check_has_them(copy);
  BOOST_TEST(keeper_of_store(world.file("new.db"))->restore(copy, Occupied::refuse).ok());
  check_has_them(world.file("new.db"));
  // Into a file with pages of another size, row by row.
  const std::string large = world.file("large.db");
  PlainDatabase(large).execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");
  open_store(large, for_writing);
  PlainDatabase(large).execute("VACUUM");
  BOOST_TEST(keeper_of_store(large)->restore(copy, Occupied::replace).ok());
  check_has_them(large);
  BOOST_TEST(keeper->compact().has_value());
  check_has_them(world.path());
}

BOOST_AUTO_TEST_CASE(do_not_replace_one_with_rooms_alone) {
  InSqlite world;
  kept(world.rooms(), room_of("waits", 7));
  const std::string copy = world.file("copy.db");
  open_store(copy, for_writing);
  BOOST_CHECK_THROW(keeper_of_store(world.path())->restore(copy, Occupied::refuse), NotEmpty);
  BOOST_TEST(world.rooms().room("waits").has_value());
}

BOOST_AUTO_TEST_CASE(of_damaged_rooms_are_told) {
  InSqlite world;
  start(world.store(), "apple");
  Room room = room_of("apple", 1);
  room.stage = RoomStage::started;
  room.dice = Room::Dice::own;  // nothing was drawn
  for (const std::size_t seat : {0U, 1U})
    room.seats[seat] = RoomSeat{.name = std::to_string(seat), .token = bytes(2)};
  kept(world.rooms(), room);
  const auto finds = [&](const std::string& sql) {
    PlainDatabase database(world.path());
    database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN");
    database.execute(sql);
    database.execute("COMMIT");
    return !keeper_of_store(world.path())->check().empty();
  };
  BOOST_TEST(finds("UPDATE room_changes SET number = 0"));
  BOOST_TEST(!finds("UPDATE room_changes SET number = 99"));
  BOOST_TEST(finds("DELETE FROM room_changes"));
  BOOST_TEST(!finds("INSERT INTO room_changes VALUES (1, 99)"));
  BOOST_TEST(finds("UPDATE rooms SET id = 'nobody'"));
  BOOST_TEST(!finds("UPDATE rooms SET id = 'apple'"));
  BOOST_TEST(finds("DELETE FROM room_seats WHERE seat = 1"));
  BOOST_TEST(finds("UPDATE rooms SET board = 'x', stage = 'unknown'"));
  BOOST_CHECK_THROW(world.rooms().room("apple"), StoreError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(an_append)

BOOST_AUTO_TEST_CASE_TEMPLATE(may_depend_on_a_room, World, Worlds) {
  World world;
  EventStore& store = world.store();
  start(store, "a");
  start(store, "b");
  Room room = kept(world.rooms(), room_of("a", 1));
  const NewCommit commit{.time = new_year, .command = "{}", .events = "[]", .command_id = "k"};
  const NewCommit other{.time = new_year, .command = "{}", .events = "[]", .command_id = {}};
  const GameState state = *evolve(GameState{}, Event{GameStarted{start_of().setup}});
  using Revision = std::optional<std::int64_t>;
  const auto of = [&](const char* game, Revision revision, const NewCommit& one) {
    return Append{.game = game,
                  .expected = *store.head(game),
                  .commits = {&one, 1},
                  .after = &state,
                  .expected_revision = revision};
  };
  const auto append = [&](std::int64_t of_a, Revision of_b) {
    return store.append(std::vector{of("a", of_a, other), of("b", of_b, other)});
  };
  const auto is_refused_for = [](const auto& appended, const std::string& game) {
    return !appended && std::holds_alternative<RevisionConflict>(appended.error().why) &&
           appended.error().game == game;
  };
  BOOST_TEST(append(room.changed, {}).has_value());
  BOOST_TEST(is_refused_for(append(room.changed + 1, {}), "a"));
  BOOST_TEST(is_refused_for(append(room.changed, 1), "b"));  // which has no room
  const std::int64_t before = room.changed;
  room = kept(world.another(), room);
  BOOST_TEST(is_refused_for(append(before, {}), "a"));
  BOOST_TEST(store.head("a")->version == 2);
  BOOST_TEST(store.head("b")->version == 2);
  BOOST_TEST(append(room.changed, {}).has_value());
  // By itself too, where its command ID is used, and where nobody else appends.
  const auto alone = [&](EventStore& now, std::int64_t revision) {
    return now.append(std::vector{of("a", revision, commit)});
  };
  BOOST_TEST(is_refused_for(alone(store, before), "a"));
  BOOST_TEST(alone(store, room.changed).has_value());
  BOOST_TEST(is_refused_for(alone(store, before), "a"));
  BOOST_TEST(std::holds_alternative<CommandIdUsed>(alone(store, room.changed).error().why));
  store.locked("a", [&](EventStore& now) {
    BOOST_TEST(is_refused_for(now.append(std::vector{of("a", before, other)}), "a"));
    BOOST_TEST(now.append(std::vector{of("a", room.changed, other)}).has_value());
  });
  BOOST_TEST(world.rooms().forget("a", room.changed));
  BOOST_TEST(is_refused_for(alone(store, room.changed), "a"));
  BOOST_TEST(store.head("a")->version == 5);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(commands_that_wait_together)

/// Counts appends; may tell that the outcome of one isn't known, recorded or not.
class CountingStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    ++calls;
    if (unknown == Unknown::not_recorded) {
      unknown = Unknown::no;
      throw OutcomeUnknown(StoreError::Cause::failed, "the power is gone");
    }
    auto answer = PassingStore::append(appends);
    if (unknown == Unknown::recorded) {
      unknown = Unknown::no;
      throw OutcomeUnknown(StoreError::Cause::failed, "the power is gone");
    }
    return answer;
  }
  std::optional<Head> head(const std::string& game) override {
    ++heads_asked;
    return PassingStore::head(game);
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    ++pages_asked;
    PassingStore::read_all(from, limit, page);
  }
  int heads_asked = 0;
  int pages_asked = 0;
  enum class Unknown : std::uint8_t { no, recorded, not_recorded };
  Unknown unknown = Unknown::no;
  int calls = 0;
};

BOOST_AUTO_TEST_CASE_TEMPLATE(share_one_append, World, Worlds) {
  World world;
  CountingStore store(world.store());
  GroupCommit group(store, ticking_clock());
  const std::vector<WaitingCommand> starts{{"a", start_of()}, {"b", start_of()}, {"c", start_of()}};
  auto outcomes = group.execute(starts);
  BOOST_TEST(store.calls == 1);
  for (const CommandOutcome& outcome : outcomes)
    BOOST_TEST(std::get<Recorded>(outcome).head.version == 1);
  // One to move, one not to move, one with a key, one game that isn't there.
  outcomes = group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}},
                                                       {"b", PlayTurn{1, {3}}},
                                                       {"c", RollTurn{}, {.command_id = "k"}},
                                                       {"nobody", RollTurn{}}});
  BOOST_TEST(store.calls == 2);
  BOOST_TEST(std::get<Recorded>(outcomes[0]).head.version == 2);
  BOOST_TEST(std::holds_alternative<Rejection>(outcomes[1]));
  BOOST_TEST(std::get<Recorded>(outcomes[2]).head.version == 2);
  BOOST_TEST(std::holds_alternative<Rejection>(outcomes[3]));
  outcomes = group.execute(
      std::vector<WaitingCommand>{{"c", RollTurn{}, {.command_id = "k"}}, {"b", PlayTurn{0, {3}}}});
  BOOST_TEST(std::get<Recorded>(outcomes[0]).again);
  BOOST_TEST(std::get<Recorded>(outcomes[1]).head.version == 2);
  BOOST_TEST(group.execute(std::vector<WaitingCommand>{}).empty());
  BOOST_TEST(audit_store(world.store()).ok());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_decided_again_where_somebody_was_quicker, World, Worlds) {
  World world;
  GroupCommit group(world.store(), ticking_clock());
  group.execute(
      std::vector<WaitingCommand>{{"a", start_of()}, {"b", start_of()}, {"c", start_of()}});
  Match other = *Match::load(world.store(), "b", ticking_clock());
  perform(other, RollTurn{});
  const auto outcomes = group.execute(std::vector<WaitingCommand>{
      {"a", RollTurn{}}, {"b", RollTurn{}}, {"c", RollTurn{}, {.expected_version = 9}}});
  BOOST_TEST(std::get<Recorded>(outcomes[0]).head.version == 2);
  BOOST_TEST(std::get<Recorded>(outcomes[1]).head.version == 3);
  BOOST_TEST(std::get<Conflict>(std::get<Rejection>(outcomes[2])).actual == 1);
  BOOST_TEST((group.game("b")->head() == *world.store().head("b")));
  perform(other, RollTurn{});
  group.look_for_others();
  BOOST_TEST((group.game("b")->head() == *world.store().head("b")));
  const auto taken =
      group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"d", start_of()}});
  BOOST_TEST(std::holds_alternative<GameIdTaken>(std::get<Rejection>(taken[0])));
  BOOST_TEST(std::holds_alternative<Recorded>(taken[1]));
  BOOST_TEST(!group.game("nobody"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ask_once_what_others_did, World, Worlds) {
  World world;
  CountingStore store(world.store());
  GroupCommit group(store, ticking_clock());
  const std::vector<std::string> games{"a", "b", "c"};
  for (const std::string& game : games)
    group.execute(std::vector<WaitingCommand>{{game, start_of()}});
  const auto heads_asked = [&] {
    store.heads_asked = 0;
    group.look_for_others();
    for (const std::string& game : games)
      BOOST_TEST((group.game(game)->head() == *world.store().head(game)));
    return store.heads_asked;
  };
  BOOST_TEST(heads_asked() == 3);
  BOOST_TEST(heads_asked() == 0);
  group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}}, {"b", RollTurn{}}});
  group.execute(std::vector<WaitingCommand>{{"c", PlayTurn{1, {3}}}});  // refused
  // Between positions with gaps others may have recorded something.
  BOOST_TEST(heads_asked() == (World::positions_have_no_gaps ? 0 : 3));
  // Somebody else before what was recorded here, and after it, and alone.
  Match other = *Match::load(world.store(), "c", ticking_clock());
  perform(other, RollTurn{});
  group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}}});
  BOOST_TEST(heads_asked() >= 3);
  group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}}});
  perform(other, RollTurn{});
  BOOST_TEST(heads_asked() >= 3);
  perform(other, RollTurn{});
  BOOST_TEST(heads_asked() >= 3);
  BOOST_TEST(heads_asked() == 0);
  // Where what was recorded here isn't at the next position, it isn't looked for there again.
  store.pages_asked = 0;
  constexpr int turns = 20;
  for (int turn = 0; turn < turns; ++turn) {
    group.execute(std::vector<WaitingCommand>{{"b", RollTurn{}}});
    group.look_for_others();
    BOOST_TEST((group.game("b")->head() == *world.store().head("b")));
  }
  BOOST_TEST(store.pages_asked <= (World::positions_have_no_gaps ? turns : turns / 2));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_recorded_unasked_where_what_is_remembered_is_so, World, Worlds) {
  World world;
  CountedStore store(world.store());
  GroupCommit group(store, ticking_clock());
  group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"b", start_of()}});
  const std::int64_t of_a = kept(world.rooms(), room_of("a", 1)).changed;
  const std::int64_t of_b = kept(world.rooms(), room_of("b", 2)).changed;
  BOOST_TEST(!group.remembered("c"));
  std::ignore = store.appends() + store.questions();
  const auto outcomes = group.execute(std::vector<RoomCommand>{
      {{"a", RollTurn{}, {.expected_version = 1, .command_id = "k"}}, of_a, true},
      {{"b", RollTurn{}}, of_b, true}});
  for (const auto& outcome : outcomes)
    BOOST_TEST(std::get<Recorded>(outcome.value()).head.version == 2);
  BOOST_TEST(store.appends() == 1);
  BOOST_TEST(store.questions() == 0);
  BOOST_TEST((group.remembered("a")->head() == *world.store().head("a")));
  BOOST_TEST(world.store().commit_with_id("a", "k")->version == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_to_be_looked_at_again_where_what_is_remembered_is_old, World,
                              Worlds) {
  World world;
  GroupCommit group(world.store(), ticking_clock());
  const std::vector<std::string> games{"a", "b", "c", "d", "e", "f"};
  std::vector<std::int64_t> revisions;
  for (const std::string& game : games) {
    group.execute(std::vector<WaitingCommand>{{game, start_of()}});
    const auto host = static_cast<std::uint8_t>(revisions.size() + 1);
    revisions.push_back(kept(world.rooms(), room_of(game, host)).changed);
  }
  kept(world.rooms(), *world.rooms().room("c"));
  Match other = *Match::load(world.store(), "b", ticking_clock());
  perform(other, RollTurn{});
  group.execute(std::vector<WaitingCommand>{{"d", RollTurn{}, {.command_id = "k"}}});
  // As it should be; moved by somebody else; another room; a used key; not to move; another
  // version.
  const std::vector<WaitingCommand> all{
      {"a", RollTurn{}},       {"b", RollTurn{}},
      {"c", RollTurn{}},       {"d", RollTurn{}, {.command_id = "k"}},
      {"e", PlayTurn{1, {3}}}, {"f", RollTurn{}, {.expected_version = 9}},
      {"nobody", RollTurn{}}};
  std::vector<RoomCommand> commands;
  for (const WaitingCommand& each : all)
    commands.push_back({each, revisions[std::min(commands.size(), games.size() - 1)], true});
  const auto outcomes = group.execute(commands);
  BOOST_TEST(std::get<Recorded>(outcomes[0].value()).head.version == 2);
  for (std::size_t i = 1; i < commands.size(); ++i)
    BOOST_TEST(!outcomes[i].has_value(), commands[i].waiting.game);
  const std::vector<Version> versions{2, 2, 1, 2, 1, 1};
  for (std::size_t i = 0; i < games.size(); ++i)
    BOOST_TEST(world.store().head(games[i])->version == versions[i], games[i]);
  BOOST_TEST(!group.remembered("b"));
  BOOST_TEST((group.game("b")->head() == *world.store().head("b")));
  const auto bad = group.execute(
      std::vector<RoomCommand>{{{"e", RollTurn{}, {.command_id = "\n"}}, revisions[4], true}});
  BOOST_TEST(!bad.front().has_value());
  // Where somebody is asked, what can't be is told, and what is old is to be looked at again.
  const auto asked = group.execute(std::vector<RoomCommand>{
      {{"c", RollTurn{}}, revisions[2]}, {{"e", PlayTurn{1, {3}}}, revisions[4]}});
  BOOST_TEST(!asked[0].has_value());
  BOOST_TEST(std::holds_alternative<Rejection>(asked[1].value()));
  BOOST_TEST(world.store().head("c")->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_recorded_once_where_nobody_can_tell, World, Worlds) {
  World world;
  CountingStore store(world.store());
  GroupCommit group(store, ticking_clock());
  group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"b", start_of()}});
  Version version = 1;
  for (const auto unknown :
       {CountingStore::Unknown::recorded, CountingStore::Unknown::not_recorded}) {
    store.unknown = unknown;
    const auto outcomes =
        group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}}, {"b", RollTurn{}}});
    ++version;
    for (const CommandOutcome& outcome : outcomes)
      BOOST_TEST(std::get<Recorded>(outcome).head.version == version);
    BOOST_TEST(world.store().head("a")->version == version);
    BOOST_TEST((group.game("b")->head() == *world.store().head("b")));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
