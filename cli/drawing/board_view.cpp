#include "board_view.hpp"

#include "jump_letters.hpp"
#include "pieces.hpp"
#include "signs.hpp"
#include "terminal_text.hpp"

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

/// Shapes of whole boards, the roomiest first. Three columns are enough for a number, two letters
/// with their mark, or a piece with its marks.
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
  JumpGlyphs jumps;
};
constexpr BoardGlyphs unicode_board_glyphs{box_lines, unicode_jumps};
constexpr BoardGlyphs ascii_board_glyphs{ascii_lines, ascii_jumps};

constexpr Style number_style{.faint = true};

// ---- The colours of a drawn board on a terminal with a palette. There is one set for all themes,
// so that its colours go together.

constexpr Shade even_paper = 235;
constexpr Shade odd_paper = 237;
constexpr Shade last_paper = 58;
constexpr Shade line_ink = 241;

Shade ink_of(Style style) {
  if (style.colour == Colour::red) return style.bold ? 203 : 167;
  if (style.colour == Colour::green) return style.bold ? 114 : 71;
  return style.bold ? 255 : style.faint ? 246 : 252;
}

/// The style on a cell's paper, unless it has a paper of its own.
Style on_paper(Style style, Shade paper) {
  if (style.paper != 0) return style;
  const Shade ink = style.ink != 0 ? style.ink : ink_of(style);
  style.ink = style.reverse ? black_shade : ink;
  style.paper = style.reverse ? ink : paper;
  return style;
}

struct ScreenPlace {
  int column;
  int row;
};

class BoardView {
 public:
  BoardView(Frame& frame, const Area& area, const BoardShape& shape, const BoardPosition& position,
            const BoardLook& look, BoardMemory& memory)
      : frame_(frame),
        area_(area),
        board_shape_(shape),
        shape_(shape.grid),
        grid_column_(area.column + (shape.is_part ? BoardShape::edge_columns : 0)),
        grid_row_(area.row + shape.edge_rows),
        board_(position.board),
        scene_(position.scene),
        players_(position.players),
        signs_(look.glyphs),
        glyphs_(look.glyphs == Glyphs::unicode ? unicode_board_glyphs : ascii_board_glyphs),
        memory_(memory),
        art_shape_{.pitch = shape_.pitch(), .flipped = look.flipped, .glyphs = look.glyphs} {
    window_.flipped = look.flipped;
    window_ = memory.follow(focus_of_move(), board_, shape_.shown, look.flipped);
  }

  /// Often nothing on the board has changed, and the kept picture is right.
  void draw() {
    const BoardMemory::Still still{.area = area_,
                                   .grid = shape_,
                                   .edge_rows = board_shape_.edge_rows,
                                   .window = window_,
                                   .cells = scene_.position.cells,
                                   .mover = scene_.mover,
                                   .glyphs = signs_};
    if (scene_.slide) return draw_anew();
    if (const Frame* kept = memory_.kept(still))
      return frame_.paste(area_.column, area_.row, *kept);
    draw_anew();
    memory_.keep(still, frame_.cut_out(area_.column, area_.row, board_shape_.size()));
  }

 private:
  void draw_anew() {
    if (is_lettered(board_))
      marks_ = jump_marks(board_, jump_glyphs(), [&](const LetteredJump& lettered) {
        return style_of(lettered.jump, lettered.kind);
      });
    const auto text = [&](Cell cell) { return text_of(cell); };
    BoardGrid(board_, shape_, window_, text, glyphs_.lines).draw(frame_, grid_column_, grid_row_);
    if (is_drawn()) draw_art();
    if (board_shape_.is_part) draw_edges();
    if (scene_.slide) draw_slide();
    if (is_drawn()) put_on_paper();
  }

  // ---- Where things are

  bool is_drawn() const { return board_shape_.jumps == BoardShape::Jumps::drawn; }

  Spot place_of_cell(Cell cell) const { return seen_at(cell, board_, window_.flipped); }

