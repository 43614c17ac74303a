// A map for what may be forgotten at any time, of a bounded size.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace snl {

/// Each value has a weight: 1, or the bytes that it takes. A put() that would exceed the bound on
/// their sum forgets all values first. A single value may weigh more than that. For one thread.
template <class Key, class Value>
class BoundedMap {
 public:
  explicit BoundedMap(std::size_t most) : most_(most) {}

  /// Null if the key isn't known. Valid until the next put().
  Value* find(const Key& key) {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second.value;
  }
  const Value* find(const Key& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second.value;
  }

  Value& put(const Key& key, Value value, std::size_t weight = 1) {
    erase(key);
    if (weight_ + weight > most_) clear();
    weight_ += weight;
    return values_.insert_or_assign(key, Weighed{std::move(value), weight}).first->second.value;
  }

  void erase(const Key& key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return;
    weight_ -= found->second.weight;
    values_.erase(found);
  }

  void clear() {
    values_.clear();
    weight_ = 0;
  }

  /// The sum of all weights.
  std::size_t weight() const { return weight_; }

 private:
  struct Weighed {
    Value value;
    std::size_t weight;
  };

  std::size_t most_;
  std::size_t weight_ = 0;
  std::unordered_map<Key, Weighed> values_;
};

}  // namespace snl
