// What a store must know while EventStore::locked runs. For stores' own use.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// One group of appends that are recorded all together or not at all, with whatever groups are
/// begun within it.
class AtomicScope {
 public:
  bool is_open() const { return state_ != State::closed; }

  /// Runs the work of the group itself; throws what it throws, and StoreError, naming the store, if
  /// something that joined has thrown and the work went on all the same.
  void open(const std::function<void()>& work, std::string_view store);

  /// Runs work as a part of the group that is open. If it throws, the group has failed; in a group
  /// that has, it isn't run, which throws StoreError.
  void join(const std::function<void()>& work, std::string_view store);

 private:
  enum class State : std::uint8_t { closed, open, failed };
  void require_sound(std::string_view store) const;

  State state_ = State::closed;
};

}  // namespace snl
