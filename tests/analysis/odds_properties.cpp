// Exact odds of any small board, against two other methods. One tries all sequences of dice. The
// other solves the race of two pieces as a dense system, whose states are all pairs of cells.
#include "../domain/generators.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/analysis/throw_odds.hpp"
#include "domain/move.hpp"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

using namespace snl;
using namespace snl::test;

namespace {

constexpr int small = 12;

rc::Gen<Board> small_board() {
  return rc::gen::suchThat(rc::gen::resize(small, any_board()),
                           [](const Board& board) { return board.cells() <= 20; });
}

Rules small_rules() {
  return *rc::gen::suchThat(any_rules(), [](const Rules& rules) { return rules.faces <= 12; });
}

Cell any_cell_of(const Board& board, const Rules& rules) {
  return *rc::gen::inRange<Cell>(rules.start, board.cells());
}

bool is_near(double value, double expected) {
  return std::abs(value - expected) <= 1e-9 * std::abs(expected) + 1e-15;
}

/// The probabilities of finishing with the first, the second … of `turns` turns, from every
/// sequence of throws.
std::vector<double> finishes_by_counting(const Board& board, const Rules& rules, Cell from,
                                         std::size_t turns) {
  std::vector<double> chances(turns + 1);
  const auto throws = throw_odds(rules);
  const std::function<void(Cell, std::size_t, double)> go_on = [&](Cell cell, std::size_t turn,
                                                                   double chance) {
    if (turn > turns) return;
    for (const auto& [distance, probability] : throws) {
      const Move move = move_piece(board, rules, cell, distance);
      if (move.outcome == Outcome::won)
        chances[turn] += chance * probability;
      else
        go_on(move.to, turn + 1, chance * probability);
    }
  };
  go_on(from, 1, 1);
  return chances;
}

/// The probability that the player to move wins, from every pair of cells, as one system of
/// equations. U(a, b) = finish(a) + Σ P(a → a') P(b → b') U(a', b'), and U(a, b) = 0 where a can't
/// finish.
class JointChain {
 public:
  JointChain(const Board& board, const Rules& rules)
      : size_(board.cells() + 1), go_(Eigen::MatrixXd::Zero(size_, size_)), finish_(size_) {
    finish_.setZero();
    const auto finishing = can_finish(board, rules);
    for (Cell cell = 0; cell < board.cells(); ++cell)
      for (const auto& [distance, probability] : throw_odds(rules)) {
        const Move move = move_piece(board, rules, cell, distance);
        if (move.outcome == Outcome::won)
          finish_[cell] += probability;
        else
          go_(cell, move.to) += probability;
      }
    const Eigen::Index pairs = Eigen::Index{size_} * size_;
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(pairs, pairs);
    Eigen::VectorXd constant = Eigen::VectorXd::Zero(pairs);
    for (Cell a = 0; a < board.cells(); ++a) {
      if (!finishing[static_cast<std::size_t>(a)]) continue;
      for (Cell b = 0; b < board.cells(); ++b) {
        constant[pair(a, b)] = finish_[a];
        for (Cell a2 = 0; a2 < board.cells(); ++a2)
          for (Cell b2 = 0; b2 < board.cells(); ++b2)
            system(pair(a, b), pair(a2, b2)) -= go_(a, a2) * go_(b, b2);
      }
    }
    win_ = system.partialPivLu().solve(constant);
  }

  double mover_wins(Cell mover, Cell other) const { return win_[pair(mover, other)]; }
  double other_wins(Cell mover, Cell other) const {
    double chance = 0;
    for (Cell to = 0; to < size_; ++to)
      chance += go_(mover, to) * win_[pair(other, to)];
    return chance;
  }

 private:
  Eigen::Index pair(Cell a, Cell b) const { return Eigen::Index{a} * size_ + b; }

