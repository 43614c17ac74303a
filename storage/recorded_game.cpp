#include "recorded_game.hpp"

#include "codec.hpp"
#include "summary_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace snl {
namespace {

/// A game's log, folded commit by commit.
struct FoldedLog {
  GameState state;
  Head head;
  UnixMilliseconds created = 0;
  std::vector<Event> events;  // of the last commit

  /// Throws StoreError where that isn't the next commit.
  void add(const CommitView& commit) {
    if (const auto fault = try_to_add(commit)) throw_damaged(commit.game, commit.version, *fault);
  }

  /// Why that isn't the next commit; no more can be folded then.
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

/// Whether a state that was read instead of folded can be one at all: a seal proves only that the
/// row was written as a whole.
bool is_possible(const GameState& state) {
  const auto earlier = [&](Version version) { return version >= 0 && version <= state.version; };
  return snl::is_possible(state.position, *state.setup) && state.undoable() >= 0 &&
         state.undoable() < state.version && state.redoable < state.version &&
         earlier(state.last_turn) && earlier(state.redo.version) && state.redo.index >= 0 &&
         state.redoable >= 0 && (state.undoable() == 0) == (state.last_turn == 0) &&
         (state.redoable == 0) == (state.redo.version == 0);
}

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

History history_of(EventReader& store, const std::string& id) {
  History history;
  for_each_commit(store, id, 1, [&](const CommitView& commit) {
    for (const Event& event : events_of(commit))
      if (const auto added = history.timeline.add(event); !added)
        throw_damaged(id, commit.version, added.error().what);
    history.head = {commit.version, commit.hash};
    return true;
  });
  if (!history.timeline.state().started()) throw_damaged(id, 1, "the game has no first event");
  return history;
}

std::optional<RecordedGame> RecordedGame::load(StoreReader& store, std::string id) {
  RecordedGame game(store, std::move(id));
  if (!game.reload(store)) return std::nullopt;
  return game;
}

std::optional<GameState> RecordedGame::state_from(EventReader& now,
                                                  const GameSummary& summary) const {
  const auto first = now.commit(id_, 1);
  if (!first) return std::nullopt;
  const auto events = events_of(first->view());
  const auto* started = std::get_if<GameStarted>(&events.front());
  if (started == nullptr || started->setup->players != summary.players) return std::nullopt;
  auto state = state_at_end_of_log(now, started->setup, summary.head);
  if (!state) return std::nullopt;
  // All but this is told by a few commits, however long the game is.
  state->redoable = summary.redoable;
  const bool agrees = summarise(id_, first->time, summary.head, *state) == summary;
  if (!agrees || !is_possible(*state)) return std::nullopt;
  return state;
}

/// What the last event tells, and the turns in force to which it leads. None where they can't be
/// those of a game. `redoable` is left at 0.
std::optional<GameState> RecordedGame::state_at_end_of_log(
    EventReader& now, const std::shared_ptr<const GameSetup>& setup, const Head& head) const {
  const auto last = now.commit(id_, head.version);
  if (!last || last->hash != head.hash) return std::nullopt;
  const auto events = events_of(last->view());
  GameState state;
  state.setup = setup;
  state.version = head.version;
  state.index = static_cast<std::int32_t>(events.size()) - 1;
  const Event& event = events.back();
  if (std::holds_alternative<TurnPlayed>(event)) {
    state.last_turn = head.version;
  } else if (const auto* undone = std::get_if<TurnUndone>(&event)) {
    state.last_turn = undone->previous;
    state.redo = {head.version, undone->index};
  } else if (const auto* redone = std::get_if<TurnRedone>(&event)) {
    state.last_turn = redone->played;
    state.redo = redone->later;
  }
  const auto position = position_after(now, state.last_turn, *setup);
  if (!position) return std::nullopt;
  state.position = *position;
  return state;
}

/// Where the pieces stand after a turn in force: players move one after another, so the last turns,
/// as many as there are players, have moved each of them last; with powers it may take a few more.
std::optional<Position> RecordedGame::position_after(EventReader& now, Version last_turn,
                                                     const GameSetup& setup) const {
  LastPlaces places(setup.players.size());
  Version version = last_turn;
  while (version != 0 && !places.all_told()) {
    const auto commit = now.commit(id_, version);
    if (!commit) return std::nullopt;
    const auto events = events_of(commit->view());
    const auto* turn = std::get_if<TurnPlayed>(&events.front());
    if (turn == nullptr || !moves_only(*turn, setup.players.size()) || turn->previous >= version)
      return std::nullopt;
    // Where nothing changes the order of turns, whoever comes up again has been passed over.
    if (!turn->effects && places.is_told(turn->seat)) return std::nullopt;
    places.tell_earlier(*turn);
    version = turn->previous;
  }
  return places.position(first_position(setup));
}

bool RecordedGame::reload(StoreReader& store) {
  recollection_.forget();  // what was recalled may have been rolled back since
  return at_one_moment(store, [&](EventReader& now) {
    const auto head = now.head(id_);
    if (!head) return false;
    known_.derived_is_wrong = !load_from_derived(now, *head);
    if (known_.derived_is_wrong) fold_log(now);
    return true;
  });
}

bool RecordedGame::load_from_derived(EventReader& now, const Head& head) {
  const auto summary = now.summary(id_);
  if (!summary) return false;
  const Version behind = head.version - summary->head.version;
  if (behind < 0 || behind >= summary_interval) return false;
  auto state = state_from(now, *summary);
  if (!state) return false;
  FoldedLog log;
  log.state = *std::move(state);
  log.head = summary->head;
  if (behind > 0)
    for_each_commit(now, id_, next_number(log.head.version), [&](const CommitView& commit) {
      return !log.try_to_add(commit) && commit.version < head.version;
    });
  // A `redoable` that nobody proved may not fit what follows, and then the end isn't reached.
  if (log.head != head) return false;
  const bool is_completed = log.state.position.winner.has_value();
  if (is_completed != summary->completed()) return false;
  known_.state = std::move(log.state);
  known_.head = head;
  known_.created = summary->created;
  known_.is_from_derived = true;
  return true;
}

void RecordedGame::fold_log(EventReader& now) {
  FoldedLog log;
  for_each_commit(now, id_, 1, [&](const CommitView& commit) {
    log.add(commit);
    return true;
  });
  known_.state = std::move(log.state);
  known_.head = log.head;
  known_.created = log.created;
  known_.is_from_derived = false;
  if (!known_.state.started()) throw_damaged(id_, 1, "the game has no first event");
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

GameSummary RecordedGame::summary_at(Version version) const {
  const FoldedLog log = folded_up_to(version, *store_, id_);
  return summarise(id_, known_.created, log.head, log.state);
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
  const auto decided = [&] {
    return decide(known_.state, command, [this](EventRef ref) { return recall(ref); });
  };
  auto events = decided();
  if (!known_.is_from_derived) return events;
  // Too few turns to be redone are refused; too many lead to events that don't fit the state.
  const bool may_be_the_row =
      events ? std::holds_alternative<RedoTurns>(command) && !fold(known_.state, *events)
             : std::holds_alternative<NotEnoughTurns>(events.error()) ||
                   std::holds_alternative<Damage>(events.error());
  if (!may_be_the_row) return events;
  const GameState before = known_.state;
  fold_log(*store_);
  known_.derived_is_wrong = known_.derived_is_wrong || known_.state.redoable != before.redoable;
  return decided();
}

}  // namespace snl
