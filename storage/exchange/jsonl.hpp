// A game's whole log as lines of JSON, to keep, to send and to import elsewhere
// (storage/format.md, "Export").
#pragma once

#include "storage/event_store.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// The longest line that an export can have, in bytes. SQLite keeps no row of more than 10⁹ bytes,
/// and taking back a hundred million turns at once needs fewer.
inline constexpr std::size_t longest_export_line = std::size_t{1} << 30U;
/// The longest first line. Most files that aren't exports show it by their first line.
inline constexpr std::size_t longest_first_line = std::size_t{64} << 10U;

/// One commit as `snl log --json` prints it, with its position.
std::string log_line(const CommitView& commit);

/// One commit as an export has it.
std::string export_line(const CommitView& commit);

/// Writes the lines of an export, without their line ends: a header that names the game, its
/// version and its head, then a line for each commit. The log up to there is proven first, as in an
/// audit: throws StoreError before the first line if it isn't sound.
void export_jsonl(EventReader& store, const std::string& game, const Head& head,
                  const std::function<void(std::string_view)>& line);

/// A game read from an export and proven as in an audit, ready to be recorded.
struct ImportedGame {
  std::string game;
  Head head;
  std::vector<NewCommit> commits;
  GameState state;

  /// The commits that come after one of its heads, for a store that has the game up to there; none
  /// if there are no more.
  std::optional<Append> append_after(const Head& before) const {
    if (before.version >= head.version) return std::nullopt;
    return Append{.game = game,
                  .expected = before,
                  .commits = std::span(commits).subspan(static_cast<std::size_t>(before.version)),
                  .after = &state};
  }
};

/// Why an import is refused.
struct ImportFault {
  bool malformed;   // true: it can't be read; false: it can, but isn't sound
  std::string why;  // one line, with the line's number
};

/// Takes the lines of any number of exports, one after another.
class JsonlReader {
 public:
  /// False once a fault has been found; see fault().
  bool add(std::string_view line);
  /// After the last line.
  bool finish();

  const std::optional<ImportFault>& fault() const { return fault_; }
  std::vector<ImportedGame>& games() { return games_; }

 private:
  struct Open;  // the game whose lines are being read

  bool malformed(std::string why);
  bool unsound(std::string why);
  bool add_header(std::string_view line);
  bool add_commit(std::string_view line);
  bool close();

  std::size_t line_ = 0;
  std::shared_ptr<Open> open_;
  std::vector<ImportedGame> games_;
  std::optional<ImportFault> fault_;
};

}  // namespace snl
