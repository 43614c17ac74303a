#include "playback_view.hpp"

#include "chances_graph.hpp"
#include "cli/drawing/board_view.hpp"
#include "cli/drawing/jump_letters.hpp"
#include "cli/drawing/pieces.hpp"
#include "cli/drawing/signs.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "domain/narration.hpp"
#include "domain/turn_dice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

/// Characters that only frame things. Signs with a meaning are in signs.hpp.
struct Ornaments {
  std::string_view times;
  std::string_view left;
  std::string_view right;
  std::string_view up;
  std::string_view down;
  std::string_view dot;
  std::array<std::string_view, 6> box;  // corners from the top left on, across, upright
};
constexpr Ornaments unicode_ornaments{.times = "×",
                                      .left = "←",
                                      .right = "→",
                                      .up = "↑",
                                      .down = "↓",
                                      .dot = "●",
                                      .box = {"╭", "╮", "╰", "╯", "─", "│"}};
constexpr Ornaments ascii_ornaments{.times = "x",
                                    .left = "<-",
                                    .right = "->",
                                    .up = "^",
                                    .down = "v",
                                    .dot = "o",
                                    .box = {"+", "+", "+", "+", "-", "|"}};

constexpr Style faint{.faint = true};
constexpr Style strong{.bold = true};

/// "2×", "1/4×"
std::string speed_text(double speed, const Ornaments& ornaments) {
  if (speed < 1 && std::abs(1 / speed - std::round(1 / speed)) < 1e-9)
    return fmt::format("1/{:g}{}", 1 / speed, ornaments.times);
  return fmt::format("{:.4g}{}", speed, ornaments.times);
}

}  // namespace

class View {
 public:
  View(const Playback& playback, Size size, const Look& look, Viewer& viewer)
      : playback_(playback),
        recording_(playback.recording()),
        board_(recording_.setup().board),
        scene_(playback.scene()),
        look_(look),
        ornaments_(look.glyphs == Glyphs::unicode ? unicode_ornaments : ascii_ornaments),
        cut_(sign(Sign::cut)),
        viewer_(viewer),
        frame_(size) {
    viewer_.panes_.clear();
    for (const std::string& player : recording_.setup().players)
      names_.push_back(printable(player));
  }

  Frame draw() && {
    const Size size = frame_.size();
    if (size.columns < smallest_screen.columns || size.rows < smallest_screen.rows)
      refuse();
    else if (size.columns < least_full_columns || is_whole_only_without_panel())
      draw_compact();
    else
      draw_full();
    return std::move(frame_);
  }

 private:
  void refuse() {
    const std::string text =
        fmt::format("This window is too small: {} columns and {} lines are the least. q leaves.",
                    smallest_screen.columns, smallest_screen.rows);
    int row = 0;
    for (const std::string& line : wrapped(text, frame_.size().columns, 0, cut_))
      frame_.put(0, row++, line);
  }

  // ---- Layouts

  /// The last turn's sentence, the progress, and the keys.
  int footer_rows() const { return look_.key_bar ? 3 : 2; }
  static constexpr int least_name_columns = 8;
  static constexpr int gap = 2;
  static constexpr int least_panel_columns = 17;
  static constexpr int columns_for_map = 3;

  /// The room for the board beside a panel.
  Size room_for_board() const {
    const Size size = frame_.size();
    return {.columns = size.columns - gap - least_panel_columns, .rows = size.rows - footer_rows()};
  }

  bool is_whole_only_without_panel() const {
    const Size size = frame_.size();
    const Size whole_screen{.columns = size.columns, .rows = size.rows - footer_rows() - 1};
    return shape_for(board_, room_for_board()).is_part && !shape_for(board_, whole_screen).is_part;
  }

  void draw_full() {
    const Size size = frame_.size();
    Size room = room_for_board();
    BoardShape shape = shape_for(board_, room);
    if (shape.is_part) {
      // Only a part of the board fits. The panel takes some of its columns, for the map.
      room.columns -= columns_for_map;
      shape = shape_for(board_, room);
    }
    draw_board_in({.column = 0, .row = 0, .size = room}, shape);
    const int column = shape.size().columns + gap;
    draw_panel({.column = column, .row = 0, .size = {size.columns - column, room.rows}}, shape);
    draw_footer(1);
    if (playback_.help_page()) draw_help(*playback_.help_page());
  }

