#include "board_view.hpp"

#include "cli/drawing/jump_letters.hpp"
#include "cli/drawing/terminal_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

using Lines = BoardShape::Lines;

int digits(std::int64_t number) {
  return static_cast<int>(std::to_string(number).size());
}

bool is_lettered(const Board& board) {
  return board.cells() <= most_drawn_cells;
}

/// Shapes of whole boards, the roomiest first. Three columns hold a number, two letters with their
/// mark, or a piece with what marks it.
constexpr std::array whole_shapes{BoardShape{.lines = Lines::framed, .cell = {9, 3}},
                                  BoardShape{.lines = Lines::framed, .cell = {7, 2}},
                                  BoardShape{.lines = Lines::framed, .cell = {5, 2}},
                                  BoardShape{.lines = Lines::framed, .cell = {5, 1}},
                                  BoardShape{.lines = Lines::framed, .cell = {4, 1}},
                                  BoardShape{.lines = Lines::open, .cell = {3, 1}},
                                  BoardShape{.lines = Lines::dense, .cell = {3, 1}}};

bool fits(Size size, Size room) {
  return size.columns <= room.columns && size.rows <= room.rows;
}

struct GlyphSet {
  const Joints& joints;
  std::string_view across;
  std::string_view upright;
  std::string_view up;
  std::string_view end_of_ladder;
  std::string_view down;
  std::string_view end_of_snake;
  std::string_view trail;
};
constexpr GlyphSet unicode_glyphs{box_joints, "─", "│", "↑", "=", "↓", "~", "•"};
constexpr GlyphSet ascii_glyphs{ascii_joints, "-", "|", "^", "=", "v", "~", "."};

constexpr Style number_style{.faint = true};
constexpr Style line_style{.faint = true};

constexpr Colour colour_of(JumpKind kind) {
  return kind == JumpKind::snake ? Colour::red : Colour::green;
}

/// A word on a cell.
struct Token {
  std::string text;
  Style style;
};

/// A point of the screen.
struct Point {
  double column;
  double row;
};

class Drawing {
 public:
  Drawing(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
          const Scene& scene, std::size_t players, const BoardLook& look)
      : frame_(frame),
        area_(area),
        shape_(shape),
        board_(board),
        scene_(scene),
        players_(players),
        flipped_(look.flipped),
        glyphs_(look.unicode ? unicode_glyphs : ascii_glyphs),
        marks_(static_cast<std::size_t>(is_lettered(board) ? board.cells() + 1 : 0)) {
    const Point focus = focus_of_move();
    left_ = origin(focus.column, board.width(), shape.shown.columns);
    top_ = origin(focus.row, board.rows(), shape.shown.rows);
    if (is_lettered(board)) add_letters();
  }

  void draw() {
    for (int row = 0; row < shape_.shown.rows; ++row)
      for (int column = 0; column < shape_.shown.columns; ++column)
        draw_cell(column, row);
    if (shape_.lines == Lines::framed) draw_frame();
    if (scene_.slide) draw_slide();
  }

 private:
  // ---- Where things are. Columns and rows of cells count from the top left of the whole board as
  // it is seen.

  /// The cell that is seen there, if the board has one.
  std::optional<Cell> cell_seen_at(int column, int row) const {
    if (column < 0 || column >= board_.width() || row < 0 || row >= board_.rows())
      return std::nullopt;
    const Place place{.row = flipped_ ? row : board_.rows() - 1 - row, .column = column};
    const Cell cell = cell_at(place, board_.width());
    return cell <= board_.cells() ? std::optional(cell) : std::nullopt;
  }

  /// The middle of a cell, counted in cells.
  Point seen_at(Cell cell) const {
    const Place place = place_of(std::max(cell, 1), board_.width());
    return {.column = static_cast<double>(place.column),
            .row = flipped_ ? place.row : board_.rows() - 1.0 - place.row};
  }

  Point focus_of_move() const {
    if (scene_.slide) {
      const Point from = seen_at(scene_.slide->from);
      const Point to = seen_at(scene_.slide->to);
      return between(from, to, scene_.slide->part);
    }
    const Seat seat = scene_.mover.value_or(scene_.position.next);
    return seen_at(scene_.position.cells[seat]);
  }

