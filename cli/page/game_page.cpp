#include "game_page.hpp"

#include "cli/drawing/board_svg.hpp"
#include "cli/drawing/palette.hpp"
#include "cli/drawing/svg.hpp"
#include "embedded_page.hpp"  // written by the build
#include "game_data.hpp"
#include "page_parts.hpp"
#include "page_template.hpp"
#include "stage.hpp"
#include "storage/hash.hpp"
#include "storage/transparency/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <string_view>

namespace snl::cli {
namespace {

// ---- Parts that every page shares

/// The pieces' colours as CSS: --player, for all that belongs to a seat.
std::string piece_style() {
  std::string in_the_light;
  std::string in_the_dark;
  for (std::size_t seat = 0; seat < piece_colours.size(); ++seat) {
    const PieceColour& colour = piece_colours[seat];
    in_the_light += fmt::format(".p{}{{--player:{}}}", seat, colour.in_the_light);
    in_the_dark += fmt::format(".p{}{{--player:{}}}", seat, colour.in_the_dark);
  }
  return fmt::format("{}\n@media screen and (prefers-color-scheme:dark){{{}{}}}\n", in_the_light,
                     in_the_dark, dark_board_style());
}

/// The name of an inline style or script in a policy.
std::string hash_source(std::string_view text) {
  return "'sha256-" + transparency::to_base64(hash_of(text)) + "'";
}

std::string_view script(const GamePage& page) {
  return page.proof ? page_source.script_in_log : page_source.script;
}

std::string policy(const GamePage& page) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; "
      "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      hash_source(script(page)), hash_source(player_style()));
}

std::string log_proof(const GamePage& page) {
  if (!page.proof) return {};
  return fmt::format("<script type=\"application/json\" class=\"log-proof\">{}</script>\n",
                     proof_data(*page.proof));
}

// ---- The places of page.html

Stage stage_of(const GamePage& page) {
  return Stage(*page.timeline.state().setup);
}

std::string pieces(const GamePage& page) {
  const GameState& state = page.timeline.state();
  return stage_of(page).pieces_svg(
      std::span(state.position.cells).first(state.setup->players.size()));
}

struct FilledPlace {
  std::string_view name;
  std::string (*text)(const GamePage&);
};

/// Of page.html, besides the player.
constexpr std::array places{
    FilledPlace{"policy", policy},
    FilledPlace{"version", [](const GamePage&) { return std::string(SNL_VERSION); }},
    FilledPlace{"title", page_title},
    FilledPlace{"style", [](const GamePage&) { return player_style(); }},
    FilledPlace{"player",
                [](const GamePage& page) {
                  return player_html(page, {.classes = "opening at-start", .action = {}});
                }},
    FilledPlace{"log_proof", log_proof},
    FilledPlace{"script", [](const GamePage& page) { return std::string(script(page)); }},
};

/// Of player.html. Its frame fills those without a function.
constexpr std::array places_of_player{
    FilledPlace{"classes", nullptr},
    FilledPlace{"action", nullptr},
    FilledPlace{"id", [](const GamePage& page) { return escaped(page.id); }},
    FilledPlace{"heading", heading},
    FilledPlace{"result", result},
    FilledPlace{"game_line", game_line},
    FilledPlace{"view_box", [](const GamePage& page) { return stage_of(page).view_box(); }},
    FilledPlace{"board_label", board_label},
    FilledPlace{"board", [](const GamePage& page) { return stage_of(page).board_svg(); }},
    FilledPlace{"pieces", pieces},
    FilledPlace{"chances_column", chances_column},
    FilledPlace{"players", player_rows},
    FilledPlace{"note_on_chances", note_on_chances},
    FilledPlace{"turns", turn_items},
    FilledPlace{"cells", cell_rows},
    FilledPlace{"facts", facts},
    FilledPlace{"game", [](const GamePage& page) { return game_data(page, stage_of(page)); }},
    FilledPlace{"export", export_data},
};

constexpr auto place_names = std::views::transform(&FilledPlace::name);
static_assert(unmatched_place(page_source.html, places | place_names).empty(),
              "page.html has a {{place}} that nothing here fills, or lacks one that is filled");
static_assert(unmatched_place(page_source.player, places_of_player | place_names).empty(),
              "player.html has a {{place}} that nothing here fills, or lacks one that is filled");

}  // namespace

const std::string& player_style() {
  static const std::string style = std::string(page_source.style) + piece_style();
  return style;
}

std::string player_html(const GamePage& page, const PlayerFrame& frame) {
  return filled(page_source.player, [&](std::string_view name) {
    if (name == "classes") return std::string(frame.classes);
    if (name == "action") return std::string(frame.action);
    return std::ranges::find(places_of_player, name, &FilledPlace::name)->text(page);
  });
}

std::string game_page(const GamePage& page) {
  return filled(page_source.html, [&](std::string_view name) {
    return std::ranges::find(places, name, &FilledPlace::name)->text(page);
  });
}

}  // namespace snl::cli
