// Games by any rules, one after the other, over a table.
#include "domain/turn_dice.hpp"
#include "simulation_dice.hpp"
#include "simulation_kernel.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace snl::simulation {
namespace {

/// The games that are played to their end before the next ones begin: as many as a core's cache
/// holds.
constexpr std::uint32_t games_at_once = 1024;

/// For each distance, whether the dice that add up to it let a piece enter. None if, for some
/// distance, some dice do and others don't.
std::optional<std::array<bool, 256>> entering_distances(const Rules& rules) {
  std::array<bool, 256> entering{};
  std::array<bool, 256> seen{};
  for (const ThrowWays& ways : throw_ways(rules)) {
    const auto distance = static_cast<std::size_t>(ways.distance);
    if (distance == 0) continue;  // a forfeit
    if (seen.at(distance) && entering.at(distance) != ways.enters) return std::nullopt;
    seen.at(distance) = true;
    entering.at(distance) = ways.enters;
  }
  return entering;
}

}  // namespace

GamePlayer::GamePlayer(const SimulationPlan& plan, const std::atomic<bool>& stop,
                       const VectorKernel* drawer)
    : plan_(plan),
      stop_(stop),
      dice_(dice_kind(plan.rules)),
      track_(plan.board, plan.rules),
      drawer_(drawer) {
  if (!are_drawn_in_vectors(plan.rules)) drawer_ = nullptr;
  if (drawer_ != nullptr && !plan.rules.enter.empty()) {
    entering_ = entering_distances(plan.rules);
    if (!entering_) drawer_ = nullptr;
  }
  lanes_ = drawer_ != nullptr ? drawer_->lanes : 1;
  throws_.enter.fill(true);
}

std::optional<Tally> GamePlayer::play(const Chunk& chunk, std::vector<GameEnd>* ends) {
  Tally tally;
  for (std::uint32_t first = 0; first < chunk.games; first += games_at_once)
    if (!play_games(chunk, first, std::min(games_at_once, chunk.games - first), tally, ends))
      return std::nullopt;
  return tally;
}

bool GamePlayer::play_games(const Chunk& chunk, std::uint32_t first, std::uint32_t count,
                            Tally& tally, std::vector<GameEnd>* ends) {
  const auto first_key = static_cast<std::uint32_t>(chunk.first_seed);
  Game begun{.cells = {}, .shields = {}, .skips = {}, .next = 0};
  std::fill_n(begun.cells.begin(), plan_.players, plan_.rules.start);
  games_.assign(count, begun);
  keys_.resize(std::size_t{count} + spare_lanes);
  for (std::size_t game = 0; game < keys_.size(); ++game)
    keys_[game] = static_cast<std::uint32_t>(first_key + first + game);
  const auto end_of = [&](std::uint32_t at, Turn turns, bool finished) {
    const std::uint32_t game = keys_[at] - first_key;
    if (ends != nullptr)
      (*ends)[game] = {.turns = turns, .finished = finished, .cells = games_[at].cells};
    return NotableGame{chunk.first_index + game, chunk.first_seed + game, turns};
  };
  std::uint32_t going = count;
  Turn played = 0;
  while (going > 0 && played < plan_.max_turns) {
    if (stop_.load(std::memory_order_relaxed)) return false;
    const int turns = turns_of_block(played, plan_.max_turns);
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < going; ++at) {
      if (at % lanes_ == 0) draw(chunk, at, played);
      bool won = false;
      const int took = play_block(games_[at], at % lanes_, turns, tally, won);
      if (!won) {
        keys_[kept] = keys_[at];
        if (kept != at) games_[kept] = games_[at];
        ++kept;
        continue;
      }
      const NotableGame notable = end_of(at, played + took, true);
      ++tally.wins[games_[at].next];
      tally.turns.add(notable.turns, 1);
      note_shortest(tally.shortest, notable);
      note_longest(tally.longest, notable);
    }
    going = kept;
    played += turns;
  }
  tally.unfinished += going;
  for (std::uint32_t at = 0; at < going; ++at)
    end_of(at, played, false);
  return true;
}

