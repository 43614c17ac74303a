// The letters by which a drawn board tells its jumps apart, and the lines that its grid is made of.
#pragma once

#include "domain/board.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace snl::cli {

/// Boards of more cells are not drawn whole.
inline constexpr std::int32_t most_drawn_cells = 400;

struct LetteredJump {
  Jump jump;
  JumpKind kind;
  std::string letters;  // empty where the board isn't drawn
};

/// The first `most` of the jumps that start beyond `cell`, in the order of the cells where they
/// start; without letters.
std::vector<LetteredJump> jumps_beyond(const Board& board, Cell cell, std::size_t most);

/// All jumps of a board that can be drawn, in the order of the cells where they start: A to Z, a to
/// z, AA, AB, ….
std::vector<LetteredJump> lettered_jumps(const Board& board);

/// Lines that meet, by the directions that they come from.
inline constexpr std::size_t line_up = 1;
inline constexpr std::size_t line_down = 2;
inline constexpr std::size_t line_left = 4;
inline constexpr std::size_t line_right = 8;

/// What joins lines, by the sum of their directions.
using Joints = std::array<std::string_view, 16>;
inline constexpr Joints box_joints{" ", "╵", "╷", "│", "╴", "┘", "┐", "┤",
                                   "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
inline constexpr Joints ascii_joints{" ", "+", "+", "+", "+", "+", "+", "+",
                                     "+", "+", "+", "+", "+", "+", "+", "+"};

}  // namespace snl::cli
