// What tells the players' pieces apart in text: a digit, and a colour besides; and what their
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

/// On a terminal. There are fewer colours than seats: nothing is told by colour alone.
Colour piece_colour(std::size_t seat);

/// With more colours than those, each of max_players has one of its own. It is seen on light
/// and on dark backgrounds, and black can be read on it.
Shade piece_shade(std::size_t seat);

/// A piece that stands, or anything else that is its player's; and the piece that moves.
Style piece_style(std::size_t seat);
Style moving_piece_style(std::size_t seat);

/// What follows the name of a player who has shields, or turns to miss: " (2 shields, misses 1
/// turn)". Nothing for others.
std::string with_tallies(const Position& position, std::size_t seat);

}  // namespace cli
}  // namespace snl
