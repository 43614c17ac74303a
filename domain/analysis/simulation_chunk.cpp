#include "domain/effects.hpp"
#include "domain/game.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace snl::simulation {
namespace {

static_assert(most_players == max_players);

constexpr std::uint32_t words_a_block = 4;
constexpr std::uint32_t digits_a_word = 4;

/// The turns of a game's next block.
int turns_of_block(Turn played, Turn max_turns) {
  return static_cast<int>(std::min<Turn>(block_turns, max_turns - played));
}

// ---- One by one

/// The dice of one game, a block at a time.
class BlockDice {
 public:
  BlockDice(const DiceKind& kind, const ThrowingRule& rule, std::uint64_t seed)
      : kind_(kind), rule_(rule), seed_(seed) {}

  /// The throws of the 16 turns after `played` (a multiple of 16), with whether they enter.
  const std::array<Throw, block_turns>& throws(Turn played, const Rules& rules) {
    distances(played);
    for (std::size_t turn = 0; turn < block_turns; ++turn)
      throws_[turn] = {.distance = distances_[turn], .enters = enters(turn, rules)};
    return throws_;
  }

  /// The distances of the 16 turns after `played` (a multiple of 16); 0 is a forfeit.
  const std::array<std::int32_t, block_turns>& distances(Turn played) {
    for (std::int32_t die = 0; die < rule_.most; ++die)
      draw(static_cast<std::uint32_t>(die), played);
    for (std::size_t turn = 0; turn < block_turns; ++turn)
      distances_[turn] = distance_of_turn(turn);
    return distances_;
  }

 private:
  std::int32_t distance_of_turn(std::size_t turn) const {
    std::int32_t thrown = 0;
    std::int32_t last = 0;
    std::int32_t sum = 0;
    do {
      last = shown_[static_cast<std::size_t>(thrown++)][turn];
      sum += last;
    } while (rule_.goes_on(thrown, last));
    return rule_.forfeits(thrown, last) ? 0 : sum;
  }

  bool enters(std::size_t turn, const Rules& rules) const {
    bool found = rules.enter.empty();
    std::int32_t thrown = 0;
    std::int32_t last = 0;
    do {
      last = shown_[static_cast<std::size_t>(thrown++)][turn];
      found = found || std::ranges::binary_search(rules.enter, last);
    } while (rule_.goes_on(thrown, last));
    return found;
  }

  void draw(std::uint32_t die, Turn played) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(played / block_turns), die, 0, 0},
                   {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)});
    std::size_t turn = 0;
    for (const std::uint32_t word : words) {
      std::uint32_t fraction = word;
      for (std::uint32_t digit = 0; digit < digits_a_word; ++digit) {
        const std::uint64_t product = std::uint64_t{fraction} * kind_.faces;
        shown_[die][turn++] = static_cast<std::int32_t>(product >> 32U) + 1;
        fraction = static_cast<std::uint32_t>(product);
      }
      if (fraction >= kind_.unfair_below) continue;
      for (std::size_t again = turn - digits_a_word; again < turn; ++again)
        shown_[die][again] = seeded_die(seed_, played + static_cast<Turn>(again) + 1, die,
                                        static_cast<std::int32_t>(kind_.faces));
    }
  }

  const DiceKind& kind_;
  const ThrowingRule& rule_;
  std::uint64_t seed_;
  std::array<std::array<std::int32_t, block_turns>, max_dice> shown_{};  // by die, then by turn
  std::array<std::int32_t, block_turns> distances_{};
  std::array<Throw, block_turns> throws_{};
};

/// One game to its end.
GameEnd play_game(const SimulationPlan& plan, const Track& track, BlockDice dice, Tally& tally,
                  const std::atomic<bool>& stop) {
  GameEnd game{.turns = 0, .finished = false, .cells = {}};
  std::fill_n(game.cells.begin(), plan.players, plan.rules.start);
  std::size_t player = 0;
  while (game.turns < plan.max_turns && !stop.load(std::memory_order_relaxed)) {
    const auto& distances = dice.distances(game.turns);
    const int turns = turns_of_block(game.turns, plan.max_turns);
    for (int turn = 0; turn < turns; ++turn) {
      ++game.turns;
      Cell& cell = game.cells[player];
      player = player + 1 == plan.players ? 0 : player + 1;
      const std::int32_t distance = distances[static_cast<std::size_t>(turn)];
      if (distance == 0) continue;
      const Track::Step step = track.step(cell + distance);
      if (step.to == 0) continue;
      cell = static_cast<Cell>(step.to);
      tally.snakes += step.snake;
      tally.ladders += step.ladder;
      if (cell != track.cells()) continue;
      game.finished = true;
      return game;
    }
  }
  return game;
}

/// One game with powers, captures or faces that enter, to its end: the same turns as decide makes,
/// of the same parts, without their events.
class GameWithEffects {
 public:
  GameWithEffects(const SimulationPlan& plan, Tally& tally) : plan_(plan), tally_(tally) {
    std::fill_n(position_.cells.begin(), plan.players, plan.rules.start);
  }

