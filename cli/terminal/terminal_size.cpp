#include "terminal_size.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace snl::cli {

std::optional<Size> terminal_size(int file) {
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return Size{.columns = size.ws_col, .rows = size.ws_row};
}

bool can_move_cursor(int file) {
  const char* terminal = std::getenv("TERM");
  return isatty(file) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

Colours colours_named(std::string_view term, std::string_view colorterm) {
  const bool many = term.contains("256color") || term.contains("direct") ||
                    colorterm == "truecolor" || colorterm == "24bit";
  return many ? Colours::palette : Colours::eight;
}

}  // namespace snl::cli