  static Point between(Point from, Point to, double part) {
    return {.column = std::lerp(from.column, to.column, part),
            .row = std::lerp(from.row, to.row, part)};
  }

  /// The first of `shown` cells of `all` that are seen when `focus` must be.
  static int origin(double focus, int all, int shown) {
    return std::clamp(static_cast<int>(std::lround(focus)) - shown / 2, 0,
                      std::max(0, all - shown));
  }

  /// Of the screen: where the line under a cell's number begins, inside the frame.
  int column_of(int column) const {
    const int frame = shape_.lines == Lines::framed ? 1 : 0;
    return area_.column + frame + (column - left_) * shape_.pitch().columns;
  }
  int row_of(int row) const {
    const int heading = shape_.lines == Lines::dense ? 0 : 1;
    return area_.row + heading + (row - top_) * shape_.pitch().rows;
  }

  /// The column and row of the screen in the middle of a point that is counted in cells.
  Point on_screen(Point point) const {
    const int frame = shape_.lines == Lines::framed ? 1 : 0;
    const int heading = shape_.lines == Lines::dense ? 0 : 1;
    return {.column = area_.column + frame + (point.column - left_) * shape_.pitch().columns +
                      (shape_.cell.columns - 1) / 2.0,
            .row = area_.row + heading + (point.row - top_) * shape_.pitch().rows +
                   (shape_.cell.rows - 1) / 2.0};
  }

  bool is_on_board(int column, int row) const {
    const Size size = shape_.size();
    return column >= area_.column && column < area_.column + size.columns && row >= area_.row &&
           row < area_.row + size.rows;
  }

  // ---- Cells

  void add_letters() {
    for (const auto& [jump, kind, letters] : lettered_jumps(board_)) {
      const bool snake = kind == JumpKind::snake;
      const bool taken = was_taken(jump);
      const Style style{.colour = colour_of(kind), .bold = true, .reverse = taken};
      marks_[static_cast<std::size_t>(jump.from)].push_back({letters + start_of(kind), style});
      marks_[static_cast<std::size_t>(jump.to)].push_back(
          {letters + std::string(snake ? glyphs_.end_of_snake : glyphs_.end_of_ladder), style});
    }
  }

  /// An arrow that points to where it leads on the screen.
  std::string start_of(JumpKind kind) const {
    return std::string((kind == JumpKind::snake) != flipped_ ? glyphs_.down : glyphs_.up);
  }

  bool was_taken(Jump jump) const {
    return scene_.slide && scene_.slide->from == jump.from && scene_.slide->to == jump.to;
  }

  std::vector<Token> marks_on(Cell cell) const {
    if (is_lettered(board_)) return marks_[static_cast<std::size_t>(cell)];
    const Cell to = board_.landing(cell);
    if (to == cell) return {};
    const JumpKind kind = to < cell ? JumpKind::snake : JumpKind::ladder;
    return {{start_of(kind) + std::to_string(to),
             {.colour = colour_of(kind), .bold = true, .reverse = was_taken({cell, to})}}};
  }

  bool is_moving(std::size_t seat) const { return scene_.mover == seat; }

  /// The mover first, in brackets.
  std::vector<Token> pieces_on(Cell cell) const {
    std::vector<Token> pieces;
    for (std::size_t i = 0; i < players_; ++i) {
      const auto seat = static_cast<Seat>(i);
      if (scene_.position.cells[seat] != cell || (scene_.slide && is_moving(seat))) continue;
      const Style style{
          .colour = snl::cli::colour_of(seat), .bold = true, .reverse = is_moving(seat)};
      if (is_moving(seat))
        pieces.insert(pieces.begin(), {"[" + digit_of(seat) + "]", style});
      else
        pieces.push_back({digit_of(seat), style});
    }
    return pieces;
  }

