// A store that sees rooms, over one that doesn't, for tests of what is done unasked.
#pragma once

#include "passing_store.hpp"
#include "storage/append_in_rooms.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace snl::test {

class SeeingStore : public PassingStore, public AppendsInRooms {
 public:
  /// The number of the last change of a game's room; none if it has none.
  using ChangeOf = std::function<RoomChange(const std::string& game)>;

  SeeingStore(EventStore& store, ChangeOf change_of)
      : PassingStore(store), change_of_(std::move(change_of)) {}

  using PassingStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    ++appends_;
    return PassingStore::append(appends);
  }
  std::expected<std::vector<Head>, RefusedInRooms> append_in_rooms(
      std::span<const Append> appends, std::span<const RoomChange> changes) override {
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (changes[i] && changes[i] != change_of_(appends[i].game)) {
        ++appends_;
        return std::unexpected(RoomChanged{appends[i].game});
      }
    auto appended = append(appends);
    if (!appended) return std::unexpected(std::move(appended).error());
    return *std::move(appended);
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
