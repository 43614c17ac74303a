// The colours of the players' pieces: in pictures, on the exported page, wherever a seat has one.
#pragma once

#include "domain/game.hpp"

#include <array>
#include <string_view>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// The colours of one seat's piece.
struct PieceColour {
  std::string_view in_the_light;  // white numbers can be read on it
  std::string_view in_the_dark;   // nearly black numbers can be read on it
};

/// By seat. On light and on dark boards, each colour can be told from all others, also by people
/// who lack one of the three kinds of cones. palette_test.cpp computes the distances.
inline constexpr std::array<PieceColour, max_players> piece_colours{{
    {.in_the_light = "#c62828", .in_the_dark = "#ff7682"},
    {.in_the_light = "#1565c0", .in_the_dark = "#74b3ff"},
    {.in_the_light = "#6b6e3f", .in_the_dark = "#bfff93"},
    {.in_the_light = "#53157c", .in_the_dark = "#d25ecd"},
    {.in_the_light = "#6a210d", .in_the_dark = "#b39b1e"},
    {.in_the_light = "#172d38", .in_the_dark = "#81f8d8"},
    {.in_the_light = "#bb4a84", .in_the_dark = "#ffd0ff"},
    {.in_the_light = "#50565e", .in_the_dark = "#98c9b5"},
    {.in_the_light = "#5b796a", .in_the_dark = "#c3daa3"},
    {.in_the_light = "#0231d1", .in_the_dark = "#8b84ff"},
}};

}  // namespace cli
}  // namespace snl
