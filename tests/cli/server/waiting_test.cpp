// Goal: no game waits, as server.md's contract says. The server rolls for a player who takes too
// long, restarts a stalled draw, and offers a rematch of an ended game. Each happens once, whatever
// is killed, and whichever of two servers is first. A player who isn't late costs nothing.
//
// Method: requests as values, as in game_test.cpp. The tests move two clocks: one for the time of
// day, and one for deadlines. The log shows the turns that were rolled.
#include "house.hpp"
#include "storage/audit.hpp"
#include "storage/match.hpp"

#include <boost/mpl/list.hpp>
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <set>

namespace snl::test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

using Houses = boost::mpl::list<MemoryHouse, SqliteHouse>;

void check_refused(const Reply& reply, unsigned status, std::string_view type) {
  BOOST_TEST(reply.status() == status, reply.response.text());
  BOOST_TEST(reply.problem() == type, reply.response.text());
}

/// For a game that was just made, whose seats are free.
Table table_of(const Reply& made) {
  const std::string id = made.text("/id");
  return {.id = id, .path = "/api/games/" + id, .host = made.text("/token"), .seats = {}};
}

/// Clocks that stand still until they are moved.
struct Clocks {
  UnixMilliseconds time = 1'767'225'600'000;
  cli::SteadyTime steady{1h};
  milliseconds auto_wait{1500};
  std::set<std::string> watched = {};
  std::vector<std::string> newly_watched = {};
  std::vector<std::string> failures = {};  // messages for the operator

  cli::GameSettings settings(TestSettings& test) {
    cli::GameSettings settings = test.settings();
    settings.clock = [this] { return time; };
    settings.steady_clock = [this] { return steady; };
    settings.auto_wait = auto_wait;
    settings.is_watched = [this](const std::string& game) { return watched.contains(game); };
    settings.newly_watched = [this] { return std::exchange(newly_watched, {}); };
    settings.report_failure = [this](std::string_view why) { failures.emplace_back(why); };
    return settings;
  }
  void move(milliseconds by) {
    time += by.count();
    steady += by;
  }
};

template <class House>
struct Situation {
  House house;
  TestSettings test;
  Clocks clocks;
  std::unique_ptr<Desk> server;
  Desk& desk() { return *server; }

  Situation() { start(); }
  /// As after a kill: nothing remains except the store.
  void start() {
    server = std::make_unique<Desk>(house.store(), house.hosted_games(), house.reader(),
                                    house.reader_hosted_games(), clocks.settings(test));
    play_on();
  }
  void play_on() { play_on(desk()); }
  void play_on(Desk& at) const {
    while (at.writer.next_deadline() <= clocks.steady)
      at.writer.play_on();
  }
  void pass(milliseconds time) {
    clocks.move(time);
    play_on();
  }

  Reply state(const Table& table) { return desk().get(table.path); }
  std::int64_t version(const Table& table) { return state(table).number("/version"); }
  std::string last_command(const Table& table) {
    return house.store().commit(table.id, version(table))->command;
  }
  Reply play(const Table& table, std::size_t seat) {
    return desk().post(table.path + "/turns", nullptr, table.seats[seat]);
  }
  Reply put_auto(const Table& table, std::size_t seat, bool on, const std::string& token) {
    return desk().send(
        request_of("PUT", fmt::format("{}/seats/{}/auto", table.path, seat), {{"on", on}}, token));
  }
  json::value automatic(const Table& table, std::size_t seat) {
    return state(table).at(fmt::format("/seats/{}/auto", seat));
  }
  Reply take_seat(const std::string& path, const json::object& body,
                  const std::string& token = "") {
    return desk().post(path + "/seats", body, token);
  }
  void check_sound() { BOOST_TEST(audit_store(house.store()).ok()); }
};

std::string allowed(const Reply& state) {
  std::string text;
  for (const json::value& item : state.at("/you/may").as_array())
    text += (text.empty() ? "" : " ") + std::string(item.as_string());
  return text;
}

BOOST_AUTO_TEST_SUITE(pace)

BOOST_AUTO_TEST_CASE(is_from_five_seconds_to_a_day_and_of_seeded_dice) {
  Situation<MemoryHouse> s;
  for (const std::int64_t pace : {4, 0, -1, 86401})
    check_refused(s.desk().post("/api/games", {{"open", 2}, {"pace", pace}}), 422U,
                  "invalid-value");
  check_refused(s.desk().post("/api/games", {{"open", 2}, {"pace", 30}, {"dice", "own"}}), 422U,
                "invalid-value");
  check_refused(s.desk().post("/api/games", {{"open", 2}, {"pace", "30"}}), 400U, "unreadable");
  for (const std::int64_t pace : {5, 86400})
    BOOST_TEST(s.desk().post("/api/games", {{"open", 2}, {"pace", pace}}).number("/game/pace") ==
               pace);
  const Reply open = s.desk().post("/api/games", {{"open", 2}});
  BOOST_TEST(open.at("/game/pace").is_null());
  BOOST_TEST(open.at("/game/deadline").is_null());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rolls_for_who_is_late, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  BOOST_TEST(s.state(table).text("/deadline") == "2026-01-01T00:00:30.000Z");
  const std::string tag(s.state(table).response.header("ETag").value());
  s.pass(29'999ms);
  BOOST_TEST(s.version(table) == 1);
  BOOST_TEST(s.state(table).response.header("ETag").value() == tag);
  s.pass(1ms);
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"pace"]})");
  BOOST_TEST(s.state(table).text("/next") == "Bob");
  BOOST_TEST(s.state(table).text("/deadline") == "2026-01-01T00:01:00.000Z");
  BOOST_TEST(s.desk().stream(table.id).find(R"("command":{"roll":[2,"pace"]})") !=
             std::string::npos);
  // After a roll in time, the next player has the same time.
  s.pass(20s);
  BOOST_TEST(s.play(table, 1).status() == 200U);
  BOOST_TEST(s.last_command(table) == R"({"roll":[1]})");
  s.pass(29s);
  BOOST_TEST(s.version(table) == 3);
  s.pass(1s);
  BOOST_TEST(s.version(table) == 4);
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_counted_from_a_restart_on, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  const std::string tag(s.state(table).response.header("ETag").value());
  s.clocks.move(30s);  // killed at the deadline
  s.start();
  BOOST_TEST(s.version(table) == 1);
  BOOST_TEST(s.state(table).text("/deadline") == "2026-01-01T00:01:00.000Z");
  BOOST_TEST(s.state(table).response.header("ETag").value() != tag);
  s.pass(29s);
  BOOST_TEST(s.version(table) == 1);
  s.pass(1s);
  BOOST_TEST(s.version(table) == 2);
  s.pass(30s);
  BOOST_TEST(s.version(table) == 3);
}