  /// Draws the board above everything else. Parts that don't fit are left out.
  void draw_compact() {
    const Size size = frame_.size();
    const int players = static_cast<int>(names_.size());
    const int sentence_rows = size.columns < least_full_columns ? 2 : 1;
    const int footer = footer_rows() - 1 + sentence_rows;
    const bool all_rows = board_.rows() < size.rows - footer;
    const int least_board_rows = all_rows ? board_.rows() : std::min(board_.rows(), 10);
    const int spare = size.rows - footer - least_board_rows;
    const int listed =
        spare >= players ? players : std::clamp(spare, 1, lines_of_players(size.columns));
    const Size room{.columns = size.columns, .rows = size.rows - footer - listed};
    const BoardShape shape = shape_for(board_, room);
    draw_board_in({.column = 0, .row = 0, .size = room}, shape);
    int row = shape.size().rows;
    row = draw_players({.column = 0, .row = row, .size = {size.columns, listed}});
    const int left = size.rows - footer - row;
    constexpr int least_graph_rows = 4;
    if (playback_.shows_graph() && left > least_graph_rows)
      draw_graph({.column = 0, .row = row, .size = {size.columns, std::min(left, 9)}});
    draw_footer(sentence_rows);
    if (playback_.help_page()) draw_help(*playback_.help_page());
  }

  BoardPosition board_position() const {
    return {.board = board_, .scene = scene_, .players = names_.size()};
  }

  void draw_board_in(const Area& area, const BoardShape& shape) {
    use_.lettered = board_.cells() <= most_drawn_cells;
    use_.drawn = shape.jumps == BoardShape::Jumps::drawn;
    use_.dense = shape.grid.lines == GridShape::Lines::dense;
    use_.window = shape.is_part;
    draw_board_view(frame_, area, shape, board_position(),
                    {.glyphs = look_.glyphs, .flipped = playback_.is_flipped()}, viewer_.memory_);
  }

  std::string_view sign(Sign sign) const { return glyph(sign, look_.glyphs); }
  int put_sign(int column, int row, Sign sign) {
    return frame_.put(column, row, glyph(sign, look_.glyphs), cli::style_of(sign));
  }

  /// Places a pane's shots in an area, so that the mouse finds them there.
  void place(Pane pane, const Area& area, std::size_t first, std::size_t last) {
    viewer_.panes_.push_back({.pane = pane, .area = area, .first = first, .last = last});
  }

  // ---- The panel beside the board

  void draw_panel(const Area& area, const BoardShape& shape) {
    const int end = area.row + area.size.rows;
    const auto rest = [&](int row) {
      return Area{.column = area.column, .row = row, .size = {area.size.columns, end - row}};
    };
    const int players = static_cast<int>(names_.size());
    int row = draw_title(area);
    // The dice, the players, a list of three turns, and a graph, as far as they fit.
    constexpr int least_list_rows = 3;
    constexpr int least_graph_rows = 5;
    constexpr int pips_rows = 5;
    constexpr int boxes_rows = 3;
    constexpr int least_map_rows = 4;
    const int spare = area.size.rows - 1 - players - 1 - least_list_rows -
                      (shape.is_part ? least_map_rows + 1 : 0) -
                      (playback_.shows_graph() ? least_graph_rows + 1 : 0);
    const int dice_rows = spare >= pips_rows + 8 && fits_pips(area.size.columns) ? pips_rows
                          : spare >= boxes_rows                                  ? boxes_rows
                                                                                 : 1;
    row = draw_dice(rest(row), dice_rows);
    row = draw_players(rest(row));
    if (shape.is_part) {
      const int others = least_list_rows + 1 + (playback_.shows_graph() ? least_graph_rows + 1 : 0);
      row = draw_map(rest(row), end - row - others, shape);
    }
    const int left = end - row;
    if (playback_.shows_graph() && left >= least_graph_rows + 1 + least_list_rows) {
      const int rows = std::clamp(left * 2 / 5, least_graph_rows, 12);
      row = draw_graph({.column = area.column, .row = row + 1, .size = {area.size.columns, rows}});
    }
    if (end - row > 1) draw_turns(rest(row + 1));
  }

  /// Draws the map in at most `most` rows, with a blank row above. Returns the row after it.
  int draw_map(const Area& area, int most, const BoardShape& shape) {
    constexpr Size least{.columns = 3, .rows = 3};
    const int room = std::min(most - 1, std::max(least.rows + 1, area.size.rows / 3));
    const Size size = map_size(board_, {.columns = area.size.columns, .rows = room});
    if (room < least.rows || size.columns < least.columns) return area.row;
    use_.map = true;
    draw_board_map(frame_, {.column = area.column, .row = area.row + 1, .size = size}, shape,
                   board_position(), viewer_.memory_.window(), look_.glyphs);
    return area.row + 1 + size.rows;
  }

