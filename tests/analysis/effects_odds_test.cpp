// Exact odds with powers and faces that enter, compared with brute force by decide and evolve in
// two ways. One plays all games of a small board at once and keeps the probability of each
// position. The other solves one system of linear equations, in which every reachable position is
// an unknown.
#include "domain/analysis/game_chances.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/analysis/visits.hpp"
#include "domain/engine.hpp"
#include "domain/named_boards.hpp"
#include "tests/analysis/choice.hpp"

#include <Eigen/SparseLU>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

using namespace snl;

namespace {

/// Every complete roll, and its probability.
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
      if (is_complete_roll(dice, rules))
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

/// Plays all games at once, until almost none of them is still running.
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

/// All positions that games of a setup can reach, as equations.
class JointPositions {
 public:
  static constexpr std::size_t most_positions = 1500;

  /// None if there are too many.
  static std::optional<JointPositions> of(const GameSetup& setup, const Position& from) {
    JointPositions all(setup);
    all.number_of(from);
    for (std::size_t i = 0; i < all.positions_.size(); ++i) {
      if (all.positions_.size() > most_positions) return std::nullopt;
      all.play_on_from(i);
    }
    all.find_what_ends();
    return all;
  }

  /// Whether every game is won, and whether any is.
  bool ends_for_sure() const { return std::ranges::count(ends_, false) == 0; }
  bool can_end() const { return ends_.front(); }

  std::vector<double> win() const {
    std::vector<double> chances;
    for (const Vector& winning : winning_)
      chances.push_back(solve(winning)[0]);
    return chances;
  }
  /// Where every game is won.
  double turns() const { return solve(Vector::Ones(size()))[0]; }
  /// The mean of their squares.
  double squared_turns() const {
    const Vector turns = solve(Vector::Ones(size()));
    return solve(Vector::Ones(size()) + 2 * (moves_ * turns))[0];
  }
  /// The expected number of turns that the first player begins on a cell, and the probability that
  /// the piece ever stands there.
  double turns_on(Cell cell) const {
    Vector on = Vector::Zero(size());
    for (Eigen::Index i = 0; i < size(); ++i)
      if (is_on(i, cell)) on[i] = 1;
    return solve(on)[0];
  }
  double ever_on(Cell cell) const {
    if (is_on(0, cell)) return 1;
    Vector coming = Vector::Zero(size());
    std::vector<Eigen::Triplet<double>> others;
    for (const auto& move : all_moves_)
      if (is_on(move.col(), cell))
        coming[move.row()] += move.value();
      else
        others.push_back(move);
    Matrix moves(size(), size());
    moves.setFromTriplets(others.begin(), others.end());
    return solve(moves, coming)[0];
  }

  /// The probabilities that a player wins with turn 1, 2 …
  std::vector<double> lengths(std::size_t most) const {
    Vector ending = Vector::Zero(size());
    for (const Vector& winning : winning_)
      ending += winning;
    std::vector<double> chances;
    for (std::size_t turn = 0; turn < most; ++turn) {
      chances.push_back(ending[0]);
      ending = moves_ * ending;
    }
    return chances;
  }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::SparseMatrix<double>;

  explicit JointPositions(const GameSetup& setup)
      : dice_(all_dice(setup.rules)), wins_(setup.players.size()) {
    state_.setup = std::make_shared<const GameSetup>(setup);
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(positions_.size()); }

  int number_of(const Position& position) {
    const auto [at, is_new] = numbers_.try_emplace(position, static_cast<int>(positions_.size()));
    if (is_new) positions_.push_back(position);
    return at->second;
  }

  void play_on_from(std::size_t number) {
    const int from = static_cast<int>(number);
    state_.position = positions_[number];
    for (const auto& [thrown, share] : dice_) {
      const TurnPlayed played = decide(state_, PlayTurn{state_.position.next, thrown}).value();
      Position after = position_after(state_.position, played);
      after.turn = state_.position.turn;
      if (after.winner)
        wins_[*after.winner].emplace_back(from, share);
      else
        all_moves_.emplace_back(from, number_of(after), share);
    }
  }

  void find_what_ends() {
    ends_.resize(positions_.size());
    for (const auto& wins : wins_) {
      winning_.push_back(Vector::Zero(size()));
      for (const auto& [from, share] : wins) {
        winning_.back()[from] += share;
        ends_[static_cast<std::size_t>(from)] = true;
      }
    }
    for (bool found = true; found;) {
      found = false;
      for (const auto& move : all_moves_) {
        if (!ends_[static_cast<std::size_t>(move.col())] ||
            ends_[static_cast<std::size_t>(move.row())])
          continue;
        ends_[static_cast<std::size_t>(move.row())] = true;
        found = true;
      }
    }
    std::erase_if(all_moves_,
                  [&](const auto& move) { return !ends_[static_cast<std::size_t>(move.col())]; });
    moves_.resize(size(), size());
    moves_.setFromTriplets(all_moves_.begin(), all_moves_.end());
  }

