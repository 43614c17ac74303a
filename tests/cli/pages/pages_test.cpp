// Goal: the pages of a server show a game as it is, keep what is secret, and can't be made to do
// what they shouldn't. Method: requests in, answers out, of games in memory; the API is acted out.
// What pages do in a browser is tested in tests/browser.
#include "cli/server/pages/pages.hpp"

#include "domain/named_boards.hpp"
#include "storage/exchange/board_json.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <map>

using namespace snl;
using namespace snl::cli;

namespace {

constexpr std::uint64_t seed = 1234567890123456789;

/// A store with pages before it, and the API as it is acted out.
struct Site {
  MemoryStore store;
  std::map<std::string, std::string> states;  // by ID
  std::string exported = {};                  // what the API gives as jsonl
  int asked = 0;
  Pages pages{store, [this](const HttpRequest& request) { return api(request); }, {}};

  HttpAnswer api(const HttpRequest& request) {
    ++asked;
    const auto answered = [](std::string body, std::string etag = "") {
      HttpAnswer answer{.body = std::make_shared<const std::string>(std::move(body))};
      if (!etag.empty()) answer.headers.emplace_back("ETag", std::move(etag));
      return answer;
    };
    BOOST_TEST(request.method == "GET");
    BOOST_TEST(!request.header("authorization").has_value());
    const std::string_view path = path_of(request.target);
    if (path == "/api/games") return answered(list);
    const std::string rest(path.substr(std::string_view("/api/games/").size()));
    if (rest.ends_with("/export"))
      return exported.empty() ? HttpAnswer{.status = 409} : answered(exported);
    const auto state = states.find(rest);
    if (state == states.end()) return {.status = 404};
    return answered(state->second, fmt::format("\"{}\"", std::hash<std::string>{}(state->second)));
  }

  std::string list = R"({"games":[]})";

  HttpAnswer get(const std::string& target, HttpHeaders headers = {}) {
    auto answer = pages.answer({.method = "GET", .target = target, .headers = std::move(headers)});
    BOOST_REQUIRE(answer.has_value());
    return *std::move(answer);
  }

  /// A game after so many turns of its seeded dice.
  void play(const std::string& id, const std::vector<std::string>& players, int turns) {
    const auto setup =
        std::make_shared<const GameSetup>(GameSetup{.players = players,
                                                    .board = find_named_board("class")->board(),
                                                    .rules = *value_named(preset_names, "standard"),
                                                    .seed = seed});
    auto match = Match::start(store, id, {setup});
    BOOST_REQUIRE(match.has_value());
    for (int turn = 0; turn < turns; ++turn)
      BOOST_REQUIRE(match->execute(RollTurn{}).has_value());
    tell(id, "in-progress", match->head().version);
  }

  void tell(const std::string& id, const std::string& status, Version version) {
    states[id] = fmt::format(
        R"({{"id":"{}","status":"{}","turn":0,"version":{},"players":[],"next":null,"private":{},)"
        R"("board":{},"rules":{{"start":1}},"places":3,"seats":[{{"seat":0,"name":"A<b>n\u202en"}}],)"
        R"("draw":null,"takeback":null}})",
        id, status, version, id.size() == 32, board_to_json(find_named_board("class")->board()));
  }
};

bool has(const HttpAnswer& answer, std::string_view part) {
  return answer.text().find(part) != std::string_view::npos;
}

/// What stands between quotes behind a text.
std::string quoted_after(const HttpAnswer& answer, std::string_view before) {
  const std::size_t begin = answer.text().find(before);
  BOOST_REQUIRE(begin != std::string_view::npos);
  const std::size_t from = begin + before.size();
  return std::string(answer.text().substr(from, answer.text().find('"', from) - from));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages)

BOOST_AUTO_TEST_CASE(are_at_their_paths_and_nowhere_else) {
  Site site;
  BOOST_TEST(!site.pages.answer({.method = "GET", .target = "/api/games"}).has_value());
  BOOST_TEST(!site.pages.answer({.method = "GET", .target = "/healthz"}).has_value());
  BOOST_TEST(site.get("/").status == 200U);
  BOOST_TEST(site.get("/?x=1").status == 200U);
  BOOST_TEST(site.get("/g/none").status == 404U);
  BOOST_TEST(site.get("/g/").status == 404U);
  BOOST_TEST(site.get("/g/../api").status == 404U);
  BOOST_TEST(site.get("/g/a%2e").status == 404U);
  BOOST_TEST(site.get("/assets/style-0.css").status == 404U);
  const auto posted = site.pages.answer({.method = "POST", .target = "/"});
  BOOST_TEST(posted->status == 405U);
  BOOST_TEST(*posted->header("Allow") == "GET, HEAD");
}

BOOST_AUTO_TEST_CASE(run_no_script_but_their_own) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 3);
  site.tell("wait", "open", 0);
  for (const std::string target : {"/", "/g/k3v9", "/g/wait", "/g/none"}) {
    const HttpAnswer page = site.get(target);
    const std::string_view policy = *page.header("Content-Security-Policy");
    BOOST_TEST(policy.find("default-src 'none'; script-src 'self'; style-src 'self';") == 0U);
    BOOST_TEST(policy.find("unsafe") == std::string_view::npos);
    BOOST_TEST(policy.find("frame-ancestors 'none'") != std::string_view::npos);
    BOOST_TEST(*page.header("X-Content-Type-Options") == "nosniff");
    BOOST_TEST(*page.header("Referrer-Policy") == "no-referrer");
    BOOST_TEST(!has(page, "<style"));
    BOOST_TEST(!has(page, " style="));
    BOOST_TEST(!has(page, " onclick"));
    BOOST_TEST(!has(page, "{{"));
  }
}

