// A game as one page of HTML that needs nothing else and makes no request.
#pragma once

#include "cli/playback/recording.hpp"
#include "domain/analysis/odds.hpp"
#include "domain/timeline.hpp"
#include "storage/event_store.hpp"
#include "storage/time.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

/// Whether a page shows the seed of the dice, which reveals every die to come.
enum class SeedVisibility : std::uint8_t { shown, hidden_until_the_end };

/// The proof that a game is in a store's log, and the keys that verify it.
struct ProofInLog {
  std::string proof;                   // of the head, as a .tlog-proof
  std::string vkey;                    // the log's
  std::vector<std::string> witnesses;  // the vkeys of those that cosigned
};

struct GamePage {
  const std::string& id;
  UnixMilliseconds created;
  Head head;
  const Timeline& timeline;
  const Recording& recording;  // of its turns in force: played and not undone
  /// The lines of its export (storage/exchange/jsonl.hpp), without their ends: the page's proof.
  const std::vector<std::string>& log;
  /// At each position of the recording; or the reason why there are none, which the page says.
  std::expected<std::vector<RaceOdds>, std::string> chances;
  SeedVisibility seed = SeedVisibility::shown;
  /// If there is one, the page verifies it too.
  std::optional<ProofInLog> proof = std::nullopt;
};

/// The page, UTF-8. You can read the position, the turns and the record without a script; with its
/// script the page plays the game. Its Content-Security-Policy admits its own style and script, by
/// their hashes, and nothing else. Names stand in it as text only, as printable() shows them. The
/// board has at most most_svg_cells cells.
std::string game_page(const GamePage& page);

// ---- Parts for other pages that play a game

/// The parts that differ if the player stands in another page: HTML that the caller answers for.
struct PlayerFrame {
  std::string_view classes;  // of its root, besides "snl"
  std::string_view action;   // between the board and the playback
};

/// The element in which a Player (player.js) plays the game, with the data that it reads.
std::string player_html(const GamePage& page, const PlayerFrame& frame);

/// The style of the element.
const std::string& player_style();

}  // namespace cli
}  // namespace snl
