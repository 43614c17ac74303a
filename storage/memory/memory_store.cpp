#include "memory_store.hpp"

#include "storage/deadline.hpp"
#include "storage/hosted_games.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace snl {
namespace {

constexpr std::string_view store_name = "in memory";

/// The index of a version in its game's log, or of a position in the store's.
std::size_t index_of(std::int64_t number) {
  return static_cast<std::size_t>(std::max<std::int64_t>(number, 1) - 1);
}

/// Fills a page with the commits of a log of this length, from an index on.
template <class CommitAt>
void fill(CommitPage& page, std::size_t from, std::size_t length, std::size_t limit,
          const CommitAt& commit_at) {
  page.clear();
  for (std::size_t i = from; page.size() < limit && !page.is_full(); ++i) {
    if (i >= length) return page.mark_as_last();
    page.add(commit_at(i).view());
  }
}

}  // namespace

// ---- The view of a moment

MemoryStore::View MemoryStore::view_of(const Stream& stream, std::size_t end) {
  const auto past = std::ranges::lower_bound(stream.commits, end);
  return {.stream = &stream, .commits = static_cast<std::size_t>(past - stream.commits.begin())};
}

MemoryStore::View MemoryStore::view_of(const std::string& game, std::size_t end) const {
  const auto found = streams_.find(game);
  if (found == streams_.end()) return {};
  const View view = view_of(found->second, end);
  return view.commits > 0 ? view : View{};
}

/// How many games had begun by then.
std::size_t MemoryStore::games_before(std::size_t end) const {
  const auto begun = [&](const std::string& id) {
    return streams_.find(id)->second.commits.front() < end;
  };
  return static_cast<std::size_t>(std::ranges::partition_point(newest_last_, begun) -
                                  newest_last_.begin());
}

// ---- Reading

/// Holds no lock between reads.
class MemoryStore::Transaction final : public ReadTransaction {
 public:
  explicit Transaction(MemoryStore& store) : store_(store), end_(store.commits_.size()) {}

  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    fill(page, index_of(from), view.commits, limit,
         [&](std::size_t i) -> const Commit& { return store_.commits_[view.stream->commits[i]]; });
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    const Lock lock(store_.mutex_);
    fill(page, index_of(from), end_, limit,
         [&](std::size_t i) -> const Commit& { return store_.commits_[i]; });
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    if (version < 1 || std::cmp_greater(version, view.commits)) return std::nullopt;
    return store_.commits_[view.stream->commits[index_of(version)]];
  }
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    if (view.stream == nullptr) return std::nullopt;
    const auto found = view.stream->command_ids.find(command_id);
    return found != view.stream->command_ids.end() ? commit(game, found->second) : std::nullopt;
  }
  std::optional<Head> head(const std::string& game) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    if (view.stream == nullptr) return std::nullopt;
    const Commit& last = store_.commits_[view.stream->commits[view.commits - 1]];
    return Head{.version = last.version, .hash = last.hash};
  }
  std::optional<ListEntry> list_entry(const std::string& game) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    if (view.stream == nullptr) return std::nullopt;
    ListEntry entry = view.stream->entry;
    const auto later = view.stream->completed.upper_bound(static_cast<Version>(view.commits));
    entry.completed = std::prev(later)->second;  // the first commit has one
    return entry;
  }
  std::optional<Snapshot> snapshot(const std::string& game) override {
    const Lock lock(store_.mutex_);
    const View view = store_.view_of(game, end_);
    if (view.stream == nullptr) return std::nullopt;
    const auto& snapshot = view.stream->snapshot;
    const bool is_there = snapshot && std::cmp_less_equal(snapshot->head.version, view.commits);
    return is_there ? snapshot : std::nullopt;
  }
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override {
    const Lock lock(store_.mutex_);
    const auto oldest = store_.newest_last_.rend();
    auto id = oldest - static_cast<std::ptrdiff_t>(store_.games_before(end_));
    if (filter.before) id = std::find(id, oldest, *filter.before);
    if (filter.before && id != oldest) ++id;
    std::vector<std::string> found;
    for (; id != oldest && found.size() < limit; ++id) {
      const ListEntry game = *list_entry(*id);
      if (filter.completed && *filter.completed != game.completed) continue;
      if (filter.player && std::ranges::find(game.players, *filter.player) == game.players.end())
        continue;
      found.push_back(*id);
    }
    return found;
  }
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override {
    return games_from(after + '\0', "", limit);
  }
  std::vector<std::string> games_with_prefix(const std::string& prefix,
                                             std::size_t limit) override {
    return games_from(prefix, prefix, limit);
  }
  std::optional<std::string> newest_game(std::size_t back) override {
    const Lock lock(store_.mutex_);
    const std::size_t games = store_.games_before(end_);
    if (back >= games) return std::nullopt;
    return store_.newest_last_[games - 1 - back];
  }

 private:
  /// Those from `first` on that begin with `prefix`.
  std::vector<std::string> games_from(const std::string& first, const std::string& prefix,
                                      std::size_t limit) const {
    const Lock lock(store_.mutex_);
    std::vector<std::string> ids;
    for (auto game = store_.streams_.lower_bound(first);
         game != store_.streams_.end() && game->first.starts_with(prefix) && ids.size() < limit;
         ++game)
      if (view_of(game->second, end_).commits > 0) ids.push_back(game->first);
    return ids;
  }

  MemoryStore& store_;
  std::size_t end_;  // of the commits at that moment
};

