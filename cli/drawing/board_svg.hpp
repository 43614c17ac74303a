// A board, and a game's position on it, as pictures in SVG.
#pragma once

#include "domain/board.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Boards of more cells aren't drawn.
inline constexpr std::int32_t most_svg_cells = 10'000;

/// How the numbers of cells are written: each as an element, or as few as they can be. Those need a
/// browser, which sets words apart and as wide as it is told to.
enum class Numbers : std::uint8_t { apart, in_rows };

/// The board's art alone, in the units of board_layout.hpp: a `<g class="board">` to stand in an
/// `<svg>` whose viewBox is "0 0 width*100 rows*100". Colours are presentation attributes, so that
/// it looks right by itself and any style sheet can change them; there is no style element or
/// attribute, no script, and no ID or reference but to snake-head, which is in it. It is some 50
/// bytes a cell, jumps included, of a board as full of them as usual. In this order:
///
///     <path class="cells even">    all cells, of which the odd ones are hidden; it is filled
///     <path class="cells odd">     the odd ones, as dashes of its stroke
///     <rect class="cells finish">  the last one
///     <path class="grid">          the lines around cells
///     <path class="star">          on the last cell
///     <g class="ladder">           each ladder, with data-from and data-to
///     <g class="snake tint-0">     each snake (tint-0 to tint-7), with data-from and data-to; in
///                                  it <path class="spine">, from the head to the tail's tip
///     <g class="numbers">          over everything, a <text> for each cell, or for as many as
///                                  stand in a row: in <g class="even"> and <g class="odd">, the
///                                  last cell's as <text class="finish">
///
/// The board has at most most_svg_cells.
std::string board_art_svg(const Board& board, Numbers numbers = Numbers::apart);

/// Rules for the art in the dark, without the `@media` around them; in the light it needs none.
std::string_view dark_board_style();

}  // namespace cli
}  // namespace snl