BOOST_AUTO_TEST_CASE(is_kept_by_a_clock_that_does_not_jump) {
  Situation<MemoryHouse> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  s.clocks.time += 1000LL * 60 * 60;  // an operator sets the clock
  s.play_on();
  BOOST_TEST(s.version(table) == 1);
  for (const bool on : {true, false}) {
    BOOST_TEST(s.put_auto(table, 0, on, table.seats[0]).status() == 200U);  // and the game changes
    s.play_on();
    BOOST_TEST(s.version(table) == 1);
  }
  s.clocks.time -= 2000LL * 60 * 60;
  s.pass(30s);
  BOOST_TEST(s.version(table) == 2);
}

BOOST_AUTO_TEST_CASE(is_each_turn_s_own_though_the_clock_is_behind_the_server_s_start) {
  Situation<MemoryHouse> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  s.clocks.time -= 1000LL * 60 * 60;
  s.pass(29s);
  BOOST_TEST(s.play(table, 0).status() == 200U);
  s.pass(29s);
  BOOST_TEST(s.version(table) == 2);
  s.pass(1s);
  BOOST_TEST(s.version(table) == 3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_who_is_late_three_times_for_away, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  const auto round = [&] {
    s.play(table, 0);
    s.pass(30s);
  };
  round();
  round();
  BOOST_TEST(s.automatic(table, 1).is_null());
  s.play(table, 0);
  s.play(table, 1);  // which restarts the count
  round();
  round();
  BOOST_TEST(s.automatic(table, 1).is_null());
  round();
  BOOST_TEST(s.automatic(table, 1) == "away");
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"pace"]})");
  s.play(table, 0);
  s.pass(1499ms);
  BOOST_TEST(s.state(table).text("/next") == "Bob");
  s.pass(1ms);
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"auto"]})");
  // Back with a turn, and away again.
  s.play(table, 0);
  BOOST_TEST(s.play(table, 1).status() == 200U);
  BOOST_TEST(s.automatic(table, 1).is_null());
  round();
  round();
  round();
  BOOST_TEST(s.automatic(table, 1) == "away");
  // Back with a request: earlier absences don't count.
  BOOST_TEST(s.put_auto(table, 1, false, table.seats[1]).status() == 200U);
  round();
  round();
  BOOST_TEST(s.automatic(table, 1).is_null());
  round();
  BOOST_TEST(s.automatic(table, 1) == "away");
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_nobody_for_back_by_a_turn_that_is_told_again, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  const auto play_with_key = [&](const std::string& key) {
    return s.desk().post(table.path + "/turns", nullptr, table.seats[1],
                         {{"idempotency-key", key}});
  };
  s.play(table, 0);
  play_with_key("first");
  for (int late = 0; late < 3; ++late) {
    s.play(table, 0);
    s.pass(30s);
  }
  s.play(table, 0);
  BOOST_TEST(s.automatic(table, 1) == "away");
  const std::int64_t version = s.version(table);
  BOOST_TEST(play_with_key("first").response.header("Idempotent-Replayed").value_or("") == "true");
  BOOST_TEST(s.version(table) == version);
  BOOST_TEST(s.automatic(table, 1) == "away");
  BOOST_TEST(play_with_key("second").status() == 200U);
  BOOST_TEST(s.automatic(table, 1).is_null());
  s.start();
  BOOST_TEST(s.automatic(table, 1).is_null());
}

