// What the kernels play, made by the engine's own rules.
#include "domain/move.hpp"
#include "domain/turn_dice.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>

namespace snl::simulation {
namespace {

/// The longest distance of a turn.
std::int32_t farthest(const Rules& rules) {
  return distances_of(rules).back();
}

}  // namespace

Track::Track(const Board& board, const Rules& rules) : cells_(board.cells()) {
  const Cell farthest_landing = cells_ + farthest(rules);
  steps_.resize(static_cast<std::size_t>(farthest_landing) + 1);
  for (Cell landing = 1; landing <= farthest_landing; ++landing) {
    const Cell from = std::min(landing, cells_) - 1;
    const Move move = move_piece(board, rules, from, landing - from);
    if (move.outcome == Outcome::blocked) continue;
    const auto jump = jump_between(move.landed, move.to);
    steps_[static_cast<std::size_t>(landing)] = {
        .to = static_cast<std::uint32_t>(move.to) & ((1U << 30U) - 1),
        .snake = jump == JumpKind::snake,
        .ladder = jump == JumpKind::ladder};
  }
}

DiceKind dice_kind(const Rules& rules) {
  const auto faces = static_cast<std::uint64_t>(rules.faces);
  return {.rule = throwing_rule(rules),
          .faces = static_cast<std::uint32_t>(faces),
          .unfair_below = static_cast<std::uint32_t>((std::uint64_t{1} << 32U) %
                                                     (faces * faces * faces * faces))};
}

bool are_drawn_in_vectors(const Rules& rules) {
  constexpr std::int32_t most_faces = 40;  // 40³ ≤ 2¹⁶: see split_pairs
  const ThrowingRule rule = throwing_rule(rules);
  // Those that the kernels are compiled for: see the end of simulation_vectors.cpp.
  const bool one = rule.at_once == 1 && (rule.most == 1 || rule.most == 3);
  const bool two = rule.at_once == 2 && rule.most == 2;
  return rules.faces <= most_faces && (one || two);
}

std::optional<VectorTrack> vector_track(const Board& board, const Rules& rules) {
  constexpr std::int32_t heights = VectorTrack::segments * VectorTrack::segment_size;
  const std::int32_t past_end = rules.finish == Finish::exact ? 0 : farthest(rules) - 1;
  const std::int32_t highest = board.cells() - rules.start + past_end;
  if (highest >= heights || !are_drawn_in_vectors(rules)) return std::nullopt;

  const Track track(board, rules);
  VectorTrack vectors{};
  vectors.start = static_cast<std::uint8_t>(highest);
  vectors.end = static_cast<std::uint8_t>(past_end);
  vectors.used_segments = highest / VectorTrack::segment_size + 1;
  std::array<std::uint8_t, heights> steps{};
  for (std::int32_t height = 0; height <= highest; ++height) {
    const Cell landing = board.cells() + past_end - height;
    if (landing == 0) continue;  // only where pieces start
    const Track::Step step = track.step(landing);
    const auto to = board.cells() + past_end - static_cast<std::int32_t>(step.to);
    // Ladders are told by the height alone. After a bounce that doesn't work.
    if ((step.ladder == 1) != (height > to)) return std::nullopt;
    steps[static_cast<std::size_t>(height)] =
        static_cast<std::uint8_t>(to | (step.snake == 1 ? VectorTrack::snake_bit : 0));
  }
  for (std::size_t height = 0; height < heights; ++height) {
    const std::uint8_t before =
        height < VectorTrack::segment_size ? 0 : steps[height - VectorTrack::segment_size];
    vectors.steps[height / VectorTrack::segment_size][height % VectorTrack::segment_size] =
        static_cast<std::uint8_t>(steps[height] ^ before);
  }
  return vectors;
}

}  // namespace snl::simulation
