// A store that passes everything on to another, for tests that look at some of it.
#pragma once

#include "storage/forwarded_reads.hpp"

#include <memory>

namespace snl::test {

class PassingStore : public ForwardedReads<EventStore> {
 public:
  explicit PassingStore(EventStore& store) : ForwardedReads(store), store_(store) {}

  using EventStore::append;
  std::expected<std::vector<Head>, RefusedAppend> append(std::span<const Append> appends) override {
    return store_.append(appends);
  }
  /// The work is given this store.
  void locked(const std::string& game,
              const std::function<void(EventStore& store)>& work) override {
    store_.locked(game, [&](EventStore&) { work(*this); });
  }

  /// What is read of it is read of this store, which must be all there is to write to the other.
  std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<Moment>(*this); }

  StorePosition wait_for_append(StorePosition after, std::chrono::milliseconds at_most) override {
    return store_.wait_for_append(after, at_most);
  }

 private:
  /// Reads of the passing store, while the other one keeps its moment.
  class Moment final : public ForwardedReads<Snapshot> {
   public:
    explicit Moment(PassingStore& store) : ForwardedReads(store), kept_(store.store_.snapshot()) {}

   private:
    std::unique_ptr<Snapshot> kept_;
  };

  EventStore& store_;
};

}  // namespace snl::test
