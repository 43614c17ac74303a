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
  UnixMilliseconds created = 0;
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
  const GameSummary summary =
      summarise(std::string(commit.game), after.created, after.head, after.state);
  const json::object game = position_json(summary, after.state.position, *after.state.setup);
  return event("commit",
               fmt::format(R"({{"commit":{},"turn":{},"game":{},"page":{}}})",
                           commit_line(commit, out), json::serialize(turn_of(events, after)),
                           json::serialize(game), live_turns(*after.state.setup, events)),
               commit.version);
}

}  // namespace

/// Of one game: the parts that were made last, and where the log has to be read on.
struct FedGame {
  /// What was told of some versions, one after another.
  struct Told {
    Version first = 1;
    std::deque<Part> parts = {};
    std::size_t bytes = 0;
    bool with_secrets = false;
  };

  std::optional<GameView> view = std::nullopt;
  StorePosition position = 0;  // of the store, up to which the view was looked at
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
        position_(last_position()),
        change_(rooms.last_change()) {}

  std::optional<FeedNews> news(const std::string& id, const FeedPlace& from);
  std::vector<std::string> changed_games();
  void pass_over_changes() {
    position_ = last_position();
    change_ = rooms_.last_change();
  }

 private:
  StorePosition last_position() { return store_.wait_for_append(0, std::chrono::milliseconds{0}); }

  FedGame* find(const std::string& id);
  void tell_commits(FedGame& game, FeedNews& news);
  void read_on(FedGame& game, Version from);
  static Part state_of(FedGame& game);

  StoreReader& store_;
  RoomStore& rooms_;
  GameViewer viewer_;
  std::unordered_map<std::string, FedGame> games_;
  StorePosition position_;
  std::int64_t change_;
};

std::optional<FeedNews> GameFeed::Games::news(const std::string& id, const FeedPlace& from) {
  FedGame* game = find(id);
  if (game == nullptr) return std::nullopt;
  const GameView& view = *game->view;
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
  const StorePosition position = last_position();
  const std::int64_t change = rooms_.last_change();
  const auto found = games_.find(id);
  if (found != games_.end() && found->second.position == position && found->second.change == change)
    return &found->second;
  auto view = viewer_.look(id);
  if (!view) {
    games_.erase(id);
    return nullptr;
  }
  constexpr std::size_t most = 1024;
  if (games_.size() >= most && found == games_.end()) games_.clear();
  FedGame& game = games_[id];
  const bool is_as_it_was = game.view && game.view->version() == view->version() &&
                            game.view->change() == view->change() &&
                            game.view->status == view->status;
  if (!is_as_it_was) game.state = nullptr;
  game.view = std::move(view);
  game.position = position;
  game.change = change;
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
  while (news.place.version < game.view->version() && bytes < bytes_at_once) {
    const Version next = news.place.version + 1;
    const FedGame::Told& told = game.told;
    const auto count = static_cast<Version>(told.parts.size());
    if (next < told.first || next >= told.first + count) read_on(game, next);
    const auto index = next - game.told.first;
    if (index < 0 || index >= static_cast<Version>(game.told.parts.size()))
      throw_damaged(game.view->id, next, "there is no such commit");
    news.parts.push_back(game.told.parts[static_cast<std::size_t>(index)]);
    bytes += news.parts.back()->size();
    news.place.version = next;
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
    if (commit.version == 1) folded.created = commit.time;
    folded.state = *std::move(after);
    folded.head = {commit.version, commit.hash};
    if (commit.version >= from) {
      told.parts.push_back(part_of(commit, events, folded, game.view->secrets_out));
      bytes += told.parts.back()->size();
      told.bytes += told.parts.back()->size();
    }
    return bytes < bytes_at_once && commit.version < game.view->version();
  });
  while (told.bytes > most_bytes_kept && told.parts.size() > 1 && told.first < from) {
    told.bytes -= told.parts.front()->size();
    told.parts.pop_front();
    ++told.first;
  }
  if (game.ends.size() >= most_ends) game.ends.erase(game.ends.begin());
  game.ends.insert_or_assign(folded.head.version, std::move(folded));
}

std::vector<std::string> GameFeed::Games::changed_games() {
  constexpr std::size_t at_once = 1000;
  std::set<std::string> changed;
  const StorePosition last = last_position();
  if (last < position_) position_ = last;  // a store that was restored
  if (last > position_)
    for_each_commit(store_, next_number(position_), [&](const CommitView& commit) {
      changed.emplace(commit.game);
      position_ = commit.position;
      return true;
    });
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
