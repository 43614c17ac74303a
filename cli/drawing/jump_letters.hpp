// The letters by which a board that is drawn as text tells its jumps apart.
#pragma once

#include "domain/board.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

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

/// What marks a power on a board that is drawn as text, in ASCII: "@" again, "z2" skip, "<<"
/// restart, "o2" shield, "<>" swap.
std::string power_mark(const Power& power);

}  // namespace cli
}  // namespace snl
