// A turn allocates nothing. This executable counts all of its allocations, so it is separate from
// the other tests.
#include "given.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
// Not inlined: g++ 12 reports its free() as a mismatch with the operator new above.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

using namespace snl;
using namespace snl::test;

BOOST_AUTO_TEST_SUITE(counting_allocations)

BOOST_AUTO_TEST_CASE(the_count_sees_them) {
  const std::size_t before = allocations;
  const auto setup = setup_of({});
  BOOST_TEST(allocations > before);
}

BOOST_AUTO_TEST_CASE(a_thousand_turns_allocate_nothing) {
  GameState state = given({started(setup_of({.board = {.cells = 1'000'000}}))}).state();
  const std::size_t before = allocations;
  for (Turn turn = 0; turn < 1000; ++turn) {
    const TurnPlayed event = decide(state, RollTurn{}).value();
    state = evolve(std::move(state), event).value();
  }
  const std::size_t after = allocations;
  BOOST_TEST(after == before);
  BOOST_TEST(state.position.turn == 1000);
}

BOOST_AUTO_TEST_CASE(a_thousand_turns_with_powers_allocate_nothing_either) {
  BoardDescription board{.cells = 40};
  for (std::int64_t cell = 5; cell < 40; cell += 5)
    board.powers.push_back({.cell = cell, .kind = PowerKind::restart});
  board.powers.push_back({.cell = 7, .kind = PowerKind::skip, .n = 2});
  board.powers.push_back({.cell = 9, .kind = PowerKind::swap});
  board.powers.push_back({.cell = 39, .kind = PowerKind::restart});
  const Rules rules{.start = 0, .enter = {1, 6}, .meet = Meet::capture, .safe = {3}};
  GameState state = given({started(setup_of({.board = board, .rules = rules}))}).state();
  const std::size_t before = allocations;
  for (Turn turn = 0; turn < 1000 && !state.completed(); ++turn) {
    const TurnPlayed event = decide(state, RollTurn{}).value();
    state = evolve(std::move(state), event).value();
  }
  const std::size_t after = allocations;
  BOOST_TEST(after == before);
  BOOST_TEST(state.position.turn > 20);
}

BOOST_AUTO_TEST_CASE(a_refused_turn_allocates_nothing_either) {
  const GameState state = given({started(setup_of({}))}).state();
  const std::size_t before = allocations;
  const bool accepted = decide(state, PlayTurn{1, {3}}).has_value();
  const std::size_t after = allocations;
  BOOST_TEST(!accepted);
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_SUITE_END()
