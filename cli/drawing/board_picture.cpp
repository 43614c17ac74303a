#include "board_picture.hpp"

#include "board_view.hpp"
#include "domain/narration.hpp"
#include "domain/wording.hpp"
#include "frame.hpp"
#include "jump_letters.hpp"
#include "pieces.hpp"
#include "terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace snl::cli {
namespace {

// ---- Styled text

constexpr Style plain{};
constexpr Style strong{.bold = true};

struct Span {
  std::string text;
  Style style = plain;
};

/// One line of a drawing, without its end.
class Line {
 public:
  Line() = default;
  explicit Line(std::string_view text, Style style = plain) { add(text, style); }

  Line& add(std::string_view text, Style style = plain) {
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

  /// The line, cut to `columns`.
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
      text +=
          style == plain ? words : fmt::format("\x1b[{}m{}\x1b[0m", sgr_parameters(style), words);
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

/// Both blocks, one above the other, with a blank line between.
Block stacked(Block upper, Block lower) {
  if (!upper.empty() && !lower.empty()) upper.emplace_back();
  append(upper, std::move(lower));
  return upper;
}

constexpr int gap_columns = 2;  // between blocks side by side

/// Both blocks side by side; `right` is no higher than `left`.
Block beside(Block left, const Block& right) {
  const int margin = width_of(left) + gap_columns;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (right[i].width() > 0) left[i].padded(margin).add(right[i]);
  return left;
}

// ---- Glyphs

struct PictureGlyphs {
  std::string_view arrow;
  std::string_view next;
  std::string_view winner;
  std::string_view cut;
};

constexpr PictureGlyphs unicode_picture_glyphs{"→", "▸", "★", "…"};
constexpr PictureGlyphs ascii_picture_glyphs{"->", ">", "*", "~"};

// ---- Jumps

Style style_of(JumpKind kind) {
  return {.colour = colour_of(kind)};
}

/// "A ladder  3 → 22", one line for each jump, in aligned columns.
Block listed(const std::vector<LetteredJump>& jumps, const PictureGlyphs& glyphs) {
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
    if (letters > 0) line.add(fmt::format("{:<{}}", letter, letters), strong).add(" ");
    line.add(fmt::format("{:<6}", to_string(kind)), style_of(kind));
    line.add(fmt::format(" {:>{}} {} {:>{}}", jump.from, number_width(from), glyphs.arrow, jump.to,
                         number_width(to)));
  }
  return lines;
}

/// "z2 skip,2   at 30", one line for each power.
Block listed(std::span<const PowerCell> powers) {
  Block lines;
  for (const auto& [cell, power] : powers) {
    Line& line = lines.emplace_back();
    line.add(fmt::format("{:<2}", power_mark(power)), strong);
    line.add(fmt::format(" {:<8} at {}", to_string(power), cell));
  }
  return lines;
}

/// The lines of a list in as many columns as fit. Each column is read downwards.
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

/// The picture's data, made safe for a terminal.
struct Shown {
  const Board& board;
  const Picture& picture;
  const PictureGlyphs& glyphs;
  std::vector<std::string> players;
  int columns;

