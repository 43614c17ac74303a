#include "board_view.hpp"

#include "cli/drawing/jump_letters.hpp"
#include "cli/drawing/pieces.hpp"
#include "cli/drawing/terminal_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

using Lines = GridShape::Lines;
using Align = GridShape::Align;

bool is_lettered(const Board& board) {
  return board.cells() <= most_drawn_cells;
}

/// Shapes of whole boards, the roomiest first. Three columns hold a number, two letters with their
/// mark, or a piece with what marks it.
constexpr std::array whole_shapes{
    GridShape{.lines = Lines::framed, .cell = {9, 3}},
    GridShape{.lines = Lines::framed, .cell = {7, 2}},
    GridShape{.lines = Lines::framed, .cell = {5, 2}},
    GridShape{.lines = Lines::framed, .cell = {5, 1}},
    GridShape{.lines = Lines::framed, .cell = {4, 1}},
    GridShape{.lines = Lines::open, .cell = {3, 1}, .align = Align::left},
    GridShape{.lines = Lines::dense, .cell = {3, 1}, .align = Align::left}};

bool fits(Size size, Size room) {
  return size.columns <= room.columns && size.rows <= room.rows;
}

struct BoardGlyphs {
  GridLines lines;
  std::string_view up;
  std::string_view end_of_ladder;
  std::string_view down;
  std::string_view end_of_snake;
  std::string_view trail;
  std::string_view more_left;
  std::string_view more_right;
  std::string_view more_above;
  std::string_view more_below;
};
constexpr BoardGlyphs unicode_board_glyphs{box_lines, "↑", "=", "↓", "~", "•", "◀", "▶", "▲", "▼"};
constexpr BoardGlyphs ascii_board_glyphs{ascii_lines, "^", "=", "v", "~", ".", "<", ">", "^", "v"};

constexpr Style number_style{.faint = true};

constexpr Colour colour_of(JumpKind kind) {
  return kind == JumpKind::snake ? Colour::red : Colour::green;
}

/// A place on the screen, or one that is counted in cells.
struct Spot {
  double column;
  double row;
};

Spot between(Spot from, Spot to, double part) {
  return {.column = std::lerp(from.column, to.column, part),
          .row = std::lerp(from.row, to.row, part)};
}

class BoardView {
 public:
  BoardView(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
            const Scene& scene, std::size_t players, const BoardLook& look)
      : frame_(frame),
        area_(area),
        shape_(shape.grid),
        is_part_(shape.is_part),
        grid_column_(area.column + (shape.is_part ? BoardShape::edge_columns : 0)),
        board_(board),
        scene_(scene),
        players_(players),
        glyphs_(look.unicode ? unicode_board_glyphs : ascii_board_glyphs),
        window_{.flipped = look.flipped} {
    const Spot focus = focus_of_move();
    window_.left = origin(focus.column, board.width(), shape_.shown.columns);
    window_.top = origin(focus.row, board.rows(), shape_.shown.rows);
    if (is_lettered(board))
      marks_ = jump_marks(board, jump_glyphs(), [&](const LetteredJump& lettered) {
        return style_of(lettered.jump, lettered.kind);
      });
  }

  void draw() {
    const auto text = [&](Cell cell) { return text_of(cell); };
    BoardGrid(board_, shape_, window_, text, glyphs_.lines).draw(frame_, grid_column_, area_.row);
    if (is_part_) draw_edges();
    if (scene_.slide) draw_slide();
  }

 private:
  // ---- Where things are

  /// Counted in cells, from the top left of the whole board as it is seen.
  Spot seen_at(Cell cell) const {
    const Place place = place_of(std::max(cell, 1), board_.width());
    return {.column = static_cast<double>(place.column),
            .row = window_.flipped ? place.row : board_.rows() - 1.0 - place.row};
  }

  Spot focus_of_move() const {
    if (scene_.slide)
      return between(seen_at(scene_.slide->from), seen_at(scene_.slide->to), scene_.slide->part);
    const Seat seat = scene_.mover.value_or(scene_.position.next);
    return seen_at(scene_.position.cells[seat]);
  }

  /// The first of `shown` cells of `all` that are seen when `focus` must be. It is the same
  /// wherever between two margins the focus is, so that a piece walks over a board that stays where
  /// it is.
  static int origin(double focus, int all, int shown) {
    const int margin = shown < 5 ? 0 : std::max(1, shown / 6);
    const int step = shown - 2 * margin;
    const int origin = step * static_cast<int>(std::floor((focus - margin) / step));
    return std::clamp(origin, 0, std::max(0, all - shown));
  }

