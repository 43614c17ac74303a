// Properties of any board, any rules and any dice.
#include "domain/move.hpp"
#include "domain/turn_dice.hpp"
#include "generators.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <string>

using namespace snl;
using namespace snl::test;

namespace {

namespace gen = rc::gen;

/// The faults of `board` when `kind` also leads from → to.
std::vector<BoardFault> faults_with(BoardDescription board, JumpKind kind, DescribedJump jump) {
  (kind == JumpKind::snake ? board.snakes : board.ladders).push_back(jump);
  auto made = Board::make(board);
  RC_ASSERT(!made.has_value());
  return std::move(made).error();
}

/// A seeded die as documented, with the four digits of a word as one number.
std::int32_t documented_die(std::uint64_t seed, Turn turn, std::uint32_t die, std::int32_t faces) {
  const auto t = static_cast<std::uint64_t>(turn - 1);
  const auto base = static_cast<std::uint64_t>(faces);
  const std::uint64_t numbers = base * base * base * base;
  const std::uint64_t two_to_32 = 4294967296;
  for (std::uint32_t attempt = 0;; ++attempt) {
    const auto words = philox4x32({static_cast<std::uint32_t>(t / 16), die, attempt, 0},
                                  {static_cast<std::uint32_t>(seed % two_to_32),
                                   static_cast<std::uint32_t>(seed / two_to_32)});
    const std::uint64_t product = words.at(t % 16 / 4) * numbers;
    if (product % two_to_32 < two_to_32 % numbers) continue;
    std::uint64_t number = product / two_to_32;
    for (std::uint64_t digit = 3; digit > t % 4; --digit)
      number /= base;
    return static_cast<std::int32_t>(number % base) + 1;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(on_any_board)

RC_BOOST_PROP(a_cell_is_where_its_place_says, ()) {
  const auto width = *gen::inRange<std::int32_t>(1, 5000);
  const auto cell = *gen::inRange<Cell>(1, static_cast<Cell>(max_cells) + 1);
  const Place place = place_of(cell, width);
  RC_ASSERT(place.column >= 0 && place.column < width);
  RC_ASSERT(cell_at(place, width) == cell);
}

RC_BOOST_PROP(a_place_is_where_its_cell_says, ()) {
  const auto width = *gen::inRange<std::int32_t>(1, 4097);
  const Place place{*gen::inRange<std::int32_t>(0, 4096), *gen::inRange<std::int32_t>(0, width)};
  RC_ASSERT(place_of(cell_at(place, width), width) == place);
}

RC_BOOST_PROP(every_jump_as_described_is_taken_and_no_other, (const BoardDescription& described)) {
  const Board board = Board::make(described).value();
  std::vector<Cell> expected;
  for (Cell cell = 0; cell <= board.cells(); ++cell)
    expected.push_back(cell);
  for (const auto* jumps : {&described.snakes, &described.ladders})
    for (const auto& jump : *jumps)
      expected.at(static_cast<std::size_t>(jump.from)) = static_cast<Cell>(jump.to);
  for (Cell cell = 0; cell <= board.cells(); ++cell)
    RC_ASSERT(board.landing(cell) == expected.at(static_cast<std::size_t>(cell)));
}

RC_BOOST_PROP(one_bad_jump_is_refused_and_named, (const BoardDescription& board)) {
  using Jump = DescribedJump;
  const auto kind = *gen::element(JumpKind::snake, JumpKind::ladder);
  const auto cell = *gen::inRange<std::int64_t>(1, board.cells + 1);
  const auto off =
      *gen::elementOf(std::vector<std::int64_t>{-1, 0, board.cells + 1, INT64_MAX, INT64_MIN});
  const std::vector<Jump> bad{{cell, off}, {off, cell}, {cell, cell}, {board.cells, cell}};
  const Jump jump = bad.at(*gen::inRange<std::size_t>(0, bad.size()));
  const auto faults = faults_with(board, kind, jump);
  const std::size_t index = (kind == JumpKind::snake ? board.snakes : board.ladders).size();
  const std::string name =
      to_string(kind) + " " + std::to_string(jump.from) + "," + std::to_string(jump.to) + ": ";
  for (const BoardFault& fault : faults)
    if (fault.jump == JumpRef{kind, index}) RC_ASSERT(fault.message.starts_with(name));
  RC_ASSERT(std::ranges::any_of(
      faults, [&](const BoardFault& fault) { return fault.jump == JumpRef{kind, index}; }));
}

RC_BOOST_PROP(a_piece_stays_on_the_board, (const Board& board, const Rules& rules)) {
  const auto from = *gen::inRange<Cell>(rules.start, board.cells());
  const auto distance = *gen::elementOf(distances_of(rules));
  const Move move = move_piece(board, rules, from, distance);
  const Cell first = std::min<Cell>(from, 1);
  RC_ASSERT(move.landed >= first && move.landed <= board.cells());
  RC_ASSERT(move.to >= first && move.to <= board.cells());
  RC_ASSERT((move.outcome == Outcome::won) == (move.to == board.cells()));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(with_any_dice)

RC_BOOST_PROP(possible_ones_go_no_farther_than_a_whole_turn_can, (const Rules& rules)) {
  const Dice dice = *possible_dice_under(rules);
  const auto distance = distance_of(dice, rules);
  RC_ASSERT(distance.has_value());
  RC_ASSERT(*distance >= 0 && *distance <= distances_of(rules).back());
}

RC_BOOST_PROP(impossible_ones_go_nowhere, (const Rules& rules)) {
  RC_ASSERT(!distance_of(*impossible_dice_under(rules), rules).has_value());
}

RC_BOOST_PROP(rolled_ones_are_a_whole_turn, (const Rules& rules, std::uint64_t seed)) {
  const Turn turn = *gen::inRange<Turn>(1, 100'000);
  const auto distance = distance_of(roll_dice(rules, seed, turn), rules);
  RC_ASSERT(distance.has_value());
  RC_ASSERT(std::ranges::binary_search(distances_of(rules), *distance));
}

RC_BOOST_PROP(a_seeded_die_falls_as_documented, (std::uint64_t seed)) {
  const Turn turn = *gen::inRange<Turn>(1, Turn{1} << 36U);
  const auto die = *gen::inRange<std::uint32_t>(0, max_dice);
  const auto faces = *gen::inRange(min_faces, max_faces + 1);
  RC_ASSERT(seeded_die(seed, turn, die, faces) == documented_die(seed, turn, die, faces));
}

BOOST_AUTO_TEST_SUITE_END()