  Spot focus_of_move() const {
    const Seat seat = scene_.mover.value_or(scene_.position.next);
    if (const Carried* carried = scene_.slide ? scene_.slide->of(seat) : nullptr)
      return between(place_of_cell(carried->from), place_of_cell(carried->to), scene_.slide->part);
    return place_of_cell(scene_.position.cells[seat]);
  }

  /// The middle of a cell's place, in characters of the screen.
  Spot on_screen(Spot spot) const {
    const Size pitch = shape_.pitch();
    const Size margin = shape_.margin();
    return {.column = grid_column_ + margin.columns + (spot.column - window_.left) * pitch.columns +
                      (shape_.cell.columns - 1) / 2.0,
            .row = grid_row_ + margin.rows + (spot.row - window_.top) * pitch.rows +
                   (shape_.cell.rows - 1) / 2.0};
  }

  bool is_on_board(int column, int row) const {
    const Size size = shape_.size();
    return column >= grid_column_ && column < grid_column_ + size.columns && row >= grid_row_ &&
           row < grid_row_ + size.rows;
  }

  // ---- Where the board goes on

  /// Marks every edge beyond which the board goes on, and the pieces and jumps there.
  void draw_edges() {
    const Size shown = shape_.shown;
    const bool more_left = window_.left > 0;
    const bool more_right = window_.left + shown.columns < board_.width();
    for (int row = 0; row < shape_.size().rows; ++row) {
      if (more_left) frame_.put(area_.column, grid_row_ + row, sign(Sign::more_left));
      if (more_right) frame_.put(right_edge(), grid_row_ + row, sign(Sign::more_right));
    }
    for (const int column : {area_.column, right_edge()}) {
      if (window_.top > 0) frame_.put(column, area_.row, sign(Sign::more_above));
      if (window_.top + shown.rows < board_.rows())
        frame_.put(column, last_row(), sign(Sign::more_below));
    }
    for (const Outside& outside : outside_of(window_, shown, board_, scene_.position, players_))
      if (!outside.seat || !scene_.slide || scene_.slide->of(*outside.seat) == nullptr)
        draw_outside(outside);
  }

  int right_edge() const {
    return grid_column_ + shape_.size().columns + BoardShape::edge_columns - 1;
  }
  int last_row() const { return area_.row + board_shape_.size().rows - 1; }

  /// Draws a piece beside its place, or on the next free spot; a jump only beside its place.
  void draw_outside(const Outside& outside) {
    using Edge = Outside::Edge;
    const bool aside = outside.edge == Edge::left || outside.edge == Edge::right;
    if (aside || board_shape_.edge_rows == 0) {
      const bool left =
          aside ? outside.edge == Edge::left : outside.along < shape_.shown.columns / 2;
      const int at = aside ? outside.along * shape_.pitch().rows + shape_.margin().rows
                     : outside.edge == Edge::above ? 0
                                                   : shape_.size().rows - 1;
      const int column = left ? area_.column + 1 : right_edge() - 1;
      return draw_beside({.column = column, .row = grid_row_}, {.columns = 0, .rows = 1},
                         shape_.size().rows, at, outside);
    }
    const int row = outside.edge == Edge::above ? area_.row : last_row();
    const int at = outside.along * shape_.pitch().columns + shape_.margin().columns;
    if (frame_.at(grid_column_ + at, row).text == " ")
      frame_.put(grid_column_ + at, row,
                 sign(outside.edge == Edge::above ? Sign::more_above : Sign::more_below));
    draw_beside({.column = grid_column_, .row = row}, {.columns = 1, .rows = 0},
                shape_.size().columns, std::min(at + 1, shape_.size().columns - 1), outside);
  }

