// What the process was started in: its environment, and the terminal.
#pragma once

#include "cli/drawing/frame.hpp"

#include <optional>
#include <string>

namespace snl::cli {

/// An environment variable; none if it is unset or empty.
std::optional<std::string> environment(const char* name);

/// Whether $TERM names a terminal that takes control sequences: it is set, and isn't "dumb".
bool terminal_takes_sequences();

/// How large the window of a terminal is; none where that isn't known.
std::optional<Size> window_of(int descriptor);

}  // namespace snl::cli
