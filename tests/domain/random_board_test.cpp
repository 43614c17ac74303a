// Random boards: reproducible from their seed for ever, sound, and as full as possible.
#include "domain/random_board.hpp"

#include "domain/board_forms.hpp"
#include "golden.hpp"
#include "printing.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace snl;

namespace {

using Request = RandomBoardRequest;

std::string told(const Request& request) {
  return std::to_string(request.size) + " rows, " + std::to_string(request.snakes) + " snakes, " +
         std::to_string(request.ladders) + " ladders";
}

std::vector<Jump> jumps_of(const Board& board) {
  std::vector<Jump> jumps(board.snakes().begin(), board.snakes().end());
  jumps.insert(jumps.end(), board.ladders().begin(), board.ladders().end());
  return jumps;
}

/// The promises of random_board about every board.
void check_sound(const Board& board, const Request& request) {
  BOOST_TEST_REQUIRE(board.cells() == request.size * request.size);
  BOOST_TEST_REQUIRE(board.width() == request.size);
  BOOST_TEST_REQUIRE(std::ssize(board.snakes()) == request.snakes);
  BOOST_TEST_REQUIRE(std::ssize(board.ladders()) == request.ladders);
  std::set<Cell> ends;
  for (const auto [from, to] : jumps_of(board)) {
    BOOST_TEST_REQUIRE(from != 1);
    BOOST_TEST_REQUIRE(ends.insert(from).second);
    BOOST_TEST_REQUIRE(ends.insert(to).second);
  }
  for (std::size_t i = 1; i < board.snakes().size(); ++i)
    BOOST_TEST_REQUIRE(board.snakes()[i].from > board.snakes()[i - 1].from + 1);
}

/// The jumps that stay within their row.
std::int64_t within_rows(const Board& board) {
  return std::ranges::count_if(jumps_of(board), [&](Jump jump) {
    return place_of(jump.from, board.width()).row == place_of(jump.to, board.width()).row;
  });
}

/// True if some corner of half as many rows and columns, rounded up, holds all ends.
bool all_in_one_corner(const Board& board) {
  const std::int32_t half = (board.width() + 1) / 2;
  for (const std::int32_t row : {0, board.width() - half}) {
    for (const std::int32_t column : {0, board.width() - half}) {
      const auto within = [&](Cell cell) {
        const Place place = place_of(cell, board.width());
        return place.row >= row && place.row < row + half && place.column >= column &&
               place.column < column + half;
      };
      if (std::ranges::all_of(jumps_of(board),
                              [&](Jump jump) { return within(jump.from) && within(jump.to); }))
        return true;
    }
  }
  return false;
}

Board made(const Request& request, std::uint64_t seed) {
  auto board = random_board(request, seed);
  if (!board) BOOST_FAIL(told(request) << ": " << board.error());
  return *std::move(board);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a_random_board)

BOOST_AUTO_TEST_CASE(is_the_same_everywhere) {
  std::vector<std::string> lines;
  for (const auto& [request, seed] :
       std::vector<std::pair<Request, std::uint64_t>>{{{2, 1, 1}, 0},
                                                      {{3, 1, 2}, 1},
                                                      {{5, 3, 3}, 2},
                                                      {{10, 8, 9}, 3},
                                                      {{10, 10, 10}, UINT64_MAX},
                                                      {{100, 5, 5}, 0x100000000}}) {
    std::string line = told(request) + ", seed " + std::to_string(seed) + ":";
    for (const auto [from, to] : jumps_of(made(request, seed)))
      line += " " + std::to_string(from) + "," + std::to_string(to);
    lines.push_back(line);
  }
  test::check_golden("random_boards.txt", lines);
}

BOOST_AUTO_TEST_CASE(differs_from_seed_to_seed) {
  std::set<std::string> boards;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::string text;
    for (const Cell landing : moves_from(made({10, 5, 5}, seed)))
      text += std::to_string(landing) + " ";
    boards.insert(text);
  }
  BOOST_TEST(boards.size() == 50U);
}