  void draw_cell(int column, int row) {
    const auto cell = cell_seen_at(left_ + column, top_ + row);
    if (!cell) return;
    const int x = column_of(left_ + column);
    const int y = row_of(top_ + row);
    const int end = x + shape_.cell.columns;
    std::vector<Token> tokens = pieces_on(*cell);
    std::vector<Token> marks = marks_on(*cell);
    if (shape_.lines == Lines::dense) {
      if (tokens.empty()) tokens = std::move(marks);
      if (tokens.empty()) tokens.push_back({std::to_string(*cell), number_style});
      draw_tokens(tokens, x, y, end, 1);
      return;
    }
    int heading = frame_.put(x, y - 1, std::to_string(*cell), number_style, end);
    const bool framed = shape_.lines == Lines::framed;
    while (framed && !marks.empty() && heading + 1 + display_width(marks[0].text) <= end) {
      frame_.put(heading, y - 1, " ", line_style);
      heading = frame_.put(heading + 1, y - 1, marks[0].text, marks[0].style, end);
      marks.erase(marks.begin());
    }
    for (; framed && heading < end; ++heading)
      frame_.put(heading, y - 1, glyphs_.across, line_style);
    draw_pieces_and_marks(tokens, marks, x, y, end);
  }

  /// Marks on a line of their own where there is one; else where no piece is.
  void draw_pieces_and_marks(const std::vector<Token>& pieces, const std::vector<Token>& marks,
                             int x, int y, int end) {
    const bool own_line = shape_.cell.rows > 1 && !marks.empty();
    draw_tokens(pieces, x, y, end, shape_.cell.rows - (own_line ? 1 : 0));
    if (own_line)
      draw_tokens(marks, x, y + shape_.cell.rows - 1, end, 1);
    else if (pieces.empty())
      draw_tokens(marks, x, y, end, 1);
  }

  /// As many as there is room for; a "+" if that isn't all, but never over the mover.
  void draw_tokens(const std::vector<Token>& tokens, int x, int y, int end, int rows) {
    const bool roomy = shape_.cell.columns > 3;
    std::vector<std::vector<Token>> lines(1);
    const auto width = [&](const std::vector<Token>& line) {
      int columns = 0;
      for (const Token& token : line)
        columns += display_width(token.text) + (columns > 0 && token.text.size() > 1 ? 1 : 0);
      return columns;
    };
    for (const Token& token : tokens) {
      lines.back().push_back(token);
      if (lines.back().size() > 1 && width(lines.back()) > end - x) {
        lines.back().pop_back();
        lines.push_back({token});
      }
    }
    const bool all = lines.size() <= static_cast<std::size_t>(rows);
    for (std::size_t i = 0; i < lines.size() && i < static_cast<std::size_t>(rows); ++i) {
      int column = x + (roomy ? std::max(0, (end - x - width(lines[i])) / 2) : 0);
      bool first = true;
      for (const Token& token : lines[i]) {
        if (!std::exchange(first, false) && token.text.size() > 1) ++column;
        column = frame_.put(column, y + static_cast<int>(i), token.text, token.style, end);
      }
    }
    if (!all && frame_.at(end - 1, y + rows - 1).text != "]")
      frame_.put(end - 1, y + rows - 1, "+", {.bold = true});
  }

  // ---- The frame

  void draw_frame() {
    const Size pitch = shape_.pitch();
    for (int row = 0; row <= shape_.shown.rows; ++row)
      for (int column = 0; column <= shape_.shown.columns; ++column) {
        const int x = area_.column + column * pitch.columns;
        const int y = area_.row + row * pitch.rows;
        frame_.put(x, y, joint(column, row), line_style);
        if (row == shape_.shown.rows) draw_under(column, row, x, y);
        if (!has_cell(column - 1, row) && !has_cell(column, row)) continue;
        for (int line = 1; line < pitch.rows && row < shape_.shown.rows; ++line)
          frame_.put(x, y + line, glyphs_.upright, line_style);
      }
    draw_over_gaps();
  }

  /// The rule under the last row that is seen, and above cells that the board hasn't.
  void draw_under(int column, int row, int x, int y) {
    if (!has_cell(column, row - 1)) return;
    for (int i = 1; i < shape_.pitch().columns; ++i)
      frame_.put(x + i, y, glyphs_.across, line_style);
  }

  /// Where the top row isn't full and the board is flipped, or seen from below, cells end within.
  void draw_over_gaps() {
    for (int row = 1; row < shape_.shown.rows; ++row)
      for (int column = 0; column < shape_.shown.columns; ++column)
        if (!has_cell(column, row))
          draw_under(column, row, area_.column + column * shape_.pitch().columns,
                     area_.row + row * shape_.pitch().rows);
  }

