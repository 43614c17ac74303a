// A board for a wall: a page of paper in SVG, with the board, its rules, and a code from which a
// phone reads its board file.
#pragma once

#include "domain/board.hpp"
#include "domain/names.hpp"
#include "domain/rules.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace snl::cli {

enum class Paper : std::uint8_t { a4, letter };
inline constexpr std::array paper_names{NamedValue{"a4", Paper::a4},
                                        NamedValue{"letter", Paper::letter}};

enum class Ink : std::uint8_t { colours, black };

struct BoardPoster {
  const Board& board;  // of at most most_svg_cells
  const Rules& rules;
  std::string name;  // the board's; may be empty
  std::string file;  // the text of its board file; left out if it is too long for a code
  Paper paper = Paper::a4;
  Ink ink = Ink::colours;
};

/// Whether a code can hold the text of a board file.
bool fits_code(std::string_view file);

/// A whole SVG document of the paper's size. The paper lies on its side for a board that is much
/// wider than high. Nothing is nearer to an edge than 10 mm, which every printer reaches.
std::string board_poster_svg(const BoardPoster& poster);

}  // namespace snl::cli
