#include "memory_store.hpp"

#include <algorithm>
#include <utility>

namespace snl {
namespace {

using Lock = std::unique_lock<std::recursive_mutex>;

}  // namespace

const MemoryStore::Stream* MemoryStore::find(const std::string& game) const {
  const auto found = streams_.find(game);
  return found == streams_.end() ? nullptr : &found->second;
}

std::expected<Head, AppendRefusal> MemoryStore::append(const std::string& game,
                                                       const Expectation& expected,
                                                       std::span<const NewCommit> commits,
                                                       const GameState& after) {
  const Lock lock(mutex_);
  if (auto used = used_command_id(*this, game, commits)) return std::unexpected(*std::move(used));
  const Stream* stream = find(game);
  Head head = stream != nullptr ? stream->summary.head : Head{};
  if (!expected.admits(head)) return std::unexpected(VersionConflict{head.version});
  if (commits.empty()) return head;

  remember(game);
  if (stream == nullptr) newest_last_.push_back(game);
  Stream& appended = streams_[game];
  for (const NewCommit& commit : commits) {
    head.hash = chain_.next(head.hash, game, time_text(commit.time), commit.command, commit.events);
    ++head.version;
    appended.commits.push_back(commits_.size());
    Commit recorded;
    recorded.position = static_cast<StorePosition>(commits_.size()) + 1;
    recorded.game = game;
    recorded.version = head.version;
    recorded.time = commit.time;
    recorded.command = commit.command;
    recorded.events = commit.events;
    recorded.command_id = commit.command_id;
    recorded.hash = head.hash;
    commits_.push_back(std::move(recorded));
  }
  appended.summary = summarise(game, commits_[appended.commits.front()].time, head, after);
  appended_.notify_all();
  return head;
}

void MemoryStore::atomically(const std::function<void()>& work) {
  constexpr std::string_view name = "in memory";
  const Lock lock(mutex_);
  if (scope_.is_open()) return scope_.join(work, name);
  const auto commits = commits_.size();
  const auto games = newest_last_.size();
  before_.clear();
  try {
    scope_.open(work, name);
  } catch (...) {
    take_back(commits, games);
    throw;
  }
}

/// Called before a game changes: so a group costs what it changes, not what the store holds.
void MemoryStore::remember(const std::string& game) {
  if (!scope_.is_open() || before_.contains(game)) return;
  const Stream* stream = find(game);
  before_.emplace(game,
                  stream == nullptr ? Before{} : Before{stream->commits.size(), stream->summary});
}

/// What the group that failed did; so many commits and games were there before it.
void MemoryStore::take_back(std::size_t commits, std::size_t games) {
  commits_.resize(commits);
  newest_last_.resize(games);
  for (auto& [game, before] : before_) {
    if (before.commits == 0) {
      streams_.erase(game);
      continue;
    }
    Stream& stream = streams_.at(game);
    stream.commits.resize(before.commits);
    stream.summary = std::move(before.summary);
  }
}

void MemoryStore::at_one_moment(const std::function<void()>& work) {
  const Lock lock(mutex_);
  work();
}

std::size_t MemoryStore::lend(std::size_t from, std::size_t limit, std::size_t count,
                              const std::function<std::size_t(std::size_t)>& index_of,
                              const CommitVisitor& visit) {
  std::size_t lent = 0;
  for (std::size_t i = from; i < count && lent < limit; ++i) {
    Lock lock(mutex_);
    const Commit commit = commits_[index_of(i)];
    lock.unlock();
    ++lent;
    if (!visit(commit.view())) break;
  }
  return lent;
}

std::size_t MemoryStore::read(const std::string& game, Version from, std::size_t limit,
                              const CommitVisitor& visit) {
  Lock lock(mutex_);
  const Stream* stream = find(game);
  const std::vector<std::size_t> indexes =
      stream != nullptr ? stream->commits : std::vector<std::size_t>{};
  lock.unlock();
  const auto first = static_cast<std::size_t>(std::max<Version>(from, 1) - 1);
  return lend(first, limit, indexes.size(), [&](std::size_t i) { return indexes[i]; }, visit);
}

std::size_t MemoryStore::read_all(StorePosition from, std::size_t limit,
                                  const CommitVisitor& visit) {
  Lock lock(mutex_);
  const std::size_t count = commits_.size();
  lock.unlock();
  const auto first = static_cast<std::size_t>(std::max<StorePosition>(from, 1) - 1);
  return lend(first, limit, count, [](std::size_t i) { return i; }, visit);
}

std::optional<Commit> MemoryStore::commit(const std::string& game, Version version) {
  const Lock lock(mutex_);
  const Stream* stream = find(game);
  if (stream == nullptr || version < 1 || version > stream->summary.head.version)
    return std::nullopt;
  return commits_[stream->commits[static_cast<std::size_t>(version - 1)]];
}

std::optional<Commit> MemoryStore::commit_with_id(const std::string& game,
                                                  const std::string& command_id) {
  const Lock lock(mutex_);
  const Stream* stream = find(game);
  if (stream == nullptr) return std::nullopt;
  for (const std::size_t index : stream->commits)
    if (commits_[index].command_id == command_id) return commits_[index];
  return std::nullopt;
}

std::optional<Head> MemoryStore::head(const std::string& game) {
  const Lock lock(mutex_);
  const Stream* stream = find(game);
  return stream == nullptr ? std::nullopt : std::optional(stream->summary.head);
}

std::optional<GameSummary> MemoryStore::summary(const std::string& game) {
  const Lock lock(mutex_);
  const Stream* stream = find(game);
  return stream == nullptr ? std::nullopt : std::optional(stream->summary);
}

void MemoryStore::rewrite_derived(const GameSummary& summary) {
  const Lock lock(mutex_);
  const auto found = streams_.find(summary.id);
  // Somebody may have moved since; what they wrote is newer.
  if (found == streams_.end() || found->second.summary.head != summary.head) return;
  remember(summary.id);
  found->second.summary = summary;
}

std::vector<std::string> MemoryStore::list(const ListFilter& filter, std::size_t limit) {
  const Lock lock(mutex_);
  auto id = newest_last_.rbegin();
  if (filter.before) id = std::find(id, newest_last_.rend(), *filter.before);
  if (filter.before && id != newest_last_.rend()) ++id;
  std::vector<std::string> found;
  for (; id != newest_last_.rend() && found.size() < limit; ++id) {
    const GameSummary& game = find(*id)->summary;
    if (filter.completed && *filter.completed != game.completed()) continue;
    if (filter.player && std::ranges::find(game.players, *filter.player) == game.players.end())
      continue;
    found.push_back(*id);
  }
  return found;
}

std::vector<std::string> MemoryStore::games_after(const std::string& after, std::size_t limit) {
  const Lock lock(mutex_);
  std::vector<std::string> ids;
  for (auto game = streams_.upper_bound(after); game != streams_.end() && ids.size() < limit;
       ++game)
    ids.push_back(game->first);
  return ids;
}

std::vector<std::string> MemoryStore::games_with_prefix(const std::string& prefix,
                                                        std::size_t limit) {
  const Lock lock(mutex_);
  std::vector<std::string> ids;
  for (auto game = streams_.lower_bound(prefix);
       game != streams_.end() && game->first.starts_with(prefix) && ids.size() < limit; ++game)
    ids.push_back(game->first);
  return ids;
}

std::optional<std::string> MemoryStore::newest_game(std::size_t back) {
  const Lock lock(mutex_);
  if (back >= newest_last_.size()) return std::nullopt;
  return newest_last_[newest_last_.size() - 1 - back];
}

StorePosition MemoryStore::wait_for_append(StorePosition after, std::chrono::milliseconds at_most) {
  Lock lock(mutex_);
  const auto last = [&] { return static_cast<StorePosition>(commits_.size()); };
  appended_.wait_for(lock, at_most, [&] { return last() > after; });
  return last();
}

}  // namespace snl
