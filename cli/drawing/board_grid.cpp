#include "board_grid.hpp"

#include "terminal_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace snl::cli {
namespace {

constexpr Style line_style{.faint = true};

}  // namespace

BoardGrid::BoardGrid(const Board& board, const GridShape& shape, const GridWindow& window,
                     const std::function<CellText(Cell)>& text_of, const GridLines& lines)
    : shape_(shape), lines_(lines) {
  for (int row = 0; row < shape_.shown.rows; ++row)
    for (int column = 0; column < shape_.shown.columns; ++column) {
      const auto cell = cell_seen_at(board, window.flipped, window.left + column, window.top + row);
      texts_.push_back(cell ? std::optional(text_of(*cell)) : std::nullopt);
    }
}

void BoardGrid::draw(Frame& frame, int column, int row) const {
  int y = row;
  for (int i = 0; i < shape_.shown.rows; ++i) {
    if (has_rules()) draw_rule(frame, column, y++, i);
    draw_lines(frame, column, y, i);
    y += shape_.cell.rows;
  }
  if (has_frame()) draw_rule(frame, column, y, shape_.shown.rows);
}

bool BoardGrid::has_cell(int column, int row) const {
  return column >= 0 && column < shape_.shown.columns && row >= 0 && row < shape_.shown.rows &&
         text_at(column, row).has_value();
}

const std::optional<CellText>& BoardGrid::text_at(int column, int row) const {
  return texts_[static_cast<std::size_t>(row) * static_cast<std::size_t>(shape_.shown.columns) +
                static_cast<std::size_t>(column)];
}

/// Draws the line above a row, with the headings in it. Either side of it may be beyond the board.
void BoardGrid::draw_rule(Frame& frame, int x, int y, int row) const {
  for (int column = 0; column < shape_.shown.columns; ++column) {
    if (has_frame())
      frame.put(x + column * shape_.pitch().columns, y, joint(column, row), line_style);
    draw_heading(frame, x + shape_.margin().columns + column * shape_.pitch().columns, y, column,
                 row);
  }
  if (has_frame())
    frame.put(x + shape_.shown.columns * shape_.pitch().columns, y,
              joint(shape_.shown.columns, row), line_style);
}

void BoardGrid::draw_heading(Frame& frame, int x, int y, int column, int row) const {
  const int end = x + shape_.cell.columns;
  int at = x;
  if (has_cell(column, row))
    for (const Token& token : text_at(column, row)->heading) {
      if (at > x)
        for (int i = 0; i < token.gap; ++i)
          at = frame.put(at, y, " ", line_style, end);
      at = frame.put(at, y, token.text, token.style, end);
    }
  if (!has_frame() || !(has_cell(column, row - 1) || has_cell(column, row))) return;
  for (; at < end; ++at)
    frame.put(at, y, lines_.across, line_style);
}

/// Draws the words on a row's cells, and the uprights between them.
void BoardGrid::draw_lines(Frame& frame, int x, int y, int row) const {
  for (int column = 0; column <= shape_.shown.columns; ++column) {
    const int upright = x + column * shape_.pitch().columns;
    if (has_frame() && (has_cell(column - 1, row) || has_cell(column, row)))
      for (int i = 0; i < shape_.cell.rows; ++i)
        frame.put(upright, y + i, lines_.upright, line_style);
    if (!has_cell(column, row)) continue;
    int line = y;
    for (const CellText::Line& text : text_at(column, row)->lines)
      draw_line(frame, upright + shape_.margin().columns, line++, text);
  }
}

void BoardGrid::draw_line(Frame& frame, int x, int y, const CellText::Line& line) const {
  const int end = x + shape_.cell.columns;
  const int spare = std::max(0, shape_.cell.columns - width_of(line.tokens));
  const int begin = x + (shape_.align == GridShape::Align::centre ? spare / 2 : 0);
  int at = begin;
  for (const Token& token : line.tokens) {
    if (at > begin) at += token.gap;
    at = frame.put(at, y, token.text, token.style, end);
  }
  // A "+" never replaces a closing bracket.
  if (line.is_cut && frame.at(end - 1, y).text != "]") frame.put(end - 1, y, "+", {.bold = true});
}

std::string_view BoardGrid::joint(int column, int row) const {
  constexpr std::size_t up = 1;
  constexpr std::size_t down = 2;
  constexpr std::size_t left = 4;
  constexpr std::size_t right = 8;
  const bool upper_left = has_cell(column - 1, row - 1);
  const bool upper_right = has_cell(column, row - 1);
  const bool lower_left = has_cell(column - 1, row);
  const bool lower_right = has_cell(column, row);
  return lines_
      .joints[(upper_left || upper_right ? up : 0) + (lower_left || lower_right ? down : 0) +
              (upper_left || lower_left ? left : 0) + (upper_right || lower_right ? right : 0)];
}

std::optional<Cell> cell_seen_at(const Board& board, bool flipped, int column, int row) {
  if (column < 0 || column >= board.width() || row < 0 || row >= board.rows()) return std::nullopt;
  const Place place{.row = flipped ? row : board.rows() - 1 - row, .column = column};
  const Cell cell = cell_at(place, board.width());
  return cell <= board.cells() ? std::optional(cell) : std::nullopt;
}

int width_of(const std::vector<Token>& line) {
  int columns = 0;
  for (const Token& token : line)
    columns += (columns > 0 ? token.gap : 0) + display_width(token.text);
  return columns;
}

std::vector<std::vector<Token>> flowed(const std::vector<Token>& tokens, int columns) {
  std::vector<std::vector<Token>> lines;
  int used = 0;
  for (const Token& token : tokens) {
    const int width = display_width(token.text);
    if (lines.empty() || used + token.gap + width > columns) {
      lines.emplace_back();
      used = width;
    } else {
      used += token.gap + width;
    }
    lines.back().push_back(token);
  }
  return lines;
}

void move_into_heading(CellText& text, std::vector<Token>& marks, int columns) {
  int used = width_of(text.heading);
  const auto left = std::ranges::find_if(marks, [&](const Token& mark) {
    used += mark.gap + display_width(mark.text);
    return used > columns;
  });
  std::move(marks.begin(), left, std::back_inserter(text.heading));
  marks.erase(marks.begin(), left);
}

std::vector<std::vector<Token>> jump_marks(
    const Board& board, const JumpGlyphs& glyphs,
    const std::function<Style(const LetteredJump&)>& style_of) {
  std::vector<std::vector<Token>> marks(static_cast<std::size_t>(board.cells()) + 1);
  for (const LetteredJump& lettered : lettered_jumps(board)) {
    const auto add = [&](Cell cell, std::string_view glyph) {
      marks[static_cast<std::size_t>(cell)].push_back(
          {.text = lettered.letters + std::string(glyph), .style = style_of(lettered), .gap = 1});
    };
    add(lettered.jump.from, glyphs.start_of(lettered.kind));
    add(lettered.jump.to,
        lettered.kind == JumpKind::snake ? glyphs.end_of_snake : glyphs.end_of_ladder);
  }
  for (const auto& [cell, power] : board.powers())
    marks[static_cast<std::size_t>(cell)].push_back(
        {.text = power_mark(power), .style = {.bold = true}, .gap = 1});
  return marks;
}

}  // namespace snl::cli
