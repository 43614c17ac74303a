#include "position_svg.hpp"

#include "board_layout.hpp"
#include "board_svg.hpp"
#include "domain/narration.hpp"
#include "palette.hpp"
#include "pieces.hpp"
#include "svg.hpp"
#include "terminal_text.hpp"
#include "walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

namespace snl::cli {
namespace {

// ---- The sheet, in units of its own. The board is scaled to fit, so that text has one size.

constexpr double margin = 40;
constexpr double usual_board = 1000;  // wide or high
constexpr double smallest_cell = 30;  // however large that makes the board
constexpr double largest_scale = 2;
constexpr double tray_height = 90;  // below the board, for pieces off it
constexpr double panel_width = 400;

// ---- Pieces

std::string piece_svg(const Stand& stand, std::size_t seat, std::string_view name) {
  const double r = stand.radius;
  const auto [x, y] = stand.centre;
  return fmt::format(
      "<g class=\"piece seat-{}\"><title>{}</title>"
      "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#000\" fill-opacity=\".28\"/>"
      "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"#14161a\" stroke-width=\"{}\"/>"
      "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"{}\"/>"
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text></g>\n",
      seat + 1, escaped(name), svg_number(x + r * 0.08), svg_number(y + r * 0.16), svg_number(r),
      svg_number(x), svg_number(y), svg_number(r), piece_colours[seat].in_the_light,
      svg_number(r * 0.09), svg_number(x), svg_number(y), svg_number(r * 0.86),
      svg_number(r * 0.11), svg_number(x), svg_number(y + r * 0.38),
      svg_number(r * (seat < 9 ? 1.1 : 0.95)), seat + 1);
}

constexpr std::string_view pieces_group =
    "<g font-weight=\"bold\" fill=\"#fff\" text-anchor=\"middle\">\n";

// ---- The picture

class PositionSheet {
 public:
  explicit PositionSheet(const DrawnPosition& drawn)
      : drawn_(drawn),
        board_(drawn.setup.board),
        players_(drawn.setup.players),
        scale_(std::clamp(usual_board / (cell_units * std::max(board_.width(), board_.rows())),
                          smallest_cell / cell_units, largest_scale)),
        board_width_(scale_ * cell_units * board_.width()),
        board_height_(scale_ * cell_units * board_.rows()),
        words_scale_(std::max(1., std::min(board_width_, board_height_) / usual_board)) {
    for (const std::string& player : players_)
      short_names_.push_back(shortened_to(name_ems, printable(player)));
  }

  std::string svg() const {
    const double shelf_height = shelf().empty() ? 0 : words_scale_ * tray_height;
    const double left_height = board_height_ + shelf_height;
    const auto [panel, panel_height] = panel_svg();
    const double words_width = words_scale_ * panel_width;
    const double words_height = words_scale_ * panel_height;
    // Beside a board that is much wider than high, the space below would stay empty.
    const bool below = board_width_ > 2 * board_height_;
    const Point words =
        below ? Point{margin, 2 * margin + left_height} : Point{2 * margin + board_width_, margin};
    std::string svg = fmt::format("<g transform=\"translate({} {}) scale({:.4})\">\n",
                                  svg_number(margin), svg_number(margin), scale_);
    svg += board_art_svg(board_) + trail_svg() + pieces_svg() + "</g>\n";
    svg += shelf_svg(margin + board_height_);
    svg += fmt::format("<g transform=\"translate({} {}){}\">\n{}</g>\n", svg_number(words.x),
                       svg_number(words.y), words_scaled(), panel);
    return svg_text({.width = margin +
                              (below ? std::max(board_width_, words_width)
                                     : board_width_ + margin + words_width) +
                              margin,
                     .height = margin +
                               (below ? left_height + margin + words_height
                                      : std::max(left_height, words_height)) +
                               margin,
                     .title = title(),
                     .description = description(),
                     .style = style(),
                     .body = svg});
  }

