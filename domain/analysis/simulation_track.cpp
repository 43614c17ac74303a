// The tables that the kernels play by, made from the engine's own rules.
#include "domain/effects.hpp"
#include "domain/turn_dice.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>

namespace snl::simulation {
namespace {

std::uint16_t event_of(PowerKind kind) {
  switch (kind) {
    case PowerKind::again:
      return Track::again;
    case PowerKind::skip:
      return Track::skip;
    case PowerKind::restart:
      return Track::restart;
    case PowerKind::shield:
      return Track::shield;
    case PowerKind::swap:
      return Track::swap;
  }
  return 0;
}

/// The step of a piece with this arrival and without a shield.
Track::Step step_of(const Board& board, const Rules& rules, const Arrival& arrival) {
  if (stays(arrival.outcome)) return {.events = Track::stays};
  Track::Step step{.rest = arrival.rest, .landed = arrival.landed};
  unsigned events = 0;
  const auto jump = jump_between(arrival.landed, arrival.rest);
  if (jump == JumpKind::snake) events |= Track::snake;
  if (jump == JumpKind::ladder) events |= Track::ladder;
  if (arrival.outcome == Outcome::won) events |= Track::wins;
  if (captures_on(rules, arrival.rest)) events |= Track::captures;
  if (captures_on(rules, arrival.landed)) events |= Track::captures_on_head;
  if (const Power* const power = power_met(board, arrival)) {
    events |= event_of(power->kind);
    step.n = power->n;
  }
  // A capture on a head matters only if there is a snake. Clearing it otherwise leaves most moves
  // without an event.
  if (jump != JumpKind::snake) events &= ~unsigned{Track::captures_on_head};
  step.events = static_cast<std::uint16_t>(events);
  return step;
}

}  // namespace

Track::Track(const Board& board, const Rules& rules) {
  const Cell farthest_landing = board.cells() + distances_of(rules).back();
  steps_.resize(static_cast<std::size_t>(farthest_landing) + 1);
  for (Cell landing = 1; landing <= farthest_landing; ++landing) {
    const Cell from = std::min(landing, board.cells()) - 1;
    const Throw thrown{.distance = landing - from, .enters = true};
    steps_[static_cast<std::size_t>(landing)] =
        step_of(board, rules, arrive(board, rules, from, thrown, 0));
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
  // The dice that the kernels are compiled for: see the end of simulation_vectors.cpp.
  const bool one = rule.at_once == 1 && (rule.most == 1 || rule.most == 3);
  const bool two = rule.at_once == 2 && rule.most == 2;
  return rules.faces <= most_faces && (one || two);
}

std::optional<VectorTrack> vector_track(const Board& board, const Rules& rules) {
  constexpr std::int32_t heights = VectorTrack::segments * VectorTrack::segment_size;
  const std::int32_t past_end = rules.finish == Finish::exact ? 0 : distances_of(rules).back() - 1;
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
    const Track::Step& step = track.step(landing);
    const auto to = board.cells() + past_end - step.rest;
    // The kernels tell a ladder by the heights alone. After a bounce, that doesn't work.
    if (((step.events & Track::ladder) != 0) != (height > to)) return std::nullopt;
    steps[static_cast<std::size_t>(height)] = static_cast<std::uint8_t>(
        to | ((step.events & Track::snake) != 0 ? VectorTrack::snake_bit : 0));
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
