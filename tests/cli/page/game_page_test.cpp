// Goal: a page contains the game's data, and no more. Method: pages of small games are checked as
// text. tests/browser tests their behaviour in a browser.
#include "cli/page/game_page.hpp"

#include "../random_boards.hpp"
#include "cli/drawing/walk.hpp"
#include "cli/page/live_turns.hpp"
#include "cli/page/page_template.hpp"
#include "cli/playback/ranked_moments.hpp"
#include "domain/analysis/game_chances.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"
#include "domain/narration.hpp"

#include <boost/test/unit_test.hpp>

#include <array>

using namespace snl;
using namespace snl::cli;

namespace {

/// A game of two, after a few turns of its seeded dice.
Timeline some_turns(Turn turns, const Board& board = find_named_board("lld")->board()) {
  const auto setup =
      std::make_shared<const GameSetup>(GameSetup{.players = {"Ann", "Bob"},
                                                  .board = board,
                                                  .rules = *value_named(preset_names, "lld"),
                                                  .seed = 7});
  Timeline timeline;
  const auto add = [&](const Event& event) { BOOST_REQUIRE(timeline.add(event)); };
  add(*decide(GameState{}, StartGame{setup}));
  const GameState start = timeline.state();
  BOOST_REQUIRE(play_out(start, seeded_dice, add, turns));
  return timeline;
}

std::string page_of(const Timeline& timeline, double most_work) {
  const Recording recording = Recording::in_force(timeline);
  std::vector<Position> positions;
  for (std::size_t shot = 0; shot <= recording.shots(); ++shot)
    positions.push_back(recording.position(shot));
  const std::string id = "some";
  const std::vector<std::string> log{R"({"snl":"game"})"};
  return game_page({.id = id,
                    .created = 0,
                    .head = {},
                    .timeline = timeline,
                    .recording = recording,
                    .log = log,
                    .chances = chances_at(*timeline.state().setup, positions, most_work)});
}

/// Without its data and its list of turns.
std::size_t size_but_for_the_game(const std::string& page) {
  const auto between = [&](std::string_view begin, std::string_view end) {
    const std::size_t from = page.find(begin);
    const std::size_t to = page.find(end, from);
    BOOST_REQUIRE(from != std::string::npos);
    BOOST_REQUIRE(to != std::string::npos);
    return to - from;
  };
  return page.size() - between("<script type=\"application/json\"", "</script>") -
         between("<noscript>", "</noscript>");
}

bool has(const std::string& page, std::string_view part) {
  return page.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_page)

BOOST_AUTO_TEST_CASE(says_why_it_has_no_chances_where_they_are_too_dear) {
  const Timeline timeline = some_turns(5);
  const std::string dear = page_of(timeline, 1);
  BOOST_TEST(has(dear, "No chances to win are shown: games on this board last too long"));
  BOOST_TEST(has(dear, "\"chances\":null"));
  BOOST_TEST(!has(dear, "<td class=\"chance\">"));
  const std::string usual = page_of(timeline, max_work);
  BOOST_TEST(!has(usual, "No chances to win"));
  BOOST_TEST(has(usual, "\"chances\":[[50"));
  BOOST_TEST(has(usual, "<td class=\"chance\">"));
}

BOOST_AUTO_TEST_CASE(is_under_112_kB_but_for_the_game_up_to_boards_of_20_by_20) {
  BOOST_TEST(size_but_for_the_game(page_of(some_turns(40), max_work)) < 100'000U);
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Timeline large = some_turns(40, random_board(400, 20, 44, seed));
    const std::string page = page_of(large, 0);
    BOOST_TEST(size_but_for_the_game(page) < 112'000U);
    BOOST_TEST(size_but_for_the_game(page) + 1000 < page.size());
  }
}

BOOST_AUTO_TEST_CASE(grows_by_less_than_100_bytes_a_turn_but_for_its_log) {
  const Timeline few = some_turns(15);
  const Timeline more = some_turns(45);
  const auto turns = static_cast<std::size_t>(more.last_turn() - few.last_turn());
  BOOST_REQUIRE(turns > 10);
  const std::size_t growth = page_of(more, max_work).size() - page_of(few, max_work).size();
  BOOST_TEST(growth / turns < 100);
}

BOOST_AUTO_TEST_CASE(says_why_chances_are_all_nothing) {
  const Board stuck =
      *Board::make({.cells = 20,
                    .width = 10,
                    .snakes = {{13, 3}, {14, 3}, {15, 3}, {16, 3}, {17, 3}, {18, 3}, {19, 3}}});
  const std::string page = page_of(some_turns(4, stuck), max_work);
  BOOST_TEST(has(page, "Nobody can win any more"));
  BOOST_TEST(has(page, "\"never\":\"22222\""));
  BOOST_TEST(has(page_of(some_turns(4), max_work), "\"never\":null"));
}

BOOST_AUTO_TEST_CASE(has_the_words_of_each_turn_and_each_different_turn_once) {
  const Timeline timeline = some_turns(25);
  const std::string page = page_of(timeline, max_work);
  BOOST_TEST(has(page, "\"rolls\":\" rolls \""));
  for (const auto& [turn, undone] : timeline.recorded()) {
    const std::string told = narrate(turn, std::vector<std::string>(2), Glyphs::unicode);
    const std::string brought = "\"" + told.substr(told.find(": ")) + "\"";
    BOOST_TEST(has(page, brought), brought);
  }
}

BOOST_AUTO_TEST_CASE(keeps_its_seed_where_it_is_told_to) {
  const Timeline timeline = some_turns(5);
  BOOST_TEST(has(page_of(timeline, 0), "seed <code>7</code>"));
  const Recording recording = Recording::in_force(timeline);
  const std::string id = "some";
  const std::string element =
      player_html({.id = id,
                   .created = 0,
                   .head = {},
                   .timeline = timeline,
                   .recording = recording,
                   .log = {},
                   .chances = std::unexpected(std::string("they come later")),
                   .seed = SeedVisibility::hidden_until_the_end},
                  {.classes = "live", .action = "<p>Roll</p>"});
  BOOST_TEST(has(element, "<div class=\"snl live\" data-game=\"some\">"));
  BOOST_TEST(has(element, "<p>Roll</p>"));
  BOOST_TEST(has(element, "No chances to win are shown: they come later."));
  BOOST_TEST(has(element, "is shown once the game has ended"));
  BOOST_TEST(!has(element, "seed <code>"));
  BOOST_TEST(!has(element, "{{"));
}

BOOST_AUTO_TEST_CASE(leaves_no_place_unfilled) {
  BOOST_TEST(!has(page_of(some_turns(5), max_work), "{{"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_page_that_follows_a_game)

BOOST_AUTO_TEST_CASE(is_told_each_turn_as_the_whole_page_has_it) {
  const Timeline timeline = some_turns(1'000);
  const GameSetup& setup = *timeline.state().setup;
  const std::string page = page_of(timeline, 0);
  for (const auto& [turn, undone] : timeline.recorded()) {
    const std::string told = live_turns(setup, std::vector<Event>{turn});
    const std::size_t move = told.find("\"move\":") + 7;
    const std::size_t end = told.find(",\"next\":");
    BOOST_TEST(has(page, told.substr(move, end - move)), told);
    const bool won = turn.outcome == Outcome::won;
    BOOST_TEST(has(
        told, won ? "\"next\":null,\"winner\":" + std::to_string(turn.seat) : "\"winner\":null"));
  }
  BOOST_TEST(timeline.state().position.winner.has_value());
}

BOOST_AUTO_TEST_CASE(is_told_how_many_turns_were_taken_back) {
  const Timeline timeline = some_turns(2);
  const GameSetup& setup = *timeline.state().setup;
  BOOST_TEST(live_turns(setup, std::vector<Event>{TurnUndone{}, TurnUndone{}}) ==
             "{\"undone\":2,\"turns\":[]}");
  BOOST_TEST(live_turns(setup, std::vector<Event>{TurnRedone{}}) == "null");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(moments)

/// The odds of two players at each position of a recording, given those of the first.
std::vector<RaceOdds> odds_of(const std::vector<double>& first) {
  std::vector<RaceOdds> odds;
  for (const double chance : first)
    odds.push_back({.win = {chance, 1 - chance}, .never = 0, .expected_turns = {}});
  return odds;
}

std::vector<double> steady(std::size_t shots) {
  std::vector<double> chances(shots + 1, 0.5);
  return chances;
}

BOOST_AUTO_TEST_CASE(are_the_turns_that_moved_the_chances_most_at_most_one_in_eight) {
  const Timeline timeline = some_turns(24);
  const Recording recording = Recording::in_force(timeline);
  BOOST_REQUIRE(recording.shots() == 24U);
  std::vector<double> chances = steady(24);
  const std::vector<std::pair<std::size_t, double>> swings{
      {3, 0.1}, {9, 0.3}, {15, 0.2}, {20, 0.05}};
  for (const auto& [shot, swing] : swings)
    for (std::size_t after = shot; after < chances.size(); ++after)
      chances[after] += shot % 2 == 0 ? -swing : swing;
  using Shots = std::vector<std::size_t>;
  BOOST_TEST(ranked_moments(recording, odds_of(chances)) == (Shots{3, 9, 15}));
  const Timeline short_game = some_turns(7);
  BOOST_TEST(
      ranked_moments(Recording::in_force(short_game), odds_of({0, 1, 0, 1, 0, 1, 0, 1})).empty());
}

BOOST_AUTO_TEST_CASE(move_the_chances_by_a_hundredth_at_least) {
  const Timeline timeline = some_turns(16);
  const Recording recording = Recording::in_force(timeline);
  std::vector<double> chances = steady(16);
  chances[5] = 0.509;
  BOOST_TEST(ranked_moments(recording, odds_of(chances)).empty());
  chances[5] = 0.511;
  BOOST_TEST(ranked_moments(recording, odds_of(chances)) == (std::vector<std::size_t>{5, 6}));
}

BOOST_AUTO_TEST_CASE(without_chances_are_where_snakes_and_ladders_lead_farthest) {
  const Timeline timeline = some_turns(40);
  const Recording recording = Recording::in_force(timeline);
  const auto leap = [&](std::size_t shot) {
    const auto& turn = recording.shot(shot).turn;
    return turn.outcome == Outcome::won ? 1'000 : std::abs(turn.to - turn.landed);
  };
  const std::vector<std::size_t> found = ranked_moments(recording, {});
  BOOST_TEST_REQUIRE(found.size() > 0U);
  BOOST_TEST(found.size() <= recording.shots() / turns_a_moment);
  int least = 1'000;
  for (const std::size_t shot : found)
    least = std::min(least, leap(shot));
  for (std::size_t shot = 1; shot <= recording.shots(); ++shot)
    if (std::ranges::find(found, shot) == found.end()) BOOST_TEST(leap(shot) <= least);
}

BOOST_AUTO_TEST_CASE(of_a_player_the_luckiest_is_an_own_throw) {
  const Timeline timeline = some_turns(4);
  const Recording recording = Recording::in_force(timeline);
  const std::vector<RaceOdds> odds = odds_of({0.5, 0.6, 0.9, 0.95, 0.4});
  BOOST_REQUIRE(recording.shot(1).turn.seat == 0);
  BOOST_REQUIRE(recording.shot(2).turn.seat == 1);
  const auto luck = luckiest_throw(recording, odds, 0);
  BOOST_TEST_REQUIRE(luck.has_value());
  BOOST_TEST(luck->shot == 1U);
  BOOST_TEST(luckiest_throw(recording, odds, 1)->shot == 4U);
  BOOST_TEST(!luckiest_throw(recording, odds_of({0.5, 0.505, 0.5, 0.5, 0.5}), 0).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_template)

BOOST_AUTO_TEST_CASE(whose_places_are_those_that_are_filled_has_none_unmatched) {
  constexpr std::array<std::string_view, 2> names{"one", "two"};
  static_assert(unmatched_place("a {{one}} b {{two}}{{one}}", names).empty());
  static_assert(unmatched_place("a {{one}} {{three}} {{two}}", names) == "three");
  static_assert(unmatched_place("a {{one}}", names) == "two");
  static_assert(!unmatched_place("a {{one}} {{two}} {{", names).empty());
  const auto doubled = [](std::string_view name) { return std::string(name) + std::string(name); };
  BOOST_TEST(filled("a {{one}} b {{two}}.", doubled) == "a oneone b twotwo.");
  BOOST_TEST(filled("nothing", doubled) == "nothing");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_walk)

BOOST_AUTO_TEST_CASE(turns_round_where_the_piece_does) {
  const GameSetup setup{.players = {"Ann", "Bob"},
                        .board = *Board::make({.cells = 4, .width = 4}),
                        .rules = {.finish = Finish::bounce, .faces = 20, .sixes = Sixes::plain},
                        .seed = 1};
  const auto with = [&](const Rules& rules) {
    GameSetup other = setup;
    other.rules = rules;
    return other;
  };
  const auto turn_of = [&](const Rules& rules, Cell from, std::int32_t die) {
    const Move move = move_piece(setup.board, rules, from, die);
    TurnPlayed turn;
    turn.dice = Dice{die};
    turn.from = from;
    turn.landed = move.landed;
    turn.to = move.to;
    turn.outcome = move.outcome;
    return turn;
  };
  const auto way = [&](const Rules& rules, Cell from, std::int32_t die) {
    return turning_points(turn_of(rules, from, die), with(rules));
  };
  using Cells = std::vector<Cell>;
  const auto passed = [&](const Rules& rules, Cell from, std::int32_t die) {
    return cells_passed(turn_of(rules, from, die), with(rules));
  };
  BOOST_TEST(way(setup.rules, 2, 1) == (Cells{2, 3}));
  BOOST_TEST(way(setup.rules, 2, 3) == (Cells{2, 4, 3}));
  BOOST_TEST(way(setup.rules, 2, 8) == (Cells{2, 4, 1, 4}));
  BOOST_TEST(way(setup.rules, 0, 11) == (Cells{0, 4, 1, 4, 3}));
  BOOST_TEST(passed(setup.rules, 2, 1) == (Cells{2, 3}));
  BOOST_TEST(passed(setup.rules, 0, 11) == (Cells{0, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 3}));
  Rules rules = setup.rules;
  rules.finish = Finish::exact;
  BOOST_TEST(way(rules, 2, 3) == (Cells{2}));
  BOOST_TEST(passed(rules, 2, 3) == (Cells{2}));
  rules.finish = Finish::overshoot;
  BOOST_TEST(way(rules, 2, 9) == (Cells{2, 4}));
}

BOOST_AUTO_TEST_SUITE_END()
