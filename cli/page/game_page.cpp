#include "game_page.hpp"

#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "domain/narration.hpp"
#include "domain/turn_dice.hpp"
#include "page_source.hpp"
#include "storage/hash.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

namespace snl::cli {
namespace {

namespace json = boost::json;

/// What stands in each {{place}} of the page's source.
using Places = std::map<std::string_view, std::string>;

std::string filled(std::string_view source, const Places& places) {
  std::string page;
  for (std::size_t from = 0;;) {
    const std::size_t open = source.find("{{", from);
    page += source.substr(from, open - from);
    if (open == std::string_view::npos) return page;
    const std::size_t close = source.find("}}", open);
    const auto place = places.find(source.substr(open + 2, close - open - 2));
    assert(place != places.end());
    page += place->second;
    from = close + 2;
  }
}

// ---- The policy

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = (group << 8U) | (j < count ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= count ? digits[(group >> (18U - 6U * j)) & 63U] : '=';
  }
  return text;
}

/// As a policy names an inline style or script.
std::string hash_source(std::string_view text) {
  Sha256 sha256;
  sha256.update(text);
  return "'sha256-" + base64(sha256.finish()) + "'";
}

std::string policy(std::string_view style, std::string_view script) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; "
      "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      hash_source(script), hash_source(style));
}

// ---- Pieces

/// What is drawn: the board, and below it the place where pieces wait off the board, if the rules
/// have them wait.
struct Stage {
  const GameSetup& setup;
  double width = cell_units * setup.board.width();
  double board_height = cell_units * setup.board.rows();

  static constexpr double tray_height = 110;
  bool has_tray() const { return setup.rules.start == 0; }
  double height() const { return board_height + (has_tray() ? tray_height : 0); }

  /// Where each seat's piece waits.
  std::vector<Stand> waiting() const {
    constexpr double widest = 64;
    const std::size_t seats = setup.players.size();
    const double step = std::min(widest, (width - 20) / static_cast<double>(seats));
    std::vector<Stand> all(seats);
    for (std::size_t seat = 0; seat < seats; ++seat)
      all[seat] = {{15 + step * (static_cast<double>(seat) + 0.5), board_height + 60},
                   piece_radius * step / widest};
    return all;
  }

  std::vector<Stand> standing(std::span<const Cell> cells) const {
    std::vector<Stand> all = waiting();
    std::map<Cell, std::vector<std::size_t>> crowds;
    for (std::size_t seat = 0; seat < cells.size(); ++seat)
      if (cells[seat] > 0) crowds[cells[seat]].push_back(seat);
    for (const auto& [cell, seats] : crowds) {
      const Point centre = centre_of(cell, setup.board);
      for (std::size_t i = 0; i < seats.size(); ++i)
        all[seats[i]] = stand_of(centre, i, seats.size());
    }
    return all;
  }
};

std::string pieces_svg(const Stage& stage, std::span<const Cell> cells) {
  std::string svg;
  const std::vector<Stand> all = stage.standing(cells);
  for (std::size_t seat = 0; seat < all.size(); ++seat)
    svg += fmt::format(
        "<g class=\"piece p{}\" data-seat=\"{}\" transform=\"translate({} {}) scale({})\">"
        "<circle class=\"shadow\" cx=\"2\" cy=\"4\" r=\"25\"/><circle class=\"disc\" r=\"25\"/>"
        "<circle class=\"rim\" r=\"20.5\"/><text y=\"9.5\">{}</text></g>\n",
        seat, seat, svg_number(all[seat].centre.x), svg_number(all[seat].centre.y),
        fmt::format("{:.3g}", all[seat].radius / piece_radius), seat + 1);
  return svg;
}

std::string board_svg(const Stage& stage) {
  std::string svg = board_art_svg(stage.setup.board);
  if (stage.has_tray())
    svg += fmt::format(
        "<rect class=\"tray\" x=\"4\" y=\"{}\" width=\"{}\" height=\"96\" rx=\"16\"/>\n",
        svg_number(stage.board_height + 12), svg_number(stage.width - 8));
  return svg;
}

// ---- The game as data