  bool has_cell(int column, int row) const {
    return column >= 0 && column < shape_.shown.columns && row >= 0 && row < shape_.shown.rows &&
           cell_seen_at(left_ + column, top_ + row).has_value();
  }

  std::string_view joint(int column, int row) const {
    const bool upper_left = has_cell(column - 1, row - 1);
    const bool upper_right = has_cell(column, row - 1);
    const bool lower_left = has_cell(column - 1, row);
    const bool lower_right = has_cell(column, row);
    return glyphs_.joints[(upper_left || upper_right ? line_up : 0) +
                          (lower_left || lower_right ? line_down : 0) +
                          (upper_left || lower_left ? line_left : 0) +
                          (upper_right || lower_right ? line_right : 0)];
  }

  // ---- A piece on its way along a snake or a ladder

  void draw_slide() {
    const Scene::Slide& slide = *scene_.slide;
    const Point from = seen_at(slide.from);
    const Point to = seen_at(slide.to);
    const Colour colour = colour_of(slide.to < slide.from ? JumpKind::snake : JumpKind::ladder);
    const Point begin = on_screen(from);
    const Point end = on_screen(to);
    const int points = static_cast<int>(
        std::max(std::abs(end.column - begin.column) / 2, std::abs(end.row - begin.row)));
    for (int i = 0; i <= points; ++i)
      put_at(between(begin, end, points == 0 ? 0 : static_cast<double>(i) / points), glyphs_.trail,
             {.colour = colour, .bold = true});
    const Seat seat = *scene_.mover;
    Point piece = on_screen(between(from, to, slide.part));
    piece.column -= 1;
    put_at(piece, "[" + digit_of(seat) + "]",
           {.colour = snl::cli::colour_of(seat), .bold = true, .reverse = true});
  }

  void put_at(Point point, std::string_view text, Style style) {
    const auto column = static_cast<int>(std::lround(point.column));
    const auto row = static_cast<int>(std::lround(point.row));
    if (is_on_board(column, row) && is_on_board(column + display_width(text) - 1, row))
      frame_.put(column, row, text, style);
  }

  Frame& frame_;
  const Area& area_;
  const BoardShape& shape_;
  const Board& board_;
  const Scene& scene_;
  std::size_t players_;
  bool flipped_;
  const GlyphSet& glyphs_;
  std::vector<std::vector<Token>> marks_;  // by cell, where jumps have letters
  int left_ = 0;                           // the first column of cells that is seen
  int top_ = 0;
};

}  // namespace

BoardShape shape_for(const Board& board, Size room) {
  const Size all{.columns = board.width(), .rows = board.rows()};
  if (is_lettered(board))
    for (BoardShape shape : whole_shapes) {
      shape.shown = all;
      if (fits(shape.size(), room)) return shape;
    }
  // A part of it.
  const int number = digits(board.cells());
  const auto part = [&](Lines lines, int least) {
    BoardShape shape{
        .lines = lines,
        .cell = {.columns = std::max(least, number + (is_lettered(board) ? 0 : 1)), .rows = 1}};
    const int frame = lines == Lines::framed ? 1 : 0;
    shape.shown = {
        .columns = std::min(all.columns, (room.columns + 1 - 2 * frame) / shape.pitch().columns),
        .rows = std::min(all.rows, (room.rows - frame) / shape.pitch().rows)};
    return shape;
  };
  const BoardShape framed = part(Lines::framed, 5);
  if (framed.shown == all) return framed;
  // As much as can be seen, to see where a move leads.
  BoardShape dense = part(Lines::dense, 3);
  dense.shown = {.columns = std::max(1, dense.shown.columns),
                 .rows = std::max(1, dense.shown.rows)};
  return dense;
}

void draw_board(Frame& frame, const Area& area, const BoardShape& shape, const Board& board,
                const Scene& scene, std::size_t players, const BoardLook& look) {
  Drawing(frame, area, shape, board, scene, players, look).draw();
}

Colour colour_of(Seat seat) {
  constexpr std::array colours{Colour::cyan, Colour::magenta, Colour::yellow,
                               Colour::blue, Colour::green,   Colour::red};
  return colours[seat % colours.size()];
}

std::string digit_of(Seat seat) {
  return std::to_string((seat + 1) % 10);
}

}  // namespace snl::cli
