#include "game_list.hpp"

#include <algorithm>
#include <deque>
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
  Candidates(HostedGameStore& hosted_games, const GameListQuery& query)
      : hosted_games_(hosted_games), query_(query) {}
  virtual ~Candidates() = default;
  Candidates& operator=(Candidates&&) = delete;

  /// The next one; null at the end.
  Candidate* next() {
    while (found_.empty() && !is_done_)
      search();
    return found_.empty() ? nullptr : &found_.front();
  }
  void pop() { found_.pop_front(); }

 protected:
  /// The next ones, at most so many; fewer at the end.
  virtual std::vector<Candidate> read(std::size_t limit) = 0;
  void end() { is_done_ = true; }

 private:
  void search() {
    auto page = read(at_once);
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
  std::deque<Candidate> found_;
  std::optional<Candidate> last_public_;
  std::size_t passed_over_ = 0;
  bool is_done_ = false;
};

/// The games of the log.
class LoggedGames final : public Candidates {
 public:
  LoggedGames(StoreReader& store, HostedGameStore& hosted_games, const GameListQuery& query)
      : Candidates(hosted_games, query), store_(store) {
    using enum GameStatus;
    if (query.status == open || query.status == drawing) end();
    if (query.status == in_progress || query.status == completed)
      filter_.completed = query.status == completed;
    filter_.player = query.player;
  }

  void go_on_after(const std::string& id) { filter_.before = id; }

 private:
  std::vector<Candidate> read(std::size_t limit) override {
    std::vector<Candidate> page;
    for (std::string& id : store_.list(filter_, limit))
      page.push_back({.id = std::move(id)});
    if (!page.empty()) filter_.before = page.back().id;
    return page;
  }

  StoreReader& store_;
  ListFilter filter_;
};

/// The hosted games that wait.
class WaitingGames final : public Candidates {
 public:
  WaitingGames(HostedGameStore& hosted_games, const GameListQuery& query)
      : Candidates(hosted_games, query), hosted_games_(hosted_games) {
    if (query.status == GameStatus::in_progress || query.status == GameStatus::completed) end();
  }

  void go_on_after(HostedGameStore::Entry last) { last_ = std::move(last); }

 private:
  std::vector<Candidate> read(std::size_t limit) override {
    std::vector<Candidate> page;
    for (HostedGameStore::Entry& one : hosted_games_.waiting(last_, limit)) {
      page.push_back({.id = one.id, .created = one.created});
      last_ = std::move(one);
    }
    return page;
  }

  HostedGameStore& hosted_games_;
  std::optional<HostedGameStore::Entry> last_;
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

}  // namespace

std::optional<GameList> list_games(StoreReader& store, HostedGameStore& hosted_games,
                                   GameViewer& viewer, const GameListQuery& query) {
  LoggedGames logged(store, hosted_games, query);
  WaitingGames waiting(hosted_games, query);
  if (query.before) {
    if (const auto first = store.commit(*query.before, 1)) {
      logged.go_on_after(*query.before);
      waiting.go_on_after({.id = "", .created = first->time});
    } else if (const auto hosted = hosted_games.game(*query.before)) {
      waiting.go_on_after({.id = hosted->id, .created = hosted->created});
      while (logged.next() != nullptr && time_of(viewer, *logged.next()) > hosted->created)
        logged.pop();
    } else {
      return std::nullopt;
    }
  }
  // Most games that come this far are listed. Two things are left to check: the players of a game
  // that waits, and whether a game was won and taken back.
  constexpr std::size_t most_looked_at = 1000;
  GameList list;
  std::string last;  // the last ID that was checked
  for (std::size_t looked_at = 0;; ++looked_at) {
    Candidate* one = logged.next();
    Candidate* other = waiting.next();
    if (one == nullptr && other == nullptr) return list;
    if (list.games.size() == query.limit || looked_at == most_looked_at) {
      list.next = last;
      return list;
    }
    const bool is_waiting =
        one == nullptr || (other != nullptr && time_of(viewer, *other) >= time_of(viewer, *one));
    Candidates& from = is_waiting ? static_cast<Candidates&>(waiting) : logged;
    const Candidate candidate = std::move(*from.next());
    from.pop();
    last = candidate.id;
    if (candidate.ends_search) {
      list.next = last;
      return list;
    }
    auto game = viewer.listed(last, candidate.change);
    // If the log got its beginning just now, the game is listed by the log.
    if (game && !(is_waiting && game->has_begun()) && is_listed(*game, query))
      list.games.push_back(std::move(game));
  }
}

}  // namespace snl::cli
