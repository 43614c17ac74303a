#include "game_list.hpp"

#include "domain/whole_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

namespace snl::cli {
namespace {

/// The most games that one query to the store reads.
constexpr std::size_t at_once = 100;

/// The most games to pass over for one list, if one of them may be named.
constexpr std::size_t most_passed_over = 10'000;

/// A game that a list may show, or the one at which the search for such games stopped.
struct Candidate {
  std::string id;
  std::optional<UnixMilliseconds> created = std::nullopt;  // if it was read already
  std::int64_t change = 0;                                 // its hosted game's revision
  bool ends_search = false;
};

/// Games in the order of a list. Those that their hosted games alone rule out are left out, without
/// reading their logs.
class Candidates {
 public:
  /// Reads the next ones, at most so many; fewer at the end.
  using Read = std::function<std::vector<Candidate>(std::size_t limit)>;

  Candidates(HostedGameStore& hosted_games, const GameListQuery& query, Read read)
      : hosted_games_(hosted_games), query_(query), read_(std::move(read)) {}

  /// The next one; null at the end.
  Candidate* next() {
    while (found_.empty() && !is_done_)
      search();
    return found_.empty() ? nullptr : &found_.front();
  }
  void pop() { found_.pop_front(); }
  void end() { is_done_ = true; }

 private:
  void search() {
    auto page = read_(at_once);
    is_done_ = page.size() < at_once;
    passed_over_ += page.size();
    std::vector<std::string> ids;
    ids.reserve(page.size());
    for (const Candidate& candidate : page)
      ids.push_back(candidate.id);
    const auto entries = hosted_games_.entries(ids);
    for (std::size_t i = 0; i < page.size(); ++i) {
      const HostedGameStore::Entry entry = entries[i].value_or(HostedGameStore::Entry{});
      if (entry.visibility == HostedGame::Visibility::by_its_id) continue;
      page[i].change = entry.revision;
      last_public_ = page[i];
      if (!query_.status || entry.given_up == (query_.status == GameStatus::abandoned))
        found_.push_back(std::move(page[i]));
    }
    // Anybody may see where to go on, but not a private game's ID.
    if (!found_.empty() || is_done_ || passed_over_ < most_passed_over || !last_public_) return;
    found_.push_back(
        {.id = last_public_->id, .created = last_public_->created, .ends_search = true});
    is_done_ = true;
  }

