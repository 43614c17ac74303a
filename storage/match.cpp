#include "match.hpp"

#include "codec.hpp"
#include "domain/narration.hpp"
#include "domain/overloaded.hpp"
#include "draw.hpp"
#include "game_id.hpp"
#include "retry_while_outcome_unknown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace snl {
namespace {

/// Whether every turn among the events is one of these players'.
bool played_by(std::span<const Event> events, std::size_t players) {
  return std::ranges::all_of(events, [&](const Event& event) {
    const auto* turn = std::get_if<TurnPlayed>(&event);
    return turn == nullptr || moves_only(*turn, players);
  });
}

/// The heads that appends of one commit each led to, if the log has all of these commits.
std::optional<std::vector<Head>> heads_after(EventReader& store, std::span<const Append> appends) {
  std::vector<Head> heads;
  for (const Append& append : appends) {
    const NewCommit& commit = append.commits.front();
    const Version version = next_number(append.expected.version.value_or(0));
    const auto there = store.commit(append.game, version);
    const Hash hash = HashChain().next(append.expected.hash.value_or(Hash{}), append.game,
                                       time_text(commit.time), commit.command, commit.events);
    if (!there || there->hash != hash) return std::nullopt;
    heads.push_back({.version = version, .hash = hash});
  }
  return heads;
}

}  // namespace

Match::Match(EventStore& store, std::string id, Clock clock)
    : RecordedGame(store, std::move(id)), store_(&store), clock_(std::move(clock)) {}

Match::Match(EventStore& store, const RecordedGame& game, Clock clock)
    : RecordedGame(store, game), store_(&store), clock_(std::move(clock)) {}

std::expected<Match, Rejection> Match::start(EventStore& store, std::string id,
                                             const StartGame& command, const Clock& clock) {
  Match match(store, std::move(id), clock);
  auto attempt = match.attempt_start(command);
  if (!attempt) return std::unexpected(std::move(attempt).error());
  const Outcome outcome = match.append(store, *std::move(attempt));
  if (!outcome) return std::unexpected(Rejection{GameIdTaken{}});
  return match;
}

std::expected<Match::Attempt, Rejection> Match::attempt_start(const StartGame& command) {
  if (!is_game_id(id())) return std::unexpected(Rejection{InvalidGameId{}});
  const auto started = decide(GameState{}, command);
  if (!started) return std::unexpected(Rejection{started.error()});
  if (auto fault = fault_of_draw(*command.setup))
    return std::unexpected(Rejection{Refusal{InvalidSetup{{*std::move(fault)}}}});
  const Event event = *started;
  const UnixMilliseconds now = time_to_record(clock_);
  set_known_state({.created = now, .state = {}, .head = {}});
  return Attempt{.events = {event},
                 .commit = {.time = now,
                            .command = encode(Command{command}),
                            .events = encode(std::span(&event, 1)),
                            .command_id = std::nullopt},
                 .after = *evolve(GameState{}, event)};
}

std::optional<Match> Match::load(EventStore& store, std::string id, const Clock& clock) {
  Match match(store, std::move(id), clock);
  if (!match.reload(store)) return std::nullopt;
  return match;
}

/// The rejection of an invalid command ID.
std::optional<Rejection> Match::fault_of_id(const Request& request) {
  if (!request.command_id) return std::nullopt;
  auto fault = fault_of_name(*request.command_id);
  if (!fault) return std::nullopt;
  return InvalidCommandId{*request.command_id, *std::move(fault)};
}

/// The outcome for a command ID that was used before; none if it is free.
Match::Outcome Match::outcome_of_used_id(EventStore& store, const Command& command,
                                         const Request& request) const {
  if (!request.command_id) return std::nullopt;
  const auto used = store.commit_with_id(id(), *request.command_id);
  if (!used) return std::nullopt;
  return repeated_outcome(*used, used->command == encode(command, request.command_id));
}

std::expected<Recorded, Rejection> Match::execute(const Command& command, const Request& request) {
  if (auto fault = fault_of_id(request)) return std::unexpected(*std::move(fault));
  // If somebody moved in between, decide again while nobody else can move: otherwise a fast player
  // might be ahead every time.
  auto attempt = try_to_record(*store_, command, request);
  return attempt ? *std::move(attempt) : record_locked(command, request);
}

/// Decides on the known state and appends; none if that state turns out to be old.
Match::Outcome Match::try_to_record(EventStore& store, const Command& command,
                                    const Request& request) {
  auto decided = attempt(store, command, request);
  if (!decided) return std::move(decided).error();
  return append(store, *std::move(decided));
}

