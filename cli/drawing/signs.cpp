#include "signs.hpp"

#include "board_grid.hpp"
#include "domain/names.hpp"
#include "domain/wording.hpp"
#include "jump_art.hpp"
#include "jump_letters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace snl::cli {
namespace {

constexpr Style plain_sign{};
constexpr Style bold_sign{.bold = true};
constexpr Style faint_sign{.faint = true};
constexpr Style snake_sign{.colour = Colour::red, .bold = true};
constexpr Style ladder_sign{.colour = Colour::green, .bold = true};

struct Row {
  Sign sign;
  std::string_view unicode;
  std::string_view ascii;
  Style style;
  bool SignsInUse::* part;  // explained only with this part of the screen; null: always
  std::string_view what;    // empty: the row before explains it
};

// clang-format off
constexpr std::array rows{
    Row{Sign::trail, "•", ".", bold_sign, nullptr, "the way of a piece that slides"},
    Row{Sign::more_left, "◀", "<", plain_sign, &SignsInUse::window, "the board goes on; a digit: a piece is there"},
    Row{Sign::more_right, "▶", ">", plain_sign, &SignsInUse::window, ""},
    Row{Sign::more_above, "▲", "^", plain_sign, &SignsInUse::window, ""},
    Row{Sign::more_below, "▼", "v", plain_sign, &SignsInUse::window, ""},
    Row{Sign::more_pieces, "+", "+", bold_sign, nullptr, "there is more than fits"},
    Row{Sign::snake_beyond, "~", "~", snake_sign, &SignsInUse::window, "at the edge: a snake leads there"},
    Row{Sign::ladder_beyond, "=", "=", ladder_sign, &SignsInUse::window, "at the edge: a ladder leads there"},
    Row{Sign::chip_left, "▐", "(", bold_sign, &SignsInUse::drawn, "around a digit: a piece"},
    Row{Sign::chip_right, "▌", ")", bold_sign, &SignsInUse::drawn, ""},
    Row{Sign::seen, "▒", "#", plain_sign, &SignsInUse::map, "on the small map: the part in view"},
    Row{Sign::unseen, "·", ".", faint_sign, &SignsInUse::map, "on the small map: the rest"},
    Row{Sign::next, "▸", ">", bold_sign, nullptr, "the player to move"},
    Row{Sign::here, "▸", ">", bold_sign, &SignsInUse::turns, "in the list: the turn that is shown"},
    Row{Sign::winner, "★", "*", bold_sign, nullptr, "has won"},
    Row{Sign::climbed, "↑", "^", ladder_sign, &SignsInUse::turns, "in the list: up a ladder"},
    Row{Sign::slid, "↓", "v", snake_sign, &SignsInUse::turns, "in the list: down a snake"},
    Row{Sign::stays, "·", ".", plain_sign, &SignsInUse::turns, "in the list: the piece stays where it is"},
    Row{Sign::lead, "»", "!", plain_sign, &SignsInUse::turns, "in the list: takes the lead"},
    Row{Sign::undone, "↶", "u", plain_sign, &SignsInUse::taken_back, "in the list: was taken back"},
    Row{Sign::anew, "↻", "o", plain_sign, &SignsInUse::taken_back, "in the list: in place of one that was taken back"},
    Row{Sign::cut, "…", "~", plain_sign, nullptr, "at the end of a name: it is longer"},
    Row{Sign::shields, "o", "o", plain_sign, nullptr, ""},
    Row{Sign::misses, "z", "z", plain_sign, nullptr, ""},
    Row{Sign::playing, "▶", ">", plain_sign, &SignsInUse::timeline, "playing, at this speed"},
    Row{Sign::paused, "■", "#", plain_sign, &SignsInUse::timeline, "paused"},
    Row{Sign::passed, "━", "=", plain_sign, &SignsInUse::timeline, "shown so far"},
    Row{Sign::knob, "●", "o", bold_sign, &SignsInUse::timeline, "the current place"},
    Row{Sign::to_come, "─", "-", faint_sign, &SignsInUse::timeline, "still to come"},
    Row{Sign::now, "┊", ":", plain_sign, &SignsInUse::graph, "in the graph: the turn that is shown"},
};
// clang-format on

constexpr bool are_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (std::to_underlying(rows[i].sign) != i) return false;
  return rows.size() == std::to_underlying(Sign::now) + 1;
}
static_assert(are_in_order(), "each sign has its row");

constexpr const Row& row_of(Sign sign) {
  return rows[std::to_underlying(sign)];
}

bool is_shown(bool SignsInUse::* part, const SignsInUse& use) {
  return part == nullptr || (use.*part && (use.turns || part != &SignsInUse::taken_back));
}

