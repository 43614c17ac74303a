#include "game_feed.hpp"

#include "cli/page/live_turns.hpp"
#include "cli/reports/json_output.hpp"
#include "game_viewer.hpp"
#include "redaction.hpp"
#include "storage/bounded_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace snl::cli {

namespace json = boost::json;

namespace {

using Part = std::shared_ptr<const std::string>;

/// The event's ID is a head: a client that comes back names the last one that it got.
Part event(std::string_view type, const std::string& data, const std::optional<Head>& at) {
  std::string identity;
  if (at)
    identity =
        at->version == 0 ? "id: 0\n" : fmt::format("id: {}.{}\n", at->version, head_mark(at->hash));
  return std::make_shared<const std::string>(
      fmt::format("{}event: {}\ndata: {}\n\n", identity, type, data));
}

/// A game's state after one of its versions.
struct Folded {
  GameState state;
  Head head;
};

Folded folded(const RecordedGame& game) {
  return {.state = game.state(), .head = game.head()};
}

/// The turn that a commit played; null if it played none.
json::value turn_of(const std::vector<Event>& events, const Folded& after) {
  const auto* turn = std::get_if<TurnPlayed>(&events.front());
  if (turn == nullptr) return nullptr;
  return played_json(*turn, after.state.setup->players, after.head);
}

/// `after` is the game right after the commit.
Part part_of(const CommitView& commit, const std::vector<Event>& events, const Folded& after,
             const std::optional<RevealPermit>& out) {
  const json::object game =
      position_json(std::string(commit.game), after.head, after.state.position, *after.state.setup);
  return event("commit",
               fmt::format(R"({{"commit":{},"turn":{},"game":{},"page":{}}})",
                           commit_line(commit, out), json::serialize(turn_of(events, after)),
                           json::serialize(game), live_turns(*after.state.setup, events)),
               after.head);
}

Version version_of(const SharedStep& step) {
  return step->game->head().version;
}

}  // namespace

/// One game's latest parts, and the places where reading its log can go on.
struct FedGame {
  /// The event of one version. `parts` has those of successive versions.
  struct PublishedCommit {
    Part part;
    Hash hash;
  };

  SharedView view = nullptr;
  Part state = nullptr;  // the view's
  bool with_secrets = false;
  Version first = 1;  // of the parts
  std::deque<PublishedCommit> parts = {};
  std::size_t bytes = 0;
  /// States after some versions, from which reading can go on.
  std::map<Version, Folded> ends = {};

  /// Null if the parts haven't got it.
  const PublishedCommit* published(Version version) const {
    const auto index = version - first;
    const bool is_kept = index >= 0 && index < static_cast<Version>(parts.size());
    return is_kept ? &parts[static_cast<std::size_t>(index)] : nullptr;
  }
  void add(Version version, PublishedCommit commit) {
    if (version != first + static_cast<Version>(parts.size())) forget_parts();
    if (parts.empty()) first = version;
    bytes += commit.part->size();
    parts.push_back(std::move(commit));
  }
  /// Keeps the parts from a version on, and as many older ones as streams soon ask for again.
  void trim(Version from) {
    constexpr std::size_t most_bytes = 2 * GameFeed::bytes_at_once;
    for (; bytes > most_bytes && first < from; ++first) {
      bytes -= parts.front().part->size();
      parts.pop_front();
    }
  }
  void forget_parts() {
    parts.clear();
    bytes = 0;
  }
  /// About as many bytes as it keeps. A game that is played here has one board in all its states.
  std::size_t weight() const {
    std::size_t sum = 2 * view->bytes() + bytes;  // the view, and its STATE as an event
    for (const auto& [version, end] : ends)
      if (!view->game || end.state.setup != view->game->state().setup) sum += view->bytes();
    return sum;
  }
  void end_at(Folded folded) {
    constexpr std::size_t most = 16;
    if (ends.size() >= most) ends.erase(ends.begin());
    ends.insert_or_assign(folded.head.version, std::move(folded));
  }
};

class GameFeed::Games {
 public:
  Games(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known)
      : store_(store),
        hosted_games_(hosted_games),
        viewer_(store, hosted_games, known),
        published_(viewer_.refresh()) {}

  std::optional<FeedNotifications> notifications(const std::string& id, const FeedPlace& from);
  void forget(const std::string& id) { games_.erase(id); }
  std::optional<std::vector<std::string>> changed_games();
  void pass_over_changes() { published_ = viewer_.refresh(); }
  void pass_over_changes(const StoreMoment& moment) { published_ = moment; }