BOOST_AUTO_TEST_CASE(is_rolled_by_one_of_two_servers) {
  Situation<SqliteHouse> s;
  const auto store = open_store(s.house.path, for_writing);
  const auto hosted = open_hosted_games(s.house.path);
  Desk other(*store, *hosted, s.house.reader(), s.house.reader_hosted_games(),
             s.clocks.settings(s.test));
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  s.clocks.move(1s);
  s.play_on(other);  // finds it there
  for (int turn = 0; turn < 5; ++turn) {
    s.clocks.move(30s);
    s.play_on(turn % 2 == 0 ? other : s.desk());
    s.play_on(turn % 2 == 0 ? s.desk() : other);
    BOOST_TEST(s.version(table) == 2 + turn);
  }
  BOOST_TEST(s.automatic(table, 0) == "away");
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(begins_anew_with_a_turn_of_another_process, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 30}});
  s.pass(29'500ms);  // the server looks for such turns now, and a second later
  s.clocks.move(400ms);
  Match match = *Match::load(s.house.store(), table.id, [&] { return s.clocks.time; });
  BOOST_TEST(match.execute(RollTurn{}).has_value());
  s.pass(100ms);
  BOOST_TEST(s.version(table) == 2);
  s.pass(29'900ms);
  BOOST_TEST(s.version(table) == 3);
}

BOOST_AUTO_TEST_CASE(costs_nothing_while_nobody_is_late) {
  const auto questions = [](int games) {
    Situation<CountedHouse> s;
    for (int game = 0; game < games; ++game)
      seated(s.desk(), {"Ann", "Bob"}, {{"pace", 60}});
    s.start();
    s.pass(1s);
    std::ignore = s.house.store().questions();
    for (int second = 0; second < 30; ++second)
      s.pass(1s);
    return s.house.store().questions();
  };
  BOOST_TEST(questions(10'000) == questions(1));
}

BOOST_AUTO_TEST_CASE(is_kept_in_many_games_at_once) {
  Situation<SqliteHouse> s;
  std::vector<Table> tables;
  for (int game = 0; game < 300; ++game)
    tables.push_back(seated(s.desk(), {"Ann", "Bob"}, {{"pace", 5}}));
  s.start();
  s.pass(5s);
  for (const Table& table : tables)
    BOOST_TEST(s.version(table) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(automatic)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_switched_by_a_seat_for_itself_and_by_the_host, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob", "Cyd"});
  check_refused(s.put_auto(table, 1, true, ""), 401U, "unauthorized");
  check_refused(s.put_auto(table, 1, true, table.seats[0]), 403U, "forbidden");
  check_refused(s.put_auto(table, 7, true, table.host), 404U, "not-found");
  check_refused(
      s.desk().send(request_of("PUT", table.path + "/seats/1/auto", json::object{}, table.host)),
      400U, "unreadable");
  BOOST_TEST(s.put_auto(table, 1, true, table.host).text("/seats/1/auto") == "host");
  BOOST_TEST(s.put_auto(table, 2, true, table.seats[2]).text("/seats/2/auto") == "self");
  const std::int64_t changed = s.house.hosted_games().game(table.id)->revision;
  BOOST_TEST(s.put_auto(table, 2, true, table.seats[2]).status() == 200U);
  BOOST_TEST(s.house.hosted_games().game(table.id)->revision == changed);
  s.pass(1h);
  BOOST_TEST(s.version(table) == 1);  // it is Ann's turn, with her full time
  s.play(table, 0);
  s.pass(1500ms);
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"auto"]})");
  s.pass(1500ms);
  BOOST_TEST(s.state(table).text("/next") == "Ann");
  BOOST_TEST(s.put_auto(table, 1, false, table.seats[1]).at("/seats/1/auto").is_null());
  s.play(table, 0);
  s.pass(1h);
  BOOST_TEST(s.state(table).text("/next") == "Bob");
  const Table own = seated(s.desk(), {"Ann", "Bob"}, {{"dice", "own"}});
  check_refused(s.put_auto(own, 0, true, own.host), 422U, "invalid-value");
  s.desk().post(own.path + "/abandon", nullptr, own.host);
  check_refused(s.put_auto(own, 0, true, own.host), 409U, "abandoned");
}

BOOST_AUTO_TEST_CASE(waits_for_no_longer_than_the_pace) {
  Situation<MemoryHouse> s;
  s.clocks.auto_wait = 20s;
  s.start();
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 5}});
  s.put_auto(table, 0, true, table.host);
  s.pass(4999ms);
  BOOST_TEST(s.version(table) == 1);
  s.pass(1ms);
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"auto"]})");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(agrees_to_every_takeback_at_once, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob", "Cyd"});
  s.put_auto(table, 1, true, table.host);
  s.play(table, 0);
  const Reply asked = s.desk().post(table.path + "/takebacks", {{"to", 0}}, table.seats[0]);
  BOOST_TEST(json::serialize(asked.at("/takeback/agreed")) == "[0,1]");
  // From now on, a player for whom the server rolls agrees, too.
  const Reply done = s.put_auto(table, 2, true, table.seats[2]);
  BOOST_TEST(done.text("/takeback/outcome") == "done");
  BOOST_TEST(s.last_command(table) == R"({"undo_to":[2,0,0,[0,1,2]]})");
  s.play(table, 0);
  const Reply alone = s.desk().post(table.path + "/takebacks", {{"to", 0}}, table.seats[0]);
  BOOST_TEST(alone.text("/takeback/outcome") == "done");
  BOOST_TEST(alone.number("/takeback/id") == 2);
  BOOST_TEST(s.state(table).number("/turn") == 0);
}

enum class AfterKill : std::uint8_t { nothing, other_request, same_request, auto_turn };

