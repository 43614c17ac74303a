// A board as a picture in SVG.
#pragma once

#include "domain/board.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Boards with more cells aren't drawn.
inline constexpr std::int32_t most_svg_cells = 10'000;

/// The way to write the cells' numbers: each as an element of its own, or as few elements as
/// possible. The latter need a browser, which obeys word-spacing and textLength.
enum class Numbers : std::uint8_t { apart, in_rows };

/// The board's art alone, in the units of board_layout.hpp: a `<g class="board">` to stand in an
/// `<svg>` whose viewBox is "0 0 width*100 rows*100".
///
/// Colours are presentation attributes: the art looks right by itself, and any style sheet can
/// change them. There is no style element or attribute, and no script. The only ID, and the only
/// reference, is snake-head, which is in the art. A board as full of jumps as usual takes some 50
/// bytes a cell. The elements, in this order:
///
/// - `<path class="cells even">`: all cells, filled; the odd ones are hidden
/// - `<path class="cells odd">`: the odd cells, as dashes of its stroke
/// - `<rect class="cells finish">`: the last cell
/// - `<path class="grid">`: the lines around cells
/// - `<path class="star">`: on the last cell
/// - `<g class="ladder">`: each ladder, with data-from and data-to
/// - `<g class="snake tint-0">`: each snake (tint-0 to tint-7), with data-from and data-to; in it
///   `<path class="spine">`, from the head to the tail's tip
/// - `<g class="numbers">`: over everything, a `<text>` for each cell, or for each run of numbers
///   in a row: in `<g class="even">` and `<g class="odd">`; the finish is `<text class="finish">`
///
/// The board has at most most_svg_cells.
std::string board_art_svg(const Board& board, Numbers numbers = Numbers::apart);

/// CSS rules for the art in dark mode, without the `@media` around them. Light mode needs none.
std::string_view dark_board_style();

}  // namespace cli
}  // namespace snl
