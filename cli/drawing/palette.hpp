// The colours of the players' pieces: in pictures, on the exported page, wherever a seat has one.
#pragma once

#include "domain/game.hpp"

#include <array>
#include <string_view>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Of one seat's piece.
struct PieceColour {
  std::string_view in_the_light;  // white numbers can be read on it
  std::string_view in_the_dark;   // nearly black ones can
};

/// By seat. Each is told from all others on light and on dark boards.
inline constexpr std::array<PieceColour, max_players> piece_colours{{
    {.in_the_light = "#c62828", .in_the_dark = "#ff7682"},
    {.in_the_light = "#1565c0", .in_the_dark = "#74b3ff"},
    {.in_the_light = "#2e7d32", .in_the_dark = "#62d392"},
    {.in_the_light = "#7b1fa2", .in_the_dark = "#d29bff"},
    {.in_the_light = "#b45309", .in_the_dark = "#ffb05c"},
    {.in_the_light = "#00737a", .in_the_dark = "#56d4e0"},
    {.in_the_light = "#ad1457", .in_the_dark = "#ff90cd"},
    {.in_the_light = "#46586a", .in_the_dark = "#b9c3d3"},
    {.in_the_light = "#6d4c41", .in_the_dark = "#dda68a"},
    {.in_the_light = "#3a3fa8", .in_the_dark = "#a3a8ff"},
}};

}  // namespace cli
}  // namespace snl
