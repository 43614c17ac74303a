#include "pieces.hpp"

#include <array>

namespace snl::cli {

std::string piece_digit(std::size_t seat) {
  return std::to_string((seat + 1) % 10);
}

Colour piece_colour(std::size_t seat) {
  constexpr std::array colours{Colour::cyan, Colour::magenta, Colour::yellow,
                               Colour::blue, Colour::green,   Colour::red};
  return colours[seat % colours.size()];
}

}  // namespace snl::cli