  /// Draws on the first free spot. There are `count` spots from `first` on, a `step` apart. The
  /// search goes from `at` to the last, then from `at` back to the first.
  void draw_beside(ScreenPlace first, Size step, int count, int at, const Outside& outside) {
    const auto place = [&](int i) {
      return ScreenPlace{.column = first.column + i * step.columns,
                         .row = first.row + i * step.rows};
    };
    const auto is_free = [&](int i) {
      const std::string& text = frame_.at(place(i).column, place(i).row).text;
      return text == " " || (outside.seat && (text == sign(Sign::snake_beyond) ||
                                              text == sign(Sign::ladder_beyond)));
    };
    const auto put = [&](int i, std::string_view text, Style style) {
      frame_.put(place(i).column, place(i).row, text, style);
    };
    if (outside.jump) {
      const bool snake = *outside.jump == JumpKind::snake;
      const Sign beyond = snake ? Sign::snake_beyond : Sign::ladder_beyond;
      if (is_free(at)) put(at, sign(beyond), cli::style_of(beyond));
      return;
    }
    for (int i = at; i < count; ++i)
      if (is_free(i)) return put(i, piece_digit(*outside.seat), piece_style(*outside.seat));
    for (int i = at - 1; i >= 0; --i)
      if (is_free(i)) return put(i, piece_digit(*outside.seat), piece_style(*outside.seat));
    put(at, sign(Sign::more_pieces), cli::style_of(Sign::more_pieces));
  }

  // ---- What stands on a cell

  /// The arrows point to where jumps lead on the screen.
  JumpGlyphs jump_glyphs() const {
    return window_.flipped ? glyphs_.jumps.flipped() : glyphs_.jumps;
  }

  Style style_of(Jump jump, JumpKind kind) const {
    const bool taken =
        scene_.slide && std::ranges::any_of(scene_.slide->pieces, [&](const Carried& piece) {
          return piece.jump && piece.from == jump.from && piece.to == jump.to;
        });
    return {.colour = colour_of(kind), .bold = true, .reverse = taken};
  }

  /// The letters of a cell's jumps, or the cells where they lead.
  std::vector<Token> marks_on(Cell cell) const {
    if (is_lettered(board_)) return marks_[static_cast<std::size_t>(cell)];
    const Cell to = board_.landing(cell);
    if (to == cell) return {};
    const JumpKind kind = to < cell ? JumpKind::snake : JumpKind::ladder;
    return {{.text = std::string(jump_glyphs().start_of(kind)) + std::to_string(to),
             .style = style_of({cell, to}, kind)}};
  }

  bool is_moving(std::size_t seat) const { return scene_.mover == seat; }

  /// The pieces on a cell: the mover first, in brackets.
  std::vector<Token> pieces_on(Cell cell) const {
    std::vector<Token> pieces;
    for (std::size_t i = 0; i < players_; ++i) {
      const auto seat = static_cast<Seat>(i);
      if (scene_.position.cells[seat] != cell) continue;
      if (scene_.slide && scene_.slide->of(seat) != nullptr) continue;
      if (is_moving(seat))
        pieces.insert(pieces.begin(), {"[" + piece_digit(seat) + "]", moving_piece_style(seat)});
      else
        pieces.push_back({piece_digit(seat), piece_style(seat)});
    }
    return pieces;
  }

  /// The pieces as filled chips, if all of them fit.
  std::vector<Token> as_chips(std::vector<Token> pieces) const {
    constexpr std::size_t chip_columns = 3;
    const auto in_line = static_cast<std::size_t>(shape_.cell.columns) / chip_columns;
    if (pieces.size() > in_line * static_cast<std::size_t>(shape_.cell.rows)) return pieces;
    std::vector<Token> chips;
    for (Token& piece : pieces) {
      if (piece.text.starts_with('[')) {
        chips.push_back(std::move(piece));
        continue;
      }
      Style filled = piece.style;
      filled.reverse = signs_ == Glyphs::unicode;
      chips.push_back({.text = std::string(sign(Sign::chip_left)), .style = piece.style});
      chips.push_back({.text = std::move(piece.text), .style = filled});
      chips.push_back({.text = std::string(sign(Sign::chip_right)), .style = piece.style});
    }
    return chips;
  }