 private:
  static constexpr double name_ems = 13;

  /// Words are larger on a large board: viewers see that picture from farther away.
  std::string words_scaled() const {
    return words_scale_ == 1 ? "" : fmt::format(" scale({:.4})", words_scale_);
  }

  // ---- In words

  const std::string& short_name(std::size_t seat) const { return short_names_[seat]; }

  std::string status(std::span<const std::string> names) const {
    const Position& position = drawn_.position;
    return position.winner ? names[*position.winner] + " has won"
                           : names[position.next] + " is to move";
  }

  std::string title() const {
    return fmt::format("Snakes and Ladders: game {}, turn {}", drawn_.game, drawn_.position.turn);
  }

  std::string description() const {
    std::string text;
    for (std::size_t seat = 0; seat < players_.size(); ++seat)
      text += fmt::format("{} is {}{}. ", players_[seat], where(drawn_.position.cells[seat]),
                          with_tallies(drawn_.position, seat));
    text += status(players_) + ".";
    if (drawn_.last_move)
      text += " Last: " + narrate(*drawn_.last_move, players_, Glyphs::unicode) + ".";
    return text;
  }

  static std::string where(Cell cell) {
    return cell == 0 ? "off the board" : fmt::format("on cell {}", cell);
  }

  static std::string style() {
    return fmt::format(
        ".page{{fill:#fffdf7}}.ink{{fill:#2b2416}}.faint{{fill:#6d6247}}.row{{fill:#f3e8cc}}"
        "@media(prefers-color-scheme:dark){{.page{{fill:#171a20}}.ink{{fill:#eceff5}}"
        ".faint{{fill:#a8b0be}}.row{{fill:#2b303b}}{}}}",
        dark_board_style());
  }

  // ---- Pieces

  std::vector<std::size_t> seats_on(Cell cell) const {
    std::vector<std::size_t> seats;
    for (std::size_t seat = 0; seat < players_.size(); ++seat)
      if (drawn_.position.cells[seat] == cell) seats.push_back(seat);
    return seats;
  }

  Stand stand_of_seat(std::size_t seat) const {
    const Cell cell = drawn_.position.cells[seat];
    const std::vector<std::size_t> seats = seats_on(cell);
    const auto index = std::ranges::find(seats, seat) - seats.begin();
    return stand_of(centre_of(cell, board_), static_cast<std::size_t>(index), seats.size());
  }

  std::string pieces_svg() const {
    std::string svg(pieces_group);
    for (std::size_t seat = 0; seat < players_.size(); ++seat)
      if (drawn_.position.cells[seat] > 0)
        svg += piece_svg(stand_of_seat(seat), seat, players_[seat]);
    return svg + "</g>\n";
  }

  // ---- Pieces off the board, below it

  std::vector<std::size_t> shelf() const { return seats_on(0); }

  std::string shelf_svg(double top) const {
    if (shelf().empty()) return "";
    std::string svg = fmt::format(
        "<g transform=\"translate({} {}){}\">\n"
        "<text class=\"faint\" y=\"32\" font-size=\"18\">off the board</text>\n",
        svg_number(margin), svg_number(top), words_scaled());
    svg += pieces_group;
    double x = 22;
    for (const std::size_t seat : shelf()) {
      svg += piece_svg({{x, 64}, 20}, seat, players_[seat]);
      x += 46;
    }
    return svg + "</g>\n</g>\n";
  }

  // ---- The last move

  /// The points of a piece's way over the track, then along the jump that it took.
  struct Trail {
    std::vector<Point> track;
    std::vector<Point> jump;
  };

  static Point foot_on(Point cell_centre) { return stand_of(cell_centre, 0, 1).centre; }

