#include "recording.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace snl::cli {

Recording::Recording(std::shared_ptr<const GameSetup> setup)
    : setup_(std::move(setup)),
      first_(first_position(*setup_)),
      leaders_{leader_of(first_)},
      last_recorded_(first_.turn) {}

/// The player who is ahead of all others; none if two are level.
std::optional<Seat> Recording::leader_of(const Position& position) const {
  const auto* const begin = position.cells.begin();
  const auto* const end = begin + setup_->players.size();
  const auto* const first = std::max_element(begin, end);
  if (std::count(begin, end, *first) > 1) return std::nullopt;
  return static_cast<Seat>(first - begin);
}

void Recording::push(const Position& before, const TurnPlayed& turn, bool undone) {
  const Position after = position_after(before, turn);
  const auto jump = jump_of(turn);
  const std::optional<Seat> led = leaders_.back();
  const std::optional<Seat> leads = leader_of(after);
  const Moments moments{.snake = jump == JumpKind::snake,
                        .ladder = jump == JumpKind::ladder,
                        .lead = leads && led && *leads != *led,
                        .undo = turn.turn <= last_recorded_,
                        .win = turn.outcome == Outcome::won};
  shots_.push_back({.turn = turn, .undone = undone, .moments = moments, .after = after});
  leaders_.push_back(leads ? leads : led);
  last_recorded_ = turn.turn;
}

Recording Recording::in_force(const Timeline& timeline) {
  Recording recording(timeline.state().setup);
  for (const auto& [turn, undone] : timeline.recorded()) {
    if (undone)
      recording.last_recorded_ = turn.turn;
    else
      recording.push(recording.position(recording.shots()), turn, false);
  }
  return recording;
}

Recording Recording::recorded(const Timeline& timeline) {
  Recording recording(timeline.state().setup);
  std::vector<Position> positions{recording.first_};  // after each turn that was then in force
  for (const auto& [turn, undone] : timeline.recorded()) {
    positions.resize(static_cast<std::size_t>(turn.turn - timeline.first_turn()));
    recording.push(positions.back(), turn, undone);
    positions.push_back(recording.shots_.back().after);
  }
  return recording;
}

Position Recording::before(std::size_t number) const {
  return position_before(shot(number).after, shot(number).turn);
}

std::optional<std::size_t> Recording::shot_of(Turn turn) const {
  if (turn == first_.turn) return 0;
  std::optional<std::size_t> undone;
  for (std::size_t number = 1; number <= shots(); ++number) {
    if (shot(number).turn.turn != turn) continue;
    if (!shot(number).undone) return number;
    undone = number;  // the last turn
  }
  return undone;
}

void Recording::follow(const Timeline& timeline, const Event& event) {
  const auto stays = [&](Turn turn) {
    const auto shots = static_cast<std::size_t>(turn - first_.turn - 1);
    shots_.resize(std::min(shots_.size(), shots));
    leaders_.resize(shots_.size() + 1);
  };
  if (const auto* undone = std::get_if<TurnUndone>(&event)) {
    stays(undone->turn);
  } else if (const auto* played = std::get_if<TurnPlayed>(&event)) {
    stays(played->turn);
    push(position(shots()), *played, false);
  } else if (std::holds_alternative<TurnRedone>(event)) {
    *this = in_force(timeline);
  }
}

}  // namespace snl::cli
