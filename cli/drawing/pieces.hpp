// What tells the players' pieces apart in text: a digit, and a colour besides. Their colours in
// pictures are in palette.hpp.
#pragma once

#include "frame.hpp"

#include <cstddef>
#include <string>

namespace snl::cli {

/// "1" to "9", and "0" for the tenth: in text a piece is one column wide.
std::string piece_digit(std::size_t seat);

/// On a terminal. There are fewer colours than seats: nothing is told by colour alone.
Colour piece_colour(std::size_t seat);

}  // namespace snl::cli