 private:
  bool is_there(const StoreMoment& moment);
  bool is_there(const FedGame& game, Version version, const Hash& hash);

  FedGame* find(const std::string& id);
  void publish_commits(FedGame& game, FeedNotifications& notifications);
  void read_on(FedGame& game, Version from);
  static bool add_step(FedGame& game, Version version);
  static Part state_of(FedGame& game);

  StoreReader& store_;
  HostedGameStore& hosted_games_;
  GameViewer viewer_;
  static constexpr std::size_t most_bytes = 32 << 20;
  BoundedMap<std::string, FedGame> games_{most_bytes};
  StoreMoment published_;  // up to which changed_games() has returned everything
  /// The games that were reported to have lost versions which streams had got.
  BoundedMap<std::string, bool> lost_{1024};
};

bool GameFeed::Games::is_there(const StoreMoment& moment) {
  if (moment.position == 0) return true;
  CommitPage page;
  store_.read_all(moment.position, 1, page);
  return !page.empty() && page.begin()->position == moment.position &&
         page.begin()->hash == moment.hash;
}

/// Whether this is a commit of the game in its view. A hash covers all earlier commits, too.
bool GameFeed::Games::is_there(const FedGame& game, Version version, const Hash& hash) {
  const GameView& view = *game.view;
  if (version > view.version()) return false;
  if (version == view.version()) return view.head().hash == hash;
  const auto step = std::ranges::find(view.steps, version, version_of);
  if (step != view.steps.end()) return (*step)->game->head().hash == hash;
  if (const auto* published = game.published(version)) return published->hash == hash;
  const auto commit = store_.commit(view.id, version);
  return commit && commit->hash == hash;
}

std::optional<FeedNotifications> GameFeed::Games::notifications(const std::string& id,
                                                                const FeedPlace& from) {
  FedGame* game = find(id);
  if (game == nullptr) return std::nullopt;
  const GameView& view = *game->view;
  if (from.head != Hash{} && !is_there(*game, from.version, from.head)) {
    if (lost_.find(id) == nullptr) {
      lost_.put(id, true);
      throw StoreError(
          StoreError::Cause::damaged,
          fmt::format(
              "game {}: version {}, already sent to viewers, is gone or was replaced; their "
              "streams begin anew",
              id, from.version));
    }
    return std::nullopt;
  }
  FeedNotifications notifications;
  notifications.place = from;
  notifications.end = {
      .version = view.version(), .change = view.change(), .head = view.head().hash};
  if (std::exchange(notifications.place.reset, false))
    notifications.parts.push_back(event("reset", "{}", {}));
  if (from.change < 0) {
    notifications.parts.push_back(state_of(*game));
    notifications.place.change = view.change();
  }
  publish_commits(*game, notifications);
  notifications.has_more = notifications.place.version < view.version();
  if (notifications.has_more) return notifications;
  if (notifications.place.change != view.change() || view.has_ended()) {
    notifications.parts.push_back(state_of(*game));
    notifications.place.change = view.change();
  }
  if (view.has_ended()) {
    // It has an ID even if nothing was recorded: a client that comes back must hear the end again.
    notifications.parts.push_back(
        event("end", fmt::format(R"({{"status":"{}"}})", to_string(view.status)), view.head()));
    notifications.has_ended = true;
  }
  return notifications;
}

/// The game as it is now; null if it isn't there.
FedGame* GameFeed::Games::find(const std::string& id) {
  viewer_.refresh();
  SharedView view = viewer_.current_view(id);
  if (!view) {
    games_.erase(id);
    return nullptr;
  }
  FedGame* known = games_.find(id);
  if (known != nullptr && known->view == view) return known;
  FedGame game = known == nullptr ? FedGame{} : std::move(*known);
  games_.erase(id);
  if (game.view && game.view->game) game.end_at(folded(*game.view->game));
  game.state = nullptr;
  game.view = std::move(view);
  if (!game.ends.empty()) {
    const Head last = game.ends.rbegin()->second.head;
    const FedGame bare{.view = game.view};
    if (last.version > 0 && !is_there(bare, last.version, last.hash)) {
      game.forget_parts();
      game.ends.clear();
    }
  }
  // From now on version 1 is whole.
  if (game.with_secrets != game.view->reveal_permit.has_value()) game.forget_parts();
  game.with_secrets = game.view->reveal_permit.has_value();
  const std::size_t weight = game.weight();
  return &games_.put(id, std::move(game), weight);
}

Part GameFeed::Games::state_of(FedGame& game) {
  if (!game.state) game.state = event("state", state_alone(*game.view), {});
  return game.state;
}

