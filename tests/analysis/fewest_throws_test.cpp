// The fewest throws, compared with cases that independent programs solved, with every sequence of
// throws on small boards, and with a plain breadth-first search on any board.
#include "domain/analysis/fewest_throws.hpp"

#include "../cases.hpp"
#include "../domain/generators.hpp"
#include "domain/named_boards.hpp"
#include "domain/random_board.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <queue>
#include <string>
#include <vector>

using namespace snl;
namespace json = boost::json;
namespace gen = rc::gen;

namespace {

Board board_of(const BoardDescription& description) {
  return Board::make(description).value();
}

/// Checks that the throws lead along the cells to the last one.
void check_way(const Board& board, Cell start, std::int32_t faces, const FewestThrows& fewest) {
  BOOST_TEST_REQUIRE(fewest.throws.size() == fewest.cells.size());
  if (!fewest.reachable()) {
    BOOST_TEST_REQUIRE(fewest.count == -1);
    BOOST_TEST_REQUIRE(fewest.throws.empty());
    return;
  }
  BOOST_TEST_REQUIRE(std::ssize(fewest.throws) == fewest.count);
  Cell cell = start;
  for (std::size_t i = 0; i < fewest.throws.size(); ++i) {
    BOOST_TEST_REQUIRE(fewest.throws[i] >= 1);
    BOOST_TEST_REQUIRE(fewest.throws[i] <= faces);
    BOOST_TEST_REQUIRE(fewest.throws[i] <= board.cells() - cell);
    cell = board.landing(cell + fewest.throws[i]);
    BOOST_TEST_REQUIRE(cell == fewest.cells[i]);
  }
  BOOST_TEST_REQUIRE(cell == board.cells());
}

/// The fewest throws, by the most straightforward search.
std::vector<std::int32_t> plain_search(const Board& board, Cell start, std::int32_t faces) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(board.cells()) + 1, -1);
  std::queue<Cell> queue;
  const auto reach = [&](Cell cell, std::int32_t count) {
    if (counts[static_cast<std::size_t>(cell)] != -1) return;
    counts[static_cast<std::size_t>(cell)] = count;
    queue.push(cell);
  };
  for (reach(start, 0); !queue.empty(); queue.pop())
    for (std::int32_t eyes = 1; eyes <= faces && eyes <= board.cells() - queue.front(); ++eyes)
      reach(board.landing(queue.front() + eyes),
            counts[static_cast<std::size_t>(queue.front())] + 1);
  return counts;
}

/// The fewest of at most `most` throws, by trying every sequence of them; -1 if none is enough.
std::int32_t by_trying(const Board& board, Cell cell, std::int32_t faces, std::int32_t most) {
  if (cell == board.cells()) return 0;
  if (most == 0) return -1;
  std::int32_t best = -1;
  for (std::int32_t eyes = 1; eyes <= faces && eyes <= board.cells() - cell; ++eyes) {
    const std::int32_t rest = by_trying(board, board.landing(cell + eyes), faces, most - 1);
    if (rest != -1 && (best == -1 || rest + 1 < best)) best = rest + 1;
  }
  return best;
}

void check_board(const Board& board, Cell start, std::int32_t faces) {
  const auto counts = plain_search(board, start, faces);
  const FewestThrows fewest = fewest_throws(board, start, faces);
  BOOST_TEST_REQUIRE(fewest.count == counts.back());
  BOOST_TEST_REQUIRE(fewest_throws_count(board, start, faces) == counts.back());
  check_way(board, start, faces, fewest);
  BOOST_TEST_REQUIRE(fewest_throws_to_every_cell(board, start, faces) == counts,
                     boost::test_tools::per_element());
}

// ---- The cases

struct Case {
  Board board;
  Cell start;
  std::int32_t faces;
  FewestThrows answer;  // of the function for its form
};

BoardDescription description_of(const json::value& cells, const json::value& jumps) {
  BoardDescription description{.cells = cells.to_number<std::int64_t>()};
  for (const auto& [from, to] : jumps.as_object()) {
    const DescribedJump jump{std::stoll(std::string(from)), to.to_number<std::int64_t>()};
    (jump.to < jump.from ? description.snakes : description.ladders).push_back(jump);
  }
  return description;
}

Case matrix_case(const json::value& described) {
  const auto matrix = json::value_to<BoardMatrix>(described.at("board"));
  return {board_from_matrix(matrix).value(), 1, 6, fewest_throws_of_matrix(matrix).value()};
}

Case moves_case(const json::value& described) {
  const auto moves = json::value_to<BoardMoves>(described.at("move"));
  return {board_from_moves(moves).value(), 1, 6, fewest_throws_of_moves(moves).value()};
}

Case jumps_case(const json::value& described) {
  const auto start = described.at("start").to_number<Cell>();
  const auto faces = described.at("faces").to_number<std::int32_t>();
  const auto description = description_of(described.at("cells"), described.at("jumps"));
  return {board_of(description), start, faces,
          fewest_throws_of_jumps(description, start, faces).value()};
}