  Cell size_;
  Eigen::MatrixXd go_;
  Eigen::VectorXd finish_;
  Eigen::VectorXd win_;
};

BoardOdds odds(const Board& board, const Rules& rules, const OddsQuestion& question) {
  return *odds_of(board, rules, question);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_odds_of_any_board)

RC_BOOST_PROP(are_those_of_all_sequences_of_throws, ()) {
  const Board board = *small_board();
  const Rules rules = small_rules();
  const Cell from = any_cell_of(board, rules);
  const std::size_t turns = throw_odds(rules).size() > 12 ? 3 : 5;
  const auto counted = finishes_by_counting(board, rules, from, turns);
  const auto piece = *odds(board, rules, {.piece = from}).piece;
  std::map<std::int64_t, double> chances;
  for (const auto& [turn, chance] : piece.distribution.value_or(std::vector<PieceOdds::Finish>{}))
    chances[turn] = chance;
  for (std::size_t turn = 1; turn <= turns; ++turn) {
    RC_ASSERT(is_near(chances[static_cast<std::int64_t>(turn)], counted[turn]));
    if (counted[turn] > 0) RC_ASSERT(*piece.fewest_turns <= static_cast<std::int64_t>(turn));
  }
}

RC_BOOST_PROP(are_those_of_a_race_as_one_chain, ()) {
  const Board board = *small_board();
  const Rules rules = small_rules();
  const Cell mover = any_cell_of(board, rules);
  const Cell other = any_cell_of(board, rules);
  const JointChain joint(board, rules);
  const auto seat = *rc::gen::inRange<std::size_t>(0, 2);
  Race race{.cells = {mover, other}, .to_move = seat};
  if (seat == 1) std::swap(race.cells[0], race.cells[1]);
  const RaceOdds odds_now = odds(board, rules, {.races = {race}}).races->front();
  RC_ASSERT(is_near(odds_now.win[seat], joint.mover_wins(mover, other)));
  RC_ASSERT(is_near(odds_now.win[1 - seat], joint.other_wins(mover, other)));
  RC_ASSERT(is_near(odds_now.win[0] + odds_now.win[1] + odds_now.never, 1));
}

RC_BOOST_PROP(of_a_race_are_the_average_of_those_after_its_next_turn, ()) {
  const Board board = *small_board();
  const Rules rules = small_rules();
  Race race;
  const auto players = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < players; ++i)
    race.cells.push_back(any_cell_of(board, rules));
  race.to_move = *rc::gen::inRange<std::size_t>(0, players);
  std::vector<Race> races{race};
  const auto throws = throw_odds(rules);
  for (const auto& [distance, probability] : throws) {
    Race after = race;
    after.cells[race.to_move] = move_piece(board, rules, race.cells[race.to_move], distance).to;
    after.to_move = (race.to_move + 1) % players;
    races.push_back(after);
  }
  const auto all = *odds(board, rules, {.races = races}).races;
  for (std::size_t seat = 0; seat < players; ++seat) {
    double average = 0;
    for (std::size_t i = 0; i < throws.size(); ++i)
      average += throws[i].probability * all[i + 1].win[seat];
    RC_ASSERT(is_near(all[0].win[seat], average));
  }
  RC_ASSERT(is_near(std::accumulate(all[0].win.begin(), all[0].win.end(), all[0].never), 1));
  if (!all[0].expected_turns) return;
  double turns = 1;
  for (std::size_t i = 0; i < throws.size(); ++i)
    turns += throws[i].probability * all[i + 1].expected_turns.value();
  RC_ASSERT(is_near(*all[0].expected_turns, turns));
}

RC_BOOST_PROP(of_a_piece_agree_with_each_other, ()) {
  const Board board = *small_board();
  const Rules rules = small_rules();
  const Cell from = any_cell_of(board, rules);
  const auto all = odds(board, rules, {.piece = from, .races = {{.cells = {from}}}});
  const PieceOdds& piece = *all.piece;
  const RaceOdds& alone = all.races->front();
  RC_ASSERT(is_near(alone.win[0], piece.finish_probability));
  RC_ASSERT(piece.reachable == (piece.finish_probability > 0));
  RC_ASSERT(piece.stranding_cell.has_value() == (piece.finish_probability < 1));
  RC_ASSERT(piece.expected_turns.has_value() == !piece.stranding_cell.has_value());
  if (!piece.expected_turns) return;
  RC_ASSERT(is_near(*alone.expected_turns, *piece.expected_turns));
  if (piece.distribution->size() == max_distribution) return;
  double mean = 0;
  for (const auto& [turns, chance] : *piece.distribution)
    mean += static_cast<double>(turns) * chance;
  double variance = 0;
  for (const auto& [turns, chance] : *piece.distribution)
    variance += chance * std::pow(static_cast<double>(turns) - mean, 2);
  // The rows end where a probability of 10^-15 is left, at far more turns than the mean.
  RC_ASSERT(std::abs(mean - *piece.expected_turns) < 1e-9 * mean);
  RC_ASSERT(std::abs(std::sqrt(variance) - *piece.stddev_turns) < 1e-7 * mean);
}

BOOST_AUTO_TEST_SUITE_END()
