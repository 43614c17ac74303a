#include "atomic_scope.hpp"

#include "store_error.hpp"

#include <fmt/format.h>

namespace snl {

void AtomicScope::open(const std::function<void()>& work, std::string_view store) {
  state_ = State::open;
  try {
    work();
    require_sound(store);
  } catch (...) {
    state_ = State::closed;
    throw;
  }
  state_ = State::closed;
}

void AtomicScope::join(const std::function<void()>& work, std::string_view store) {
  require_sound(store);
  try {
    work();
  } catch (...) {
    state_ = State::failed;  // some of it may have been written
    throw;
  }
}

void AtomicScope::require_sound(std::string_view store) const {
  if (state_ == State::failed)
    throw StoreError(
        StoreError::Cause::failed,
        fmt::format("store {}: an append failed, so nothing of its group is recorded", store));
}

}  // namespace snl
