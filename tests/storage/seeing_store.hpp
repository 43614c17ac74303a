// A store that sees rooms, over one that doesn't, for tests of what is done unasked.
#pragma once

#include "passing_store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {

class SeeingStore : public PassingStore {
 public:
  /// The number of the last change of a game's room; none if it has none.
  using ChangeOf = std::function<std::optional<std::int64_t>(const std::string& game)>;

  SeeingStore(EventStore& store, ChangeOf change_of)
      : PassingStore(store), change_of_(std::move(change_of)) {}

  bool sees_rooms() const override { return true; }

  using PassingStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    ++appends_;
    std::vector<Append> passed(appends.begin(), appends.end());
    for (Append& append : passed) {
      const auto expected = std::exchange(append.room_change, std::nullopt);
      if (expected && expected != change_of_(append.game))
        return std::unexpected(RefusedAppend{.game = append.game, .why = RoomChanged{}});
    }
    return PassingStore::append(passed);
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

  /// How often it was called since.
  int appends() { return std::exchange(appends_, 0); }
  int questions() { return std::exchange(questions_, 0); }

 private:
  ChangeOf change_of_;
  int appends_ = 0;
  int questions_ = 0;
};

}  // namespace snl::test
