#include "known_games.hpp"

#include "game_view.hpp"

namespace snl::cli {

KnownGames::Known KnownGames::find(const std::string& id, const StoreMoment& now) const {
  const std::lock_guard lock(mutex_);
  const Entry* known = games_.find(id);
  if (known == nullptr) return {};
  const bool is_left_so =
      now == moment_ && known->look == look_ && !known->view->depends_on_others();
  return {known->view, is_left_so || known->moment == now};
}

void KnownGames::keep(const SharedView& view, const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  const bool is_the_writers = now == moment_;
  if (const Entry* known = games_.find(view->id); known != nullptr && !is_the_writers) {
    const bool is_older =
        view->version() < known->view->version() || view->change() < known->view->change();
    if (is_older && known->look == look_) return;
  }
  games_.put(view->id, {view, now, is_the_writers ? look_ : 0}, view->bytes());
}

void KnownGames::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  games_.erase(id);
}

void KnownGames::begin_at(UnixMilliseconds time) {
  const std::lock_guard lock(mutex_);
  begun_ = time;
  games_.clear();
}

void KnownGames::find_at(const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  if (moment_ == now) return;
  moment_ = now;
  ++look_;
}

void KnownGames::move_to(const StoreMoment& now) {
  const std::lock_guard lock(mutex_);
  moment_ = now;
}

}  // namespace snl::cli
