// Exact odds with powers and faces that enter, compared with brute force: all games of a small
// board at once, each position with its chance, gone on by decide and evolve.
#include "domain/analysis/effects_odds.hpp"

#include "domain/analysis/game_chances.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

using namespace snl;

namespace {

/// Every list of dice that is rolled to its end, and its chance.
std::vector<std::pair<Dice, double>> all_dice(const Rules& rules) {
  const double face = 1.0 / rules.faces;
  std::vector<std::pair<Dice, double>> found;
  std::vector<std::pair<std::vector<std::int32_t>, double>> open{{{}, 1.0}};
  while (!open.empty()) {
    auto [values, chance] = open.back();
    open.pop_back();
    for (std::int32_t value = 1; value <= rules.faces; ++value) {
      auto longer = values;
      longer.push_back(value);
      const Dice dice{std::span<const std::int32_t>(longer)};
      if (is_rolled_to_its_end(dice, rules))
        found.emplace_back(dice, chance * face);
      else
        open.emplace_back(longer, chance * face);
    }
  }
  return found;
}

struct BruteForce {
  std::vector<double> win;
  double turns = 0;
};

/// Orders positions of one game.
struct Before {
  static auto key(const Position& position) {
    std::array<std::int32_t, 2 * max_players> counts{};
    for (Seat seat = 0; seat < max_players; ++seat) {
      counts.at(seat) = position.tallies.shields.of(seat);
      counts.at(max_players + seat) = position.tallies.skips.of(seat);
    }
    return std::tuple(position.cells, position.next, counts);
  }
  bool operator()(const Position& a, const Position& b) const { return key(a) < key(b); }
};
using Spread = std::map<Position, double, Before>;

/// Plays all games at once, until next to none of them goes on.
BruteForce play_all(const GameSetup& setup, const Position& from) {
  const auto dice = all_dice(setup.rules);
  BruteForce sums{.win = std::vector<double>(setup.players.size())};
  Spread now;
  now[from] = 1;
  GameState state;
  state.setup = std::make_shared<const GameSetup>(setup);
  for (int turn = 0; turn < 3000 && !now.empty(); ++turn) {
    Spread next;
    for (const auto& [position, chance] : now) {
      sums.turns += chance;
      state.position = position;
      for (const auto& [thrown, share] : dice) {
        const TurnPlayed played = decide(state, PlayTurn{position.next, thrown}).value();
        Position after = position_after(position, played);
        after.turn = position.turn;
        if (after.winner)
          sums.win[*after.winner] += chance * share;
        else if (chance * share > 1e-15)
          next[after] += chance * share;
      }
    }
    now = std::move(next);
  }
  return sums;
}

GameSetup setup_of(std::size_t players, const BoardDescription& board, const Rules& rules) {
  GameSetup setup{.players = {}, .board = Board::make(board).value(), .rules = rules};
  for (std::size_t seat = 0; seat < players; ++seat)
    setup.players.push_back("P" + std::to_string(seat));
  return setup;
}

void check_race(const GameSetup& setup, const Position& from) {
  const BruteForce expected = play_all(setup, from);
  const auto odds = chances_at(setup, std::span(&from, 1));
  BOOST_REQUIRE(odds.has_value());
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    BOOST_TEST(std::abs(odds->front().win[seat] - expected.win[seat]) < 1e-9);
  BOOST_TEST(std::abs(odds->front().expected_turns.value() - expected.turns) < 1e-8);
}

using enum PowerKind;

/// All but swap: it couples pieces.
const BoardDescription small{.cells = 9,
                             .snakes = {{8, 2}},
                             .ladders = {{3, 6}},
                             .powers = {{2, again}, {4, skip, 2}, {5, shield, 1}, {7, restart}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_odds_with_effects)

BOOST_AUTO_TEST_CASE(of_a_race_are_those_of_brute_force) {
  for (const Cell start : {0, 1})
    for (const Finish finish : {Finish::exact, Finish::overshoot, Finish::bounce})
      for (const bool enters : {false, true}) {
        Rules rules{.start = start, .finish = finish, .faces = 3, .sixes = Sixes::plain};
        if (enters && start == 1) continue;
        if (enters) rules.enter = {1, 3};
        const GameSetup setup = setup_of(2, small, rules);
        check_race(setup, first_position(setup));
      }
}

BOOST_AUTO_TEST_CASE(of_a_race_in_its_middle_know_shields_and_turns_to_miss) {
  const GameSetup setup = setup_of(3, small, {.faces = 2, .sixes = Sixes::plain});
  Position position{.cells = {5, 4, 7}, .next = 1, .turn = 20};
  position.tallies.shields.set(0, 1);
  position.tallies.skips.set(2, 1);
  position.tallies.skips.set(0, 2);
  check_race(setup, position);
}

BOOST_AUTO_TEST_CASE(of_sixes_that_roll_again_are_those_of_brute_force) {
  BoardDescription board = small;
  board.cells = 11;
  const GameSetup setup = setup_of(2, board, {.start = 0, .enter = {6}});
  check_race(setup, first_position(setup));
}

BOOST_AUTO_TEST_CASE(of_a_piece_alone_are_those_of_brute_force) {
  BoardDescription board = small;
  board.powers.push_back({.cell = 6, .kind = swap});
  const Rules rules{.faces = 3, .sixes = Sixes::plain, .meet = Meet::capture};
  const GameSetup setup = setup_of(1, board, rules);
  const BruteForce expected = play_all(setup, first_position(setup));
  const auto odds = odds_of(setup.board, rules, {.piece = 1, .races = {{.cells = {1}}}});
  BOOST_REQUIRE(odds.has_value());
  BOOST_TEST(std::abs(odds->piece->expected_turns.value() - expected.turns) < 1e-8);
  BOOST_TEST(std::abs(odds->races->front().expected_turns.value() - expected.turns) < 1e-8);
  BOOST_TEST(odds->piece->finish_probability == 1);
  double sum = 0;
  for (const auto& [turns, probability] : *odds->piece->distribution)
    sum += probability;
  BOOST_TEST(std::abs(sum - 1) < 1e-12);
}

BOOST_AUTO_TEST_CASE(of_a_race_are_refused_where_pieces_meet) {
  const Board party = find_named_board("party")->board();
  const OddsQuestion race{.races = {{.cells = {1, 1}}}};
  BOOST_TEST(!odds_of(party, {}, race).has_value());
  BOOST_TEST(!odds_of(Board::make({}).value(), {.meet = Meet::capture}, race).has_value());
  BOOST_TEST(odds_of(party, {}, {.piece = 1}).has_value());
}

BOOST_AUTO_TEST_CASE(of_a_race_that_is_won_are_certain) {
  const GameSetup setup = setup_of(2, small, {});
  const Position won{.cells = {4, 9}, .next = 1, .winner = Seat{1}, .turn = 8};
  const auto odds = chances_at(setup, std::span(&won, 1));
  BOOST_TEST((odds->front() == RaceOdds{.win = {0, 1}, .never = 0, .expected_turns = 0}));
}

BOOST_AUTO_TEST_CASE(tell_of_a_piece_that_may_never_finish) {
  BoardDescription board{.cells = 9, .powers = {}};
  for (const std::int64_t cell : {6, 7, 8})
    board.powers.push_back({.cell = cell, .kind = restart});
  const Rules rules{.faces = 3, .sixes = Sixes::plain};
  const auto odds =
      odds_of(Board::make(board).value(), rules, {.piece = 1, .races = {{.cells = {1, 1}}}});
  BOOST_TEST(!odds->piece->reachable);
  BOOST_TEST(odds->piece->stranding_cell.value() == 1);
  BOOST_TEST(odds->races->front().never == 1);
}

BOOST_AUTO_TEST_SUITE_END()
