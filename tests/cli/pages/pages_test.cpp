// Goal: the pages of a server show a game as it is, keep secrets, and resist misuse. Method:
// requests and answers as values, for games in memory. tests/browser tests the behaviour of pages
// in a browser.
#include "cli/server/pages/pages.hpp"

#include "../../storage/hosted_games_in_memory.hpp"
#include "cli/server/game_viewer.hpp"
#include "cli/server/pages/hosted_game_page.hpp"
#include "domain/named_boards.hpp"
#include "storage/exchange/board_json.hpp"
#include "storage/match.hpp"
#include "storage/memory/memory_store.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <span>
#include <utility>

using namespace snl;
using namespace snl::cli;

namespace {

constexpr std::uint64_t seed = 1234567890123456789;

/// Stores, and the pages that show them.
struct Site {
  MemoryStore store;
  std::unique_ptr<HostedGameStore> kept = test::hosted_games_in_memory();
  HostedGameStore& hosted_games = *kept;
  KnownGames known;
  Pages::Settings settings;
  Pages pages{store, hosted_games, known, settings};

  HttpResponse get(const std::string& target, HttpHeaders headers = {}) {
    auto response =
        pages.response({.method = "GET", .target = target, .headers = std::move(headers)});
    BOOST_REQUIRE(response.has_value());
    return *std::move(response);
  }

  void keep(HostedGame hosted, const Rules& rules = *value_named(preset_names, "standard"),
            const std::string& board = board_to_json(find_named_board("class")->board())) {
    hosted.board = board;
    hosted.rules = rules;
    hosted.host_token.front() = static_cast<std::uint8_t>(++hosted_games_kept);
    if (const auto before = hosted_games.game(hosted.id)) hosted.revision = before->revision;
    BOOST_REQUIRE(hosted_games.keep(std::span(&hosted, 1)).front().has_value());
  }
  int hosted_games_kept = 0;

  /// A game for three whose first seat is taken.
  HostedGame waiting(const std::string& id) {
    HostedGame hosted;
    hosted.id = id;
    hosted.seats.resize(3);
    hosted.seats.front() = HostedGameSeat{.name = "A<b>n\u202en"};
    return hosted;
  }
  /// The hosted game for a game in the log.
  HostedGame started(const std::string& id) {
    HostedGame hosted;
    hosted.id = id;
    hosted.stage = HostedGameStage::started;
    hosted.seats = {HostedGameSeat{.name = "Ann"}, HostedGameSeat{.name = "Bob"}};
    return hosted;
  }
  void abandon(HostedGame hosted) {
    hosted.given_up = HostedGame::GivenUp::by_host;
    keep(std::move(hosted));
  }

