// Questions to ask of a terminal before writing to it.
#pragma once

#include "cli/drawing/frame.hpp"

#include <optional>
#include <string_view>

namespace snl::cli {

/// The size of the terminal on a file descriptor; none if it is no terminal, or doesn't say.
std::optional<Size> terminal_size(int file);

/// Whether a file descriptor is a terminal whose cursor can be moved: TERM is set and isn't "dumb".
bool can_move_cursor(int file);

/// The colours that a terminal has according to TERM and COLORTERM.
Colours colours_named(std::string_view term, std::string_view colorterm);

}  // namespace snl::cli
