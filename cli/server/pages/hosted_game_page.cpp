#include "hosted_game_page.hpp"

#include "assets.hpp"
#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/svg.hpp"
#include "cli/page/game_data.hpp"
#include "cli/page/game_page.hpp"
#include "cli/page/page_parts.hpp"
#include "cli/page/page_template.hpp"
#include "cli/page/stage.hpp"
#include "domain/analysis/game_chances.hpp"
#include "domain/wording.hpp"
#include "embedded_pages.hpp"  // written by the build
#include "markup.hpp"
#include "storage/exchange/board_json.hpp"
#include "storage/exchange/jsonl.hpp"
#include "storage/recorded_game.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace snl::cli {
namespace {

/// The work that a page may take for its chances, as max_work counts: a tenth of a second.
constexpr double most_work_for_chances = max_work / 1'000;

/// Facts for the script and the browser that the page doesn't show.
struct LiveData {
  Version version = 0;
  std::string first;      // the hash of version 1; empty before there is one
  bool is_whole = false;  // nothing is secret any more
};

std::string main_html(const std::string& content, const GameView& view, const LiveData& data) {
  return fmt::format(
      "<main class=\"live-page\" data-version=\"{}\" data-first=\"{}\" data-told=\"{}\">\n{}{}"
      "<script type=\"application/json\" class=\"state\">{}</script>\n</main>\n"
      "<script type=\"module\" src=\"{}\"></script>\n",
      data.version, data.first, data.is_whole ? "whole" : "so-far", content, pages_source.store_log,
      within_script(*view.state_text()), asset_paths().game_script);
}

/// For readers without a script: the page loads itself again until the game has ended.
std::string refreshing(const GameView& view) {
  if (view.has_ended()) return "";
  return "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n";
}

// ---- Before it begins

std::string seat_items(const HostedGame& hosted) {
  std::string html;
  for (const auto& seat : hosted.seats)
    if (seat) html += "<li>" + name_html(seat->name) + "</li>\n";
  return html;
}

std::string lobby_heading(const GameView& view) {
  return fmt::format("A game for {}", counted(static_cast<std::int64_t>(view.places()), "player"));
}

std::string lobby_words(const GameView& view) {
  if (view.status == GameStatus::abandoned) return "This game was abandoned.";
  if (view.status == GameStatus::drawing) return "The dice are being drawn.";
  return fmt::format("{} of {} seats are taken.", view.hosted->taken(), view.places());
}

/// The part of a setup that drawing its board needs.
GameSetup drawn_setup(const HostedGame& hosted) {
  return {.players = {}, .board = parse_board(hosted.board).value().board, .rules = hosted.rules};
}

std::string lobby_html(const GameView& view) {
  const GameSetup setup = drawn_setup(*view.hosted);
  const Stage stage(setup);
  static constexpr std::array<std::string_view, 7> names{
      "heading", "game_line", "view_box", "board_label", "board", "words", "seats"};
  static_assert(unmatched_place(pages_source.lobby, names).empty());
  return filled(pages_source.lobby, [&](std::string_view name) -> std::string {
    if (name == "heading") return lobby_heading(view);
    if (name == "game_line") return fmt::format("Snakes and Ladders, game {}.", escaped(view.id));
    if (name == "view_box") return stage.view_box();
    if (name == "board_label") return board_words(setup.board);
    if (name == "board") return stage.board_svg();
    return name == "words" ? lobby_words(view) : seat_items(*view.hosted);
  });
}

// ---- From its beginning on

/// The lines of the export, if the API gives it to anybody by now.
std::vector<std::string> published_log(const GameView& view, StoreReader& store) {
  std::vector<std::string> lines;
  if (!view.reveal_permit) return lines;
  try {
    export_jsonl(store, view.id, view.head(),
                 [&](std::string_view line) { lines.emplace_back(line); });
  } catch (const StoreError&) {  // an unsound log has no export
    lines.clear();
  }
  return lines;
}

std::expected<std::vector<RaceOdds>, std::string> chances_of(const Recording& recording,
                                                             bool is_whole) {
  if (!is_whole) return std::unexpected("they come once the game has ended");
  std::vector<Position> positions;
  for (std::size_t shot = 0; shot <= recording.shots(); ++shot)
    positions.push_back(recording.position(shot));
  return chances_at(recording.setup(), positions, most_work_for_chances);
}

std::string title_of(const GameSetup& setup) {
  std::string title;
  for (const std::string& player : setup.players)
    title += (title.empty() ? "" : setup.players.size() == 2 ? " v " : ", ") + player;
  return title + " · Snakes and Ladders";
}

PageContent played_page(const GameView& view, StoreReader& store) {
  const std::string& id = view.id;
  // Turns that follow meanwhile belong to the next page: this one has its view's STATE.
  const History history = history_of(store, id, view.version());
  const GameSetup& setup = *history.timeline.state().setup;
  const Recording recording = Recording::in_force(history.timeline);
  const auto first = store.commit(id, 1);
  const std::vector<std::string> log = published_log(view, store);
  const bool is_whole = !log.empty();
  const GamePage page{
      .id = id,
      .created = view.game->created(),
      .head = history.head,
      .timeline = history.timeline,
      .recording = recording,
      .log = log,
      .chances = chances_of(recording, is_whole),
      .seed = is_whole ? SeedVisibility::shown : SeedVisibility::hidden_until_the_end};
  const LiveData data{.version = history.head.version,
                      .first = first ? to_hex(first->hash) : "",
                      .is_whole = is_whole};
  const std::string element = player_html(
      page, {.classes = is_whole ? "live ended" : "live", .action = pages_source.action});
  return {
      .title = title_of(setup), .head = refreshing(view), .main = main_html(element, view, data)};
}

/// Whether its board is small enough to be drawn.
bool is_drawable(const GameView& view) {
  const std::int32_t cells =
      view.game ? view.game->state().setup->board.cells() : drawn_setup(*view.hosted).board.cells();
  return cells <= most_svg_cells;
}

}  // namespace

std::string hosted_game_page(const GameView& view, StoreReader& store,
                             const Pages::Settings& settings) {
  if (!is_drawable(view))
    return missing_page("This board is too large to show",
                        "Only programs can play or watch this game, over the API.", settings);
  if (view.game) return whole_page(played_page(view, store), settings);
  return whole_page({.title = lobby_heading(view) + " · Snakes and Ladders",
                     .head = refreshing(view),
                     .main = main_html(lobby_html(view), view, {})},
                    settings);
}

}  // namespace snl::cli
