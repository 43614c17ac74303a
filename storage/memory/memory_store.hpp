// A store in memory, for tests and for embedding. Several threads may use it.
#pragma once

#include "storage/appending.hpp"
#include "storage/atomic_scope.hpp"
#include "storage/event_store.hpp"
#include "storage/forwarding_reader.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

class HostedGameStore;

/// Gives each read a read transaction of its own.
struct ReadTransactionEach {
  class MemoryStore* store;
  std::unique_ptr<ReadTransaction> operator->() const;
};

/// Nothing is ever taken out of a log, so a read transaction is only the position up to which it
/// reads: it copies nothing, and keeps nobody waiting.
class MemoryStore final : public ForwardingReader<EventStore, ReadTransactionEach> {
 public:
  /// `hosted_games`, if given, must outlive the store: an append may depend on one.
  explicit MemoryStore(HostedGameStore* hosted_games = nullptr)
      : ForwardingReader(ReadTransactionEach{this}), hosted_games_(hosted_games) {}

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override;
  /// Nobody else reads or appends anything meanwhile.
  void locked(const std::string& game, const std::function<void(EventStore& store)>& work) override;
  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override;

  std::unique_ptr<ReadTransaction> read_transaction() override;

 private:
  class Transaction;
  class Primitives;
  using Lock = std::unique_lock<std::recursive_mutex>;

  struct Stream {
    std::vector<std::size_t> commits;  // indexes of commits_, by version
    std::unordered_map<std::string, Version> command_ids;
    ListEntry entry;                    // all but `completed`
    std::map<Version, bool> completed;  // by the version from which on it holds
    std::optional<Snapshot> snapshot;
  };

  /// A game as seen by a reader of the store's first `end` commits: the first commits of its log.
  /// Null if it isn't there.
  struct View {
    const Stream* stream = nullptr;
    std::size_t commits = 0;
  };
  static View view_of(const Stream& stream, std::size_t end);
  View view_of(const std::string& game, std::size_t end) const;

  std::size_t games_before(std::size_t end) const;

  void write(const Append& append, const Head& before, const Head& after,
             std::span<const Hash> hashes);
  void take_back(std::size_t commits);

  HostedGameStore* hosted_games_;
  AtomicScope scope_;
  std::recursive_mutex mutex_;  // recursive: `locked` holds it while its work appends
  std::condition_variable_any appended_;
  std::vector<Commit> commits_;
  std::map<std::string, Stream, std::less<>> streams_;
  std::vector<std::string> newest_last_;  // IDs, in the order of their first commits
};

}  // namespace snl
