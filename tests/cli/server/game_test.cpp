// Goal: a game over HTTP follows server.md's contract, from the request that creates it to the last
// event of its stream: the answers, the refusals and their reasons, and the record.
//
// Method: requests as values, without sockets, against a store in memory and one in a file. The
// writer, the reader and the feed are those of a server, each on its own connection.
#include "../../storage/passing_store.hpp"
#include "cli/server/game_view.hpp"
#include "house.hpp"
#include "storage/match.hpp"

#include <boost/mpl/list.hpp>
#include <fmt/format.h>

#include <set>

namespace snl::test {
namespace {

namespace json = boost::json;

using Houses = boost::mpl::list<MemoryHouse, SqliteHouse, CountedHouse>;

template <class House>
struct Situation {
  House house;
  TestSettings test;
  Desk desk{house, test};
};

void check_refused(const Reply& reply, unsigned status, std::string_view type) {
  BOOST_TEST(reply.status() == status, reply.response.text());
  BOOST_TEST(reply.problem() == type, reply.response.text());
  BOOST_TEST(reply.response.header("Content-Type").value_or("") == "application/problem+json");
  BOOST_TEST((reply.body.is_object() && reply.number("/status") == status));
}

std::string names(const json::value& list) {
  std::string text;
  for (const json::value& item : list.as_array())
    text += (text.empty() ? "" : " ") + std::string(item.as_string());
  return text;
}

/// Counts the reads of a game: of its log, its row, its head.
class AskedStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    ++asked;
    PassingStore::read(game, from, limit, page);
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    ++asked;
    return PassingStore::commit(game, version);
  }
  std::optional<Commit> commit_with_id(const std::string& game, const std::string& id) override {
    ++asked;
    return PassingStore::commit_with_id(game, id);
  }
  std::optional<Head> head(const std::string& game) override {
    ++asked;
    ++heads;
    return PassingStore::head(game);
  }
  int asked = 0;
  int heads = 0;  // among them
};

BOOST_AUTO_TEST_SUITE(making_a_game)

