// What a program may ask a terminal for before it writes to it.
#pragma once

#include "cli/drawing/frame.hpp"

#include <optional>
#include <string_view>

namespace snl::cli {

/// Of the terminal behind a file descriptor; none where there is no terminal, or it doesn't say.
std::optional<Size> terminal_size(int file);

/// Whether a file descriptor is a terminal whose cursor can be moved: TERM is set, and isn't
/// "dumb".
bool can_move_cursor(int file);

/// Which colours a terminal has, by what TERM and COLORTERM say.
Colours colours_named(std::string_view term, std::string_view colorterm);

}  // namespace snl::cli
