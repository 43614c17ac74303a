#include "recorded_game.hpp"

#include "codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <variant>

namespace snl {
namespace {

/// A game's log, folded commit by commit.
struct FoldedLog {
  GameState state;
  Head head;
  UnixMilliseconds created = 0;
  std::vector<Event> events;  // of the last commit

  /// Throws StoreError if that isn't the next commit.
  void add(const CommitView& commit) {
    if (const auto fault = try_to_add(commit)) throw_damaged(commit.game, commit.version, *fault);
  }

  /// The reason why that isn't the next commit; nothing more can be folded then.
  std::optional<std::string> try_to_add(const CommitView& commit) {
    events.clear();
    if (const auto decoded = decode_events_to(events, commit.events); !decoded)
      return decoded.error().why;
    auto folded = fold(std::move(state), events);
    if (!folded) return folded.error().what;
    state = *std::move(folded);
    if (state.version != commit.version) return "its events aren't those of one command";
    if (commit.version == 1) created = commit.time;
    head = {commit.version, commit.hash};
    return std::nullopt;
  }
};

/// The newest snapshot with the later commits folded onto it. None if there is no snapshot, if it
/// isn't of this log, or if a later commit contradicts it.
std::optional<FoldedLog> folded_from_snapshot(EventReader& store, const std::string& id) {
  const auto snapshot = store.snapshot(id);
  if (!snapshot) return std::nullopt;
  const auto first = store.commit(id, 1);
  const auto last = store.commit(id, snapshot->head.version);
  if (!first || !last || last->hash != snapshot->head.hash) return std::nullopt;
  FoldedLog log;
  if (log.try_to_add(first->view())) return std::nullopt;
  auto state = state_in(*snapshot, log.state.setup);
  if (!state) return std::nullopt;
  log.state = *std::move(state);
  log.head = snapshot->head;
  bool agrees = true;
  for_each_commit(store, id, next_number(log.head.version),
                  [&](const CommitView& commit) { return agrees = !log.try_to_add(commit); });
  return agrees ? std::optional(std::move(log)) : std::nullopt;
}

/// From the beginning.
FoldedLog folded_up_to(Version version, EventReader& store, const std::string& id) {
  FoldedLog log;
  for_each_commit(store, id, 1, [&](const CommitView& commit) {
    log.add(commit);
    return commit.version < version;
  });
  return log;
}

}  // namespace

bool moves_only(const TurnPlayed& turn, std::size_t players) {
  const auto displaced = displaced_by(turn);
  const auto missed = missed_after(turn);
  return turn.seat < players && turn.next.value_or(0) < players &&
         std::ranges::all_of(
             displaced, [&](const Displaced& piece) { return piece.seat < players; }) &&
         std::ranges::all_of(missed, [&](Seat seat) { return seat < players; });
}

void throw_damaged(std::string_view game, Version version, std::string_view why) {
  throw StoreError(
      StoreError::Cause::damaged,
      fmt::format("game {}, version {}: {}; see snl audit {}", game, version, why, game));
}

std::vector<Event> events_of(const CommitView& commit) {
  auto events = decode_events(commit.events);
  if (!events) throw_damaged(commit.game, commit.version, events.error().why);
  return *std::move(events);
}

History history_of(EventReader& store, const std::string& id, Version last) {
  History history;
  for_each_commit(store, id, 1, [&](const CommitView& commit) {
    for (const Event& event : events_of(commit))
      if (const auto added = history.timeline.add(event); !added)
        throw_damaged(id, commit.version, added.error().what);
    history.head = {commit.version, commit.hash};
    return commit.version < last;
  });
  if (!history.timeline.state().started()) throw_damaged(id, 1, "the game has no first event");
  return history;
}

std::optional<RecordedGame> RecordedGame::load(StoreReader& store, std::string id) {
  RecordedGame game(store, std::move(id));
  if (!game.reload(store)) return std::nullopt;
  return game;
}

bool RecordedGame::reload(StoreReader& store) {
  recollection_.forget();  // a rollback may have undone the recalled events
  return in_read_transaction(store, [&](EventReader& now) {
    auto log = folded_from_snapshot(now, id_);
    if (!log) log = folded_up_to(std::numeric_limits<Version>::max(), now, id_);
    if (log->head.version == 0 && !now.head(id_)) return false;
    if (!log->state.started()) throw_damaged(id_, 1, "the game has no first event");
    known_ = {.created = log->created, .state = std::move(log->state), .head = log->head};
    return true;
  });
}

void RecordedGame::move_to(GameState state, const Head& head) {
  known_.state = std::move(state);
  known_.head = head;
}

std::optional<TurnPlayed> RecordedGame::last_turn() {
  const Event* event = known_.state.last_turn == 0 ? nullptr : recall({known_.state.last_turn, 0});
  const auto* turn = event == nullptr ? nullptr : std::get_if<TurnPlayed>(event);
  return turn == nullptr ? std::nullopt : std::optional(*turn);
}

Position RecordedGame::position_at(Version version) const {
  return folded_up_to(version, *store_, id_).state.position;
}

const Event* RecordedGame::recall(EventRef ref) {
  return recollection_.find(ref, [&](Version version) -> std::optional<std::vector<Event>> {
    const auto commit = store_->commit(id_, version);
    if (!commit) return std::nullopt;
    return events_of(commit->view());
  });
}

std::expected<std::vector<Event>, Refusal> RecordedGame::decide_on_state(const Command& command) {
  return decide(known_.state, command, [this](EventRef ref) { return recall(ref); });
}

}  // namespace snl