  int draw_title(const Area& area) {
    std::string title = printable(look_.title);
    if (playback_.settings().mode == Mode::watch) title += " (watching)";
    frame_.put(area.column, area.row, shortened(title, area.size.columns, cut_), strong);
    return area.row + 1;
  }

  bool fits_pips(int columns) const {
    constexpr int die_columns = 10;
    return recording_.setup().rules.faces <= 6 &&
           columns >= die_columns * std::max<int>(2, static_cast<int>(scene_.dice.size()));
  }

  int draw_dice(const Area& area, int rows) {
    int column = area.column;
    if (rows == 1) {
      std::string text;
      for (const std::int32_t value : scene_.dice)
        text += fmt::format("{}{}", text.empty() ? "dice " : "-", value);
      frame_.put(column, area.row, text, strong);
      return area.row + rows;
    }
    for (const std::int32_t value : scene_.dice)
      column = rows == 3 ? draw_numbered_die(column, area, value) : draw_pips(column, area, value);
    return area.row + rows;
  }

  int draw_box(int column, int row, int inner_columns, int inner_rows) {
    const auto& [top_left, top_right, bottom_left, bottom_right, across, upright] = ornaments_.box;
    const auto rule = [&](int at, std::string_view left, std::string_view right) {
      frame_.put(column, at, left);
      for (int i = 1; i <= inner_columns; ++i)
        frame_.put(column + i, at, across);
      frame_.put(column + inner_columns + 1, at, right);
    };
    rule(row, top_left, top_right);
    for (int i = 1; i <= inner_rows; ++i) {
      frame_.put(column, row + i, upright);
      frame_.put(column + inner_columns + 1, row + i, upright);
    }
    rule(row + inner_rows + 1, bottom_left, bottom_right);
    return column + inner_columns + 2;
  }

  int draw_numbered_die(int column, const Area& area, std::int32_t value) {
    const std::string text = fmt::format(" {} ", value);
    const int width = static_cast<int>(text.size());
    const int end = draw_box(column, area.row, width, 1);
    frame_.put(column + 1, area.row + 1, text, strong);
    return end;
  }

  int draw_pips(int column, const Area& area, std::int32_t value) {
    // By value: the pips of nine places, row by row.
    constexpr std::array<std::string_view, 7> pips{
        "         ", "    o    ", "o       o", "o   o   o", "o o   o o", "o o o o o", "o oo oo o"};
    const int end = draw_box(column, area.row, 7, 3);
    const std::string_view places = pips[static_cast<std::size_t>(std::clamp(value, 0, 6))];
    for (int i = 0; i < 9; ++i)
      if (places[static_cast<std::size_t>(i)] == 'o')
        frame_.put(column + 2 + 2 * (i % 3), area.row + 1 + i / 3, ornaments_.dot, strong);
    return end + 1;
  }

  /// "▸2  67  52%  Bob", one line for each player; where that doesn't fit, players share lines.
  int draw_players(const Area& area) {
    if (area.size.rows < static_cast<int>(names_.size())) return draw_players_briefly(area);
    int row = area.row;
    for (std::size_t i = 0; i < names_.size(); ++i, ++row) {
      const auto seat = static_cast<Seat>(i);
      const Style style = style_of(seat);
      int column = draw_seat(area.column, row, seat);
      const std::string cell = cell_text(scene_.position.cells[seat]);
      column = frame_.put(column, row, fmt::format(" {:>{}}", cell, cell_digits()), style);
      column = frame_.put(column, row, chance_text(seat), faint);
      const int left = area.column + area.size.columns - column - 1;
      if (left > 0) frame_.put(column + 1, row, name_with_tallies(seat, left), style);
    }
    return row;
  }

  /// " 1:34▸2:67 3:off …": always with the player to move, and with a mark if there are more.
  int draw_players_briefly(const Area& area) {
    const int players = static_cast<int>(names_.size());
    const int columns = brief_columns();
    const int in_line = std::max(1, area.size.columns / columns);
    const int rows = std::min(area.size.rows, lines_of_players(area.size.columns));
    const int room = rows * in_line;
    const bool marked = room < players;
    const bool mark_has_room = area.size.columns > in_line * columns;
    const int shown = !marked ? players : mark_has_room ? room : std::max(1, room - 1);
    const Seat next = scene_.settled ? scene_.position.next : *scene_.mover;
    const int first = std::clamp(static_cast<int>(next) - shown / 2, 0, players - shown);
    for (int i = 0; i < shown; ++i) {
      const auto seat = static_cast<Seat>(first + i);
      const int row = area.row + i / in_line;
      const int column = draw_seat(area.column + i % in_line * columns, row, seat);
      frame_.put(column, row, ":" + brief_text(seat), style_of(seat));
    }
    if (marked) frame_.put(area.column + area.size.columns - 1, area.row + rows - 1, cut_);
    return area.row + rows;
  }