  HostedGameStore& hosted_games_;
  const GameListQuery& query_;
  Read read_;
  std::deque<Candidate> found_;
  std::optional<Candidate> last_public_;
  std::size_t passed_over_ = 0;
  bool is_done_ = false;
};

/// When a game was made, or began in the log; 0 if it is gone.
UnixMilliseconds time_of(GameViewer& viewer, Candidate& candidate) {
  if (!candidate.created) candidate.created = viewer.begun(candidate.id);
  return *candidate.created;
}

bool is_listed(const ListedGame& game, const GameListQuery& query) {
  const auto plays = [&](const std::string& player) {
    return std::ranges::find(game.players, player) != game.players.end();
  };
  return !game.is_private && (!query.status || game.status == *query.status) &&
         (!query.player || plays(*query.player));
}

constexpr std::string_view waiting_mark = ",waiting";

/// Where a list goes on: after the game of this ID. In the log, a game may come before others that
/// began later: a copy of an old game does. So, after a game of the log, the ID alone doesn't say
/// which of the waiting games were listed.
struct ListPlace {
  std::string id;
  bool was_waiting = false;  // when it was listed; it may have begun since
  /// When the oldest game of the log began, of those listed so far: the waiting games that were
  /// made at this time or later are listed.
  UnixMilliseconds oldest = max_time + 1;
};

/// `ID`; `ID,waiting`, if that game wasn't in the log; or `ID,OLDEST`, if a game that is listed
/// before this one began before it.
std::optional<ListPlace> place_in(std::string_view text) {
  const auto comma = text.find(',');
  ListPlace place{.id = std::string(text.substr(0, comma))};
  if (comma == std::string_view::npos) return place;
  place.was_waiting = text.substr(comma) == waiting_mark;
  if (place.was_waiting) return place;
  const auto oldest = whole_number<UnixMilliseconds>(text.substr(comma + 1));
  if (!oldest || *oldest < 0) return std::nullopt;
  place.oldest = *oldest;
  return place;
}

/// Most games that come this far are listed. Two things are left to check: the players of a game
/// that waits, and whether a game was won and taken back.
GameList list_of_both(Candidates& logged, Candidates& waiting, GameViewer& viewer,
                      const GameListQuery& query, UnixMilliseconds oldest) {
  constexpr std::size_t most_checked = 1000;
  GameList list;
  std::string place;  // that of the last game that was checked
  for (std::size_t checked = 0;; ++checked) {
    Candidate* one = logged.next();
    Candidate* other = waiting.next();
    if (one == nullptr && other == nullptr) return list;
    if (list.games.size() == query.limit || checked == most_checked) {
      list.next = place;
      return list;
    }
    const bool is_waiting =
        one == nullptr || (other != nullptr && time_of(viewer, *other) >= time_of(viewer, *one));
    Candidates& from = is_waiting ? waiting : logged;
    Candidate candidate = std::move(*from.next());
    from.pop();
    auto game = candidate.ends_search ? nullptr : viewer.listed(candidate.id, candidate.change);
    place = candidate.id;
    if (is_waiting) {
      place += waiting_mark;
    } else {
      if (oldest < time_of(viewer, candidate)) place += fmt::format(",{}", oldest);
      oldest = std::min(oldest, time_of(viewer, candidate));
    }
    if (candidate.ends_search) {
      list.next = place;
      return list;
    }
    // If the log got its beginning just now, the game is listed by the log.
    if (game && !(is_waiting && game->has_begun()) && is_listed(*game, query))
      list.games.push_back(std::move(game));
  }
}

}  // namespace

std::optional<GameList> list_games(StoreReader& store, HostedGameStore& hosted_games,
                                   GameViewer& viewer, const GameListQuery& query) {
  using enum GameStatus;
  ListFilter filter{.player = query.player};
  std::optional<HostedGameStore::Entry> last_waiting;
  Candidates logged(hosted_games, query, [&](std::size_t limit) {
    std::vector<Candidate> page;
    for (std::string& id : store.list(filter, limit))
      page.push_back({.id = std::move(id)});
    if (!page.empty()) filter.before = page.back().id;
    return page;
  });
  Candidates waiting(hosted_games, query, [&](std::size_t limit) {
    std::vector<Candidate> page;
    for (HostedGameStore::Entry& one : hosted_games.waiting(last_waiting, limit)) {
      page.push_back({.id = one.id, .created = one.created});
      last_waiting = std::move(one);
    }
    return page;
  });
  if (query.status == open || query.status == drawing) logged.end();
  if (query.status == in_progress || query.status == completed) {
    filter.completed = query.status == completed;
    waiting.end();
  }
  UnixMilliseconds oldest = max_time + 1;
  if (query.before) {
    const auto place = place_in(*query.before);
    if (!place) return std::nullopt;
    const auto first = store.commit(place->id, 1);
    const auto hosted = first && !place->was_waiting ? std::nullopt : hosted_games.game(place->id);
    if (first) filter.before = place->id;
    if (first && !hosted) {
      oldest = std::min(place->oldest, first->time);
      last_waiting = {.id = "", .created = oldest};
    } else if (hosted) {
      last_waiting = {.id = hosted->id, .created = hosted->created};
      while (logged.next() != nullptr && time_of(viewer, *logged.next()) > hosted->created)
        logged.pop();
    } else {
      return std::nullopt;
    }
  }
  return list_of_both(logged, waiting, viewer, query, oldest);
}

}  // namespace snl::cli
