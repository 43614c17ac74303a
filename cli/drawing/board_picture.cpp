#include "board_picture.hpp"

#include "domain/narration.hpp"
#include "domain/wording.hpp"
#include "jump_letters.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace snl::cli {
namespace {

// ---- Styled text

enum class Style : std::uint8_t {
  plain,
  faint,
  strong,
  snake,
  ladder,
  moved,
  taken_snake,
  taken_ladder
};

/// The parameters of the SGR sequence that turns a style on (ECMA-48, 8.3.117).
std::string_view sgr(Style style) {
  constexpr std::array<std::string_view, 8> parameters{"",   "2",   "1",      "31",
                                                       "32", "1;7", "1;7;31", "1;7;32"};
  return parameters[static_cast<std::size_t>(style)];
}

/// A piece of text that is drawn in one style.
struct Span {
  std::string text;
  Style style = Style::plain;
};

/// One line of a drawing, without its end.
class Line {
 public:
  Line() = default;
  explicit Line(std::string_view text, Style style = Style::plain) { add(text, style); }

  Line& add(std::string_view text, Style style = Style::plain) {
    width_ += display_width(text);
    if (spans_.empty() || spans_.back().style != style) spans_.push_back({"", style});
    spans_.back().text += text;
    return *this;
  }
  Line& add(const Line& line) {
    for (const Span& span : line.spans_)
      add(span.text, span.style);
    return *this;
  }
  Line& blanks(int columns) {
    return columns > 0 ? add(std::string(static_cast<std::size_t>(columns), ' ')) : *this;
  }
  Line& padded(int columns) { return blanks(columns - width_); }

  int width() const { return width_; }

  /// At most `columns` of it.
  Line cut(int columns, std::string_view mark) const {
    if (width_ <= columns) return *this;
    Line line;
    for (const Span& span : spans_) {
      const int room = columns - line.width_;
      line.add(shortened(span.text, room, mark), span.style);
      if (display_width(span.text) >= room) break;
    }
    return line;
  }

  std::string in_monochrome() const {
    std::string text;
    for (const Span& span : spans_)
      text += span.text;
    return text;
  }
  std::string in_colour() const {
    std::string text;
    for (const auto& [words, style] : spans_)
      text += style == Style::plain ? words : fmt::format("\x1b[{}m{}\x1b[0m", sgr(style), words);
    return text;
  }