  /// "Ann (2 shields)"; where room is short, "A~ o2".
  std::string name_with_tallies(Seat seat, int columns) const {
    std::string text = names_[seat] + with_tallies(scene_.position, seat);
    if (display_width(text) <= columns) return text;
    const std::string marks = tally_marks(seat);
    const int room = columns - 1 - static_cast<int>(marks.size());
    if (marks.empty() || room < 1) return shortened(text, columns, cut_);
    return shortened(names_[seat], room, cut_) + " " + marks;
  }

  /// "67", or "67o2z1" with shields and turns to miss.
  std::string brief_text(Seat seat) const {
    return cell_text(scene_.position.cells[seat]) + tally_marks(seat);
  }

  std::string tally_marks(Seat seat) const {
    const Tallies& tallies = scene_.position.tallies;
    std::string text;
    if (const auto shields = tallies.shields.of(seat); shields > 0)
      text += std::string(sign(Sign::shields)) + std::to_string(shields);
    if (const auto skips = tallies.skips.of(seat); skips > 0)
      text += std::string(sign(Sign::misses)) + std::to_string(skips);
    return text;
  }

  /// The columns that a player takes on a shared line.
  int brief_columns() const {
    std::size_t columns = 0;
    for (std::size_t seat = 0; seat < names_.size(); ++seat)
      columns = std::max(columns, brief_text(static_cast<Seat>(seat)).size());
    return 3 + static_cast<int>(columns);
  }

  /// The lines that all players take if they share lines.
  int lines_of_players(int columns) const {
    const int in_line = std::max(1, columns / brief_columns());
    return (static_cast<int>(names_.size()) + in_line - 1) / in_line;
  }

  Style style_of(Seat seat) const {
    return {.bold = scene_.position.winner == seat || is_next(seat)};
  }

  int draw_seat(int column, int row, Seat seat) {
    const std::string_view mark = scene_.position.winner == seat ? sign(Sign::winner)
                                  : is_next(seat)                ? sign(Sign::next)
                                                                 : " ";
    column = frame_.put(column, row, mark, style_of(seat));
    return frame_.put(column, row, piece_digit(seat), piece_style(seat));
  }

  /// Whether it is this player's turn, or that turn is being shown.
  bool is_next(Seat seat) const {
    if (!scene_.settled) return scene_.mover == seat;
    return !scene_.position.winner && scene_.position.next == seat;
  }

  int cell_digits() const { return std::max(3, number_width(board_.cells())); }

  static std::string cell_text(Cell cell) { return cell == 0 ? "off" : std::to_string(cell); }

  /// " 52%", or blanks if it isn't known.
  std::string chance_text(Seat seat) const {
    const std::size_t at =
        scene_.settled || playback_.shot() == 0 ? playback_.shot() : playback_.shot() - 1;
    if (playback_.no_chances()) return "";
    if (at >= playback_.chances().size()) return "     ";
    const double chance = 100 * playback_.chances()[at].win[seat];
    // Until the game is won, a rounded chance never reads as 0 or 100 %.
    const bool certain = scene_.position.winner.has_value();
    if (!certain && chance > 0 && chance < 0.5) return "  <1%";
    if (!certain && chance < 100 && chance >= 99.5) return " >99%";
    return fmt::format(" {:>3.0f}%", chance);
  }

  /// Turns come in while older ones are shown. Nothing may give away those still to be shown.
  bool hides_later_turns() const {
    return playback_.settings().mode != Mode::replay && (playback_.is_playing() || !scene_.settled);
  }

  std::span<const RaceOdds> shown_chances() const {
    const std::span<const RaceOdds> all = playback_.chances();
    if (!hides_later_turns()) return all;
    const std::size_t shown = playback_.shot() + (scene_.settled || playback_.shot() == 0 ? 1 : 0);
    return all.first(std::min(all.size(), shown));
  }

