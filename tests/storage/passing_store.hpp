// A store that passes everything on to another, for tests that look at some of it.
#pragma once

#include "storage/event_store.hpp"

namespace snl::test {

class PassingStore : public EventStore {
 public:
  explicit PassingStore(EventStore& store) : store_(store) {}

  std::expected<Head, AppendRefusal> append(const std::string& game, const Expectation& expected,
                                            std::span<const NewCommit> commits,
                                            const GameState& after) override {
    return store_.append(game, expected, commits, after);
  }
  void atomically(const std::function<void()>& work) override { store_.atomically(work); }
  void at_one_moment(const std::function<void()>& work) override { store_.at_one_moment(work); }
  std::size_t read(const std::string& game, Version from, std::size_t limit,
                   const CommitVisitor& visit) override {
    return store_.read(game, from, limit, visit);
  }
  std::size_t read_all(StorePosition from, std::size_t limit, const CommitVisitor& visit) override {
    return store_.read_all(from, limit, visit);
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    return store_.commit(game, version);
  }
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override {
    return store_.commit_with_id(game, command_id);
  }
  std::optional<Head> head(const std::string& game) override { return store_.head(game); }
  std::optional<GameSummary> summary(const std::string& game) override {
    return store_.summary(game);
  }
  void rewrite_derived(const GameSummary& summary) override { store_.rewrite_derived(summary); }
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override {
    return store_.list(filter, limit);
  }
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override {
    return store_.games_after(after, limit);
  }
  std::vector<std::string> games_with_prefix(const std::string& prefix,
                                             std::size_t limit) override {
    return store_.games_with_prefix(prefix, limit);
  }
  std::optional<std::string> newest_game(std::size_t back) override {
    return store_.newest_game(back);
  }
  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override {
    return store_.wait_for_append(after, at_most);
  }

 private:
  EventStore& store_;
};

}  // namespace snl::test