/// As many commits as one response has.
void GameFeed::Games::publish_commits(FedGame& game, FeedNotifications& notifications) {
  std::size_t bytes = 0;
  if (notifications.place.version > 0 && notifications.place.version == game.view->version())
    notifications.place.head = game.view->head().hash;
  while (notifications.place.version < game.view->version() && bytes < bytes_at_once) {
    const Version next = notifications.place.version + 1;
    if (game.published(next) == nullptr && !add_step(game, next)) read_on(game, next);
    const FedGame::PublishedCommit* commit = game.published(next);
    if (commit == nullptr) throw_damaged(game.view->id, next, "there is no such commit");
    notifications.parts.push_back(commit->part);
    bytes += commit->part->size();
    notifications.place.version = next;
    notifications.place.head = commit->hash;
  }
}

/// Makes the part of a version that was recorded here, if it is one.
bool GameFeed::Games::add_step(FedGame& game, Version version) {
  const auto found = std::ranges::find(game.view->steps, version, version_of);
  if (found == game.view->steps.end()) return false;
  const auto& [commit, events, after] = **found;
  const CommitView view{.game = game.view->id,
                        .version = version,
                        .time = commit.time,
                        .command = commit.command,
                        .events = commit.events,
                        .command_id = commit.command_id,
                        .hash = after->head().hash};
  game.add(version, {part_of(view, events, folded(*after), game.view->reveal_permit), view.hash});
  game.trim(version);
  return true;
}

/// Makes the parts from a version on: as many as one response has, or fewer at the end.
void GameFeed::Games::read_on(FedGame& game, Version from) {
  const auto end = game.ends.upper_bound(from - 1);
  Folded after = end == game.ends.begin() ? Folded{} : std::prev(end)->second;
  std::size_t bytes = 0;
  for_each_commit(store_, game.view->id, after.head.version + 1, [&](const CommitView& commit) {
    const auto events = events_of(commit);
    auto state = fold(std::move(after.state), events);
    if (!state) throw_damaged(commit.game, commit.version, state.error().what);
    after.state = *std::move(state);
    after.head = {commit.version, commit.hash};
    if (commit.version >= from) {
      Part part = part_of(commit, events, after, game.view->reveal_permit);
      bytes += part->size();
      game.add(commit.version, {std::move(part), commit.hash});
    }
    return bytes < bytes_at_once && commit.version < game.view->version();
  });
  game.trim(from);
  game.end_at(std::move(after));
}

std::optional<std::vector<std::string>> GameFeed::Games::changed_games() {
  constexpr std::size_t at_once = 1000;
  std::set<std::string> changed;
  const StoreMoment now = viewer_.refresh();
  StoreMoment reached = published_;  // kept only if nothing throws
  const bool has_more = now.position != reached.position || now.hash != reached.hash;
  if (now.change < reached.change || (has_more && !is_there(reached))) {
    published_ = now;
    return std::nullopt;
  }
  if (has_more) {
    for_each_commit(store_, next_number(reached.position), [&](const CommitView& commit) {
      changed.emplace(commit.game);
      reached.position = commit.position;
      reached.hash = commit.hash;
      return true;
    });
  }
  for (bool is_last = now.change == reached.change; !is_last;) {
    const auto hosted_games = hosted_games_.changed_after(reached.change, at_once);
    for (const HostedGameStore::Entry& hosted : hosted_games) {
      changed.insert(hosted.id);
      reached.change = hosted.revision;
    }
    is_last = hosted_games.size() < at_once;
  }
  reached.change = std::max(reached.change, now.change);
  published_ = reached;
  return std::vector<std::string>{changed.begin(), changed.end()};
}

// ---- The feed

GameFeed::GameFeed(StoreReader& store, HostedGameStore& hosted_games, KnownGames& known)
    : games_(std::make_unique<Games>(store, hosted_games, known)) {}

GameFeed::~GameFeed() = default;

FeedPlace GameFeed::opening(const StreamOpening& stream) {
  return {.version = stream.from - 1, .head = stream.head, .reset = stream.reset};
}

std::optional<FeedNotifications> GameFeed::notifications(const std::string& game,
                                                         const FeedPlace& from) {
  return games_->notifications(game, from);
}

void GameFeed::forget(const std::string& game) {
  games_->forget(game);
}

std::optional<std::vector<std::string>> GameFeed::changed_games() {
  return games_->changed_games();
}

void GameFeed::pass_over_changes() {
  games_->pass_over_changes();
}

void GameFeed::pass_over_changes(const StoreMoment& moment) {
  games_->pass_over_changes(moment);
}

}  // namespace snl::cli