/// As x, y and the scale of a piece.
json::array json_of(const Stand& stand) {
  const auto tenths = [](double number) { return std::round(number * 10) / 10; };
  return {tenths(stand.centre.x), tenths(stand.centre.y),
          std::round(stand.radius / piece_radius * 1000) / 1000};
}

json::array json_of(const std::vector<Stand>& all) {
  json::array list;
  for (const Stand& stand : all)
    list.push_back(json_of(stand));
  return list;
}

/// Where `count` pieces that share a cell stand, from the cell's middle.
json::array crowd_json(std::size_t count) {
  json::array list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(json_of(stand_of({0, 0}, i, count)));
  return list;
}

char letter_of(Outcome outcome) {
  return to_string(outcome).front();  // moved, blocked, forfeited, won
}

/// The turns in columns, which is short.
void add_turns(json::object& data, std::span<const Timeline::Entry> recorded) {
  std::string seats;
  std::string dice;
  std::string outcomes;
  json::array landed;
  json::array to;
  json::array undone;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const TurnPlayed& turn = recorded[i].turn;
    seats += static_cast<char>('0' + turn.seat);
    dice += (i == 0 ? "" : " ") + to_string(turn.dice);
    outcomes += letter_of(turn.outcome);
    landed.push_back(turn.landed);
    to.push_back(turn.to);
    if (recorded[i].undone) undone.push_back(json::array{i, turn.turn});
  }
  data["seats"] = seats;
  data["dice"] = dice;
  data["outcomes"] = outcomes;
  data["landed"] = std::move(landed);
  data["to"] = std::move(to);
  data["undone"] = std::move(undone);
}

/// In 1/10,000, for each seat, position after position.
json::value json_of(std::size_t seats,
                    const std::expected<std::vector<RaceOdds>, std::string>& chances) {
  if (!chances) return nullptr;
  json::array all;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    json::array list;
    for (const RaceOdds& odds : *chances)
      list.push_back(std::llround(10'000 * odds.win[seat]));
    all.push_back(std::move(list));
  }
  return all;
}

/// JSON that can stand within <script>: nothing in it can end that or begin a comment.
std::string within_script(const json::value& value) {
  const std::string text = json::serialize(value);
  std::string safe;
  for (const char character : text) {
    if (character == '<' || character == '>' || character == '&')
      safe += fmt::format("\\u{:04x}", static_cast<int>(character));
    else
      safe += character;
  }
  return safe;
}

json::value seat_or_null(std::optional<Seat> seat) {
  return seat ? json::value(*seat) : json::value(nullptr);
}

json::object data_of(const GamePage& page, const Stage& stage) {
  const Timeline& timeline = page.timeline;
  const GameSetup& setup = stage.setup;
  const Position& now = timeline.state().position;
  const Position start = first_position(setup);
  const std::size_t seats = setup.players.size();
  json::array names;
  json::array around;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    names.push_back(json::string(printable(setup.players[seat])));
    around.push_back(crowd_json(seat + 1));
  }
  json::object data{
      {"players", std::move(names)},
      {"cells", setup.board.cells()},
      {"width", setup.board.width()},
      {"first", start.turn},
      {"start", json::array(start.cells.begin(), start.cells.begin() + std::ptrdiff_t(seats))},
      {"next", now.winner ? json::value(nullptr) : json::value(now.next)},
      {"winner", seat_or_null(now.winner)},
      {"spots", std::move(around)},
      {"waiting", json_of(stage.waiting())}};
  add_turns(data, timeline.recorded());
  json::array moments;
  for (std::size_t shot = 1; shot <= page.reel.shots(); ++shot)
    if (page.reel.shot(shot).moments.any()) moments.push_back(shot);
  data["moments"] = std::move(moments);
  data["chances"] = json_of(seats, page.chances);
  return data;
}

// ---- Words

/// A long one is shown cut short; the whole is in its title, and may be asked for by `attribute`.
std::string name_html(const std::string& name, std::string_view attribute = "") {
  constexpr int usual_columns = 20;
  const std::string text = escaped(name);
  if (display_width(printable(name)) <= usual_columns) return "<bdi>" + text + "</bdi>";
  return fmt::format("<bdi title=\"{}\"{}>{}</bdi>", text, attribute, text);
}

