// Goal: every HostedGameStore keeps the promises of its port (storage/hosted_games.hpp). A
// GroupCommit returns the same answers as a Match alone. Copies of a store contain its hosted
// games.
//
// Method: every case runs against every implementation, through the port alone. "Another" store is
// a second connection to the same file where there is a file. Stores of the third schema, which had
// a column for each value, are made from its migrations and from rows in SQL.
#include "counted_store.hpp"
#include "hosted_games_in_memory.hpp"
#include "passing_store.hpp"
#ifdef SNL_POSTGRESQL
#include "postgres/cluster.hpp"
#include "storage/postgres/upgrade.hpp"
#endif
#include "storage/audit.hpp"
#include "storage/codec.hpp"
#include "storage/exchange/copying.hpp"
#include "storage/group_commit.hpp"
#include "storage/hosted_game_codec.hpp"
#include "storage/memory/memory_store.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/sqlite/store_file.hpp"
#include "testbed.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace snl::test {
namespace {

class InMemory {
 public:
  HostedGameStore& hosted_games() { return *hosted_games_; }
  HostedGameStore& another() { return *hosted_games_; }
  EventStore& store() { return store_; }

 private:
  std::unique_ptr<HostedGameStore> hosted_games_ = hosted_games_in_memory();
  MemoryStore store_{hosted_games_.get()};
};

class InSqlite {
 public:
  HostedGameStore& hosted_games() { return *hosted_games_; }
  HostedGameStore& another() { return *another_; }
  EventStore& store() { return *store_; }
  std::string path() const { return folder_.file("store.db"); }
  std::string file(std::string_view name) const { return folder_.file(name); }

 private:
  Folder folder_;
  std::unique_ptr<EventStore> store_ = open_store(path(), for_writing);
  std::unique_ptr<HostedGameStore> hosted_games_ = open_hosted_games(path());
  std::unique_ptr<HostedGameStore> another_ = open_hosted_games(path());
};

#ifdef SNL_POSTGRESQL
class InPostgres {
 public:
  HostedGameStore& hosted_games() { return *hosted_games_; }
  HostedGameStore& another() { return *another_; }
  EventStore& store() { return *store_; }

