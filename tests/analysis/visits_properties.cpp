// The cells where a piece spends its turns, on any small board, against dense matrices. Their
// inverse gives the turns, and a chain that stops at a cell gives the probability of ever reaching
// it.
#include "../domain/generators.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/analysis/throw_odds.hpp"
#include "domain/analysis/visits.hpp"
#include "domain/move.hpp"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <cmath>
#include <numeric>

using namespace snl;
using namespace snl::test;

namespace {

struct Question {
  Board board;
  Rules rules;
  Cell from;
};

/// A board on which a piece always finishes.
Question any_question() {
  const auto small = rc::gen::suchThat(rc::gen::resize(15, any_board()),
                                       [](const Board& board) { return board.cells() <= 25; });
  return *rc::gen::suchThat(rc::gen::map(rc::gen::pair(small, any_rules()),
                                         [](std::pair<Board, Rules> both) {
                                           const Cell start = both.second.start;
                                           return Question{std::move(both.first), both.second,
                                                           start};
                                         }),
                            [](const Question& question) {
                              return !stranding_cell(question.board, question.rules, question.from);
                            });
}

/// The probabilities of one turn's moves between all cells from 0 to the last; none from `stop` or
/// from the last.
Eigen::MatrixXd turn_matrix(const Question& question, Cell stop) {
  const Eigen::Index size = question.board.cells() + 1;
  const CellSet reached = reachable_from(question.board, question.rules, question.from);
  Eigen::MatrixXd chances = Eigen::MatrixXd::Zero(size, size);
  for (Cell cell = 0; cell < question.board.cells(); ++cell)
    for (const auto& [distance, probability] : throw_odds(question.rules))
      if (cell != stop && reached[index_of(cell)])
        chances(cell, move_piece(question.board, question.rules, cell, distance).to) += probability;
  return chances;
}

/// The expected number of times that a piece stands on each cell, by cell.
Eigen::VectorXd stands(const Question& question, Cell stop) {
  const Eigen::MatrixXd turns = turn_matrix(question, stop);
  const Eigen::Index size = turns.rows();
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(size, size) - turns.transpose();
  return system.partialPivLu().solve(Eigen::VectorXd::Unit(size, question.from));
}

bool is_close(double value, double expected) {
  return std::abs(value - expected) <= 1e-9 * std::abs(expected) + 1e-13;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_turns_that_a_piece_spends_on_each_cell)

RC_BOOST_PROP(are_those_of_the_inverse_of_a_matrix, ()) {
  const Question question = any_question();
  const auto visits = cell_visits(question.board, question.rules, question.from);
  RC_ASSERT(visits.has_value());
  const Eigen::VectorXd expected = stands(question, question.board.cells());
  for (Cell cell = 0; cell < question.board.cells(); ++cell)
    RC_ASSERT(is_close(visits->turns[index_of(cell)], expected[cell]));
  RC_ASSERT(visits->turns.back() == 0);
}

RC_BOOST_PROP(come_with_the_chance_ever_to_stand_there, ()) {
  const Question question = any_question();
  const auto visits = cell_visits(question.board, question.rules, question.from);
  const Cell cell = *rc::gen::inRange<Cell>(0, question.board.cells() + 1);
  RC_ASSERT(is_close(visits->chance[index_of(cell)], stands(question, cell)[cell]));
}

RC_BOOST_PROP(add_up_to_the_expected_turns, ()) {
  const Question question = any_question();
  const auto visits = cell_visits(question.board, question.rules, question.from);
  const auto odds = odds_of(question.board, question.rules, {.piece = question.from});
  RC_ASSERT(is_close(std::accumulate(visits->turns.begin(), visits->turns.end(), 0.),
                     *odds->piece->expected_turns));
}

BOOST_AUTO_TEST_CASE(are_refused_where_there_may_be_no_end_of_them) {
  const auto visits = cell_visits(*Board::make({}), {.dice = 2, .sixes = Sixes::plain}, 1);
  BOOST_REQUIRE(!visits);
  BOOST_TEST(visits.error().contains("cell 99"));
}

BOOST_AUTO_TEST_CASE(are_refused_where_there_are_too_many_cells) {
  BOOST_TEST(!cell_visits(*Board::make({.cells = 100'000}), {}, 1));
  BOOST_TEST(cell_visits(*Board::make({.cells = 400}), {}, 1).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
