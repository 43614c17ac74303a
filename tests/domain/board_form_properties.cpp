// Properties of any board in any form, and of any random board.
#include "domain/board_forms.hpp"
#include "domain/random_board.hpp"
#include "generators.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

using namespace snl;
using namespace snl::test;

namespace {

namespace gen = rc::gen;

/// A board of that many rows and columns with the jumps of `described` that fit on it.
Board square(const BoardDescription& described, std::int64_t rows) {
  BoardDescription board{.cells = rows * rows};
  for (const auto* jumps : {&described.snakes, &described.ladders})
    for (const auto& jump : *jumps)
      if (jump.from < board.cells && jump.to <= board.cells)
        (jump.to < jump.from ? board.snakes : board.ladders).push_back(jump);
  return Board::make(board).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(in_any_form)

RC_BOOST_PROP(a_square_board_comes_back_the_same, (const BoardDescription& described)) {
  const Board board = square(described, *gen::inRange<std::int64_t>(2, 13));
  RC_ASSERT(board_from_matrix(matrix_from(board).value()).value() == board);
  RC_ASSERT(board_from_moves(moves_from(board)).value() == board);
  RC_ASSERT(board_from_entries(entries_from(board).value()).value() == board);
}

RC_BOOST_PROP(moves_hold_every_board_but_for_its_width, (const Board& board)) {
  const Board back = board_from_moves(moves_from(board)).value();
  RC_ASSERT(back.cells() == board.cells());
  RC_ASSERT(moves_from(back) == moves_from(board));
  RC_ASSERT((back == board) == (board.width() == usual_width(board.cells())));
}

RC_BOOST_PROP(only_squares_are_a_matrix_or_entries, (const Board& board)) {
  const bool is_square = board.width() * board.width() == board.cells();
  RC_ASSERT(matrix_from(board).has_value() == is_square);
  RC_ASSERT(entries_from(board).has_value() == is_square);
}

RC_BOOST_PROP(entries_mean_the_same_in_any_order, (const BoardDescription& described)) {
  const Board board = square(described, *gen::inRange<std::int64_t>(2, 13));
  BoardEntries entries = entries_from(board).value();
  const auto order = *gen::container<std::vector<std::uint32_t>>(entries.entries.size(),
                                                                 gen::arbitrary<std::uint32_t>());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::swap(entries.entries[i], entries.entries[order[i] % order.size()]);
  RC_ASSERT(board_from_entries(entries).value() == board);
}

RC_BOOST_PROP(entries_without_one_of_them_have_one_fault, (const BoardDescription& described)) {
  BoardEntries entries = entries_from(square(described, 12)).value();
  RC_PRE(!entries.entries.empty());
  const auto gone = *gen::inRange<std::size_t>(0, entries.entries.size());
  entries.entries.erase(entries.entries.begin() + static_cast<std::ptrdiff_t>(gone));
  const auto board = board_from_entries(entries);
  RC_ASSERT(!board.has_value());
  RC_ASSERT(board.error().size() == 1U);
}

RC_BOOST_PROP(any_numbers_are_a_board_or_have_faults, ()) {
  const auto rows = *gen::inRange<std::size_t>(0, 5);
  const auto number =
      gen::weightedOneOf<Cell>({{8, gen::inRange<Cell>(-2, 20)}, {1, gen::arbitrary<Cell>()}});
  BoardMatrix matrix;
  BoardMoves moves;
  for (std::size_t row = 0; row < rows; ++row) {
    matrix.push_back(*gen::container<std::vector<Cell>>(rows, number));
    moves.insert(moves.end(), matrix.back().begin(), matrix.back().end());
  }
  const auto from_matrix = board_from_matrix(matrix);
  RC_ASSERT(from_matrix.has_value() || !from_matrix.error().empty());
  const auto from_moves = board_from_moves(moves);
  RC_ASSERT(from_moves.has_value() || !from_moves.error().empty());
}

RC_BOOST_PROP(a_random_board_is_sound, (std::uint64_t seed)) {
  const auto size = *gen::inRange<std::int64_t>(2, 20);
  const std::int64_t most = most_jumps_of_one_kind(size * size);
  const auto snakes = *gen::inRange<std::int64_t>(0, most + 1);
  const auto ladders = *gen::inRange<std::int64_t>(0, most - snakes + 1);
  const Board board = random_board({size, snakes, ladders}, seed).value();
  RC_ASSERT(std::ssize(board.snakes()) == snakes);
  RC_ASSERT(std::ssize(board.ladders()) == ladders);
  RC_ASSERT(board.landing(1) == 1);
  for (const auto jumps : {board.snakes(), board.ladders()})
    for (const Jump jump : jumps)
      RC_ASSERT(board.landing(jump.to) == jump.to);
  // From every cell a die of two faces leads higher.
  for (Cell cell = 0; cell < board.cells(); ++cell)
    RC_ASSERT(board.landing(cell + 1) > cell ||
              (cell + 2 <= board.cells() && board.landing(cell + 2) > cell));
  RC_ASSERT(random_board({size, snakes, ladders}, seed).value() == board);
}

BOOST_AUTO_TEST_SUITE_END()