  GameEnd play(BlockDice dice, const std::atomic<bool>& stop) {
    while (position_.turn < plan_.max_turns && !stop.load(std::memory_order_relaxed)) {
      const auto& throws = dice.throws(position_.turn, plan_.rules);
      const int turns = turns_of_block(position_.turn, plan_.max_turns);
      for (std::size_t turn = 0; turn < static_cast<std::size_t>(turns) && !position_.winner;
           ++turn)
        play_turn(throws[turn]);
      if (position_.winner) break;
    }
    if (position_.winner) ++tally_.wins[*position_.winner];
    return {.turns = position_.turn,
            .finished = position_.winner.has_value(),
            .cells = position_.cells};
  }

 private:
  void play_turn(Throw thrown) {
    auto& [shields, skips] = position_.tallies;
    const Seat seat = position_.next;
    Cell& cell = position_.cells[seat];
    ++position_.turn;
    const Arrival arrival = arrive(plan_.board, plan_.rules, cell, thrown, shields.of(seat));
    const Power* const power = power_met(plan_.board, arrival);
    if (!stays(arrival.outcome)) {
      cell = arrival.rest;
      count_jump(arrival);
    }
    if (arrival.outcome == Outcome::won) {
      position_.winner = seat;
      return;
    }
    if (arrival.outcome == Outcome::moved) {
      if (captures_on(plan_.rules, cell)) capture(seat);
      const std::int32_t left = shields.of(seat) - (arrival.shielded ? 1 : 0);
      shields.set(seat, shields_after(power, left));
      skips.set(seat, skips_after(power, skips.of(seat)));
      if (power != nullptr) move_by(power->kind, seat);
    }
    if (power != nullptr && power->kind == PowerKind::again) return;
    const Handover handover = pass_on(skips, plan_.players, seat);
    position_.next = handover.next;
    skips = handover.skips;
  }

  void count_jump(const Arrival& arrival) {
    const auto jump = jump_between(arrival.landed, arrival.rest);
    if (jump == JumpKind::snake) ++tally_.snakes;
    if (jump == JumpKind::ladder) ++tally_.ladders;
  }

  void capture(Seat mover) {
    for (std::size_t seat = 0; seat < plan_.players; ++seat)
      if (seat != mover && position_.cells[seat] == position_.cells[mover])
        position_.cells[seat] = plan_.rules.start;
  }

  void move_by(PowerKind power, Seat seat) {
    Cell& cell = position_.cells[seat];
    if (power == PowerKind::restart) cell = plan_.rules.start;
    if (power != PowerKind::swap) return;
    if (const auto other = nearest_ahead(position_, plan_.players, seat, cell))
      std::swap(cell, position_.cells[*other]);
  }

  const SimulationPlan& plan_;
  Tally& tally_;
  Position position_;
};

}  // namespace

// ---- What has been counted

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

// ---- Which kernel

PlayBlock block_player(Kernel kernel) {
#ifdef SNL_X86_KERNELS
  if (kernel == Kernel::avx512) return play_block_avx512;
  if (kernel == Kernel::avx2) return play_block_avx2;
  if (kernel == Kernel::sse4) return play_block_sse4;
#endif
  (void)kernel;
  return nullptr;
}

DrawBlock block_drawer(Kernel kernel) {
#ifdef SNL_X86_KERNELS
  if (kernel == Kernel::avx512) return draw_block_avx512;
  if (kernel == Kernel::avx2) return draw_block_avx2;
  if (kernel == Kernel::sse4) return draw_block_sse4;
#endif
  (void)kernel;
  return nullptr;
}

namespace {

Kernel chosen(Kernel kernel) {
  if (kernel != Kernel::best) return kernel;
  for (const Kernel fast : {Kernel::avx512, Kernel::avx2, Kernel::sse4})
    if (can_run(fast)) return fast;
  return Kernel::portable;
}

}  // namespace

ChunkPlayer::ChunkPlayer(const SimulationPlan& plan, const std::atomic<bool>& stop)
    : plan_(plan),
      stop_(stop),
      rule_(throwing_rule(plan.rules)),
      dice_(dice_kind(plan.rules)),
      track_(plan.board, plan.rules) {
  assert(can_run(plan.kernel));
  if (has_effects(plan.board, plan.rules)) return;
  vector_track_ = vector_track(plan.board, plan.rules);
  if (!vector_track_) return;
  play_block_ = block_player(chosen(plan.kernel));
  draw_block_ = block_drawer(chosen(plan.kernel));
}

std::optional<Tally> ChunkPlayer::play(const Chunk& chunk, std::vector<GameEnd>* ends) {
  assert(chunk.games <= chunk_games);
  assert(chunk.first_seed >> 32U == (chunk.first_seed + chunk.games - 1) >> 32U);
  if (ends != nullptr) ends->resize(chunk.games);
  return play_block_ != nullptr ? play_in_vectors(chunk, ends) : play_one_by_one(chunk, ends);
}

