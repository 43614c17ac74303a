// The parts that every exported page has. The build makes them, as embedded_page.hpp, from
// page.html, player.html, page.css and the scripts.
#pragma once

#include <string_view>

namespace snl::cli {

struct PageSource {
  std::string_view html;           // with a {{place}} for each part of the game's own
  std::string_view player;         // the element in it that plays the game, with places too
  std::string_view style;          // can stand within <style> as it is
  std::string_view script;         // can stand within <script> as it is
  std::string_view script_in_log;  // the same, of a game that is in a log
};

}  // namespace snl::cli
