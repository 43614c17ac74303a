// A cache of values that can all be found out again.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace snl {

/// A put() that would exceed the bound forgets all values first. For one thread.
template <class Key, class Value>
class BoundedMap {
 public:
  explicit BoundedMap(std::size_t most) : most_(most) {}

  /// Null if the key isn't known. Valid until the next put().
  Value* find(const Key& key) {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  const Value* find(const Key& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  Value& put(const Key& key, Value value) {
    if (values_.size() >= most_ && !values_.contains(key)) values_.clear();
    return values_.insert_or_assign(key, std::move(value)).first->second;
  }

  void erase(const Key& key) { values_.erase(key); }

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::size_t most_;
  std::unordered_map<Key, Value> values_;
};

}  // namespace snl