 private:
  std::string location_ = Cluster::shared().store_database();
  std::unique_ptr<EventStore> store_ = open_store(location_, for_writing);
  std::unique_ptr<HostedGameStore> hosted_games_ = open_hosted_games(location_);
  std::unique_ptr<HostedGameStore> another_ = open_hosted_games(location_);
};
using Worlds = boost::mpl::list<InMemory, InSqlite, InPostgres>;
#else
using Worlds = boost::mpl::list<InMemory, InSqlite>;
#endif

std::shared_ptr<const RecordedGame> known(StoreReader& store, const std::string& game) {
  return std::make_shared<const RecordedGame>(*RecordedGame::load(store, game));
}

Hash bytes(std::uint8_t byte) {
  Hash hash{};
  hash.fill(byte);
  return hash;
}

HostedGame hosted_game(const std::string& id, std::uint8_t host,
                       UnixMilliseconds created = new_year) {
  HostedGame hosted;
  hosted.id = id;
  hosted.created = created;
  hosted.host_token = bytes(host);
  hosted.request = bytes(200);
  hosted.board = R"({"cells":30,"width":10,"snakes":[[17,7]],"ladders":[]})";
  hosted.seats.resize(3);
  hosted.secret.emplace(bytes(99));
  return hosted;
}

/// Stores it, and returns it as it is then.
HostedGame kept(HostedGameStore& hosted_games, HostedGame hosted) {
  const auto changes = hosted_games.keep(std::span(&hosted, 1));
  BOOST_REQUIRE(changes.size() == 1U);
  BOOST_REQUIRE(changes.front().has_value());
  hosted.revision = *changes.front();
  return hosted;
}

HostedGameStore::Entry entry_of(const HostedGame& hosted) {
  return {.id = hosted.id,
          .revision = hosted.revision,
          .created = hosted.created,
          .visibility = hosted.visibility,
          .given_up = hosted.given_up.has_value()};
}

std::string ids_of(const std::vector<HostedGameStore::Entry>& entries) {
  std::string ids;
  for (const HostedGameStore::Entry& entry : entries)
    ids += entry.id;
  return ids;
}

bool are_same(const HostedGame& one, const HostedGame& other) {
  return one.id == other.id && one.revision == other.revision && one.created == other.created &&
         one.stage == other.stage && one.host_token == other.host_token &&
         one.request == other.request && one.visibility == other.visibility &&
         one.dice == other.dice && one.takebacks == other.takebacks && one.board == other.board &&
         one.rules == other.rules && one.seats == other.seats &&
         one.secret.has_value() == other.secret.has_value() &&
         (!one.secret || one.secret->to_keep() == other.secret->to_keep()) &&
         one.question == other.question && one.given_up == other.given_up &&
         one.pace == other.pace && one.other_host == other.other_host &&
         one.drawing_since == other.drawing_since && one.redraws == other.redraws &&
         one.given_up_seats == other.given_up_seats && one.rematch == other.rematch;
}

BOOST_AUTO_TEST_SUITE(a_hosted_game)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_kept_as_it_is, World, Worlds) {
  World world;
  HostedGame hosted = hosted_game("a", 1);
  BOOST_TEST(!world.hosted_games().game("a"));
  hosted = kept(world.hosted_games(), hosted);
  BOOST_TEST(are_same(*world.another().game("a"), hosted));
  // Then every field that can change, and each possible value.
  hosted.seats[1] = HostedGameSeat{.name = "Ann \"ü\" 🎲", .token = bytes(2), .tokens = 3};
  hosted = kept(world.hosted_games(), hosted);
  BOOST_TEST(are_same(*world.another().game("a"), hosted));
  hosted.seats[0] = HostedGameSeat{.name = "Bob", .token = bytes(3), .entropy_hash = bytes(4)};
  hosted.stage = HostedGameStage::drawing;
  hosted = kept(world.hosted_games(), hosted);
  hosted.seats[0]->entropy = bytes(5);
  hosted.seats[1].reset();
  hosted.stage = HostedGameStage::settled;
  hosted = kept(world.hosted_games(), hosted);
  BOOST_TEST(are_same(*world.another().game("a"), hosted));
  hosted.stage = HostedGameStage::started;
  hosted.question = TakebackQuestion{.id = 7, .by = 2, .to = 3, .asked_at = 9};
  hosted.question->agreed.insert(2);
  hosted.question->agreed.insert(9);
  hosted = kept(world.hosted_games(), hosted);
  BOOST_TEST(are_same(*world.another().game("a"), hosted));
  using enum TakebackQuestion::Outcome;
  for (const auto outcome : {refused, withdrawn}) {
    hosted.question->outcome = outcome;
    hosted = kept(world.hosted_games(), hosted);
    BOOST_TEST(are_same(*world.another().game("a"), hosted));
  }
  for (const auto by : {HostedGame::GivenUp::by_host, HostedGame::GivenUp::when_idle}) {
    hosted.given_up = by;
    hosted.question.reset();
    hosted = kept(world.hosted_games(), hosted);
    BOOST_TEST(are_same(*world.another().game("a"), hosted));
  }
  HostedGame other = hosted_game("b", 9);
  other.dice = HostedGame::Dice::own;
  other.takebacks = HostedGame::Takebacks::none;
  other.visibility = HostedGame::Visibility::by_its_id;
  other.secret.reset();
  other.rules = {
      .start = 0, .finish = Finish::bounce, .dice = 2, .faces = 8, .sixes = Sixes::plain};
  other.seats.resize(10);
  other = kept(world.hosted_games(), other);
  BOOST_TEST(are_same(*world.another().game("b"), other));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_kept_only_by_who_knows_it_as_it_is, World, Worlds) {
  World world;
  const HostedGame first = kept(world.hosted_games(), hosted_game("a", 1));
  HostedGame ours = first;
  ours.stage = HostedGameStage::drawing;
  ours = kept(world.hosted_games(), ours);
  HostedGame theirs = first;
  theirs.given_up = HostedGame::GivenUp::by_host;
  const HostedGame fresh = hosted_game("b", 2);
  const HostedGame same_host = hosted_game("c", 1);
  const HostedGame same_id = hosted_game("a", 7);
  const std::vector hosted_games{theirs, fresh, same_host, same_id};
  const auto changes = world.another().keep(hosted_games);
  BOOST_TEST(!changes[0].has_value());
  BOOST_TEST(changes[1].has_value());  // one that isn't kept doesn't spoil the others
  BOOST_TEST(!changes[2].has_value());
  BOOST_TEST(!changes[3].has_value());
  BOOST_TEST(are_same(*world.hosted_games().game("a"), ours));
  BOOST_TEST(!world.hosted_games().game("c"));
  BOOST_TEST(world.hosted_games().keep({}).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_found_by_its_hosts_token, World, Worlds) {
  World world;
  const HostedGame hosted = kept(world.hosted_games(), hosted_game("a", 1));
  BOOST_TEST(world.another().hosted_by(bytes(1)).value() == "a");
  BOOST_TEST(!world.another().hosted_by(bytes(2)));
  BOOST_TEST(!world.hosted_games().forget("a", hosted.revision + 1));
  BOOST_TEST(!world.hosted_games().forget("b", 1));
  BOOST_TEST(world.hosted_games().forget("a", hosted.revision));
  BOOST_TEST(!world.another().game("a"));
  BOOST_TEST(!world.another().hosted_by(bytes(1)));
  // Its number is used up.
  BOOST_TEST(kept(world.hosted_games(), hosted_game("a", 1)).revision > hosted.revision + 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tells_a_list_what_it_needs, World, Worlds) {
  World world;
  HostedGame given_up = hosted_game("b", 2);
  given_up.given_up = HostedGame::GivenUp::by_host;
  HostedGame hidden = hosted_game("c", 3);
  hidden.visibility = HostedGame::Visibility::by_its_id;
  kept(world.hosted_games(), hosted_game("a", 1));
  kept(world.hosted_games(), given_up);
  kept(world.hosted_games(), hidden);
  const std::vector<std::string> games{"c", "nobody's", "a", "", "b", "{\"a\", \\}"};
  const auto entries = world.another().entries(games);
  BOOST_TEST_REQUIRE(entries.size() == games.size());
  BOOST_CHECK(entries[0] == entry_of(*world.another().game("c")));
  BOOST_CHECK(!entries[1] && !entries[3] && !entries[5]);
  BOOST_CHECK(entries[2] == entry_of(*world.another().game("a")));
  BOOST_CHECK(entries[4] == entry_of(*world.another().game("b")));
  BOOST_TEST(entries[0]->given_up == false);
  BOOST_TEST(entries[4]->given_up);
  BOOST_TEST(world.another().entries({}).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(waits_until_it_is_started, World, Worlds) {
  World world;
  HostedGame c = kept(world.hosted_games(), hosted_game("c", 3, new_year));
  kept(world.hosted_games(), hosted_game("b", 2, new_year + 5));
  kept(world.hosted_games(), hosted_game("a", 1, new_year));
  kept(world.hosted_games(), hosted_game("d", 4, new_year - 5));
  HostedGameStore& hosted_games = world.another();
  BOOST_TEST(ids_of(hosted_games.waiting({}, 10)) == "bcad");
  BOOST_TEST(ids_of(hosted_games.waiting({}, 2)) == "bc");
  BOOST_TEST(ids_of(hosted_games.waiting(hosted_games.waiting({}, 2).back(), 10)) == "ad");
  BOOST_TEST(ids_of(hosted_games.waiting(HostedGameStore::Entry{.id = "", .created = new_year},
                                         10)) == "d");
  BOOST_TEST(hosted_games.count_waiting() == 4);
  BOOST_TEST(hosted_games.settled(10).empty());
  c.stage = HostedGameStage::settled;
  c = kept(world.hosted_games(), c);
  BOOST_TEST(ids_of(hosted_games.settled(10)) == "c");
  BOOST_TEST(hosted_games.settled(0).empty());
  BOOST_TEST(hosted_games.count_waiting() == 4);
  c.stage = HostedGameStage::started;
  c = kept(world.hosted_games(), c);
  BOOST_TEST(ids_of(hosted_games.waiting({}, 10)) == "bad");
  BOOST_TEST(hosted_games.count_waiting() == 3);
  BOOST_TEST(ids_of(hosted_games.started_after("", 10)) == "c");
  BOOST_TEST(hosted_games.started_after("c", 10).empty());
  c.given_up = HostedGame::GivenUp::when_idle;
  kept(world.hosted_games(), c);
  BOOST_TEST(hosted_games.started_after("", 10).empty());
  HostedGame given_up = *hosted_games.game("a");
  given_up.given_up = HostedGame::GivenUp::by_host;
  kept(world.hosted_games(), given_up);
  BOOST_TEST(hosted_games.count_waiting() == 2);
  BOOST_TEST(ids_of(hosted_games.waiting({}, 10)) == "bad");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(changes_under_a_number_of_its_own, World, Worlds) {
  World world;
  BOOST_TEST(world.another().last_revision() == 0);
  const HostedGame a = kept(world.hosted_games(), hosted_game("a", 1));
  const HostedGame b = kept(world.hosted_games(), hosted_game("b", 2));
  const HostedGame again = kept(world.hosted_games(), a);
  BOOST_TEST(a.revision < b.revision);
  BOOST_TEST(b.revision < again.revision);
  BOOST_TEST(world.another().last_revision() == again.revision);
  const auto changed = [&](std::int64_t after, std::size_t limit) {
    return ids_of(world.another().changed_after(after, limit));
  };
  BOOST_TEST(changed(0, 10) == "ba");
  BOOST_TEST(changed(0, 1) == "b");
  BOOST_TEST(changed(b.revision, 10) == "a");
  BOOST_TEST(changed(again.revision, 10) == "");
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Its document

namespace {

/// A word of this game's document, replaced by another.
std::string document_with(const std::string& word, const std::string& other) {
  std::string document = encode_hosted_game(hosted_game("a", 1));
  const std::size_t at = document.find(word);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, word << " isn't in " << document);
  return document.replace(at, word.size(), other);
}

std::string refusal_of(const std::string& document, StoreError::Cause cause) {
  try {
    decode_hosted_game("a", 1, document);
  } catch (const StoreError& error) {
    BOOST_TEST((error.cause() == cause), error.what());
    return error.what();
  }
  return "it was read";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_document)

BOOST_AUTO_TEST_CASE(has_places_for_rules_and_boards_with_effects) {
  HostedGame game = hosted_game("a", 1);
  game.rules = {
      .start = 0, .sixes = Sixes::plain, .enter = {1, 6}, .meet = Meet::capture, .safe = {3, 11}};
  game.board =
      R"({"cells":30,"width":10,"snakes":[],"ladders":[],"powers":[{"cell":2,"power":"again"}]})";
  game.revision = 7;
  BOOST_TEST(are_same(decode_hosted_game("a", 7, encode_hosted_game(game)), game));
}

BOOST_AUTO_TEST_CASE(has_the_second_form_only_where_it_says_more_than_the_first) {
  HostedGame plain = hosted_game("a", 1);
  plain.seats[1] = HostedGameSeat{.name = "Ann"};
  BOOST_TEST(encode_hosted_game(plain).starts_with(R"({"form":1,)"));
  const auto check = [&](const auto& change) {
    HostedGame game = plain;
    change(game);
    const std::string document = encode_hosted_game(game);
    BOOST_TEST(document.starts_with(R"({"form":2,)"));
    BOOST_TEST(are_same(decode_hosted_game("a", 0, document), game));
  };
  using enum HostedGameSeat::Auto;
  for (const auto automatic : {self, host, away, computer})
    check([&](HostedGame& game) { game.seats[1]->automatic = automatic; });
  check([](HostedGame& game) { game.seats[1]->reserved = true; });
  check([](HostedGame& game) { game.seats[1]->back_at = 7; });
  check([](HostedGame& game) { game.pace = 30; });
  check([](HostedGame& game) { game.other_host = bytes(7); });
  check([](HostedGame& game) { game.drawing_since = new_year; });
  check([](HostedGame& game) { game.redraws = 2; });
  check([](HostedGame& game) { game.given_up_seats = {bytes(8), bytes(9)}; });
  check([](HostedGame& game) { game.rematch = "b"; });
}

BOOST_AUTO_TEST_CASE(of_a_form_that_is_not_known_asks_for_a_newer_program) {
  HostedGame newest = hosted_game("a", 1);
  newest.pace = 30;
  std::string document = encode_hosted_game(newest);
  document.replace(document.find(R"("form":2)"), 8, R"("form":3)");
  for (const std::string& told : {document_with(R"("form":1)", R"("form":3,"more":[])"), document})
    BOOST_TEST(refusal_of(told, StoreError::Cause::other_version) ==
               "what the server keeps of game a has form 3, and this snl reads up to 2; use a "
               "newer snl");
}

BOOST_AUTO_TEST_CASE(that_says_what_its_form_does_not_is_refused) {
  const std::string damaged = "what the server keeps of game a is damaged; restore a copy";
  const auto check_refused = [&](const std::string& word, const std::string& other) {
    BOOST_TEST_CONTEXT(other)
    BOOST_TEST(refusal_of(document_with(word, other), StoreError::Cause::damaged) == damaged);
  };
  const std::string unasked = R"("question":null)";
  const std::string asked =
      R"("question":{"id":1,"by":2,"to":0,"asked_at":2,"agreed":[9],"outcome":null})";
  BOOST_TEST(decode_hosted_game("a", 1, document_with(unasked, asked)).question->agreed.has(9));
  check_refused(R"("form":1)", R"("form":1,"more":[])");
  check_refused(R"("form":1)", R"("form":0)");
  check_refused(R"("form":1)", R"("form":1.5)");
  check_refused(R"("start":1)", R"("start":1,"more":[])");
  check_refused(R"("takebacks":"ask",)", "");
  check_refused(R"("takebacks":"ask")", R"("takebacks":"beg")");
  check_refused(R"("exact")", R"("early")");
  check_refused(R"("request":"c8)", R"("request":"c)");
  check_refused("[null,null,null]", R"([null,null,"x"])");
  check_refused("[null,null,null]", "[null]");
  check_refused(R"("faces":6)", R"("faces":1)");
  check_refused(R"("faces":6)", R"("faces":6000000000)");
  check_refused(unasked, std::string(asked).replace(asked.find(R"("by":2)"), 6, R"("by":3)"));
  check_refused(unasked, std::string(asked).replace(asked.find("[9]"), 3, "[10]"));
  for (const auto* const none : {"", "[]", "{}"})
    BOOST_TEST(refusal_of(none, StoreError::Cause::damaged) == damaged);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Schema 3, in which a hosted game was a row of many columns

namespace {

constexpr std::size_t third = 3;

class ThirdInSqlite {
 public:
  ThirdInSqlite() {
    open_store_to_write(location(), timeout_ms, schema_made_by(migrations().first(third)));
  }
  std::string location() const { return folder_.file("store.db"); }
  std::string bytes(const Hash& hash) const { return fmt::format("x'{}'", to_hex(hash)); }
  void execute(const std::string& sql) const { PlainDatabase(location()).execute(sql); }

 private:
  Folder folder_;
};

#ifdef SNL_POSTGRESQL
class ThirdInPostgres {
 public:
  ThirdInPostgres() {
    postgres::ServerConnection connection(location_, postgres::ServerConnection::Use::write);
    postgres::upgrade(connection, postgres::server_migrations().first(third));
    execute("SET search_path = snl");
  }
  std::string location() const { return location_; }
  std::string bytes(const Hash& hash) const { return fmt::format("'\\x{}'", to_hex(hash)); }
  void execute(const std::string& sql) { session_.execute(sql); }
  PlainSession& session() { return session_; }

 private:
  std::string location_ = Cluster::shared().empty_database();
  PlainSession session_{location_};
};
using ThirdWorlds = boost::mpl::list<ThirdInSqlite, ThirdInPostgres>;
#else
using ThirdWorlds = boost::mpl::list<ThirdInSqlite>;
#endif

/// Together they have each value that a column could have.
std::vector<HostedGame> games_of_third_schema() {
  const auto taken = [](const std::string& name, std::uint8_t token) {
    return HostedGameSeat{.name = name, .token = bytes(token), .tokens = token};
  };
  HostedGame open = hosted_game("open", 1, 0);
  open.revision = 12;
  open.seats[1] = taken("Ann \"ü\" \\ 🎲 O'Hara", 11);
  HostedGame drawing = hosted_game("drawing", 2, max_time);
  drawing.revision = 5;
  drawing.stage = HostedGameStage::drawing;
  drawing.seats = {taken("Bob", 21), taken("Cyd", 22), std::nullopt};
  drawing.seats[0]->entropy_hash = bytes(23);
  drawing.seats[1]->entropy_hash = bytes(24);
  drawing.seats[1]->entropy = bytes(25);
  HostedGame settled = hosted_game("settled", 3);
  settled.revision = 40;
  settled.stage = HostedGameStage::settled;
  settled.visibility = HostedGame::Visibility::by_its_id;
  settled.seats = {taken("a", 31), taken("b", 32)};
  settled.rules = {
      .start = 0, .finish = Finish::bounce, .dice = 2, .faces = 100, .sixes = Sixes::plain};
  HostedGame asked = hosted_game("asked", 4);
  asked.revision = 1;
  asked.stage = HostedGameStage::started;
  asked.seats.resize(10);
  for (std::uint8_t seat = 0; seat < 10; ++seat)
    asked.seats[seat] = taken(std::to_string(seat), static_cast<std::uint8_t>(41 + seat));
  asked.question = TakebackQuestion{.id = 7, .by = 9, .to = 0, .asked_at = 5};
  asked.question->agreed.insert(0);
  asked.question->agreed.insert(9);
  HostedGame refused = hosted_game("refused", 5);
  refused.revision = 30;
  refused.stage = HostedGameStage::started;
  refused.seats = {taken("a", 51), taken("b", 52)};
  refused.rules.finish = Finish::overshoot;
  refused.question = TakebackQuestion{
      .id = 1, .to = 3, .asked_at = 9, .outcome = TakebackQuestion::Outcome::refused};
  refused.given_up = HostedGame::GivenUp::when_idle;
  HostedGame own = hosted_game("own", 6);
  own.revision = 31;
  own.stage = HostedGameStage::started;
  own.dice = HostedGame::Dice::own;
  own.takebacks = HostedGame::Takebacks::none;
  own.secret.reset();
  own.seats = {taken("a", 61), taken("b", 62)};
  own.question = TakebackQuestion{
      .id = 2, .by = 1, .asked_at = 1, .outcome = TakebackQuestion::Outcome::withdrawn};
  own.given_up = HostedGame::GivenUp::by_host;
  return {open, drawing, settled, asked, refused, own};
}

/// As an SQL literal; none is NULL.
template <class Value, class Written>
std::string or_null(const std::optional<Value>& value, const Written& written) {
  return value ? fmt::format("{}", written(*value)) : "NULL";
}

template <class World>
std::string row_in_third_schema(const World& world, const HostedGame& game) {
  constexpr std::array stages{"open", "drawing", "settled", "started"};
  const auto hex = [&](const Hash& hash) { return world.bytes(hash); };
  const auto question = [&](const auto& part) { return or_null(game.question, part); };
  const Rules& rules = game.rules;
  std::string outcome = "NULL";
  if (game.question && game.question->outcome)
    outcome =
        game.question->outcome == TakebackQuestion::Outcome::refused ? "'refused'" : "'withdrawn'";
  return fmt::format(
      "INSERT INTO rooms (id, changed, created, stage, host_token, request, private, dice, "
      "takebacks, board, start, finish, throws, faces, sixes, places, secret, given_up, question, "
      "asked_by, asked_to, asked_at, agreed, outcome) VALUES ({});",
      fmt::join(
          std::vector<std::string>{
              fmt::format("'{}'", game.id),
              std::to_string(game.revision),
              std::to_string(game.created),
              fmt::format("'{}'", stages.at(static_cast<std::size_t>(game.stage))),
              hex(game.host_token),
              hex(game.request),
              game.visibility == HostedGame::Visibility::by_its_id ? "true" : "false",
              game.dice == HostedGame::Dice::own ? "'own'" : "'seeded'",
              game.takebacks == HostedGame::Takebacks::none ? "'none'" : "'ask'",
              fmt::format("'{}'", game.board),
              std::to_string(rules.start),
              fmt::format("'{}'", to_string(rules.finish)),
              std::to_string(rules.dice),
              std::to_string(rules.faces),
              fmt::format("'{}'", to_string(rules.sixes)),
              std::to_string(game.seats.size()),
              or_null(game.secret, [&](const Secret& secret) { return hex(secret.to_keep()); }),
              or_null(game.given_up,
                      [](HostedGame::GivenUp by) {
                        return by == HostedGame::GivenUp::by_host ? "'host'" : "'idle'";
                      }),
              question([](const TakebackQuestion& asked) { return asked.id; }),
              question([](const TakebackQuestion& asked) { return int{asked.by}; }),
              question([](const TakebackQuestion& asked) { return asked.to; }),
              question([](const TakebackQuestion& asked) { return asked.asked_at; }),
              question([](const TakebackQuestion& asked) {
                int bits = 0;
                for (Seat seat = 0; seat < max_players; ++seat)
                  if (asked.agreed.has(seat)) bits += 1 << seat;
                return bits;
              }),
              outcome},
          ", "));
}

template <class World>
std::string seats_in_third_schema(const World& world, const HostedGame& game) {
  const auto hex = [&](const Hash& hash) { return world.bytes(hash); };
  std::string rows;
  for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
    if (!game.seats[seat]) continue;
    const HostedGameSeat& taken = *game.seats[seat];
    std::string name = taken.name;
    if (const std::size_t quote = name.find('\''); quote != std::string::npos)
      name.insert(quote, 1, '\'');
    rows += fmt::format(
        "INSERT INTO room_seats (room, seat, name, token, tokens, entropy_hash, entropy) "
        "SELECT room, {}, '{}', {}, {}, {}, {} FROM rooms WHERE id = '{}';",
        seat, name, hex(taken.token), taken.tokens, or_null(taken.entropy_hash, hex),
        or_null(taken.entropy, hex), game.id);
  }
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(an_older_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_upgraded_with_every_value_of_its_hosted_games, World,
                              ThirdWorlds) {
  World world;
  const auto games = games_of_third_schema();
  for (const HostedGame& game : games)
    world.execute(row_in_third_schema(world, game) + seats_in_third_schema(world, game));
  world.execute("UPDATE room_changes SET number = 50");
  const auto upgraded = open_hosted_games(world.location());
  for (const HostedGame& game : games)
    BOOST_TEST_CONTEXT(game.id) {
      BOOST_TEST(are_same(upgraded->game(game.id).value(), game));
      BOOST_TEST(upgraded->hosted_by(game.host_token).value() == game.id);
    }
  BOOST_TEST(upgraded->last_revision() == 50);
  BOOST_TEST(kept(*upgraded, games[0]).revision == 51);
  BOOST_TEST(upgraded->count_waiting() == 3);
  BOOST_TEST(upgraded->waiting({}, 10).front().id == "drawing");
  BOOST_TEST(ids_of(upgraded->settled(10)) == "settled");
  BOOST_TEST(ids_of(upgraded->started_after("", 10)) == "asked");
  BOOST_TEST(upgraded->started_after("asked", 10).empty());
  BOOST_TEST(upgraded->changed_after(0, 1).front().id == "asked");
  for (std::size_t i = 1; i < games.size(); ++i)
    BOOST_CHECK(upgraded->entries({&games[i].id, 1}).front() == entry_of(games[i]));
}

BOOST_AUTO_TEST_CASE(is_upgraded_where_one_of_its_hosted_games_is_damaged) {
  const ThirdInSqlite world;
  for (const HostedGame& game : games_of_third_schema())
    world.execute(row_in_third_schema(world, game) + seats_in_third_schema(world, game));
  world.execute("UPDATE rooms SET board = '{' WHERE id = 'drawing'");
  const auto upgraded = open_hosted_games(world.location());
  BOOST_TEST(upgraded->game("drawing")->board == R"("{")");
  BOOST_TEST(upgraded->game("open").has_value());
}

#ifdef SNL_POSTGRESQL
BOOST_AUTO_TEST_CASE(admits_after_its_upgrade_whom_it_admitted_before) {
  ThirdInPostgres world;
  world.execute("CREATE ROLE web LOGIN; SELECT snl.admit('web')");
  open_hosted_games(world.location());
  const std::string location = world.location() + " user=web";
  BOOST_TEST(kept(*open_hosted_games(location), hosted_game("a", 1)).revision == 1);
  world.execute("DROP OWNED BY web; DROP ROLE web");
}
#endif

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(copies_of_a_store)

BOOST_AUTO_TEST_CASE(are_made_of_hosted_games_that_can_only_be_read) {
  namespace fs = std::filesystem;
  const Folder folder;
  const std::string path = folder.file("store.db");
  const HostedGame hosted = kept(*open_hosted_games(path), hosted_game("a", 1));
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  const auto before = folder.contents();
  const auto read = [&] {
    const auto hosted_games = open_hosted_games(path, for_reading);
    const auto there = hosted_games->changed_after(0, 9);
    if (there.size() != 1 || !are_same(*hosted_games->game(there[0].id), hosted)) return 1;
    try {
      hosted_games->keep(std::span(&hosted, 1));
    } catch (const StoreError&) {
      return 0;
    }
    return 2;
  };
  BOOST_TEST(without_privileges(read) == 0);
  BOOST_CHECK(folder.contents() == before);
  fs::permissions(folder.path(), fs::perms(0755));
}

BOOST_AUTO_TEST_CASE(have_its_hosted_games_in_them) {
  InSqlite world;
  start(world.store(), "apple");
  HostedGame hosted = hosted_game("apple", 1);
  hosted.stage = HostedGameStage::started;
  hosted.dice = HostedGame::Dice::own;  // nothing was drawn
  for (const std::size_t seat : {0U, 1U})
    hosted.seats[seat] = HostedGameSeat{.name = std::to_string(seat), .token = bytes(2)};
  hosted = kept(world.hosted_games(), hosted);
  const HostedGame waiting = kept(world.hosted_games(), hosted_game("waits", 7));
  const auto admin = admin_of_store(world.path());
  BOOST_TEST(admin->check().empty());
  const auto check_has_them = [&](const std::string& path) {
    const auto hosted_games = open_hosted_games(path);
    BOOST_TEST(are_same(*hosted_games->game("apple"), hosted));
    BOOST_TEST(are_same(*hosted_games->game("waits"), waiting));
    BOOST_TEST(hosted_games->last_revision() == waiting.revision);
    BOOST_TEST(open_store(path, for_reading)->head("apple").has_value());
  };
  const std::string copy = world.file("copy.db");
  BOOST_TEST(admin->back_up(copy, {}).ok());
  check_has_them(copy);
  BOOST_TEST(admin_of_store(world.file("new.db"))->restore(copy, Occupied::refuse).ok());
  check_has_them(world.file("new.db"));
  // Into a file with pages of another size, row by row.
  const std::string large = world.file("large.db");
  PlainDatabase(large).execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");
  open_store(large, for_writing);
  PlainDatabase(large).execute("VACUUM");
  BOOST_TEST(admin_of_store(large)->restore(copy, Occupied::replace).ok());
  check_has_them(large);
  BOOST_TEST(admin->compact().has_value());
  check_has_them(world.path());
}

BOOST_AUTO_TEST_CASE(made_game_by_game_bring_what_changed_since_the_last_one) {
  const auto from = hosted_games_in_memory();
  const auto to = hosted_games_in_memory();
  kept(*to, hosted_game("other", 5));
  HostedGame hosted = kept(*from, hosted_game("a", 1));
  kept(*from, hosted_game("b", 2));
  BOOST_TEST(copy_hosted_games(*from, *to).value() == 2);
  BOOST_TEST(copy_hosted_games(*from, *to).value() == 0);
  hosted.seats[1] = HostedGameSeat{.name = "Ann", .token = bytes(9)};
  hosted = kept(*from, hosted);
  BOOST_TEST(copy_hosted_games(*from, *to).value() == 1);
  HostedGame copied = to->game("a").value();
  BOOST_TEST(copied.revision == 4);
  copied.revision = hosted.revision;
  BOOST_TEST(are_same(copied, hosted));
  BOOST_TEST(to->game("other").has_value());
}

BOOST_AUTO_TEST_CASE(made_game_by_game_take_nothing_back) {
  const auto refused_after = [](const std::function<void(HostedGame & there)>& change) {
    const auto from = hosted_games_in_memory();
    const auto to = hosted_games_in_memory();
    HostedGame first = hosted_game("a", 1);
    first.redraws = 1;
    first.seats[0] = HostedGameSeat{.name = "Ann", .token = bytes(3)};
    kept(*from, first);
    change(first);
    const HostedGame there = kept(*to, first);
    const auto copied = copy_hosted_games(*from, *to);
    BOOST_TEST(are_same(to->game("a").value(), there));
    return !copied && copied.error().cause == NotCopied::Cause::conflict &&
           copied.error().game == "a";
  };
  BOOST_TEST(refused_after([](HostedGame& there) { there.host_token = bytes(2); }));
  BOOST_TEST(refused_after([](HostedGame& there) { there.stage = HostedGameStage::drawing; }));
  BOOST_TEST(refused_after([](HostedGame& there) { there.redraws = 2; }));
  BOOST_TEST(
      refused_after([](HostedGame& there) { there.given_up = HostedGame::GivenUp::by_host; }));
  BOOST_TEST(refused_after([](HostedGame& there) { there.rematch = "next"; }));
  BOOST_TEST(refused_after([](HostedGame& there) { there.other_host = bytes(4); }));
  BOOST_TEST(refused_after([](HostedGame& there) { there.seats[0]->tokens = 2; }));
}

BOOST_AUTO_TEST_CASE(do_not_replace_one_with_hosted_games_alone) {
  InSqlite world;
  kept(world.hosted_games(), hosted_game("waits", 7));
  const std::string copy = world.file("copy.db");
  open_store(copy, for_writing);
  BOOST_CHECK_THROW(admin_of_store(world.path())->restore(copy, Occupied::refuse), NotEmpty);
  BOOST_TEST(world.hosted_games().game("waits").has_value());
}

BOOST_AUTO_TEST_CASE(of_damaged_hosted_games_are_told) {
  InSqlite world;
  start(world.store(), "apple");
  HostedGame hosted = hosted_game("apple", 1);
  hosted.stage = HostedGameStage::started;
  hosted.dice = HostedGame::Dice::own;  // nothing was drawn
  for (const std::size_t seat : {0U, 1U})
    hosted.seats[seat] = HostedGameSeat{.name = std::to_string(seat), .token = bytes(2)};
  kept(world.hosted_games(), hosted);
  const auto finds = [&](const std::string& sql) {
    PlainDatabase database(world.path());
    database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN");
    database.execute(sql);
    database.execute("COMMIT");
    return !admin_of_store(world.path())->check().empty();
  };
  BOOST_TEST(finds("UPDATE hosted_game_revisions SET last = 0"));
  BOOST_TEST(!finds("UPDATE hosted_game_revisions SET last = 99"));
  BOOST_TEST(finds("DELETE FROM hosted_game_revisions"));
  BOOST_TEST(!finds("INSERT INTO hosted_game_revisions VALUES (1, 99)"));
  BOOST_TEST(finds("UPDATE hosted_games SET id = 'nobody'"));
  BOOST_TEST(!finds("UPDATE hosted_games SET id = 'apple'"));
  for (const auto* const column : {"created = 1", "stage = 'settled'", "visibility = 'private'",
                                   "given_up = 'host'", "host_token = 'x'"}) {
    BOOST_TEST(finds(fmt::format("UPDATE hosted_games SET {}", column)));
    BOOST_TEST(
        !finds("UPDATE hosted_games SET created = document ->> 'created', "
               "stage = document ->> 'stage', visibility = document ->> 'visibility', "
               "given_up = document ->> 'given_up', "
               "host_token = document ->> 'host_token'"));
  }
  BOOST_TEST(finds("UPDATE hosted_games SET document = json_set(document, '$.seats[1]', NULL)"));
  BOOST_TEST(finds("UPDATE hosted_games SET document = '{'"));
  BOOST_CHECK_THROW(world.hosted_games().game("apple"), StoreError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(an_append)

BOOST_AUTO_TEST_CASE_TEMPLATE(may_depend_on_a_hosted_game, World, Worlds) {
  World world;
  EventStore& store = world.store();
  start(store, "a");
  start(store, "b");
  HostedGame hosted = kept(world.hosted_games(), hosted_game("a", 1));
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
  BOOST_TEST(append(hosted.revision, {}).has_value());
  BOOST_TEST(is_refused_for(append(hosted.revision + 1, {}), "a"));
  BOOST_TEST(is_refused_for(append(hosted.revision, 1), "b"));  // which has no hosted game
  const std::int64_t before = hosted.revision;
  hosted = kept(world.another(), hosted);
  BOOST_TEST(is_refused_for(append(before, {}), "a"));
  BOOST_TEST(store.head("a")->version == 2);
  BOOST_TEST(store.head("b")->version == 2);
  BOOST_TEST(append(hosted.revision, {}).has_value());
  // Also for a single append, where its command ID is used, and where there are no other appends.
  const auto alone = [&](EventStore& now, std::int64_t revision) {
    return now.append(std::vector{of("a", revision, commit)});
  };
  BOOST_TEST(is_refused_for(alone(store, before), "a"));
  BOOST_TEST(alone(store, hosted.revision).has_value());
  BOOST_TEST(is_refused_for(alone(store, before), "a"));
  BOOST_TEST(std::holds_alternative<CommandIdUsed>(alone(store, hosted.revision).error().why));
  store.locked("a", [&](EventStore& now) {
    BOOST_TEST(is_refused_for(now.append(std::vector{of("a", before, other)}), "a"));
    BOOST_TEST(now.append(std::vector{of("a", hosted.revision, other)}).has_value());
  });
  BOOST_TEST(world.hosted_games().forget("a", hosted.revision));
  BOOST_TEST(is_refused_for(alone(store, hosted.revision), "a"));
  BOOST_TEST(store.head("a")->version == 5);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(commands_that_wait_together)

/// Counts appends. It may report an unknown outcome of an append, recorded or not.
class CountingStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    ++calls;
    if (unknown == Unknown::not_recorded || unknown == Unknown::for_ever) {
      if (unknown == Unknown::not_recorded) unknown = Unknown::no;
      throw OutcomeUnknown(StoreError::Cause::failed, "the power is gone");
    }
    auto answer = PassingStore::append(appends);
    if (unknown == Unknown::recorded) {
      unknown = Unknown::no;
      throw OutcomeUnknown(StoreError::Cause::failed, "the power is gone");
    }
    return answer;
  }
  enum class Unknown : std::uint8_t { no, recorded, not_recorded, for_ever };
  Unknown unknown = Unknown::no;
  int calls = 0;
};

BOOST_AUTO_TEST_CASE_TEMPLATE(say_so_where_nobody_can_tell_what_is_recorded, World, Worlds) {
  World world;
  CountingStore store(world.store());
  store.unknown = CountingStore::Unknown::for_ever;
  GroupCommit group(store, ticking_clock());
  const std::vector<WaitingCommand> starts{{"a", start_of()}, {"b", start_of()}};
  for (const CommandOutcome& outcome : group.execute(starts))
    BOOST_TEST(std::get<StoreError>(outcome).is_outcome_unknown());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(share_one_append, World, Worlds) {
  World world;
  CountingStore store(world.store());
  GroupCommit group(store, ticking_clock());
  const std::vector<WaitingCommand> starts{{"a", start_of()}, {"b", start_of()}, {"c", start_of()}};
  auto outcomes = group.execute(starts);
  BOOST_TEST(store.calls == 1);
  for (const CommandOutcome& outcome : outcomes)
    BOOST_TEST(std::get<Committed>(outcome).head.version == 1);
  // One player to move, one not to move, one with a key, and one game that doesn't exist.
  outcomes = group.execute(std::vector<WaitingCommand>{{"a", RollTurn{}},
                                                       {"b", PlayTurn{1, {3}}},
                                                       {"c", RollTurn{}, {.command_id = "k"}},
                                                       {"nobody", RollTurn{}}});
  BOOST_TEST(store.calls == 2);
  BOOST_TEST(std::get<Committed>(outcomes[0]).head.version == 2);
  BOOST_TEST(std::holds_alternative<Rejection>(outcomes[1]));
  BOOST_TEST(std::get<Committed>(outcomes[2]).head.version == 2);
  BOOST_TEST(std::holds_alternative<Rejection>(outcomes[3]));
  outcomes = group.execute(
      std::vector<WaitingCommand>{{"c", RollTurn{}, {.command_id = "k"}}, {"b", PlayTurn{0, {3}}}});
  BOOST_TEST(std::get<Committed>(outcomes[0]).again);
  BOOST_TEST(std::get<Committed>(outcomes[1]).head.version == 2);
  BOOST_TEST(store.calls == 4);  // the used key needs no append of its own
  BOOST_TEST(group.execute({}).empty());
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
  BOOST_TEST(std::get<Committed>(outcomes[0]).head.version == 2);
  BOOST_TEST(std::get<Committed>(outcomes[1]).head.version == 3);
  BOOST_TEST(std::get<Conflict>(std::get<Rejection>(outcomes[2])).actual == 1);
  const auto after = std::get<Committed>(outcomes[1]).game;
  BOOST_TEST((after->head() == *world.store().head("b")));
  // The cached state of it is old.
  perform(other, RollTurn{});
  const auto again = group.execute(std::vector<WaitingCommand>{{"b", RollTurn{}, {}, after}});
  BOOST_TEST((std::get<Committed>(again[0]).game->head() == *world.store().head("b")));
  BOOST_TEST(world.store().head("b")->version == 5);
  const auto taken =
      group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"d", start_of()}});
  BOOST_TEST(std::holds_alternative<GameIdTaken>(std::get<Rejection>(taken[0])));
  BOOST_TEST(std::holds_alternative<Committed>(taken[1]));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_recorded_unasked_where_what_is_remembered_is_so, World, Worlds) {
  World world;
  CountedStore store(world.store());
  GroupCommit group(store, ticking_clock());
  group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"b", start_of()}});
  const std::int64_t revision_of_a = kept(world.hosted_games(), hosted_game("a", 1)).revision;
  const std::int64_t revision_of_b = kept(world.hosted_games(), hosted_game("b", 2)).revision;
  const std::vector<WaitingCommand> commands{
      {"a",
       RollTurn{},
       {.expected_version = 1, .command_id = "k"},
       known(store, "a"),
       revision_of_a,
       true},
      {"b", RollTurn{}, {}, known(store, "b"), revision_of_b, true}};
  std::ignore = store.appends() + store.questions();
  const auto outcomes = group.execute(commands);
  for (const auto& outcome : outcomes)
    BOOST_TEST(std::get<Committed>(outcome).head.version == 2);
  BOOST_TEST(store.appends() == 1);
  BOOST_TEST(store.questions() == 0);
  const auto& of_a = std::get<Committed>(outcomes[0]);
  BOOST_TEST((of_a.game->head() == *world.store().head("a")));
  BOOST_TEST(of_a.commit.events == world.store().commit("a", 2)->events);
  BOOST_TEST(world.store().commit_with_id("a", "k")->version == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_to_be_looked_at_again_where_what_is_remembered_is_old, World,
                              Worlds) {
  World world;
  EventStore& store = world.store();
  GroupCommit group(store, ticking_clock());
  std::vector<std::int64_t> revisions;
  const std::vector<std::string> games{"a", "b", "c", "d", "e", "f"};
  for (const std::string& game : games) {
    group.execute(std::vector<WaitingCommand>{{game, start_of()}});
    const auto host = static_cast<std::uint8_t>(revisions.size() + 1);
    revisions.push_back(kept(world.hosted_games(), hosted_game(game, host)).revision);
  }
  kept(world.hosted_games(), *world.hosted_games().game("c"));
  const auto old = known(store, "b");
  Match other = *Match::load(store, "b", ticking_clock());
  perform(other, RollTurn{});
  group.execute(std::vector<WaitingCommand>{{"d", RollTurn{}, {.command_id = "k"}}});
  // A valid turn; a game in which another player moved; a changed hosted game; a used key, which is
  // answered; a player not to move; another version.
  const std::vector<WaitingCommand> commands{
      {"a", RollTurn{}, {}, known(store, "a"), revisions[0], true},
      {"b", RollTurn{}, {}, old, revisions[1], true},
      {"c", RollTurn{}, {}, known(store, "c"), revisions[2], true},
      {"d", RollTurn{}, {.command_id = "k"}, known(store, "d"), revisions[3], true},
      {"e", PlayTurn{1, {3}}, {}, known(store, "e"), revisions[4], true},
      {"f", RollTurn{}, {.expected_version = 9}, known(store, "f"), revisions[5], true},
      {"nobody", RollTurn{}, {}, nullptr, 1, true}};
  const auto outcomes = group.execute(commands);
  BOOST_TEST(std::get<Committed>(outcomes[0]).head.version == 2);
  BOOST_TEST(std::get<Committed>(outcomes[3]).again);
  for (const std::size_t i : {1U, 2U, 4U, 5U, 6U})
    BOOST_TEST(std::holds_alternative<Outdated>(outcomes[i]), commands[i].game);
  const std::vector<Version> versions{2, 2, 1, 2, 1, 1};
  for (std::size_t i = 0; i < games.size(); ++i)
    BOOST_TEST(store.head(games[i])->version == versions[i], games[i]);
  const auto bad = group.execute(std::vector<WaitingCommand>{
      {"e", RollTurn{}, {.command_id = "\n"}, known(store, "e"), revisions[4], true}});
  BOOST_TEST(std::holds_alternative<Outdated>(bad.front()));
  // Commands that aren't optimistic: impossible turns are rejected, and old states must be
  // refreshed.
  const auto asked = group.execute(
      std::vector<WaitingCommand>{{"b", PlayTurn{1, {3}}, {}, old, revisions[1]},
                                  {"c", RollTurn{}, {}, known(store, "c"), revisions[2]},
                                  {"d", RollTurn{}, {.expected_version = 1}, nullptr, revisions[3]},
                                  {"e", PlayTurn{1, {3}}, {}, known(store, "e"), revisions[4]}});
  BOOST_TEST(std::holds_alternative<Outdated>(asked[0]));
  BOOST_TEST(std::holds_alternative<Outdated>(asked[1]));
  BOOST_TEST(std::holds_alternative<Rejection>(asked[2]));
  BOOST_TEST(std::holds_alternative<Rejection>(asked[3]));
  BOOST_TEST(store.head("b")->version == 2);
  BOOST_TEST(store.head("c")->version == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_recorded_beside_one_whose_key_has_a_damaged_commit, World,
                              Worlds) {
  World world;
  EventStore& store = world.store();
  GroupCommit group(store, ticking_clock());
  group.execute(std::vector<WaitingCommand>{{"a", start_of()}, {"b", start_of()}});
  const auto before = known(store, "a");
  const NewCommit forged{.time = new_year,
                         .command = encode(RollTurn{}, "k"),
                         .events = R"([{"played":[1,1,9,[3],true,1,4,4,"moved",1,0]}])",
                         .command_id = "k"};
  BOOST_REQUIRE(
      store.append("a", before->head(), std::span(&forged, 1), before->state()).has_value());
  const auto outcomes = group.execute(std::vector<WaitingCommand>{
      {"a", RollTurn{}, {.command_id = "k"}, before}, {"b", RollTurn{}}});
  BOOST_TEST(std::get<StoreError>(outcomes[0]).is_damage());
  BOOST_TEST(std::get<Committed>(outcomes[1]).head.version == 2);
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
      BOOST_TEST(std::get<Committed>(outcome).head.version == version);
    BOOST_TEST(world.store().head("a")->version == version);
    BOOST_TEST((std::get<Committed>(outcomes[1]).game->head() == *world.store().head("b")));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
