#include "reference_game.hpp"

#include "domain/turn_dice.hpp"

#include <array>
#include <optional>
#include <variant>

namespace snl::test {
namespace {

/// How far dice go; none if they can't be thrown.
std::optional<std::int32_t> distance(const Rules& rules, const Dice& dice) {
  std::int32_t sum = 0;
  for (const std::int32_t value : dice.values()) {
    if (value < 1 || value > rules.faces) return std::nullopt;
    sum += value;
  }
  if (rules.sixes == Sixes::plain)
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

/// Walks to and fro, a cell a step.
Cell walk(Cell from, std::int32_t steps, Cell last) {
  std::int32_t direction = 1;
  for (; steps > 0; --steps) {
    if (from == last) direction = -1;
    if (from == 1) direction = 1;
    from += direction;
  }
  return from;
}

/// The cell that a piece ends its turn on.
Cell moved(const GameSetup& setup, Cell from, std::int32_t steps) {
  const Cell last = setup.board.cells();
  const bool past_the_end = from + steps > last;
  if (steps == 0) return from;
  if (past_the_end && setup.rules.finish == Finish::exact) return from;
  if (past_the_end && setup.rules.finish == Finish::overshoot) return last;
  return after_jump(setup.board, walk(from, steps, last));
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
  history_.push_back(after(*steps));
  undone_.clear();
  return Answer::accepted;
}

Position ReferenceGame::after(std::int32_t distance) const {
  Position next = position();
  const Seat seat = next.next;
  next.cells[seat] = moved(*setup_, next.cells[seat], distance);
  ++next.turn;
  if (next.cells[seat] == setup_->board.cells())
    next.winner = seat;
  else
    next.next = seat + 1U == setup_->players.size() ? Seat{0} : static_cast<Seat>(seat + 1);
  return next;
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