Case entries_case(const json::value& described) {
  BoardEntries entries{.size = described.at("n").to_number<std::int64_t>(), .entries = {}};
  for (const json::value& entry : described.at("entries").as_array()) {
    const auto number = [&](std::size_t i) { return entry.at(i).to_number<std::int64_t>(); };
    entries.entries.push_back({number(0), number(1),
                               entry_kind_named(entry.at(2).as_string()).value(), number(3),
                               number(4)});
  }
  const Board board = board_from_entries(entries).value();
  BOOST_TEST_REQUIRE(
      (board == board_of(description_of(entries.size * entries.size, described.at("as_jumps")))));
  return {board, 0, 6, fewest_throws_of_entries(entries).value()};
}

Case case_of(const json::value& described) {
  const auto form = json::value_to<std::string>(described.at("form"));
  if (form == "matrix") return matrix_case(described);
  if (form == "move") return moves_case(described);
  if (form == "jumps") return jumps_case(described);
  BOOST_REQUIRE_EQUAL(form, "struct");
  return entries_case(described);
}

void check_case(const json::value& described) {
  const Case known = case_of(described);
  BOOST_TEST(known.answer.count == described.at("expected").to_number<std::int32_t>());
  BOOST_TEST((known.answer == fewest_throws(known.board, known.start, known.faces)));
  check_way(known.board, known.start, known.faces, known.answer);
}

