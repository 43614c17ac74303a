#include "pieces.hpp"

#include "domain/wording.hpp"

#include <array>
#include <cstdint>

namespace snl::cli {

std::string piece_digit(std::size_t seat) {
  return std::to_string((seat + 1) % 10);
}

Colour piece_colour(std::size_t seat) {
  constexpr std::array colours{Colour::cyan, Colour::magenta, Colour::yellow,
                               Colour::blue, Colour::green,   Colour::red};
  return colours[seat % colours.size()];
}

Shade piece_shade(std::size_t seat) {
  constexpr std::array<Shade, max_players> shades{37, 170, 178, 33, 34, 161, 99, 245, 166, 94};
  return shades[seat % shades.size()];
}

Style piece_style(std::size_t seat) {
  return {.colour = piece_colour(seat), .bold = true, .ink = piece_shade(seat)};
}

Style moving_piece_style(std::size_t seat) {
  return {.colour = piece_colour(seat),
          .bold = true,
          .reverse = true,
          .ink = black_shade,
          .paper = piece_shade(seat)};
}

std::string with_tallies(const Position& position, std::size_t seat) {
  const std::int32_t shields = position.tallies.shields.of(static_cast<Seat>(seat));
  const std::int32_t skips = position.tallies.skips.of(static_cast<Seat>(seat));
  if (shields == 0 && skips == 0) return {};
  std::string words;
  if (shields > 0) words = counted(shields, "shield");
  if (skips > 0) words += (shields > 0 ? ", misses " : "misses ") + counted(skips, "turn");
  return " (" + words + ")";
}

}  // namespace snl::cli
