#include "game_list.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace snl::cli {
namespace {

/// As many as are asked of the store at once.
constexpr std::size_t at_once = 100;

/// The games of the log that a query may list, one after another.
class LoggedGames {
 public:
  LoggedGames(StoreReader& store, const GameListQuery& query) : store_(store) {
    if (query.status == GameStatus::open || query.status == GameStatus::drawing) is_done_ = true;
    // To the log, what was given up is still in progress.
    if (query.status) filter_.completed = query.status == GameStatus::completed;
    filter_.player = query.player;
  }

  void go_on_after(const std::string& id) { filter_.before = id; }

  /// The next one's ID and the time of its beginning; null at the end.
  const RoomStore::Waiting* next() {
    if (page_.empty() && !is_done_) fill();
    return page_.empty() ? nullptr : &page_.front();
  }
  void pop() { page_.pop_front(); }

 private:
  void fill() {
    const auto ids = store_.list(filter_, at_once);
    is_done_ = ids.size() < at_once;
    if (!ids.empty()) filter_.before = ids.back();
    for (const std::string& id : ids)
      if (const auto first = store_.commit(id, 1)) page_.push_back({id, first->time});
  }

  StoreReader& store_;
  ListFilter filter_;
  std::deque<RoomStore::Waiting> page_;
  bool is_done_ = false;
};

/// The rooms that wait, one after another.
class WaitingGames {
 public:
  WaitingGames(RoomStore& rooms, const GameListQuery& query) : rooms_(rooms) {
    is_done_ = query.status == GameStatus::in_progress || query.status == GameStatus::completed;
  }

  void go_on_after(RoomStore::Waiting last) { last_ = std::move(last); }

  const RoomStore::Waiting* next() {
    if (page_.empty() && !is_done_) fill();
    return page_.empty() ? nullptr : &page_.front();
  }
  void pop() { page_.pop_front(); }

 private:
  void fill() {
    const auto found = rooms_.waiting(last_, at_once);
    is_done_ = found.size() < at_once;
    if (!found.empty()) last_ = found.back();
    page_.assign(found.begin(), found.end());
  }

  RoomStore& rooms_;
  std::optional<RoomStore::Waiting> last_;
  std::deque<RoomStore::Waiting> page_;
  bool is_done_ = false;
};

bool plays(const GameView& view, const std::string& player) {
  if (view.game) return seat_of(*view.game->state().setup, player) != unknown_seat;
  return std::ranges::any_of(view.room->seats,
                             [&](const auto& seat) { return seat && seat->name == player; });
}

bool is_listed(const GameView& view, const GameListQuery& query) {
  return !view.is_private() && (!query.status || view.status == *query.status) &&
         (!query.player || plays(view, *query.player));
}

}  // namespace

std::optional<GameList> list_games(StoreReader& store, RoomStore& rooms, GameViewer& viewer,
                                   const GameListQuery& query) {
  LoggedGames logged(store, query);
  WaitingGames waiting(rooms, query);
  if (query.before) {
    if (const auto first = store.commit(*query.before, 1)) {
      logged.go_on_after(*query.before);
      waiting.go_on_after({"", first->time});
    } else if (const auto room = rooms.room(*query.before)) {
      waiting.go_on_after({room->id, room->created});
      while (logged.next() != nullptr && logged.next()->created > room->created)
        logged.pop();
    } else {
      return std::nullopt;
    }
  }
  constexpr int most = 1000;
  GameList list;
  std::string last;  // that was looked at
  for (int looked_at = 0;; ++looked_at) {
    const RoomStore::Waiting* one = logged.next();
    const RoomStore::Waiting* other = waiting.next();
    if (one == nullptr && other == nullptr) return list;
    if (list.games.size() == query.limit || looked_at == most) {
      list.next = last;
      return list;
    }
    const bool is_waiting = one == nullptr || (other != nullptr && other->created >= one->created);
    last = is_waiting ? other->id : one->id;
    if (is_waiting)
      waiting.pop();
    else
      logged.pop();
    auto view = viewer.look(last);
    // A room whose beginning was recorded just now is listed as what the log has.
    if (view && !(is_waiting && view->game) && is_listed(*view, query))
      list.games.push_back(*std::move(view));
  }
}

}  // namespace snl::cli
