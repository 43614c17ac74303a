#include "game_feed.hpp"

#include "cli/page/live_turns.hpp"
#include "cli/reports/json_output.hpp"
#include "game_view.hpp"
#include "redaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

namespace {

using Part = std::shared_ptr<const std::string>;

Part event(std::string_view type, const std::string& data, std::optional<Version> id) {
  const std::string identity = id ? fmt::format("id: {}\n", *id) : "";
  return std::make_shared<const std::string>(
      fmt::format("{}event: {}\ndata: {}\n\n", identity, type, data));
}

/// A game's state after one of its versions.
struct Folded {
  GameState state;
  Head head;
};

/// The turn that a commit played; null where it played none.
json::value turn_of(const std::vector<Event>& events, const Folded& after) {
  const auto* turn = std::get_if<TurnPlayed>(&events.front());
  if (turn == nullptr) return nullptr;
  return played_json(*turn, after.state.setup->players, after.head);
}

/// `after` is the game right after the commit.
Part part_of(const CommitView& commit, const std::vector<Event>& events, const Folded& after,
             const std::optional<SecretsOut>& out) {
  const json::object game =
      position_json(std::string(commit.game), after.head, after.state.position, *after.state.setup);
  return event("commit",
               fmt::format(R"({{"commit":{},"turn":{},"game":{},"page":{}}})",
                           commit_line(commit, out), json::serialize(turn_of(events, after)),
                           json::serialize(game), live_turns(*after.state.setup, events)),
               commit.version);
}

}  // namespace

/// The last commit of a store. A store that lost commits gives their positions again, so a position
/// alone tells nothing.
struct EndOfStore {
  StorePosition position = 0;
  Hash hash{};
  friend bool operator==(const EndOfStore&, const EndOfStore&) = default;
};

/// Of one game: the parts that were made last, and where the log has to be read on.
struct FedGame {
  /// What was told of some versions, one after another.
  struct ToldCommit {
    Part part;
    Hash hash;
  };
  struct Told {
    Version first = 1;
    std::deque<ToldCommit> parts = {};
    std::size_t bytes = 0;
    bool with_secrets = false;
  };

  std::optional<GameView> view = std::nullopt;
  EndOfStore end = {};  // up to which the view was looked at
  std::int64_t change = 0;
  Part state = nullptr;  // the view's
  Told told = {};
  /// Where readings ended, by version: reading goes on there.
  std::map<Version, Folded> ends = {};
};

class GameFeed::Games {
 public:
  Games(StoreReader& store, RoomStore& rooms)
      : store_(store),
        rooms_(rooms),
        viewer_(store, rooms,
                [&store](const std::string& id) {
                  auto game = RecordedGame::load(store, id);
                  return game ? std::make_shared<const RecordedGame>(*std::move(game)) : nullptr;
                }),
        change_(rooms.last_change()) {
    end_ = end_of_store();
  }

  std::optional<FeedNews> news(const std::string& id, const FeedPlace& from);
  std::vector<std::string> changed_games();
  void pass_over_changes() {
    end_ = end_of_store();
    change_ = rooms_.last_change();
  }

 private:
  EndOfStore end_of_store();
  bool is_there(const EndOfStore& end);
  bool is_there(const FedGame& game, Version version, const Hash& hash);

  FedGame* find(const std::string& id);
  void tell_commits(FedGame& game, FeedNews& news);
  void read_on(FedGame& game, Version from);
  static Part state_of(FedGame& game);

  StoreReader& store_;
  RoomStore& rooms_;
  GameViewer viewer_;
  std::unordered_map<std::string, FedGame> games_;
  EndOfStore end_ = {};
  std::int64_t change_;
  std::set<std::string> lost_;  // games of which it was said that what was told of them is gone
};

/// As it was at the last call, where nothing happened: then it is read once.
EndOfStore GameFeed::Games::end_of_store() {
  CommitPage page;
  store_.read_all(std::max<StorePosition>(end_.position, 1), 2, page);
  const auto is_end = [&] {
    return page.size() == 1 && page.begin()->position == end_.position &&
           page.begin()->hash == end_.hash;
  };
  if (is_end() || (page.empty() && end_.position == 0)) return end_;
  const StorePosition last = store_.wait_for_append(0, std::chrono::milliseconds{0});
  store_.read_all(std::max<StorePosition>(last, 1), 1, page);
  if (page.empty()) return {};
  return {.position = page.begin()->position, .hash = page.begin()->hash};
}

