// A board as a grid of characters: the lines around its cells, their numbers, and the words on
// them. The caller says what stands on each cell; the grid puts it in its place.
#pragma once

#include "domain/board.hpp"
#include "frame.hpp"
#include "jump_letters.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// A word on a cell. It is never broken.
struct Token {
  std::string text;
  Style style = {};
  int gap = 0;  // blanks before it, unless it begins a line
};

int width_of(const std::vector<Token>& line);

/// The tokens in lines of at most `columns`. A token that is longer gets a line of its own.
std::vector<std::vector<Token>> flowed(const std::vector<Token>& tokens, int columns);

/// The words on a cell.
struct CellText {
  struct Line {
    std::vector<Token> tokens = {};
    bool is_cut = false;  // not all fitted: a "+" says so
  };
  std::vector<Token> heading = {};  // in the line above; a gap there is part of that line
  std::vector<Line> lines = {};     // from the top down
};

/// Moves the first of `marks` into the heading, as many as fit into `columns`.
void move_into_heading(CellText& text, std::vector<Token>& marks, int columns);

/// The signs after a jump's letters, at its two ends.
struct JumpGlyphs {
  std::string_view start_of_ladder;
  std::string_view end_of_ladder;
  std::string_view start_of_snake;
  std::string_view end_of_snake;

  /// The sign at the end where a jump of this kind starts.
  std::string_view start_of(JumpKind kind) const {
    return kind == JumpKind::snake ? start_of_snake : start_of_ladder;
  }
  /// The signs for the same board upside down, where arrows point the other way.
  JumpGlyphs flipped() const {
    return {start_of_snake, end_of_ladder, start_of_ladder, end_of_snake};
  }
};
inline constexpr JumpGlyphs unicode_jumps{"↑", "=", "↓", "~"};
inline constexpr JumpGlyphs ascii_jumps{"^", "=", "v", "~"};

constexpr Colour colour_of(JumpKind kind) {
  return kind == JumpKind::snake ? Colour::red : Colour::green;
}

/// For each cell, 0 to the last: the letters of each jump that starts or ends there, and the mark
/// of the cell's power.
std::vector<std::vector<Token>> jump_marks(
    const Board& board, const JumpGlyphs& glyphs,
    const std::function<Style(const LetteredJump&)>& style_of);

/// The signs that join lines, by the directions of those lines: the sum of 1 (up), 2 (down), 4
/// (left) and 8 (right).
using Joints = std::array<std::string_view, 16>;

/// The characters of the lines between cells.
struct GridLines {
  Joints joints;
  std::string_view across;
  std::string_view upright;
};
inline constexpr GridLines box_lines{
    {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼"}, "─", "│"};
inline constexpr GridLines ascii_lines{
    {" ", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+", "+"}, "-", "|"};

/// The way in which a grid is drawn.
struct GridShape {
  /// framed: each cell has a frame, with its heading in it. open: no frame, and the heading above
  /// the cell's words. dense: neither frame nor heading.
  enum class Lines : std::uint8_t { framed, open, dense };
  enum class Align : std::uint8_t { left, centre };

  Lines lines = Lines::framed;
  Size cell = {};  // inside the frame
  Align align = Align::centre;
  Size shown = {};  // how many cells across, and how many rows of them
  friend bool operator==(const GridShape&, const GridShape&) = default;

  /// The distance from a cell to the next.
  Size pitch() const {
    return {.columns = cell.columns + 1, .rows = cell.rows + (lines == Lines::dense ? 0 : 1)};
  }
  /// The distance from the grid's top left corner to the words of its first cell.
  Size margin() const {
    return {.columns = lines == Lines::framed ? 1 : 0, .rows = lines == Lines::dense ? 0 : 1};
  }
  /// The size of the whole grid.
  Size size() const {
    const int framed = lines == Lines::framed ? 1 : 0;
    return {.columns = shown.columns * pitch().columns - 1 + 2 * framed,
            .rows = shown.rows * pitch().rows + framed};
  }
};

/// The part of a board that is seen. Columns and rows of cells count from the top left of the whole
/// board, as it is seen.
struct GridWindow {
  int left = 0;  // the first column and the first row in view
  int top = 0;
  bool flipped = false;  // upside down: the board's first row is at the top
  friend bool operator==(const GridWindow&, const GridWindow&) = default;
};

/// The cell at this place, if the board has one there.
std::optional<Cell> cell_seen_at(const Board& board, bool flipped, int column, int row);

class BoardGrid {
 public:
  /// `text_of` returns the words of each cell, in at most as many lines as a cell of the shape has.
  BoardGrid(const Board& board, const GridShape& shape, const GridWindow& window,
            const std::function<CellText(Cell)>& text_of, const GridLines& lines);

  /// Draws the grid with its top left corner there.
  void draw(Frame& frame, int column, int row) const;

 private:
  /// Columns and rows count from the top left of the view. Beyond the board there are no cells.
  bool has_cell(int column, int row) const;
  const std::optional<CellText>& text_at(int column, int row) const;
  std::string_view joint(int column, int row) const;
  void draw_rule(Frame& frame, int x, int y, int row) const;
  void draw_heading(Frame& frame, int x, int y, int column, int row) const;
  void draw_lines(Frame& frame, int x, int y, int row) const;
  void draw_line(Frame& frame, int x, int y, const CellText::Line& line) const;
  bool has_rules() const { return shape_.lines != GridShape::Lines::dense; }
  bool has_frame() const { return shape_.lines == GridShape::Lines::framed; }

  GridShape shape_;
  GridLines lines_;
  std::vector<std::optional<CellText>> texts_;  // row by row
};

}  // namespace cli
}  // namespace snl
