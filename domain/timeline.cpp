#include "timeline.hpp"

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

void LastPlaces::tell_earlier(const TurnPlayed& turn) {
  if (!last_) last_ = turn;
  place(turn.seat, turn.to);
  for (const Displaced& piece : displaced_by(turn))
    place(piece.seat, piece.to);
}

void LastPlaces::place(Seat seat, Cell cell) {
  if (std::exchange(is_told_.at(seat), true)) return;
  cells_.at(seat) = cell;
  --missing_;
}

Position LastPlaces::position(Position first) const {
  for (Seat seat = 0; seat < max_players; ++seat)
    if (is_told_[seat]) first.cells[seat] = cells_[seat];
  if (!last_) return first;
  first.turn = last_->turn;
  first.next = last_->next.value_or(last_->seat);
  first.winner = last_->next ? std::nullopt : std::optional(last_->seat);
  if (last_->effects) first.tallies = last_->effects->after;
  return first;
}

Position Timeline::position_after(Turn turn) const {
  if (turn == first_turn()) return first_position(*state_.setup);
  LastPlaces places(state_.players());
  for (Turn at = turn; at > first_turn() && !places.all_told(); --at)
    places.tell_earlier(this->turn(at));
  return places.position(first_position(*state_.setup));
}

}  // namespace snl