BOOST_AUTO_TEST_CASE_TEMPLATE(finishes_an_agreed_takeback_that_a_kill_cut_off, House, Houses) {
  using enum AfterKill;
  for (const AfterKill then : {nothing, other_request, same_request, auto_turn}) {
    Situation<House> s;
    const Table table = seated(s.desk(), {"Ann", "Bob"});
    s.play(table, 0);
    const auto ask = [&] {
      return s.desk().post(table.path + "/takebacks", {{"to", 0}}, table.seats[0],
                           {{"if-match", "\"2\""}});
    };
    BOOST_TEST(ask().status() == 200U);
    // As a server leaves it that is killed after it has kept what Bob's auto agrees to.
    HostedGame cut = *s.house.hosted_games().game(table.id);
    cut.question->agreed.insert(1);
    if (then == auto_turn) cut.seats[1]->automatic = HostedGameSeat::Auto::host;
    BOOST_REQUIRE(s.house.hosted_games().keep(std::span(&cut, 1)).front());
    if (then == other_request)
      BOOST_TEST(s.put_auto(table, 1, false, table.seats[1]).status() == 200U);
    else if (then == same_request)
      BOOST_TEST(ask().text("/takeback/outcome") == "done");
    else
      s.pass(10s);
    BOOST_TEST(ask().status() == 200U, "it may be sent again");
    const Reply state = s.state(table);
    BOOST_TEST(state.text("/takeback/outcome") == "done");
    BOOST_TEST(state.number("/turn") == 0);
    BOOST_TEST(state.text("/next") == "Ann");
    BOOST_TEST(s.last_command(table) == R"({"undo_to":[2,0,0,[0,1]]})");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_ones_own_promise_back_and_nobody_elses, House, Houses) {
  Situation<House> s;
  const Table table = table_of(s.desk().post("/api/games", {{"open", 2}}));
  const std::string token(43, 'A');
  const json::object ann{
      {"name", "Ann"}, {"token", token}, {"entropy_hash", entropy_hash_of(hex_of(1))}};
  s.take_seat(table.path, ann);
  const Reply by_host = s.put_auto(table, 0, true, table.host);
  BOOST_TEST(by_host.text("/seats/0/auto") == "host");
  BOOST_TEST(by_host.text("/seats/0/entropy_hash") == entropy_hash_of(hex_of(1)));
  BOOST_TEST(s.take_seat(table.path, ann).status() == 200U);
  s.put_auto(table, 0, false, token);
  const auto has_promised = [&] { return !s.state(table).at("/seats/0/entropy_hash").is_null(); };
  s.put_auto(table, 0, true, token);
  BOOST_TEST(!has_promised());
  BOOST_TEST(s.take_seat(table.path, ann).status() == 200U);
  BOOST_TEST(!has_promised());
  // A player who plays again may promise again.
  s.put_auto(table, 0, false, token);
  BOOST_TEST(s.take_seat(table.path, ann).status() == 200U);
  BOOST_TEST(has_promised());
  s.put_auto(table, 0, true, token);
  s.take_seat(table.path, {{"name", "Bob"}});
  BOOST_TEST(s.state(table).text("/status") == "in-progress");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(plays_for_computers, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk().post("/api/games", {{"open", 3}});
  const Table table = table_of(made);
  const json::object computer{{"computer", true}};
  check_refused(s.take_seat(table.path, computer), 401U, "unauthorized");
  const Reply ann =
      s.take_seat(table.path, {{"name", "Ann"}, {"entropy_hash", entropy_hash_of(hex_of(1))}});
  check_refused(s.take_seat(table.path, computer, ann.text("/token")), 403U, "forbidden");
  check_refused(
      s.take_seat(table.path, {{"computer", true}, {"token", std::string(43, 'A')}}, table.host),
      400U, "unreadable");
  check_refused(s.take_seat(table.path, {{"computer", true}, {"name", "Ann"}}, table.host), 409U,
                "name-taken");
  BOOST_TEST(
      s.take_seat(table.path, {{"computer", true}, {"name", "HAL"}}, table.host).text("/name") ==
      "HAL");
  const json::object hal{{"computer", true}, {"name", "HAL"}};
  const Reply again = s.take_seat(table.path, hal, table.host);
  BOOST_TEST(again.status() == 200U);
  BOOST_TEST(again.number("/seat") == 1);
  BOOST_TEST(again.at("/token").is_null());
  const Reply drawn = s.take_seat(table.path, computer, table.host);
  BOOST_TEST(drawn.status() == 201U);
  BOOST_TEST(drawn.at("/token").is_null());
  BOOST_TEST(!drawn.text("/name").empty());
  check_refused(s.take_seat(table.path, computer, table.host), 409U, "full");
  BOOST_TEST(s.state(table).text("/status") == "drawing");
  BOOST_TEST(s.take_seat(table.path, hal, table.host).status() == 200U);
  s.desk().post(table.path + "/entropy", {{"entropy", hex_of(1)}}, ann.text("/token"));
  check_refused(s.put_auto(table, 1, false, table.host), 422U, "invalid-value");
  BOOST_TEST(s.put_auto(table, 1, true, table.host).text("/seats/1/auto") == "computer");
  std::set<std::string> commands;
  for (int turn = 0; turn < 300 && s.state(table).text("/status") == "in-progress"; ++turn) {
    if (s.state(table).text("/next") == "Ann")
      BOOST_TEST(s.desk().post(table.path + "/turns", nullptr, ann.text("/token")).status() ==
                 200U);
    else
      s.pass(1500ms);
    commands.insert(s.last_command(table));
  }
  BOOST_TEST(s.state(table).text("/status") == "completed");
  BOOST_TEST(commands == (std::set<std::string>{R"({"roll":[1]})", R"({"roll":[2,"computer"]})"}));
  s.check_sound();
}

BOOST_AUTO_TEST_CASE(gives_a_computers_seat_to_who_gets_its_token) {
  Situation<MemoryHouse> s;
  const Reply made = s.desk().post("/api/games", {{"open", 2}});
  const Table table = table_of(made);
  s.take_seat(table.path, {{"computer", true}}, table.host);
  s.desk().post(table.path + "/seats/0/token", nullptr, table.host);
  BOOST_TEST(s.automatic(table, 0).is_null());
  check_refused(
      s.desk().post("/api/games/" +
                        s.desk().post("/api/games", {{"open", 2}, {"dice", "own"}}).text("/id") +
                        "/seats",
                    {{"computer", true}}, table.host),
      403U, "forbidden");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(goes_on_among_themselves_while_somebody_watches, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"}, {{"pace", 5}});
  s.put_auto(table, 0, true, table.host);
  s.put_auto(table, 1, true, table.host);
  s.pass(1h);
  BOOST_TEST(s.version(table) == 1);
  s.clocks.watched.insert(table.id);
  s.clocks.newly_watched.push_back(table.id);
  for (int turn = 0; turn < 4; ++turn)
    s.pass(1500ms);
  const std::int64_t version = s.version(table);
  BOOST_TEST(version >= 4);
  s.clocks.watched.clear();
  s.pass(1h);
  BOOST_TEST(s.version(table) == version);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(goes_on_after_a_turn_of_the_command_line, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"});
  s.put_auto(table, 1, true, table.host);
  s.pass(1s);
  Match match = *Match::load(s.house.store(), table.id, [&] { return s.clocks.time; });
  BOOST_TEST(match.execute(RollTurn{}).has_value());
  s.pass(1s);
  s.pass(1500ms);
  BOOST_TEST(s.last_command(table) == R"({"roll":[2,"auto"]})");
}

BOOST_AUTO_TEST_SUITE_END()

/// Games of which one was written back by a newer snl.
struct OneUnreadable : Situation<SqliteHouse> {
  std::vector<Table> tables = {};
  void make(std::size_t games, const json::object& more) {
    for (std::size_t game = 0; game < games; ++game)
      tables.push_back(seated(desk(), {"Ann", "Bob"}, more));
  }
  void make_unreadable(const std::string& id) {
    PlainDatabase(house.path)
        .execute(fmt::format("UPDATE hosted_games SET document = json_set(document, '$.form', 3) "
                             "WHERE id = '{}'",
                             id));
  }
  void check_versions(std::int64_t version, std::set<std::size_t> without) {
    for (std::size_t table = 0; table < tables.size(); ++table)
      if (!without.contains(table)) BOOST_TEST(this->version(tables[table]) == version);
  }
};

/// Fails once, on demand.
class FlickeringStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  int questions_before = -1;  // calls that succeed first; negative: it doesn't fail

  std::optional<Head> head(const std::string& game) override {
    ask();
    return PassingStore::head(game);
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    ask();
    return PassingStore::commit(game, version);
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    ask();
    PassingStore::read_all(from, limit, page);
  }

 private:
  void ask() {
    if (questions_before >= 0 && questions_before-- == 0)
      throw StoreError(StoreError::Cause::busy, "others use the store");
  }
};

struct FlickeringHouse {
  std::unique_ptr<HostedGameStore> hosted_memory = hosted_games_in_memory();
  MemoryStore memory{hosted_memory.get()};
  FlickeringStore flickering{memory};
  EventStore& store() { return flickering; }
  StoreReader& reader() { return memory; }
  HostedGameStore& hosted_games() { return *hosted_memory; }
  HostedGameStore& reader_hosted_games() { return *hosted_memory; }
};

BOOST_AUTO_TEST_SUITE(failures)

BOOST_AUTO_TEST_CASE(of_one_game_stop_no_other_after_a_restart) {
  OneUnreadable s;
  s.make(5, {{"pace", 30}});
  const std::string open = s.desk().post("/api/games", {{"open", 2}}).text("/id");
  s.make_unreadable(s.tables[2].id);
  s.make_unreadable(open);
  s.start();
  s.pass(30s);
  s.check_versions(2, {2});
  BOOST_TEST(s.clocks.failures.size() == 2U);
  s.pass(30s);
  s.check_versions(3, {2});
  BOOST_TEST(s.clocks.failures.size() == 2U);
}

BOOST_AUTO_TEST_CASE(of_one_game_stop_no_other_that_is_due) {
  OneUnreadable s;
  s.make(5, {{"pace", 30}});
  s.make_unreadable(s.tables[2].id);
  // The store has changed, so the server compares its state with it.
  Match match = *Match::load(s.house.store(), s.tables[0].id, [&] { return s.clocks.time; });
  BOOST_TEST(match.execute(RollTurn{}).has_value());
  s.pass(30s);
  s.check_versions(2, {0, 2});
  s.pass(30s);
  s.check_versions(3, {0, 2});
  BOOST_TEST(s.clocks.failures.size() == 1U);
}

BOOST_AUTO_TEST_CASE(of_one_game_keep_no_other_for_ever) {
  OneUnreadable s;
  s.make(3, {});
  std::vector<std::string> open;
  for (int game = 0; game < 3; ++game)
    open.push_back(s.desk().post("/api/games", {{"open", 2}}).text("/id"));
  s.make_unreadable(s.tables[1].id);
  s.make_unreadable(open[1]);
  s.start();
  s.clocks.move(31 * 24h);
  const auto changed = s.desk().writer.maintain();
  BOOST_TEST((std::set<std::string>(changed.begin(), changed.end()) ==
              std::set{s.tables[0].id, s.tables[2].id, open[0], open[2]}));
}

/// Any one of the reads of a refresh may be the one that fails.
BOOST_AUTO_TEST_CASE(of_the_store_delay_what_is_due_and_lose_nothing) {
  bool has_failed = true;
  for (int question = 0; has_failed; ++question) {
    Situation<FlickeringHouse> s;
    std::vector<Table> tables;
    for (int game = 0; game < 3; ++game) {
      tables.push_back(seated(s.desk(), {"Ann", "Bob"}));
      s.put_auto(tables.back(), 1, true, tables.back().host);
    }
    s.pass(1s);
    for (const Table& table : tables) {
      Match match = *Match::load(s.house.memory, table.id, [&] { return s.clocks.time; });
      BOOST_TEST(match.execute(RollTurn{}).has_value());
    }
    s.house.flickering.questions_before = question;
    has_failed = false;
    try {
      s.pass(1s);
    } catch (const StoreError&) {
      has_failed = true;
    }
    s.house.flickering.questions_before = -1;
    s.pass(1s);
    s.pass(1500ms);
    for (const Table& table : tables)
      BOOST_TEST(s.last_command(table) == R"({"roll":[2,"auto"]})");
  }
}

BOOST_AUTO_TEST_CASE(and_ends_leave_nothing_to_look_at) {
  Situation<CountedHouse> s;
  const Table table = seated(s.desk(), {"Ann", "Bob"});
  for (const std::size_t seat : {0U, 1U})
    s.put_auto(table, seat, true, table.host);
  s.pass(1500ms);  // nobody watches
  s.clocks.move(31 * 24h);
  BOOST_TEST(s.desk().writer.maintain().size() == 1U);
  s.pass(1s);
  std::ignore = s.house.store().questions();
  s.pass(1s);
  const int usual = s.house.store().questions();
  s.clocks.newly_watched.push_back(table.id);
  s.pass(1s);
  BOOST_TEST(s.house.store().questions() == usual);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(draws)

/// A game of three players who sent commitments. The third doesn't send its entropy.
template <class House>
struct Drawing : Situation<House> {
  Table table = {};
  std::string commitment = {};

  Drawing() {
    const Reply made = this->desk().post("/api/games", {{"open", 3}});
    table = table_of(made);
    commitment = made.text("/game/draw/commitment");
    for (const auto& [name, byte] : {std::pair{"Ann", 1}, std::pair{"Bob", 2}, std::pair{"Cyd", 3}})
      table.seats.push_back(come(name, static_cast<std::uint8_t>(byte), "").text("/token"));
    send(0, 1);
    send(1, 2);
  }
  Reply come(const std::string& name, std::uint8_t byte, const std::string& token) {
    json::object body{{"name", name}, {"entropy_hash", entropy_hash_of(hex_of(byte))}};
    if (!token.empty()) body["token"] = token;
    return this->take_seat(table.path, body);
  }
  Reply send(std::size_t seat, std::uint8_t byte) {
    return this->desk().post(table.path + "/entropy", {{"entropy", hex_of(byte)}},
                             table.seats[seat]);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(begin_anew_without_who_sends_nothing, House, Houses) {
  Drawing<House> s;
  s.pass(59'999ms);
  const Reply drawing = s.state(s.table);
  BOOST_TEST(drawing.text("/status") == "drawing");
  BOOST_TEST(drawing.at("/seats/0/sent").as_bool());
  BOOST_TEST(!drawing.at("/seats/2/sent").as_bool());
  s.pass(1ms);
  const Reply open = s.state(s.table);
  BOOST_TEST(open.text("/status") == "open");
  BOOST_TEST(open.number("/redraws") == 1);
  BOOST_TEST(open.text("/draw/commitment") != s.commitment);
  BOOST_TEST(open.at("/seats").as_array().size() == 2U);
  BOOST_TEST(!open.at("/seats/0/in").as_bool());
  BOOST_TEST(open.at("/seats/0/entropy_hash").is_null());
  check_refused(s.send(2, 3), 409U, "started");
  check_refused(s.send(0, 1), 409U, "started");
  check_refused(s.desk().get(s.table.path, s.table.seats[2]), 403U, "forbidden");
  check_refused(s.desk().post(s.table.path + "/start", nullptr, s.table.host), 409U, "not-yet");
  // Ann enters again. Bob asks for another name, and then for his own.
  BOOST_TEST(s.come("Ann", 4, s.table.seats[0]).status() == 200U);
  BOOST_TEST(s.come("Ann", 4, s.table.seats[0]).status() == 200U);
  check_refused(s.come("Rob", 5, s.table.seats[1]), 422U, "token-reused");
  check_refused(s.come("Bob", 5, ""), 409U, "name-taken");
  BOOST_TEST(s.come("Dan", 6, "").number("/seat") == 2);
  BOOST_TEST(s.state(s.table).text("/status") == "open");
  s.table.seats[2] = std::string(42, 'D') + "A";
  BOOST_TEST(s.come("Bob", 5, s.table.seats[1]).status() == 200U);
  BOOST_TEST(s.state(s.table).text("/status") == "drawing");
  s.pass(60s);
  BOOST_TEST(s.state(s.table).number("/redraws") == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(take_who_was_given_up_and_comes_back, House, Houses) {
  Drawing<House> s;
  s.pass(60s);
  BOOST_TEST(s.come("Cyd", 6, s.table.seats[2]).status() == 201U);
  BOOST_TEST(s.house.hosted_games().game(s.table.id)->given_up_seats.empty());
  s.come("Ann", 4, s.table.seats[0]);
  s.come("Bob", 5, s.table.seats[1]);
  s.send(0, 4);
  s.send(1, 5);
  BOOST_TEST(s.send(2, 6).text("/status") == "in-progress");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(forget_who_was_given_up_and_gets_anothers_seat, House, Houses) {
  Drawing<House> s;
  s.pass(60s);
  s.desk().post(s.table.path + "/seats/0/token", {{"token", s.table.seats[2]}}, s.table.host);
  BOOST_TEST(s.house.hosted_games().game(s.table.id)->given_up_seats.empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keep_a_seat_for_its_new_player, House, Houses) {
  Drawing<House> s;
  const auto renew = [&] {
    const Reply made = s.desk().post(s.table.path + "/seats/2/token", nullptr, s.table.host);
    s.table.seats[2] = made.text("/token");
  };
  renew();
  BOOST_TEST(!s.state(s.table).at("/seats/2/in").as_bool());
  s.pass(60s);
  BOOST_TEST(s.state(s.table).number("/redraws") == 1);
  s.come("Ann", 4, s.table.seats[0]);
  s.come("Bob", 5, s.table.seats[1]);
  BOOST_TEST(s.come("Cyd", 6, s.table.seats[2]).number("/seat") == 2);
  s.send(0, 4);
  s.send(1, 5);
  renew();
  const Reply begun = s.send(2, 6);  // by a client that has the old player's entropy
  BOOST_TEST(begun.text("/status") == "in-progress");
  BOOST_TEST(begun.at("/seats/2/in").as_bool());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keep_who_is_rolled_for_and_promised_nothing, House, Houses) {
  Situation<House> s;
  const Table table = table_of(s.desk().post("/api/games", {{"open", 4}}));
  const std::string dan = s.take_seat(table.path, {{"name", "Dan"}}).text("/token");
  s.put_auto(table, 0, true, dan);
  s.take_seat(table.path, {{"name", "Eve"}});
  const std::string ann =
      s.take_seat(table.path, {{"name", "Ann"}, {"entropy_hash", entropy_hash_of(hex_of(1))}})
          .text("/token");
  s.put_auto(table, 2, true, table.host);
  s.take_seat(table.path, {{"name", "Bob"}, {"entropy_hash", entropy_hash_of(hex_of(2))}});
  s.desk().post(table.path + "/entropy", {{"entropy", hex_of(1)}}, ann);
  s.pass(60s);
  const Reply open = s.state(table);
  BOOST_TEST(open.number("/redraws") == 1);
  BOOST_TEST(open.at("/seats/0/in").as_bool());
  BOOST_TEST(open.text("/seats/0/auto") == "self");
  for (const auto* const promises_anew : {"/seats/1", "/seats/2"}) {
    BOOST_TEST(!open.at(std::string(promises_anew) + "/in").as_bool());
    BOOST_TEST(open.at(std::string(promises_anew) + "/auto").is_null());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(go_on_with_those_who_came_in, House, Houses) {
  Drawing<House> s;
  s.pass(60s);
  s.come("Ann", 4, s.table.seats[0]);
  s.come("Bob", 5, s.table.seats[1]);
  BOOST_TEST(s.desk().post(s.table.path + "/start", nullptr, s.table.host).status() == 200U);
  s.send(0, 4);
  const Reply on = s.send(1, 5);
  BOOST_TEST(on.text("/status") == "in-progress");
  BOOST_TEST(on.text("/draw/entropy/1") == hex_of(5));
  check_refused(s.send(2, 3), 409U, "started");  // of the seat that was given up
  play_out(s.desk(), s.table);
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_anew_after_a_restart, House, Houses) {
  Drawing<House> s;
  s.clocks.move(60s);
  s.start();
  BOOST_TEST(s.state(s.table).text("/status") == "drawing");
  s.pass(59s);
  BOOST_TEST(s.state(s.table).text("/status") == "drawing");
  s.pass(1s);
  BOOST_TEST(s.state(s.table).text("/status") == "open");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(rematches)

BOOST_AUTO_TEST_CASE_TEMPLATE(turn_the_order_and_keep_all_else, House, Houses) {
  Situation<House> s;
  const json::object more{{"pace", 30}, {"private", true}, {"takebacks", "none"}};
  const Table first = seated(s.desk(), {"Ann", "Bob", "Cyd"}, more);
  const auto ask = [&](const Table& table, const std::string& token) {
    return s.desk().post(table.path + "/rematch", nullptr, token);
  };
  check_refused(ask(first, first.seats[0]), 409U, "not-yet");
  play_out(s.desk(), first);
  check_refused(ask(first, ""), 401U, "unauthorized");
  check_refused(ask(first, std::string(43, 'A')), 403U, "forbidden");
  const std::string tag(s.state(first).response.header("ETag").value());
  BOOST_TEST(s.state(first).at("/rematch").is_null());
  const Reply made = ask(first, first.seats[1]);
  BOOST_TEST(made.status() == 201U, made.response.text());
  const std::string id = made.text("/id");
  BOOST_TEST(made.response.header("Location").value() == "/api/games/" + id);
  BOOST_TEST(id.size() == 32U);
  BOOST_TEST(made.text("/status") == "open");
  BOOST_TEST(made.number("/pace") == 30);
  BOOST_TEST(made.text("/takebacks") == "none");
  BOOST_TEST(made.number("/you/seat") == 0);  // Bob begins
  BOOST_TEST(made.text("/seats/2/name") == "Ann");
  BOOST_TEST(!made.at("/seats/0/in").as_bool());
  BOOST_TEST(s.state(first).text("/rematch") == id);
  BOOST_TEST(s.state(first).response.header("ETag").value() != tag);
  BOOST_TEST(ask(first, first.host).status() == 200U);
  BOOST_TEST(ask(first, first.host).text("/id") == id);
  const Table second{.id = id,
                     .path = "/api/games/" + id,
                     .host = first.host,
                     .seats = {first.seats[1], first.seats[2], first.seats[0]}};
  // Two enter; the third's seat is left out.
  check_refused(s.take_seat(second.path, {{"name", "Dan"}}), 409U, "full");
  for (const auto& [name, seat] : {std::pair{"Bob", 0U}, std::pair{"Cyd", 1U}})
    BOOST_TEST(s.take_seat(second.path, {{"name", name}, {"token", second.seats[seat]}}).status() ==
               200U);
  const Reply on = s.desk().post(second.path + "/start", nullptr, second.host);
  BOOST_TEST(on.text("/status") == "in-progress");
  BOOST_TEST(on.text("/next") == "Bob");
  BOOST_TEST(on.number("/places") == 2);
  play_out(s.desk(), second);
  const Reply third = ask(second, second.host);
  BOOST_TEST(third.status() == 201U);
  BOOST_TEST(third.text("/seats/0/name") == "Cyd");
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(have_their_computers_in_and_start_with_the_last_player, House,
                              Houses) {
  Situation<House> s;
  const std::string token(43, 'A');
  const json::object asked{{"open", 2}, {"token", token}};
  const Reply made = s.desk().post("/api/games", asked);
  const Table table = table_of(made);
  const std::string ann = s.take_seat(table.path, {{"name", "Ann"}}).text("/token");
  s.take_seat(table.path, {{"computer", true}}, token);
  s.desk().post(table.path + "/abandon", nullptr, token);
  const Reply next = s.desk().post(table.path + "/rematch", nullptr, ann);
  BOOST_TEST(next.at("/seats/0/in").as_bool());
  BOOST_TEST(next.text("/seats/0/auto") == "computer");
  const std::string path = "/api/games/" + next.text("/id");
  BOOST_TEST(s.take_seat(path, {{"name", "Ann"}, {"token", ann}}).status() == 200U);
  BOOST_TEST(s.desk().get(path, token).at("/you/host").as_bool());
  BOOST_TEST(s.desk().get(path).text("/status") == "in-progress");
  s.pass(1500ms);
  BOOST_TEST(s.desk().get(path).text("/next") == "Ann");
  // The host's token still belongs to the game that was made with it.
  BOOST_TEST(s.desk().post("/api/games", asked).text("/id") == made.text("/id"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_told_to_who_is_not_in_them, House, Houses) {
  Situation<House> s;
  const Table first = seated(s.desk(), {"Ann", "Bob", "Cyd"});
  play_out(s.desk(), first);
  const auto ask = [&](const std::string& token) {
    return s.desk().post(first.path + "/rematch", nullptr, token);
  };
  const std::string next = "/api/games/" + ask(first.seats[0]).text("/id");
  BOOST_TEST(s.desk().remove(next + "/seats/0", first.seats[1]).status() == 204U);
  s.take_seat(next, {{"name", "Ann"}, {"token", first.seats[0]}});
  BOOST_TEST(s.desk().post(next + "/host", {{"seat", 2}}, first.host).status() == 200U);
  for (const std::string& outsider : {first.seats[1], first.host}) {
    const Reply told = ask(outsider);
    BOOST_TEST(told.status() == 200U, told.response.text());
    BOOST_TEST("/api/games/" + told.text("/id") == next);
    BOOST_TEST(told.at("/you").is_null());
  }
  BOOST_TEST(ask(first.seats[0]).at("/you/host").as_bool());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_made_anew_where_nobody_started_the_first_within_a_day, House,
                              Houses) {
  Situation<House> s;
  const Table first = seated(s.desk(), {"Ann", "Bob"});
  play_out(s.desk(), first);
  const auto ask = [&] { return s.desk().post(first.path + "/rematch", nullptr, first.host); };
  const std::string deleted = ask().text("/id");
  s.clocks.move(25h);
  BOOST_TEST(s.desk().writer.maintain() == std::vector{deleted}, boost::test_tools::per_element());
  BOOST_TEST(s.desk().get("/api/games/" + deleted).status() == 404U);
  const Reply made = ask();
  BOOST_TEST(made.status() == 201U, made.response.text());
  BOOST_TEST(made.text("/id") != deleted);
  BOOST_TEST(s.state(first).text("/rematch") == made.text("/id"));
  BOOST_TEST(ask().status() == 200U);
  s.check_sound();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_computers_alone_start_at_once, House, Houses) {
  Situation<House> s;
  const Table table = table_of(s.desk().post("/api/games", {{"open", 2}}));
  for (int seat = 0; seat < 2; ++seat)
    s.take_seat(table.path, {{"computer", true}}, table.host);
  s.desk().post(table.path + "/abandon", nullptr, table.host);
  const Reply next = s.desk().post(table.path + "/rematch", nullptr, table.host);
  BOOST_TEST(next.status() == 201U);
  BOOST_TEST(next.text("/status") == "in-progress");
  const std::string id = next.text("/id");
  s.clocks.watched.insert(id);
  s.clocks.newly_watched.push_back(id);
  for (int turn = 0; turn < 3; ++turn)
    s.pass(1500ms);
  BOOST_TEST(s.desk().get("/api/games/" + id).number("/version") > 2);
  s.check_sound();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_hosts_part)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_handed_on_to_a_seat, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk().post("/api/games", {{"open", 3}});
  const Table table = table_of(made);
  const auto hand_on = [&](std::int64_t seat, const std::string& token) {
    return s.desk().post(table.path + "/host", {{"seat", seat}}, token);
  };
  s.take_seat(table.path, {{"computer", true}}, table.host);
  const std::string ann = s.take_seat(table.path, {{"name", "Ann"}}).text("/token");
  check_refused(hand_on(1, ""), 401U, "unauthorized");
  check_refused(hand_on(1, ann), 403U, "forbidden");
  for (const std::int64_t seat : {0, 2, 3, -1})
    check_refused(hand_on(seat, table.host), 422U, "invalid-value");
  BOOST_TEST(allowed(s.desk().get(table.path, table.host)) ==
             "leave start abandon token auto computer host");
  const Reply done = hand_on(1, table.host);
  BOOST_TEST(done.status() == 200U);
  BOOST_TEST(done.at("/you").is_null());
  check_refused(s.desk().get(table.path, table.host), 403U, "forbidden");
  const Reply as_ann = s.desk().get(table.path, ann);
  BOOST_TEST(as_ann.at("/you/host").as_bool());
  BOOST_TEST(as_ann.number("/you/seat") == 1);
  BOOST_TEST(allowed(as_ann) == "leave start abandon token auto computer host");
  // A new token for the seat is the host's, too.
  const std::string renewed =
      s.desk().post(table.path + "/seats/1/token", nullptr, ann).text("/token");
  const std::string bob = s.take_seat(table.path, {{"name", "Bob"}}).text("/token");
  BOOST_TEST(hand_on(2, renewed).number("/you/seat") == 1);
  BOOST_TEST(s.desk().get(table.path, bob).at("/you/host").as_bool());
  s.desk().post(table.path + "/abandon", nullptr, bob);
  check_refused(hand_on(1, bob), 409U, "abandoned");
  const Reply next = s.desk().post(table.path + "/rematch", nullptr, bob);
  BOOST_TEST(next.at("/you/host").as_bool());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stays_with_who_leaves_a_seat_and_takes_one_again, House, Houses) {
  Situation<House> s;
  const Table table = table_of(s.desk().post("/api/games", {{"open", 2}}));
  const std::string ann = s.take_seat(table.path, {{"name", "Ann"}}).text("/token");
  s.desk().post(table.path + "/host", {{"seat", 0}}, table.host);
  s.desk().remove(table.path + "/seats/0", ann);
  const json::object again{{"name", "Anna"}, {"token", ann}};
  check_refused(s.take_seat(table.path, again), 422U, "token-reused");
  BOOST_TEST(s.take_seat(table.path, again, ann).status() == 201U);
  BOOST_TEST(s.take_seat(table.path, again, ann).status() == 200U);
  const Reply state = s.desk().get(table.path, ann);
  BOOST_TEST(state.at("/you/host").as_bool());
  BOOST_TEST(state.number("/you/seat") == 0);
  // The first host's token never belonged to a seat.
  check_refused(s.take_seat(table.path, {{"name", "Bob"}, {"token", table.host}}), 422U,
                "token-reused");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
