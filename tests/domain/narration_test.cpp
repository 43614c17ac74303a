// The narration for people: whole games compared with golden files, and every kind of line in both
// sets of glyphs.
#include "domain/narration.hpp"

#include "domain/named_boards.hpp"
#include "given.hpp"
#include "golden.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace snl;
using namespace snl::test;

namespace {

using Strings = std::vector<std::string>;

std::shared_ptr<const GameSetup> on_named_board(std::string_view name, Strings players) {
  const NamedBoard& named = *find_named_board(name);
  return std::make_shared<GameSetup>(
      GameSetup{.players = std::move(players),
                .board = named.board(),
                .rules = value_named(preset_names, named.rules).value()});
}

/// PlayTurn for each of the dice; the players alternate, beginning with the first.
std::vector<Command> turns(std::size_t players, const std::vector<Dice>& dice) {
  std::vector<Command> commands;
  commands.reserve(dice.size());
  for (const Dice& thrown : dice)
    commands.emplace_back(PlayTurn{static_cast<Seat>(commands.size() % players), thrown});
  return commands;
}

Strings narrated(const std::vector<Event>& events, Glyphs glyphs) {
  const auto& players = std::get<GameStarted>(events.front()).setup->players;
  Strings lines;
  for (const Event& event : events)
    lines.push_back(narrate(event, players, glyphs));
  return lines;
}

const Strings players{"Ann", "Bob"};

TurnPlayed anns_seventh(Dice dice, Cell from, Cell landed, Cell to, Outcome outcome) {
  TurnPlayed event{.turn = 7,
                   .seat = 0,
                   .dice = dice,
                   .from = from,
                   .landed = landed,
                   .to = to,
                   .outcome = outcome,
                   .next = 1,
                   .previous = 7};
  if (outcome == Outcome::won) event.next = std::nullopt;
  return event;
}

void check_line(const Event& event, const std::string& unicode, const std::string& ascii,
                Here here = Here::current()) {
  BOOST_TEST_INFO_SCOPE("line " << here.line());
  BOOST_TEST(narrate(event, players, Glyphs::unicode) == unicode);
  BOOST_TEST(narrate(event, players, Glyphs::ascii) == ascii);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(telling_a_whole_game)

BOOST_AUTO_TEST_CASE(the_sample_of_the_low_level_design) {
  auto commands = turns(3, {{1}, {1}, {6}, {6}, {4}, {3}, {5}, {4}, {6}, {2}, {5}, {6},
                            {3}, {4}, {6}, {5}, {6}, {1}, {6}, {5}, {6}, {5}, {3}});
  commands.emplace_back(UndoTurns{1});
  commands.emplace_back(RedoTurns{1});
  const auto events = events_of(on_named_board("lld", {"Alice", "Bob", "Charlie"}), commands);
  BOOST_TEST(given(events).state().completed());
  check_golden("lld_sample.txt", narrated(events, Glyphs::unicode));
}

BOOST_AUTO_TEST_CASE(a_game_by_the_standard_rules) {
  auto commands =
      turns(2, {{2}, {4}, {6, 3}, {6, 6, 6}, {6, 6, 5}, {3}, {6}, {6, 6, 4}, {6, 6, 5}, {5}});
  commands.emplace_back(UndoTurns{3});
  commands.emplace_back(RedoTurns{1});
  for (const Command& command : turns(2, {{6, 6, 2},
                                          {6, 5},
                                          {6, 6, 5},
                                          {6, 6, 1},
                                          {6, 6, 5},
                                          {6, 6, 2},
                                          {6, 3},
                                          {6, 1},
                                          {6, 5},
                                          {1},
                                          {2},
                                          {6, 4},
                                          {6, 1}}))
    commands.push_back(command);
  const auto events = events_of(on_named_board("class", players), commands);
  BOOST_TEST(given(events).state().completed());
  check_golden("standard_sample.txt", narrated(events, Glyphs::ascii));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(telling_an_event)

BOOST_AUTO_TEST_CASE(a_plain_move) {
  check_line(anns_seventh({6, 3}, 31, 40, 40, Outcome::moved), "7. Ann rolls 6-3: 31 → 40",
             "7. Ann rolls 6-3: 31 -> 40");
}

BOOST_AUTO_TEST_CASE(a_ladder) {
  check_line(anns_seventh({2}, 1, 3, 22, Outcome::moved),
             "7. Ann rolls 2: 1 → 22, up the ladder 3 → 22",
             "7. Ann rolls 2: 1 -> 22, up the ladder 3 -> 22");
}

BOOST_AUTO_TEST_CASE(a_snake) {
  check_line(anns_seventh({5}, 12, 17, 7, Outcome::moved),
             "7. Ann rolls 5: 12 → 7, down the snake 17 → 7",
             "7. Ann rolls 5: 12 -> 7, down the snake 17 -> 7");
}

BOOST_AUTO_TEST_CASE(a_snake_back_to_where_the_piece_stood) {
  check_line(anns_seventh({5}, 12, 17, 12, Outcome::moved),
             "7. Ann rolls 5: 12 → 12, down the snake 17 → 12",
             "7. Ann rolls 5: 12 -> 12, down the snake 17 -> 12");
}

BOOST_AUTO_TEST_CASE(an_overshoot_that_stays) {
  check_line(anns_seventh({5}, 97, 97, 97, Outcome::blocked),
             "7. Ann rolls 5: 97 → 97, overshoots, stays",
             "7. Ann rolls 5: 97 -> 97, overshoots, stays");
}

BOOST_AUTO_TEST_CASE(three_sixes) {
  check_line(anns_seventh({6, 6, 6}, 31, 31, 31, Outcome::forfeited),
             "7. Ann rolls 6-6-6: 31 → 31, three sixes, stays",
             "7. Ann rolls 6-6-6: 31 -> 31, three sixes, stays");
}

BOOST_AUTO_TEST_CASE(a_win) {
  check_line(anns_seventh({6, 3}, 91, 100, 100, Outcome::won), "7. Ann rolls 6-3: 91 → 100, wins",
             "7. Ann rolls 6-3: 91 -> 100, wins");
}

BOOST_AUTO_TEST_CASE(a_win_by_ladder) {
  check_line(anns_seventh({3}, 91, 94, 100, Outcome::won),
             "7. Ann rolls 3: 91 → 100, up the ladder 94 → 100, wins",
             "7. Ann rolls 3: 91 -> 100, up the ladder 94 -> 100, wins");
}

BOOST_AUTO_TEST_CASE(a_win_by_overshoot) {
  check_line(anns_seventh({5}, 97, 100, 100, Outcome::won), "7. Ann rolls 5: 97 → 100, wins",
             "7. Ann rolls 5: 97 -> 100, wins");
}

BOOST_AUTO_TEST_CASE(a_bounce) {
  check_line(anns_seventh({5}, 97, 98, 98, Outcome::moved),
             "7. Ann rolls 5: 97 → 98, bounces back to 98",
             "7. Ann rolls 5: 97 -> 98, bounces back to 98");
}

BOOST_AUTO_TEST_CASE(a_bounce_onto_a_snake) {
  check_line(anns_seventh({5}, 97, 98, 79, Outcome::moved),
             "7. Ann rolls 5: 97 → 79, bounces back to 98, down the snake 98 → 79",
             "7. Ann rolls 5: 97 -> 79, bounces back to 98, down the snake 98 -> 79");
}

BOOST_AUTO_TEST_CASE(a_bounce_onto_a_ladder_that_wins) {
  check_line(anns_seventh({6, 3}, 97, 94, 100, Outcome::won),
             "7. Ann rolls 6-3: 97 → 100, bounces back to 94, up the ladder 94 → 100, wins",
             "7. Ann rolls 6-3: 97 -> 100, bounces back to 94, up the ladder 94 -> 100, wins");
}

BOOST_AUTO_TEST_CASE(a_turn_taken_back) {
  check_line(TurnUndone{.index = 0,
                        .turn = 7,
                        .seat = 1,
                        .from = 40,
                        .to = 31,
                        .played = 8,
                        .previous = 7,
                        .later = {}},
             "7. Bob's turn is undone: 40 → 31", "7. Bob's turn is undone: 40 -> 31");
}

BOOST_AUTO_TEST_CASE(a_turn_taken_back_that_moved_others) {
  Restored restored{.captured = {}, .captured_to = 9, .swapped = Seat{0}, .swapped_to = 14};
  restored.captured.insert(2);
  check_line(TurnUndone{.index = 0,
                        .turn = 7,
                        .seat = 1,
                        .from = 40,
                        .to = 31,
                        .played = 8,
                        .previous = 7,
                        .later = {},
                        .restored = restored},
             "7. Bob's turn is undone: 40 → 31, seat 3's piece goes to 9, Ann's piece goes to 14",
             "7. Bob's turn is undone: 40 -> 31, seat 3's piece goes to 9, Ann's piece goes to 14");
}

BOOST_AUTO_TEST_CASE(a_turn_put_back) {
  TurnRedone redone{.index = 0,
                    .turn = 7,
                    .seat = 1,
                    .from = 31,
                    .to = 40,
                    .outcome = Outcome::moved,
                    .next = 0,
                    .played = 8,
                    .later = {}};
  check_line(redone, "7. Bob's turn is redone: 31 → 40", "7. Bob's turn is redone: 31 -> 40");
  redone.to = 100;
  redone.outcome = Outcome::won;
  redone.next = std::nullopt;
  check_line(redone, "7. Bob's turn is redone: 31 → 100, wins",
             "7. Bob's turn is redone: 31 -> 100, wins");
}

BOOST_AUTO_TEST_CASE(a_start) {
  check_line(started(setup_of({.board = {.cells = 30}})), "a game of Ann, Bob on 30 cells",
             "a game of Ann, Bob on 30 cells");
}

BOOST_AUTO_TEST_CASE(a_branch) {
  const Position position{.cells = {40, 9}, .next = 0, .winner = std::nullopt, .turn = 12};
  const Origin origin{.game = "g1", .head = std::string(64, '0'), .position = position};
  check_line(started(setup_of({.origin = origin})),
             "a game of Ann, Bob on 100 cells, from turn 12 of g1",
             "a game of Ann, Bob on 100 cells, from turn 12 of g1");
}
BOOST_AUTO_TEST_CASE(the_start_of_a_game_whose_seed_was_drawn) {
  const auto told = [](const std::vector<bool>& had_a_say) {
    GameSetup setup = *setup_of({.players = {"Ann", "Bob", "Cyd"}});
    setup.draw.emplace();
    for (const bool had : had_a_say)
      setup.draw->entropy.push_back(had ? std::optional(Draw::Bytes{}) : std::nullopt);
    return narrate(started(std::make_shared<const GameSetup>(setup)), {}, Glyphs::ascii);
  };
  const std::string start = "a game of Ann, Bob, Cyd on 100 cells, its seed drawn: ";
  BOOST_TEST(told({false, false, false}) == start + "nobody had a say");
  BOOST_TEST(told({false, true, false}) == start + "Bob had a say");
  BOOST_TEST(told({true, false, true}) == start + "Ann and Cyd had a say");
  BOOST_TEST(told({true, true, true}) == start + "Ann, Bob and Cyd had a say");
}
BOOST_AUTO_TEST_CASE(a_takeback) {
  const Strings three{"Ann", "Bob", "Cyd"};
  Takeback takeback{.asked = 1};
  BOOST_TEST(narrate(takeback, three) == "Bob asked");
  takeback.agreed.insert(1);
  BOOST_TEST(narrate(takeback, three) == "Bob asked");
  takeback.agreed.insert(2);
  BOOST_TEST(narrate(takeback, three) == "Bob asked, Cyd agreed");
  takeback.agreed.insert(0);
  BOOST_TEST(narrate(takeback, three) == "Bob asked, Ann and Cyd agreed");
  // A log that wasn't audited may name any seat.
  takeback.agreed.insert(9);
  BOOST_TEST(narrate(takeback, three) == "Bob asked, Ann, Cyd and seat 10 agreed");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(answering_like_the_class)

BOOST_AUTO_TEST_CASE(a_turn_names_the_player_the_cell_and_the_next) {
  const TurnPlayed turn = anns_seventh({2}, 1, 3, 22, Outcome::moved);
  BOOST_TEST(result_of(turn, players) == "Ann,22,Bob,CONTINUE");
}

BOOST_AUTO_TEST_CASE(a_win_is_a_win) {
  const TurnPlayed turn = anns_seventh({6, 3}, 91, 100, 100, Outcome::won);
  BOOST_TEST(result_of(turn, players) == "WIN");
}

BOOST_AUTO_TEST_SUITE_END()
