// A game as one page of HTML that needs nothing else and asks nobody for anything.
#pragma once

#include "cli/playback/reel.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/timeline.hpp"
#include "storage/event_store.hpp"
#include "storage/time.hpp"

#include <expected>
#include <string>
#include <vector>

namespace snl::cli {

/// What a page tells.
struct GamePage {
  const std::string& id;
  UnixMilliseconds created;
  Head head;
  const Timeline& timeline;
  const Reel& reel;  // of its turns in force
  /// The lines of its export (storage/exchange/jsonl.hpp), without their ends: what the page proves
  /// itself by.
  const std::vector<std::string>& log;
  /// At each position of the reel; or why there are none, which the page says.
  std::expected<std::vector<RaceOdds>, std::string> chances;
};

/// The page, UTF-8. The position, the turns and the record can be read without a script; with its
/// script the page plays the game. Its Content-Security-Policy admits its own style and script, by
/// their hashes, and nothing else; names stand in it as text only, as printable() shows them. The
/// board has at most most_svg_cells cells.
std::string game_page(const GamePage& page);

}  // namespace snl::cli
