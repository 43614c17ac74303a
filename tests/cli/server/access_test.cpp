// Goal: nobody may do more than server.md's table permits, and nobody learns a secret while a game
// is running. A request that is sent twice, or interrupted, takes effect once.
//
// Method: every cell of the table is tried with every kind of token. All answers of whole games are
// searched for the secret and the seed, in every encoding. Stores that fail on demand stand between
// the server and the real ones.
#include "../../storage/passing_store.hpp"
#include "house.hpp"
#include "storage/audit.hpp"
#include "storage/codec.hpp"
#include "storage/match.hpp"

#include <boost/mpl/list.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

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

// ---- Who may do what

/// A request that tries an action, on a game in the stage that the action needs.
struct Action {
  std::string name;
  std::string method;
  std::string path;  // below the game's
  json::value body;
  enum class Stage : std::uint8_t { open, drawing, on, ended } stage;
  // The permissions, as in the table.
  bool anybody;
  bool own_seat;
  bool other_seat;
  bool host;
};

const std::array actions{
    Action{"see", "GET", "", nullptr, Action::Stage::on, true, true, true, true},
    Action{"stream", "GET", "/events", nullptr, Action::Stage::on, true, true, true, true},
    Action{"export", "GET", "/export?format=csv", nullptr, Action::Stage::on, true, true, true,
           true},
    Action{"take a seat",
           "POST",
           "/seats",
           {{"name", "New"}},
           Action::Stage::open,
           true,
           true,
           true,
           true},
    Action{"leave", "DELETE", "/seats/0", nullptr, Action::Stage::open, false, true, false, true},
    Action{"new token", "POST", "/seats/0/token", nullptr, Action::Stage::open, false, false, false,
           true},
    Action{"auto",
           "PUT",
           "/seats/0/auto",
           {{"on", true}},
           Action::Stage::on,
           false,
           true,
           false,
           true},
    Action{"seat a computer",
           "POST",
           "/seats",
           {{"computer", true}},
           Action::Stage::open,
           false,
           false,
           false,
           true},
    Action{"hand on", "POST", "/host", {{"seat", 0}}, Action::Stage::on, false, false, false, true},
    Action{"rematch", "POST", "/rematch", nullptr, Action::Stage::ended, false, true, true, true},
    Action{"start", "POST", "/start", nullptr, Action::Stage::open, false, false, false, true},
    Action{"abandon", "POST", "/abandon", nullptr, Action::Stage::on, false, false, false, true},
    Action{"entropy",
           "POST",
           "/entropy",
           {{"entropy", hex_of(1)}},
           Action::Stage::drawing,
           false,
           true,
           false,
           false},
    Action{"turn", "POST", "/turns", nullptr, Action::Stage::on, false, true, false, false},
    Action{"ask", "POST", "/takebacks", {{"to", 0}}, Action::Stage::on, false, true, true, false},
    Action{"answer",
           "POST",
           "/takebacks/1",
           {{"agree", true}},
           Action::Stage::on,
           false,
           true,
           true,
           false},
};

/// A game in a stage, with the tokens of all possible senders; seat 0's is the "own" one.
struct Cast {
  std::string path;
  std::map<std::string, std::string> tokens;
};

Cast cast_for(Desk& desk, Action::Stage stage) {
  const Table elsewhere = seated(desk, {"E", "F"});
  Cast cast;
  std::string host;
  std::vector<std::string> seats;
  if (stage == Action::Stage::on || stage == Action::Stage::ended) {
    const Table table = seated(desk, {"Ann", "Bob"});
    cast.path = table.path;
    host = table.host;
    seats = table.seats;
    desk.post(table.path + "/turns", nullptr, seats[0]);
    desk.post(table.path + "/turns", nullptr, seats[1]);
  } else {
    const Reply made = desk.post("/api/games", {{"open", stage == Action::Stage::open ? 3 : 2}});
    cast.path = "/api/games/" + made.text("/id");
    host = made.text("/token");
    for (const auto& [name, byte] : {std::pair{"Ann", 1}, std::pair{"Bob", 2}}) {
      const std::string hash = entropy_hash_of(hex_of(static_cast<std::uint8_t>(byte)));
      seats.push_back(
          desk.post(cast.path + "/seats", {{"name", name}, {"entropy_hash", hash}}).text("/token"));
    }
  }
  const std::string now_void =
      desk.post(cast.path + "/seats/1/token", nullptr, host).text("/token");
  seats[1] = desk.post(cast.path + "/seats/1/token", nullptr, host).text("/token");
  if (stage == Action::Stage::ended) desk.post(cast.path + "/abandon", nullptr, host);
  std::string tampered = seats[0];
  tampered.front() = tampered.front() == 'A' ? 'B' : 'A';
  cast.tokens = {{"none", ""},
                 {"own seat", seats[0]},
                 {"other seat", seats[1]},
                 {"host", host},
                 {"host of another game", elsewhere.host},
                 {"seat of another game", elsewhere.seats[0]},
                 {"void", now_void},
                 {"tampered", tampered},
                 {"garbage", "garbage"}};
  return cast;
}