  /// The place on the screen in the middle of one that is counted in cells.
  Spot on_screen(Spot spot) const {
    const Size pitch = shape_.pitch();
    const Size margin = shape_.margin();
    return {.column = grid_column_ + margin.columns + (spot.column - window_.left) * pitch.columns +
                      (shape_.cell.columns - 1) / 2.0,
            .row = area_.row + margin.rows + (spot.row - window_.top) * pitch.rows +
                   (shape_.cell.rows - 1) / 2.0};
  }

  bool is_on_board(int column, int row) const {
    const Size size = shape_.size();
    return column >= grid_column_ && column < grid_column_ + size.columns && row >= area_.row &&
           row < area_.row + size.rows;
  }

  // ---- Where the board goes on

  /// Left and right of what is seen, wherever there is more of the board.
  void draw_edges() {
    const Size shown = shape_.shown;
    const int right = grid_column_ + shape_.size().columns + BoardShape::edge_columns - 1;
    const bool more_left = window_.left > 0;
    const bool more_right = window_.left + shown.columns < board_.width();
    const int last = area_.row + shape_.size().rows - 1;
    for (int row = area_.row; row <= last; ++row) {
      if (more_left) frame_.put(area_.column, row, glyphs_.more_left);
      if (more_right) frame_.put(right, row, glyphs_.more_right);
    }
    for (const int column : {area_.column, right}) {
      if (window_.top > 0) frame_.put(column, area_.row, glyphs_.more_above);
      if (window_.top + shown.rows < board_.rows()) frame_.put(column, last, glyphs_.more_below);
    }
  }

  // ---- What stands on a cell

  /// Arrows point to where a jump leads on the screen.
  JumpGlyphs jump_glyphs() const {
    const bool flipped = window_.flipped;
    return {.start_of_ladder = flipped ? glyphs_.down : glyphs_.up,
            .end_of_ladder = glyphs_.end_of_ladder,
            .start_of_snake = flipped ? glyphs_.up : glyphs_.down,
            .end_of_snake = glyphs_.end_of_snake};
  }

  Style style_of(Jump jump, JumpKind kind) const {
    const bool taken =
        scene_.slide && scene_.slide->from == jump.from && scene_.slide->to == jump.to;
    return {.colour = colour_of(kind), .bold = true, .reverse = taken};
  }

  /// Letters, or where the jump leads.
  std::vector<Token> marks_on(Cell cell) const {
    if (is_lettered(board_)) return marks_[static_cast<std::size_t>(cell)];
    const Cell to = board_.landing(cell);
    if (to == cell) return {};
    const JumpKind kind = to < cell ? JumpKind::snake : JumpKind::ladder;
    const JumpGlyphs glyphs = jump_glyphs();
    const std::string_view arrow =
        kind == JumpKind::snake ? glyphs.start_of_snake : glyphs.start_of_ladder;
    return {{.text = std::string(arrow) + std::to_string(to), .style = style_of({cell, to}, kind)}};
  }

  bool is_moving(std::size_t seat) const { return scene_.mover == seat; }

  /// The mover first, in brackets.
  std::vector<Token> pieces_on(Cell cell) const {
    std::vector<Token> pieces;
    for (std::size_t i = 0; i < players_; ++i) {
      const auto seat = static_cast<Seat>(i);
      if (scene_.position.cells[seat] != cell || (scene_.slide && is_moving(seat))) continue;
      const Style style{.colour = piece_colour(seat), .bold = true, .reverse = is_moving(seat)};
      if (is_moving(seat))
        pieces.insert(pieces.begin(), {"[" + piece_digit(seat) + "]", style});
      else
        pieces.push_back({piece_digit(seat), style});
    }
    return pieces;
  }

  CellText text_of(Cell cell) const {
    return shape_.lines == Lines::dense ? dense_text_of(cell) : roomy_text_of(cell);
  }

  /// The pieces, or else where a jump leads, or else the number.
  CellText dense_text_of(Cell cell) const {
    std::vector<Token> tokens = in_parentheses(pieces_on(cell));
    if (tokens.empty()) tokens = marks_on(cell);
    if (tokens.empty()) tokens.push_back({std::to_string(cell), number_style});
    return {.lines = lines_of(tokens, 1)};
  }

  /// Pieces where numbers stand too: "[1]", "[1]2", "(2)", "(23)", or "(23" in three columns.
  std::vector<Token> in_parentheses(std::vector<Token> pieces) const {
    if (pieces.empty() || pieces.front().text.starts_with('[')) return pieces;
    pieces.insert(pieces.begin(), {.text = "("});
    if (width_of(pieces) < shape_.cell.columns) pieces.push_back({.text = ")"});
    return pieces;
  }

