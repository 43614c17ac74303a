// Exact odds against published answers, known formulas, and the results of every sequence of
// throws.
#include "domain/analysis/odds.hpp"

#include "../cases.hpp"
#include "domain/move.hpp"
#include "domain/named_boards.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace snl;
namespace json = boost::json;

namespace {

constexpr double tolerance = 1e-9;  // relative, as tests/cases says

bool is_near(double value, double expected, double relative = tolerance) {
  return std::abs(value - expected) <= relative * std::max(std::abs(expected), 1e-300);
}

void check_near(double value, double expected) {
  BOOST_TEST(is_near(value, expected), value << " isn't " << expected);
}

void check_near(std::optional<double> value, const json::value& expected) {
  BOOST_REQUIRE_EQUAL(value.has_value(), !expected.is_null());
  if (value) check_near(*value, expected.to_number<double>());
}

BoardOdds odds(const Board& board, const Rules& rules, const OddsQuestion& question) {
  auto odds = odds_of(board, rules, question);
  BOOST_REQUIRE(odds);
  return *std::move(odds);
}

PieceOdds odds_of_piece(const Board& board, const Rules& rules, Cell piece) {
  return *odds(board, rules, {.piece = piece}).piece;
}

RaceOdds odds_of_race(const Board& board, const Rules& rules, const Race& race) {
  return odds(board, rules, {.races = {race}}).races->front();
}

Board board_of(const json::value& described) {
  BoardDescription description{.cells = described.at("cells").to_number<std::int64_t>()};
  for (const auto& [from, to] : described.at("jumps").as_object()) {
    const DescribedJump jump{std::stoll(from), to.to_number<std::int64_t>()};
    (jump.to < jump.from ? description.snakes : description.ladders).push_back(jump);
  }
  return *Board::make(description);
}

Rules rules_of(const json::value& described) {
  const auto word = [&](const char* key) { return json::value_to<std::string>(described.at(key)); };
  return {.start = described.at("start").to_number<Cell>(),
          .finish = *value_named(finish_names, word("finish")),
          .dice = described.at("dice").to_number<std::int32_t>(),
          .faces = described.at("faces").to_number<std::int32_t>(),
          .sixes = *value_named(sixes_names, word("sixes"))};
}

double chance_of(const PieceOdds& odds, std::int64_t turns) {
  for (const auto& [count, probability] : *odds.distribution)
    if (count == turns) return probability;
  return 0;
}

double chance_until(const PieceOdds& odds, std::int64_t turns) {
  double sum = 0;
  for (const auto& [count, probability] : *odds.distribution)
    if (count <= turns) sum += probability;
  return sum;
}

std::int64_t mode_of(const PieceOdds& odds) {
  return std::ranges::max_element(*odds.distribution, {}, &PieceOdds::Finish::probability)->turns;
}

void check_piece(const PieceOdds& odds, const json::value& expected) {
  check_near(odds.finish_probability, expected.at("finish_probability"));
  check_near(odds.expected_turns, expected.at("expected_turns"));
  if (const auto* deviation = expected.as_object().if_contains("sd_turns"))
    check_near(odds.stddev_turns, *deviation);
  BOOST_TEST(*odds.fewest_turns == expected.at("min_turns").to_number<std::int64_t>());
  BOOST_TEST(mode_of(odds) == expected.at("mode").to_number<std::int64_t>());
  BOOST_REQUIRE_EQUAL(odds.median_turns.has_value(), !expected.at("median").is_null());
  if (odds.median_turns)
    BOOST_TEST(*odds.median_turns == expected.at("median").to_number<std::int64_t>());
  for (const auto& [turns, probability] : expected.at("pmf").as_object())
    check_near(chance_of(odds, std::stoll(turns)), probability.to_number<double>());
  for (const auto& [turns, probability] : expected.at("cdf").as_object())
    check_near(chance_until(odds, std::stoll(turns)), probability.to_number<double>());
}

void check_race(const Board& board, const Rules& rules, const json::value& expected) {
  const auto race = odds_of_race(
      board, rules,
      {.cells = json::value_to<std::vector<Cell>>(expected.at("positions")),
       .to_move = static_cast<std::size_t>(expected.at("toMove").to_number<std::uint64_t>())});
  const auto win = json::value_to<std::vector<double>>(expected.at("win"));
  BOOST_REQUIRE_EQUAL(race.win.size(), win.size());
  for (std::size_t seat = 0; seat < win.size(); ++seat)
    check_near(race.win[seat], win[seat]);
  check_near(race.never, expected.at("never").to_number<double>());
  check_near(race.expected_turns, expected.at("expected_game_turns"));
}

/// A board where only sixes lead on, `count` of them in a row: every other throw goes back to 1.
Board sixes_in_a_row(std::int64_t count) {
  BoardDescription description{.cells = 6 * count + 1};
  for (std::int64_t cell = 2; cell < description.cells; ++cell)
    if (cell % 6 != 1) description.snakes.push_back({cell, 1});
  return *Board::make(description);
}

const Rules plain{.sixes = Sixes::plain};

/// The first throw by which a run of this many sixes has come with a probability of one half. The
/// probability of no run after n throws is (1 − px) / ((r + 1 − rx) q) · x^−(n + 1), except for a
/// part that falls as 6^−n. Here x is the root near 1 of 1 − x + q p^r x^(r + 1) = 0 (Feller,
/// XIII.7).
double median_wait(int count) {
  const double p = 1.0 / 6;
  const double q = 5.0 / 6;
  double above_one = 0;  // x − 1
  for (int i = 0; i < 100; ++i)
    above_one = q * std::pow(p, count) * std::exp((count + 1) * std::log1p(above_one));
  const double share = (q - p * above_one) / ((1 - count * above_one) * q);
  return std::ceil(std::log(2 * share) / std::log1p(above_one) - 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_odds)

BOOST_AUTO_TEST_CASE(are_those_of_every_case) {
  const json::value file = test::read_cases("markov.json");
  const json::array& cases = file.at("cases").as_array();
  BOOST_REQUIRE(cases.size() > 10U);
  for (const json::value& one : cases) {
    BOOST_TEST_CONTEXT(one.at("id")) {
      const Board board = board_of(one);
      const Rules rules = rules_of(one);
      const json::value& expected = one.at("expected");
      const PieceOdds piece = odds_of_piece(board, rules, rules.start);
      check_piece(piece, expected);
      BOOST_TEST(piece.residual < 1e-12);
      for (const json::value& race : expected.at("races").as_array())
        check_race(board, rules, race);
    }
  }
}

BOOST_AUTO_TEST_CASE(name_the_cell_that_strands_a_piece) {
  const Board board = find_named_board("lld")->board();
  const Rules two_dice{.start = 0, .dice = 2, .sixes = Sixes::plain};
  const PieceOdds piece = odds_of_piece(board, two_dice, 0);
  BOOST_TEST(*piece.stranding_cell == 99);
  BOOST_TEST(!piece.expected_turns);
  BOOST_TEST(!piece.stddev_turns);
  BOOST_TEST(piece.reachable);
  BOOST_TEST(!odds_of_piece(board, *value_named(preset_names, "lld"), 0).stranding_cell);
}

BOOST_AUTO_TEST_CASE(of_a_stranded_piece_are_none) {
  const Board board = find_named_board("lld")->board();
  const Rules two_dice{.start = 0, .dice = 2, .sixes = Sixes::plain};
  const PieceOdds piece = odds_of_piece(board, two_dice, 99);
  BOOST_TEST(!piece.reachable);
  BOOST_TEST(piece.finish_probability == 0);
  BOOST_TEST(!piece.fewest_turns);
  BOOST_TEST(!piece.median_turns);
  const RaceOdds race = odds_of_race(board, two_dice, {.cells = {99, 98}, .to_move = 0});
  BOOST_TEST(race.win[0] == 0);
  check_near(race.win[1], 1);  // from 98 only a two leads on, and no piece is stranded
  BOOST_TEST(race.never == 0);
  check_near(race.expected_turns.value(), 72);  // both throw until one of them throws a two
  const RaceOdds nobody = odds_of_race(board, two_dice, {.cells = {99, 99}, .to_move = 1});
  BOOST_TEST(nobody.never == 1);
  BOOST_TEST(!nobody.expected_turns);
}

BOOST_AUTO_TEST_CASE(of_a_race_that_is_won_are_one_and_zero) {
  const Board board = find_named_board("lld")->board();
  const RaceOdds race =
      odds_of_race(board, *value_named(preset_names, "lld"), {.cells = {40, 100, 3}, .to_move = 1});
  BOOST_TEST(race.win == (std::vector<double>{0, 1, 0}), boost::test_tools::per_element());
  BOOST_TEST(race.never == 0);
  BOOST_TEST(*race.expected_turns == 0);
}

BOOST_AUTO_TEST_CASE(of_any_races_are_the_same_together_and_alone) {
  const Board board = find_named_board("class")->board();
  const std::vector<Race> races{{.cells = {1, 1}, .to_move = 0},
                                {.cells = {44, 99, 17}, .to_move = 2},
                                {.cells = {1}, .to_move = 0}};
  const auto together = *odds(board, {}, {.piece = 60, .races = races}).races;
  for (std::size_t i = 0; i < races.size(); ++i) {
    const RaceOdds alone = odds_of_race(board, {}, races[i]);
    for (std::size_t seat = 0; seat < alone.win.size(); ++seat)
      BOOST_TEST(is_near(together[i].win[seat], alone.win[seat], 1e-13));
  }
}

// The wait for a run of successes (Feller, An Introduction to Probability Theory, vol. 1, XIII.7).
BOOST_AUTO_TEST_CASE(keep_their_digits_however_long_a_game_takes) {
  for (const int count : {1, 2, 3, 6, 12, 18, 40}) {
    BOOST_TEST_CONTEXT(count << " sixes in a row") {
      const double p = 1.0 / 6;
      const double q = 5.0 / 6;
      const double rate = q * std::pow(p, count);
      const double mean = (1 - std::pow(p, count)) / rate;
      const double variance = 1 / (rate * rate) - (2 * count + 1) / rate - p / (q * q);
      const Board board = sixes_in_a_row(count);
      const PieceOdds piece = odds_of_piece(board, plain, 1);
      BOOST_TEST(is_near(*piece.expected_turns, mean, 1e-13), *piece.expected_turns);
      BOOST_TEST(is_near(*piece.stddev_turns, std::sqrt(variance), 1e-12), *piece.stddev_turns);
      BOOST_TEST(piece.finish_probability == 1);
      BOOST_TEST(*piece.fewest_turns == count);
      if (count > 1 && mean < 1e18)
        check_near(static_cast<double>(piece.median_turns.value()), median_wait(count));
      const RaceOdds race = odds_of_race(board, plain, {.cells = {1, 1, 1}, .to_move = 0});
      BOOST_TEST(is_near(race.win[0] + race.win[1] + race.win[2], 1, 1e-12));
      BOOST_TEST(race.win[0] >= race.win[1]);
      if (count > 6) BOOST_TEST(is_near(*race.expected_turns, mean, 1e-3));
    }
  }
}

// Two slow regions, one after the other. The waits in them are almost exponential, and the second
// takes six times as long. So a piece at the start passes one in the second region with a
// probability of 6/7 · 1/2 = 3/7.
BOOST_AUTO_TEST_CASE(of_two_slow_regions_are_told_apart) {
  for (const int count : {15, 18, 20}) {
    BOOST_TEST_CONTEXT(count << " sixes, then one more") {
      BoardDescription description{.cells = 6 * (2 * count + 1) + 1};
      const Cell second = 6 * count + 1;
      for (Cell cell = 2; cell < description.cells; ++cell)
        if (cell % 6 != 1) description.snakes.push_back({cell, cell < second ? 1 : second});
      const Board board = *Board::make(description);
      const auto all = odds(
          board, plain,
          {.piece = 1,
           .races = {{.cells = {1, second}, .to_move = 0}, {.cells = {1, 1, 1}, .to_move = 1}}});
      BOOST_REQUIRE(all.races);
      check_near(all.races->front().win[0], 3.0 / 7);
      check_near(all.races->front().win[1], 4.0 / 7);
      for (const double win : all.races->back().win)
        check_near(win, 1.0 / 3);
      const double mean = *all.piece->expected_turns;
      // Both waits are exponential, with means of 1/7 and 6/7 of the whole. Half are over where 6/5
      // · e^(−7t/6) − 1/5 · e^(−7t) = 1/2.
      const double median = static_cast<double>(*all.piece->median_turns) / mean;
      check_near(1.2 * std::exp(-7 * median / 6) - 0.2 * std::exp(-7 * median), 0.5);
    }
  }
}

BOOST_AUTO_TEST_CASE(tell_what_cannot_be_from_what_is_too_rare_to_see) {
  // 43 sixes in a row strand the piece; any other throw on the way wins.
  constexpr int sixes = 43;
  BoardDescription description{.cells = 6 * sixes + 20};
  const std::int64_t trap = 6 * sixes + 1;
  for (std::int64_t cell = 2; cell < description.cells; ++cell) {
    if (cell > trap && cell <= trap + 6)
      description.snakes.push_back({cell, trap});
    else if (cell < trap && cell % 6 != 1)
      description.ladders.push_back({cell, description.cells});
  }
  const Board board = *Board::make(description);
  const auto all = odds(board, plain, {.piece = 1, .races = {{.cells = {1, 1}, .to_move = 0}}});
  BOOST_TEST(*all.piece->stranding_cell == trap);
  BOOST_TEST(!all.piece->expected_turns);
  BOOST_TEST(all.races->front().never < 1e-30);
  BOOST_TEST(!all.races->front().expected_turns);
}

// A run of sixes and later a one finish. Any other throw on the way strands the piece.
Board finished_after_sixes(int sixes) {
  const std::int64_t trap = 6 * sixes + 2;
  const std::int64_t last = trap + 8;
  BoardDescription description{.cells = last};
  for (std::int64_t cell = 2; cell < trap - 1; ++cell)
    if (cell % 6 != 1) description.ladders.push_back({cell, trap});
  description.ladders.push_back({trap - 1, last - 1});
  for (std::int64_t cell = trap + 1; cell <= trap + 6; ++cell)
    description.snakes.push_back({cell, trap});
  return *Board::make(description);
}

BOOST_AUTO_TEST_CASE(of_each_number_of_turns_add_up_however_seldom_a_piece_finishes) {
  for (const int sixes : {1, 12, 100}) {
    const PieceOdds piece = odds_of_piece(finished_after_sixes(sixes), plain, 1);
    check_near(piece.finish_probability, std::pow(6.0, -sixes));
    check_near(chance_until(piece, 1'000'000), piece.finish_probability);
  }
}

BOOST_AUTO_TEST_CASE(of_races_say_so_where_chances_are_too_small) {
  const auto rare = odds(finished_after_sixes(297), plain, {.races = {{.cells = {1, 1}}}});
  BOOST_TEST(!rare.races);
  BOOST_TEST(rare.why_no_races.find("too small for exact odds, below 10^-230") != std::string::npos,
             rare.why_no_races);
}

// Twelve sixes in a row; any other throw starts over, here by powers. The mean is 6 + 6² + … +
// 6^12.
BOOST_AUTO_TEST_CASE(of_a_game_with_powers_that_lasts_very_long_are_exact) {
  BoardDescription description{.cells = 6 * 12 + 1};
  for (std::int64_t cell = 2; cell < description.cells; ++cell)
    if (cell % 6 != 1) description.powers.push_back({.cell = cell, .kind = PowerKind::restart});
  const BoardOdds slow = odds(*Board::make(description), plain,
                              {.piece = 1, .races = {{.cells = {1}}, {.cells = {1, 1}}}});
  const double turns = 1.2 * (std::pow(6.0, 12) - 1);
  check_near(*slow.piece->expected_turns, turns);
  BOOST_REQUIRE(slow.races);
  check_near(slow.races->front().expected_turns.value(), turns);
  check_near(slow.races->back().win[0] + slow.races->back().win[1], 1);
  BOOST_TEST(slow.races->back().win[0] > slow.races->back().win[1]);
}

// 18 sixes in a row lead to a place that only 13 more leave, again and again. Any other throw on
// the way wins. Pieces almost never reach that place, but games that do still show in the mean.
BOOST_AUTO_TEST_CASE(of_a_race_hold_the_few_games_that_take_very_long) {
  const std::int64_t slow = 6 * 18 + 1;
  BoardDescription description{.cells = slow + 6 * 13};
  for (std::int64_t cell = 2; cell < description.cells; ++cell) {
    if (cell % 6 == 1) continue;
    if (cell < slow)
      description.ladders.push_back({cell, description.cells});
    else
      description.snakes.push_back({cell, slow});
  }
  const Board board = *Board::make(description);
  const BoardOdds all = odds(board, plain, {.piece = 1, .races = {{.cells = {1}}}});
  BOOST_REQUIRE(all.races);
  BOOST_TEST(*all.piece->expected_turns > 1.2 + 1e-4);
  check_near(all.races->front().expected_turns.value(), *all.piece->expected_turns);
}

BOOST_AUTO_TEST_CASE(give_no_median_where_just_half_ever_finish) {
  // A coin: 1 leads to one cell before the end, 2 into a trap.
  const Board board = *Board::make({.cells = 12, .snakes = {{4, 3}, {5, 3}}, .ladders = {{2, 11}}});
  const PieceOdds piece = odds_of_piece(board, {.faces = 2, .sixes = Sixes::plain}, 1);
  BOOST_TEST(piece.finish_probability == 0.5);
  BOOST_TEST(!piece.median_turns);
}

BOOST_AUTO_TEST_CASE(of_a_game_that_always_takes_as_long_have_no_deviation) {
  const Rules sure{.finish = Finish::overshoot, .dice = 2, .sixes = Sixes::plain};
  BOOST_TEST(*odds_of_piece(*Board::make({.cells = 2}), sure, 1).stddev_turns == 0);
}

BOOST_AUTO_TEST_CASE(are_refused_where_no_number_is_small_enough) {
  const auto refused = odds_of(sixes_in_a_row(400), plain, {.piece = 1});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().find("too small") != std::string::npos, refused.error());
}

BOOST_AUTO_TEST_CASE(of_a_board_that_alternates_between_cells_are_found_too) {
  // From 1 every throw leads to 10. From 10 half of the throws lead back to 1, and the others to
  // the end. The probabilities never settle, and that of 2k turns is (1/2)^k.
  const Board board =
      *Board::make({.cells = 12, .snakes = {{11, 1}}, .ladders = {{2, 10}, {3, 10}}});
  const Rules coin{.faces = 2, .sixes = Sixes::plain};
  const PieceOdds piece = odds_of_piece(board, coin, 1);
  check_near(*piece.expected_turns, 4);
  BOOST_TEST(*piece.median_turns == 2);
  check_near(chance_of(piece, 10), std::pow(0.5, 5));
  BOOST_TEST(chance_of(piece, 11) == 0);
  // The first player also wins where both need the same number of rounds: 1/2 + 1/4 · 1/2 + …
  check_near(odds_of_race(board, coin, {.cells = {1, 1}, .to_move = 0}).win[0], 2.0 / 3);
}

BOOST_AUTO_TEST_CASE(of_the_smallest_boards_are_right) {
  const Board board = *Board::make({.cells = 2});
  check_near(*odds_of_piece(board, plain, 1).expected_turns, 6);
  check_near(*odds_of_piece(board, {}, 1).expected_turns, 6);
  check_near(*odds_of_piece(board, {.start = 0, .sixes = Sixes::plain}, 0).expected_turns, 6);
  const Rules overshoot{.finish = Finish::overshoot, .sixes = Sixes::plain};
  check_near(*odds_of_piece(board, overshoot, 1).expected_turns, 1);
  BOOST_TEST(odds_of_piece(board, overshoot, 1).distribution->size() == 1U);
}

BOOST_AUTO_TEST_CASE(behind_a_snake_before_the_end_are_right) {
  // From 1 to 3 over a snake on 2: one throw in 6 wins, all others stay or come back.
  const Board board = *Board::make({.cells = 3, .snakes = {{2, 1}}});
  check_near(*odds_of_piece(board, plain, 1).expected_turns, 6);
  check_near(*odds_of_piece(board, plain, 1).stddev_turns, std::sqrt(30));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(odds_of_large_boards)

namespace {

/// As many snakes as ladders, all within some distance of where they start.
Board scattered_board(std::int64_t cells, std::int64_t jumps, std::int64_t reach) {
  std::mt19937_64 random(static_cast<std::uint64_t>(cells));
  BoardDescription description{.cells = cells};
  std::set<std::int64_t> used;
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  while (std::ssize(used) < 2 * jumps) {
    const std::int64_t from = 2 + below(cells - 2);
    if (!used.insert(from).second) continue;
    if (used.size() % 2 == 0)
      description.snakes.push_back({from, std::max<std::int64_t>(1, from - 1 - below(reach))});
    else
      description.ladders.push_back({from, std::min(cells, from + 1 + below(reach))});
  }
  return *Board::make(description);
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_10000_cells_are_given_in_full) {
  const Board board = scattered_board(10'000, 500, 300);
  const auto all = odds(board, *value_named(preset_names, "lld"),
                        {.piece = 0, .races = {{.cells = {0, 0}, .to_move = 0}}});
  const PieceOdds& piece = *all.piece;
  BOOST_TEST(piece.residual < 1e-11);
  BOOST_REQUIRE(piece.distribution);
  double sum = 0;
  double mean = 0;
  for (const auto& [turns, probability] : *piece.distribution) {
    sum += probability;
    mean += static_cast<double>(turns) * probability;
  }
  BOOST_TEST(is_near(sum, 1, 1e-11));
  BOOST_TEST(is_near(mean, *piece.expected_turns, 1e-7), mean << " " << *piece.expected_turns);
  BOOST_TEST(is_near(all.races->front().win[0] + all.races->front().win[1], 1, 1e-11));
}

BOOST_AUTO_TEST_CASE(of_1000000_cells_are_expectations_with_a_residual) {
  const Board board = scattered_board(1'000'000, 20, 1000);
  const auto all = odds(board, *value_named(preset_names, "lld"),
                        {.piece = 0, .races = {{.cells = {0, 0}, .to_move = 0}}});
  const PieceOdds& piece = *all.piece;
  BOOST_TEST(piece.reachable);
  BOOST_TEST(piece.residual < 1e-11);
  BOOST_TEST(is_near(*piece.expected_turns, 1'000'000 / 3.5, 0.1));
  BOOST_TEST(*piece.stddev_turns > 0);
  BOOST_TEST(!piece.distribution);
  BOOST_TEST(!piece.median_turns);
  BOOST_TEST(!all.races);
}

BOOST_AUTO_TEST_CASE(with_too_many_snakes_are_refused) {
  const auto refused = odds_of(scattered_board(1'000'000, 20'000, 1000), plain, {.piece = 1});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().find("worked out for up to 12000") != std::string::npos,
             refused.error());
}

BOOST_AUTO_TEST_SUITE_END()
