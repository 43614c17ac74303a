#include "home_page.hpp"

#include "assets.hpp"
#include "cli/drawing/board_layout.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/page/page_template.hpp"
#include "domain/named_boards.hpp"
#include "domain/wording.hpp"
#include "embedded_pages.hpp"  // written by the build
#include "markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

// ---- Choices

/// The title of each named board for people who choose by pictures, in the order in which they see
/// them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> titles{{
    {"milton-bradley", "Classic"},
    {"party", "Party"},
    {"geeks30", "Small"},
    {"class", "Four snakes"},
    {"milton-bradley-48", "Classic, snake on 48"},
    {"lld", "Classic, ladder to 99"},
    {"empty", "Empty"},
}};

/// How large the board is, and the powers of its cells.
std::string board_facts(const NamedBoard& named, const Board& board) {
  const std::string facts = fmt::format("{}, {}, {}", counted(named.cells, "cell"),
                                        counted(std::ssize(named.snakes), "snake"),
                                        counted(std::ssize(named.ladders), "ladder"));
  std::string powers;
  for (const PowerKind kind : power_kinds)
    if (std::ranges::any_of(board.powers(),
                            [&](const PowerCell& cell) { return cell.power.kind == kind; }))
      powers += (powers.empty() ? "" : ", ") + std::string(to_string(kind));
  return powers.empty() ? facts : facts + "; powers: " + powers;
}

/// The board's art. A page has the snakes' head once, in the first board that has a snake.
std::string art_of(const Board& board, bool& has_shared) {
  std::string art = board_art_svg(board, Numbers::in_rows);
  const std::size_t begin = art.find("<defs>");
  constexpr std::string_view end = "</defs>";
  if (begin == std::string::npos) return art;
  if (has_shared) art.erase(begin, art.find(end) + end.size() - begin);
  has_shared = true;
  return art;
}

/// The boards as they will be played on, one of which is chosen.
const std::string& board_choices() {
  static const std::string html = [] {
    std::string choices;
    bool has_shared = false;
    for (const auto& [name, title] : titles) {
      const NamedBoard& named = *find_named_board(name);
      const Board board = named.board();
      choices += fmt::format(
          "<label class=\"board-choice\"><input type=\"radio\" name=\"board\" value=\"{}\"{}>"
          "<svg viewBox=\"0 0 {} {}\" "
          "aria-hidden=\"true\">{}</svg><span>{}</span><small>{}</small></label>\n",
          name, name == usual_board ? " checked" : "", cell_units * board.width(),
          cell_units * board.rows(), art_of(board, has_shared), title, board_facts(named, board));
    }
    return choices;
  }();
  return html;
}

std::string rules_options() {
  std::string html;
  for (const auto& preset : preset_names)
    html += fmt::format("<option>{}</option>", preset.name);
  return html;
}

// ---- Lists

/// The words about a game, after its players.
std::string standing(const ListedGame& game) {
  switch (game.status) {
    case GameStatus::drawing:
      return "the dice are being drawn";
    case GameStatus::abandoned:
      return game.has_begun() ? "after " + counted(game.turn, "turn") : "before it began";
    case GameStatus::open:
      return fmt::format("{} of {} seats taken", game.taken, game.places);
    case GameStatus::completed:
      return fmt::format("{} has won after {}", name_html(game.winner), counted(game.turn, "turn"));
    case GameStatus::in_progress:
      break;
  }
  return fmt::format("turn {}, {} to move", game.turn, name_html(game.next));
}

/// A board as people choose it: by its title, else by its name; or how large it is.
std::string title_of_board(const ListedGame& game) {
  if (game.board == nullptr) return counted(game.cells, "cell");
  const auto* const found =
      std::ranges::find(titles, game.board->name, &decltype(titles)::value_type::first);
  return std::string(found == titles.end() ? game.board->name : found->second);
}

std::string item(const ListedGame& game) {
  std::string who = names_html(game.players);
  if (!game.has_begun()) {
    who = fmt::format("A game for {}", game.places);
    if (!game.host.empty()) who += " with " + name_html(game.host);
  }
  return fmt::format("<li><a href=\"/g/{}\">{}</a><small>{} · {}</small></li>\n", escaped(game.id),
                     who, standing(game), title_of_board(game));
}

struct ShownList {
  std::string_view heading;
  std::string_view none;             // the words if there is no game; empty: the list isn't shown
  std::vector<GameStatus> statuses;  // in this order
};

/// The last list shows a host who abandons games that go badly.
const std::array lists{
    ShownList{"Waiting for players",
              "No game waits for players.",
              {GameStatus::open, GameStatus::drawing}},
    ShownList{"Being played", "No game is being played.", {GameStatus::in_progress}},
    ShownList{"Ended", "No game has ended yet.", {GameStatus::completed}},
    ShownList{"Abandoned", "", {GameStatus::abandoned}},
};

std::string list_html(const ShownList& list, const GamesOfStatus& games_of) {
  std::string items;
  for (const GameStatus status : list.statuses)
    for (const SharedListedGame& game : games_of(status))
      items += item(*game);
  if (items.empty() && list.none.empty()) return "";
  return fmt::format("<section class=\"list\"><h2>{}</h2>{}</section>\n", list.heading,
                     items.empty() ? fmt::format("<p class=\"note\">{}</p>", list.none)
                                   : "<ul class=\"games\">\n" + items + "</ul>");
}

}  // namespace

std::string home_page(const GamesOfStatus& games_of, const Pages::Settings& settings) {
  static constexpr std::array<std::string_view, 4> names{"boards", "rules", "lists", "script"};
  static_assert(unmatched_place(pages_source.home, names).empty());
  const std::string main = filled(pages_source.home, [&](std::string_view name) -> std::string {
    if (name == "boards") return board_choices();
    if (name == "rules") return rules_options();
    if (name == "script") return asset_paths().home_script;
    std::string html;
    for (const ShownList& list : lists)
      html += list_html(list, games_of);
    return html;
  });
  return whole_page({.title = "Snakes and Ladders", .head = {}, .main = main}, settings);
}

}  // namespace snl::cli
