#include "domain/game.hpp"
#include "simulation_dice.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>
#include <cassert>

namespace snl::simulation {
// ---- Counts

void note_shortest(std::optional<NotableGame>& noted, const NotableGame& game) {
  if (!noted || game.turns < noted->turns ||
      (game.turns == noted->turns && game.index < noted->index))
    noted = game;
}

void note_longest(std::optional<NotableGame>& noted, const NotableGame& game) {
  if (!noted || game.turns > noted->turns ||
      (game.turns == noted->turns && game.index < noted->index))
    noted = game;
}

void Tally::add(const Tally& other) {
  turns.add(other.turns);
  unfinished += other.unfinished;
  snakes += other.snakes;
  ladders += other.ladders;
  for (std::size_t seat = 0; seat < wins.size(); ++seat)
    wins[seat] += other.wins[seat];
  if (other.shortest) note_shortest(shortest, *other.shortest);
  if (other.longest) note_longest(longest, *other.longest);
}

ChunkPlayer::ChunkPlayer(const SimulationPlan& plan, const std::atomic<bool>& stop)
    : plan_(plan),
      stop_(stop),
      dice_(dice_kind(plan.rules)),
      kernel_(vector_kernel(plan.vector_bits)) {
  if (kernel_ != nullptr && !has_effects(plan.board, plan.rules))
    vector_track_ = vector_track(plan.board, plan.rules);
  if (!vector_track_) by_itself_.emplace(plan, stop, kernel_);
}

std::optional<Tally> ChunkPlayer::play(const Chunk& chunk, std::vector<GameEnd>* ends) {
  assert(chunk.games <= chunk_games);
  assert(chunk.first_seed >> 32U == (chunk.first_seed + chunk.games - 1) >> 32U);
  if (ends != nullptr) ends->resize(chunk.games);
  return vector_track_ ? play_in_vectors(chunk, ends) : by_itself_->play(chunk, ends);
}

// ---- In vectors

namespace {

/// The number of turns, cut off just past the end of a block.
int within_block(Turn turns) {
  return static_cast<int>(std::clamp<Turn>(turns, 0, block_turns + 1));
}

}  // namespace

Lanes ChunkPlayer::fill_lanes(const Chunk& chunk) {
  const std::size_t lanes = std::size_t{chunk.games} + spare_lanes;
  keys_.resize(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    keys_[lane] = static_cast<std::uint32_t>(chunk.first_seed + lane);
  heights_.resize(plan_.players);
  Lanes filled{.games = chunk.games, .keys = keys_.data(), .heights = {}};
  for (std::size_t seat = 0; seat < plan_.players; ++seat) {
    heights_[seat].assign(lanes, vector_track_->start);
    filled.heights[seat] = heights_[seat].data();
  }
  return filled;
}

BlockPlan ChunkPlayer::block_plan(const Chunk& chunk) const {
  return {.track = &*vector_track_,
          .dice = &dice_,
          .rules = &plan_.rules,
          .key_high = static_cast<std::uint32_t>(chunk.first_seed >> 32U),
          .players = static_cast<int>(plan_.players)};
}

std::optional<Tally> ChunkPlayer::play_in_vectors(const Chunk& chunk, std::vector<GameEnd>* ends) {
  Tally tally;
  Lanes lanes = fill_lanes(chunk);
  BlockPlan block = block_plan(chunk);
  const auto first_key = static_cast<std::uint32_t>(chunk.first_seed);
  Turn played = 0;
  const auto note_end = [&](std::uint32_t lane, Turn turns, bool finished) {
    GameEnd& end = (*ends)[lanes.keys[lane] - first_key];
    end = {.turns = turns, .finished = finished, .cells = {}};
    for (std::size_t seat = 0; seat < plan_.players; ++seat)
      end.cells[seat] = plan_.board.cells() + vector_track_->end - lanes.heights[seat][lane];
  };
  if (ends != nullptr)
    block.at_end = [&](std::uint32_t lane, int turn) { note_end(lane, played + turn, true); };
  const auto notable = [&](std::uint32_t key, Turn turns) {
    const std::uint32_t game = key - first_key;
    return NotableGame{chunk.first_index + game, chunk.first_seed + game, turns};
  };
  while (lanes.games > 0 && played < plan_.max_turns) {
    if (stop_.load(std::memory_order_relaxed)) return std::nullopt;
    block.block = static_cast<std::uint32_t>(played / block_turns);
    block.turns = turns_of_block(played, plan_.max_turns);
    block.first_player = static_cast<int>(played % static_cast<Turn>(plan_.players));
    block.short_turns = within_block((tally.shortest ? tally.shortest->turns : max_turn) - played);
    block.long_turns = within_block((tally.longest ? tally.longest->turns : 0) - played);
    BlockResult result{};
    kernel_->play(block, lanes, result);
    for (int turn = 1; turn <= block.turns; ++turn)
      tally.turns.add(played + turn, result.over[turn] - result.over[turn - 1]);
    tally.snakes += result.snakes;
    tally.ladders += result.ladders;
    if (result.short_turn > 0)
      note_shortest(tally.shortest, notable(result.short_key, played + result.short_turn));
    if (result.long_turn > 0)
      note_longest(tally.longest, notable(result.long_key, played + result.long_turn));
    played += block.turns;
  }
  tally.unfinished = lanes.games;
  if (ends != nullptr)
    for (std::uint32_t lane = 0; lane < lanes.games; ++lane)
      note_end(lane, played, false);
  return tally;
}

void redraw_unfair(const BlockPlan& plan, const std::uint32_t* keys, std::uint32_t lanes,
                   std::uint8_t* distances) {
  const DiceKind& dice = *plan.dice;
  const std::uint32_t power = dice.faces * dice.faces * dice.faces * dice.faces;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t seed = std::uint64_t{plan.key_high} << 32U | keys[lane];
    for (std::uint32_t die = 0; die < static_cast<std::uint32_t>(dice.rule.most); ++die) {
      const auto words = philox4x32({plan.block, die, 0, 0}, {keys[lane], plan.key_high});
      for (std::uint32_t word = 0; word < words_a_block; ++word) {
        if (words[word] * power >= dice.unfair_below) continue;  // the fraction after four digits
        for (std::uint32_t digit = 0; digit < digits_a_word; ++digit) {
          const std::uint32_t turn = word * digits_a_word + digit;
          const Dice thrown =
              roll_dice(*plan.rules, seed, Turn{plan.block} * block_turns + turn + 1);
          const std::int32_t distance = *distance_of(thrown, *plan.rules);
          distances[turn * lanes + lane] =
              distance == 0 ? forfeit_distance : static_cast<std::uint8_t>(distance);
        }
      }
    }
  }
}

}  // namespace snl::simulation
