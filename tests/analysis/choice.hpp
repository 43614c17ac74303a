// Random numbers for a test's boards and rules: the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace snl::test {

class Choice {
 public:
  explicit Choice(std::uint64_t seed) : numbers_(seed) {}

  /// From `least` to `most`, both included.
  std::int64_t among(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(numbers_() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool one_in(std::int64_t many) { return among(1, many) == 1; }

 private:
  std::mt19937_64 numbers_;
};

}  // namespace snl::test