 private:
  std::vector<Span> spans_;
  int width_ = 0;
};

using Block = std::vector<Line>;

int width_of(const Block& block) {
  int width = 0;
  for (const Line& line : block)
    width = std::max(width, line.width());
  return width;
}

void append(Block& block, Block more) {
  std::ranges::move(more, std::back_inserter(block));
}

/// One above the other, with a blank line between.
Block stacked(Block upper, Block lower) {
  if (!upper.empty() && !lower.empty()) upper.emplace_back();
  append(upper, std::move(lower));
  return upper;
}

constexpr int gap_columns = 2;  // between blocks that stand side by side

/// Side by side; `right` is no higher than `left`.
Block beside(Block left, const Block& right) {
  const int margin = width_of(left) + gap_columns;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (right[i].width() > 0) left[i].padded(margin).add(right[i]);
  return left;
}

// ---- Glyphs

struct Frame {
  Joints joints;
  std::string_view across;
  std::string_view upright;
  int outer_columns;  // of the uprights at the board's left and right
};

constexpr Frame box_frame{box_joints, "─", "│", 1};
constexpr Frame ascii_frame{ascii_joints, "-", "|", 1};
/// Nothing but the space between cells, for boards that have no room for lines.
constexpr Frame open_frame{
    {" ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " "}, " ", " ", 0};

struct GlyphSet {
  const Frame& frame;
  std::string_view start_of_ladder;
  std::string_view end_of_ladder;
  std::string_view start_of_snake;
  std::string_view end_of_snake;
  std::string_view arrow;
  std::string_view next;
  std::string_view winner;
  std::string_view cut;
  Glyphs narration;
};

constexpr GlyphSet unicode_glyphs{box_frame, "↑", "=", "↓", "~",
                                  "→",       "▸", "★", "…", Glyphs::unicode};
constexpr GlyphSet ascii_glyphs{ascii_frame, "^", "=", "v", "~",
                                "->",        ">", "*", "~", Glyphs::ascii};

// ---- Jumps

Style style_of(JumpKind kind) {
  return kind == JumpKind::snake ? Style::snake : Style::ladder;
}

int digits(std::int64_t number) {
  return static_cast<int>(std::to_string(number).size());
}

/// "A ladder  3 → 22", one for each jump, aligned with one another.
Block listed(const std::vector<LetteredJump>& jumps, const GlyphSet& glyphs) {
  int letters = 0;
  Cell from = 0;
  Cell to = 0;
  for (const auto& [jump, kind, letter] : jumps) {
    letters = std::max(letters, static_cast<int>(letter.size()));
    from = std::max(from, jump.from);
    to = std::max(to, jump.to);
  }
  Block lines;
  for (const auto& [jump, kind, letter] : jumps) {
    Line& line = lines.emplace_back();
    if (letters > 0) line.add(fmt::format("{:<{}}", letter, letters), Style::strong).add(" ");
    line.add(fmt::format("{:<6}", to_string(kind)), style_of(kind));
    line.add(fmt::format(" {:>{}} {} {:>{}}", jump.from, digits(from), glyphs.arrow, jump.to,
                         digits(to)));
  }
  return lines;
}

/// The lines of a list in as many columns as there is room for, each read downwards.
Block in_columns(const Block& list, int columns) {
  constexpr int gap = 3;
  if (list.empty()) return {};
  const int width = width_of(list) + gap;
  const auto across = static_cast<std::size_t>(std::max(1, (columns + gap) / width));
  Block rows((list.size() + across - 1) / across);
  for (std::size_t i = 0; i < list.size(); ++i)
    rows[i % rows.size()].padded(static_cast<int>(i / rows.size()) * width).add(list[i]);
  return rows;
}

// ---- Players

/// What the picture shows, made safe for a terminal.
struct Scene {
  const Board& board;
  const Picture& picture;
  const GlyphSet& glyphs;
  std::vector<std::string> players;
  int columns;

  Scene(const Board& shown_board, const Picture& shown)
      : board(shown_board),
        picture(shown),
        glyphs(shown.unicode ? unicode_glyphs : ascii_glyphs),
        columns(std::max(1, shown.columns)) {
    for (const std::string& player : shown.players)
      players.push_back(printable(player));
    players.resize(std::min(players.size(), max_players));
  }
};

Block wrapped_lines(const Scene& scene, const std::string& text, int indent) {
  Block lines;
  for (const std::string& line : wrapped(text, scene.columns, indent, scene.glyphs.cut))
    lines.emplace_back(line);
  return lines;
}

/// 1 to 9, and 0 for the tenth.
std::string digit_of(std::size_t seat) {
  return std::to_string((seat + 1) % 10);
}

/// "▸2  38  Ann": whether the player is to move or has won, the piece, the cell, the name. The name
/// comes last, so that one whose width a terminal sees otherwise puts nothing else out of line.
Line player_line(const Scene& scene, const Position& position, std::size_t seat) {
  const bool won = position.winner == seat;
  const bool next = !position.winner && position.next == seat;
  const std::string_view mark = won ? scene.glyphs.winner : next ? scene.glyphs.next : " ";
  const Style style = won || next ? Style::strong : Style::plain;
  Line line(mark, style);
  line.add(digit_of(seat), Style::strong);
  line.add(fmt::format(" {:>{}}  ", position.cells[seat], digits(scene.board.cells())), style);
  return line.add(scene.players[seat], style);
}

Block player_lines(const Scene& scene) {
  Block lines;
  if (scene.picture.position)
    for (std::size_t seat = 0; seat < scene.players.size(); ++seat)
      lines.push_back(player_line(scene, *scene.picture.position, seat));
  return lines;
}

/// "last: 7. Ann rolls 3: 1 → 4", with the name cut short rather than the move.
Block last_move_lines(const Scene& scene) {
  if (!scene.picture.last_move || scene.picture.last_move->seat >= scene.players.size()) return {};
  const TurnPlayed& turn = *scene.picture.last_move;
  const auto told = [&](const std::string& name) {
    std::vector<std::string> names(turn.seat + std::size_t{1});
    names.back() = name;
    return "last: " + narrate(turn, names, scene.glyphs.narration);
  };
  constexpr int least_name_columns = 8;
  const int room = std::max(least_name_columns, scene.columns - display_width(told("")));
  const std::string text = told(shortened(scene.players[turn.seat], room, scene.glyphs.cut));
  return wrapped_lines(scene, text, 6);
}

// ---- What stands on a cell

/// Text that is never broken.
struct Token {
  std::string text;
  Style style;
  int gap;  // blanks before it, unless it begins a line
};

/// The tokens in lines of at most `columns`.
Block flowed(const std::vector<Token>& tokens, int columns) {
  Block lines;
  for (const Token& token : tokens) {
    const int width = display_width(token.text);
    if (lines.empty() || lines.back().width() + token.gap + width > columns)
      lines.emplace_back();
    else
      lines.back().blanks(token.gap);
    lines.back().add(token.text, token.style);
  }
  return lines;
}

/// The pieces on a cell, and the trace of the piece that left it last.
std::vector<Token> pieces_on(Cell cell, const Scene& scene) {
  std::vector<Token> tokens;
  if (!scene.picture.position) return tokens;
  const std::optional<TurnPlayed>& last = scene.picture.last_move;
  if (last && last->from == cell && last->to != cell) tokens.push_back({"[ ]", Style::moved, 0});
  for (std::size_t seat = 0; seat < scene.players.size(); ++seat) {
    if (scene.picture.position->cells[seat] != cell) continue;
    const bool moved = last && last->seat == seat && last->to == cell;
    tokens.push_back(moved ? Token{"[" + digit_of(seat) + "]", Style::moved, 0}
                           : Token{digit_of(seat), Style::strong, 0});
  }
  return tokens;
}

/// The letters of every jump, at the cells where it starts and ends.
class Marks {
 public:
  Marks(const std::vector<LetteredJump>& jumps, const Scene& scene)
      : by_cell_(static_cast<std::size_t>(scene.board.cells()) + 1) {
    for (const auto& [jump, kind, letters] : jumps) {
      const bool snake = kind == JumpKind::snake;
      const GlyphSet& glyphs = scene.glyphs;
      const Style style = style_at(jump, kind, scene.picture.last_move);
      add(jump.from, letters, snake ? glyphs.start_of_snake : glyphs.start_of_ladder, style);
      add(jump.to, letters, snake ? glyphs.end_of_snake : glyphs.end_of_ladder, style);
    }
  }

  std::span<const Token> on(Cell cell) const { return by_cell_[static_cast<std::size_t>(cell)]; }

 private:
  static Style style_at(Jump jump, JumpKind kind, const std::optional<TurnPlayed>& last) {
    const bool taken = last && last->landed == jump.from && last->to == jump.to;
    if (!taken) return style_of(kind);
    return kind == JumpKind::snake ? Style::taken_snake : Style::taken_ladder;
  }
  void add(Cell cell, std::string letters, std::string_view end, Style style) {
    by_cell_[static_cast<std::size_t>(cell)].push_back({letters.append(end), style, 1});
  }

  std::vector<std::vector<Token>> by_cell_;
};

// ---- The grid

/// How a board is drawn that fits.
struct Shape {
  const Frame& frame;
  int cell_columns;  // inside the frame; 3 hold a number, two letters with their mark, or [1]
};

/// The roomiest shape for the columns; none if there is none.
std::optional<Shape> shape_for(const Scene& scene) {
  if (scene.board.cells() > most_drawn_cells) return std::nullopt;
  const int across = scene.board.width();
  for (const int cell_columns : {5, 4, 3})
    if (across * (cell_columns + 1) + 1 <= scene.columns)
      return Shape{scene.glyphs.frame, cell_columns};
  if (across * 4 - 1 <= scene.columns) return Shape{open_frame, 3};
  return std::nullopt;
}

/// Rows count from the bottom, as in Place.
class Grid {
 public:
  Grid(const Scene& scene, const Shape& shape, const Marks& marks)
      : scene_(scene), frame_(shape.frame), cell_columns_(shape.cell_columns), marks_(marks) {}

  /// All as wide as one another.
  Block lines() const {
    Block lines;
    for (int row = scene_.board.rows() - 1; row >= 0; --row)
      append(lines, lines_of(row));
    if (frame_.outer_columns > 0) lines.push_back(rule_under(0));
    return lines;
  }

 private:
  /// What a cell shows: a heading in the rule above it, lines below.
  struct CellText {
    Line heading;
    Block body;
  };

  bool holds(int row, int column) const {
    return row >= 0 && row < scene_.board.rows() && column >= 0 && column < scene_.board.width() &&
           cell_at({row, column}, scene_.board.width()) <= scene_.board.cells();
  }

  CellText text_of(int row, int column) const {
    if (!holds(row, column)) return {};
    const Cell cell = cell_at({row, column}, scene_.board.width());
    CellText text;
    text.heading.add(std::to_string(cell), number_style(cell));
    std::vector<Token> tokens = pieces_on(cell, scene_);
    bool room = true;  // in the heading
    for (const Token& mark : marks_.on(cell)) {
      room = room && text.heading.width() + 1 + display_width(mark.text) <= cell_columns_;
      if (room)
        text.heading.blanks(1).add(mark.text, mark.style);
      else
        tokens.push_back(mark);
    }
    text.body = flowed(tokens, cell_columns_);
    return text;
  }

  Style number_style(Cell cell) const {
    const std::optional<TurnPlayed>& last = scene_.picture.last_move;
    const bool touched =
        scene_.picture.position && last && (last->from == cell || last->to == cell);
    return touched ? Style::moved : Style::plain;
  }

  /// The rule above a row, with the headings of its cells in it, and the lines of their bodies.
  Block lines_of(int row) const {
    std::vector<CellText> texts;
    std::size_t height = 1;
    for (int column = 0; column < scene_.board.width(); ++column) {
      texts.push_back(text_of(row, column));
      height = std::max(height, texts.back().body.size());
    }
    Block lines{rule(row + 1, row, texts)};
    for (std::size_t i = 0; i < height; ++i)
      lines.push_back(body_line(row, i, texts));
    return lines;
  }

  Line rule_under(int row) const {
    return rule(row, row - 1,
                std::vector<CellText>(static_cast<std::size_t>(scene_.board.width())));
  }

  /// The rule between two rows, either of which may be beyond the board.
  Line rule(int upper, int lower, const std::vector<CellText>& texts) const {
    Line line;
    for (int column = 0; column < scene_.board.width(); ++column) {
      add_upright(line, column, joint(upper, lower, column));
      line.add(texts[static_cast<std::size_t>(column)].heading);
      const bool drawn = holds(upper, column) || holds(lower, column);
      while (line.width() < end_of(column))
        line.add(drawn ? frame_.across : " ", Style::faint);
    }
    add_upright(line, scene_.board.width(), joint(upper, lower, scene_.board.width()));
    return line;
  }

  /// Line `index` of the bodies, each in the middle of its cell.
  Line body_line(int row, std::size_t index, const std::vector<CellText>& texts) const {
    const auto upright = [&](int column) {
      return holds(row, column - 1) || holds(row, column) ? frame_.upright : " ";
    };
    Line line;
    for (int column = 0; column < scene_.board.width(); ++column) {
      add_upright(line, column, upright(column));
      const Block& body = texts[static_cast<std::size_t>(column)].body;
      if (index < body.size())
        line.blanks((cell_columns_ - body[index].width()) / 2).add(body[index]);
      line.padded(end_of(column));
    }
    add_upright(line, scene_.board.width(), upright(scene_.board.width()));
    return line;
  }

  /// What stands left of `column`, or at the end of the line.
  void add_upright(Line& line, int column, std::string_view glyph) const {
    const bool outer = column == 0 || column == scene_.board.width();
    if (!outer || frame_.outer_columns > 0) line.add(glyph, Style::faint);
  }

  /// Where a cell in this column ends, in columns of the terminal.
  int end_of(int column) const {
    return frame_.outer_columns + (column + 1) * (cell_columns_ + 1) - 1;
  }

  std::string_view joint(int upper, int lower, int column) const {
    const bool upper_left = holds(upper, column - 1);
    const bool upper_right = holds(upper, column);
    const bool lower_left = holds(lower, column - 1);
    const bool lower_right = holds(lower, column);
    return frame_.joints[(upper_left || upper_right ? line_up : 0) +
                         (lower_left || lower_right ? line_down : 0) +
                         (upper_left || lower_left ? line_left : 0) +
                         (upper_right || lower_right ? line_right : 0)];
  }

  const Scene& scene_;
  const Frame& frame_;
  int cell_columns_;
  const Marks& marks_;
};

// ---- The whole

/// "start: [ ] 2 3", the pieces that are still off the board, and the place of one that left it
/// last; no line if there are none.
Block start_line(const Scene& scene) {
  const std::vector<Token> pieces = pieces_on(0, scene);
  if (pieces.empty()) return {};
  Line line("start:");
  for (const Token& piece : pieces)
    line.blanks(1).add(piece.text, piece.style);
  return {line};
}

/// The players beside the board where there is room, else below it; the jumps beside it too, else
/// above it: they matter least, and are the first to leave a terminal that isn't high enough.
Block drawing(const Scene& scene, const Shape& shape) {
  const std::vector<LetteredJump> jumps = lettered_jumps(scene.board);
  const Block list = listed(jumps, scene.glyphs);
  Block board = Grid(scene, shape, Marks(jumps, scene)).lines();
  const int room = scene.columns - width_of(board) - gap_columns;
  const auto fits = [&](const Block& block) {
    return block.size() <= board.size() && width_of(block) <= room;
  };

  Block side;
  Block below = player_lines(scene);
  if (fits(below)) std::swap(side, below);
  Block above = in_columns(list, scene.columns);
  if (Block both = stacked(side, in_columns(list, room)); fits(both)) {
    side = std::move(both);
    above.clear();
  }

  Block lines = stacked(std::move(above), beside(std::move(board), side));
  append(lines, start_line(scene));
  append(lines, std::move(below));
  append(lines, last_move_lines(scene));
  return lines;
}

/// "      ahead: ladder 40 → 80, snake 45 → 3"
Block jumps_ahead(const Scene& scene, Cell cell) {
  constexpr std::size_t most = 3;
  std::string text;
  for (const auto& [jump, kind, letters] : jumps_beyond(scene.board, cell, most))
    text += fmt::format("{}{} {} {} {}", text.empty() ? "ahead: " : ", ", to_string(kind),
                        jump.from, scene.glyphs.arrow, jump.to);
  if (text.empty()) return {};
  const int indent = digits(scene.board.cells()) + 5;  // as far as the players' names
  return wrapped_lines(scene, std::string(static_cast<std::size_t>(indent), ' ') + text, indent);
}

/// The board alone, in words: its first jumps.
Block first_jumps(const Scene& scene) {
  constexpr std::size_t most = 40;
  const Board& board = scene.board;
  const std::size_t all = board.snakes().size() + board.ladders().size();
  Block lines = in_columns(listed(jumps_beyond(board, 0, most), scene.glyphs), scene.columns);
  if (all > most) lines.emplace_back(fmt::format("and {} more", all - most));
  return lines;
}

/// In words.
Block description(const Scene& scene) {
  const Board& board = scene.board;
  Block lines = wrapped_lines(
      scene,
      fmt::format("The board is too large to draw here: {} cells in rows of {}, {}, {}.",
                  board.cells(), board.width(), counted(std::ssize(board.snakes()), "snake"),
                  counted(std::ssize(board.ladders()), "ladder")),
      0);
  if (!scene.picture.position) {
    append(lines, first_jumps(scene));
    return lines;
  }
  for (std::size_t seat = 0; seat < scene.players.size(); ++seat) {
    lines.push_back(player_line(scene, *scene.picture.position, seat));
    append(lines, jumps_ahead(scene, scene.picture.position->cells[seat]));
  }
  append(lines, last_move_lines(scene));
  return lines;
}

}  // namespace

std::string draw_board(const Board& board, const Picture& picture) {
  const Scene scene(board, picture);
  const std::optional<Shape> shape = shape_for(scene);
  std::string text;
  for (const Line& line : shape ? drawing(scene, *shape) : description(scene)) {
    const Line visible = line.cut(scene.columns, scene.glyphs.cut);
    text += picture.colour ? visible.in_colour() : visible.in_monochrome();
    text += '\n';
  }
  return text;
}

}  // namespace snl::cli
