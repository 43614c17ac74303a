// What is remembered of many things, each of which can be found out again.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace snl {

/// Forgets all that it has before it would have more than so many values. One thread's.
template <class Key, class Value>
class BoundedMap {
 public:
  explicit BoundedMap(std::size_t most) : most_(most) {}

  /// Null where it isn't known. Lasts until the next put().
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