  bool is_on(Eigen::Index number, Cell cell) const {
    return positions_[static_cast<std::size_t>(number)].cells[0] == cell;
  }

  Vector solve(const Vector& constant) const { return solve(moves_, constant); }
  static Vector solve(const Matrix& moves, const Vector& constant) {
    Matrix system(moves.rows(), moves.cols());
    system.setIdentity();
    system -= moves;
    system.makeCompressed();
    const Eigen::SparseLU<Matrix> solver(system);
    return solver.solve(constant);
  }

  GameState state_;
  std::vector<std::pair<Dice, double>> dice_;
  std::map<Position, int, Before> numbers_;
  std::vector<Position> positions_;
  std::vector<Eigen::Triplet<double>> all_moves_;
  std::vector<std::vector<std::pair<int, double>>> wins_;  // by seat
  std::vector<Vector> winning_;                            // by seat
  std::vector<bool> ends_;                                 // whether games from here can
  Matrix moves_;
};

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

/// All powers except swap, which couples pieces.
const BoardDescription small{.cells = 9,
                             .snakes = {{8, 2}},
                             .ladders = {{3, 6}},
                             .powers = {{2, again}, {4, skip, 2}, {5, shield, 1}, {7, restart}}};

/// A board on which most cells have a jump or a power.
Board any_small_board(test::Choice& choice, std::int64_t cells, bool with_swaps) {
  BoardDescription board{.cells = cells};
  for (std::int64_t cell = 1; cell < cells; ++cell) {
    const std::int64_t to = choice.among(1, cells);
    if (choice.one_in(3) && to != cell) {
      (to < cell ? board.snakes : board.ladders).push_back({cell, to});
    } else if (!choice.one_in(3)) {
      const auto kinds = static_cast<std::int64_t>(power_kinds.size()) - (with_swaps ? 1 : 2);
      DescribedPower power{
          .cell = cell, .kind = power_kinds.at(static_cast<std::size_t>(choice.among(0, kinds)))};
      if (has_number(power.kind)) power.n = choice.among(1, max_seat_count);
      board.powers.push_back(power);
    }
  }
  return Board::make(board).value();
}

/// Somewhere in the middle of a game.
Position any_place(test::Choice& choice, const GameSetup& setup) {
  Position position{.next = static_cast<Seat>(choice.among(0, std::ssize(setup.players) - 1)),
                    .turn = 20};
  const auto seats = static_cast<Seat>(setup.players.size());
  for (Seat seat = 0; seat < seats; ++seat) {
    position.cells.at(seat) =
        static_cast<Cell>(choice.among(setup.rules.start, setup.board.cells() - 1));
    position.tallies.shields.set(seat, static_cast<std::int32_t>(choice.among(0, 1)));
    if (seat != position.next)
      position.tallies.skips.set(seat, static_cast<std::int32_t>(choice.among(0, 2)));
  }
  return position;
}

/// All rules that concern a single piece.
std::vector<Rules> all_rules() {
  std::vector<Rules> all;
  for (const Cell start : {0, 1})
    for (const Finish finish : {Finish::exact, Finish::overshoot, Finish::bounce}) {
      for (const Sixes sixes : {Sixes::again, Sixes::each})
        all.push_back({.start = start, .finish = finish, .sixes = sixes});
      for (const std::int32_t dice : {1, 2})
        for (const std::int32_t faces : {2, 3})
          all.push_back({.start = start,
                         .finish = finish,
                         .dice = dice,
                         .faces = faces,
                         .sixes = Sixes::plain});
    }
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    if (all[i].start != 0) continue;
    all.push_back(all[i]);
    all.back().enter = {all[i].faces};
  }
  return all;
}

