// A store in memory, for tests and for embedding. Safe for use by several threads.
#pragma once

#include "storage/atomic_scope.hpp"
#include "storage/event_store.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace snl {

class MemoryStore final : public EventStore {
 public:
  std::expected<Head, AppendRefusal> append(const std::string& game, const Expectation& expected,
                                            std::span<const NewCommit> commits,
                                            const GameState& after) override;
  void atomically(const std::function<void()>& work) override;
  void at_one_moment(const std::function<void()>& work) override;
  std::size_t read(const std::string& game, Version from, std::size_t limit,
                   const CommitVisitor& visit) override;
  std::size_t read_all(StorePosition from, std::size_t limit, const CommitVisitor& visit) override;
  std::optional<Commit> commit(const std::string& game, Version version) override;
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override;
  std::optional<Head> head(const std::string& game) override;
  std::optional<GameSummary> summary(const std::string& game) override;
  void rewrite_derived(const GameSummary& summary) override;
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override;
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override;
  std::vector<std::string> games_with_prefix(const std::string& prefix, std::size_t limit) override;
  std::optional<std::string> newest_game(std::size_t back) override;
  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override;

 private:
  struct Stream {
    std::vector<std::size_t> commits;  // indexes of commits_, by version
    GameSummary summary;
  };

  /// The copies of `indexes` that a reader asks for, taken under the lock and lent without it.
  std::size_t lend(std::size_t from, std::size_t limit, std::size_t count,
                   const std::function<std::size_t(std::size_t)>& index_of,
                   const CommitVisitor& visit);
  const Stream* find(const std::string& game) const;
  void remember(const std::string& game);
  void take_back(std::size_t commits, std::size_t games);

  /// What a game was before the group that is open changed it.
  struct Before {
    std::size_t commits = 0;  // 0: it wasn't there
    GameSummary summary;
  };

  AtomicScope scope_;
  std::map<std::string, Before, std::less<>> before_;
  std::recursive_mutex mutex_;  // recursive: `atomically` holds it while its work appends
  std::condition_variable_any appended_;
  std::vector<Commit> commits_;
  std::map<std::string, Stream, std::less<>> streams_;
  std::vector<std::string> newest_last_;
  HashChain chain_;
};

}  // namespace snl
