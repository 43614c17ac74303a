// The game's export and the proof that it is in a log, as an exported page carries them for
// programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snl {
namespace [[gnu::visibility("default")]] cli {

struct PageContents {
  std::vector<std::string> log;      // the lines of the export, without their ends
  std::optional<std::string> proof;  // a .tlog-proof of the head
};

/// Whether a text that begins like this may be an exported page.
bool begins_page(std::string_view text);

/// Reads a page that game_page() made. None for another text, and for one that has two exports or
/// two proofs. It proves nothing, and doesn't compare what the page shows.
std::optional<PageContents> read_page(std::string_view page);

}  // namespace cli
}  // namespace snl
