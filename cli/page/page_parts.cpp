#include "page_parts.hpp"

#include "cli/drawing/pieces.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "domain/narration.hpp"
#include "domain/wording.hpp"
#include "game_data.hpp"
#include "storage/hash.hpp"
#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace snl::cli {
namespace {

const GameSetup& setup_of(const GamePage& page) {
  return *page.timeline.state().setup;
}

/// At the end of the recording, where the page opens.
const Position& position_of(const GamePage& page) {
  return page.timeline.state().position;
}

/// `attribute` goes into the element of a name that is cut short.
std::string name_html(const std::string& name, std::string_view attribute = "") {
  const std::string text = escaped(name);
  if (!is_cut_short(name)) return "<bdi>" + text + "</bdi>";
  return fmt::format("<bdi title=\"{}\"{}>{}</bdi>", text, attribute, text);
}

// ---- Players

std::string_view status_of(std::size_t seat, const Position& now) {
  if (now.winner == seat) return words::winner;
  return !now.winner && now.next == seat ? words::to_move : "";
}

std::string chance_cell(double chance) {
  return fmt::format(
      "<td class=\"chance\"><span class=\"percent\">{:.1f} %</span><span class=\"change\">"
      "</span><svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect width=\"{:.2f}\" height=\"6\"/></svg></td>",
      100 * chance, 100 * chance);
}

// ---- The board as a table

/// Without optional end tags, as the table is long.
std::string cell_html(Cell cell, const GameSetup& setup, const Position& now) {
  std::string html = fmt::format("<td>{}", cell);
  if (const Cell to = setup.board.landing(cell); to != cell)
    html += fmt::format("<small>{} to {}</small>", to > cell ? "ladder" : "snake", to);
  std::string who;
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    if (now.cells[seat] == cell) who += (who.empty() ? "" : ", ") + name_html(setup.players[seat]);
  return who.empty() ? html : html + "<b>" + who + "</b>";
}

// ---- The record

std::string dice_words(const GamePage& page) {
  if (page.seed == SeedVisibility::hidden_until_the_end)
    return "the seed is shown once the game has ended";
  const Timeline& timeline = page.timeline;
  std::int64_t rolled = 0;
  for (Turn turn = timeline.first_turn() + 1; turn <= timeline.last_turn(); ++turn)
    rolled += timeline.turn(turn).rolled ? 1 : 0;
  const std::int64_t turns = timeline.last_turn() - timeline.first_turn();
  return fmt::format("seed <code>{}</code>: {} of {} rolled from it{}",
                     timeline.state().setup->seed, rolled, counted(turns, "turn"),
                     rolled == turns ? "" : ", the others thrown elsewhere");
}

std::int64_t turns_taken_back(const Timeline& timeline) {
  return static_cast<std::int64_t>(timeline.recorded().size()) -
         (timeline.last_turn() - timeline.first_turn());
}

}  // namespace

bool is_cut_short(const std::string& name) {
  constexpr int usual_columns = 20;
  return display_width(printable(name)) > usual_columns;
}

std::string board_words(const Board& board) {
  return fmt::format("A board of {} cells.", board.cells());
}

std::string page_title(const GamePage& page) {
  const GameSetup& setup = setup_of(page);
  std::string text;
  for (const std::string& player : setup.players)
    text += (text.empty() ? "" : setup.players.size() == 2 ? " v " : ", ") + escaped(player);
  return fmt::format("{} · {} · Snakes and Ladders", text, escaped(page.id));
}

std::string heading(const GamePage& page) {
  const GameSetup& setup = setup_of(page);
  const std::string_view separator =
      setup.players.size() == 2 ? " <span>v</span> " : "<span>,</span> ";
  std::string html;
  for (const std::string& player : setup.players)
    html += (html.empty() ? "" : std::string(separator)) + name_html(player, " tabindex=\"0\"");
  return html;
}

std::string result(const GamePage& page) {
  const Position& now = position_of(page);
  return fmt::format("{}{}{}.", name_html(setup_of(page).players[now.winner.value_or(now.next)]),
                     now.winner ? words::wins_after : words::to_move_after,
                     counted(now.turn, "turn"));
}

std::string game_line(const GamePage& page) {
  return fmt::format("Snakes and Ladders, game {}.", escaped(page.id));
}

