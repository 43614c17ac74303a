// The size of the torture tests, and the report of their results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace snl::test {

/// True if tests/torture runs this, or another caller that has more time than tests/run.
inline bool is_torture() {
  return std::getenv("SNL_TORTURE") != nullptr;  // NOLINT(concurrency-mt-unsafe): nobody sets it
}

/// SNL_TORTURE in the environment: a multiple of the stated size. 1 without it.
inline std::size_t torture_factor() {
  const char* text = std::getenv("SNL_TORTURE");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (text == nullptr) return 1;
  return std::max<std::size_t>(1, std::strtoull(text, nullptr, 10));
}

#ifdef __has_feature
inline constexpr bool has_address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool has_address_sanitizer = false;
#endif

/// The distance between the places of a long row at which a fault is tried. `stated` is the stated
/// one; it shrinks as SNL_TORTURE grows, down to 1. AddressSanitizer looks for faults in memory and
/// is ten times as slow, so under it places are five times as far apart.
inline std::size_t torture_stride(std::size_t stated) {
  const std::size_t stride = std::max<std::size_t>(1, stated / torture_factor());
  return has_address_sanitizer ? 5 * stride : stride;
}

/// The results of a fault. A figure that doesn't apply is none.
struct Torture {
  std::int64_t tried = 0;                         // times
  std::optional<std::int64_t> acknowledged = {};  // turns, over all times
  std::optional<std::int64_t> lost = {};          // of these, afterwards
  std::optional<std::int64_t> undetected = {};    // times that a fault was called sound
  std::optional<std::int64_t> false_alarms = {};  // times that sound data was called faulty

  /// Counts a wrong verdict.
  void judge(bool is_right, bool is_called_right) {
    if (is_called_right && !is_right) ++undetected.value();
    if (is_right && !is_called_right) ++false_alarms.value();
  }
};

/// Prints the line that tests/torture turns into a row. A fault that begins with "control: " must
/// lose something or leave it undetected; otherwise the test detects nothing. Such a fault has no
/// false alarms, because something is broken. `files` is the folder of the files.
inline void print_torture(std::string_view fault, const Torture& figures,
                          std::string_view files = "-") {
  const auto text = [](const std::optional<std::int64_t>& figure) {
    return figure ? std::to_string(*figure) : "-";
  };
  const bool is_control = fault.starts_with("control: ");
  std::cout << "torture: " << fault << " | " << figures.tried << " | " << text(figures.acknowledged)
            << " | " << text(figures.lost) << " | " << text(figures.undetected) << " | "
            << (is_control ? "-" : text(figures.false_alarms)) << " | " << files << '\n'
            << std::flush;
}

}  // namespace snl::test
