// The board: a track of numbered cells with snakes that lead down it and ladders that lead up.
//
// Cells are numbered from 1 to cells(); 0 is "off the board", where pieces wait under the rule
// start = 0. A cell may have a power (power.hpp). Drawn, the track runs in rows of width() cells
// from the bottom left and turns at the end of every row (boustrophedon). A board is a value: it
// never changes once made.
#pragma once

#include "power.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The largest board: 4096 × 4096.
inline constexpr std::int64_t max_cells = std::int64_t{1} << 24;

enum class JumpKind : std::uint8_t { snake, ladder };

/// A snake (to < from) or a ladder (to > from).
struct Jump {
  Cell from;
  Cell to;
  friend auto operator<=>(const Jump&, const Jump&) = default;
};

/// "snake" or "ladder".
std::string to_string(JumpKind kind);

/// The kind of the jump that took a piece from the cell where it landed to the cell where it ended;
/// none if these are the same.
std::optional<JumpKind> jump_between(Cell landed, Cell ended);

/// A jump as a caller describes it, before any check: its cells may be off the board.
struct DescribedJump {
  std::int64_t from;
  std::int64_t to;
};

/// A board as a caller describes it, before any check.
struct BoardDescription {
  std::int64_t cells = 100;
  std::optional<std::int64_t> width = std::nullopt;  // none: usual_width(cells)
  std::vector<DescribedJump> snakes = {};
  std::vector<DescribedJump> ladders = {};
  std::vector<DescribedPower> powers = {};
};

/// The jump that a text means: two cells joined by a comma, "17,7", perhaps with blanks around
/// them. None for any other text.
std::optional<DescribedJump> jump_from_text(std::string_view text);

/// One of the jumps of a description.
struct JumpRef {
  JumpKind list;      // the snakes or the ladders
  std::size_t index;  // from 0
  friend bool operator==(const JumpRef&, const JumpRef&) = default;
};

/// One fault of a described board, as a sentence that names the values.
struct BoardFault {
  std::optional<JumpRef> jump;  // its subject; none for the size and for powers
  std::string message;
  std::optional<std::size_t> power = std::nullopt;  // the power at fault, by index
  friend bool operator==(const BoardFault&, const BoardFault&) = default;
};

/// Their messages, in the same order.
std::vector<std::string> messages_of(std::span<const BoardFault> faults);

class Board;

/// The description that makes this board again.
BoardDescription description_of(const Board& board);

/// The width of a board of this many cells (≥ 1) if none is given: √cells for a square; else 10, or
/// on a smaller board all cells.
std::int64_t usual_width(std::int64_t cells);

/// Where a cell is drawn: row 0 is the bottom one, column 0 the left one.
struct Place {
  std::int32_t row;
  std::int32_t column;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The place of `cell` (≥ 1) on a boustrophedon of `width` (≥ 1) columns. O(1).
Place place_of(Cell cell, std::int32_t width);

/// The cell at `place`; the inverse of place_of.
Cell cell_at(Place place, std::int32_t width);

class Board {
 public:
  /// The board as described, or all of its faults. The faults are:
  /// - fewer than 2 cells, or more than max_cells; a width outside 1 to cells;
  /// - a jump with an end off the board, or that starts on the last cell; two jumps from one cell;
  ///   from = to; a snake that goes up, or a ladder that goes down;
  /// - a power outside 1 to the last cell but one, on a cell where a jump starts or that has a
  ///   power already, or whose number doesn't fit its kind (see has_number).
  ///
  /// If `cells` is below 1, make() names that, and only those other faults that don't depend on it.
  static std::expected<Board, std::vector<BoardFault>> make(const BoardDescription& description);

  /// The board of `width` on which a piece that lands on cell c comes to rest on landings[c]. c
  /// runs from 0, where the landing is 0, to the last cell. None if make() would refuse the board;
  /// then `landings` isn't moved from.
  static std::optional<Board> from_landings(std::int64_t width, std::vector<Cell>&& landings);
  static std::optional<Board> from_landings(std::int64_t width, const std::vector<Cell>& landings) {
    return from_landings(width, std::vector(landings));
  }

  std::int32_t cells() const { return cells_; }
  std::int32_t width() const { return width_; }
  std::int32_t rows() const { return (cells() + width_ - 1) / width_; }

  /// Where a piece that lands on `cell` (0 to cells) comes to rest: the other end of the jump that
  /// starts there, else `cell`. Jumps are never chained. O(1); on a board without a table, O(log of
  /// the jumps).
  Cell landing(Cell cell) const {
    return landing_.empty() ? landing_without_table(cell)
                            : landing_[static_cast<std::size_t>(cell)];
  }

  /// landing() of every cell from 0 on. Empty for a large board of few jumps. It keeps no such
  /// table, so that its memory grows with its description, not with its cells.
  std::span<const Cell> landings() const { return landing_; }

  /// In the order of the cells where they start.
  std::span<const Jump> snakes() const { return snakes_; }
  std::span<const Jump> ladders() const { return ladders_; }

  /// In the order of their cells.
  std::span<const PowerCell> powers() const { return powers_; }
  /// The power of a cell; null if it has none.
  const Power* power_on(Cell cell) const;

  friend bool operator==(const Board& one, const Board& other) {
    return one.cells_ == other.cells_ && one.width_ == other.width_ &&
           one.snakes_ == other.snakes_ && one.ladders_ == other.ladders_ &&
           one.powers_ == other.powers_;
  }

 private:
  Board(std::int64_t width, std::vector<Cell> landings);
  Board(std::int64_t cells, std::int64_t width, std::vector<Jump> snakes,
        std::vector<Jump> ladders);

  static std::optional<Board> make_without_powers(const BoardDescription& description);
  Cell landing_without_table(Cell cell) const;

  std::int32_t cells_ = 0;
  std::int32_t width_ = 0;
  std::vector<Jump> snakes_;
  std::vector<Jump> ladders_;
  std::vector<PowerCell> powers_;
  std::vector<Cell> landing_;  // by cell; or nothing, see landings()
};

}  // namespace snl
