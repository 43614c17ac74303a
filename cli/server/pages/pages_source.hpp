// The parts of pages. The build makes them, as embedded_pages.hpp, from the files of this folder
// and of cli/page.
#pragma once

#include <string_view>

namespace snl::cli {

struct PagesSource {
  std::string_view shell;      // every page: with {{places}}, as the next four
  std::string_view home;       // the content of the first page
  std::string_view lobby;      // the content of a game that hasn't begun
  std::string_view action;     // the controls for playing, within the player
  std::string_view store_log;  // the log of the server: its state, and its alarm
  std::string_view missing;    // the content of a page with nothing to show
  std::string_view style;      // besides player_style()
  std::string_view home_script;
  std::string_view game_script;  // with the player's
  std::string_view codes;        // a module that makes QR codes
  std::string_view signatures;   // a module that verifies signatures
  std::string_view icon;
  std::string_view manifest;  // of the site as an installed app: with {{icon}}
};

}  // namespace snl::cli
