#include "home_page.hpp"

#include "assets.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/page/page_template.hpp"
#include "domain/named_boards.hpp"
#include "domain/wording.hpp"
#include "embedded_pages.hpp"  // written by the build
#include "markup.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <array>

namespace snl::cli {
namespace {

namespace json = boost::json;

// ---- What can be chosen

std::string board_options() {
  std::string html;
  for (const NamedBoard& board : named_boards())
    html += fmt::format("<option value=\"{}\"{}>{}: {}, {}, {}</option>", board.name,
                        board.name == usual_board ? " selected" : "", board.name,
                        counted(board.cells, "cell"), counted(std::ssize(board.snakes), "snake"),
                        counted(std::ssize(board.ladders), "ladder"));
  return html;
}

std::string rules_options() {
  std::string html;
  for (const std::string_view name : {"standard", "lld", "milton-bradley"})
    html += fmt::format("<option>{}</option>", name);
  return html;
}

// ---- Lists

/// What is said of a game, after who plays.
std::string standing(const json::object& game) {
  const std::string status = text_in(game, "status");
  const std::int64_t turn = number_in(game, "turn");
  if (status == "drawing") return "the dice are being drawn";
  if (status == "abandoned")
    return names_in(game, "players").empty() ? "before it began" : "after " + counted(turn, "turn");
  if (status == "open")
    return fmt::format("{} of {} seats taken", number_in(game, "taken"), number_in(game, "places"));
  if (status == "completed")
    return fmt::format("{} has won after {}", name_html(text_in(game, "winner")),
                       counted(turn, "turn"));
  return fmt::format("turn {}, {} to move", turn, name_html(text_in(game, "next")));
}

std::string item(const json::object& game) {
  const std::string id = text_in(game, "id");
  const std::vector<std::string> names = names_in(game, "players");
  const std::string who =
      names.empty() ? "A game for " + std::to_string(number_in(game, "places")) : names_html(names);
  return fmt::format("<li><a href=\"/g/{}\">{}</a><small>{}</small></li>\n", escaped(id), who,
                     standing(game));
}

constexpr int most_of_a_status = 10;

std::string items_of(std::string_view status, const Pages::Ask& ask) {
  const HttpAnswer answer =
      ask({.method = "GET",
           .target = fmt::format("/api/games?status={}&limit={}", status, most_of_a_status)});
  std::string items;
  if (answer.status == 200) {
    const json::value told = json::parse(answer.text());
    for (const json::value& game : told.at("games").as_array())
      items += item(game.as_object());
  }
  return items;
}

struct ShownList {
  std::string_view heading;
  std::string_view none;  // what is said where there is no game; empty: the list isn't shown
  std::array<std::string_view, 2> statuses;  // in this order; empty: no other
};

/// Whoever abandons games that go badly is seen here.
constexpr std::array lists{
    ShownList{"Waiting for players", "No game waits for players.", {"open", "drawing"}},
    ShownList{"Being played", "No game is being played.", {"in-progress"}},
    ShownList{"Ended", "No game has ended yet.", {"completed"}},
    ShownList{"Abandoned", "", {"abandoned"}},
};

std::string list_html(const ShownList& list, const Pages::Ask& ask) {
  std::string items;
  for (const std::string_view status : list.statuses)
    if (!status.empty()) items += items_of(status, ask);
  if (items.empty() && list.none.empty()) return "";
  return fmt::format("<section class=\"list\"><h2>{}</h2>{}</section>\n", list.heading,
                     items.empty() ? fmt::format("<p class=\"note\">{}</p>", list.none)
                                   : "<ul class=\"games\">\n" + items + "</ul>");
}

}  // namespace

std::string home_page(const Pages::Ask& ask, const Pages::Settings& settings) {
  static constexpr std::array<std::string_view, 4> names{"boards", "rules", "lists", "script"};
  static_assert(unmatched_place(pages_source.home, names).empty());
  const std::string main = filled(pages_source.home, [&](std::string_view name) -> std::string {
    if (name == "boards") return board_options();
    if (name == "rules") return rules_options();
    if (name == "script") return asset_paths().home_script;
    std::string html;
    for (const ShownList& list : lists)
      html += list_html(list, ask);
    return html;
  });
  return whole_page({.title = "Snakes and Ladders", .head = {}, .main = main}, settings);
}

}  // namespace snl::cli
