#include "environment.hpp"

#include <sys/ioctl.h>

#include <cstdlib>

namespace snl::cli {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool terminal_takes_sequences() {
  return environment("TERM").value_or("dumb") != "dumb";
}

std::optional<Size> window_of(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return Size{.columns = size.ws_col, .rows = size.ws_row};
}

}  // namespace snl::cli
