// A board with its pieces in a part of a screen: the whole board where it fits, else the part where
// the move is, and at its edges what lies beyond them.
#pragma once

#include "board_grid.hpp"
#include "board_window.hpp"
#include "domain/board.hpp"
#include "domain/narration.hpp"
#include "frame.hpp"
#include "jump_art.hpp"
#include "walk.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

struct Area {
  int column = 0;
  int row = 0;
  Size size;
  friend bool operator==(const Area&, const Area&) = default;
};

/// The way to show a board: whole, or a part of it, whose edges show what lies beyond them.
struct BoardShape {
  /// labelled: jumps have letters or numbers only. drawn: they also have bodies, or rails and
  /// rungs.
  enum class Jumps : std::uint8_t { labelled, drawn };

  GridShape grid;
  bool is_part = false;
  Jumps jumps = Jumps::labelled;
  int edge_rows = 0;  // above, and below

  /// At the left, and at the right: an arrow, a piece or a jump there, and a blank.
  static constexpr int edge_columns = 3;
  Size size() const {
    const Size size = grid.size();
    return {.columns = size.columns + (is_part ? 2 * edge_columns : 0),
            .rows = size.rows + 2 * edge_rows};
  }
};

/// The roomiest shape that fits. It shows the whole board if that has at most 20 × 20 cells and
/// some shape for it fits. Where there is much room, jumps are drawn.
BoardShape shape_for(const Board& board, Size room);

struct BoardLook {
  Glyphs glyphs = Glyphs::ascii;
  bool flipped = false;  // upside down: the first row at the top
};

/// The memory from one picture of a board to the next: the place of its window, and how its jumps
/// are drawn. Use one for each board.
class BoardMemory {
 public:
  /// The part of the board in the last picture.
  const GridWindow& window() const { return window_; }

  const GridWindow& follow(Spot focus, const Board& board, Size shown, bool flipped) {
    return window_ = following_.follow(focus, board, shown, flipped);
  }
  /// Everything that decides how a board without a slide looks.
  struct Still {
    Area area;
    GridShape grid;
    int edge_rows;
    GridWindow window;
    std::array<Cell, max_players> cells;
    std::optional<Seat> mover;
    Glyphs glyphs;
    friend bool operator==(const Still&, const Still&) = default;
  };
  /// The picture of `still`, if it is the one kept last.
  const Frame* kept(const Still& still) const { return still_ == still ? &*picture_ : nullptr; }
  void keep(const Still& still, Frame picture) {
    still_ = still;
    picture_ = std::move(picture);
  }

  const JumpArt& jumps(const Board& board);
  const std::vector<ArtSpot>& art(const Board& board, const ArtShape& shape);

 private:
  FollowingWindow following_;
  GridWindow window_;
  std::optional<JumpArt> jumps_;
  std::optional<ArtShape> art_shape_;
  std::vector<ArtSpot> art_;
  std::optional<Still> still_;
  std::optional<Frame> picture_;
};

/// The pieces and the dice as a viewer sees them at one moment.
struct Scene {
  /// Pieces that move along a snake or a ladder, back to the start, or to one another's cells.
  struct Slide {
    std::vector<Carried> pieces;
    double part;                                // of the way, 0 to 1
    const Carried* of(std::size_t seat) const;  // null if that piece stands still
  };

  std::size_t shot = 0;            // 0: nothing has happened yet
  Position position;               // the mover's cell is the one that it passes now
  std::optional<Seat> mover = {};  // the player of the turn in view
  std::optional<Slide> slide = {};
  std::vector<std::int32_t> dice = {};  // the faces that show now, at rest or rolling
  bool rolling = false;
  bool settled = true;  // the turn has been shown to its end
};

struct BoardPosition {
  const Board& board;
  const Scene& scene;
  std::size_t players;
};

/// Draws into `area`, which is at least as large as the shape. Jumps have a letter at both ends as
/// in `snl show`: A to Z, a to z, AA, …. On boards too large for letters, the cell where a jump
/// leads stands there instead.
void draw_board_view(Frame& frame, const Area& area, const BoardShape& shape,
                     const BoardPosition& position, const BoardLook& look, BoardMemory& memory);

/// Draws a small map of the whole board, with the window and the pieces. At least 3 × 2.
void draw_board_map(Frame& frame, const Area& area, const BoardShape& shape,
                    const BoardPosition& position, const GridWindow& window, Glyphs glyphs);

/// The size of such a map in so much room, with the proportions of the board.
Size map_size(const Board& board, Size room);

}  // namespace cli
}  // namespace snl