  Trail trail(const TurnPlayed& turn) const {
    Trail trail;
    for (const Cell cell : cells_passed(turn, drawn_.setup)) {
      const Point foot = foot_on(centre_of(std::max(cell, 1), board_));
      trail.track.push_back(cell == 0 ? Point{0, foot.y} : foot);
    }
    if (jump_of(turn)) trail.jump = jump_line({.from = turn.landed, .to = rest_of(turn)});
    return trail;
  }

  std::vector<Point> jump_line(Jump jump) const {
    const BoardLayout layout = lay_out(board_);
    const auto ladder = std::ranges::find(layout.ladders, jump, &DrawnLadder::jump);
    if (ladder != layout.ladders.end()) return {ladder->foot, ladder->top};
    return std::ranges::find(layout.snakes, jump, &DrawnSnake::jump)->spine;
  }

  /// The line without its end, within `radius` of the piece there.
  static std::vector<Point> cut_short(std::vector<Point> line, const Stand& stand) {
    const double reach = stand.radius + 10;
    while (line.size() > 1 && distance(line[line.size() - 2], stand.centre) <= reach)
      line.pop_back();
    const Point before = line[line.size() - 2];
    const double whole = distance(before, stand.centre);
    const double t = (whole - reach) / whole;
    line.back() = {std::lerp(before.x, stand.centre.x, t), std::lerp(before.y, stand.centre.y, t)};
    return line;
  }

  static std::string arrow_head(const std::vector<Point>& line, std::string_view colour) {
    constexpr double size = 15;
    const Point tip = line.back();
    const Point before = line[line.size() - 2];
    const double length = distance(before, tip);
    const Point ahead{(tip.x - before.x) / length, (tip.y - before.y) / length};
    const auto at = [&](double along, double aside) {
      return Point{tip.x + ahead.x * along - ahead.y * aside,
                   tip.y + ahead.y * along + ahead.x * aside};
    };
    SvgPath path;
    path.move_to(at(8, 0)).line_to(at(-size, size * 0.8)).line_to(at(-size, -size * 0.8)).close();
    return fmt::format(
        "<path d=\"{}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"3\" "
        "stroke-linejoin=\"round\"/>\n",
        path.text(), colour);
  }

  static std::string dotted_svg(const std::string& path, std::string_view colour, double width) {
    return fmt::format(
        "<path d=\"{}\" stroke=\"#fff\" stroke-opacity=\".75\" stroke-width=\"{}\"/>"
        "<path d=\"{}\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\".1 13\"/>\n",
        path, svg_number(width), path, colour, svg_number(width * 0.55));
  }

  std::string trail_svg() const {
    if (!drawn_.last_move || drawn_.last_move->landed == drawn_.last_move->from) return "";
    constexpr double on_track = 11;
    constexpr double on_jump = 8;  // which must stay visible beside it
    const TurnPlayed& turn = *drawn_.last_move;
    const std::string_view colour = piece_colours[turn.seat].in_the_light;
    Trail trail = this->trail(turn);
    std::vector<Point>& last = trail.jump.empty() ? trail.track : trail.jump;
    last = cut_short(std::move(last), stand_of_seat(turn.seat));
    SvgPath track;
    track.move_to(trail.track.front());
    for (const Point point : std::span(trail.track).subspan(1))
      track.line_to(point);
    std::string svg =
        "<g class=\"last-move\" fill=\"none\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\">\n" +
        dotted_svg(track.text(), colour, on_track);
    if (!trail.jump.empty()) {
      SvgPath jump;
      jump.move_to(trail.jump.front()).smooth_through(trail.jump);
      svg += dotted_svg(jump.text(), colour, on_jump);
    }
    svg += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"13\" fill=\"#fff\" fill-opacity=\".8\" stroke=\"{}\" "
        "stroke-width=\"4\" stroke-dasharray=\"6 4.2\"/>\n",
        svg_number(trail.track.front().x), svg_number(trail.track.front().y), colour);
    return svg + arrow_head(last, colour) + "</g>\n";
  }