constexpr std::array about_powers{
    NamedValue{"end here and move again", PowerKind::again},
    NamedValue{"end here and miss so many turns", PowerKind::skip},
    NamedValue{"end here and go back to the start", PowerKind::restart},
    NamedValue{"so many shields against snakes", PowerKind::shield},
    NamedValue{"change places with the nearest piece ahead", PowerKind::swap}};

class Legend {
 public:
  Legend(const SignsInUse& use, const Board& board) : use_(use), board_(board) {}

  std::vector<SignHelp> lines() && {
    describe_pieces();
    describe_jumps();
    describe_powers();
    for (const Row& row : rows)
      if (is_shown(row.part, use_)) describe(row);
    if (use_.graph) add("1,2", bold_sign, "at the graph's end: the players of these lines");
    if (use_.chances) add("52%", faint_sign, "beside a player: the chance to win");
    add(use_.glyphs == Glyphs::unicode ? "■■" : "##", snake_sign, "red: snakes, and down");
    add(use_.glyphs == Glyphs::unicode ? "■■" : "##", ladder_sign, "green: ladders, and up");
    return std::move(lines_);
  }

 private:
  void add(std::string sign, Style style, std::string_view what) {
    lines_.push_back({.sign = std::move(sign), .style = style, .what = std::string(what)});
  }

  void describe(const Row& row) {
    // Arrows in the list point as they do on the board.
    const bool turned = use_.flipped && (row.sign == Sign::climbed || row.sign == Sign::slid);
    const Sign drawn = !turned ? row.sign : row.sign == Sign::slid ? Sign::climbed : Sign::slid;
    const std::string sign(glyph(drawn, use_.glyphs));
    if (!row.what.empty())
      add(sign, row.style, row.what);
    else if (row.sign != Sign::shields && row.sign != Sign::misses)
      lines_.back().sign += " " + sign;
  }

  void describe_pieces() {
    add("1 ... 9 0", bold_sign, "the players' pieces, each in a colour");
    add("[1]", {.bold = true, .reverse = true}, "the piece that moves, or has moved last");
    if (use_.dense) add("(12)", bold_sign, "pieces, where numbers are cells");
  }

  void describe_jumps() {
    const JumpGlyphs upright = use_.glyphs == Glyphs::unicode ? unicode_jumps : ascii_jumps;
    const JumpGlyphs glyphs = use_.flipped ? upright.flipped() : upright;
    for (const JumpKind kind : {JumpKind::ladder, JumpKind::snake}) {
      const bool snake = kind == JumpKind::snake;
      const Style style = snake ? snake_sign : ladder_sign;
      const std::string start(glyphs.start_of(kind));
      const std::string name = to_string(kind);
      if (use_.lettered) {
        const std::string end(snake ? glyphs.end_of_snake : glyphs.end_of_ladder);
        add(fmt::format("A{} A{}", start, end), style,
            fmt::format("a {} leads from A{} to A{}", name, start, end));
      } else {
        add(start + "22", style, fmt::format("a {} leads to 22", name));
      }
      if (use_.drawn) add(sample(kind), style, "a " + name);
    }
  }

  std::string sample(JumpKind kind) const {
    if (use_.glyphs == Glyphs::ascii)
      return std::string(kind == JumpKind::snake ? ascii_snake : ascii_ladder);
    return kind == JumpKind::snake ? "⢾⣿⣷⣦" : "⡏⡏⡏⡇";
  }

  void describe_powers() {
    for (const PowerKind kind : power_kinds) {
      std::set<std::string> marks;
      for (const auto& [cell, power] : board_.powers())
        if (power.kind == kind) marks.insert(power_mark(power));
      if (!marks.empty()) add(fmt::format("{}", fmt::join(marks, " ")), bold_sign, about(kind));
    }
    if (board_.powers().empty()) return;
    add(std::string(row_of(Sign::shields).ascii) + "1 " + std::string(row_of(Sign::misses).ascii) +
            "1",
        plain_sign, "beside a player: has a shield, misses a turn");
  }

  const SignsInUse& use_;
  const Board& board_;
  std::vector<SignHelp> lines_;
};

}  // namespace

std::string_view about(PowerKind power) {
  return name_of(about_powers, power);
}

std::string about(const Power& power) {
  if (power.kind == PowerKind::skip) return "end here and miss " + counted(power.n, "turn");
  if (power.kind == PowerKind::shield) return counted(power.n, "shield") + " against snakes";
  return std::string(about(power.kind));
}

std::string_view glyph(Sign sign, Glyphs glyphs) {
  const Row& row = row_of(sign);
  return glyphs == Glyphs::unicode ? row.unicode : row.ascii;
}

Style style_of(Sign sign) {
  return row_of(sign).style;
}

std::vector<SignHelp> help_of_signs(const SignsInUse& use, const Board& board) {
  return Legend(use, board).lines();
}

}  // namespace snl::cli