  Shown(const Board& shown_board, const Picture& shown)
      : board(shown_board),
        picture(shown),
        glyphs(shown.glyphs == Glyphs::unicode ? unicode_picture_glyphs : ascii_picture_glyphs),
        columns(std::max(1, shown.columns)) {
    for (const std::string& player : shown.players)
      players.push_back(printable(player));
    players.resize(std::min(players.size(), max_players));
  }
};

Block wrapped_lines(const Shown& scene, const std::string& text, int indent) {
  Block lines;
  for (const std::string& line : wrapped(text, scene.columns, indent, scene.glyphs.cut))
    lines.emplace_back(line);
  return lines;
}

/// "▸2  38  Ann": whether the player is to move or has won, the piece, the cell, the name. The name
/// comes last: if a terminal counts its width differently, nothing else shifts.
Line player_line(const Shown& scene, const Position& position, std::size_t seat) {
  const bool won = position.winner == seat;
  const bool next = !position.winner && position.next == seat;
  const std::string_view mark = won ? scene.glyphs.winner : next ? scene.glyphs.next : " ";
  const Style style = won || next ? strong : plain;
  Line line(mark, style);
  line.add(piece_digit(seat), strong);
  line.add(fmt::format(" {:>{}}  ", position.cells[seat], number_width(scene.board.cells())),
           style);
  return line.add(scene.players[seat] + with_tallies(position, seat), style);
}

Block player_lines(const Shown& scene) {
  Block lines;
  if (scene.picture.position)
    for (std::size_t seat = 0; seat < scene.players.size(); ++seat)
      lines.push_back(player_line(scene, *scene.picture.position, seat));
  return lines;
}

/// "last: 7. Ann rolls 3: 1 → 4"; where room is short, the name is cut and not the move.
Block last_move_lines(const Shown& scene) {
  if (!scene.picture.last_move || scene.picture.last_move->seat >= scene.players.size()) return {};
  const TurnPlayed& turn = *scene.picture.last_move;
  const auto sentence = [&](const std::string& name) {
    std::vector<std::string> names = scene.players;
    names[turn.seat] = name;
    return "last: " + narrate(turn, names, scene.picture.glyphs);
  };
  constexpr int least_name_columns = 8;
  const int room = std::max(least_name_columns, scene.columns - display_width(sentence("")));
  const std::string text = sentence(shortened(scene.players[turn.seat], room, scene.glyphs.cut));
  return wrapped_lines(scene, text, 6);
}

// ---- The board

/// A shape with all rows, even on a low terminal; else a part of the board. None if nothing fits.
std::optional<BoardShape> shape_of_board(const Shown& scene) {
  constexpr int rows_besides = 3;
  const Size room{.columns = scene.columns, .rows = std::max(1, scene.picture.rows - rows_besides)};
  const Size high{.columns = room.columns, .rows = std::max(room.rows, 2 * scene.board.rows() + 1)};
  BoardShape shape = shape_for(scene.board, high);
  if (shape.is_part) shape = shape_for(scene.board, room);
  return shape.size().columns <= room.columns ? std::optional(shape) : std::nullopt;
}

/// A frame's rows, with the styles of visible characters.
Block lines_of(const Frame& frame) {
  Block lines;
  for (int row = 0; row < frame.size().rows; ++row) {
    Line& line = lines.emplace_back();
    for (int column = 0; column < frame.size().columns; ++column) {
      const Frame::Spot& spot = frame.at(column, row);
      const bool is_unseen = spot.text == " " && !spot.style.reverse && spot.style.paper == 0;
      line.add(spot.text, is_unseen ? plain : spot.style);
    }
  }
  return lines;
}

/// The board's lines, all equally wide.
Block board_lines(const Shown& scene, const BoardShape& shape) {
  Scene still{.position = scene.picture.position.value_or(Position{})};
  if (scene.picture.last_move) still.mover = scene.picture.last_move->seat;
  Frame frame(shape.size());
  BoardMemory memory;
  draw_board_view(frame, {.size = shape.size()}, shape,
                  {.board = scene.board,
                   .scene = still,
                   .players = scene.picture.position ? scene.players.size() : 0},
                  {.glyphs = scene.picture.glyphs}, memory);
  return lines_of(frame);
}

// ---- The whole

/// "start: 2 3", the pieces still off the board; no line if there are none.
Block start_line(const Shown& scene) {
  Line line("start:");
  if (scene.picture.position)
    for (std::size_t seat = 0; seat < scene.players.size(); ++seat)
      if (scene.picture.position->cells[seat] == 0) line.add(" ").add(piece_digit(seat), strong);
  return line.width() > display_width("start:") ? Block{line} : Block{};
}

/// The players go beside the board where there is room, else below it. The jumps go beside it too,
/// else above: they matter least, so they are the first to scroll off a terminal that is too low.
Block drawing(const Shown& scene, const BoardShape& shape) {
  Block list = listed(lettered_jumps(scene.board), scene.glyphs);
  if (scene.board.cells() <= most_drawn_cells) append(list, listed(scene.board.powers()));
  Block board = board_lines(scene, shape);
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
Block jumps_ahead(const Shown& scene, Cell cell) {
  constexpr std::size_t most = 3;
  std::string text;
  for (const auto& [jump, kind, letters] : jumps_beyond(scene.board, cell, most))
    text += fmt::format("{}{} {} {} {}", text.empty() ? "ahead: " : ", ", to_string(kind),
                        jump.from, scene.glyphs.arrow, jump.to);
  if (text.empty()) return {};
  const int indent = number_width(scene.board.cells()) + 5;  // as far as the players' names
  return wrapped_lines(scene, std::string(static_cast<std::size_t>(indent), ' ') + text, indent);
}

Block first_jumps(const Shown& scene) {
  constexpr std::size_t most = 40;
  const Board& board = scene.board;
  const std::size_t all = board.snakes().size() + board.ladders().size();
  Block lines = in_columns(listed(jumps_beyond(board, 0, most), scene.glyphs), scene.columns);
  if (all > most) lines.emplace_back(fmt::format("and {} more", all - most));
  return lines;
}

/// A board that isn't drawn whole: a description in words, and the part where the last move was.
Block description(const Shown& scene, const std::optional<BoardShape>& shape) {
  const Board& board = scene.board;
  Block lines = wrapped_lines(
      scene,
      fmt::format("The board is too large to draw whole here: {} cells in rows of {}, {}.",
                  board.cells(), board.width(), contents_of(board)),
      0);
  if (!scene.picture.position) {
    append(lines, first_jumps(scene));
    return lines;
  }
  if (shape) append(lines, board_lines(scene, *shape));
  for (std::size_t seat = 0; seat < scene.players.size(); ++seat) {
    lines.push_back(player_line(scene, *scene.picture.position, seat));
    append(lines, jumps_ahead(scene, scene.picture.position->cells[seat]));
  }
  append(lines, last_move_lines(scene));
  return lines;
}

}  // namespace

std::string draw_board(const Board& board, const Picture& picture) {
  const Shown scene(board, picture);
  const std::optional<BoardShape> shape = shape_of_board(scene);
  const bool is_whole = shape && !shape->is_part;
  std::string text;
  for (const Line& line : is_whole ? drawing(scene, *shape) : description(scene, shape)) {
    const Line visible = line.cut(scene.columns, scene.glyphs.cut);
    text += picture.colour ? visible.in_colour() : visible.in_monochrome();
    text += '\n';
  }
  return text;
}

}  // namespace snl::cli
