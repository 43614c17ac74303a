// The type of what pages are made of. The build embeds it: embedded_pages.hpp, from the files of
// this folder and of cli/page.
#pragma once

#include <string_view>

namespace snl::cli {

struct PagesSource {
  std::string_view shell;    // every page: with {{places}}, as the next four
  std::string_view home;     // what stands in the shell of the first page
  std::string_view lobby;    // of a game that hasn't begun
  std::string_view action;   // what one can do in a game, which stands in its player
  std::string_view missing;  // where there is nothing to show
  std::string_view style;    // besides player_style()
  std::string_view home_script;
  std::string_view game_script;  // with the player's
  std::string_view codes;        // a module that makes QR codes
  std::string_view icon;
  std::string_view manifest;  // of the site as an installed app: with {{icon}}
};

}  // namespace snl::cli