  int draw_graph(const Area& area) {
    const int end = area.row + area.size.rows;
    if (playback_.no_chances() || playback_.chances().empty()) {
      const std::string text = playback_.no_chances()
                                   ? "No chances to win: " + *playback_.no_chances()
                                   : std::string("Chances to win are worked out ...");
      auto lines = wrapped(printable(text), area.size.columns, 0, cut_);
      const auto rows = static_cast<std::size_t>(std::max(area.size.rows, 0));
      if (rows > 0 && rows < lines.size())
        lines[rows - 1] = shortened(lines[rows - 1] + ' ' + lines[rows], area.size.columns, cut_);
      lines.resize(std::min(rows, lines.size()));
      for (int row = area.row; const std::string& line : lines)
        frame_.put(area.column, row++, line, faint);
      return end;
    }
    frame_.put(area.column, area.row, shortened("Chances to win, %", area.size.columns, cut_),
               faint);
    use_.graph = true;
    const Area graph{.column = area.column,
                     .row = area.row + 1,
                     .size = {area.size.columns, area.size.rows - 1}};
    place(Pane::graph, plot_of(graph), playback_.first(), playback_.last());
    draw_chances(frame_, graph,
                 {.chances = shown_chances(),
                  .players = names_.size(),
                  .first = playback_.first(),
                  .last = playback_.last(),
                  .now = playback_.shot()},
                 look_.glyphs);
    return end;
  }

  // ---- The list of turns

  void draw_turns(const Area& area) {
    const auto rows = static_cast<std::size_t>(area.size.rows);
    const std::size_t first = playback_.first() + 1;
    const std::size_t last = hides_later_turns() ? playback_.shot() : playback_.last();
    if (last < first) return;
    const std::size_t shown = std::min(rows, last - first + 1);
    const std::size_t now = std::max(playback_.shot(), first);
    const std::size_t before = rows / 2;
    const std::size_t begin = std::clamp(now > before ? now - before : 0, first, last + 1 - shown);
    for (std::size_t i = 0; i < shown; ++i)
      draw_turn(area, area.row + static_cast<int>(i), begin + i);
    use_.turns = true;
    place(Pane::turns,
          {.column = area.column,
           .row = area.row,
           .size = {.columns = area.size.columns, .rows = static_cast<int>(shown)}},
          begin, begin + shown - 1);
  }

  /// "▸ 21 Ann 6-3  67↑", with as much of the name as fits.
  void draw_turn(const Area& area, int row, std::size_t number) {
    const Recording::Shot& shot = recording_.shot(number);
    const TurnPlayed& turn = shot.turn;
    const bool here = number == playback_.shot();
    const Style style{.bold = here, .faint = shot.undone};
    const std::string head = fmt::format("{}{:>{}} ", here ? sign(Sign::here) : " ", turn.turn,
                                         number_width(recording_.position(playback_.last()).turn));
    // A turn that is still being shown doesn't give away its end.
    const bool known = !here || scene_.settled;
    const std::string dice = here && scene_.rolling ? "?" : to_string(turn.dice);
    const std::string tail = fmt::format("{:>{}}", known ? cell_text(turn.to) : "", cell_digits());
    const int dice_columns = std::max(2 * throwing_rule(recording_.setup().rules).most - 1, 3);
    const int room = area.size.columns - display_width(head) - dice_columns - 1 -
                     static_cast<int>(tail.size()) - 3;
    int column = frame_.put(area.column, row, head, style);
    const std::string name =
        room >= 3 ? fitted(names_[turn.seat], std::min(room, 16), cut_) : piece_digit(turn.seat);
    column = frame_.put(column, row, name,
                        {.colour = piece_colour(turn.seat),
                         .bold = here,
                         .faint = shot.undone,
                         .ink = shot.undone ? Shade{} : piece_shade(turn.seat)});
    column = frame_.put(column + 1, row, fmt::format("{:<{}}", dice, dice_columns), style);
    column = frame_.put(column, row, tail, style);
    if (known) draw_signs(column, row, shot);
  }

  void draw_signs(int column, int row, const Recording::Shot& shot) {
    const Moments& moments = shot.moments;
    // As on the board: if it is flipped, larger numbers are below.
    const bool flipped = playback_.is_flipped();
    if (moments.win)
      put_sign(column, row, Sign::winner);
    else if (moments.ladder)
      frame_.put(column, row, sign(flipped ? Sign::slid : Sign::climbed),
                 cli::style_of(Sign::climbed));
    else if (moments.snake)
      frame_.put(column, row, sign(flipped ? Sign::climbed : Sign::slid),
                 cli::style_of(Sign::slid));
    else if (stays(shot.turn.outcome))
      put_sign(column, row, Sign::stays);
    // A turn that isn't in force, and one in force that took the place of others.
    if (shot.undone)
      put_sign(column + 1, row, Sign::undone);
    else if (moments.undo)
      put_sign(column + 1, row, Sign::anew);
    else if (moments.lead)
      put_sign(column + 1, row, Sign::lead);
  }

