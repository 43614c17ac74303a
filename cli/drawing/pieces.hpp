// What tells the players' pieces apart, wherever they are drawn: a digit, and a colour besides.
#pragma once

#include "domain/game.hpp"
#include "frame.hpp"

#include <array>
#include <string>
#include <string_view>

namespace snl::cli {

/// "1" to "9", and "0" for the tenth: in text a piece is one column wide.
std::string piece_digit(std::size_t seat);

/// On a terminal. There are fewer colours than seats: nothing is told by colour alone.
Colour piece_colour(std::size_t seat);

/// In SVG and in the exported page, by seat, on light boards (with white digits on them) and on
/// dark ones (with black digits). Each is told from all others.
inline constexpr std::array<std::string_view, max_players> piece_colours_on_light{
    "#c62828", "#1565c0", "#2e7d32", "#7b1fa2", "#b45309",
    "#00737a", "#ad1457", "#46586a", "#6d4c41", "#3a3fa8"};
inline constexpr std::array<std::string_view, max_players> piece_colours_on_dark{
    "#ff7682", "#74b3ff", "#62d392", "#d29bff", "#ffb05c",
    "#56d4e0", "#ff90cd", "#b9c3d3", "#dda68a", "#a3a8ff"};

}  // namespace snl::cli
