// A game's position as a picture: the board, the pieces, the last move, and the player to move.
#pragma once

#include "domain/game.hpp"

#include <optional>
#include <string>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

struct DrawnPosition {
  std::string game;                          // its ID
  const GameSetup& setup;                    // of a board of at most most_svg_cells
  Position position;                         // of that game
  std::optional<TurnPlayed> last_move = {};  // the turn that led to it, if any
};

/// A whole SVG document (XML, without a declaration). It loads no other file, has no script, and
/// follows the viewer's light or dark scheme. A piece shows its seat, 1 to 10, as well as a colour.
/// Names are shown as text, whatever they hold. The same position gives the same bytes.
std::string position_svg(const DrawnPosition& drawn);

}  // namespace cli
}  // namespace snl
