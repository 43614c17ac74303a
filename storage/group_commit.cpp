#include "group_commit.hpp"

#include "until_known.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace snl {

/// What is about to be appended for one of the commands.
struct GroupCommit::Decided {
  std::size_t index = 0;  // of the command
  std::optional<std::int64_t> revision = std::nullopt;
  std::shared_ptr<Match> match = nullptr;
  Match::Attempt attempt = {};
};

GroupCommit::GroupCommit(EventStore& store, Clock clock)
    : store_(store), clock_(std::move(clock)) {}

std::vector<CommandOutcome> GroupCommit::execute(std::span<const WaitingCommand> commands) {
  std::vector<RoomCommand> all;
  all.reserve(commands.size());
  for (const WaitingCommand& command : commands)
    all.push_back({.waiting = command});
  std::vector<CommandOutcome> outcomes;
  outcomes.reserve(commands.size());
  for (auto& outcome : execute(all))
    outcomes.push_back(*std::move(outcome));
  return outcomes;
}

std::vector<std::optional<CommandOutcome>> GroupCommit::execute(
    std::span<const RoomCommand> commands) {
  std::vector<std::optional<CommandOutcome>> outcomes(commands.size());
  std::vector<Decided> decided;
  for (std::size_t index = 0; index < commands.size(); ++index) {
    const auto& [waiting, revision, is_unasked] = commands[index];
    Decided next{.index = index, .revision = revision};
    try {
      if (is_unasked)
        decide_unasked(waiting, next);
      else
        outcomes[index] = decide_one(waiting, next);
    } catch (const StoreError& error) {
      forget(waiting.game);
      outcomes[index] = error;
      continue;
    }
    if (!outcomes[index] && next.match) decided.push_back(std::move(next));
  }
  record(decided, outcomes);
  for (std::size_t index = 0; index < commands.size(); ++index)
    if (!outcomes[index] && !commands[index].revision)
      outcomes[index] = execute_alone(commands[index].waiting);
  return outcomes;
}

/// What is answered without an append. None: `decided` is to be appended, or, without a match, the
/// command has to be decided again where nobody else moves.
std::optional<CommandOutcome> GroupCommit::decide_one(const WaitingCommand& waiting,
                                                      Decided& decided) {
  const auto outcome_of = [](std::expected<Recorded, Rejection> answer) {
    return answer ? CommandOutcome(*std::move(answer)) : CommandOutcome(std::move(answer).error());
  };
  if (const auto* start = std::get_if<StartGame>(&waiting.command)) {
    auto match = std::shared_ptr<Match>(new Match(store_, waiting.game, clock_));
    auto attempt = match->attempt_start(*start);
    if (!attempt) return std::move(attempt).error();
    decided.match = std::move(match);
    decided.attempt = *std::move(attempt);
    return std::nullopt;
  }
  auto match = find(waiting.game);
  if (!match) return Rejection{Refusal{WrongStart{}}};
  if (auto answer = match->answer_to_used_id(store_, waiting.command, waiting.request))
    return outcome_of(*std::move(answer));
  auto attempt = match->attempt(store_, waiting.command, waiting.request);
  if (!attempt) {
    if (!attempt.error()) return std::nullopt;
    return outcome_of(*std::move(attempt).error());
  }
  decided.match = std::move(match);
  decided.attempt = *std::move(attempt);
  return std::nullopt;
}

/// By what is remembered alone. Where that says no, somebody has to be asked: then without a match.
void GroupCommit::decide_unasked(const WaitingCommand& waiting, Decided& decided) {
  const auto known = known_.find(waiting.game);
  if (known == known_.end()) return;
  if (waiting.request.command_id && fault_of_name(*waiting.request.command_id)) return;
  auto attempt = known->second.match->attempt_on_known(waiting.command, waiting.request);
  if (!attempt) return;
  decided.match = known->second.match;
  decided.attempt = *std::move(attempt);
}

void GroupCommit::record(std::vector<Decided>& decided,
                         std::vector<std::optional<CommandOutcome>>& outcomes) {
  try {
    while (!decided.empty() && !append(decided, outcomes))
      continue;
  } catch (const StoreError& error) {
    for (const Decided& one : decided) {
      forget(one.match->id());
      outcomes[one.index] = error;
    }
  }
}

