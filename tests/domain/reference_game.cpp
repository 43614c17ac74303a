#include "reference_game.hpp"

#include "domain/turn_dice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

namespace snl::test {
namespace {

/// The distance of dice; none if they can't be thrown.
std::optional<std::int32_t> distance(const Rules& rules, const Dice& dice) {
  std::int32_t sum = 0;
  for (const std::int32_t value : dice.values()) {
    if (value < 1 || value > rules.faces) return std::nullopt;
    sum += value;
  }
  if (rules.sixes != Sixes::again)
    return dice.size() == static_cast<std::size_t>(rules.dice) ? std::optional(sum) : std::nullopt;
  if (dice.size() < 1 || dice.size() > 3) return std::nullopt;
  for (std::size_t i = 0; i + 1 < dice.size(); ++i)
    if (dice.values()[i] != 6) return std::nullopt;
  return sum == 18 ? 0 : sum;
}

Cell after_jump(const Board& board, Cell cell) {
  for (const Jump snake : board.snakes())
    if (snake.from == cell) return snake.to;
  for (const Jump ladder : board.ladders())
    if (ladder.from == cell) return ladder.to;
  return cell;
}

/// Walks to and fro, one cell a step.
Cell walk(Cell from, std::int32_t steps, Cell last) {
  std::int32_t direction = 1;
  for (; steps > 0; --steps) {
    if (from == last) direction = -1;
    if (from == 1) direction = 1;
    from += direction;
  }
  return from;
}

/// The cell to which dice move a piece, before a jump there; none if it stays.
std::optional<Cell> landed(const GameSetup& setup, Cell from, std::int32_t steps) {
  const Cell last = setup.board.cells();
  const bool past_the_end = from + steps > last;
  if (steps == 0) return std::nullopt;
  if (past_the_end && setup.rules.finish == Finish::exact) return std::nullopt;
  if (past_the_end && setup.rules.finish == Finish::overshoot) return last;
  return walk(from, steps, last);
}

bool can_enter(const Rules& rules, const Dice& dice) {
  bool shown = rules.enter.empty();
  for (const std::int32_t value : dice.values())
    for (const std::int32_t face : rules.enter)
      shown = shown || value == face;
  return shown;
}

void add(SeatCounts& counts, Seat seat, std::int32_t more) {
  counts.set(seat, counts.of(seat) + more);
}

}  // namespace

ReferenceGame::ReferenceGame(std::shared_ptr<const GameSetup> setup) : setup_(std::move(setup)) {
  Position first;
  for (std::size_t seat = 0; seat < setup_->players.size(); ++seat)
    first.cells[seat] = setup_->rules.start;
  history_.push_back(setup_->origin ? setup_->origin->position : first);
}

ReferenceGame::Answer ReferenceGame::perform(const Command& command) {
  Answer answer = Answer::wrong_start;
  if (const auto* turn = std::get_if<PlayTurn>(&command)) answer = play(turn->seat, turn->dice);
  if (std::holds_alternative<RollTurn>(command))
    answer = play(position().next, roll_dice(setup_->rules, setup_->seed, position().turn + 1));
  if (const auto* turns = std::get_if<UndoTurns>(&command)) answer = undo(turns->count);
  if (const auto* turn = std::get_if<UndoToTurn>(&command)) answer = undo_to(turn->turn);
  if (const auto* turns = std::get_if<RedoTurns>(&command)) answer = redo(turns->count);
  if (answer == Answer::accepted) ++version_;
  return answer;
}

ReferenceGame::Answer ReferenceGame::play(Seat seat, const Dice& dice) {
  if (position().winner) return Answer::game_completed;
  if (seat >= setup_->players.size()) return Answer::unknown_player;
  if (seat != position().next) return Answer::invalid_move;
  const auto steps = distance(setup_->rules, dice);
  if (!steps) return Answer::impossible_dice;
  history_.push_back(after(dice, *steps));
  undone_.clear();
  return Answer::accepted;
}

Position ReferenceGame::after(const Dice& dice, std::int32_t distance) const {
  Position next = position();
  const Seat seat = next.next;
  ++next.turn;
  auto reached = landed(*setup_, next.cells[seat], distance);
  if (next.cells[seat] == 0 && !can_enter(setup_->rules, dice)) reached = std::nullopt;
  bool again = setup_->rules.sixes == Sixes::each && dice.values().front() == 6;
  if (reached) {
    const Cell led = after_jump(setup_->board, *reached);
    const bool shielded = led < *reached && next.tallies.shields.of(seat) > 0;
    if (shielded) add(next.tallies.shields, seat, -1);
    next.cells[seat] = shielded ? *reached : led;
    if (next.cells[seat] == setup_->board.cells()) {
      next.winner = seat;
      return next;
    }
    again = act_on_cell(next, seat) || again;
  }
  for (;; again = false) {
    if (!again) next.next = static_cast<Seat>((next.next + 1U) % setup_->players.size());
    if (next.tallies.skips.of(next.next) == 0) return next;
    add(next.tallies.skips, next.next, -1);
  }
}

/// Captures, then the power. True if the same player moves again.
bool ReferenceGame::act_on_cell(Position& next, Seat seat) const {
  const Cell cell = next.cells[seat];
  const Rules& rules = setup_->rules;
  const bool safe = cell == 1 || std::ranges::count(rules.safe, cell) > 0;
  const auto players = static_cast<Seat>(setup_->players.size());
  for (Seat other = 0; other < players; ++other)
    if (rules.meet == Meet::capture && !safe && other != seat && next.cells[other] == cell)
      next.cells[other] = rules.start;
  for (const auto& [where, power] : setup_->board.powers()) {
    if (where != cell) continue;
    if (power.kind == PowerKind::again) return true;
    if (power.kind == PowerKind::skip) next.tallies.skips.set(seat, power.n);
    if (power.kind == PowerKind::restart) next.cells[seat] = rules.start;
    if (power.kind == PowerKind::shield && next.tallies.shields.of(seat) < power.n)
      next.tallies.shields.set(seat, power.n);
    if (power.kind == PowerKind::swap) change_places(next, seat);
  }
  return false;
}

/// Searches for the nearest piece ahead cell by cell, and on a cell seat by seat.
void ReferenceGame::change_places(Position& next, Seat seat) const {
  const auto players = static_cast<Seat>(setup_->players.size());
  for (Cell cell = next.cells[seat] + 1; cell < setup_->board.cells(); ++cell)
    for (Seat away = 1; away < players; ++away) {
      const auto other = static_cast<Seat>((seat + away) % players);
      if (next.cells[other] != cell) continue;
      std::swap(next.cells[other], next.cells[seat]);
      return;
    }
}

ReferenceGame::Answer ReferenceGame::undo(Turn count) {
  if (count < 1 || count > undoable()) return Answer::not_enough_turns;
  for (; count > 0; --count) {
    undone_.push_back(history_.back());
    history_.pop_back();
  }
  return Answer::accepted;
}

ReferenceGame::Answer ReferenceGame::undo_to(Turn turn) {
  if (turn < 0 || turn > position().turn) return Answer::turn_out_of_range;
  return undo(position().turn - turn);
}

ReferenceGame::Answer ReferenceGame::redo(Turn count) {
  if (count < 1 || count > redoable()) return Answer::not_enough_turns;
  for (; count > 0; --count) {
    history_.push_back(undone_.back());
    undone_.pop_back();
  }
  return Answer::accepted;
}

std::ostream& operator<<(std::ostream& out, ReferenceGame::Answer answer) {
  constexpr std::array names{"accepted",          "invalid move",    "game completed",
                             "unknown player",    "impossible dice", "not enough turns",
                             "turn out of range", "wrong start"};
  return out << names.at(static_cast<std::size_t>(answer));
}

}  // namespace snl::test
