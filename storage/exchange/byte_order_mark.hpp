// The mark that some editors put before a text.
#pragma once

#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// A file's text, or its first line, without a byte order mark.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace snl