std::optional<Tally> ChunkPlayer::play_one_by_one(const Chunk& chunk, std::vector<GameEnd>* ends) {
  Tally tally;
  for (std::uint32_t game = 0; game < chunk.games; ++game) {
    const std::uint64_t seed = chunk.first_seed + game;
    const BlockDice dice(dice_, rule_, seed);
    const GameEnd end = has_effects(plan_.board, plan_.rules)
                            ? GameWithEffects(plan_, tally).play(dice, stop_)
                            : play_game(plan_, track_, dice, tally, stop_);
    if (stop_.load(std::memory_order_relaxed)) return std::nullopt;
    if (ends != nullptr) (*ends)[game] = end;
    if (!end.finished) {
      ++tally.unfinished;
      continue;
    }
    const NotableGame notable{chunk.first_index + game, seed, end.turns};
    tally.turns.add(end.turns, 1);
    note_shortest(tally.shortest, notable);
    note_longest(tally.longest, notable);
  }
  return tally;
}

// ---- In vectors

namespace {

/// Writes down how games end: the observer of a BlockPlan.
struct EndsInVectors {
  std::vector<GameEnd>* ends;
  const SimulationPlan* plan;
  const VectorTrack* track;
  std::uint32_t first_key;
  Turn played;  // before this block

  void note(std::uint32_t key, Turn turns, bool finished, const Lanes& lanes, std::uint32_t lane) {
    GameEnd& end = (*ends)[key - first_key];
    end = {.turns = turns, .finished = finished, .cells = {}};
    for (std::size_t seat = 0; seat < plan->players; ++seat)
      end.cells[seat] = plan->board.cells() + track->end - lanes.heights[seat][lane];
  }

  static void at_end(void* observer, std::uint32_t key, int turn, const Lanes& lanes,
                     std::uint32_t lane) {
    auto* self = static_cast<EndsInVectors*>(observer);
    self->note(key, self->played + turn, true, lanes, lane);
  }
};

/// How far ahead a turn is, where a block looks no farther than its own end.
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
          .block = 0,
          .turns = block_turns,
          .players = static_cast<int>(plan_.players),
          .first_player = 0,
          .short_turns = 0,
          .long_turns = 0,
          .at_end = nullptr,
          .observer = nullptr};
}

std::optional<Tally> ChunkPlayer::play_in_vectors(const Chunk& chunk, std::vector<GameEnd>* ends) {
  Tally tally;
  Lanes lanes = fill_lanes(chunk);
  BlockPlan block = block_plan(chunk);
  const auto first_key = static_cast<std::uint32_t>(chunk.first_seed);
  EndsInVectors observer{ends, &plan_, &*vector_track_, first_key, 0};
  if (ends != nullptr) {
    block.at_end = EndsInVectors::at_end;
    block.observer = &observer;
  }
  const auto notable = [&](std::uint32_t key, Turn turns) {
    const std::uint32_t game = key - first_key;
    return NotableGame{chunk.first_index + game, chunk.first_seed + game, turns};
  };
  Turn played = 0;
  while (lanes.games > 0 && played < plan_.max_turns) {
    if (stop_.load(std::memory_order_relaxed)) return std::nullopt;
    observer.played = played;
    block.block = static_cast<std::uint32_t>(played / block_turns);
    block.turns = turns_of_block(played, plan_.max_turns);
    block.first_player = static_cast<int>(played % static_cast<Turn>(plan_.players));
    block.short_turns = within_block((tally.shortest ? tally.shortest->turns : max_turn) - played);
    block.long_turns = within_block((tally.longest ? tally.longest->turns : 0) - played);
    BlockResult result{};
    play_block_(block, lanes, result);
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
      observer.note(lanes.keys[lane], played, false, lanes, lane);
  return tally;
}

std::uint64_t ChunkPlayer::draw(std::uint64_t blocks) {
  std::uint64_t sum = 0;
  const std::uint64_t first_seed = game_seed(plan_.seed, 0) & ~std::uint64_t{0xFFFF'FFFF};
  for (std::uint64_t block = 0; blocks > 0; ++block) {
    const Chunk chunk{0, first_seed,
                      static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, chunk_games))};
    blocks -= chunk.games;
    if (draw_block_ != nullptr) {
      if (block == 0) fill_lanes(chunk);
      const Lanes lanes{.games = chunk.games, .keys = keys_.data(), .heights = {}};
      BlockPlan plan = block_plan(chunk);
      plan.block = static_cast<std::uint32_t>(block);
      sum += draw_block_(plan, lanes);
      continue;
    }
    for (std::uint32_t game = 0; game < chunk.games; ++game) {
      BlockDice dice(dice_, rule_, first_seed + game);
      for (const std::int32_t distance : dice.distances(static_cast<Turn>(block) * block_turns))
        sum += static_cast<std::uint64_t>(distance);
    }
  }
  return sum;
}

void redraw_unfair(const BlockPlan& plan, const std::uint32_t* keys, std::uint32_t lanes,
                   std::uint8_t* distances) {
  const DiceKind& dice = *plan.dice;
  const std::uint32_t power = dice.faces * dice.faces * dice.faces * dice.faces;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t seed = std::uint64_t{plan.key_high} << 32U | keys[lane];
    for (std::uint32_t die = 0; die < static_cast<std::uint32_t>(dice.most); ++die) {
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