/// Appends all, or finds the first that is refused and takes it out: then false.
bool GroupCommit::append(std::vector<Decided>& decided,
                         std::vector<std::optional<CommandOutcome>>& outcomes) {
  std::vector<Append> appends;
  appends.reserve(decided.size());
  for (const Decided& one : decided)
    appends.push_back({.game = one.match->id(),
                       .expected = one.match->head(),
                       .commits = std::span(&one.attempt.commit, 1),
                       .after = &one.attempt.after,
                       .expected_revision = one.revision});
  // Where nobody can tell what became of them, the same are sent again: the first is refused if all
  // of them were recorded.
  int sent = 0;
  const auto recorded = [&]() -> std::optional<std::vector<Head>> {
    std::vector<Head> heads;
    for (const Decided& one : decided) {
      const auto head = one.match->head_after(store_, one.attempt.commit);
      if (!head) return std::nullopt;
      heads.push_back(*head);
    }
    return heads;
  };
  const auto send = [&]() -> std::expected<std::vector<Head>, RefusedAppend> {
    ++sent;
    auto appended = store_.append(appends);
    if (!appended && sent > 1 && !is_anothers(appended.error().why))
      if (auto heads = recorded()) return *std::move(heads);
    return appended;
  };
  const auto appended = until_known(send);
  if (!appended) {
    const auto refused = std::ranges::find_if(
        decided, [&](const Decided& one) { return one.match->id() == appended.error().game; });
    if (refused->revision) forget(refused->match->id());  // it is old
    decided.erase(refused);
    return decided.empty();
  }
  for (std::size_t i = 0; i < decided.size(); ++i) {
    Decided& one = decided[i];
    recorded_one((*appended)[i].hash);
    outcomes[one.index] = one.match->accept(std::move(one.attempt), (*appended)[i]);
    remember(one.match->id(), one.match);
  }
  return true;
}

/// As it is done for who waits for nobody: what was decided on an old state is decided again while
/// nobody else moves.
CommandOutcome GroupCommit::execute_alone(const WaitingCommand& waiting) {
  try {
    if (const auto* start = std::get_if<StartGame>(&waiting.command)) {
      auto match = Match::start(store_, waiting.game, *start, clock_);
      if (!match) return std::move(match).error();
      Recorded recorded{{Event{GameStarted{match->state().setup}}}, match->head()};
      recorded_one(recorded.head.hash);
      remember(waiting.game, std::make_shared<Match>(*std::move(match)));
      return recorded;
    }
    const auto match = find(waiting.game);
    if (!match) return Rejection{Refusal{WrongStart{}}};
    auto answer = match->execute(waiting.command, waiting.request);
    if (!answer) return std::move(answer).error();
    if (!answer->again) recorded_one(answer->head.hash);
    return *std::move(answer);
  } catch (const StoreError& error) {
    forget(waiting.game);
    return error;
  }
}

// ---- The games that are known

void GroupCommit::look_for_others() {
  constexpr int enough = 64;
  const bool is_elsewhere = std::exchange(has_recorded_, false) && skips_ > 0;
  if (end_ && !is_elsewhere && is_end_of_store()) return;
  ++look_;  // whatever is known is compared with the store before it is used again
  const std::optional<End> expected = std::exchange(end_, std::nullopt);
  if (is_elsewhere) {
    --skips_;
    return;
  }
  const StorePosition last = store_.wait_for_append(0, std::chrono::milliseconds{0});
  CommitPage page;
  store_.read_all(last, 1, page);
  if (page.empty() || page.begin()->position != last) return;
  end_ = End{.position = last, .hash = page.begin()->hash};
  if (expected && expected->hash == end_->hash) skips_ = enough;
}

/// A commit's hash is of its game's whole log: where the last commit is still the last, and the
/// same, nothing was recorded after it, nor another store put in the place of this one.
bool GroupCommit::is_end_of_store() {
  CommitPage page;
  store_.read_all(end_->position, 2, page);
  return page.size() == 1 && page.begin()->position == end_->position &&
         page.begin()->hash == end_->hash;
}

/// Where others have recorded something too, or the store's positions have gaps, this is at another
/// position: the next look finds out, and asks for every game again. Where that was so once, the
/// end is left out of the looks after a record for a while.
void GroupCommit::recorded_one(const Hash& head) {
  has_recorded_ = true;
  if (end_) end_ = End{.position = next_number(end_->position), .hash = head};
}

std::shared_ptr<const RecordedGame> GroupCommit::game(const std::string& id) {
  const auto known = known_.find(id);
  if (known != known_.end()) {
    if (known->second.look == look_) return known->second.match;
    if (store_.head(id) == known->second.match->head()) {
      known->second.look = look_;
      return known->second.match;
    }
    known_.erase(known);
  }
  return find(id);
}

std::shared_ptr<const RecordedGame> GroupCommit::remembered(const std::string& id) const {
  const auto known = known_.find(id);
  return known == known_.end() ? nullptr : known->second.match;
}

std::shared_ptr<Match> GroupCommit::find(const std::string& id) {
  if (const auto known = known_.find(id); known != known_.end()) return known->second.match;
  auto match = Match::load(store_, id, clock_);
  if (!match) return nullptr;
  auto found = std::make_shared<Match>(*std::move(match));
  remember(id, found);
  return found;
}

/// What is forgotten is read again.
void GroupCommit::remember(const std::string& id, std::shared_ptr<Match> match) {
  constexpr std::size_t most = 1024;
  if (known_.size() >= most && !known_.contains(id)) known_.clear();
  known_.insert_or_assign(id, Known{std::move(match), look_});
}

}  // namespace snl
