#pragma once

#include <string>
#include <string_view>

namespace snl::cli {

/// With the letters A to Z as small ones; all else as it is.
inline std::string lower_case(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

}  // namespace snl::cli