  CellText text_of(Cell cell) const {
    if (is_drawn()) return drawn_text_of(cell);
    return shape_.lines == Lines::dense ? dense_text_of(cell) : roomy_text_of(cell);
  }

  /// The text of a cell on a drawn board: pieces in the middle, marks in the heading if all fit.
  CellText drawn_text_of(Cell cell) const {
    CellText text{.heading = {{std::to_string(cell), number_style}}};
    std::vector<Token> marks = marks_on(cell);
    move_into_heading(text, marks, shape_.cell.columns);
    const std::vector<Token> pieces = as_chips(pieces_on(cell));
    if (pieces.empty()) {
      text.lines = lines_of(marks, 1);
      return text;
    }
    text.lines = lines_of(pieces, shape_.cell.rows);
    const std::size_t above = (static_cast<std::size_t>(shape_.cell.rows) - text.lines.size()) / 2;
    text.lines.insert(text.lines.begin(), above, CellText::Line{});
    return text;
  }

  /// The pieces, or else the end of a jump, or else the number.
  CellText dense_text_of(Cell cell) const {
    std::vector<Token> tokens = in_parentheses(pieces_on(cell));
    if (tokens.empty()) tokens = marks_on(cell);
    if (tokens.empty()) tokens.push_back({std::to_string(cell), number_style});
    return {.lines = lines_of(tokens, 1)};
  }

  /// Pieces in the place of numbers: "[1]", "[1]2", "(2)", "(23)", or "(23" in three columns.
  std::vector<Token> in_parentheses(std::vector<Token> pieces) const {
    if (pieces.empty() || pieces.front().text.starts_with('[')) return pieces;
    pieces.insert(pieces.begin(), {.text = "("});
    if (width_of(pieces) < shape_.cell.columns) pieces.push_back({.text = ")"});
    return pieces;
  }

  /// The marks go into the heading if they fit, else on a line of their own if there is one, else
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

  /// As many tokens as fit on so many lines.
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

  // ---- Drawn snakes and ladders

  void draw_art() {
    for (const ArtSpot& spot : memory_.art(board_, art_shape_)) {
      const int column = grid_column_ + spot.column;
      const int row = grid_row_ + spot.row;
      if (!is_on_board(column, row) || !is_free(frame_.at(column, row))) continue;
      Style style =
          style_of(spot.jump, spot.jump.to < spot.jump.from ? JumpKind::snake : JumpKind::ladder);
      style.bold = style.reverse;  // a jump that a piece takes now
      style.reverse = false;
      frame_.put(column, row, spot.text, style);
    }
  }

  /// Whether only a line is there, which is behind everything.
  static bool is_free(const Frame::Spot& spot) {
    if (spot.style.reverse) return false;
    const bool is_number = spot.text.front() >= '0' && spot.text.front() <= '9';
    return spot.text == " " || (spot.style == Style{.faint = true} && !is_number);
  }

  /// Puts each cell on its paper, with its contents and the lines above it and to its left.
  void put_on_paper() {
    const Size size = shape_.size();
    const Size pitch = shape_.pitch();
    for (int row = 0; row < size.rows; ++row)
      for (int column = 0; column < size.columns; ++column) {
        const Frame::Spot& spot = frame_.at(grid_column_ + column, grid_row_ + row);
        const int cell_column = std::min(column / pitch.columns, shape_.shown.columns - 1);
        const int cell_row = std::min(row / pitch.rows, shape_.shown.rows - 1);
        const auto cell = cell_seen_at(board_, window_.flipped, cell_column, cell_row);
        if (!cell) continue;
        Style style = spot.style;
        const bool is_digit = spot.text.front() >= '0' && spot.text.front() <= '9';
        const bool is_line = spot.text != " " && style.ink == 0 && style.faint && !is_digit;
        if (is_line) style.ink = line_ink;
        const Shade paper = *cell == board_.cells()             ? last_paper
                            : (cell_column + cell_row) % 2 == 0 ? even_paper
                                                                : odd_paper;
        frame_.restyle(grid_column_ + column, grid_row_ + row, on_paper(style, paper));
      }
  }