  // ---- The panel beside the board

  /// Lines of text and players, from the top down.
  struct Panel {
    std::string svg;
    double height = 0;
  };

  /// The ems that fit into a line of the panel.
  static constexpr double ems(double size) { return panel_width / size; }

  static void add_text(Panel& panel, std::string_view text, std::string_view kind, double size) {
    panel.height += size * 1.4;
    panel.svg += fmt::format("<text class=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", kind,
                             svg_number(panel.height - size * 0.35), svg_number(size),
                             size > 20 ? " font-weight=\"bold\"" : "", escaped(text));
  }

  Panel panel_svg() const {
    Panel panel;
    add_text(panel, "Snakes and Ladders", "faint", 18);
    add_text(panel, shortened_to(ems(30), printable(drawn_.game)), "ink", 30);
    add_text(panel, fmt::format("turn {}", drawn_.position.turn), "faint", 18);
    panel.height += 14;
    for (const std::string& line : wrapped_to(ems(24), status(short_names_)))
      add_text(panel, line, "ink", 24);
    panel.height += 14;
    for (std::size_t seat = 0; seat < players_.size(); ++seat)
      add_player(panel, seat);
    panel.height += 16;
    if (drawn_.last_move) {
      add_text(panel, "the last turn", "faint", 18);
      for (const std::string& line :
           wrapped_to(ems(19), narrate(*drawn_.last_move, short_names_, Glyphs::unicode)))
        add_text(panel, line, "ink", 19);
    }
    return panel;
  }

  void add_player(Panel& panel, std::size_t seat) const {
    constexpr double height = 52;
    const Position& position = drawn_.position;
    const bool won = position.winner == seat;
    const bool marked = won || (!position.winner && position.next == seat);
    const double middle = panel.height + height / 2;
    if (marked)
      panel.svg += fmt::format(
          "<rect class=\"row\" x=\"-8\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n",
          svg_number(panel.height + 2), svg_number(panel_width + 8), svg_number(height - 4));
    panel.svg += pieces_group;
    panel.svg += piece_svg({{20, middle}, 18}, seat, players_[seat]);
    panel.svg += "</g>\n";
    const auto text = [&](double x, double y, double size, std::string_view attributes,
                          std::string_view words) {
      panel.svg +=
          fmt::format("<text class=\"ink\" x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}>{}</text>\n",
                      svg_number(x), svg_number(y), svg_number(size),
                      marked ? " font-weight=\"bold\"" : "", attributes, escaped(words));
    };
    constexpr double size = 20;
    constexpr double small = 14;
    constexpr double left = 50;
    constexpr double right = panel_width - 34;
    const double line = middle + 7;
    const std::string cell =
        position.cells[seat] == 0 ? "start" : std::to_string(position.cells[seat]);
    const std::string tallies = with_tallies(position, seat);
    const double room = (right - left) / size - ems_of(cell) - 0.6;
    if (ems_of(short_name(seat) + tallies) <= room) {
      text(left, line, size, "", short_name(seat) + tallies);
    } else {  // a long name has the tallies below it
      const double up = tallies.empty() ? 0 : 9;
      text(left, line - up, size, "", shortened_to(room, short_name(seat)));
      if (!tallies.empty()) text(left, line + 11, small, "", tallies.substr(1));
    }
    text(right, line, size, " text-anchor=\"end\"", cell);
    if (marked) text(panel_width - 24, line, size, "", won ? "★" : "◀");
    panel.height += height;
  }

  const DrawnPosition& drawn_;
  const Board& board_;
  std::span<const std::string> players_;
  double scale_;
  double board_width_;  // on the sheet
  double board_height_;
  double words_scale_;
  std::vector<std::string> short_names_;  // as people see them, and short
};

}  // namespace

std::string position_svg(const DrawnPosition& drawn) {
  return PositionSheet(drawn).svg();
}

}  // namespace snl::cli