BOOST_AUTO_TEST_CASE_TEMPLATE(with_players_it_is_on_at_once, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"players", {"Ann", "Bob"}}});
  BOOST_TEST(made.status() == 201U);
  const std::string id = made.text("/id");
  BOOST_TEST(made.response.header("Location").value() == "/api/games/" + id);
  BOOST_TEST((s.house.hosted_games().game(id)->stage == HostedGameStage::started));
  BOOST_TEST(made.text("/token").size() == 43U);
  BOOST_TEST(made.at("/seats").as_array().size() == 2U);
  BOOST_TEST(made.text("/seats/1/name") == "Bob");
  const Reply state = s.desk.get("/api/games/" + id);
  BOOST_TEST(state.status() == 200U);
  BOOST_TEST(state.text("/status") == "in-progress");
  BOOST_TEST(state.number("/version") == 1);
  BOOST_TEST(state.text("/next") == "Ann");
  BOOST_TEST(state.at("/you").is_null());
  BOOST_TEST(state.number("/places") == 2);
  BOOST_TEST(state.at("/draw/secret").is_null());
  BOOST_TEST(state.at("/draw/seed").is_null());
  BOOST_TEST(state.text("/draw/commitment").size() == 64U);
  BOOST_TEST(state.at("/draw/entropy").as_array().size() == 2U);
  BOOST_TEST(json::serialize(state.at("/rules")) ==
             R"({"start":0,"finish":"exact","dice":1,"faces":6,"sixes":"plain"})");
  const Reply as_host = s.desk.get("/api/games/" + id, made.text("/token"));
  BOOST_TEST(as_host.at("/you/host").as_bool());
  BOOST_TEST(names(as_host.at("/you/may")) == "abandon token auto host");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_same_token_and_body_make_one_game, House, Houses) {
  Situation<House> s;
  const std::string token(43, 'A');
  const Reply first = s.desk.post("/api/games", {{"open", 2}, {"token", token}});
  const Reply second = s.desk.post("/api/games", {{"token", token}, {"open", 2}});
  BOOST_TEST(first.status() == 201U);
  BOOST_TEST(second.status() == 200U);
  BOOST_TEST(first.text("/id") == second.text("/id"));
  BOOST_TEST(second.at("/seats").as_array().empty());
  check_refused(s.desk.post("/api/games", {{"open", 3}, {"token", token}}), 422U, "token-reused");
  // Two of them in one batch too.
  const std::string other = std::string(42, 'B') + "A";
  const std::vector requests(
      2, request_of("POST", "/api/games", {{"players", {"A", "B"}}, {"token", other}}, ""));
  const auto responses = s.desk.writer.response(requests);
  BOOST_TEST(responses[0].status == 201U);
  BOOST_TEST(responses[1].status == 200U);
  BOOST_TEST(reply_of(responses[0]).text("/id") == reply_of(responses[1]).text("/id"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_400) {
  Situation<MemoryHouse> s;
  const auto refused = [&](const json::value& body) {
    check_refused(s.desk.post("/api/games", body), 400U, "unreadable");
  };
  refused(json::object{});
  refused({{"players", {"A", "B"}}, {"open", 2}});
  refused({{"players", "A"}});
  refused({{"players", {"A", 1}}});
  refused({{"open", "2"}});
  refused({{"open", 2.5}});
  refused({{"open", 2}, {"seed", 7}});
  refused({{"open", 2}, {"private", 1}});
  refused({{"open", 2}, {"board", 7}});
  refused({{"open", 2}, {"rules", {{"colour", "red"}}}});
  refused({{"open", 2}, {"rules", {{"start", "1"}}}});
  refused(json::array{1});
  HttpRequest request = request_of("POST", "/api/games", nullptr, "");
  request.headers.emplace_back("content-type", "application/json");
  for (const std::string body :
       {"{", "{\"open\":2} x", "\xff", "[[[[[[[[[[[[", R"({"open":2,"open":3})",
        R"({"open":2,"\u006fpen":2})", R"({"open":2,"rules":{"start":1,"start":0}})",
        R"({"open":2,"board":{"cells":20,"snakes":{"9":2},"snakes":{"9":3}}})"}) {
    request.body = body;
    check_refused(s.desk.send(request), 400U, "unreadable");
  }
  request.body = "{\"open\":2,\"board\":\"" + std::string(70000, 'x') + "\"}";
  check_refused(s.desk.send(request), 413U, "too-large");
  request.body = "{\"open\":2}";
  request.headers.front().second = "text/plain";
  check_refused(s.desk.send(request), 415U, "unsupported-media-type");
  request.headers.front().second = "application/json; charset=utf-8";
  BOOST_TEST(s.desk.send(request).status() == 201U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_422) {
  Situation<MemoryHouse> s;
  const auto refused = [&](const json::value& body) {
    check_refused(s.desk.post("/api/games", body), 422U, "invalid-value");
  };
  refused({{"open", 1}});
  refused({{"open", 11}});
  refused({{"players", {"A"}}});
  refused({{"players", {"A", "A"}}});
  refused({{"players", {"A", ""}}});
  refused({{"open", 2}, {"board", "nowhere"}});
  refused({{"open", 2}, {"board", {{"cells", 10}, {"snakes", {{2, 9}}}}}});
  refused({{"open", 2}, {"board", {{"cells", 10001}}}});
  refused({{"open", 2}, {"rules", "chess"}});
  refused({{"open", 2}, {"rules", {{"preset", "chess"}}}});
  refused({{"open", 2}, {"rules", {{"start", 2}}}});
  refused({{"open", 2}, {"rules", {{"faces", 1}}}});
  refused({{"open", 2}, {"rules", {{"finish", "late"}}}});
  refused({{"open", 2}, {"rules", {{"sixes", "again"}, {"dice", 2}}}});
  refused({{"open", 2}, {"rules", {{"start", 1}, {"enter", {6}}}}});
  refused({{"open", 2}, {"rules", {{"start", 0}, {"enter", {7}}}}});
  refused({{"open", 2}, {"rules", {{"meet", "kiss"}}}});
  refused({{"open", 2}, {"rules", {{"safe", {9}}}}});
  refused({{"open", 2}, {"rules", {{"meet", "capture"}, {"safe", {100}}}}});
  refused({{"open", 2}, {"rules", {{"meet", "capture"}, {"safe", {99999999999}}}}});
  refused({{"open", 2}, {"dice", "loaded"}});
  refused({{"open", 2}, {"takebacks", "always"}});
  refused({{"open", 2}, {"token", "short"}});
  const std::string name{"A\0B", 3};
  const Reply named = s.desk.post("/api/games", {{"players", {name, "C"}}});
  BOOST_TEST(named.text("/detail").contains(name));
}

BOOST_AUTO_TEST_CASE(boards_and_rules_are_those_of_the_command_line) {
  Situation<MemoryHouse> s;
  const auto made = [&](json::object body) {
    body["open"] = 2;
    const Reply reply = s.desk.post("/api/games", body);
    BOOST_TEST(reply.status() == 201U, reply.response.text());
    return reply;
  };
  BOOST_TEST(made({{"board", "class"}}).number("/game/board/cells") == 100);
  BOOST_TEST(json::serialize(made({{"board", {{"cells", 30}, {"ladders", {"3,22"}}}}})
                                 .at("/game/board/ladders")) == "[[3,22]]");
  BOOST_TEST(made({{"board", {-1, 2, -1, -1}}}).number("/game/board/cells") == 4);
  const Reply lld = made({{"rules", {{"preset", "lld"}, {"faces", 8}}}});
  BOOST_TEST(lld.number("/game/rules/start") == 0);
  BOOST_TEST(lld.number("/game/rules/faces") == 8);
  BOOST_TEST(lld.text("/game/rules/sixes") == "plain");
  BOOST_TEST(made({{"rules", {{"dice", 2}}}}).text("/game/rules/sixes") == "plain");
  BOOST_TEST(made({{"rules", "milton-bradley"}}).number("/game/rules/start") == 0);
  const auto rules = [&](const json::object& asked) {
    return json::serialize(made({{"rules", asked}}).at("/game/rules"));
  };
  BOOST_TEST(
      rules({{"start", 0}, {"enter", {6, 1}}, {"meet", "capture"}, {"safe", {50, 8}}}) ==
      R"({"start":0,"finish":"exact","dice":1,"faces":6,"sixes":"plain","enter":[1,6],"meet":"capture","safe":[8,50]})");
  BOOST_TEST(rules({{"enter", json::array()}, {"meet", "share"}, {"safe", json::array()}}) ==
             R"({"start":0,"finish":"exact","dice":1,"faces":6,"sixes":"plain"})");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(boards_with_powers_are_played, House, Houses) {
  Situation<House> s;
  const json::value board{{"cells", 30},
                          {"powers", {{{"cell", 4}, {"power", "shield"}, {"n", 1}}}}};
  const Table table =
      seated(s.desk, {"Ann", "Bob"}, {{"board", board}, {"rules", {{"meet", "capture"}}}});
  BOOST_TEST(json::serialize(s.desk.get(table.path).at("/board/powers")) ==
             R"([{"cell":4,"power":"shield","n":1}])");
  play_out(s.desk, table);
  const Reply ended = s.desk.get(table.path);
  BOOST_TEST(ended.text("/status") == "completed");
  BOOST_TEST(ended.at("/players/0").as_object().contains("shields"));
}

BOOST_AUTO_TEST_CASE(no_more_games_wait_than_there_may) {
  MemoryHouse house;
  TestSettings test;
  cli::GameSettings settings = test.settings();
  settings.most_waiting = 2;
  Desk desk(house.store(), house.hosted_games(), house.reader(), house.reader_hosted_games(),
            settings);
  BOOST_TEST(desk.post("/api/games", {{"open", 2}}).status() == 201U);
  const Reply second = desk.post("/api/games", {{"open", 2}});
  BOOST_TEST(second.status() == 201U);
  const Reply third = desk.post("/api/games", {{"open", 2}});
  check_refused(third, 429U, "too-many-open-games");
  BOOST_TEST(third.response.header("Retry-After").has_value());
  BOOST_TEST(desk.post("/api/games", {{"players", {"A", "B"}}}).status() == 201U);
  desk.post("/api/games/" + second.text("/id") + "/abandon", nullptr, second.text("/token"));
  BOOST_TEST(desk.post("/api/games", {{"open", 2}}).status() == 201U);
}

BOOST_AUTO_TEST_CASE(a_private_game_is_seen_by_its_whole_id_alone) {
  Situation<SqliteHouse> s;
  const Table secret = seated(s.desk, {"A", "B"}, {{"private", true}});
  const Table waits = opened(s.desk, {"C", "D"}, {{"private", true}});
  const Table known = seated(s.desk, {"E", "F"});
  BOOST_TEST(secret.id.size() == 32U);
  BOOST_TEST(secret.id.find_first_not_of("0123456789abcdef") == std::string::npos);
  const Reply list = s.desk.get("/api/games");
  BOOST_TEST(list.at("/games").as_array().size() == 1U);
  BOOST_TEST(list.text("/games/0/id") == known.id);
  BOOST_TEST(s.desk.get("/api/games?player=A").at("/games").as_array().empty());
  check_refused(s.desk.get("/api/games/" + secret.id.substr(0, 31)), 404U, "not-found");
  check_refused(s.desk.get("/api/games/@"), 404U, "not-found");
  const Reply seen = s.desk.get(secret.path);
  BOOST_TEST(seen.status() == 200U);
  BOOST_TEST(seen.at("/private").as_bool());
  BOOST_TEST(seen.response.header("Cache-Control").value() == "no-store");
  BOOST_TEST(s.desk.get(known.path).response.header("Cache-Control").value() != "no-store");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(taking_seats)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_last_seat_taken_starts_the_game, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  BOOST_TEST(made.text("/game/status") == "open");
  BOOST_TEST(made.number("/game/version") == 0);
  BOOST_TEST(made.at("/game/head").is_null());
  BOOST_TEST(names(made.at("/game/you/may")) == "abandon computer");
  const Reply ann = s.desk.post(path + "/seats", {{"name", "Ann"}});
  BOOST_TEST(ann.status() == 201U);
  BOOST_TEST(ann.number("/seat") == 0);
  BOOST_TEST(names(s.desk.get(path, ann.text("/token")).at("/you/may")) == "leave auto");
  check_refused(s.desk.post(path + "/seats", {{"name", "Ann"}}), 409U, "name-taken");
  check_refused(s.desk.post(path + "/seats", {{"name", ""}}), 422U, "invalid-value");
  check_refused(s.desk.post(path + "/seats", json::object{}), 400U, "unreadable");
  check_refused(s.desk.post(path + "/turns", nullptr, ann.text("/token")), 409U, "not-started");
  check_refused(s.desk.get(path + "/export"), 409U, "not-started");
  check_refused(s.desk.post(path + "/start", nullptr, made.text("/token")), 409U, "not-yet");
  const Reply bob = s.desk.post(path + "/seats", {{"name", "Bob"}});
  BOOST_TEST(bob.status() == 201U);
  const Reply state = s.desk.get(path, ann.text("/token"));
  BOOST_TEST(state.text("/status") == "in-progress");
  BOOST_TEST(names(state.at("/you/may")) == "turn auto");
  check_refused(s.desk.post(path + "/seats", {{"name", "Cyd"}}), 409U, "full");
  check_refused(s.desk.post(path + "/start", nullptr, made.text("/token")), 409U, "started");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_start_closes_gaps, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 4}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string host = made.text("/token");
  std::vector<std::string> tokens;
  for (const std::string name : {"Ann", "Bob", "Cyd"})
    tokens.push_back(s.desk.post(path + "/seats", {{"name", name}}).text("/token"));
  BOOST_TEST(s.desk.remove(path + "/seats/1", tokens[1]).status() == 204U);
  check_refused(s.desk.remove(path + "/seats/1", tokens[1]), 403U, "forbidden");
  check_refused(s.desk.remove(path + "/seats/4", host), 404U, "not-found");
  BOOST_TEST(s.desk.get(path).at("/seats").as_array().size() == 2U);
  const Reply started = s.desk.post(path + "/start", nullptr, host);
  BOOST_TEST(started.status() == 200U);
  BOOST_TEST(started.text("/seats/1/name") == "Cyd");
  BOOST_TEST(started.number("/seats/1/seat") == 1);
  BOOST_TEST(started.number("/places") == 2);
  BOOST_TEST(s.desk.get(path, tokens[2]).number("/you/seat") == 1);
  check_refused(s.desk.post(path + "/seats", {{"name", "Dan"}}), 409U, "started");
  check_refused(s.desk.remove(path + "/seats/1", tokens[2]), 409U, "started");
}

BOOST_AUTO_TEST_CASE(a_seat_that_is_asked_for_again_is_the_same) {
  Situation<SqliteHouse> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string token(43, 'A');
  BOOST_TEST(s.desk.post(path + "/seats", {{"name", "Ann"}, {"token", token}}).status() == 201U);
  const Reply again = s.desk.post(path + "/seats", {{"name", "Ann"}, {"token", token}});
  BOOST_TEST(again.status() == 200U);
  BOOST_TEST(again.text("/token") == token);
  check_refused(s.desk.post(path + "/seats", {{"name", "Bob"}, {"token", token}}), 422U,
                "token-reused");
  s.desk.post(path + "/seats", {{"name", "Bob"}});
  BOOST_TEST(s.desk.post(path + "/seats", {{"name", "Ann"}, {"token", token}}).status() == 200U);
  BOOST_TEST(s.desk.get(path).at("/seats").as_array().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_seat_is_refused_for_the_first_reason_of_the_contract_s_order) {
  Situation<MemoryHouse> s;
  const Reply made = s.desk.post("/api/games", {{"open", 3}});
  const std::string path = "/api/games/" + made.text("/id") + "/seats";
  const std::string token(43, 'A');
  BOOST_TEST(s.desk.post(path, {{"name", "Ann"}, {"token", token}}).status() == 201U);
  const json::value reused{{"name", "Bob"}, {"token", token}};
  check_refused(s.desk.post(path, reused, "", {{"if-match", "\"99\""}}), 412U,
                "precondition-failed");
  check_refused(s.desk.post(path, reused), 422U, "token-reused");
  const json::value strange{{"computer", true}, {"x", 1}};
  check_refused(s.desk.post(path, strange), 401U, "unauthorized");
  check_refused(s.desk.post(path, strange, token), 403U, "forbidden");
  check_refused(s.desk.post(path, strange, made.text("/token")), 400U, "unreadable");
  s.desk.post(path, {{"name", "Bob"}});
  s.desk.post(path, {{"name", "Cyd"}});
  check_refused(s.desk.post(path, reused), 409U, "started");
  const json::value malformed{{"name", "Ann"}, {"token", token}, {"entropy_hash", "x"}};
  check_refused(s.desk.post(path, malformed), 409U, "started");
}

BOOST_AUTO_TEST_CASE(two_that_want_the_last_seat_at_once_get_one) {
  Situation<SqliteHouse> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::vector requests{request_of("POST", path + "/seats", {{"name", "A"}}, ""),
                             request_of("POST", path + "/seats", {{"name", "B"}}, ""),
                             request_of("POST", path + "/seats", {{"name", "C"}}, "")};
  const auto responses = s.desk.writer.response(requests);
  BOOST_TEST(responses[0].status == 201U);
  BOOST_TEST(responses[1].status == 201U);
  check_refused(reply_of(responses[2]), 409U, "full");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_new_token_voids_the_old_one, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  const std::string token(43, 'A');
  const Reply renewed = s.desk.post(table.path + "/seats/0/token", {{"token", token}}, table.host);
  BOOST_TEST(renewed.status() == 200U);
  BOOST_TEST(renewed.text("/token") == token);
  BOOST_TEST(renewed.text("/name") == "Ann");
  BOOST_TEST(s.desk.post(table.path + "/seats/0/token", {{"token", token}}, table.host).status() ==
             200U);
  BOOST_TEST(s.desk.get(table.path).number("/seats/0/tokens") == 2);
  check_refused(s.desk.post(table.path + "/turns", nullptr, table.seats[0]), 403U, "forbidden");
  check_refused(s.desk.get(table.path, table.seats[0]), 403U, "forbidden");
  BOOST_TEST(s.desk.post(table.path + "/turns", nullptr, token).status() == 200U);
  const Reply nowhere = s.desk.post(table.path + "/seats/7/token", nullptr, table.host);
  check_refused(nowhere, 404U, "not-found");
  BOOST_TEST(nowhere.text("/detail") == "this game has no seat 7: its seats are 0 to 1");
  const Reply unasked = s.desk.post(table.path + "/takebacks/3", {{"agree", true}}, token);
  BOOST_TEST(unasked.text("/detail") == "nobody has asked for takeback 3");
  check_refused(s.desk.post(table.path + "/seats/1/token", {{"token", token}}, table.host), 422U,
                "token-reused");
  check_refused(s.desk.post(table.path + "/seats/1/token", {{"token", "x"}}, table.host), 422U,
                "invalid-value");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(playing)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_turn_is_a_commit_as_any_other, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  const Reply turn = s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  BOOST_TEST(turn.status() == 200U);
  BOOST_TEST(turn.text("/player") == "Ann");
  BOOST_TEST(turn.number("/version") == 2);
  BOOST_TEST(turn.at("/rolled").as_bool());
  BOOST_TEST(turn.text("/result").starts_with("Ann,"));
  BOOST_TEST(to_hex(s.house.store().head(table.id)->hash) == turn.text("/head"));
  const Reply refused = s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  check_refused(refused, 409U, "invalid-move");
  BOOST_TEST(refused.text("/result") == "INVALID MOVE");
  BOOST_TEST(refused.text("/value") == "Ann");
  BOOST_TEST(refused.text("/detail") == "Bob is to move");
  check_refused(s.desk.post(table.path + "/turns", {{"dice", {1}}}, table.seats[1]), 422U,
                "invalid-value");
  check_refused(s.desk.post(table.path + "/turns", {{"die", 1}}, table.seats[1]), 400U,
                "unreadable");
  play_out(s.desk, table);
  const Reply over = s.desk.post(table.path + "/turns", nullptr, table.seats[1]);
  check_refused(over, 409U, "game-completed");
  BOOST_TEST(over.text("/result") == "GAME COMPLETED");
  check_refused(s.desk.post(table.path + "/abandon", nullptr, table.host), 409U, "game-completed");
  check_refused(s.desk.post(table.path + "/seats/0/token", nullptr, table.host), 409U,
                "game-completed");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(own_dice_are_played_as_they_fell, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"}, {{"dice", "own"}});
  BOOST_TEST(s.desk.get(table.path).at("/draw").is_null());
  const Reply turn = s.desk.post(table.path + "/turns", {{"dice", {6, 2}}}, table.seats[0]);
  BOOST_TEST(turn.status() == 200U);
  BOOST_TEST(turn.number("/to") == 9);
  BOOST_TEST(!turn.at("/rolled").as_bool());
  check_refused(s.desk.post(table.path + "/turns", nullptr, table.seats[1]), 422U, "invalid-value");
  check_refused(s.desk.post(table.path + "/turns", {{"dice", {7}}}, table.seats[1]), 422U,
                "impossible-dice");
  const Reply far_off =
      s.desk.post(table.path + "/turns", {{"dice", {99999999999}}}, table.seats[1]);
  check_refused(far_off, 422U, "impossible-dice");
  BOOST_TEST(far_off.number("/value/0") == 99999999999);
  check_refused(s.desk.post(table.path + "/turns", {{"dice", json::array{}}}, table.seats[1]), 422U,
                "impossible-dice");
  check_refused(s.desk.post(table.path + "/turns", {{"dice", {1.5}}}, table.seats[1]), 400U,
                "unreadable");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_key_makes_a_turn_one_turn, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"}, {{"dice", "own"}});
  const HttpHeaders key{{"idempotency-key", "k1"}};
  const auto play = [&](std::size_t seat, const json::value& dice, const HttpHeaders& headers) {
    return s.desk.post(table.path + "/turns", {{"dice", dice}}, table.seats[seat], headers);
  };
  const Reply first = play(0, {3}, key);
  BOOST_TEST(first.status() == 200U);
  BOOST_TEST(!first.response.header("Idempotent-Replayed"));
  const Reply again = play(0, {3}, key);
  BOOST_TEST(again.status() == 200U);
  BOOST_TEST(again.response.header("Idempotent-Replayed").value() == "true");
  BOOST_TEST(again.response.text() == first.response.text());
  check_refused(play(0, {4}, key), 422U, "key-reused");
  // The key is checked before preconditions on the game, and before the rules.
  HttpHeaders both = key;
  both.emplace_back("if-match", "\"99\"");
  BOOST_TEST(play(0, {3}, both).status() == 200U);
  // The same key of another seat is a different key.
  BOOST_TEST(play(1, {3}, key).status() == 200U);
  // It outlives an undo, a turn from the command line, and a server.
  Match match = *Match::load(s.house.store(), table.id);
  BOOST_TEST(match.execute(UndoTurns{2}).has_value());
  BOOST_TEST(play(0, {3}, key).response.text() == first.response.text());
  Desk next(s.house, s.test);
  BOOST_TEST(
      next.post(table.path + "/turns", {{"dice", {3}}}, table.seats[0], key).response.text() ==
      first.response.text());
  check_refused(play(0, {3}, {{"idempotency-key", "a b"}}), 400U, "unreadable");
  check_refused(play(0, {3}, {{"idempotency-key", ""}}), 400U, "unreadable");
  check_refused(play(0, {3}, {{"idempotency-key", std::string(201, 'x')}}), 400U, "unreadable");
  BOOST_TEST(match.execute(PlayTurn{0, {1}}, {.command_id = "0:mine"}).has_value());
  check_refused(play(0, {3}, {{"idempotency-key", "mine"}}), 422U, "key-reused");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_version_that_is_expected_is_kept_to, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  const auto play = [&](std::size_t seat, const std::string& match) {
    return s.desk.post(table.path + "/turns", nullptr, table.seats[seat], {{"if-match", match}});
  };
  check_refused(play(0, "\"2\""), 412U, "precondition-failed");
  check_refused(play(0, "\"x\""), 412U, "precondition-failed");
  check_refused(play(0, "\"1.\""), 412U, "precondition-failed");
  // The version is checked before whose turn it is.
  check_refused(play(1, "\"2\""), 412U, "precondition-failed");
  check_refused(play(1, "\"1\""), 409U, "invalid-move");
  BOOST_TEST(play(0, "\"1.99\"").status() == 200U);
  BOOST_TEST(play(1, "\"7\", W/\"2.5\"").status() == 200U);
  BOOST_TEST(play(0, "*").status() == 200U);
  // The head counts too: in a restored copy, the same version may have another head.
  const std::string mark = to_hex(s.house.store().head(table.id)->hash).substr(0, 8);
  check_refused(play(1, "\"4.9.00000000\""), 412U, "precondition-failed");
  BOOST_TEST(play(1, "\"4.9." + mark + "\"").status() == 200U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_command_line_plays_in_the_same_game, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  Match match = *Match::load(s.house.store(), table.id);
  for (int round = 0; round < 3; ++round) {
    BOOST_TEST(s.desk.post(table.path + "/turns", nullptr, table.seats[0]).status() == 200U);
    BOOST_TEST(match.execute(RollTurn{}).has_value());
  }
  const Reply state = s.desk.get(table.path);
  BOOST_TEST(state.number("/version") == 7);
  BOOST_TEST(state.text("/head") == to_hex(match.head().hash));
  // A roll never counts for another player who has become the one to move.
  check_refused(s.desk.post(table.path + "/turns", nullptr, table.seats[1]), 409U, "invalid-move");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(games_that_wait_together_share_a_commit, House, Houses) {
  Situation<House> s;
  std::vector<Table> tables;
  for (int game = 0; game < 5; ++game)
    tables.push_back(seated(s.desk, {"Ann", "Bob"}));
  std::vector<HttpRequest> requests;
  for (const Table& table : tables) {
    requests.push_back(request_of("POST", table.path + "/turns", nullptr, table.seats[0]));
    requests.push_back(request_of("POST", table.path + "/turns", nullptr, table.seats[0]));
    requests.push_back(request_of("POST", table.path + "/turns", nullptr, table.seats[1]));
  }
  const auto responses = s.desk.writer.response(requests);
  for (std::size_t i = 0; i < responses.size(); i += 3) {
    BOOST_TEST(responses[i].status == 200U);
    BOOST_TEST(responses[i + 1].status == 409U);
    BOOST_TEST(responses[i + 2].status == 200U);
  }
  for (const Table& table : tables)
    BOOST_TEST(s.house.store().head(table.id)->version == 3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_has_ended_stays_so, House, Houses) {
  Situation<House> s;
  const Table won = seated(s.desk, {"Ann", "Bob"});
  play_out(s.desk, won);
  const Reply end = s.desk.get(won.path);
  BOOST_TEST(end.text("/status") == "completed");
  BOOST_TEST(end.text("/draw/secret").size() == 64U);
  Match match = *Match::load(s.house.store(), won.id);
  BOOST_TEST(match.execute(UndoTurns{1}).has_value());
  const Reply undone = s.desk.get(won.path);
  BOOST_TEST(undone.text("/status") == "completed");
  BOOST_TEST(undone.at("/draw") == end.at("/draw"));
  check_refused(s.desk.post(won.path + "/turns", nullptr, won.seats[0]), 409U, "game-completed");

  const Table left = seated(s.desk, {"Ann", "Bob"});
  BOOST_TEST(s.desk.post(left.path + "/abandon", nullptr, left.host).text("/status") ==
             "abandoned");
  const Reply again = s.desk.post(left.path + "/abandon", nullptr, left.host);
  BOOST_TEST(again.status() == 200U);
  BOOST_TEST(again.text("/draw/secret").size() == 64U);
  check_refused(s.desk.post(left.path + "/turns", nullptr, left.seats[0]), 409U, "abandoned");
  check_refused(s.desk.post(left.path + "/seats/0/token", nullptr, left.host), 409U, "abandoned");
  check_refused(s.desk.post(left.path + "/takebacks", {{"to", 0}}, left.seats[0]), 409U,
                "abandoned");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(drawing_a_seed)

BOOST_AUTO_TEST_CASE_TEMPLATE(promises_are_kept_before_the_game_begins, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 3}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string host = made.text("/token");
  const auto take = [&](json::object body) {
    return s.desk.post(path + "/seats", body).text("/token");
  };
  check_refused(s.desk.post(path + "/seats", {{"name", "A"}, {"entropy_hash", "77"}}), 422U,
                "invalid-value");
  const std::string ann = take({{"name", "Ann"}, {"entropy_hash", entropy_hash_of(hex_of(1))}});
  const std::string bob = take({{"name", "Bob"}});
  check_refused(s.desk.post(path + "/entropy", {{"entropy", hex_of(1)}}, ann), 409U, "not-yet");
  const std::string cyd = take({{"name", "Cyd"}, {"entropy_hash", entropy_hash_of(hex_of(3))}});
  BOOST_TEST(s.desk.get(path).text("/status") == "drawing");
  BOOST_TEST(names(s.desk.get(path, ann).at("/you/may")) == "entropy auto");
  BOOST_TEST(names(s.desk.get(path, bob).at("/you/may")) == "auto");
  check_refused(s.desk.post(path + "/entropy", {{"entropy", hex_of(2)}}, ann), 422U,
                "broken-promise");
  check_refused(s.desk.post(path + "/entropy", {{"entropy", hex_of(2)}}, bob), 422U,
                "broken-promise");
  check_refused(s.desk.post(path + "/entropy", {{"entropy", "x"}}, ann), 422U, "invalid-value");
  check_refused(s.desk.post(path + "/entropy", nullptr, ann), 400U, "unreadable");
  check_refused(s.desk.post(path + "/turns", nullptr, ann), 409U, "not-started");
  check_refused(s.desk.post(path + "/start", nullptr, host), 409U, "started");
  const Reply one = s.desk.post(path + "/entropy", {{"entropy", hex_of(1)}}, ann);
  BOOST_TEST(one.text("/status") == "drawing");
  BOOST_TEST(one.at("/draw/entropy/0").is_null());  // until all is in
  BOOST_TEST(s.desk.post(path + "/entropy", {{"entropy", hex_of(1)}}, ann).status() == 200U);
  const Reply two = s.desk.post(path + "/entropy", {{"entropy", hex_of(3)}}, cyd);
  BOOST_TEST(two.text("/status") == "in-progress");
  BOOST_TEST(two.text("/draw/entropy/0") == hex_of(1));
  BOOST_TEST(two.at("/draw/entropy/1").is_null());
  BOOST_TEST(two.text("/draw/commitment") == made.text("/game/draw/commitment"));
  BOOST_TEST(s.desk.post(path + "/entropy", {{"entropy", hex_of(3)}}, cyd).status() == 200U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_new_token_promises_anew, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string host = made.text("/token");
  const auto promise = [&](const std::string& name, std::uint8_t byte, const std::string& token) {
    json::object body{{"name", name}, {"entropy_hash", entropy_hash_of(hex_of(byte))}};
    if (!token.empty()) body["token"] = token;
    return s.desk.post(path + "/seats", body);
  };
  const auto renew = [&](int seat) {
    return s.desk.post(fmt::format("{}/seats/{}/token", path, seat), nullptr, host);
  };
  promise("Ann", 1, "");
  const std::string ann = renew(0).text("/token");
  BOOST_TEST(s.desk.get(path).at("/seats/0/entropy_hash").is_null());
  BOOST_TEST(s.desk.get(path).at("/seats/0/in").as_bool());
  BOOST_TEST(s.desk.post(path + "/seats", {{"name", "Ann"}, {"token", ann}}).status() == 200U);
  BOOST_TEST(promise("Ann", 2, ann).status() == 200U);
  BOOST_TEST(promise("Ann", 2, ann).status() == 200U);
  check_refused(promise("Ann", 3, ann), 422U, "token-reused");
  const std::string bob = promise("Bob", 4, "").text("/token");
  s.desk.post(path + "/entropy", {{"entropy", hex_of(4)}}, bob);
  BOOST_TEST(renew(1).status() == 200U);  // what was sent is there, whoever has the seat
  const Reply drawn = s.desk.post(path + "/entropy", {{"entropy", hex_of(2)}}, ann);
  BOOST_TEST(drawn.text("/status") == "in-progress");
  BOOST_TEST(drawn.text("/draw/entropy/0") == hex_of(2));
  BOOST_TEST(drawn.at("/seats/1/in").as_bool());
}

BOOST_AUTO_TEST_CASE(a_game_whose_entropy_never_comes_is_given_up) {
  Situation<SqliteHouse> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  s.desk.post(path + "/seats", {{"name", "A"}, {"entropy_hash", entropy_hash_of(hex_of(1))}});
  s.desk.post(path + "/seats", {{"name", "B"}});
  const Reply left = s.desk.post(path + "/abandon", nullptr, made.text("/token"));
  BOOST_TEST(left.text("/status") == "abandoned");
  BOOST_TEST(left.text("/draw/secret").size() == 64U);
  BOOST_TEST(left.at("/draw/seed").is_null());
  BOOST_TEST(s.desk.stream(made.text("/id")).find("event: end") != std::string::npos);
  BOOST_TEST(s.desk.get(path + "/events", "", {{"last-event-id", "0"}}).status() == 204U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(taking_turns_back)

template <class House>
struct Played : Situation<House> {
  Table table = seated(this->desk, {"Ann", "Bob", "Cyd"}, {{"dice", "own"}});
  std::string path = table.path + "/takebacks";

  void play(std::size_t seat) {
    BOOST_TEST(
        this->desk.post(table.path + "/turns", {{"dice", {1}}}, table.seats[seat]).status() ==
        200U);
  }
  Reply ask(std::size_t seat, std::int64_t to) {
    return this->desk.post(path, {{"to", to}}, table.seats[seat]);
  }
  Reply reply(std::size_t seat, std::int64_t question, bool agree) {
    return this->desk.post(fmt::format("{}/{}", path, question), {{"agree", agree}},
                           table.seats[seat]);
  }
  std::string outcome() { return this->desk.get(table.path).text("/takeback/outcome"); }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(all_others_have_to_agree, House, Houses) {
  Played<House> s;
  check_refused(s.ask(0, 0), 422U, "invalid-value");
  s.play(0);
  s.play(1);
  check_refused(s.ask(0, 2), 422U, "invalid-value");
  check_refused(s.ask(0, -1), 422U, "invalid-value");
  check_refused(s.desk.post(s.path + "/1", {{"agree", true}}, s.table.seats[1]), 404U, "not-found");
  const Reply asked = s.ask(0, 0);
  BOOST_TEST(asked.status() == 200U);
  BOOST_TEST(json::serialize(asked.at("/takeback")) ==
             R"({"id":1,"by":0,"to":0,"agreed":[0],"outcome":null})");
  BOOST_TEST(s.ask(0, 0).status() == 200U);
  check_refused(s.ask(0, 1), 409U, "takeback-open");
  check_refused(s.ask(1, 0), 409U, "takeback-open");
  BOOST_TEST(names(s.desk.get(s.table.path, s.table.seats[1]).at("/you/may")) == "takeback answer");
  BOOST_TEST(s.reply(1, 1, true).number("/version") == 3);
  const std::int64_t changed = s.house.hosted_games().game(s.table.id)->revision;
  BOOST_TEST(s.reply(1, 1, true).status() == 200U);
  BOOST_TEST(s.house.hosted_games().game(s.table.id)->revision == changed);  // nothing is new
  check_refused(s.desk.post(s.path + "/1", json::object{}, s.table.seats[2]), 400U, "unreadable");
  const Reply done = s.reply(2, 1, true);
  BOOST_TEST(done.status() == 200U);
  BOOST_TEST(done.number("/turn") == 0);
  BOOST_TEST(done.number("/version") == 4);
  BOOST_TEST(json::serialize(done.at("/takeback")) ==
             R"({"id":1,"by":0,"to":0,"agreed":[0,1,2],"outcome":"done"})");
  check_refused(s.reply(2, 1, true), 409U, "takeback-settled");
  const auto commit = s.house.store().commit(s.table.id, 4);
  BOOST_TEST(commit->command == R"({"undo_to":[2,0,0,[0,1,2]]})");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_question_at_a_time_comes_to_an_end, House, Houses) {
  Played<House> s;
  s.play(0);
  s.ask(0, 0);
  BOOST_TEST(s.reply(2, 1, false).text("/takeback/outcome") == "refused");
  check_refused(s.reply(1, 1, true), 409U, "takeback-settled");
  s.ask(0, 0);
  BOOST_TEST(s.reply(0, 2, false).text("/takeback/outcome") == "withdrawn");
  s.ask(1, 0);
  s.reply(2, 3, true);
  s.play(1);
  BOOST_TEST(s.outcome() == "overtaken");
  check_refused(s.reply(0, 3, true), 409U, "takeback-settled");
  BOOST_TEST(s.ask(2, 1).number("/takeback/id") == 4);
  check_refused(s.reply(1, 3, true), 409U, "takeback-settled");
  check_refused(s.reply(1, 5, true), 404U, "not-found");
  // The command line changes the game meanwhile, too.
  Match match = *Match::load(s.house.store(), s.table.id);
  BOOST_TEST(match.execute(UndoTurns{1}).has_value());
  BOOST_TEST(s.outcome() == "overtaken");
}

BOOST_AUTO_TEST_CASE(where_nobody_asks_nothing_is_taken_back) {
  Situation<MemoryHouse> s;
  const Table table = seated(s.desk, {"Ann", "Bob"}, {{"takebacks", "none"}});
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  check_refused(s.desk.post(table.path + "/takebacks", {{"to", 0}}, table.seats[0]), 422U,
                "invalid-value");
  BOOST_TEST(names(s.desk.get(table.path, table.seats[1]).at("/you/may")) == "turn auto");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(looking)

BOOST_AUTO_TEST_CASE_TEMPLATE(an_entity_tag_follows_every_change, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 3}});
  const std::string path = "/api/games/" + made.text("/id");
  std::set<std::string> tags;
  const auto check_new = [&] {
    const Reply state = s.desk.get(path);
    const std::string tag(state.response.header("ETag").value());
    BOOST_TEST(tags.insert(tag).second, tag);
    if (const auto head = s.house.store().head(path.substr(path.rfind('/') + 1)))
      BOOST_TEST(tag.ends_with("." + to_hex(head->hash).substr(0, 8) + "\""), tag);
    BOOST_TEST(s.desk.get(path, "", {{"if-none-match", tag}}).status() == 304U);
    BOOST_TEST(s.desk.get(path, "", {{"if-none-match", "\"x\", W/" + tag}}).status() == 304U);
    BOOST_TEST(s.desk.get(path, "", {{"if-none-match", "\"0.0\""}}).status() == 200U);
    BOOST_TEST(state.response.header("Vary").value() == "Authorization");
  };
  check_new();
  const std::string ann = s.desk.post(path + "/seats", {{"name", "Ann"}}).text("/token");
  check_new();
  s.desk.post(path + "/seats", {{"name", "Bob"}});
  check_new();
  s.desk.post(path + "/start", nullptr, made.text("/token"));
  check_new();
  s.desk.post(path + "/turns", nullptr, ann);
  check_new();
  s.desk.post(path + "/takebacks", {{"to", 0}}, ann);
  check_new();
  s.desk.post(path + "/abandon", nullptr, made.text("/token"));
  check_new();
  const Reply own = s.desk.get(path, ann);
  BOOST_TEST(own.response.header("Cache-Control").value() == "no-store");
  // A player's STATE has a "you", so its tag isn't a spectator's.
  const std::string tag(s.desk.get(path).response.header("ETag").value());
  const std::string own_tag(own.response.header("ETag").value());
  BOOST_TEST(s.desk.get(path, ann, {{"if-none-match", tag}}).status() == 200U);
  BOOST_TEST(s.desk.get(path, "", {{"if-none-match", own_tag}}).status() == 200U);
  BOOST_TEST(s.desk.get(path, ann, {{"if-none-match", own_tag}}).status() == 304U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_list_is_newest_first_page_by_page, House, Houses) {
  Situation<House> s;
  std::vector<std::string> made;
  for (int game = 0; game < 7; ++game) {
    if (game % 3 == 2)
      made.push_back(s.desk.post("/api/games", {{"open", 2}}).text("/id"));
    else
      made.push_back(seated(s.desk, {"Ann", fmt::format("Bob {}", game)}).id);
  }
  std::vector<std::string> listed;
  std::string target = "/api/games?limit=2";
  while (!target.empty()) {
    const Reply page = s.desk.get(target);
    BOOST_TEST(page.status() == 200U);
    for (const json::value& game : page.at("/games").as_array())
      listed.emplace_back(game.at("id").as_string());
    const auto link = page.response.header("Link");
    BOOST_TEST((!link || link->ends_with(">; rel=\"next\"")));
    target = link ? std::string(link->substr(1, link->find('>') - 1)) : "";
  }
  BOOST_TEST(listed == std::vector<std::string>(made.rbegin(), made.rend()),
             boost::test_tools::per_element());
  BOOST_TEST(s.desk.get("/api/games?status=open").at("/games").as_array().size() == 2U);
  BOOST_TEST(s.desk.get("/api/games?status=in-progress").at("/games").as_array().size() == 5U);
  BOOST_TEST(s.desk.get("/api/games?status=completed").at("/games").as_array().empty());
  BOOST_TEST(s.desk.get("/api/games?player=Bob+1").at("/games").as_array().size() == 1U);
  BOOST_TEST(s.desk.get("/api/games?player=Bob%201&limit=100").text("/games/0/id") == made[1]);
  check_refused(s.desk.get("/api/games?limit=0"), 422U, "invalid-value");
  check_refused(s.desk.get("/api/games?limit=101"), 422U, "invalid-value");
  check_refused(s.desk.get("/api/games?limit=x"), 400U, "unreadable");
  check_refused(s.desk.get("/api/games?status=x"), 422U, "invalid-value");
  check_refused(s.desk.get("/api/games?colour=x"), 400U, "unreadable");
  check_refused(s.desk.get("/api/games?player=%zz"), 400U, "unreadable");
  check_refused(s.desk.get("/api/games?before=nobody"), 422U, "invalid-value");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_page_goes_on_after_a_game_that_has_begun_since, House, Houses) {
  Situation<House> s;
  const std::string oldest = seated(s.desk, {"Ann", "Bob"}).id;
  std::vector<std::string> made;
  for (int game = 0; game < 4; ++game)
    made.push_back(s.desk.post("/api/games", {{"open", 2}}).text("/id"));
  const Reply page = s.desk.get("/api/games?limit=3");
  BOOST_TEST(page.text("/games/2/id") == made[1]);
  for (const std::string name : {"Ann", "Bob"})
    s.desk.post("/api/games/" + made[1] + "/seats", {{"name", name}});
  BOOST_TEST(s.desk.get("/api/games").text("/games/0/id") == made[1]);
  const std::string link(page.response.header("Link").value());
  const Reply next = s.desk.get(link.substr(1, link.find('>') - 1));
  BOOST_TEST(next.at("/games").as_array().size() == 2U);
  BOOST_TEST(next.text("/games/0/id") == made[0]);
  BOOST_TEST(next.text("/games/1/id") == oldest);
}

/// A copy of an old game is new in the log, though its first commit is old.
BOOST_AUTO_TEST_CASE_TEMPLATE(pages_follow_one_another_whatever_the_times_of_games, House, Houses) {
  Situation<House> s;
  const UnixMilliseconds begin = s.test.now;
  const auto setup = std::make_shared<GameSetup>(
      GameSetup{.players = {"Ann", "Bob"}, .board = *Board::make({}), .rules = {}, .seed = 1});
  const auto record = [&](const std::string& id, int minute) {
    const auto at = [&] { return begin + minute * 60'000; };
    BOOST_TEST_REQUIRE(Match::start(s.house.store(), id, StartGame{setup}, at).has_value());
  };
  const auto open = [&](int minute) {
    s.test.now = begin + minute * 60'000;
    return s.desk.post("/api/games", {{"open", 2}}).text("/id");
  };
  const auto ids = [&](const Reply& page) {
    std::vector<std::string> listed;
    for (const json::value& game : page.at("/games").as_array())
      listed.emplace_back(game.at("id").as_string());
    return listed;
  };
  record("first", 10);
  const std::string waiting = open(11);
  record("second", 12);
  record("copy", 1);
  const std::vector<std::string> expected{waiting, "copy", "second", "first"};
  BOOST_TEST(ids(s.desk.get("/api/games")) == expected, boost::test_tools::per_element());
  for (const int minute : {8, 3, 9, 0, 12, 2, 7})
    if (minute % 2 == 0)
      record(fmt::format("at-{}", minute), minute);
    else
      open(minute);
  const auto all = ids(s.desk.get("/api/games"));
  BOOST_TEST(std::set(all.begin(), all.end()).size() == 11U);
  for (int limit = 1; limit <= 11; ++limit) {
    std::vector<std::string> listed;
    std::string target = fmt::format("/api/games?limit={}", limit);
    while (!target.empty() && listed.size() <= all.size()) {
      const Reply page = s.desk.get(target);
      for (const std::string& id : ids(page))
        listed.push_back(id);
      const auto link = page.response.header("Link");
      target = link ? std::string(link->substr(1, link->find('>') - 1)) : "";
    }
    BOOST_TEST_INFO("pages of " << limit);
    BOOST_TEST(listed == all, boost::test_tools::per_element());
  }
  // An ID alone is a place, too.
  for (const std::string& id : all)
    BOOST_TEST(s.desk.get("/api/games?before=" + id).status() == 200U);
  for (const std::string end : {",", ",x", ",-1", ",1,1", ",waiting,1"})
    check_refused(s.desk.get("/api/games?before=second" + end), 422U, "invalid-value");
}

/// The boards of listed games may be large, and a list has 100 of them.
BOOST_AUTO_TEST_CASE(a_list_reads_only_games_that_have_changed) {
  MemoryHouse house;
  TestSettings test;
  AskedStore reading(house.store());
  Desk elsewhere(house, test);
  Desk desk(house.store(), house.hosted_games(), reading, house.hosted_games(), test.settings());
  std::vector<Table> tables;
  constexpr int games = 10;
  for (int game = 0; game < games; ++game)
    tables.push_back(seated(elsewhere, {"Ann", "Bob"}));
  const Reply open = elsewhere.post("/api/games", {{"open", 2}});
  const auto list = [&] {
    reading.asked = reading.heads = 0;
    return desk.get("/api/games");
  };
  BOOST_TEST(list().at("/games").as_array().size() == 11U);
  BOOST_TEST(reading.asked > games);
  BOOST_TEST(list().at("/games").as_array().size() == 11U);
  BOOST_TEST(reading.asked == 0);
  // All that a list shows is as it is now.
  const auto play = [&](Desk& server, std::size_t seat) {
    server.post(tables[9].path + "/turns", nullptr, tables[9].seats[seat]);
  };
  play(desk, 0);
  BOOST_TEST(list().number("/games/1/turn") == 1);
  BOOST_TEST(reading.asked == reading.heads);
  play(desk, 1);
  BOOST_TEST(list().number("/games/1/turn") == 2);
  BOOST_TEST(reading.asked == 1);
  play(elsewhere, 0);
  BOOST_TEST(list().number("/games/1/turn") == 3);
  elsewhere.post(tables[9].path + "/abandon", nullptr, tables[9].host);
  BOOST_TEST(list().text("/games/1/status") == "abandoned");
  BOOST_TEST(desk.get("/api/games?status=abandoned").text("/games/0/id") == tables[9].id);
  elsewhere.post("/api/games/" + open.text("/id") + "/seats", {{"name", "Cyd"}});
  BOOST_TEST(list().number("/games/0/taken") == 1);
  BOOST_TEST(desk.get("/api/games?player=Cyd").text("/games/0/id") == open.text("/id"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_game_of_the_command_line_is_seen_and_not_played, House, Houses) {
  Situation<House> s;
  auto setup = std::make_shared<GameSetup>(GameSetup{
      .players = {"Ann", "Bob"}, .board = *Board::make({}), .rules = {}, .seed = 123456789012345});
  BOOST_TEST(Match::start(s.house.store(), "final", StartGame{setup}).has_value());
  const Reply state = s.desk.get("/api/games/final");
  BOOST_TEST(state.status() == 200U);
  BOOST_TEST(state.at("/seats").as_array().empty());
  BOOST_TEST(state.at("/draw").is_null());
  BOOST_TEST(s.desk.get("/api/games").text("/games/0/id") == "final");
  const Table table = seated(s.desk, {"A", "B"});
  for (const std::string& token : {std::string(), table.host, table.seats[0]})
    for (const auto& [method, path] :
         {std::pair("POST", "/turns"), std::pair("POST", "/seats"), std::pair("POST", "/start"),
          std::pair("POST", "/abandon"), std::pair("POST", "/entropy"),
          std::pair("POST", "/takebacks"), std::pair("POST", "/takebacks/1"),
          std::pair("POST", "/seats/0/token"), std::pair("POST", "/host"),
          std::pair("POST", "/rematch"), std::pair("PUT", "/seats/0/auto")})
      check_refused(
          s.desk.send(request_of(method, std::string("/api/games/final") + path, nullptr, token)),
          403U, "forbidden");
  check_refused(s.desk.remove("/api/games/final/seats/0", table.host), 403U, "forbidden");
  const std::string stream = s.desk.stream("final");
  BOOST_TEST(stream.find("\"redacted\":true") != std::string::npos);
  BOOST_TEST(stream.find("123456789012345") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(paths_and_methods_that_are_not_there) {
  Situation<MemoryHouse> s;
  const Table table = seated(s.desk, {"A", "B"});
  for (const std::string path :
       {"/", "/api", "/api/game", "/api/gamesx", "/api/games/", "/api/games/nobody",
        "/api/games/nobody/turns", "/api/games/%6a", "/api/games/@", "/api/games/.."})
    check_refused(s.desk.get(path), 404U, "not-found");
  for (const std::string path : {"/x", "/turns/1", "/seats/00", "/seats/1/tokens", "/seats/-1",
                                 "/seats/9/token", "/takebacks/0", "/", "/turns/"})
    check_refused(s.desk.post(table.path + path, nullptr, table.host), 404U, "not-found");
  const auto refused = [&](const std::string& method, const std::string& path,
                           const std::string& allowed) {
    const Reply reply = s.desk.send(request_of(method, path, nullptr, ""));
    check_refused(reply, 405U, "method-not-allowed");
    BOOST_TEST(reply.response.header("Allow").value() == allowed);
  };
  refused("PUT", "/api/games", "GET, HEAD, OPTIONS, POST");
  refused("DELETE", table.path, "GET, HEAD, OPTIONS");
  refused("POST", table.path, "GET, HEAD, OPTIONS");
  refused("GET", table.path + "/turns", "OPTIONS, POST");
  refused("GET", table.path + "/seats/0", "DELETE, OPTIONS");
  refused("PATCH", table.path + "/export", "GET, HEAD, OPTIONS");
  const Reply options = s.desk.send(request_of("OPTIONS", table.path + "/turns", nullptr, ""));
  BOOST_TEST(options.status() == 204U);
  BOOST_TEST(options.response.header("Allow").value() == "OPTIONS, POST");
  // 404 comes before 401, and 401 before the faults of a body.
  check_refused(s.desk.post("/api/games/nobody/turns", {{"x", 1}}), 404U, "not-found");
  const Reply unknown = s.desk.post(table.path + "/turns", {{"x", 1}});
  check_refused(unknown, 401U, "unauthorized");
  BOOST_TEST(unknown.response.header("WWW-Authenticate").value() == "Bearer");
  check_refused(s.desk.post(table.path + "/turns", {{"x", 1}}, table.host), 403U, "forbidden");
  check_refused(s.desk.post(table.path + "/turns", {{"x", 1}}, table.seats[1]), 400U, "unreadable");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exports_are_those_of_the_command_line, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  check_refused(s.desk.get(table.path + "/export"), 409U, "not-yet");
  check_refused(s.desk.get(table.path + "/export?format=jsonl"), 409U, "not-yet");
  check_refused(s.desk.get(table.path + "/export?format=html"), 409U, "not-yet");
  check_refused(s.desk.get(table.path + "/export?format=pdf"), 422U, "invalid-value");
  check_refused(s.desk.get(table.path + "/export?format=svg&at=9"), 422U, "invalid-value");
  check_refused(s.desk.get(table.path + "/export?format=csv&at=1"), 422U, "invalid-value");
  check_refused(s.desk.get(table.path + "/export?format=svg&at=x"), 400U, "unreadable");
  for (const std::string format : {"text", "csv", "svg", "cast"}) {
    const Reply file = s.desk.get(table.path + "/export?format=" + format);
    BOOST_TEST(file.status() == 200U, format);
    BOOST_TEST(file.response.header("Content-Disposition")->starts_with("attachment; filename="));
    BOOST_TEST(file.response.header("Content-Security-Policy").value() == "sandbox");
  }
  BOOST_TEST(
      s.desk.get(table.path + "/export?format=svg&at=0").response.text().starts_with("<svg"));
  play_out(s.desk, table);
  const Reply log = s.desk.get(table.path + "/export?format=jsonl");
  BOOST_TEST(log.status() == 200U);
  const auto lines = std::ranges::count(log.response.text(), '\n');
  BOOST_TEST(lines == s.house.store().head(table.id)->version + 1);
  BOOST_TEST(
      s.desk.get(table.path + "/export?format=html").response.text().starts_with("<!doctype"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_export_of_a_game_that_has_ended_is_made_once, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  const auto exported = [&](const std::string& format) {
    return s.desk.get(table.path + "/export?format=" + format).response.body;
  };
  const auto running = exported("csv");
  BOOST_TEST((running != exported("csv")));
  play_out(s.desk, table);
  const auto ended = exported("csv");
  BOOST_TEST((ended == exported("csv")));
  BOOST_TEST((*ended != *running));
  BOOST_TEST((ended != exported("text")));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(streams)

/// The events of a stream: type, id, data.
struct SentEvent {
  std::string type;
  std::string id;
  json::value data;
};

std::vector<SentEvent> events_in(std::string_view stream) {
  std::vector<SentEvent> events;
  SentEvent event;
  while (!stream.empty()) {
    const std::string_view line = stream.substr(0, stream.find('\n'));
    stream.remove_prefix(std::min(line.size() + 1, stream.size()));
    if (line.empty()) events.push_back(std::exchange(event, {}));
    if (line.starts_with("event: ")) event.type = line.substr(7);
    if (line.starts_with("id: ")) event.id = line.substr(4, line.find('.') - 4);
    if (line.starts_with("data: ")) event.data = json::parse(line.substr(6));
  }
  return events;
}

std::string types_of(const std::vector<SentEvent>& events) {
  std::string types;
  for (const SentEvent& event : events)
    types += event.type + event.id + " ";
  return types;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(begin_with_the_state_and_tell_each_version_once, House, Houses) {
  Situation<House> s;
  const Table table = opened(s.desk, {"Ann", "Bob"});
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  const auto events = events_in(s.desk.stream(table.id));
  BOOST_TEST(types_of(events) == "state commit1 commit2 ");
  BOOST_TEST(!events[0].data.as_object().contains("you"));
  BOOST_TEST(events[1].data.at_pointer("/commit/redacted").as_bool());
  BOOST_TEST(events[1].data.at("turn").is_null());
  BOOST_TEST(events[1].data.at_pointer("/game/version").as_int64() == 1);
  BOOST_TEST(events[2].data.at_pointer("/turn/player").as_string() == "Ann");
  BOOST_TEST(events[2].data.at_pointer("/game/head") == events[2].data.at_pointer("/commit/hash"));
  BOOST_TEST(types_of(events_in(s.desk.stream(table.id, 2))) == "state commit2 ");
  BOOST_TEST(types_of(events_in(s.desk.stream(table.id, 9))) == "state ");

  const Reply opening = s.desk.get(table.path + "/events?from=2");
  BOOST_TEST(opening.status() == 200U);
  BOOST_TEST(opening.response.header("Content-Type").value() == "text/event-stream");
  BOOST_TEST(opening.response.header("X-Accel-Buffering").value() == "no");
  BOOST_TEST((opening.response.stream == cli::StreamOpening{.game = table.id, .from = 2}));
  const Hash head = s.house.store().head(table.id)->hash;
  const auto back = [&](const std::string& last) {
    return s.desk.get(table.path + "/events?from=1", "", {{"last-event-id", last}}).response.stream;
  };
  const cli::StreamOpening goes_on{.game = table.id, .from = 3, .head = head};
  BOOST_TEST((back("2") == goes_on));
  BOOST_TEST((back("2." + to_hex(head).substr(0, 8)) == goes_on));
  // The commits already sent aren't in the log: an older copy was restored, and others played on in
  // it.
  for (const std::string lost : {"2.00000000", "3", "3.00000000"}) {
    const auto anew = back(lost);
    BOOST_TEST((anew == cli::StreamOpening{.game = table.id, .from = 1, .reset = true}));
    const auto told = s.desk.feed.notifications(table.id, cli::GameFeed::opening(*anew));
    BOOST_TEST(*told->parts.front() == "event: reset\ndata: {}\n\n");
    BOOST_TEST(told->parts.size() == 4U);  // a state, and both versions
  }
  BOOST_TEST((back("x") == cli::StreamOpening{.game = table.id, .from = 1}));
  check_refused(s.desk.get(table.path + "/events?from=0"), 422U, "invalid-value");
  check_refused(s.desk.get(table.path + "/events?from=x"), 400U, "unreadable");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tell_what_happens_whoever_did_it, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  cli::FeedPlace place = place_before(1);
  const auto notifications = [&] {
    const auto found = s.desk.feed.notifications(table.id, place);
    std::string all;
    for (const auto& part : found->parts)
      all += *part;
    place = found->place;
    return types_of(events_in(all));
  };
  BOOST_TEST(notifications() == "state commit1 ");
  BOOST_TEST(notifications() == "");
  s.desk.feed.changed_games();
  BOOST_TEST(s.desk.feed.changed_games()->empty());
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  BOOST_TEST(*s.desk.feed.changed_games() == std::vector{table.id},
             boost::test_tools::per_element());
  BOOST_TEST(notifications() == "commit2 ");
  Match match = *Match::load(s.house.store(), table.id);
  BOOST_TEST(match.execute(RollTurn{}).has_value());
  BOOST_TEST(*s.desk.feed.changed_games() == std::vector{table.id},
             boost::test_tools::per_element());
  BOOST_TEST(notifications() == "commit3 ");
  s.desk.post(table.path + "/takebacks", {{"to", 0}}, table.seats[0]);
  BOOST_TEST(*s.desk.feed.changed_games() == std::vector{table.id},
             boost::test_tools::per_element());
  BOOST_TEST(notifications() == "state ");
  s.desk.post(table.path + "/takebacks/1", {{"agree", true}}, table.seats[1]);
  BOOST_TEST(notifications() == "commit4 ");
  s.desk.post(table.path + "/abandon", nullptr, table.host);
  BOOST_TEST(notifications() == "state end4 ");
  BOOST_TEST(!s.desk.feed.notifications("nobody", place));
}

BOOST_AUTO_TEST_CASE(tell_what_was_recorded_here_without_reading_it) {
  MemoryHouse house;
  TestSettings test;
  AskedStore writing(house.store());
  AskedStore reading(house.store());
  Desk desk(writing, house.hosted_games(), reading, house.hosted_games(), test.settings());
  const Table table = seated(desk, {"Ann", "Bob"}, {{"board", {{"cells", 10000}}}});
  cli::FeedPlace place = desk.feed.notifications(table.id, place_before(1))->place;
  const auto play = [&](std::size_t turn) {
    return desk.post(table.path + "/turns", nullptr, table.seats[turn % 2],
                     {{"idempotency-key", fmt::format("{}", turn)}});
  };
  writing.asked = reading.asked = 0;
  constexpr std::size_t turns = 20;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    BOOST_TEST(play(turn).status() == 200U);
    const auto version = static_cast<Version>(turn) + 2;
    BOOST_TEST(desk.get(table.path).number("/version") == version);
    // The writer's fold is the only one: all have its very state.
    const auto view = desk.known.find(table.id, {}).view;
    BOOST_TEST((view->game == view->steps.back()->game));
    // Sometimes several at once.
    if (turn % 4 == 1) continue;
    place = desk.feed.notifications(table.id, place)->place;
    BOOST_TEST(place.version == version);
  }
  BOOST_TEST(writing.asked == 0);
  BOOST_TEST(reading.asked == 0);
  const Reply again = play(turns - 1);
  BOOST_TEST(again.status() == 200U);
  BOOST_TEST(again.response.header("Idempotent-Replayed").value_or("") == "true");
  BOOST_TEST(writing.asked == 1);
  // Commits of another process aren't missed.
  Match match = *Match::load(house.store(), table.id);
  BOOST_TEST(match.execute(RollTurn{}).has_value());
  BOOST_TEST(desk.get(table.path).number("/version") == match.head().version);
  BOOST_TEST(desk.feed.notifications(table.id, place)->place.version == match.head().version);
  BOOST_TEST(play(turns + 1).number("/version") == match.head().version + 1);
  BOOST_TEST(desk.get(table.path).number("/version") == match.head().version + 1);
}

/// A thread that read before the writer's commit stores its result in the cache after the writer's.
BOOST_AUTO_TEST_CASE(tell_nothing_old_of_what_the_writer_recorded) {
  const auto view_at = [](std::int64_t change) {
    auto view = std::make_shared<cli::GameView>();
    view->id = "a";
    view->hosted.emplace();
    view->hosted->revision = change;
    return view;
  };
  const cli::StoreMoment before{.position = 1, .change = 1};
  const cli::StoreMoment after{.position = 1, .change = 2};
  const cli::StoreMoment elsewhere{.position = 2, .change = 3};
  const auto old = view_at(1);
  const auto recorded = view_at(2);
  cli::KnownGames known;
  known.find_at(before);
  known.move_to(after, {}, {});
  known.keep(recorded, after);
  known.keep(old, before);
  BOOST_TEST((known.find("a", after).view == recorded));
  BOOST_TEST(known.find("a", after).is_right);
  BOOST_TEST(!known.find("a", before).is_right);
  // One that found the old state in the cache just before.
  known.keep(old, after);
  BOOST_TEST((known.find("a", after).view == recorded));
  // After commits by others, the cached state is compared with the store, and an older state may
  // replace it.
  known.find_at(elsewhere);
  BOOST_TEST(!known.find("a", elsewhere).is_right);
  known.keep(old, elsewhere);
  BOOST_TEST((known.find("a", elsewhere).view == old));
}

/// A stream that took the old view for right would hear nothing until the next change.
BOOST_AUTO_TEST_CASE(take_no_view_for_right_from_before_what_the_writer_recorded) {
  const auto view = [] {
    auto made = std::make_shared<cli::GameView>();
    made->id = "a";
    return made;
  };
  const cli::StoreMoment before{.position = 1, .change = 1};
  const cli::StoreMoment joined{.position = 1, .change = 2};
  const cli::StoreMoment played{.position = 2, .change = 2};
  const auto old = view();
  cli::KnownGames known;
  known.find_at(before);
  known.keep(old, before);
  BOOST_TEST(known.find("a", before).is_right);
  std::vector<HostedGame> changed(1);
  changed.front().id = "a";
  known.move_to(joined, changed, {});
  BOOST_TEST((known.find("a", joined).view == nullptr));
  known.keep(old, before);  // by a thread that read before
  BOOST_TEST(!known.find("a", joined).is_right);
  const std::vector<cli::SharedView> recorded{view()};
  known.move_to(played, {}, recorded);
  BOOST_TEST((known.find("a", played).view == recorded.front()));
  BOOST_TEST(known.find("a", played).is_right);
}

/// The boards of all games that anybody ever followed would fill the memory.
BOOST_AUTO_TEST_CASE(keep_nothing_that_nobody_follows_and_no_more_bytes_than_they_may) {
  Situation<MemoryHouse> s;
  std::vector<std::weak_ptr<const cli::GameView>> views;
  const auto follow = [&] {
    const Table table = seated(s.desk, {"Ann", "Bob"}, {{"board", {{"cells", 10000}}}});
    s.desk.stream(table.id);
    views.push_back(s.desk.known.find(table.id, {}).view);
    s.desk.known.forget(table.id);
    return table.id;
  };
  const std::string game = follow();
  BOOST_TEST(!views.front().expired());
  s.desk.feed.forget(game);
  BOOST_TEST(views.front().expired());
  constexpr std::size_t most_bytes = 32 << 20;
  for (std::size_t bytes = 0; bytes < 2 * most_bytes; bytes += views.back().lock()->bytes())
    follow();
  std::size_t kept = 0;
  for (const auto& view : views)
    if (const auto held = view.lock()) kept += held->bytes();
  BOOST_TEST(kept > 0U);
  BOOST_TEST(kept < most_bytes);
}

/// Like a failover to a standby that hadn't received the last commit.
BOOST_AUTO_TEST_CASE(end_where_the_store_lost_what_they_told) {
  for (const int played_anew : {0, 1, 2}) {
    Situation<SqliteHouse> s;
    const Table table =
        seated(s.desk, {"Ann", "Bob"}, {{"dice", "own"}, {"board", {{"cells", 10000}}}});
    const auto play = [&](Seat seat, std::int32_t dice) {
      Match match = *Match::load(s.house.store(), table.id);
      BOOST_TEST_REQUIRE(match.execute(PlayTurn{seat, {dice}}).has_value());
    };
    play(0, 1);
    play(1, 2);
    auto place = s.desk.feed.notifications(table.id, place_before(1))->place;
    BOOST_TEST(place.version == 3);
    s.desk.feed.changed_games();
    tamper(s.house.path, [](PlainDatabase& database) {
      database.execute("DELETE FROM commits WHERE version = 3");
    });
    if (played_anew > 0) play(1, 5);
    if (played_anew > 1) play(0, 1);
    BOOST_TEST(!s.desk.feed.changed_games());  // any may have changed
    BOOST_CHECK_THROW(s.desk.feed.notifications(table.id, place),
                      StoreError);  // a message in the server's log
    BOOST_TEST(!s.desk.feed.notifications(table.id, place));
    const std::string anew = s.desk.stream(table.id);
    std::string expected = "state commit1 commit2 ";
    for (int version = 3; version < 3 + played_anew; ++version)
      expected += fmt::format("commit{} ", version);
    BOOST_TEST(types_of(events_in(anew)) == expected);
    const auto head = s.house.store().head(table.id).value();
    BOOST_TEST(anew.find(to_hex(head.hash)) != std::string::npos);
    BOOST_TEST(events_in(anew).at(0).data.at("head").as_string() == to_hex(head.hash));
    BOOST_TEST(s.desk.feed.changed_games()->empty());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(end_with_the_secret_and_are_not_begun_again, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  play_out(s.desk, table);
  const std::string text = s.desk.stream(table.id);
  const auto events = events_in(text);
  BOOST_TEST(events.back().type == "end");
  const json::value& last = events[events.size() - 2].data;
  BOOST_TEST(events[events.size() - 2].type == "state");
  BOOST_TEST(last.at_pointer("/draw/secret").as_string().size() == 64U);
  BOOST_TEST(text.find("redacted") == std::string::npos);
  // Each commit is the export's line, to the byte.
  const Reply log = s.desk.get(table.path + "/export?format=jsonl");
  std::string_view lines = log.response.text();
  lines.remove_prefix(lines.find('\n') + 1);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    BOOST_TEST(text.find("data: {\"commit\":" + std::string(line) + ",\"turn\":") !=
               std::string::npos);
    lines.remove_prefix(line.size() + 1);
  }
  const auto version = s.house.store().head(table.id)->version;
  BOOST_TEST(s.desk.get(table.path + "/events", "", {{"last-event-id", std::to_string(version)}})
                 .status() == 204U);
  BOOST_TEST(
      s.desk.get(table.path + "/events", "", {{"last-event-id", std::to_string(version - 1)}})
          .status() == 200U);
}

/// A game of two in which every throw was a 1.
template <class House>
Table played_long(Situation<House>& s, int cells, int turns) {
  Table table = seated(s.desk, {"Ann", "Bob"}, {{"dice", "own"}, {"board", {{"cells", cells}}}});
  Match match = *Match::load(s.house.store(), table.id);
  for (int turn = 0; turn < turns; ++turn)
    BOOST_REQUIRE(match.execute(PlayTurn{static_cast<Seat>(turn % 2), {1}}).has_value());
  return table;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_long_games_that_have_ended_say_so_once_and_last, House, Houses) {
  Situation<House> s;
  const Table table = played_long(s, 301, 599);
  BOOST_REQUIRE(s.desk.get(table.path).text("/status") == "completed");
  cli::FeedPlace place = place_before(300);
  std::vector<std::string> types;
  for (bool has_more = true; has_more;) {
    const auto notifications = s.desk.feed.notifications(table.id, place);
    for (const auto& part : notifications->parts)
      for (const SentEvent& event : events_in(*part))
        types.push_back(event.type);
    place = notifications->place;
    has_more = notifications->has_more;
  }
  BOOST_TEST(std::ranges::count(types, "commit") == 301);
  BOOST_TEST(std::ranges::count(types, "state") == 2);  // at first, and at the end
  BOOST_TEST(types.front() == "state");
  BOOST_TEST(types.at(types.size() - 2) == "state");
  BOOST_TEST(types.back() == "end");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_long_games_come_in_parts, House, Houses) {
  Situation<House> s;
  const Table table = played_long(s, 10'000, 600);
  cli::FeedPlace place = place_before(1);
  Version expected = 1;
  int calls = 0;
  while (true) {
    const auto notifications = s.desk.feed.notifications(table.id, place);
    std::size_t bytes = 0;
    for (const auto& part : notifications->parts) {
      bytes += part->size();
      for (const SentEvent& event : events_in(*part))
        if (event.type == "commit") BOOST_REQUIRE(event.id == std::to_string(expected++));
    }
    BOOST_TEST(bytes < 3 * cli::GameFeed::bytes_at_once);
    place = notifications->place;
    ++calls;
    if (!notifications->has_more) break;
  }
  BOOST_TEST(expected == 602);
  BOOST_TEST(calls > 3);
  // Another stream, far behind, gets the same.
  BOOST_TEST(s.desk.feed.notifications(table.id, place_before(300))->parts.size() > 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