  // ---- Pieces on their way along a snake or a ladder, or to another cell

  void draw_slide() {
    for (const Carried& piece : scene_.slide->pieces)
      draw_trail(piece);
    for (const Carried& piece : scene_.slide->pieces) {
      Spot spot = place_of_piece(piece);
      spot.column -= 1;
      const std::string digit = piece_digit(piece.seat);
      if (is_moving(piece.seat))
        put_at(spot, "[" + digit + "]", moving_piece_style(piece.seat));
      else
        put_at(spot, "(" + digit + ")", piece_style(piece.seat));
    }
  }

  Spot place_of_piece(const Carried& piece) const {
    if (is_drawn() && piece.jump) {
      const Jump jump{.from = piece.from, .to = piece.to};
      const ArtPlace place = memory_.jumps(board_).along(jump, scene_.slide->part, art_shape_);
      return {.column = grid_column_ + place.column - 0.5, .row = grid_row_ + place.row - 0.5};
    }
    return on_screen(
        between(place_of_cell(piece.from), place_of_cell(piece.to), scene_.slide->part));
  }

  /// Draws a piece's way in dots, unless the drawn jump shows it already.
  void draw_trail(const Carried& piece) {
    if (is_drawn() && piece.jump) return;
    const Style style = piece.jump ? Style{.colour = colour_of(*piece.jump), .bold = true}
                                   : piece_style(piece.seat);
    const Spot begin = on_screen(place_of_cell(piece.from));
    const Spot end = on_screen(place_of_cell(piece.to));
    const int points = static_cast<int>(
        std::max(std::abs(end.column - begin.column) / 2, std::abs(end.row - begin.row)));
    for (int i = 0; i <= points; ++i)
      put_at(between(begin, end, points == 0 ? 0 : static_cast<double>(i) / points),
             sign(Sign::trail), style);
  }

  void put_at(Spot spot, std::string_view text, Style style) {
    const auto column = static_cast<int>(std::lround(spot.column));
    const auto row = static_cast<int>(std::lround(spot.row));
    if (is_on_board(column, row) && is_on_board(column + display_width(text) - 1, row))
      frame_.put(column, row, text, style);
  }

  std::string_view sign(Sign sign) const { return glyph(sign, signs_); }

  Frame& frame_;
  const Area& area_;
  const BoardShape& board_shape_;
  const GridShape& shape_;
  int grid_column_;  // the screen's column where the grid begins
  int grid_row_;
  const Board& board_;
  const Scene& scene_;
  std::size_t players_;
  Glyphs signs_;
  const BoardGlyphs& glyphs_;
  BoardMemory& memory_;
  ArtShape art_shape_;
  GridWindow window_;
  std::vector<std::vector<Token>> marks_;  // by cell, where jumps have letters
};

/// The shape for drawn jumps, if there is room: cells of at least this pitch, and at most the
/// largest one. A cell is a little wider than high.
std::optional<BoardShape> drawn_shape(const Board& board, Size room) {
  constexpr Size least_room{.columns = 72, .rows = 26};
  constexpr Size least{.columns = 9, .rows = 4};
  constexpr int most_rows = 8;
  if (!is_lettered(board) || room.columns < least_room.columns || room.rows < least_room.rows)
    return std::nullopt;
  const int rows = std::min((room.rows - 1) / board.rows(), most_rows);
  const int columns = std::min((room.columns - 1) / board.width(), rows * 5 / 2);
  if (rows < least.rows || columns < least.columns) return std::nullopt;
  return BoardShape{.grid = {.lines = Lines::framed,
                             .cell = {.columns = columns - 1, .rows = rows - 1},
                             .shown = {.columns = board.width(), .rows = board.rows()}},
                    .jumps = BoardShape::Jumps::drawn};
}

}  // namespace

