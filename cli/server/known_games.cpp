#include "known_games.hpp"

#include "game_view.hpp"

namespace snl::cli {

KnownGames::Known KnownGames::find(const std::string& id, const StoreMoment& now) const {
  const std::lock_guard lock(mutex_);
  const auto* known = games_.find(id);
  if (known == nullptr) return {};
  const bool depends = known->game->depends_on_others();
  return {known->game, depends ? known->moment == now : is_right(*known, now)};
}

KnownGames::KnownListed KnownGames::find_listed(const std::string& id,
                                                const StoreMoment& now) const {
  const std::lock_guard lock(mutex_);
  const auto* known = listed_.find(id);
  if (known == nullptr) return {};
  return {known->game, is_right(*known, now)};
}

/// Whether the writer put a newer view here, and nobody else has changed the store since.
bool KnownGames::knows_newer(const std::string& id, Version version, std::int64_t change) const {
  const auto* known = games_.find(id);
  return known != nullptr && known->refresh_number == refresh_number_ &&
         (version < known->game->version() || change < known->game->change());
}

void KnownGames::keep(const SharedView& view, const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  put(view, now);
}

void KnownGames::put(const SharedView& view, const StoreMoment& now) {
  if (knows_newer(view->id, view->version(), view->change())) return;
  games_.put(view->id, {view, now, refresh_number_at(now)}, view->bytes());
  auto* listed = listed_.find(view->id);
  if (listed != nullptr && !listed->game->is_of(view->head(), view->change()))
    *listed = {listed->game, {}, 0};
}

void KnownGames::keep_listed(const SharedListedGame& game, const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  if (knows_newer(game->id, game->head.version, game->change)) return;
  listed_.put(game->id, {game, now, refresh_number_at(now)}, game->bytes());
}

void KnownGames::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  games_.erase(id);
  listed_.erase(id);
}

void KnownGames::begin_at(UnixMilliseconds time) {
  const std::lock_guard lock(mutex_);
  begun_ = time;
  games_.clear();
  listed_.clear();
}

void KnownGames::find_at(const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  if (moment_ == now) return;
  moment_ = now;
  ++refresh_number_;
}

void KnownGames::move_to(const StoreMoment& now, std::span<const HostedGame> changed,
                         std::span<const SharedView> views) {
  const std::lock_guard lock(mutex_);
  moment_ = now;
  for (const HostedGame& hosted : changed) {
    games_.erase(hosted.id);
    listed_.erase(hosted.id);
  }
  for (const SharedView& view : views)
    put(view, now);
}

}  // namespace snl::cli