void GamePlayer::draw(const Chunk& chunk, std::uint32_t at, Turn played) {
  if (drawer_ == nullptr) {
    BlockDice dice(dice_, (chunk.first_seed >> 32U << 32U) + keys_[at]);
    const auto& distances = dice.distances(played);
    for (std::size_t turn = 0; turn < block_turns; ++turn) {
      throws_.distances[turn] = static_cast<std::uint8_t>(distances[turn]);
      throws_.enter[turn] = dice.enter(turn, plan_.rules);
    }
    return;
  }
  const BlockPlan block{.dice = &dice_,
                        .rules = &plan_.rules,
                        .key_high = static_cast<std::uint32_t>(chunk.first_seed >> 32U),
                        .block = static_cast<std::uint32_t>(played / block_turns)};
  drawer_->draw(block, keys_.data() + at, throws_.distances.data());
  if (dice_.rule.again != 0) std::ranges::replace(throws_.distances, forfeit_distance, 0);
  if (entering_)
    std::ranges::transform(throws_.distances, throws_.enter.begin(),
                           [&](std::uint8_t distance) { return (*entering_)[distance]; });
}

int GamePlayer::play_block(Game& game, std::uint32_t lane, int turns, Tally& tally,
                           bool& won) const {
  for (int turn = 0; turn < turns; ++turn) {
    const std::size_t place = static_cast<std::size_t>(turn) * lanes_ + lane;
    const Cell distance = throws_.distances[place];
    Cell& cell = game.cells[game.next];
    const bool stays = distance == 0 || (cell == 0 && !throws_.enter[place]);
    if (!stays) {
      const Track::Step& step = track_.step(cell + distance);
      if (step.events == 0) {
        cell = step.rest;
      } else {
        const After after = land(game, step, tally);
        won = after == After::won;
        if (won) return turn + 1;
        if (after == After::again) continue;
      }
    }
    const bool again = distance != 0 && distance == dice_.rule.another_turn;
    hand_on(game, again ? game.next : seat_after(game.next, plan_.players));
  }
  return turns;
}

GamePlayer::After GamePlayer::land(Game& game, const Track::Step& step, Tally& tally) const {
  const auto is = [&](Track::Event event) { return (step.events & event) != 0; };
  if (is(Track::stays)) return After::handed_on;
  const Seat seat = game.next;
  if (is(Track::snake)) {
    if (const std::int32_t shields = game.shields.of(seat); shields > 0) {
      game.shields.set(seat, shields - 1);
      rest_on(game, step.landed, is(Track::captures_on_head));
      return After::handed_on;
    }
    ++tally.snakes;
  }
  if (is(Track::ladder)) ++tally.ladders;
  rest_on(game, step.rest, is(Track::captures));
  if (is(Track::wins)) return After::won;
  if (is(Track::again)) return After::again;
  act(game, step);
  return After::handed_on;
}

void GamePlayer::rest_on(Game& game, Cell cell, bool captures) const {
  if (captures)
    for (std::size_t seat = 0; seat < plan_.players; ++seat)
      if (game.cells[seat] == cell && seat != game.next) game.cells[seat] = plan_.rules.start;
  game.cells[game.next] = cell;
}

void GamePlayer::act(Game& game, const Track::Step& step) const {
  const Seat seat = game.next;
  Cell& cell = game.cells[seat];
  if ((step.events & Track::skip) != 0) game.skips.set(seat, step.n);
  if ((step.events & Track::restart) != 0) cell = plan_.rules.start;
  if ((step.events & Track::shield) != 0)
    game.shields.set(seat, std::max(game.shields.of(seat), std::int32_t{step.n}));
  if ((step.events & Track::swap) == 0) return;
  // The nearest piece ahead; of several, the one whose seat follows first.
  std::size_t nearest = seat;
  std::size_t other = seat;
  for (std::size_t away = 1; away < plan_.players; ++away) {
    other = other + 1 == plan_.players ? 0 : other + 1;
    const Cell there = game.cells[other];
    if (there > cell && (nearest == seat || there < game.cells[nearest])) nearest = other;
  }
  std::swap(cell, game.cells[nearest]);
}

void GamePlayer::hand_on(Game& game, Seat next) const {
  while (const std::int32_t skips = game.skips.of(next)) {
    game.skips.set(next, skips - 1);
    next = seat_after(next, plan_.players);
  }
  game.next = next;
}

}  // namespace snl::simulation