  /// A game after this number of turns with its seeded dice.
  Match play(const std::string& id, const std::vector<std::string>& players, int turns) {
    const auto setup =
        std::make_shared<const GameSetup>(GameSetup{.players = players,
                                                    .board = find_named_board("class")->board(),
                                                    .rules = *value_named(preset_names, "standard"),
                                                    .seed = seed});
    auto match = Match::start(store, id, {setup});
    BOOST_REQUIRE(match.has_value());
    for (int turn = 0; turn < turns; ++turn)
      BOOST_REQUIRE(match->execute(RollTurn{}).has_value());
    return *std::move(match);
  }
};

bool has(const HttpResponse& response, std::string_view part) {
  return response.text().find(part) != std::string_view::npos;
}

/// The quoted text that follows a given text.
std::string quoted_after(const HttpResponse& response, std::string_view before) {
  const std::size_t begin = response.text().find(before);
  BOOST_REQUIRE(begin != std::string_view::npos);
  const std::size_t from = begin + before.size();
  return std::string(response.text().substr(from, response.text().find('"', from) - from));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages)

BOOST_AUTO_TEST_CASE(are_at_their_paths_and_nowhere_else) {
  Site site;
  BOOST_TEST(!site.pages.response({.method = "GET", .target = "/api/games"}).has_value());
  BOOST_TEST(!site.pages.response({.method = "GET", .target = "/healthz"}).has_value());
  BOOST_TEST(site.get("/").status == 200U);
  BOOST_TEST(site.get("/?x=1").status == 200U);
  BOOST_TEST(site.get("/g/none").status == 404U);
  BOOST_TEST(site.get("/g/").status == 404U);
  BOOST_TEST(site.get("/g/../api").status == 404U);
  BOOST_TEST(site.get("/g/a%2e").status == 404U);
  BOOST_TEST(site.get("/assets/style-0.css").status == 404U);
  const auto posted = site.pages.response({.method = "POST", .target = "/"});
  BOOST_TEST(posted->status == 405U);
  BOOST_TEST(*posted->header("Allow") == "GET, HEAD");
}

BOOST_AUTO_TEST_CASE(run_no_script_but_their_own) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 3);
  site.keep(site.waiting("wait"));
  for (const std::string target : {"/", "/g/k3v9", "/g/wait", "/g/none"}) {
    const HttpResponse page = site.get(target);
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

BOOST_AUTO_TEST_CASE(are_there_for_a_lobby_whose_pieces_begin_off_the_board) {
  Site site;
  site.keep(site.waiting("wait"), {.start = 0});
  const HttpResponse page = site.get("/g/wait");
  BOOST_TEST(page.status == 200U);
  BOOST_TEST(has(page, ">off the board</text>"));
}

BOOST_AUTO_TEST_CASE(load_what_is_there_and_never_changes) {
  Site site;
  site.keep(site.waiting("wait"));
  const HttpResponse page = site.get("/g/wait");
  for (const std::string& path :
       {quoted_after(page, "<link rel=\"stylesheet\" href=\""), quoted_after(page, "data-codes=\""),
        quoted_after(page, "data-signatures=\""),
        quoted_after(page, "<script type=\"module\" src=\""),
        quoted_after(site.get("/"), "<script type=\"module\" src=\"")}) {
    const HttpResponse asset = site.get(path);
    BOOST_TEST(asset.status == 200U, path);
    BOOST_TEST(asset.text().size() > 1'000U, path);
    BOOST_TEST(asset.header("Cache-Control")->find("immutable") != std::string_view::npos);
  }
}

BOOST_AUTO_TEST_CASE(name_the_addresses_by_which_others_reach_the_server) {
  Site site;
  site.settings.url = "https://play.example";
  site.settings.others = "http://192.168.1.20:8080";
  BOOST_TEST(quoted_after(site.get("/"), "data-url=\"") == "https://play.example");
  BOOST_TEST(quoted_after(site.get("/"), "data-others=\"") == "http://192.168.1.20:8080");
}

BOOST_AUTO_TEST_CASE(are_small_enough_for_a_phone) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 40);
  site.keep(site.waiting("wait"));
  const auto size = [&](const std::string& target) { return site.get(target).gzipped->size(); };
  BOOST_TEST(size("/") < 13'200U);
  BOOST_TEST(size("/g/wait") < 7'000U);
  BOOST_TEST(size("/g/k3v9") < 16'000U);
  const HttpResponse page = site.get("/g/k3v9");
  BOOST_TEST(size(quoted_after(page, "<link rel=\"stylesheet\" href=\"")) < 9'000U);
  BOOST_TEST(size(quoted_after(page, "<script type=\"module\" src=\"")) < 36'000U);
}

BOOST_AUTO_TEST_CASE(are_sent_once_and_made_once_while_nothing_changes) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 3);
  const HttpResponse page = site.get("/g/k3v9");
  BOOST_TEST(site.get("/g/k3v9").body == page.body);
  const HttpResponse again =
      site.get("/g/k3v9", {{"if-none-match", std::string(*page.header("ETag"))}});
  BOOST_TEST(again.status == 304U);
  BOOST_TEST(again.text().empty());
  site.abandon(site.started("k3v9"));
  BOOST_TEST(site.get("/g/k3v9", {{"if-none-match", std::string(*page.header("ETag"))}}).status ==
             200U);
  BOOST_TEST(*page.header("Cache-Control") == "no-cache");
  const std::string hidden = "0123456789abcdef0123456789abcdef";
  site.play(hidden, {"Ann", "Bob"}, 3);
  HostedGame hosted = site.started(hidden);
  hosted.visibility = HostedGame::Visibility::by_its_id;
  site.keep(std::move(hosted));
  BOOST_TEST(*site.get("/g/" + hidden).header("Cache-Control") == "no-store");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_page_of_a_game)

BOOST_AUTO_TEST_CASE(shows_board_seats_and_places_before_it_begins) {
  Site site;
  site.keep(site.waiting("wait"));
  const HttpResponse page = site.get("/g/wait");
  BOOST_TEST(has(page, "A game for 3 players"));
  BOOST_TEST(has(page, "1 of 3 seats are taken."));
  BOOST_TEST(has(page, "data-version=\"0\" data-first=\"\" data-told=\"so-far\""));
  BOOST_TEST(has(page, "<g class=\"board\">"));
  BOOST_TEST(has(page, "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"));
}

BOOST_AUTO_TEST_CASE(has_names_as_text_alone) {
  Site site;
  site.keep(site.waiting("wait"));
  const HttpResponse lobby = site.get("/g/wait");
  BOOST_TEST(has(lobby, "A&lt;b&gt;n\\u202en"));
  BOOST_TEST(has(lobby, "A\\u003cb\\u003en\\u202en"));  // in the data
  BOOST_TEST(!has(lobby, "<b>"));
  site.play("k3v9", {"</script><script>alert(1)</script>", "&amp;\"'"}, 3);
  const HttpResponse page = site.get("/g/k3v9");
  BOOST_TEST(!has(page, "<script>"));
  BOOST_TEST(has(page, "&lt;/script&gt;"));
}

BOOST_AUTO_TEST_CASE(never_has_the_seed_of_a_game_that_is_on) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 10);
  const HttpResponse page = site.get("/g/k3v9");
  BOOST_TEST(!has(page, "1234567890123456789"));
  BOOST_TEST(!has(page, fmt::format("{:x}", seed)));
  BOOST_TEST(has(page, "is shown once the game has ended"));
  BOOST_TEST(has(page, "<script type=\"application/json\" class=\"export\">[]</script>"));
  BOOST_TEST(has(page, "No chances to win are shown: they come once the game has ended."));
  const auto first = site.store.commit("k3v9", 1);
  BOOST_TEST(has(page, "data-version=\"11\" data-first=\"" + to_hex(first->hash) + "\""));
}

BOOST_AUTO_TEST_CASE(is_of_one_version_though_a_turn_follows_while_it_is_made) {
  Site site;
  Match match = site.play("k3v9", {"Ann", "Bob"}, 3);
  GameViewer viewer(site.store, site.hosted_games, site.known);
  viewer.refresh();
  const SharedView view = viewer.current_view("k3v9");
  BOOST_REQUIRE(match.execute(RollTurn{}).has_value());
  const std::string page = hosted_game_page(*view, site.store, site.settings);
  BOOST_TEST(page.contains("data-version=\"4\""));
  BOOST_TEST(page.contains("\"version\":4,"));
}

BOOST_AUTO_TEST_CASE(has_all_of_it_once_the_api_tells_it) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 10);
  site.abandon(site.started("k3v9"));
  const HttpResponse page = site.get("/g/k3v9");
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
  const Match match = site.play("k3v9", {"A<b>n", "Bob"}, 7);
  const std::string next = match.state().position.next == 0 ? "A&lt;b&gt;n" : "Bob";
  const HttpResponse page = site.get("/");
  BOOST_TEST(has(page,
                 "<a href=\"/g/k3v9\"><bdi>A&lt;b&gt;n</bdi> and <bdi>Bob</bdi></a><small>turn 7, "
                 "<bdi>" +
                     next + "</bdi> to move · Four snakes</small>"));
  BOOST_TEST(!has(page, "<b>"));
}