std::string board_label(const GamePage& page) {
  const GameSetup& setup = setup_of(page);
  const Position& now = position_of(page);
  std::string label = board_words(setup.board);
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    label +=
        fmt::format("{} {} {}{}", seat == 0 ? "" : ",", escaped(setup.players[seat]),
                    now.cells[seat] == 0 ? std::string(words::off_the_board)
                                         : fmt::format("{}{}", words::on_cell, now.cells[seat]),
                    with_tallies(now, seat));
  return label + ".";
}

std::string chances_column(const GamePage& page) {
  return page.chances ? "<th scope=\"col\">Chance</th>" : "";
}

std::string player_rows(const GamePage& page) {
  const GameSetup& setup = setup_of(page);
  const Position& now = position_of(page);
  std::string rows;
  for (std::size_t seat = 0; seat < setup.players.size(); ++seat)
    rows += fmt::format(
        "<tr class=\"p{}\"><th scope=\"row\"><svg class=\"badge\" viewBox=\"0 0 24 24\" "
        "aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"11\"/><text x=\"12\" "
        "y=\"16.5\">{}</text></svg>{}<span class=\"tally\">{}</span></th><td "
        "class=\"cell\">{}</td>{}<td class=\"status\">{}</td>"
        "</tr>\n",
        seat, seat + 1, name_html(setup.players[seat]), with_tallies(now, seat),
        now.cells[seat] == 0 ? std::string(words::off_the_board) : std::to_string(now.cells[seat]),
        page.chances ? chance_cell(page.chances->back().win[seat]) : "", status_of(seat, now));
  return rows;
}

std::string note_on_chances(const GamePage& page) {
  const auto note = [](std::string_view text) {
    return fmt::format("<p class=\"chances-note note\"{}>{}</p>", text.empty() ? " hidden" : "",
                       text);
  };
  if (!page.chances)
    return note(fmt::format("No chances to win are shown: {}.", escaped(page.chances.error())));
  switch (nobody_wins(page.chances->back())) {
    case NobodyWins::never:
      break;
    case NobodyWins::perhaps:
      return note(words::perhaps_nobody);
    case NobodyWins::always:
      return note(words::nobody);
  }
  return note("");
}

std::string turn_items(const GamePage& page) {
  const auto& players = setup_of(page).players;
  std::string items;
  for (const auto& [turn, undone] : page.timeline.recorded()) {
    const std::string sentence = escaped(narrate(turn, players, Glyphs::unicode));
    items += undone ? fmt::format("<li><del>{}{}</del></li>\n", sentence, words::undone)
                    : fmt::format("<li>{}</li>\n", sentence);
  }
  return items;
}

std::string cell_rows(const GamePage& page) {
  const Board& board = setup_of(page).board;
  std::string rows;
  for (std::int32_t row = board.rows() - 1; row >= 0; --row) {
    rows += "<tr>";
    for (std::int32_t column = 0; column < board.width(); ++column) {
      const Cell cell = cell_at({row, column}, board.width());
      rows += cell <= board.cells() ? cell_html(cell, setup_of(page), position_of(page)) : "<td>";
    }
    rows += '\n';
  }
  return rows;
}

std::string facts(const GamePage& page) {
  const Timeline& timeline = page.timeline;
  const GameSetup& setup = setup_of(page);
  const std::string head = to_hex(page.head.hash);
  std::string html;
  const auto add = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
  };
  add("Game", fmt::format("<code>{}</code>", escaped(page.id)));
  add("Started", format_time(page.created));
  if (setup.origin)
    add("Branched", fmt::format("from turn {} of <code>{}</code>", setup.origin->position.turn,
                                escaped(setup.origin->game)));
  add("Board", fmt::format("{}, {} wide; {}", counted(setup.board.cells(), "cell"),
                           setup.board.width(), contents_of(setup.board)));
  add("Rules", fmt::format("{}", fmt::join(rules_in_words(setup.rules), "; ")));
  add("Dice", dice_words(page));
  if (setup.draw) add("Promised", fmt::format("<code>{}</code>", to_hex(setup.draw->commitment)));
  if (page.seed != SeedVisibility::hidden_until_the_end)  // a live page doesn't count them
    add("Taken back", counted(turns_taken_back(timeline), "turn"));
  add("Version", std::to_string(page.head.version));
  add("Head", fmt::format("<code>{}</code>", head));
  add("To verify",
      fmt::format("<code>snl audit {} --expect {}</code><br>in a store that has the game proves "
                  "that not one byte of its log was changed since.",
                  escaped(page.id), head));
  return html;
}

}  // namespace snl::cli
