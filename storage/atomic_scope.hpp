// A store's bookkeeping while EventStore::locked runs. Only stores use it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// One group of appends that are recorded all together or not at all, including the groups that
/// begin within it.
class AtomicScope {
 public:
  bool is_open() const { return state_ != State::closed; }

  /// Runs the work of the group itself, and throws what it throws. If a joined part has thrown and
  /// the work went on all the same, throws StoreError, which names the store.
  void open(const std::function<void()>& work, std::string_view store);

  /// Runs work as a part of the open group. If it throws, the group has failed. In a failed group,
  /// work isn't run, and this throws StoreError.
  void join(const std::function<void()>& work, std::string_view store);

 private:
  enum class State : std::uint8_t { closed, open, failed };
  void require_sound(std::string_view store) const;

  State state_ = State::closed;
};

}  // namespace snl