  // ---- Below

  /// A note replaces the keys. A long note takes the sentence's room too.
  void draw_footer(int sentence_rows) {
    const int status_rows = look_.key_bar ? 1 : 0;
    const auto note = note_lines(status_rows + sentence_rows);
    const int note_rows = std::max(status_rows, static_cast<int>(note.size()));
    const int left = status_rows + sentence_rows - note_rows;
    int row = frame_.size().rows - 1 - status_rows - sentence_rows;
    draw_sentence(row, left);
    row += left;
    if (playback_.settings().mode == Mode::table)
      draw_prompt(row);
    else
      draw_scrubber(row);
    ++row;
    if (note.empty() && look_.key_bar) draw_status(row);
    for (const std::string& line : note)
      frame_.put(0, row++, line, {.reverse = true});
  }

  /// The latest note, if it is to be shown: at most `most` lines.
  std::vector<std::string> note_lines(int most) const {
    if (playback_.sought() || playback_.note().empty()) return {};
    const int columns = frame_.size().columns;
    auto lines = wrapped(printable(playback_.note()), columns, 0, cut_);
    const auto rows = static_cast<std::size_t>(most);
    if (lines.size() <= rows) return lines;
    lines[rows - 1] = shortened(lines[rows - 1] + " " + lines[rows], columns, cut_);
    lines.resize(rows);
    return lines;
  }

  /// The turn as a sentence about a player of this name.
  std::string sentence_about(const std::string& name) const {
    if (playback_.shot() == 0) {
      const Turn turn = recording_.position(0).turn;
      return (turn > 0 ? fmt::format("From turn {} on: ", turn) : "") + name + " begins";
    }
    const Recording::Shot& shot = recording_.shot(playback_.shot());
    if (scene_.rolling) return fmt::format("{}. {} rolls ...", shot.turn.turn, name);
    // The words give the outcome once the viewer has seen it.
    if (!scene_.settled)
      return fmt::format("{}. {} rolls {} ...", shot.turn.turn, name, to_string(shot.turn.dice));
    std::vector<std::string> names = names_;
    names[shot.turn.seat] = name;
    return narrate(shot.turn, names, look_.glyphs) + (shot.undone ? " (undone)" : "");
  }

  /// Draws the sentence. If it is too long, the name is cut short and not the move.
  void draw_sentence(int row, int rows) {
    const int columns = frame_.size().columns;
    const Seat seat = scene_.mover.value_or(scene_.position.next);
    const int room = std::max(least_name_columns, columns - display_width(sentence_about("")));
    const auto lines =
        wrapped(sentence_about(shortened(names_[seat], room, cut_)), columns, 2, cut_);
    for (int i = 0; i < rows && i < static_cast<int>(lines.size()); ++i)
      frame_.put(0, row + i, lines[static_cast<std::size_t>(i)], strong);
  }

  /// Whether it shows turns as they are played, and how many are still to be shown.
  std::string watch_state() const {
    const std::size_t behind = playback_.last() - playback_.shot();
    const std::string_view state = playback_.is_playing() ? "live" : "held";
    if (behind == 0) return std::string(state);
    const std::string count = fmt::format("{} behind", behind);
    return playback_.is_playing() ? count : "held, " + count;
  }

  /// "▶ 2× ━━━━●─────── 21/57"
  void draw_scrubber(int row) {
    const int columns = frame_.size().columns;
    const std::string_view state =
        playback_.is_playing() ? sign(Sign::playing) : sign(Sign::paused);
    std::string head = fmt::format("{} {} ", state, speed_text(playback_.speed(), ornaments_));
    if (playback_.settings().mode == Mode::watch && playback_.is_completed())
      head = fmt::format("{} over ", sign(Sign::paused));
    else if (playback_.settings().mode == Mode::watch)
      head = fmt::format(
          "{} {} {}", state, watch_state(),
          playback_.speed() == 1 ? "" : speed_text(playback_.speed(), ornaments_) + " ");
    const Turn last = recording_.position(playback_.last()).turn;
    const Turn now = recording_.position(playback_.shot()).turn;
    const std::string tail = fmt::format(" {:>{}}/{}", now, number_width(last), last);
    const int begin = frame_.put(0, row, head);
    const int end = columns - static_cast<int>(tail.size());
    frame_.put(end, row, tail);
    const std::size_t all = playback_.last() - playback_.first();
    const std::size_t passed = playback_.shot() - playback_.first();
    use_.timeline = true;
    place(Pane::timeline,
          {.column = begin, .row = row, .size = {.columns = end - begin, .rows = 1}},
          playback_.first(), playback_.last());
    const int knob =
        all == 0
            ? end - 1
            : begin + static_cast<int>(passed * static_cast<std::size_t>(end - 1 - begin) / all);
    for (int column = begin; column < end; ++column) {
      const std::string_view glyph = column == knob  ? sign(Sign::knob)
                                     : column < knob ? sign(Sign::passed)
                                                     : sign(Sign::to_come);
      frame_.put(column, row, glyph, {.bold = column == knob, .faint = column > knob});
    }
  }

