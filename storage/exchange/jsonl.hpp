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

/// The longest line that an export can have, in bytes: SQLite keeps no row of more than 10⁹, which
/// taking back a hundred million turns at once doesn't fill.
inline constexpr std::size_t longest_export_line = std::size_t{1} << 30U;
/// The longest first line. A file that isn't an export is mostly seen by its own.
inline constexpr std::size_t longest_first_line = std::size_t{64} << 10U;

/// One commit as `snl log --json` prints it: with its position.
std::string log_line(const CommitView& commit);

/// One commit as an export has it.
std::string export_line(const CommitView& commit);

/// The lines of an export, without their ends: a header that names the game, its version and its
/// head, then a line a commit. The log is proven up to there, as an audit does, before the first
/// line: throws StoreError where it isn't sound.
void export_jsonl(EventReader& store, const std::string& game, const Head& head,
                  const std::function<void(std::string_view)>& line);

/// A game read from an export and proven as an audit does, ready to be recorded.
struct ImportedGame {
  std::string game;
  Head head;
  std::vector<NewCommit> commits;
  GameState state;

  /// What of it comes after a head that it had, for a store that has it up to there; none if
  /// nothing does.
  std::optional<Append> append_after(const Head& before) const {
    if (before.version >= head.version) return std::nullopt;
    return Append{.game = game,
                  .expected = before,
                  .commits = std::span(commits).subspan(static_cast<std::size_t>(before.version)),
                  .after = &state};
  }
};

/// Why an import isn't taken.
struct ImportFault {
  bool malformed;   // it can't be read; else it can, and isn't sound
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