const Carried* Scene::Slide::of(std::size_t seat) const {
  const auto found = std::ranges::find(pieces, seat, &Carried::seat);
  return found == pieces.end() ? nullptr : &*found;
}

const JumpArt& BoardMemory::jumps(const Board& board) {
  if (!jumps_) jumps_.emplace(board);
  return *jumps_;
}

const std::vector<ArtSpot>& BoardMemory::art(const Board& board, const ArtShape& shape) {
  if (art_shape_ != shape) art_ = jumps(board).drawn(shape);
  art_shape_ = shape;
  return art_;
}

BoardShape shape_for(const Board& board, Size room) {
  const Size all{.columns = board.width(), .rows = board.rows()};
  if (const auto drawn = drawn_shape(board, room)) return *drawn;
  if (is_lettered(board))
    for (GridShape shape : whole_shapes) {
      shape.shown = all;
      if (fits(shape.size(), room)) return {.grid = shape};
    }
  // A part of the board, as large as fits.
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
  // Without lines more of the board is in view, so that a move's end is too.
  room.columns -= 2 * BoardShape::edge_columns;
  BoardShape shape{.grid = part(Lines::dense, 3, room.columns), .is_part = true};
  constexpr int least_rows = 22;
  if (shape.grid.shown.rows == all.rows || room.rows < least_rows) return shape;
  shape.edge_rows = 1;
  room.rows -= 2;
  shape.grid = part(Lines::dense, 3, room.columns);
  return shape;
}

void draw_board_view(Frame& frame, const Area& area, const BoardShape& shape,
                     const BoardPosition& position, const BoardLook& look, BoardMemory& memory) {
  BoardView(frame, area, shape, position, look, memory).draw();
}

// ---- The map

Size map_size(const Board& board, Size room) {
  // A character is about twice as high as it is wide.
  const double sides = 2.0 * board.width() / board.rows();
  const int columns =
      std::min({room.columns, board.width(), static_cast<int>(std::lround(room.rows * sides))});
  const int rows =
      std::min({room.rows, board.rows(), static_cast<int>(std::lround(columns / sides))});
  return {.columns = std::max(columns, 1), .rows = std::max(rows, 1)};
}

void draw_board_map(Frame& frame, const Area& area, const BoardShape& shape,
                    const BoardPosition& position, const GridWindow& window, Glyphs glyphs) {
  const Board& board = position.board;
  const Size size = area.size;
  const auto scaled = [](double at, int from, int to) {
    return std::clamp(static_cast<int>((at + 0.5) * to / from), 0, to - 1);
  };
  const auto column_of = [&](double column) { return scaled(column, board.width(), size.columns); };
  const auto row_of = [&](double row) { return scaled(row, board.rows(), size.rows); };
  const Size shown = shape.grid.shown;
  const int left = column_of(window.left);
  const int right = column_of(window.left + shown.columns - 1);
  const int top = row_of(window.top);
  const int bottom = row_of(window.top + shown.rows - 1);
  for (int row = 0; row < size.rows; ++row)
    for (int column = 0; column < size.columns; ++column) {
      const bool seen = column >= left && column <= right && row >= top && row <= bottom;
      const Sign sign = seen ? Sign::seen : Sign::unseen;
      frame.put(area.column + column, area.row + row, glyph(sign, glyphs), style_of(sign));
    }
  // The moving piece comes last: it covers all others.
  const Seat mover = position.scene.mover.value_or(position.scene.position.next);
  for (std::size_t i = 0; i <= position.players; ++i) {
    const std::size_t seat = i == position.players ? mover : i;
    const Spot spot = seen_at(position.scene.position.cells[seat], board, window.flipped);
    frame.put(area.column + column_of(spot.column), area.row + row_of(spot.row), piece_digit(seat),
              seat == mover ? moving_piece_style(seat) : piece_style(seat));
  }
}

}  // namespace snl::cli