  /// "2. Bob (on 67) to roll: 6-3_", for a player of this name.
  std::string prompt_of(const std::string& name, bool with_cell) const {
    const Position& position = recording_.position(playback_.last());
    if (playback_.shot() != playback_.last())
      return fmt::format("Looking back at turn {}. Enter returns to the game.",
                         recording_.position(playback_.shot()).turn);
    if (position.winner) return name + " has won.";
    const Cell cell = position.cells[position.next];
    const std::string where = cell == 0 ? "off the board" : fmt::format("on {}", cell);
    return fmt::format("{}. {}{} to roll: {}", position.turn + 1, name,
                       with_cell ? " (" + where + ")" : "", playback_.typed_dice());
  }

  /// Draws the prompt. If it is too long, the name is cut short or the cell left out, never the
  /// typed text.
  void draw_prompt(int row) {
    const Position& position = recording_.position(playback_.last());
    const int columns = frame_.size().columns - 1;
    const auto room = [&](bool with_cell) {
      return columns - display_width(prompt_of("", with_cell));
    };
    const bool with_cell = room(true) >= least_name_columns;
    const std::string& name = names_[position.winner.value_or(position.next)];
    const int name_columns = std::max(least_name_columns, room(with_cell));
    const int column =
        frame_.put(0, row, prompt_of(shortened(name, name_columns, cut_), with_cell), strong);
    if (playback_.shot() == playback_.last() && !position.winner)
      frame_.put(column, row, " ", {.reverse = true});
  }

  /// Draws the text being typed, or the keys that help most.
  void draw_status(int row) {
    const int columns = frame_.size().columns;
    if (playback_.sought()) {
      const int column = frame_.put(0, row, "Go to turn: " + *playback_.sought(), strong);
      frame_.put(column, row, "_", strong);
      return;
    }
    // As many as fit, the most important first.
    int column = 0;
    const KeyMoment moment{.playing = playback_.is_playing(),
                           .completed = playback_.is_completed(),
                           .looking_back = playback_.looks_back()};
    for (const auto& [key, what] : hints_of_keys(key_words(), moment)) {
      const std::string hint = fmt::format("{} {}", key, what);
      if (column + display_width(hint) > columns) break;
      column = frame_.put(column, row, key, strong);
      column = frame_.put(column, row, " " + what, faint) + 3;
    }
  }

  KeyWords key_words() const {
    return {.mode = playback_.settings().mode,
            .left = ornaments_.left,
            .right = ornaments_.right,
            .rules = recording_.setup().rules};
  }

  // ---- Help

  using HelpLine = SignHelp;  // also for a key, which stands in place of the sign

  /// Keys or signs with their meaning beside them or, if that is too wide, below.
  struct HelpPart {
    std::vector<HelpLine> lines;
    int indent;  // of the meanings
    int columns;
  };

  HelpPart fitted_into(int columns, const std::vector<HelpLine>& lines) const {
    int head_columns = 0;
    int what_columns = 0;
    for (const auto& [head, style, what] : lines) {
      head_columns = std::max(head_columns, display_width(head));
      what_columns = std::max(what_columns, display_width(what));
    }
    const int wide = head_columns + 2 + what_columns;
    if (wide <= columns) return {.lines = lines, .indent = head_columns + 2, .columns = wide};
    HelpPart part{.lines = {}, .indent = 2, .columns = columns};
    for (const auto& [head, style, what] : lines) {
      part.lines.push_back({.sign = head, .style = style, .what = ""});
      for (std::string& line : wrapped(what, columns - part.indent, 0, cut_))
        part.lines.push_back({.sign = "", .style = {}, .what = std::move(line)});
    }
    return part;
  }

  HelpPart keys_within(int columns) const {
    std::vector<HelpLine> lines;
    for (const auto& [keys, what] : help_of_keys(key_words()))
      lines.push_back({.sign = keys, .style = strong, .what = what});
    return fitted_into(columns, lines);
  }

