// How hard the tests that break things try.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace snl::test {

/// SNL_TORTURE in the environment: how many times the stated size. 1 without it.
inline std::size_t torture_factor() {
  const char* text = std::getenv("SNL_TORTURE");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (text == nullptr) return 1;
  return std::max<std::size_t>(1, std::strtoull(text, nullptr, 10));
}

}  // namespace snl::test