bool GameFeed::Games::is_there(const EndOfStore& end) {
  if (end.position == 0) return true;
  CommitPage page;
  store_.read_all(end.position, 1, page);
  return !page.empty() && page.begin()->position == end.position && page.begin()->hash == end.hash;
}

/// Whether this is a commit of the game as its view is. A hash is of all that came before, too.
bool GameFeed::Games::is_there(const FedGame& game, Version version, const Hash& hash) {
  const GameView& view = *game.view;
  if (version > view.version()) return false;
  if (version == view.version()) return view.game->head().hash == hash;
  const auto index = version - game.told.first;
  if (index >= 0 && index < static_cast<Version>(game.told.parts.size()))
    return game.told.parts[static_cast<std::size_t>(index)].hash == hash;
  const auto commit = store_.commit(view.id, version);
  return commit && commit->hash == hash;
}

std::optional<FeedNews> GameFeed::Games::news(const std::string& id, const FeedPlace& from) {
  FedGame* game = find(id);
  if (game == nullptr) return std::nullopt;
  const GameView& view = *game->view;
  if (from.head != Hash{} && !is_there(*game, from.version, from.head)) {
    constexpr std::size_t most = 1024;
    if (lost_.size() >= most) lost_.clear();
    if (lost_.insert(id).second)
      throw StoreError(
          StoreError::Cause::damaged,
          fmt::format("game {}: its version {}, which was told of, is gone, or another; who "
                      "watches it begins anew",
                      id, from.version));
    return std::nullopt;
  }
  FeedNews news;
  news.place = from;
  if (from.change < 0) {
    news.parts.push_back(state_of(*game));
    news.place.change = view.change();
  }
  tell_commits(*game, news);
  news.has_more = news.place.version < view.version();
  if (news.has_more) return news;
  if (news.place.change != view.change() || view.has_ended()) {
    news.parts.push_back(state_of(*game));
    news.place.change = view.change();
  }
  if (view.has_ended()) {
    // It has an ID even where nothing was recorded, so that whoever comes back is told to stop.
    news.parts.push_back(
        event("end", fmt::format(R"({{"status":"{}"}})", to_string(view.status)), view.version()));
    news.has_ended = true;
  }
  return news;
}

/// The game as it is now; null if it isn't there.
FedGame* GameFeed::Games::find(const std::string& id) {
  const EndOfStore end = end_of_store();
  const std::int64_t change = rooms_.last_change();
  const auto found = games_.find(id);
  if (found != games_.end() && found->second.end == end && found->second.change == change)
    return &found->second;
  auto view = viewer_.look(id);
  if (!view) {
    games_.erase(id);
    return nullptr;
  }
  constexpr std::size_t most = 1024;
  if (games_.size() >= most && found == games_.end()) games_.clear();
  FedGame& game = games_[id];
  const bool is_as_it_was =
      game.view && game.view->version() == view->version() &&
      game.view->change() == view->change() && game.view->status == view->status &&
      (!game.view->game || !view->game || game.view->game->head() == view->game->head());
  if (!is_as_it_was) game.state = nullptr;
  game.view = std::move(view);
  game.end = end;
  game.change = change;
  if (!game.ends.empty()) {
    const Head last = game.ends.rbegin()->second.head;
    const FedGame bare{.view = game.view};
    if (last.version > 0 && !is_there(bare, last.version, last.hash)) {
      game.told = {.with_secrets = game.told.with_secrets};
      game.ends.clear();
    }
  }
  // Version 1 is told whole from now on.
  if (game.told.with_secrets != game.view->secrets_out.has_value()) {
    game.told = {.with_secrets = game.view->secrets_out.has_value()};
    game.ends.clear();
  }
  return &game;
}

Part GameFeed::Games::state_of(FedGame& game) {
  if (!game.state) game.state = event("state", json::serialize(state_json(*game.view)), {});
  return game.state;
}