BOOST_AUTO_TEST_SUITE(who_may_do_what)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_what_the_table_says, House, Houses) {
  Situation<House> s;
  for (const Action& action : actions) {
    for (const std::string who : {"none", "own seat", "other seat", "host", "host of another game",
                                  "seat of another game", "void", "tampered", "garbage"}) {
      Cast cast = cast_for(s.desk, action.stage);
      if (action.name == "answer")
        s.desk.post(cast.path + "/takebacks", {{"to", 0}}, cast.tokens["other seat"]);
      const Reply reply = s.desk.send(
          request_of(action.method, cast.path + action.path, action.body, cast.tokens[who]));
      const bool is_known = who == "own seat" || who == "other seat" || who == "host";
      const bool may = (who == "none" && action.anybody) ||
                       (who == "own seat" && action.own_seat) ||
                       (who == "other seat" && action.other_seat) || (who == "host" && action.host);
      BOOST_TEST_CONTEXT(action.name << " by " << who) {
        if (may) {
          BOOST_TEST(reply.status() < 300U, reply.response.text());
        } else if (who == "none") {
          BOOST_TEST(reply.status() == 401U);
          BOOST_TEST(reply.problem() == "unauthorized");
        } else if (action.name == "turn" || action.name == "entropy" || action.name == "ask") {
          // Another seat may do that for itself, but not for this one.
          const bool is_seat = who == "other seat";
          BOOST_TEST(reply.status() >= (is_seat ? 400U : 403U), reply.response.text());
          BOOST_TEST((is_seat || reply.status() == 403U), reply.response.text());
        } else {
          BOOST_TEST(reply.status() == 403U, reply.response.text());
          BOOST_TEST(reply.problem() == "forbidden");
        }
        // The answer has the same words, whether a token exists or not.
        if (!may && who != "none" && !is_known)
          BOOST_TEST(
              reply.response.text() ==
              s.desk.send(request_of(action.method, cast.path + action.path, action.body, "never"))
                  .response.text());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_token_comes_in_a_header_alone) {
  Situation<MemoryHouse> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  const auto status = [&](const std::string& target, const HttpHeaders& headers) {
    return s.desk.post(target, nullptr, "", headers).status();
  };
  BOOST_TEST(status(table.path + "/turns?token=" + table.seats[0], {}) == 401U);
  BOOST_TEST(status(table.path + "/turns", {{"cookie", "token=" + table.seats[0]}}) == 401U);
  BOOST_TEST(status(table.path + "/turns", {{"authorization", "Basic " + table.seats[0]}}) == 401U);
  BOOST_TEST(status(table.path + "/turns", {{"authorization", table.seats[0]}}) == 401U);
  BOOST_TEST(status(table.path + "/turns", {{"authorization", "bearer " + table.seats[0]}}) ==
             200U);
}

BOOST_AUTO_TEST_CASE(no_token_is_kept_anywhere) {
  Situation<SqliteHouse> s;
  const Table table = opened(s.desk, {"Ann", "Bob"});
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  std::string all;
  for (const auto& [name, bytes] : s.house.folder.contents())
    all += bytes;
  all += s.desk.stream(table.id) + std::string(s.desk.get(table.path).response.text());
  BOOST_TEST(all.find(table.id) != std::string::npos);
  BOOST_TEST(all.find(table.host) == std::string::npos);
  for (const std::string& token : table.seats)
    BOOST_TEST(all.find(token) == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Redaction

std::string base64_of(std::string_view bytes, bool for_urls) {
  const std::string_view letters =
      for_urls ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
               : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at + 3 <= bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8U | static_cast<std::uint8_t>(bytes[at + i]);
    for (const unsigned shift : {18U, 12U, 6U, 0U})
      text += letters[three >> shift & 63U];
  }
  return text;
}

/// Each encoding of some bytes: raw, hex, base64 at each alignment.
std::vector<std::string> writings_of(std::string_view bytes) {
  std::vector<std::string> writings{std::string(bytes)};
  std::string hex;
  for (const char byte : bytes)
    hex += fmt::format("{:02x}", static_cast<std::uint8_t>(byte));
  std::string upper = hex;
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  writings.insert(writings.end(), {hex, upper});
  for (std::size_t skipped = 0; skipped < 3; ++skipped)
    for (const bool for_urls : {false, true})
      writings.push_back(base64_of(bytes.substr(skipped), for_urls));
  return writings;
}

struct Hidden {
  std::vector<std::string> writings;

  void add_bytes(std::string_view bytes) {
    const auto more = writings_of(bytes);
    writings.insert(writings.end(), more.begin(), more.end());
  }
  void add_seed(std::uint64_t seed) {
    std::string big;
    for (int byte = 7; byte >= 0; --byte)
      big += static_cast<char>(seed >> (8U * static_cast<unsigned>(byte)) & 255U);
    const std::string little(big.rbegin(), big.rend());
    // Base64 at any alignment shows at least six of eight bytes. The search is for those.
    for (const std::string& bytes : {big, little})
      for (const std::string& writing : writings_of(bytes))
        if (writing.size() >= 8) writings.push_back(writing);
    writings.push_back(std::to_string(seed));
  }
  void check_not_in(std::string_view text) const {
    for (const std::string& writing : writings)
      BOOST_TEST(text.find(writing) == std::string_view::npos, "it was told: " << writing);
  }
};

Hidden hidden_in(EventStore& store, const std::string& game) {
  Hidden hidden;
  const auto first = store.commit(game, 1);
  const auto command = decode_command(first->command);
  const GameSetup& setup = *std::get<StartGame>(command->command).setup;
  hidden.add_seed(setup.seed);
  if (setup.draw)
    hidden.add_bytes(std::string(setup.draw->secret.begin(), setup.draw->secret.end()));
  return hidden;
}

/// Requests everything about a game that can be requested.
void look_everywhere(Desk& desk, const std::string& game, const std::vector<std::string>& tokens) {
  const std::string path = "/api/games/" + game;
  for (const std::string& token : tokens) {
    desk.get(path, token);
    for (const std::string format : {"jsonl", "text", "csv", "html", "svg", "cast"})
      desk.get(path + "/export?format=" + format, token);
    desk.get(path + "/events", token);
  }
  for (const Version from : {1, 2, 5})
    desk.stream(game, from);
  desk.get("/api/games");
}

BOOST_AUTO_TEST_SUITE(what_nobody_is_told)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_a_seed_while_its_game_is_on, House, Houses) {
  Situation<House> s;
  const Table table = opened(s.desk, {"Ann", "Bob", "Cyd"}, {{"board", "class"}});
  const Hidden hidden = hidden_in(s.house.store(), table.id);
  std::vector<std::string> tokens = table.seats;
  tokens.push_back(table.host);
  tokens.emplace_back();
  std::size_t before_the_end = 0;  // in all answers
  std::size_t looks = 0;
  for (int turn = 0; turn < 500; ++turn) {
    const Reply state = s.desk.get(table.path);
    if (state.text("/status") != "in-progress") break;
    before_the_end = s.desk.published.size();
    if (turn % 10 == 0) look_everywhere(s.desk, table.id, {tokens[looks++ % tokens.size()]});
    std::size_t seat = 0;
    while (state.at("/players").as_array()[seat].at("name") != state.at("/next"))
      ++seat;
    if (turn % 7 == 3) {
      s.desk.post(table.path + "/takebacks", {{"to", turn / 2}}, table.seats[seat]);
      for (std::size_t other = 0; other < 3; ++other)
        for (int question = 1; question < 6; ++question)
          s.desk.post(fmt::format("{}/takebacks/{}", table.path, question), {{"agree", true}},
                      table.seats[other]);
      continue;
    }
    s.desk.post(table.path + "/turns", nullptr, table.seats[seat]);
  }
  BOOST_TEST(s.desk.get(table.path).text("/status") == "completed");
  hidden.check_not_in(std::string_view(s.desk.published).substr(0, before_the_end));
  // The search works: once the game has ended, it finds both.
  const Reply end = s.desk.get(table.path);
  const std::string stream = s.desk.stream(table.id);
  BOOST_TEST(stream.find(end.text("/draw/secret")) != std::string::npos);
  BOOST_TEST(stream.find(end.text("/draw/seed")) != std::string::npos);
  BOOST_TEST(std::ranges::count(hidden.writings, end.text("/draw/secret")) == 1);
  BOOST_TEST(std::ranges::count(hidden.writings, end.text("/draw/seed")) == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_the_secret_of_a_game_that_has_not_begun, House, Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string ann =
      s.desk.post(path + "/seats", {{"name", "A"}, {"entropy_hash", entropy_hash_of(hex_of(1))}})
          .text("/token");
  s.desk.post(path + "/seats", {{"name", "B"}, {"entropy_hash", entropy_hash_of(hex_of(2))}});
  s.desk.post(path + "/entropy", {{"entropy", hex_of(1)}}, ann);
  look_everywhere(s.desk, made.text("/id"), {"", ann, made.text("/token")});
  Hidden hidden;
  const Hash secret = s.house.hosted_games().game(made.text("/id"))->secret->to_draw_with();
  hidden.add_bytes(std::string(secret.begin(), secret.end()));
  hidden.add_bytes(std::string(32, '\1'));  // and entropy, until all is in
  hidden.check_not_in(s.desk.published);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_the_seed_of_a_branch_before_both_games_have_ended, House, Houses) {
  Situation<House> s;
  const Table table = seated(s.desk, {"Ann", "Bob"});
  s.desk.post(table.path + "/turns", nullptr, table.seats[0]);
  const auto origin = Match::load(s.house.store(), table.id);
  const Timeline timeline = history_of(s.house.store(), table.id).timeline;
  const auto branch_at = [&](const std::string& from, const std::string& id, Turn turn) {
    const auto left = Match::load(s.house.store(), from);
    GameSetup setup = *left->state().setup;
    setup.draw.reset();
    setup.origin =
        Origin{.game = from,
               .head = to_hex(left->head().hash),
               .position = history_of(s.house.store(), from).timeline.position_after(turn)};
    return *Match::start(s.house.store(), id,
                         {std::make_shared<const GameSetup>(std::move(setup))});
  };
  Match branch = branch_at(table.id, "branch", 1);
  Match second = branch_at("branch", "branch.2", 1);
  const Hidden hidden = hidden_in(s.house.store(), table.id);
  while (!second.state().completed())
    BOOST_REQUIRE(second.execute(RollTurn{}).has_value());
  look_everywhere(s.desk, "branch.2", {""});
  look_everywhere(s.desk, "branch", {""});
  while (!branch.state().completed())
    BOOST_REQUIRE(branch.execute(RollTurn{}).has_value());
  look_everywhere(s.desk, "branch.2", {""});
  look_everywhere(s.desk, "branch", {""});
  BOOST_TEST(s.desk.get("/api/games/branch").text("/status") == "completed");
  BOOST_TEST(s.desk.get("/api/games/branch/export").problem() == "not-yet");
  hidden.check_not_in(s.desk.published);
  s.desk.post(table.path + "/abandon", nullptr, table.host);
  BOOST_TEST(s.desk.stream("branch").find("redacted") == std::string::npos);
  BOOST_TEST(s.desk.stream("branch.2").find("redacted") == std::string::npos);
  BOOST_TEST(s.desk.get("/api/games/branch.2/export").status() == 200U);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Twice, and cut in two

/// Fails on demand: before it passes a call on, or after.
template <class Base>
struct Failing {
  enum class When : std::uint8_t { never, before, after };
  When when = When::never;
  int calls_before = 0;  // calls that succeed first

  template <class Call>
  auto run(const Call& call) {
    if (when == When::never || calls_before-- > 0) return call();
    const When now = std::exchange(when, When::never);
    if (now == When::before) fail();
    (void)call();
    fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw StoreError(StoreError::Cause::failed, "the disk is full");
  }
};

class FailingStore final : public PassingStore, public Failing<EventStore> {
 public:
  using PassingStore::PassingStore;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    return run([&] { return PassingStore::append(appends); });
  }
};

class FailingHostedGames final : public HostedGameStore, public Failing<HostedGameStore> {
 public:
  explicit FailingHostedGames(HostedGameStore& hosted_games) : hosted_games_(hosted_games) {}
  std::optional<HostedGame> game(const std::string& game) override {
    return stale ? std::exchange(stale, std::nullopt) : hosted_games_.game(game);
  }
  /// The answer to the first request: the hosted game at that time.
  std::optional<HostedGame> stale;

  std::optional<std::string> hosted_by(const Hash& token) override {
    return hosted_games_.hosted_by(token);
  }
  std::vector<Entry> waiting(const std::optional<Entry>& after, std::size_t limit) override {
    return hosted_games_.waiting(after, limit);
  }
  std::int64_t count_waiting() override { return hosted_games_.count_waiting(); }
  std::vector<Entry> settled(std::size_t limit) override { return hosted_games_.settled(limit); }
  std::vector<Entry> started_after(const std::string& after, std::size_t limit) override {
    return hosted_games_.started_after(after, limit);
  }
  std::vector<Entry> changed_after(std::int64_t after, std::size_t limit) override {
    return hosted_games_.changed_after(after, limit);
  }
  std::vector<std::optional<Entry>> entries(std::span<const std::string> games) override {
    return hosted_games_.entries(games);
  }
  std::int64_t last_revision() override { return hosted_games_.last_revision(); }
  std::vector<std::optional<std::int64_t>> keep(std::span<const HostedGame> hosted_games) override {
    return run([&] { return hosted_games_.keep(hosted_games); });
  }
  bool forget(const std::string& game, std::int64_t changed) override {
    return hosted_games_.forget(game, changed);
  }

 private:
  HostedGameStore& hosted_games_;
};

/// A whole game. Each request is sent until its answer isn't a failure, and then once more. The
/// client makes all tokens and keys itself. `fail_next` is called before each request.
struct Client {
  Desk* desk;
  std::function<void()> fail_next = [] {};
  int failures = 0;

  Reply insist(const std::string& target, const json::value& body, const std::string& token,
               const HttpHeaders& headers = {}) {
    for (int tries = 0; tries < 5; ++tries) {
      fail_next();
      const Reply lost = desk->post(target, body, token, headers);
      if (lost.status() == 503U) {
        ++failures;
        BOOST_TEST(lost.problem() == "unavailable");
        BOOST_TEST(lost.response.header("Retry-After").has_value());
        BOOST_TEST(lost.response.text().find("disk") == std::string_view::npos);
        continue;
      }
      return desk->post(target, body, token, headers);
    }
    throw std::runtime_error("it fails for ever");
  }
};

std::string token_of(char letter) {
  return std::string(42, letter) + "A";
}

/// Returns the game's ID.
std::string play_insisting(Client& client) {
  const std::string host = token_of('h');
  const Reply made = client.insist("/api/games", {{"open", 2}, {"token", host}}, "");
  const std::string path = "/api/games/" + made.text("/id");
  const std::array seats{token_of('a'), token_of('b')};
  std::uint8_t byte = 1;
  for (const std::string& seat : seats) {
    const Reply taken = client.insist(path + "/seats",
                                      {{"name", seat.substr(0, 1)},
                                       {"token", seat},
                                       {"entropy_hash", entropy_hash_of(hex_of(byte++))}},
                                      "");
    BOOST_TEST(taken.status() == 200U, taken.response.text());
  }
  byte = 1;
  for (const std::string& seat : seats)
    BOOST_TEST(client.insist(path + "/entropy", {{"entropy", hex_of(byte++)}}, seat).status() ==
               200U);
  std::int64_t played = 0;
  for (int turn = 0; turn < 1000; ++turn) {
    const Reply state = client.desk->get(path);
    BOOST_REQUIRE(state.status() == 200U);
    BOOST_REQUIRE(state.text("/status") != "drawing");
    if (state.text("/status") == "completed") break;
    const std::size_t seat = state.text("/next") == "a" ? 0 : 1;
    const HttpHeaders key{{"idempotency-key", fmt::format("turn-{}", turn)}};
    const Reply again = client.insist(path + "/turns", nullptr, seats[seat], key);
    BOOST_REQUIRE(again.status() == 200U);
    BOOST_TEST(again.response.header("Idempotent-Replayed").value_or("") == "true");
    BOOST_TEST(client.desk->get(path).number("/version") == 2 + played);
    ++played;
  }
  BOOST_TEST(client.desk->get(path).at("/seats").as_array().size() == 2U);
  BOOST_TEST(client.desk->get(path).number("/seats/0/tokens") == 1);
  return made.text("/id");
}

BOOST_AUTO_TEST_SUITE(what_is_sent_twice)

BOOST_AUTO_TEST_CASE_TEMPLATE(happens_once, House, Houses) {
  Situation<House> s;
  Client client{.desk = &s.desk};
  play_insisting(client);
  BOOST_TEST(s.desk.get("/api/games").at("/games").as_array().size() == 1U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(happens_once_where_a_store_fails_meanwhile, House, Houses) {
  Situation<House> s;
  FailingStore store(s.house.store());
  FailingHostedGames hosted_games(s.house.hosted_games());
  using When = Failing<EventStore>::When;
  using RoomWhen = Failing<HostedGameStore>::When;
  for (int kind = 0; kind < 6; ++kind) {
    Desk desk(store, hosted_games, s.house.reader(), s.house.reader_hosted_games(),
              s.test.settings());
    int sent = 0;
    Client client{.desk = &desk};
    client.fail_next = [&] {
      ++sent;
      store.when = When::never;
      hosted_games.when = RoomWhen::never;
      if (sent % 2 == 0) return;
      if (kind == 0) store.when = When::before;
      if (kind == 1) store.when = When::after;
      if (kind == 2) hosted_games.when = RoomWhen::before;
      if (kind == 3) hosted_games.when = RoomWhen::after;
      if (kind > 3) {
        hosted_games.when = kind == 4 ? RoomWhen::before : RoomWhen::after;
        hosted_games.calls_before = 1;  // the second call of a start
      }
    };
    // Each case has a game of its own. A token belongs to only one hosted game, so the test forgets
    // this one and the next case can use the same tokens.
    const std::string id = play_insisting(client);
    const HostedGame hosted = *s.house.hosted_games().game(id);
    BOOST_TEST((hosted.stage == HostedGameStage::started || kind >= 3));
    BOOST_TEST(s.house.hosted_games().forget(id, hosted.revision));
    BOOST_TEST((client.failures > 0 || kind > 3));
  }
  BOOST_TEST(audit_store(s.house.store()).ok());
}

/// The state that a crash leaves between the two transactions of a start.
BOOST_AUTO_TEST_CASE_TEMPLATE(begins_once_where_a_start_was_cut_in_two, House, Houses) {
  Situation<House> s;
  FailingStore store(s.house.store());
  FailingHostedGames hosted_games(s.house.hosted_games());
  using When = Failing<EventStore>::When;
  for (const When when : {When::before, When::after}) {
    std::string id;
    {
      Desk desk(store, hosted_games, s.house.reader(), s.house.reader_hosted_games(),
                s.test.settings());
      const Reply made = desk.post("/api/games", {{"open", 2}});
      id = made.text("/id");
      desk.post("/api/games/" + id + "/seats", {{"name", "Ann"}});
      store.when = when;
      const Reply cut = desk.post("/api/games/" + id + "/seats", {{"name", "Bob"}});
      BOOST_TEST(cut.status() == 503U);
      const Reply seen = desk.get("/api/games/" + id);
      BOOST_TEST(seen.text("/status") == (when == When::before ? "drawing" : "in-progress"));
    }
    BOOST_TEST((s.house.hosted_games().game(id)->stage == HostedGameStage::settled));
    Desk next(store, hosted_games, s.house.reader(), s.house.reader_hosted_games(),
              s.test.settings());
    BOOST_TEST((s.house.hosted_games().game(id)->stage == HostedGameStage::started));
    const Reply state = next.get("/api/games/" + id);
    BOOST_TEST(state.text("/status") == "in-progress");
    BOOST_TEST(state.number("/version") == 1);
    BOOST_TEST(state.at("/seats").as_array().size() == 2U);
  }
  BOOST_TEST(audit_store(s.house.store()).ok());
}

std::shared_ptr<GameSetup> another_setup() {
  return std::make_shared<GameSetup>(
      GameSetup{.players = {"X", "Y"}, .board = *Board::make({}), .rules = {}, .seed = 1});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_forgotten_where_its_id_was_taken_before_it_began_again, House,
                              Houses) {
  Situation<House> s;
  FailingStore store(s.house.store());
  std::string id;
  {
    Desk desk(store, s.house.hosted_games(), s.house.reader(), s.house.reader_hosted_games(),
              s.test.settings());
    id = desk.post("/api/games", {{"open", 2}}).text("/id");
    desk.post("/api/games/" + id + "/seats", {{"name", "Ann"}});
    store.when = Failing<EventStore>::When::before;
    desk.post("/api/games/" + id + "/seats", {{"name", "Bob"}});
  }
  BOOST_TEST((s.house.hosted_games().game(id)->stage == HostedGameStage::settled));
  BOOST_TEST(Match::start(s.house.store(), id, StartGame{another_setup()}).has_value());
  const Desk next(s.house, s.test);
  BOOST_TEST(!s.house.hosted_games().game(id));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_known_at_each_of_several_servers, House, Houses) {
  Situation<House> s;
  Desk other(s.house, s.test);
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string ann = s.desk.post(path + "/seats", {{"name", "Ann"}}).text("/token");
  BOOST_TEST(other.post(path + "/seats", {{"name", "Bob"}}).status() == 201U);
  BOOST_TEST(s.desk.get(path, ann).text("/status") == "in-progress");
  BOOST_TEST(s.desk.post(path + "/turns", nullptr, ann).status() == 200U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_looked_at_again_where_its_game_began_after_the_first_look, House,
                              Houses) {
  Situation<House> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string path = "/api/games/" + made.text("/id");
  const std::string ann = s.desk.post(path + "/seats", {{"name", "Ann"}}).text("/token");
  FailingHostedGames hosted_games(s.house.reader_hosted_games());
  hosted_games.stale = s.house.hosted_games().game(made.text("/id"));
  BOOST_TEST(s.desk.post(path + "/seats", {{"name", "Bob"}}).status() == 201U);
  Desk late(s.house.store(), s.house.hosted_games(), s.house.reader(), hosted_games,
            s.test.settings());
  const Reply seen = late.get(path, ann);
  BOOST_TEST(!hosted_games.stale);
  BOOST_TEST(seen.text("/status") == "in-progress");
  BOOST_TEST(seen.at("/seats").as_array().size() == 2U);
  BOOST_TEST(seen.number("/you/seat") == 0);
}

/// Another player moves between the decision and the append.
class InterruptedStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;
  std::function<void()> before_append = [] {};
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    std::exchange(before_append, [] {})();
    return PassingStore::append(appends);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_nothing_back_that_nobody_was_asked_about, House, Houses) {
  Situation<House> s;
  InterruptedStore store(s.house.store());
  Desk desk(store, s.house.hosted_games(), s.house.reader(), s.house.reader_hosted_games(),
            s.test.settings());
  const Table table = seated(desk, {"Ann", "Bob"});
  for (const std::size_t seat : {0U, 1U, 0U})
    BOOST_TEST(desk.post(table.path + "/turns", nullptr, table.seats[seat]).status() == 200U);
  desk.post(table.path + "/takebacks", {{"to", 2}}, table.seats[0]);
  store.before_append = [&] {
    Match match = *Match::load(s.house.store(), table.id);
    BOOST_TEST(match.execute(RollTurn{}).has_value());
  };
  const Reply agreed = desk.post(table.path + "/takebacks/1", {{"agree", true}}, table.seats[1]);
  BOOST_TEST(agreed.status() == 409U);
  BOOST_TEST(agreed.problem() == "takeback-settled");
  BOOST_TEST(desk.get(table.path).number("/turn") == 4);
}

BOOST_AUTO_TEST_CASE(a_hosted_game_whose_id_is_taken_just_before_its_start_is_made_up_for_is_gone) {
  Situation<SqliteHouse> s;
  std::string path;
  {
    FailingStore store(s.house.store());
    store.when = Failing<EventStore>::When::before;
    Desk desk(store, s.house.hosted_games(), s.house.reader(), s.house.reader_hosted_games(),
              s.test.settings());
    path = "/api/games/" + desk.post("/api/games", {{"open", 2}}).text("/id");
    desk.post(path + "/seats", {{"name", "Ann"}});
    BOOST_TEST(desk.post(path + "/seats", {{"name", "Bob"}}).status() == 503U);
  }
  InterruptedStore store(s.house.store());
  const std::string id = path.substr(path.rfind('/') + 1);
  store.before_append = [&] {
    BOOST_TEST(Match::start(s.house.store(), id, StartGame{another_setup()}).has_value());
  };
  Desk desk(store, s.house.hosted_games(), s.house.reader(), s.house.reader_hosted_games(),
            s.test.settings());
  BOOST_TEST(desk.post(path + "/seats", {{"name", "Cyd"}}).status() == 403U);
  BOOST_TEST(!s.house.hosted_games().game(id));
  BOOST_TEST(desk.get(path).text("/players/0/name") == "X");
}

BOOST_AUTO_TEST_CASE(a_hosted_game_whose_id_was_taken_at_the_command_line_is_gone) {
  Situation<SqliteHouse> s;
  const Reply made = s.desk.post("/api/games", {{"open", 2}});
  const std::string id = made.text("/id");
  const std::string ann =
      s.desk.post("/api/games/" + id + "/seats", {{"name", "Ann"}}).text("/token");
  BOOST_TEST(Match::start(s.house.store(), id, StartGame{another_setup()}).has_value());
  const Reply bob = s.desk.post("/api/games/" + id + "/seats", {{"name", "Bob"}});
  BOOST_TEST(bob.status() == 403U, bob.response.text());
  const Reply state = s.desk.get("/api/games/" + id);
  BOOST_TEST(state.text("/players/0/name") == "X");
  BOOST_TEST(state.at("/seats").as_array().empty());
  BOOST_TEST(s.desk.get("/api/games/" + id, ann).status() == 403U);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Changes by another server

BOOST_AUTO_TEST_SUITE(what_another_server_did)

/// Two desks that both have a game in memory, and a third that changes it.
template <class House>
struct Neighbours : Situation<House> {
  Desk other{this->house, this->test};
  Table table = seated(this->desk, {"Ann", "Bob"}, {{"dice", "own"}});

  Neighbours() {
    play(0, 2);
    play(1, 2);
  }
  Reply play(std::size_t seat, int dice, HttpHeaders headers = {}) {
    return this->desk.post(table.path + "/turns", {{"dice", {dice}}}, table.seats[seat],
                           std::move(headers));
  }
  Version version() { return this->house.store().head(table.id)->version; }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(is_seen_before_a_turn_is_recorded, House, Houses) {
  Neighbours<House> s;
  BOOST_TEST(s.version() == 3);
  const auto is_refused = [&](const Reply& reply, unsigned status, const std::string& problem) {
    BOOST_TEST(reply.status() == status, reply.response.text());
    BOOST_TEST(reply.problem() == problem);
  };
  const auto at_other = [&](const std::string& path, const json::value& body,
                            const std::string& token) {
    return s.other.post(s.table.path + path, body, token);
  };
  // A turn: then it is Bob's.
  BOOST_TEST(at_other("/turns", {{"dice", {3}}}, s.table.seats[0]).status() == 200U);
  is_refused(s.play(0, 2), 409, "invalid-move");
  BOOST_TEST(s.play(1, 2).status() == 200U);
  // A revoked token.
  const std::string old = s.table.seats[0];
  const Reply renewed = at_other("/seats/0/token", nullptr, s.table.host);
  BOOST_TEST(renewed.status() == 200U);
  is_refused(s.play(0, 2), 403, "forbidden");
  s.table.seats[0] = renewed.text("/token");
  BOOST_TEST(s.play(0, 2).status() == 200U);
  // An agreed takeback: it is Ann's turn again.
  BOOST_TEST(at_other("/takebacks", {{"to", 4}}, s.table.seats[0]).status() == 200U);
  BOOST_TEST(at_other("/takebacks/1", {{"agree", true}}, s.table.seats[1]).status() == 200U);
  is_refused(s.play(1, 2), 409, "invalid-move");
  BOOST_TEST(s.play(0, 2).status() == 200U);
  // A request for a takeback, which a turn ends.
  BOOST_TEST(at_other("/takebacks", {{"to", 4}}, s.table.seats[0]).status() == 200U);
  BOOST_TEST(s.play(1, 2).status() == 200U);
  is_refused(at_other("/takebacks/2", {{"agree", true}}, s.table.seats[1]), 409,
             "takeback-settled");
  // An abandoned game.
  const Version before = s.version();
  BOOST_TEST(at_other("/abandon", nullptr, s.table.host).status() == 200U);
  is_refused(s.play(0, 2), 409, "abandoned");
  BOOST_TEST(s.version() == before);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_seen_where_the_game_is_won_and_where_it_is_gone, House, Houses) {
  Situation<House> s;
  Desk other(s.house, s.test);
  const Table table = seated(s.desk, {"Ann", "Bob"});
  for (const std::size_t seat : {0U, 1U})
    BOOST_TEST(s.desk.post(table.path + "/turns", nullptr, table.seats[seat]).status() == 200U);
  play_out(other, table);
  for (const std::size_t seat : {0U, 1U})
    BOOST_TEST(s.desk.post(table.path + "/turns", nullptr, table.seats[seat]).problem() ==
               "game-completed");
  const Table lost = seated(s.desk, {"Ann", "Bob"});
  for (const std::size_t seat : {0U, 1U})
    BOOST_TEST(s.desk.post(lost.path + "/turns", nullptr, lost.seats[seat]).status() == 200U);
  BOOST_TEST(
      s.house.hosted_games().forget(lost.id, s.house.hosted_games().game(lost.id)->revision));
  BOOST_TEST(s.desk.post(lost.path + "/turns", nullptr, lost.seats[0]).status() == 403U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_answered_by_its_key_at_any, House, Houses) {
  Neighbours<House> s;
  const HttpHeaders key{{"idempotency-key", "k"}};
  const auto at_other = [&](int dice, HttpHeaders headers) {
    return s.other.post(s.table.path + "/turns", {{"dice", {dice}}}, s.table.seats[0],
                        std::move(headers));
  };
  const auto replayed = [](const Reply& reply) {
    return reply.response.header("Idempotent-Replayed").has_value();
  };
  const Reply first = at_other(3, key);
  BOOST_TEST(first.status() == 200U);
  for (int times = 0; times < 2; ++times) {
    const Reply again = s.play(0, 3, key);
    BOOST_TEST(again.status() == 200U, again.response.text());
    BOOST_TEST(replayed(again));
    BOOST_TEST(again.text("/head") == first.text("/head"));
    BOOST_TEST(s.play(0, 4, key).problem() == "key-reused");
  }
  // Even where the turn would be legal.
  BOOST_TEST(s.play(1, 2).status() == 200U);
  BOOST_TEST(replayed(s.play(0, 3, key)));
  BOOST_TEST(s.play(0, 4, key).problem() == "key-reused");
  HttpHeaders expecting{{"idempotency-key", "k"}, {"if-match", "\"1\""}};
  BOOST_TEST(replayed(s.play(0, 3, expecting)));
  expecting.front().second = "l";
  BOOST_TEST(s.play(0, 3, expecting).status() == 412U);
  BOOST_TEST(s.version() == 5);
  // An expected version that has changed since.
  BOOST_TEST(at_other(2, {{"if-match", "\"5\""}}).status() == 200U);
  BOOST_TEST(s.play(1, 2, {{"if-match", "\"5\""}}).status() == 412U);
  BOOST_TEST(s.play(1, 2, {{"if-match", "\"6\""}}).status() == 200U);
  BOOST_TEST(s.version() == 7);
}

/// A turn is one append, with or without a key. So is a batch of several turns.
BOOST_AUTO_TEST_CASE(is_asked_by_the_append_alone) {
  Neighbours<CountedHouse> s;
  const Table second = seated(s.desk, {"Ann", "Bob"});
  BOOST_TEST(s.desk.post(second.path + "/turns", nullptr, second.seats[0]).status() == 200U);
  CountedStore& store = s.house.store();
  std::ignore = store.appends() + store.questions();
  BOOST_TEST(s.play(0, 2).status() == 200U);
  BOOST_TEST(s.play(1, 2, {{"idempotency-key", "k"}}).status() == 200U);
  BOOST_TEST(store.appends() == 2);
  const std::vector<HttpRequest> requests{
      request_of("POST", s.table.path + "/turns", {{"dice", {2}}}, s.table.seats[0]),
      request_of("POST", second.path + "/turns", nullptr, second.seats[1])};
  for (const HttpResponse& response : s.desk.writer.response(requests))
    BOOST_TEST(response.status == 200U);
  BOOST_TEST(store.appends() == 1);
  BOOST_TEST(store.questions() == 0);
  // A change by another server costs this one, once, a few reads and at most one refused append. It
  // costs no append where this server refuses the request itself.
  const auto at_other = [&](std::size_t seat) {
    return s.other.post(s.table.path + "/turns", {{"dice", {2}}}, s.table.seats[seat]).status();
  };
  const auto costs = [&](std::size_t seat, int appends) {
    std::ignore = store.appends() + store.questions();
    BOOST_TEST(s.play(seat, 2).status() == 200U);
    BOOST_TEST(store.appends() == appends);
    return store.questions();
  };
  BOOST_TEST(at_other(1) == 200U);
  BOOST_TEST(at_other(0) == 200U);
  BOOST_TEST(costs(1, 2) > 0);
  BOOST_TEST(costs(0, 1) == 0);
  BOOST_TEST(at_other(1) == 200U);
  BOOST_TEST(costs(0, 1) > 0);
  BOOST_TEST(costs(1, 1) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- Periodic work

BOOST_AUTO_TEST_SUITE(looking_after)

constexpr UnixMilliseconds minute = 60LL * 1000;
constexpr UnixMilliseconds hour = 60 * minute;
constexpr UnixMilliseconds day = 24 * hour;

BOOST_AUTO_TEST_CASE_TEMPLATE(what_never_began_is_forgotten_and_what_stands_still_given_up, House,
                              Houses) {
  Situation<House> s;
  const Reply open = s.desk.post("/api/games", {{"open", 2}});
  const Reply drawing = s.desk.post("/api/games", {{"open", 2}});
  for (const std::string name : {"A", "B"})
    s.desk.post("/api/games/" + drawing.text("/id") + "/seats",
                {{"name", name}, {"entropy_hash", entropy_hash_of(hex_of(1))}});
  const Table on = seated(s.desk, {"Ann", "Bob"});
  const Table won = seated(s.desk, {"Ann", "Bob"});
  play_out(s.desk, won);
  BOOST_TEST(s.desk.writer.maintain().empty());
  s.test.pass(day + minute);
  auto changed = s.desk.writer.maintain();
  std::ranges::sort(changed);
  std::vector gone{open.text("/id"), drawing.text("/id")};
  std::ranges::sort(gone);
  BOOST_TEST(changed == gone, boost::test_tools::per_element());
  BOOST_TEST(s.desk.get("/api/games/" + open.text("/id")).status() == 404U);
  BOOST_TEST(s.desk.stream(open.text("/id")) == "gone");
  s.test.pass(28 * day + minute);
  BOOST_TEST(s.desk.writer.maintain().empty());
  BOOST_TEST(s.desk.post(on.path + "/turns", nullptr, on.seats[0]).status() == 200U);
  s.test.pass(2 * day);
  BOOST_TEST(s.desk.writer.maintain().empty());
  s.test.pass(28 * day + minute);
  BOOST_TEST(s.desk.writer.maintain() == std::vector{on.id}, boost::test_tools::per_element());
  BOOST_TEST(s.desk.get(on.path).text("/status") == "abandoned");
  BOOST_TEST(s.desk.get(won.path).text("/status") == "completed");
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_makes_no_game_old) {
  MemoryHouse house;
  TestSettings test;
  auto server = std::make_unique<Desk>(house, test);
  const std::string open = server->post("/api/games", {{"open", 2}}).text("/id");
  const Table on = seated(*server, {"Ann", "Bob"});
  test.pass(day / 2);
  test.now += 31 * day;
  BOOST_TEST(server->writer.maintain().empty());
  // A machine that boots with that clock, and sets it right soon.
  server = std::make_unique<Desk>(house, test);
  BOOST_TEST(server->writer.maintain().empty());
  test.now -= 31 * day;
  test.pass(2 * hour);
  BOOST_TEST(server->writer.maintain().empty());
  BOOST_TEST(server->get("/api/games/" + open).status() == 200U);
  BOOST_TEST(server->get(on.path).text("/status") == "in-progress");
  test.pass(31 * day);
  BOOST_TEST(server->writer.maintain().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace snl::test