bool agrees(double value, double expected) {
  return std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

void check_race_by_equations(const GameSetup& setup, const Position& from,
                             const JointPositions& joint) {
  const auto odds = chances_at(setup, std::span(&from, 1));
  BOOST_REQUIRE(odds.has_value());
  const RaceOdds& race = odds->front();
  const std::vector<double> win = joint.win();
  for (std::size_t seat = 0; seat < win.size(); ++seat)
    BOOST_TEST(agrees(race.win[seat], win[seat]), race.win[seat] << ", not " << win[seat]);
  BOOST_TEST(race.expected_turns.has_value() == joint.ends_for_sure());
  if (race.expected_turns && joint.ends_for_sure())
    BOOST_TEST(agrees(*race.expected_turns, joint.turns()),
               *race.expected_turns << " turns, not " << joint.turns());
  BOOST_TEST((race.never > 0) == !joint.ends_for_sure());
  if (!joint.ends_for_sure() || setup.players.size() > 2) return;
  const double turns = joint.turns();
  const double squares = joint.squared_turns();
  BOOST_REQUIRE_MESSAGE(race.stddev_turns, turns << " turns, mean square " << squares);
  const double found = *race.stddev_turns * *race.stddev_turns + turns * turns;
  BOOST_TEST(std::abs(found - squares) <= 1e-6 * squares, found << ", not " << squares);
}

void check_piece_by_equations(const GameSetup& setup, const JointPositions& joint) {
  const Cell start = setup.rules.start;
  const auto odds = odds_of(setup.board, setup.rules, {.piece = start});
  BOOST_REQUIRE(odds.has_value());
  const PieceOdds& piece = *odds->piece;
  BOOST_TEST(piece.reachable == joint.can_end());
  BOOST_TEST(piece.stranding_cell.has_value() == !joint.ends_for_sure());
  BOOST_TEST(agrees(piece.finish_probability, joint.win().front()));
  BOOST_TEST(piece.expected_turns.has_value() == joint.ends_for_sure());
  if (piece.expected_turns && joint.ends_for_sure()) {
    const double turns = joint.turns();
    const double squares = joint.squared_turns();
    BOOST_TEST(agrees(*piece.expected_turns, turns));
    BOOST_TEST(agrees(*piece.stddev_turns * *piece.stddev_turns + turns * turns, squares));
  }
  std::map<std::int64_t, double> finishes;
  for (const auto& [turns, probability] : piece.distribution.value())
    finishes[turns] = probability;
  double sum = 0;
  std::optional<std::int64_t> fewest;
  std::optional<std::int64_t> median;
  const std::vector<double> lengths = joint.lengths(200);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto turn = static_cast<std::int64_t>(i) + 1;
    if (turn <= 40) BOOST_TEST(agrees(finishes[turn], lengths[i]));
    if (!fewest && lengths[i] > 0) fewest = turn;
    sum += lengths[i];
    if (!median && sum >= 0.5 - 1e-13) median = turn;
  }
  if (fewest) BOOST_TEST((piece.fewest_turns == fewest));
  if (median && joint.win().front() > 0.5 + 1e-9) BOOST_TEST((piece.median_turns == median));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_odds_with_effects)

BOOST_AUTO_TEST_CASE(of_a_race_solve_the_equations_of_all_positions) {
  test::Choice choice(1);
  std::size_t checked = 0;
  for (int round = 0; round < 40; ++round)
    for (Rules rules : all_rules()) {
      if (choice.one_in(2)) rules.meet = Meet::capture;
      const std::size_t players = choice.one_in(8) ? 3 : 2;
      GameSetup setup = setup_of(players, {}, rules);
      setup.board =
          any_small_board(choice, choice.among(3, players == 3 ? 5 : 8), choice.one_in(2));
      const Position from = choice.one_in(2) ? first_position(setup) : any_place(choice, setup);
      const auto joint = JointPositions::of(setup, from);
      if (!joint) continue;
      ++checked;
      check_race_by_equations(setup, from, *joint);
    }
  BOOST_TEST(checked > 300U);
}

// Two pieces form one chain. Each of three pieces that don't meet has a chain of its own, of rounds
// with any number of sixes.
BOOST_AUTO_TEST_CASE(of_sixes_that_give_another_turn_are_those_of_all_games) {
  const Board board = Board::make({.cells = 20, .snakes = {{17, 3}}, .ladders = {{5, 14}}}).value();
  for (const Finish finish : {Finish::exact, Finish::overshoot, Finish::bounce})
    for (const std::size_t players : {2U, 3U}) {
      GameSetup setup = setup_of(players, {}, {.finish = finish, .sixes = Sixes::each});
      setup.board = board;
      Position from = first_position(setup);
      from.cells[0] = 13;
      from.cells[1] = players == 2 ? 1 : 12;
      if (players == 3) from.cells[2] = 15;
      check_race(setup, from);
    }
}

BOOST_AUTO_TEST_CASE(of_a_piece_alone_know_nothing_of_whose_turn_it_is) {
  const Board board = find_named_board("milton-bradley")->board();
  const auto turns = [&](Sixes sixes) {
    const Rules rules{.start = 0, .sixes = sixes};
    return *odds_of(board, rules, {.piece = 0})->piece->expected_turns;
  };
  BOOST_TEST(agrees(turns(Sixes::each), turns(Sixes::plain)));
}

