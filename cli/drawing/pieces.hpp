// The digits and colours that tell the players' pieces apart in text, and the words for what
// players have. Their colours in pictures are in palette.hpp.
#pragma once

#include "domain/game.hpp"
#include "frame.hpp"

#include <cstddef>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// "1" to "9", and "0" for the tenth: in text a piece is one column wide.
std::string piece_digit(std::size_t seat);

/// A colour for a terminal. There are fewer colours than seats, so nothing is told by colour alone.
Colour piece_colour(std::size_t seat);

/// A colour of the palette, which has one for each of max_players. It stands out on light and on
/// dark backgrounds, and black can be read on it.
Shade piece_shade(std::size_t seat);

/// The style of a piece that stands, or of anything else of its player; and that of the piece that
/// moves.
Style piece_style(std::size_t seat);
Style moving_piece_style(std::size_t seat);

/// The text after the name of a player who has shields, or turns to miss: " (2 shields, misses 1
/// turn)". Empty for others.
std::string with_tallies(const Position& position, std::size_t seat);

}  // namespace cli
}  // namespace snl
