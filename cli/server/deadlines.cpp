#include "deadlines.hpp"

#include <algorithm>

namespace snl::cli {

std::optional<Wait> wait_of(const GameView& view, const GameSettings& settings) {
  if (!view.hosted) return std::nullopt;
  const HostedGame& hosted = *view.hosted;
  if (view.awaits_takeback()) return Wait{view.begun, std::chrono::milliseconds(0)};
  if (view.status == GameStatus::drawing && settings.draw_wait.count() > 0)
    return Wait{std::max(hosted.drawing_since.value_or(0), view.begun), settings.draw_wait};
  if (view.status != GameStatus::in_progress || hosted.dice == HostedGame::Dice::own)
    return std::nullopt;
  const Seat next = view.game->state().position.next;
  if (next < hosted.seats.size() && hosted.seats[next] && hosted.seats[next]->automatic)
    return Wait{view.moved_at, hosted.pace
                                   ? std::min<std::chrono::milliseconds>(
                                         settings.auto_wait, std::chrono::seconds(*hosted.pace))
                                   : settings.auto_wait};
  if (hosted.pace)
    return Wait{std::max(view.moved_at, view.begun), std::chrono::seconds(*hosted.pace)};
  return std::nullopt;
}

void Deadlines::set(const std::string& game, const Wait& wait, SteadyTime at, const Seen& seen) {
  const auto found = by_game_.find(game);
  if (found != by_game_.end() && found->second.wait && found->second.wait->since == wait.since &&
      found->second.seen.head == seen.head)
    at = found->second.at + (wait.length - found->second.wait->length);
  put(game, {at, seen, wait});
}

void Deadlines::put(const std::string& game, const Deadline& deadline) {
  forget(game);
  in_order_.emplace(deadline.at, game);
  by_game_.insert_or_assign(game, deadline);
}

void Deadlines::forget(const std::string& game) {
  const auto found = by_game_.find(game);
  if (found == by_game_.end()) return;
  in_order_.erase({found->second.at, game});
  by_game_.erase(found);
}

std::optional<SteadyTime> Deadlines::first() const {
  return in_order_.empty() ? std::nullopt : std::optional(in_order_.begin()->first);
}

std::vector<std::pair<std::string, Deadlines::Seen>> Deadlines::postpone(SteadyTime now,
                                                                         SteadyTime until,
                                                                         std::size_t most) {
  std::vector<std::pair<std::string, Seen>> due;
  while (due.size() < most && !in_order_.empty() && in_order_.begin()->first <= now) {
    const std::string game = in_order_.begin()->second;
    due.emplace_back(game, by_game_.at(game).seen);
    put(game, {until, due.back().second, std::nullopt});
  }
  return due;
}

}  // namespace snl::cli