  /// Marks in the heading where there is room, else on a line of their own where there is one; else
  /// where no piece is.
  CellText roomy_text_of(Cell cell) const {
    CellText text{.heading = {{std::to_string(cell), number_style}}};
    const std::vector<Token> pieces = pieces_on(cell);
    std::vector<Token> marks = marks_on(cell);
    if (shape_.lines == Lines::framed) move_into_heading(text, marks, shape_.cell.columns);
    const int rows = shape_.cell.rows;
    const bool own_line = rows > 1 && !marks.empty();
    text.lines = lines_of(pieces, own_line ? rows - 1 : rows);
    if (own_line) {
      text.lines.resize(static_cast<std::size_t>(rows - 1));
      text.lines.push_back(lines_of(marks, 1).front());
    } else if (pieces.empty()) {
      text.lines = lines_of(marks, 1);
    }
    return text;
  }

  /// As many as there is room for on so many lines.
  std::vector<CellText::Line> lines_of(const std::vector<Token>& tokens, int rows) const {
    std::vector<CellText::Line> lines;
    for (std::vector<Token>& line : flowed(tokens, shape_.cell.columns)) {
      if (static_cast<int>(lines.size()) == rows) {
        lines.back().is_cut = true;
        break;
      }
      lines.push_back({.tokens = std::move(line)});
    }
    return lines;
  }

  // ---- A piece on its way along a snake or a ladder

  void draw_slide() {
    const Scene::Slide& slide = *scene_.slide;
    const Spot from = seen_at(slide.from);
    const Spot to = seen_at(slide.to);
    const Colour colour = colour_of(slide.to < slide.from ? JumpKind::snake : JumpKind::ladder);
    const Spot begin = on_screen(from);
    const Spot end = on_screen(to);
    const int points = static_cast<int>(
        std::max(std::abs(end.column - begin.column) / 2, std::abs(end.row - begin.row)));
    for (int i = 0; i <= points; ++i)
      put_at(between(begin, end, points == 0 ? 0 : static_cast<double>(i) / points), glyphs_.trail,
             {.colour = colour, .bold = true});
    const Seat seat = *scene_.mover;
    Spot piece = on_screen(between(from, to, slide.part));
    piece.column -= 1;
    put_at(piece, "[" + piece_digit(seat) + "]",
           {.colour = piece_colour(seat), .bold = true, .reverse = true});
  }

  void put_at(Spot spot, std::string_view text, Style style) {
    const auto column = static_cast<int>(std::lround(spot.column));
    const auto row = static_cast<int>(std::lround(spot.row));
    if (is_on_board(column, row) && is_on_board(column + display_width(text) - 1, row))
      frame_.put(column, row, text, style);
  }

  Frame& frame_;
  const Area& area_;
  const GridShape& shape_;
  bool is_part_;
  int grid_column_;  // of the screen, where the grid begins
  const Board& board_;
  const Scene& scene_;
  std::size_t players_;
  const BoardGlyphs& glyphs_;
  GridWindow window_;
  std::vector<std::vector<Token>> marks_;  // by cell, where jumps have letters
};

}  // namespace

BoardShape shape_for(const Board& board, Size room) {
  const Size all{.columns = board.width(), .rows = board.rows()};
  if (is_lettered(board))
    for (GridShape shape : whole_shapes) {
      shape.shown = all;
      if (fits(shape.size(), room)) return {.grid = shape};
    }
  // As much as there is room for.
  const int number = number_width(board.cells());
  const auto part = [&](Lines lines, int least, int room_columns) {
    const int columns = std::max(least, number + (is_lettered(board) ? 0 : 1));
    GridShape shape{.lines = lines,
                    .cell = {.columns = columns, .rows = 1},
                    .align = columns > 3 ? Align::centre : Align::left};
    const int frame = lines == Lines::framed ? 1 : 0;
    shape.shown = {.columns = std::clamp((room_columns + 1 - 2 * frame) / shape.pitch().columns, 1,
                                         all.columns),
                   .rows = std::clamp((room.rows - frame) / shape.pitch().rows, 1, all.rows)};
    return shape;
  };
  for (const GridShape& shape :
       {part(Lines::framed, 5, room.columns), part(Lines::dense, 3, room.columns)})
    if (shape.shown == all && fits(shape.size(), room)) return {.grid = shape};
  // Without lines more of it can be seen: where a move leads.
  const int inner_columns = room.columns - 2 * BoardShape::edge_columns;
  return {.grid = part(Lines::dense, 3, inner_columns), .is_part = true};
}

void draw_board(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
                const Scene& scene, std::size_t players, const BoardLook& look) {
  BoardView(frame, area, shape, board, scene, players, look).draw();
}

}  // namespace snl::cli
