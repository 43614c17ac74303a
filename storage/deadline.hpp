// The end of a wait.
#pragma once

#include <algorithm>
#include <chrono>

namespace snl {

/// The moment that far from now, at most a year.
inline std::chrono::steady_clock::time_point deadline_after(std::chrono::milliseconds wait) {
  constexpr std::chrono::milliseconds longest = std::chrono::years{1};
  return std::chrono::steady_clock::now() + std::clamp(wait, std::chrono::milliseconds{0}, longest);
}

}  // namespace snl