BOOST_AUTO_TEST_CASE(lists_games_that_wait_with_their_hosts_and_boards) {
  Site site;
  HostedGame hosted = site.waiting("wait");
  site.keep(hosted);
  BOOST_TEST(has(site.get("/"),
                 "A game for 3 with <bdi>A&lt;b&gt;n\\u202en</bdi></a><small>1 of 3 seats taken · "
                 "Four snakes</small>"));
  // The host's part was handed on.
  hosted.seats[1] = HostedGameSeat{.name = "Bob", .token = hash_of("b")};
  hosted.other_host = hash_of("b");
  site.keep(hosted, *value_named(preset_names, "standard"),
            board_to_json(*Board::make({.cells = 50})));
  BOOST_TEST(has(site.get("/"),
                 "A game for 3 with <bdi>Bob</bdi></a><small>2 of 3 seats taken · "
                 "50 cells</small>"));
  hosted.seats.assign(3, std::nullopt);
  site.keep(hosted);
  BOOST_TEST(has(site.get("/"), "A game for 3</a><small>0 of 3 seats taken · "));
}

BOOST_AUTO_TEST_CASE(offers_every_named_board) {
  const HttpResponse page = Site().get("/");
  for (const NamedBoard& board : named_boards())
    BOOST_TEST(has(page, fmt::format("name=\"board\" value=\"{}\"", board.name)), board.name);
}

BOOST_AUTO_TEST_CASE(says_how_far_abandoned_games_came) {
  Site site;
  site.play("k3v9", {"Ann", "Bob"}, 7);
  site.abandon(site.started("k3v9"));
  site.abandon(site.waiting("wait"));
  const HttpResponse page = site.get("/");
  BOOST_TEST(has(page, "<h2>Abandoned</h2>"));
  BOOST_TEST(has(page, "<bdi>Ann</bdi> and <bdi>Bob</bdi></a><small>after 7 turns · "));
  BOOST_TEST(has(page, "<small>before it began · "));
}

BOOST_AUTO_TEST_CASE(says_where_there_is_nothing) {
  Site site;
  BOOST_TEST(has(site.get("/"), "No game is being played."));
  BOOST_TEST(!has(site.get("/"), "Abandoned"));
}

BOOST_AUTO_TEST_SUITE_END()