BOOST_AUTO_TEST_CASE(load_what_is_there_and_never_changes) {
  Site site;
  site.tell("wait", "open", 0);
  const HttpAnswer page = site.get("/g/wait");
  for (const std::string& path :
       {quoted_after(page, "<link rel=\"stylesheet\" href=\""), quoted_after(page, "data-codes=\""),
        quoted_after(page, "<script type=\"module\" src=\""),
        quoted_after(site.get("/"), "<script type=\"module\" src=\"")}) {
    const HttpAnswer asset = site.get(path);
    BOOST_TEST(asset.status == 200U, path);
    BOOST_TEST(asset.text().size() > 1'000U, path);
    BOOST_TEST(asset.header("Cache-Control")->find("immutable") != std::string_view::npos);
  }
}

BOOST_AUTO_TEST_CASE(are_small_enough_for_a_phone) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 40);
  site.tell("wait", "open", 0);
  const auto size = [&](const std::string& target) { return site.get(target).text().size(); };
  BOOST_TEST(size("/") < 8'000U);
  BOOST_TEST(size("/g/wait") < 20'000U);
  BOOST_TEST(size("/g/k3v9") < 60'000U);
  const HttpAnswer page = site.get("/g/k3v9");
  BOOST_TEST(size(quoted_after(page, "<link rel=\"stylesheet\" href=\"")) < 32'000U);
  BOOST_TEST(size(quoted_after(page, "<script type=\"module\" src=\"")) < 95'000U);
}

BOOST_AUTO_TEST_CASE(are_sent_once_and_made_once_while_nothing_changes) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 3);
  const HttpAnswer page = site.get("/g/k3v9");
  const int asked = site.asked;
  const HttpAnswer again =
      site.get("/g/k3v9", {{"if-none-match", std::string(*page.header("ETag"))}});
  BOOST_TEST(again.status == 304U);
  BOOST_TEST(again.text().empty());
  BOOST_TEST(site.asked == asked + 1);
  site.tell("k3v9", "abandoned", 4);
  BOOST_TEST(site.get("/g/k3v9", {{"if-none-match", std::string(*page.header("ETag"))}}).status ==
             200U);
  BOOST_TEST(*page.header("Cache-Control") == "no-cache");
  const std::string hidden = "0123456789abcdef0123456789abcdef";
  site.play(hidden, {"Ann", "Bob"}, 3);
  BOOST_TEST(*site.get("/g/" + hidden).header("Cache-Control") == "no-store");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_page_of_a_game)

BOOST_AUTO_TEST_CASE(shows_board_seats_and_places_before_it_begins) {
  Site site;
  site.tell("wait", "open", 0);
  const HttpAnswer page = site.get("/g/wait");
  BOOST_TEST(has(page, "A game for 3 players"));
  BOOST_TEST(has(page, "1 of 3 seats are taken."));
  BOOST_TEST(has(page, "data-version=\"0\" data-first=\"\" data-told=\"so-far\""));
  BOOST_TEST(has(page, "<g class=\"board\">"));
  BOOST_TEST(has(page, "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"));
}

BOOST_AUTO_TEST_CASE(has_names_as_text_alone) {
  Site site;
  site.tell("wait", "open", 0);
  const HttpAnswer lobby = site.get("/g/wait");
  BOOST_TEST(has(lobby, "A&lt;b&gt;n\\u202en"));
  BOOST_TEST(has(lobby, "A\\u003cb\\u003en\\u202en"));  // in the data
  BOOST_TEST(!has(lobby, "<b>"));
  site.play("k3v9", {"</script><script>alert(1)</script>", "&amp;\"'"}, 3);
  const HttpAnswer page = site.get("/g/k3v9");
  BOOST_TEST(!has(page, "<script>"));
  BOOST_TEST(has(page, "&lt;/script&gt;"));
}

BOOST_AUTO_TEST_CASE(never_has_the_seed_of_a_game_that_is_on) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 10);
  const HttpAnswer page = site.get("/g/k3v9");
  BOOST_TEST(!has(page, "1234567890123456789"));
  BOOST_TEST(!has(page, fmt::format("{:x}", seed)));
  BOOST_TEST(has(page, "is told once the game has ended"));
  BOOST_TEST(has(page, "<script type=\"application/json\" class=\"export\">[]</script>"));
  BOOST_TEST(has(page, "No chances to win are shown: they come once the game has ended."));
  const auto first = site.store.commit("k3v9", 1);
  BOOST_TEST(has(page, "data-version=\"11\" data-first=\"" + to_hex(first->hash) + "\""));
}