/// As many as are told at a time.
void GameFeed::Games::tell_commits(FedGame& game, FeedNews& news) {
  std::size_t bytes = 0;
  if (news.place.version > 0 && news.place.version == game.view->version())
    news.place.head = game.view->game->head().hash;
  while (news.place.version < game.view->version() && bytes < bytes_at_once) {
    const Version next = news.place.version + 1;
    const FedGame::Told& told = game.told;
    const auto count = static_cast<Version>(told.parts.size());
    if (next < told.first || next >= told.first + count) read_on(game, next);
    const auto index = next - game.told.first;
    if (index < 0 || index >= static_cast<Version>(game.told.parts.size()))
      throw_damaged(game.view->id, next, "there is no such commit");
    const FedGame::ToldCommit& commit = game.told.parts[static_cast<std::size_t>(index)];
    news.parts.push_back(commit.part);
    bytes += commit.part->size();
    news.place.version = next;
    news.place.head = commit.hash;
  }
}

/// Makes the parts from a version on: those that are told at a time, or fewer at the end.
void GameFeed::Games::read_on(FedGame& game, Version from) {
  constexpr std::size_t most_bytes_kept = 2 * bytes_at_once;
  constexpr std::size_t most_ends = 16;
  FedGame::Told& told = game.told;
  if (from != told.first + static_cast<Version>(told.parts.size()) || told.parts.empty())
    told = {.first = from, .with_secrets = told.with_secrets};
  auto end = game.ends.upper_bound(from - 1);
  Folded folded = end == game.ends.begin() ? Folded{} : std::prev(end)->second;
  std::size_t bytes = 0;
  for_each_commit(store_, game.view->id, folded.head.version + 1, [&](const CommitView& commit) {
    const auto events = events_of(commit);
    auto after = fold(std::move(folded.state), events);
    if (!after) throw_damaged(commit.game, commit.version, after.error().what);
    folded.state = *std::move(after);
    folded.head = {commit.version, commit.hash};
    if (commit.version >= from) {
      told.parts.push_back({part_of(commit, events, folded, game.view->secrets_out), commit.hash});
      bytes += told.parts.back().part->size();
      told.bytes += told.parts.back().part->size();
    }
    return bytes < bytes_at_once && commit.version < game.view->version();
  });
  while (told.bytes > most_bytes_kept && told.parts.size() > 1 && told.first < from) {
    told.bytes -= told.parts.front().part->size();
    told.parts.pop_front();
    ++told.first;
  }
  if (game.ends.size() >= most_ends) game.ends.erase(game.ends.begin());
  game.ends.insert_or_assign(folded.head.version, std::move(folded));
}

std::vector<std::string> GameFeed::Games::changed_games() {
  constexpr std::size_t at_once = 1000;
  std::set<std::string> changed;
  const EndOfStore end = end_of_store();
  if (end != end_ && !is_there(end_)) {
    // A store that lost commits, or was restored: each game has to be looked at.
    for (const auto& [id, game] : games_)
      changed.insert(id);
    end_ = end;
  } else if (end != end_) {
    for_each_commit(store_, next_number(end_.position), [&](const CommitView& commit) {
      changed.emplace(commit.game);
      end_ = {.position = commit.position, .hash = commit.hash};
      return true;
    });
  }
  if (rooms_.last_change() != change_) {
    const std::int64_t last_change = rooms_.last_change();
    while (true) {
      const auto rooms = rooms_.changed_after(change_, at_once);
      for (const RoomStore::Changed& room : rooms) {
        changed.insert(room.id);
        change_ = room.changed;
      }
      if (rooms.size() < at_once) break;
    }
    change_ = std::max(change_, last_change);
  }
  return {changed.begin(), changed.end()};
}

// ---- The feed

GameFeed::GameFeed(StoreReader& store, RoomStore& rooms)
    : games_(std::make_unique<Games>(store, rooms)) {}

GameFeed::~GameFeed() = default;

FeedPlace GameFeed::opening(Version from) {
  return {.version = from - 1};
}

std::optional<FeedNews> GameFeed::news(const std::string& game, const FeedPlace& from) {
  return games_->news(game, from);
}

std::vector<std::string> GameFeed::changed_games() {
  return games_->changed_games();
}

void GameFeed::pass_over_changes() {
  games_->pass_over_changes();
}

}  // namespace snl::cli