BOOST_AUTO_TEST_CASE(can_have_every_number_of_jumps_up_to_the_limit_and_none_beyond) {
  for (std::int64_t size = 2; size <= 6; ++size) {
    const std::int64_t cells = size * size;
    for (std::int64_t snakes = 0; snakes <= cells; ++snakes) {
      for (std::int64_t ladders = 0; ladders <= cells; ++ladders) {
        const Request request{size, snakes, ladders};
        const bool one_kind = snakes == 0 || ladders == 0;
        const std::int64_t most =
            one_kind ? most_jumps_of_one_kind(cells) : most_jumps_of_both_kinds(cells);
        BOOST_TEST_CONTEXT(told(request)) {
          const auto board = random_board(request, 7);
          BOOST_TEST_REQUIRE(board.has_value() == (snakes + ladders <= most));
          if (board) check_sound(*board, request);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(of_one_kind_could_not_have_one_jump_more) {
  // Every choice of ends on four and on nine cells, with one kind of jump. No jump starts on cell 1
  // or on the last cell, and all ends are distinct.
  for (const Cell cells : {4, 9}) {
    for (const bool snakes : {true, false}) {
      std::int64_t most = 0;
      const auto place = [&](auto& self, std::uint32_t free, std::int64_t placed) -> void {
        most = std::max(most, placed);
        for (Cell low = 1; low < cells; ++low)
          for (Cell high = low + 1; high <= cells; ++high)
            if ((free >> low & 1U) != 0 && (free >> high & 1U) != 0 &&
                (snakes ? high != cells : low != 1))
              self(self, free & ~(1U << low) & ~(1U << high), placed + 1);
      };
      place(place, ~0U, 0);
      BOOST_TEST(most == most_jumps_of_one_kind(cells));
    }
  }
}

BOOST_AUTO_TEST_CASE(names_the_limit_that_is_passed) {
  const auto refusal = [](const Request& request) { return random_board(request, 1).error(); };
  BOOST_TEST(refusal({10, 26, 25}) ==
             "26 snakes and 25 ladders don't fit on 100 cells: at most 50 jumps do");
  BOOST_TEST(refusal({10, 50, 0}) ==
             "50 snakes and 0 ladders don't fit on 100 cells: at most 49 of one kind alone do");
  BOOST_TEST(refusal({2, 0, 2}) ==
             "0 snakes and 2 ladders don't fit on 4 cells: at most 1 of one kind alone do");
  BOOST_TEST(refusal({10, INT64_MAX, INT64_MAX}).ends_with("at most 50 jumps do"));
  BOOST_TEST(refusal({10, -1, 5}) ==
             "-1 snakes and 5 ladders don't fit on 100 cells: neither number can be below 0");
  for (const std::int64_t size : {std::int64_t{INT64_MIN}, std::int64_t{1}, std::int64_t{4097}})
    BOOST_TEST(refusal({size, 1, 1}) ==
               "size " + std::to_string(size) + ": a square board has 2 to 4096 rows");
}

BOOST_AUTO_TEST_CASE(leads_to_other_rows_where_there_is_room) {
  for (const std::int64_t size : {4, 5, 10, 33}) {
    const std::int64_t jumps = size * size / 4;
    for (const Request& request :
         {Request{size, jumps / 2, jumps / 2}, Request{size, 0, jumps}, Request{size, jumps, 0}})
      for (std::uint64_t seed = 0; seed < 20; ++seed)
        BOOST_TEST_CONTEXT(told(request) << ", seed " << seed)
    BOOST_TEST(within_rows(made(request, seed)) == 0);
  }
}

BOOST_AUTO_TEST_CASE(leads_to_other_rows_with_as_many_snakes_as_can) {
  for (std::int64_t size = 2; size <= 7; ++size) {
    const std::int64_t cells = size * size;
    for (std::int64_t snakes = 0; snakes <= most_snakes_across_rows(size); ++snakes) {
      for (std::int64_t ladders = 0; snakes + ladders <= most_jumps_of_both_kinds(cells);
           ++ladders) {
        const Request request{size, snakes, ladders};
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
          const auto board = random_board(request, seed);
          if (!board) continue;  // one kind alone leaves a cell over
          BOOST_TEST_CONTEXT(told(request) << ", seed " << seed) {
            check_sound(*board, request);
            BOOST_TEST(within_rows(*board) == 0);
          }
        }
      }
    }
  }
  for (const std::int64_t size : {20, 33, 64})
    for (const std::int64_t fewer : {0, 1, 2})
      for (const bool with_ladders : {true, false}) {
        const std::int64_t snakes = most_snakes_across_rows(size) - fewer;
        const Request request{size, snakes, with_ladders ? size * size / 2 - snakes : 0};
        BOOST_TEST_CONTEXT(told(request)) {
          const Board board = made(request, 1);
          check_sound(board, request);
          BOOST_TEST(within_rows(board) == 0);
        }
      }
}

BOOST_AUTO_TEST_CASE(leads_to_other_rows_whatever_the_seed) {
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    BOOST_TEST(within_rows(made({4, 6, 0}, seed)) == 0);
}

BOOST_AUTO_TEST_CASE(with_more_snakes_has_no_room_to_lead_them_to_other_rows) {
  for (std::int64_t size = 2; size <= 8; ++size) {
    const std::int64_t snakes = most_snakes_across_rows(size) + 1;
    if (snakes > most_jumps_of_one_kind(size * size)) continue;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      BOOST_TEST(within_rows(made({size, snakes, 0}, seed)) > 0);
  }
}

BOOST_AUTO_TEST_CASE(takes_no_longer_where_it_is_full_of_snakes) {
  // Without a limit of the attempts, this takes many minutes.
  BOOST_TEST(made({600, 179'000, 0}, 1).snakes().size() == 179'000U);
}

BOOST_AUTO_TEST_CASE(is_not_crammed_into_a_corner) {
  for (const std::int64_t size : {4, 5, 6, 7, 40}) {
    for (const Request& request : {Request{size, 1, 1}, Request{size, 2, 0}, Request{size, 0, 2}})
      for (std::uint64_t seed = 0; seed < 100; ++seed)
        BOOST_TEST_CONTEXT(told(request) << ", seed " << seed)
    BOOST_TEST(!all_in_one_corner(made(request, seed)));
  }
}

BOOST_AUTO_TEST_CASE(has_its_jumps_all_over) {
  // About a tenth of ten thousand jumps start in each tenth of the cells that ladders can use.
  std::vector<int> ladders(10);
  std::vector<int> snakes(10);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Board board = made({10, 10, 10}, seed);
    for (const Jump jump : board.ladders())
      ++ladders[static_cast<std::size_t>(jump.from - 1) / 10];
    for (const Jump jump : board.snakes())
      ++snakes[static_cast<std::size_t>(jump.from - 1) / 10];
  }
  // The lower of two random cells is in the first row with a probability of 0.19, and in the last
  // row but one with 0.03. For the higher cell, the rows are in reverse order.
  BOOST_TEST(ladders[0] > 800);
  BOOST_TEST(ladders[0] < 1150);
  BOOST_TEST(ladders[8] > 80);
  BOOST_TEST(snakes[9] > 700);
  BOOST_TEST(snakes[1] > 80);
  BOOST_TEST(std::ranges::is_sorted(ladders, std::greater()));
}

BOOST_AUTO_TEST_CASE(of_a_million_jumps_takes_seconds) {
  const Request request{4096, 500'000, 500'000};
  const Board board = made(request, 1);
  BOOST_TEST(board.snakes().size() == 500'000U);
  BOOST_TEST(within_rows(board) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