BOOST_AUTO_TEST_CASE(of_a_piece_alone_solve_the_equations_of_all_its_states) {
  test::Choice choice(2);
  std::size_t checked = 0;
  for (int round = 0; round < 40; ++round)
    for (Rules rules : all_rules()) {
      if (choice.one_in(2)) rules.meet = Meet::capture;
      GameSetup setup = setup_of(1, {}, rules);
      setup.board = any_small_board(choice, choice.among(3, 14), true);
      const auto joint = JointPositions::of(setup, first_position(setup));
      if (!joint) continue;
      ++checked;
      check_piece_by_equations(setup, *joint);
    }
  BOOST_TEST(checked > 400U);
}

BOOST_AUTO_TEST_CASE(of_where_a_piece_alone_comes_solve_the_equations_of_all_its_states) {
  test::Choice choice(3);
  std::size_t checked = 0;
  for (int round = 0; round < 4; ++round)
    for (const Rules& rules : all_rules()) {
      GameSetup setup = setup_of(1, {}, rules);
      setup.board = any_small_board(choice, choice.among(3, 14), true);
      const auto joint = JointPositions::of(setup, first_position(setup));
      if (!joint || !joint->ends_for_sure()) continue;
      ++checked;
      const auto visits = cell_visits(setup.board, rules, rules.start);
      BOOST_REQUIRE_MESSAGE(visits, visits.error());
      for (Cell cell = 0; cell < setup.board.cells(); ++cell) {
        BOOST_TEST(agrees(visits->turns[index_of(cell)], joint->turns_on(cell)));
        BOOST_TEST(agrees(visits->chance[index_of(cell)], joint->ever_on(cell)));
      }
    }
  BOOST_TEST(checked > 40U);
}

// Only a run of sixes finishes. Any other face starts the piece over, makes it miss turns or rolls
// again. Games last up to some million turns.
BOOST_AUTO_TEST_CASE(of_slow_races_solve_the_equations_of_all_positions) {
  for (const std::int64_t rows : {3, 5, 7}) {
    BoardDescription board{.cells = 6 * rows + 1};
    for (std::int64_t cell = 3; cell < board.cells; ++cell) {
      if (cell % 6 == 1) continue;
      if (cell % 6 == 2 && cell > 7)
        board.powers.push_back({.cell = cell, .kind = again});
      else if (cell % 6 == 3)
        board.snakes.push_back({cell, 2});
      else
        board.powers.push_back({.cell = cell, .kind = restart});
    }
    board.powers.push_back({.cell = 2, .kind = skip, .n = 1});
    for (const Meet meet : {Meet::share, Meet::capture}) {
      const GameSetup setup = setup_of(2, board, {.sixes = Sixes::plain, .meet = meet});
      Position from = first_position(setup);
      from.cells[1] = 7;
      const auto joint = JointPositions::of(setup, from);
      BOOST_REQUIRE(joint);
      check_race_by_equations(setup, from, *joint);
    }
  }
}

// Two turns lead from every stage to the next, with a six, or back to the first. The cells after an
// even number of turns are never those after an odd number.
BOOST_AUTO_TEST_CASE(of_slow_races_in_step_solve_the_equations_of_all_positions) {
  for (const std::int64_t stages : {3, 5, 7}) {
    constexpr std::int64_t stage_size = 13;
    BoardDescription board{.cells = stage_size * stages + 1};
    for (std::int64_t first = 1; first < board.cells; first += stage_size) {
      for (std::int64_t die = 1; die <= 6; ++die)
        board.ladders.push_back({first + die, first + 7});
      for (std::int64_t die = 1; die <= 5; ++die)
        board.powers.push_back({.cell = first + 7 + die, .kind = restart});
    }
    const GameSetup setup = setup_of(2, board, {.sixes = Sixes::plain});
    for (const Cell other : {1, 8}) {
      Position from = first_position(setup);
      from.cells[1] = other;
      const auto joint = JointPositions::of(setup, from);
      BOOST_REQUIRE(joint);
      check_race_by_equations(setup, from, *joint);
    }
  }
}

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

BOOST_AUTO_TEST_CASE(of_a_race_that_is_won_are_certain) {
  const GameSetup setup = setup_of(2, small, {});
  const Position won{.cells = {4, 9}, .next = 1, .winner = Seat{1}, .turn = 8};
  const auto odds = chances_at(setup, std::span(&won, 1));
  BOOST_TEST((odds->front() ==
              RaceOdds{.win = {0, 1}, .never = 0, .expected_turns = 0, .stddev_turns = 0}));
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
