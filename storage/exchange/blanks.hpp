// Blanks in lines that people write.
#pragma once

#include <algorithm>
#include <string_view>

namespace [[gnu::visibility("default")]] snl {

/// Characters that may stand anywhere between the parts of a line, any number of them. A carriage
/// return ends a line that another system wrote.
inline constexpr std::string_view blanks_in_a_line = " \t\r";

/// A line without the blanks at its ends; empty if it has nothing else.
constexpr std::string_view without_outer_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks_in_a_line), line.size()));
  return line.substr(0, line.find_last_not_of(blanks_in_a_line) + 1);
}

}  // namespace snl
