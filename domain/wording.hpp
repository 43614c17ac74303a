// Parts of sentences for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// "1 snake", "2 snakes", "0 snakes": for nouns that take an s.
inline std::string counted(std::int64_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

/// "Ann", "Ann and Bob", "Ann, Bob and Cyd".
inline std::string said_together(std::span<const std::string> items) {
  std::string said;
  for (std::size_t i = 0; i < items.size(); ++i)
    said += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return said;
}

}  // namespace snl
