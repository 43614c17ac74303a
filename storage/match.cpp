#include "match.hpp"

#include "codec.hpp"
#include "game_id.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace snl {
namespace {

[[noreturn]] void throw_damaged(std::string_view game, Version version, std::string_view why) {
  throw StoreError(
      StoreError::Cause::damaged,
      fmt::format("game {}, version {}: {}; see snl audit {}", game, version, why, game));
}

/// A game's log, folded commit by commit.
struct FoldedLog {
  GameState state;
  Head head;
  UnixMilliseconds created = 0;
  std::vector<Event> events;  // of the last commit

  void add(const CommitView& commit) {
    events.clear();
    if (const auto decoded = decode_events_to(events, commit.events); !decoded)
      throw_damaged(commit.game, commit.version, decoded.error().why);
    auto folded = fold(std::move(state), events);
    if (!folded) throw_damaged(commit.game, commit.version, folded.error().what);
    state = *std::move(folded);
    if (state.version != commit.version)
      throw_damaged(commit.game, commit.version, "its events aren't those of one command");
    if (commit.version == 1) created = commit.time;
    head = {commit.version, commit.hash};
  }
};

FoldedLog folded_up_to(Version version, EventStore& store, const std::string& id) {
  FoldedLog log;
  for_each_commit(store, id, 1, [&](const CommitView& commit) {
    log.add(commit);
    return commit.version < version;
  });
  return log;
}

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

/// Whether a turn moves pieces of these players and no others.
bool moves_only(const TurnPlayed& turn, std::size_t players) {
  const auto displaced = displaced_by(turn);
  const auto missed = missed_after(turn);
  return turn.seat < players && turn.next.value_or(0) < players &&
         std::ranges::all_of(
             displaced, [&](const Displaced& piece) { return piece.seat < players; }) &&
         std::ranges::all_of(missed, [&](Seat seat) { return seat < players; });
}

/// Whether every turn among the events is one of these players'.
bool played_by(std::span<const Event> events, std::size_t players) {
  return std::ranges::all_of(events, [&](const Event& event) {
    const auto* turn = std::get_if<TurnPlayed>(&event);
    return turn == nullptr || moves_only(*turn, players);
  });
}

}  // namespace

std::vector<Event> events_of(const CommitView& commit) {
  auto events = decode_events(commit.events);
  if (!events) throw_damaged(commit.game, commit.version, events.error().why);
  return *std::move(events);
}

