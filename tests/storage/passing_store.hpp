// A store that passes every call on to another, for tests that intercept some of them.
#pragma once

#include "storage/forwarding_reader.hpp"

#include <memory>

namespace snl::test {

class PassingStore : public ForwardingReader<EventStore> {
 public:
  explicit PassingStore(EventStore& store) : ForwardingReader(&store), store_(store) {}

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    return store_.append(appends);
  }
  /// The work gets this store.
  void locked(const std::string& game,
              const std::function<void(EventStore& store)>& work) override {
    store_.locked(game, [&](EventStore&) { work(*this); });
  }

  /// Its reads go to this store. Meanwhile, nothing else may write to the other one.
  std::unique_ptr<ReadTransaction> read_transaction() override {
    return std::make_unique<Transaction>(*this);
  }

  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override {
    return store_.wait_for_append(after, at_most);
  }

 private:
  /// Reads of the passing store, while the other one keeps its moment.
  class Transaction final : public ForwardingReader<ReadTransaction> {
   public:
    explicit Transaction(PassingStore& store)
        : ForwardingReader(&store), kept_(store.store_.read_transaction()) {}

   private:
    std::unique_ptr<ReadTransaction> kept_;
  };

  EventStore& store_;
};

}  // namespace snl::test
