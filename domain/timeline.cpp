#include "timeline.hpp"

#include <array>
#include <utility>
#include <variant>

namespace snl {

std::expected<void, Damage> Timeline::add(const Event& event) {
  auto evolved = evolve(state_, event);
  if (!evolved) return std::unexpected(std::move(evolved).error());
  state_ = *std::move(evolved);
  if (const auto* played = std::get_if<TurnPlayed>(&event)) {
    in_force_.push_back(recorded_.size());
    recorded_.push_back({*played});
    undone_.clear();
  } else if (std::holds_alternative<TurnUndone>(event)) {
    undone_.push_back(in_force_.back());
    in_force_.pop_back();
    recorded_[undone_.back()].undone = true;
  } else if (std::holds_alternative<TurnRedone>(event)) {
    in_force_.push_back(undone_.back());
    undone_.pop_back();
    recorded_[in_force_.back()].undone = false;
  }
  return {};
}

Position Timeline::position_after(Turn turn) const {
  Position position = first_position(*state_.setup);
  if (turn == first_turn()) return position;
  std::array<bool, max_players> is_placed{};
  std::size_t missing = state_.players();
  const auto place = [&](Seat seat, Cell cell) {
    if (std::exchange(is_placed.at(seat), true)) return;
    position.cells.at(seat) = cell;
    --missing;
  };
  for (Turn at = turn; at > first_turn() && missing > 0; --at) {
    const TurnPlayed& played = this->turn(at);
    place(played.seat, played.to);
    for (const Displaced& piece : displaced_by(played))
      place(piece.seat, piece.to);
  }
  const TurnPlayed& last = this->turn(turn);
  position.turn = last.turn;
  position.next = last.next.value_or(last.seat);
  if (!last.next) position.winner = last.seat;
  if (last.effects) position.tallies = last.effects->after;
  return position;
}

}  // namespace snl