std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string heading(const GameSetup& setup) {
  const std::string_view separator =
      setup.players.size() == 2 ? " <span>v</span> " : "<span>,</span> ";
  std::string html;
  for (const std::string& player : setup.players)
    html += (html.empty() ? "" : std::string(separator)) + name_html(player, " tabindex=\"0\"");
  return html;
}

std::string title(const std::string& id, const GameSetup& setup) {
  std::string text;
  for (const std::string& player : setup.players)
    text += (text.empty() ? "" : setup.players.size() == 2 ? " v " : ", ") + escaped(player);
  return fmt::format("{} · {} · Snakes and Ladders", text, escaped(id));
}

std::string result(const std::string& id, const GameSetup& setup, const Position& now) {
  const std::string turns = counted(now.turn, "turn");
  const std::string what =
      now.winner ? fmt::format("{} wins after {}.", name_html(setup.players[*now.winner]), turns)
                 : fmt::format("{} to move after {}.", name_html(setup.players[now.next]), turns);
  return fmt::format("{} Snakes and Ladders, game {}.", what, escaped(id));
}

std::string board_label(const GameSetup& setup, const Position& now) {
  std::string label = fmt::format("A board of {} cells.", setup.board.cells());
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    label += fmt::format("{} {} {}", seat == 0 ? "" : ",", escaped(setup.players[seat]),
                         now.cells[seat] == 0 ? std::string("off the board")
                                              : fmt::format("on {}", now.cells[seat]));
  return label + ".";
}

std::string player_rows(const GamePage& page, const GameSetup& setup, const Position& now) {
  std::string rows;
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat) {
    std::string chance;
    if (page.chances) {
      const double percent = 100 * page.chances->back().win[seat];
      chance = fmt::format(
          "<td class=\"chance\"><span class=\"percent\">{:.1f} %</span><span class=\"change\">"
          "</span><svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" "
          "aria-hidden=\"true\"><rect width=\"{:.2f}\" height=\"6\"/></svg></td>",
          percent, percent);
    }
    const bool next = !now.winner && now.next == seat;
    rows += fmt::format(
        "<tr class=\"p{}\"><th scope=\"row\"><svg class=\"badge\" viewBox=\"0 0 24 24\" "
        "aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"11\"/><text x=\"12\" "
        "y=\"16.5\">{}</text></svg>{}</th><td class=\"cell\">{}</td>{}<td class=\"status\">{}</td>"
        "</tr>\n",
        seat, seat + 1, name_html(setup.players[seat]),
        now.cells[seat] == 0 ? std::string("off the board") : std::to_string(now.cells[seat]),
        chance,
        next                 ? "to move"
        : now.winner == seat ? "winner"
                             : "");
  }
  return rows;
}

std::string turn_items(const Timeline& timeline) {
  const auto& players = timeline.state().setup->players;
  std::string items;
  for (const Timeline::Entry& entry : timeline.recorded()) {
    const std::string words = escaped(narrate(entry.turn, players, Glyphs::unicode));
    items +=
        entry.undone ? "<li><del>" + words + " (undone)</del></li>\n" : "<li>" + words + "</li>\n";
  }
  return items;
}

/// Without the end tags that HTML lets out, as the table is long.
std::string cell_html(Cell cell, const GameSetup& setup, const Position& now) {
  std::string html = fmt::format("<td>{}", cell);
  if (const Cell to = setup.board.landing(cell); to != cell)
    html += fmt::format("<small>{} to {}</small>", to > cell ? "ladder" : "snake", to);
  std::string who;
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    if (now.cells[seat] == cell) who += (who.empty() ? "" : ", ") + name_html(setup.players[seat]);
  return who.empty() ? html : html + "<b>" + who + "</b>";
}

std::string cell_rows(const GameSetup& setup, const Position& now) {
  const Board& board = setup.board;
  std::string rows;
  for (std::int32_t row = board.rows() - 1; row >= 0; --row) {
    rows += "<tr>";
    for (std::int32_t column = 0; column < board.width(); ++column) {
      const Cell cell = cell_at({row, column}, board.width());
      rows += cell <= board.cells() ? cell_html(cell, setup, now) : "<td>";
    }
    rows += '\n';
  }
  return rows;
}