std::unique_ptr<ReadTransaction> ReadTransactionEach::operator->() const {
  return store->read_transaction();
}

std::unique_ptr<ReadTransaction> MemoryStore::read_transaction() {
  const Lock lock(mutex_);
  return std::make_unique<Transaction>(*this);
}

StorePosition MemoryStore::wait_for_append(StorePosition after, std::chrono::milliseconds at_most) {
  Lock lock(mutex_);
  const auto last = [&] { return static_cast<StorePosition>(commits_.size()); };
  appended_.wait_until(lock, deadline_after(at_most), [&] { return last() > after; });
  return last();
}

// ---- Appending

class MemoryStore::Primitives final : public AppendPrimitives {
 public:
  explicit Primitives(MemoryStore& store) : store_(store), now_(store) {}

  std::optional<Commit> used_id(const std::string& game, const std::string& command_id) override {
    return now_.commit_with_id(game, command_id);
  }
  LogEnd end_of(const Append& append) override {
    return {.head = now_.head(append.game).value_or(Head{}), .key = 0};
  }
  std::optional<std::int64_t> revision(const Append& append) override {
    if (store_.hosted_games_ == nullptr) return std::nullopt;
    const auto entry = store_.hosted_games_->entries(std::span(&append.game, 1)).front();
    return entry ? std::optional(entry->revision) : std::nullopt;
  }
  void write(const Append& append, const LogEnd& before, const Head& after,
             std::span<const Hash> hashes) override {
    store_.write(append, before.head, after, hashes);
  }

 private:
  MemoryStore& store_;
  Transaction now_;
};

void MemoryStore::write(const Append& append, const Head& before, const Head& after,
                        std::span<const Hash> hashes) {
  const bool begins = before.version == 0;
  if (begins) newest_last_.push_back(append.game);
  Stream& stream = streams_[append.game];
  if (begins) stream.entry = first_entry(append);
  Version version = before.version;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const NewCommit& commit = append.commits[i];
    ++version;
    stream.commits.push_back(commits_.size());
    if (commit.command_id) stream.command_ids.emplace(*commit.command_id, version);
    commits_.emplace_back(CommitView{.position = static_cast<StorePosition>(commits_.size()) + 1,
                                     .game = append.game,
                                     .version = version,
                                     .time = commit.time,
                                     .command = commit.command,
                                     .events = commit.events,
                                     .command_id = commit.command_id,
                                     .hash = hashes[i]});
  }
  if (begins || may_change_status(append))
    stream.completed.emplace(begins ? 1 : version, append.after->completed());
  if (is_snapshot_due(before.version, version)) stream.snapshot = snapshot_of(*append.after, after);
}

std::expected<std::vector<Head>, RefusedAppend> MemoryStore::append(
    std::span<const Append> appends) {
  std::expected<std::vector<Head>, RefusedAppend> appended;
  locked({}, [&](EventStore&) {
    Primitives primitives(*this);
    appended = append_by(primitives, appends);
  });
  return appended;
}

void MemoryStore::locked(const std::string& /*game*/,
                         const std::function<void(EventStore& store)>& work) {
  const auto all = [&] { work(*this); };
  const Lock lock(mutex_);
  if (scope_.is_open()) return scope_.join(all, store_name);
  const std::size_t before = commits_.size();
  try {
    scope_.open(all, store_name);
  } catch (...) {
    take_back(before);
    throw;
  }
  if (commits_.size() > before) appended_.notify_all();
}

/// Keeps so many commits. A failed group costs as much as it changed, not as much as the store
/// holds.
void MemoryStore::take_back(std::size_t commits) {
  newest_last_.resize(games_before(commits));
  while (commits_.size() > commits) {
    const Commit& last = commits_.back();
    const auto found = streams_.find(last.game);
    Stream& stream = found->second;
    stream.commits.pop_back();
    if (last.command_id) stream.command_ids.erase(*last.command_id);
    stream.completed.erase(last.version);
    if (stream.commits.empty()) streams_.erase(found);
    commits_.pop_back();
  }
}
}  // namespace snl
