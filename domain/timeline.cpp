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

Position Timeline::position_after(Turn turn) const {
  Position position = first_position(*state_.setup);
  for (Turn next = first_turn() + 1; next <= turn; ++next) {
    const TurnPlayed& played = this->turn(next);
    position.cells[played.seat] = played.to;
    position.next = played.next.value_or(played.seat);
    position.turn = next;
    if (!played.next) position.winner = played.seat;
  }
  return position;
}

}  // namespace snl
