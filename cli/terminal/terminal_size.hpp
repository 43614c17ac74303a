// What a program may ask a terminal for before it writes to it.
#pragma once

#include "cli/drawing/frame.hpp"

#include <optional>

namespace snl::cli {

/// Of the terminal behind a file descriptor; none where there is no terminal, or it doesn't say.
std::optional<Size> terminal_size(int file);

/// Whether a file descriptor is a terminal whose cursor can be moved: TERM is set, and isn't
/// "dumb".
bool can_move_cursor(int file);

}  // namespace snl::cli
