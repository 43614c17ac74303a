// The letters that tell jumps apart on a board drawn as text.
#pragma once

#include "domain/board.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Boards with more cells are not drawn whole.
inline constexpr std::int32_t most_drawn_cells = 400;

struct LetteredJump {
  Jump jump;
  JumpKind kind;
  std::string letters;  // empty if the board isn't drawn
};

/// The first `most` jumps that start beyond `cell`, ordered by the cells where they start; without
/// letters.
std::vector<LetteredJump> jumps_beyond(const Board& board, Cell cell, std::size_t most);

/// All jumps of a board that can be drawn, ordered by the cells where they start, with letters: A
/// to Z, a to z, AA, AB, ….
std::vector<LetteredJump> lettered_jumps(const Board& board);

/// The mark of a power on a board drawn as text, in ASCII: "@" again, "z2" skip, "<<" restart, "o2"
/// shield, "<>" swap.
std::string power_mark(const Power& power);

}  // namespace cli
}  // namespace snl