History history_of(EventStore& store, const std::string& id) {
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

Match::Match(EventStore& store, std::string id, Clock clock)
    : store_(&store), id_(std::move(id)), clock_(std::move(clock)) {}

std::expected<Match, Rejection> Match::start(EventStore& store, std::string id,
                                             const StartGame& command, const Clock& clock) {
  if (!is_game_id(id)) return std::unexpected(Rejection{InvalidGameId{}});
  Match match(store, std::move(id), clock);
  const auto started = decide(match.state_, command);
  if (!started) return std::unexpected(Rejection{started.error()});
  const Event event = *started;
  match.created_ = clock();
  match.state_ = *evolve(GameState{}, event);
  const NewCommit commit{.time = match.created_,
                         .command = encode(Command{command}),
                         .events = encode(std::span(&event, 1)),
                         .command_id = std::nullopt};
  const auto head = store.append(match.id_, 0, std::span(&commit, 1), match.state_);
  if (!head) return std::unexpected(Rejection{GameIdTaken{}});
  match.head_ = *head;
  return match;
}

std::optional<Match> Match::load(EventStore& store, std::string id, const Clock& clock) {
  Match match(store, std::move(id), clock);
  if (!match.reload()) return std::nullopt;
  return match;
}

std::optional<GameState> Match::state_from(const GameSummary& summary) {
  const auto first = store_->commit(id_, 1);
  if (!first) return std::nullopt;
  const auto events = events_of(first->view());
  const auto* started = std::get_if<GameStarted>(&events.front());
  if (started == nullptr || started->setup->players != summary.players) return std::nullopt;
  auto state = state_at_end_of_log(started->setup, summary.head);
  if (!state) return std::nullopt;
  // All but this is told by a few commits, however long the game is.
  state->redoable = summary.redoable;
  const bool agrees = summarise(id_, first->time, summary.head, *state) == summary;
  if (!agrees || !is_possible(*state)) return std::nullopt;
  return state;
}

/// What the last event tells, and the turns in force to which it leads. None where they can't be
/// those of a game. `redoable` is left at 0.
std::optional<GameState> Match::state_at_end_of_log(const std::shared_ptr<const GameSetup>& setup,
                                                    const Head& head) {
  const auto last = store_->commit(id_, head.version);
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
  const auto position = position_after(state.last_turn, *setup);
  if (!position) return std::nullopt;
  state.position = *position;
  return state;
}

/// Where the pieces stand after a turn in force: players move one after another, so the last turns,
/// as many as there are players, have moved each of them last; with powers it may take a few more.
std::optional<Position> Match::position_after(Version last_turn, const GameSetup& setup) {
  LastPlaces places(setup.players.size());
  Version version = last_turn;
  while (version != 0 && !places.all_told()) {
    const auto commit = store_->commit(id_, version);
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

bool Match::reload() {
  recollection_.forget();  // what was recalled may have been rolled back since
  const auto head = store_->head(id_);
  if (!head) return false;
  if (const auto summary = store_->summary(id_)) {
    // The row is newer than the head if somebody moved between the two looks.
    if (summary->head == *head || store_->head(id_) == summary->head) {
      if (auto state = state_from(*summary)) {
        state_ = *std::move(state);
        head_ = summary->head;
        created_ = summary->created;
        is_from_derived_ = true;
        return true;
      }
    }
  }
  derived_is_wrong_ = true;
  fold_log();
  return true;
}

void Match::fold_log() {
  FoldedLog log;
  for_each_commit(*store_, id_, 1, [&](const CommitView& commit) {
    log.add(commit);
    return true;
  });
  state_ = std::move(log.state);
  head_ = log.head;
  created_ = log.created;
  is_from_derived_ = false;
  if (!state_.started()) throw_damaged(id_, 1, "the game has no first event");
}

/// What was recorded is recorded: if this fails, the next command tries again.
void Match::heal() {
  if (!derived_is_wrong_) return;
  try {
    store_->rewrite_derived(summary());
    derived_is_wrong_ = false;
  } catch (const StoreError&) {
    derived_is_wrong_ = true;
  }
}

std::optional<TurnPlayed> Match::last_turn() {
  const Event* event = state_.last_turn == 0 ? nullptr : recall({state_.last_turn, 0});
  const auto* turn = event == nullptr ? nullptr : std::get_if<TurnPlayed>(event);
  return turn == nullptr ? std::nullopt : std::optional(*turn);
}

GameSummary Match::summary_at(Version version) const {
  const FoldedLog log = folded_up_to(version, *store_, id_);
  return summarise(id_, created_, log.head, log.state);
}

Position Match::position_at(Version version) const {
  return folded_up_to(version, *store_, id_).state.position;
}

const Event* Match::recall(EventRef ref) {
  return recollection_.find(ref, [&](Version version) -> std::optional<std::vector<Event>> {
    const auto commit = store_->commit(id_, version);
    if (!commit) return std::nullopt;
    return events_of(commit->view());
  });
}

std::expected<Recorded, Rejection> Match::execute(const Command& command, const Request& request) {
  if (request.command_id)
    if (const auto fault = fault_of_name(*request.command_id))
      return std::unexpected(InvalidCommandId{*request.command_id, *fault});
  const std::string json = encode(command, request.command_id);
  if (request.command_id)
    if (const auto used = store_->commit_with_id(id_, *request.command_id))
      return answer_again(*used, used->command == json);

  auto attempt = try_to_record(command, json, request);
  if (attempt) return *std::move(attempt);
  // Somebody moved in between. Whoever plays fast would be ahead every time, so from here on
  // nobody moves until this command is decided.
  const auto before = std::tuple(state_, head_, derived_is_wrong_, is_from_derived_);
  try {
    store_->atomically([&] {
      catch_up();
      attempt = try_to_record(command, json, request);
    });
  } catch (...) {
    std::tie(state_, head_, derived_is_wrong_, is_from_derived_) = before;
    throw;
  }
  if (!attempt) throw_damaged(id_, head_.version, "it changes while nobody can change it");
  return *std::move(attempt);
}

/// Decides on the state that is known and appends; none if that state turns out to be an old one.
std::optional<std::expected<Recorded, Rejection>> Match::try_to_record(const Command& command,
                                                                       const std::string& json,
                                                                       const Request& request) {
  const auto reject = [](Rejection rejection) { return std::unexpected(std::move(rejection)); };
  const auto is_old = [&] { return store_->head(id_) != head_; };
  if (request.expected_version && *request.expected_version != state_.version) {
    if (is_old()) return std::nullopt;
    return reject(Conflict{*request.expected_version, state_.version});
  }
  auto events = decide_on_state(command);
  if (request.expected_version && *request.expected_version != state_.version)
    return reject(Conflict{*request.expected_version, state_.version});
  if (!events) {
    if (is_old()) return std::nullopt;  // what it said no to may be right now
    return reject(std::move(events).error());
  }
  auto after = fold(state_, *events);
  if (!after) throw_damaged(id_, state_.version, after.error().what);
  const NewCommit commit{.time = clock_(),
                         .command = json,
                         .events = encode(*events),
                         .command_id = request.command_id};
  const auto appended = store_->append(id_, head_, std::span(&commit, 1), *after);
  if (!appended) {
    if (const auto* used = std::get_if<CommandIdUsed>(&appended.error()))
      return answer_again(used->commit, used->same_command);
    return std::nullopt;
  }
  state_ = *std::move(after);
  head_ = *appended;
  heal();
  return Recorded{*std::move(events), head_};
}

/// What is refused for what only the derived row says is decided again on the folded log.
std::expected<std::vector<Event>, Refusal> Match::decide_on_state(const Command& command) {
  const auto decided = [&] {
    return decide(state_, command, [this](EventRef ref) { return recall(ref); });
  };
  auto events = decided();
  if (events || !is_from_derived_) return events;
  const bool may_be_the_row = std::holds_alternative<NotEnoughTurns>(events.error()) ||
                              std::holds_alternative<Damage>(events.error());
  if (!may_be_the_row) return events;
  const GameState before = state_;
  fold_log();
  derived_is_wrong_ = derived_is_wrong_ || state_.redoable != before.redoable;
  return decided();
}

/// What is answered to a command ID that was used before.
std::expected<Recorded, Rejection> Match::answer_again(const Commit& commit,
                                                       bool same_command) const {
  if (!same_command)
    return std::unexpected(CommandIdTaken{commit.command_id.value_or(""), commit.version});
  auto events = events_of(commit.view());
  if (!played_by(events, state_.players()))
    throw_damaged(id_, commit.version, "nobody plays in the seat of its turn");
  return Recorded{std::move(events), {commit.version, commit.hash}, true};
}

void Match::catch_up() {
  if (store_->head(id_) != head_ && !reload())
    throw_damaged(id_, head_.version, "the game is gone");
}

}  // namespace snl