BOOST_AUTO_TEST_CASE(has_all_of_it_once_the_api_tells_it) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 10);
  export_jsonl(site.store, "k3v9", *site.store.head("k3v9"),
               [&](std::string_view line) { site.exported += std::string(line) + "\n"; });
  site.tell("k3v9", "completed", 11);
  const HttpAnswer page = site.get("/g/k3v9");
  BOOST_TEST(has(page, "data-told=\"whole\""));
  BOOST_TEST(has(page, "seed <code>1234567890123456789</code>"));
  BOOST_TEST(has(page, "<td class=\"chance\">"));
  BOOST_TEST(!has(page, "http-equiv=\"refresh\""));
  const std::string_view text = page.text();
  const std::string_view opening = "class=\"export\">";
  const std::size_t begin = text.find(opening) + opening.size();
  const auto lines =
      boost::json::parse(text.substr(begin, text.find("</script>", begin) - begin)).as_array();
  BOOST_TEST(lines.size() == 12U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_first_page)

BOOST_AUTO_TEST_CASE(lists_games_with_names_as_text) {
  Site site;
  site.list = R"({"games":[{"id":"k3v9","status":"in-progress","turn":7,"places":2,"taken":2,)"
              R"("players":[{"name":"A<b>n","cell":3},{"name":"Bob","cell":1}],"next":"Bob"}]})";
  const HttpAnswer page = site.get("/");
  BOOST_TEST(has(page,
                 "<a href=\"/g/k3v9\"><bdi>A&lt;b&gt;n</bdi> and <bdi>Bob</bdi></a><small>turn 7, "
                 "<bdi>Bob</bdi> to move</small>"));
  BOOST_TEST(!has(page, "<b>"));
}

BOOST_AUTO_TEST_CASE(says_how_far_abandoned_games_came) {
  Site site;
  site.list = R"({"games":[{"id":"k3v9","status":"abandoned","turn":7,"places":2,"taken":2,)"
              R"("players":[{"name":"Ann","cell":3},{"name":"Bob","cell":1}],"next":"Bob"},)"
              R"({"id":"wait","status":"abandoned","turn":0,"places":3,"taken":1,"players":[]}]})";
  const HttpAnswer page = site.get("/");
  BOOST_TEST(has(page, "<h2>Abandoned</h2>"));
  BOOST_TEST(has(page, "<bdi>Ann</bdi> and <bdi>Bob</bdi></a><small>after 7 turns</small>"));
  BOOST_TEST(has(page, "A game for 3</a><small>before it began</small>"));
}

BOOST_AUTO_TEST_CASE(says_where_there_is_nothing) {
  Site site;
  BOOST_TEST(has(site.get("/"), "No game is being played."));
  BOOST_TEST(!has(site.get("/"), "Abandoned"));
}

BOOST_AUTO_TEST_SUITE_END()
