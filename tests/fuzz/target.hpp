// The parts of every fuzz target: a function that gets untrusted bytes, and promises that hold for
// all of them.
//
// Goal: for any bytes, no crash, no leak, no undefined behaviour, no more time and memory than
// their size explains. Input that is accepted means the same once it is written and read again.
// Method: tests/fuzz/run builds the targets with libFuzzer and the sanitizers and searches. An
// ordinary build gives each target a main() that runs all files of its folder in corpus/. These are
// seeds, inputs that extended the coverage, and every input that once broke a promise, under a name
// of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace snl::test {

/// Ends the process as a crash does if a promise isn't kept.
inline void require(bool kept, const char* promise) {
  if (kept) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Removes the first line from a text and returns it without its end.
inline std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
  return line;
}

}  // namespace snl::test