std::expected<Match::Attempt, Match::Outcome> Match::attempt(EventStore& store,
                                                             const Command& command,
                                                             const Request& request) {
  auto made = attempt_on_known(command, request);
  if (made) return *std::move(made);
  // The command may be allowed in the present state.
  if (store.head(id()) != head()) return std::unexpected(Outcome());
  // This very command may be in the log already. (The append checks that for an allowed command.)
  if (auto outcome = outcome_of_used_id(store, command, request))
    return std::unexpected(std::move(outcome));
  return std::unexpected(Outcome(std::unexpected(std::move(made).error())));
}

std::expected<Match::Attempt, Rejection> Match::attempt_on_known(const Command& command,
                                                                 const Request& request) {
  if (request.expected_version.value_or(state().version) != state().version)
    return std::unexpected(Rejection{Conflict{*request.expected_version, state().version}});
  auto events = decide_on_state(command);
  if (!events) return std::unexpected(Rejection{std::move(events).error()});
  auto after = fold(state(), *events);
  if (!after) throw_damaged(id(), state().version, after.error().what);
  NewCommit commit{.time = time_to_record(clock_),
                   .command = encode(command, request.command_id),
                   .events = encode(*events),
                   .command_id = request.command_id};
  return Attempt{
      .events = *std::move(events), .commit = std::move(commit), .after = *std::move(after)};
}

Recorded Match::accept(Attempt attempt, const Head& head) {
  move_to(std::move(attempt.after), head);
  return {std::move(attempt.events), head};
}

Append Match::append_of(const Attempt& attempt,
                        std::optional<std::int64_t> expected_revision) const {
  return {.game = id(),
          .expected = head(),
          .commits = std::span(&attempt.commit, 1),
          .after = &attempt.after,
          .expected_revision = expected_revision};
}

/// If the outcome is unknown, the same appends are sent again: the first is refused if all of them
/// were recorded.
std::expected<std::vector<Head>, RefusedAppend> Match::send(EventStore& store,
                                                            std::span<const Append> appends) {
  int sent = 0;
  return retry_while_outcome_unknown([&]() -> std::expected<std::vector<Head>, RefusedAppend> {
    ++sent;
    auto appended = store.append(appends);
    if (!appended && sent > 1 && !conflicts_with_other_writer(appended.error().why))
      if (auto recorded = heads_after(store, appends)) return *std::move(recorded);
    return appended;
  });
}

Match::Outcome Match::append(EventStore& store, Attempt attempt) {
  const Append one = append_of(attempt);
  const auto appended = send(store, std::span(&one, 1));
  if (appended) return accept(std::move(attempt), appended->front());
  if (const auto* used = std::get_if<CommandIdUsed>(&appended.error().why))
    return repeated_outcome(used->commit, used->same_command);
  return std::nullopt;
}

std::expected<Recorded, Rejection> Match::record_locked(const Command& command,
                                                        const Request& request) {
  const KnownState before = known_state();
  Outcome outcome;
  // An earlier run of the work, with an unknown outcome, may have recorded the command.
  const auto is_recorded = [&](EventReader& store) {
    if (!outcome || !outcome->has_value() || (*outcome)->again) return false;
    const auto there = store.commit(id(), head().version);
    return there && there->hash == head().hash;
  };
  const auto decide_again = [&](EventStore& store) {
    if (is_recorded(store)) return;
    set_known_state(before);
    outcome.reset();
    if (store.head(id()) != head() && !reload(store))
      throw_damaged(id(), head().version, "the game is gone");
    outcome = try_to_record(store, command, request);
  };
  try {
    retry_while_outcome_unknown([&] { store_->locked(id(), decide_again); });
  } catch (...) {
    set_known_state(before);
    throw;
  }
  if (!outcome) throw_damaged(id(), head().version, "its log changed while it was locked");
  return *std::move(outcome);
}

/// The outcome for a command ID that was used before.
std::expected<Recorded, Rejection> Match::repeated_outcome(const Commit& commit,
                                                           bool same_command) const {
  if (!same_command)
    return std::unexpected(CommandIdTaken{commit.command_id.value_or(""), commit.version});
  auto events = events_of(commit.view());
  if (!played_by(events, state().players()))
    throw_damaged(id(), commit.version, "nobody plays in the seat of its turn");
  return Recorded{std::move(events), {commit.version, commit.hash}, true};
}

std::string explain(const Rejection& rejection) {
  return std::visit(
      Overloaded{
          [](const Refusal& refusal) { return explain(refusal); },
          [](const Conflict& conflict) {
            return fmt::format("the game is at version {}, not {}", conflict.actual,
                               conflict.expected);
          },
          [](const CommandIdTaken& taken) {
            return fmt::format("command ID \"{}\" was used for another command, version {}",
                               taken.command_id, taken.version);
          },
          [](const InvalidCommandId& invalid) {
            return fmt::format("command ID \"{}\" {}", invalid.command_id, invalid.fault);
          },
          [](const GameIdTaken&) { return std::string("another game has this ID"); },
          [](const InvalidGameId&) { return std::string(game_id_rule); },
      },
      rejection);
}

}  // namespace snl