  HelpPart signs_within(int columns) const {
    SignsInUse use = use_;
    use.glyphs = look_.glyphs;
    use.flipped = playback_.is_flipped();
    use.chances = !playback_.no_chances().has_value();
    use.taken_back = holds_what_was_taken_back();
    return fitted_into(columns, help_of_signs(use, board_));
  }

  bool holds_what_was_taken_back() const {
    for (std::size_t shot = playback_.first() + 1; shot <= playback_.last(); ++shot)
      if (recording_.shot(shot).undone || recording_.shot(shot).moments.undo) return true;
    return false;
  }

  /// The first line of each page of so many lines, and the end of the last page. A key and its
  /// meaning stay together.
  static std::vector<std::size_t> pages_of(const std::vector<HelpLine>& lines, std::size_t rows) {
    std::vector<std::size_t> pages{0};
    std::size_t head = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].sign.empty()) head = i;
      if (i - pages.back() == rows) pages.push_back(head);
    }
    pages.push_back(lines.size());
    return pages;
  }

  /// Draws a page of the help: first the pages of the keys, then those of the signs.
  void draw_help(int page) {
    viewer_.panes_.clear();  // the help covers them
    const Size size = frame_.size();
    const auto rows = static_cast<std::size_t>(size.rows - 2);
    const std::array parts{keys_within(size.columns - 4), signs_within(size.columns - 4)};
    std::vector<HelpPage> pages;
    for (const HelpPart& part : parts) {
      const auto begins = pages_of(part.lines, rows);
      for (std::size_t i = 0; i + 1 < begins.size(); ++i)
        pages.push_back({.part = part, .begin = begins[i], .end = begins[i + 1]});
    }
    const int count = static_cast<int>(pages.size());
    const int at = ((page % count) + count) % count;
    draw_help_page(pages[static_cast<std::size_t>(at)],
                   fmt::format(" {}/{}: {} {} ", at + 1, count, ornaments_.up, ornaments_.down));
  }

  struct HelpPage {
    const HelpPart& part;
    std::size_t begin;
    std::size_t end;
  };

  /// Draws a page in a box. Its lower line says how to go on.
  void draw_help_page(const HelpPage& page, const std::string& way_on) {
    const Size size = frame_.size();
    const int columns = std::max(page.part.columns, display_width(way_on));
    const int rows = static_cast<int>(page.end - page.begin);
    const int column = (size.columns - columns - 4) / 2;
    const int row = (size.rows - rows - 2) / 2;
    frame_.clear(column, row, {.columns = columns + 4, .rows = rows + 2});
    draw_box(column, row, columns + 2, rows);
    int line = row;
    for (std::size_t i = page.begin; i < page.end; ++i) {
      const HelpLine& help = page.part.lines[i];
      frame_.put(column + 2, ++line, help.sign, help.style);
      frame_.put(column + 2 + page.part.indent, line, help.what);
    }
    frame_.put(column + 2, row + rows + 1, way_on, strong);
  }

  const Playback& playback_;
  const Recording& recording_;
  const Board& board_;
  Scene scene_;
  const Look& look_;
  const Ornaments& ornaments_;
  std::string_view cut_;
  Viewer& viewer_;
  Frame frame_;
  std::vector<std::string> names_;  // printable
  SignsInUse use_;                  // only the parts that are drawn
};

Frame Viewer::view(const Playback& playback, Size size, const Look& look) {
  return View(playback, size, look, *this).draw();
}

std::optional<Pointed> Viewer::at(int column, int row) const {
  for (const Placed& placed : panes_) {
    const auto& [left, top, size] = placed.area;
    if (column >= left && column < left + size.columns && row >= top && row < top + size.rows)
      return pointed(placed, column, row);
  }
  return std::nullopt;
}

std::optional<Pointed> Viewer::nearest(Pane pane, int column, int row) const {
  const auto placed = std::ranges::find(panes_, pane, &Placed::pane);
  if (placed == panes_.end()) return std::nullopt;
  return pointed(*placed, column, row);
}

Pointed Viewer::pointed(const Placed& placed, int column, int row) {
  const bool down = placed.pane == Pane::turns;
  const int length = down ? placed.area.size.rows : placed.area.size.columns;
  const int at = down ? row - placed.area.row : column - placed.area.column;
  const auto places = static_cast<std::size_t>(std::max(1, length - 1));
  const auto place = static_cast<std::size_t>(std::clamp(at, 0, length - 1));
  const std::size_t all = placed.last - placed.first;
  return {.pane = placed.pane,
          .shot = placed.first + (place * all + places / 2) / places,
          .step = std::max<std::size_t>(1, all / places)};
}

}  // namespace snl::cli
