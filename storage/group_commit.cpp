#include "group_commit.hpp"

#include <algorithm>
#include <utility>

namespace snl {

struct GroupCommit::Decided {
  std::size_t index = 0;  // the command's
  std::optional<std::int64_t> expected_revision = std::nullopt;
  std::shared_ptr<Match> match = nullptr;
  Match::Attempt attempt = {};
};

GroupCommit::GroupCommit(EventStore& store, Clock clock)
    : store_(store), clock_(std::move(clock)) {}

namespace {

/// If a command expects a revision, all that its caller knows may be out of date: Outdated. Any
/// other command is decided again while nobody else moves.
std::optional<CommandOutcome> outdated_if(const std::optional<std::int64_t>& expected_revision) {
  return expected_revision ? std::optional<CommandOutcome>(Outdated{}) : std::nullopt;
}

CommandOutcome outcome_of(std::expected<Recorded, Rejection> decided,
                          std::shared_ptr<const Match> match) {
  if (!decided) return std::move(decided).error();
  return Committed{*std::move(decided), std::move(match)};
}

}  // namespace

std::vector<CommandOutcome> GroupCommit::execute(std::span<const WaitingCommand> commands) {
  Outcomes outcomes(commands.size());
  std::vector<Decided> decided;
  for (std::size_t index = 0; index < commands.size(); ++index) {
    const WaitingCommand& waiting = commands[index];
    Decided next{.index = index, .expected_revision = waiting.expected_revision};
    try {
      outcomes[index] =
          waiting.is_optimistic ? decide_on_known(waiting, next) : decide_one(waiting, next);
    } catch (const StoreError& error) {
      outcomes[index] = error;
    }
    if (!outcomes[index] && next.match) decided.push_back(std::move(next));
  }
  record(decided, outcomes);
  std::vector<CommandOutcome> all;
  all.reserve(commands.size());
  for (std::size_t index = 0; index < commands.size(); ++index)
    all.push_back(outcomes[index] ? *std::move(outcomes[index]) : execute_alone(commands[index]));
  return all;
}

/// Null if there is no such game.
std::shared_ptr<Match> GroupCommit::match_of(const WaitingCommand& waiting) {
  if (waiting.known) return std::shared_ptr<Match>(new Match(store_, *waiting.known, clock_));
  auto match = Match::load(store_, waiting.game, clock_);
  return match ? std::make_shared<Match>(*std::move(match)) : nullptr;
}

/// The outcome of a command that needs no append. None means that `decided` is to be appended; if
/// it has no match, the command has to be decided again while nobody else moves. The append itself
/// finds out whether the command ID was used.
std::optional<CommandOutcome> GroupCommit::decide_one(const WaitingCommand& waiting,
                                                      Decided& decided) {
  if (const auto* start = std::get_if<StartGame>(&waiting.command)) {
    auto match = std::shared_ptr<Match>(new Match(store_, waiting.game, clock_));
    auto attempt = match->attempt_start(*start);
    if (!attempt) return std::move(attempt).error();
    decided.match = std::move(match);
    decided.attempt = *std::move(attempt);
    return std::nullopt;
  }
  auto match = match_of(waiting);
  if (!match) return Rejection{Refusal{WrongStart{}}};
  if (auto fault = Match::fault_of_id(waiting.request)) return *std::move(fault);
  auto attempt = match->attempt(store_, waiting.command, waiting.request);
  if (!attempt) {
    const auto& outcome = attempt.error();
    if (!outcome) return outdated_if(waiting.expected_revision);
    return outcome_of(*outcome, match);
  }
  decided.match = std::move(match);
  decided.attempt = *std::move(attempt);
  return std::nullopt;
}

/// Decides on the known game alone. A refusal has to be checked with the store.
std::optional<CommandOutcome> GroupCommit::decide_on_known(const WaitingCommand& waiting,
                                                           Decided& decided) {
  if (!waiting.known || Match::fault_of_id(waiting.request)) return Outdated{};
  auto match = match_of(waiting);
  auto attempt = match->attempt_on_known(waiting.command, waiting.request);
  if (!attempt) return Outdated{};
  decided.match = std::move(match);
  decided.attempt = *std::move(attempt);
  return std::nullopt;
}

void GroupCommit::record(std::vector<Decided>& decided, Outcomes& outcomes) {
  try {
    while (!decided.empty() && !append(decided, outcomes))
      continue;
  } catch (const StoreError& error) {
    for (const Decided& one : decided)
      outcomes[one.index] = error;
  }
}

/// Appends all and returns true; or takes out the first that is refused and returns false.
bool GroupCommit::append(std::vector<Decided>& decided, Outcomes& outcomes) {
  std::vector<Append> appends;
  appends.reserve(decided.size());
  for (const Decided& one : decided)
    appends.push_back(one.match->append_of(one.attempt, one.expected_revision));
  const auto appended = Match::send(store_, appends);
  if (!appended) {
    const auto refused = std::ranges::find_if(
        decided, [&](const Decided& one) { return one.match->id() == appended.error().game; });
    outcomes[refused->index] = outcome_of_refusal(*refused, appended.error().why);
    decided.erase(refused);
    return decided.empty();
  }
  for (std::size_t i = 0; i < decided.size(); ++i) {
    auto& [index, expected_revision, match, attempt] = decided[i];
    NewCommit commit = std::move(attempt.commit);
    outcomes[index] =
        Committed{match->accept(std::move(attempt), (*appended)[i]), match, std::move(commit)};
  }
  return true;
}

/// A used command ID is reported as such, no matter what has changed since.
std::optional<CommandOutcome> GroupCommit::outcome_of_refusal(const Decided& decided,
                                                              const AppendRefusal& why) {
  const auto* used = std::get_if<CommandIdUsed>(&why);
  if (used == nullptr) return outdated_if(decided.expected_revision);
  try {
    return outcome_of(decided.match->repeated_outcome(used->commit, used->same_command),
                      decided.match);
  } catch (const StoreError& damage) {
    return damage;
  }
}

/// Executes a command as if it were alone: if it was decided on an old state, it is decided again
/// while nobody else moves.
CommandOutcome GroupCommit::execute_alone(const WaitingCommand& waiting) {
  try {
    if (const auto* start = std::get_if<StartGame>(&waiting.command)) {
      auto match = Match::start(store_, waiting.game, *start, clock_);
      if (!match) return std::move(match).error();
      const Head head = match->head();
      Recorded recorded{{Event{GameStarted{match->state().setup}}}, head};
      return Committed{std::move(recorded), std::make_shared<Match>(*std::move(match))};
    }
    const auto match = match_of(waiting);
    if (!match) return Rejection{Refusal{WrongStart{}}};
    return outcome_of(match->execute(waiting.command, waiting.request), match);
  } catch (const StoreError& error) {
    return error;
  }
}

}  // namespace snl