std::string rules_words(const Rules& rules) {
  std::string words = rules.start == 0 ? "pieces start off the board" : "pieces start on cell 1";
  switch (rules.finish) {
    case Finish::exact:
      words += "; the last cell is reached exactly or not at all";
      break;
    case Finish::overshoot:
      words += "; reaching or passing the last cell wins";
      break;
    case Finish::bounce:
      words += "; a throw too many bounces back from the last cell";
      break;
  }
  return words + "; " + throwing_words(rules);
}

std::string dice_words(const Timeline& timeline) {
  std::int64_t rolled = 0;
  for (Turn turn = timeline.first_turn() + 1; turn <= timeline.last_turn(); ++turn)
    rolled += timeline.turn(turn).rolled ? 1 : 0;
  const std::int64_t turns = timeline.last_turn() - timeline.first_turn();
  return fmt::format("seed <code>{}</code>: {} of {} rolled from it{}",
                     timeline.state().setup->seed, rolled, counted(turns, "turn"),
                     rolled == turns ? "" : ", the others thrown elsewhere");
}

std::string facts(const GamePage& page) {
  const Timeline& timeline = page.timeline;
  const GameSetup& setup = *timeline.state().setup;
  const std::string head = to_hex(page.head.hash);
  const auto undone = static_cast<std::int64_t>(timeline.recorded().size()) -
                      (timeline.last_turn() - timeline.first_turn());
  std::string html;
  const auto add = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
  };
  add("Game", fmt::format("<code>{}</code>", escaped(page.id)));
  add("Started", format_time(page.created));
  if (setup.origin)
    add("Branched", fmt::format("from turn {} of <code>{}</code>", setup.origin->position.turn,
                                escaped(setup.origin->game)));
  add("Board", fmt::format("{}, {} wide; {}, {}", counted(setup.board.cells(), "cell"),
                           setup.board.width(), counted(std::ssize(setup.board.snakes()), "snake"),
                           counted(std::ssize(setup.board.ladders()), "ladder")));
  add("Rules", rules_words(setup.rules));
  add("Dice", dice_words(timeline));
  add("Taken back", counted(undone, "turn"));
  add("Version", std::to_string(page.head.version));
  add("Head", fmt::format("<code>{}</code>", head));
  add("To verify",
      fmt::format("<code>snl audit {} --expect {}</code><br>in a store that has the game proves "
                  "that not one byte of its log was changed since. This page alone proves nothing.",
                  escaped(page.id), head));
  return html;
}

}  // namespace

std::string game_page(const GamePage& page) {
  const Timeline& timeline = page.timeline;
  const GameSetup& setup = *timeline.state().setup;
  const Position& now = timeline.state().position;
  const Stage stage{.setup = setup};
  const PageSource& source = page_source();
  const std::string style = fmt::format("{}@media screen and (prefers-color-scheme:dark){{{}}}\n",
                                        source.style, dark_board_style());
  return filled(
      source.html,
      {{"policy", policy(style, source.script)},
       {"version", SNL_VERSION},
       {"title", title(page.id, setup)},
       {"style", style},
       {"heading", heading(setup)},
       {"result", result(page.id, setup, now)},
       {"view_box", fmt::format("0 0 {} {}", svg_number(stage.width), svg_number(stage.height()))},
       {"board_label", board_label(setup, now)},
       {"board", board_svg(stage)},
       {"pieces", pieces_svg(stage, std::span(now.cells).first(setup.players.size()))},
       {"chances_column", page.chances ? "<th scope=\"col\">Chance to win</th>" : ""},
       {"players", player_rows(page, setup, now)},
       {"no_chances", page.chances ? ""
                                   : fmt::format("<p class=\"note\">No chances to win are shown: "
                                                 "{}.</p>",
                                                 escaped(page.chances.error()))},
       {"turns", turn_items(timeline)},
       {"cells", cell_rows(setup, now)},
       {"facts", facts(page)},
       {"game", within_script(data_of(page, stage))},
       {"script", std::string(source.script)}});
}

}  // namespace snl::cli
