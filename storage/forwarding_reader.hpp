// Readers that stand in front of others.
#pragma once

#include "event_store.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// Implements an EventReader, or an interface that extends it, by passing each read on to what `To`
/// points at.
template <class Interface, class To = EventReader*>
class ForwardingReader : public Interface {
 public:
  explicit ForwardingReader(To to) : to_(std::move(to)) {}

  void read(const std::string& game, Version from, std::size_t limit, CommitPage& page) override {
    to_->read(game, from, limit, page);
  }
  void read_all(StorePosition from, std::size_t limit, CommitPage& page) override {
    to_->read_all(from, limit, page);
  }
  std::optional<Commit> commit(const std::string& game, Version version) override {
    return to_->commit(game, version);
  }
  std::optional<Commit> commit_with_id(const std::string& game,
                                       const std::string& command_id) override {
    return to_->commit_with_id(game, command_id);
  }
  std::optional<Head> head(const std::string& game) override { return to_->head(game); }
  std::optional<ListEntry> list_entry(const std::string& game) override {
    return to_->list_entry(game);
  }
  std::optional<Snapshot> snapshot(const std::string& game) override { return to_->snapshot(game); }
  std::vector<std::string> list(const ListFilter& filter, std::size_t limit) override {
    return to_->list(filter, limit);
  }
  std::vector<std::string> games_after(const std::string& after, std::size_t limit) override {
    return to_->games_after(after, limit);
  }
  std::vector<std::string> games_with_prefix(const std::string& prefix,
                                             std::size_t limit) override {
    return to_->games_with_prefix(prefix, limit);
  }
  std::optional<std::string> newest_game(std::size_t back) override {
    return to_->newest_game(back);
  }

 private:
  To to_;
};

/// The read transaction of a store whose own reads see its moment while it lives. The store counts
/// begin_read_transaction() and end_read_transaction().
template <class Store>
class StoreReadTransaction final : public ForwardingReader<ReadTransaction> {
 public:
  explicit StoreReadTransaction(Store& store) : ForwardingReader(&store), store_(store) {
    store_.begin_read_transaction();
  }
  ~StoreReadTransaction() override { store_.end_read_transaction(); }

 private:
  Store& store_;
};

}  // namespace snl
