// A store that counts its calls, for tests that detect needless ones.
#pragma once

#include "passing_store.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {

class CountedStore : public PassingStore {
 public:
  using PassingStore::PassingStore;

  using PassingStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    ++appends_;
    return PassingStore::append(appends);
  }
  std::optional<Head> head(const std::string& game) override {
    ++questions_;
    return PassingStore::head(game);
  }
  std::optional<Commit> commit_with_id(const std::string& game, const std::string& id) override {
    ++questions_;
    return PassingStore::commit_with_id(game, id);
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    ++questions_;
    return PassingStore::commit(game, version);
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    ++questions_;
    PassingStore::read_all(from, limit, page);
  }

  /// The number of calls since then.
  int appends() { return std::exchange(appends_, 0); }
  int questions() { return std::exchange(questions_, 0); }

 private:
  int appends_ = 0;
  int questions_ = 0;
};

}  // namespace snl::test