/// The same board in every form that holds it.
void check_every_form(const Board& board, Cell start, std::int32_t faces) {
  const FewestThrows expected = fewest_throws(board, start, faces);
  BOOST_TEST((fewest_throws_of_moves(moves_from(board), start, faces).value() == expected));
  if (const auto matrix = matrix_from(board))
    BOOST_TEST((fewest_throws_of_matrix(*matrix, start, faces).value() == expected));
  if (const auto entries = entries_from(board))
    BOOST_TEST((fewest_throws_of_entries(*entries, start, faces).value() == expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(the_fewest_throws)

BOOST_AUTO_TEST_CASE(of_every_known_board_are_those_that_are_known) {
  const json::value cases = test::read_cases("minthrows.json");
  BOOST_TEST_REQUIRE(cases.at("cases").as_array().size() == 108U);
  for (const json::value& described : cases.at("cases").as_array())
    BOOST_TEST_CONTEXT("case " << described.at("id"))
  check_case(described);
}

BOOST_AUTO_TEST_CASE(are_the_same_in_every_form_of_a_known_board) {
  const json::value cases = test::read_cases("minthrows.json");
  for (const json::value& described : cases.at("cases").as_array()) {
    const Case known = case_of(described);
    BOOST_TEST_CONTEXT("case " << described.at("id"))
    check_every_form(known.board, known.start, known.faces);
  }
}

BOOST_AUTO_TEST_CASE(are_found_by_trying_every_sequence_on_boards_of_two_to_five_cells) {
  // Every possible board with this number of cells: each cell except the last leads to any cell or
  // to itself.
  for (Cell cells = 2; cells <= 5; ++cells) {
    std::vector<Cell> landings(static_cast<std::size_t>(cells) + 1, 1);
    landings.front() = 0;
    landings.back() = cells;
    for (;;) {
      const Board board = Board::from_landings(cells, landings).value();
      for (const Cell start : {0, 1})
        for (const std::int32_t faces : {1, 2, 3, 6})
          BOOST_TEST_REQUIRE(fewest_throws(board, start, faces).count ==
                             by_trying(board, start, faces, cells));
      std::size_t cell = 1;
      while (cell < landings.size() - 1 && landings[cell] == cells)
        landings[cell++] = 1;
      if (cell == landings.size() - 1) break;
      ++landings[cell];
    }
  }
}

BOOST_AUTO_TEST_CASE(are_found_by_trying_every_sequence_on_random_boards) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Board board = random_board({4, 3, 3}, seed).value();
    for (const std::int32_t faces : {2, 3, 6})
      BOOST_TEST_REQUIRE(fewest_throws(board, 1, faces).count == by_trying(board, 1, faces, 8));
  }
}

BOOST_AUTO_TEST_CASE(on_two_cells_are_one) {
  const Board board = board_of({.cells = 2});
  BOOST_TEST((fewest_throws(board, 1, 6) == FewestThrows{1, {1}, {2}}));
  BOOST_TEST((fewest_throws(board, 0, 6) == FewestThrows{1, {2}, {2}}));
  BOOST_TEST((fewest_throws(board, 0, 1) == FewestThrows{2, {1, 1}, {1, 2}}));
  BOOST_TEST(fewest_throws(board_of({.cells = 2, .ladders = {{1, 2}}}), 0, 1).count == 1);
}

BOOST_AUTO_TEST_CASE(on_one_cell_are_none_in_every_form) {
  const FewestThrows none{0, {}, {}};
  BOOST_TEST((fewest_throws_of_matrix({{-1}}).value() == none));
  BOOST_TEST((fewest_throws_of_matrix({{1}}).value() == none));
  BOOST_TEST((fewest_throws_of_moves(BoardMoves{-1}).value() == none));
  BOOST_TEST((fewest_throws_of_moves(BoardMoves{0}).value() == none));
  BOOST_TEST((fewest_throws_of_entries({.size = 1, .entries = {}}).value() == none));
  BOOST_TEST((fewest_throws_of_jumps({.cells = 1}).value() == none));
}

BOOST_AUTO_TEST_CASE(of_a_board_with_faults_are_its_faults) {
  BOOST_TEST(fewest_throws_of_matrix({{2}}).error().front() ==
             "1 row: a square board has 2 to 4096");
  BOOST_TEST(fewest_throws_of_moves(BoardMoves{7, -1}).error().size() == 1U);
  BOOST_TEST(fewest_throws_of_entries({.size = 0, .entries = {}}).error().size() == 1U);
  BOOST_TEST(fewest_throws_of_jumps({.snakes = {{3, 9}}, .ladders = {{9, 3}}}).error().size() ==
             2U);
}

BOOST_AUTO_TEST_CASE(are_not_fewer_by_a_chain_of_jumps) {
  const Board board = board_of({.cells = 30, .ladders = {{2, 5}, {5, 30}}});
  BOOST_TEST(fewest_throws(board, 1, 6).count == 1);  // 4 lands on 5, whose ladder is taken
  BOOST_TEST(fewest_throws(board, 1, 3).count == 2);  // 3 to 4, then 1
}

BOOST_AUTO_TEST_CASE(are_none_where_a_snake_guards_the_end) {
  const Board board = board_of({.cells = 9, .snakes = {{8, 1}}});
  BOOST_TEST(fewest_throws(board, 1, 1).count == -1);
  BOOST_TEST(fewest_throws(board, 1, 1).throws.empty());
  BOOST_TEST(fewest_throws(board, 1, 2).count == 4);
  check_board(board, 1, 1);
  check_board(board, 1, 2);
}

BOOST_AUTO_TEST_CASE(are_those_of_any_number_of_faces) {
  const Board board = board_of({.cells = 1000, .snakes = {{999, 2}}, .ladders = {{3, 500}}});
  for (const std::int32_t faces : {1, 2, 63, 64, 65, 128, 998, 999, 1000, 1001, INT32_MAX})
    for (const Cell start : {0, 1, 2, 999, 1000})
      check_board(board, start, faces);
}

BOOST_AUTO_TEST_CASE(from_the_last_cell_are_none) {
  BOOST_TEST((fewest_throws(board_of({.cells = 9}), 9, 6) == FewestThrows{0, {}, {}}));
}

BOOST_AUTO_TEST_CASE(on_a_board_full_of_jumps_are_found) {
  // Every cell leads to the one after the next.
  std::vector<Cell> landings{0};
  for (Cell cell = 1; cell <= 100; ++cell)
    landings.push_back(std::min(cell + 2, 100));
  check_board(Board::from_landings(10, landings).value(), 1, 6);
  // Every cell leads back to the first one.
  std::ranges::fill(landings, 1);
  landings.front() = 0;
  landings.back() = 100;
  check_board(Board::from_landings(10, landings).value(), 1, 6);
  BOOST_TEST(fewest_throws(Board::from_landings(10, landings).value(), 95, 6).count == 1);
}

BOOST_AUTO_TEST_CASE(on_a_board_made_to_be_slow_take_no_time) {
  // Each throw of the highest face leads one cell further than the one before. All others lead
  // back.
  constexpr Cell half = 1'000'000;
  std::vector<Cell> landings(2 * half + 1, 1);
  for (Cell cell = half + 1; cell < 2 * half; ++cell)
    landings[static_cast<std::size_t>(cell)] = cell - half + 1;
  landings.front() = 0;
  landings.back() = 2 * half;
  const Board board = Board::from_landings(1000, landings).value();
  const FewestThrows fewest = fewest_throws(board, 1, half);
  BOOST_TEST(fewest.count == half);
  BOOST_TEST(std::ranges::count(fewest.throws, half) == half);
}

RC_BOOST_PROP(of_any_board_are_those_of_a_plain_search, ()) {
  const Board board = *test::any_board();
  const auto start = *gen::inRange<Cell>(0, board.cells() + 1);
  const auto faces = *gen::oneOf(gen::inRange(1, 10), gen::inRange(1, 200));
  check_board(board, start, faces);
}

RC_BOOST_PROP(of_any_landings_are_those_of_a_plain_search, ()) {
  const auto cells = *gen::inRange<Cell>(2, 400);
  auto landings = *gen::container<std::vector<Cell>>(static_cast<std::size_t>(cells) + 1,
                                                     gen::inRange<Cell>(1, cells + 1));
  landings.front() = 0;
  landings.back() = cells;
  const Board board = Board::from_landings(cells, landings).value();
  for (const std::int32_t faces : {1, 2, 6, 100})
    check_board(board, 1, faces);
}

BOOST_AUTO_TEST_SUITE_END()
