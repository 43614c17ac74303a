// The forms in which a game is exported, one row of a table each. To add a form, write a function
// and a row. The command line and the server write the same bytes.
#pragma once

#include "cli/page/game_page.hpp"
#include "domain/game.hpp"
#include "storage/event_store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace snl::cli {

/// The reason why a form can't hold a game, as a sentence.
class NotExportable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The options that some forms use.
struct ExportOptions {
  std::optional<Turn> at;  // the turn that a picture shows
  std::optional<int> width;
  std::optional<int> height;
  std::optional<double> speed;
  std::optional<double> idle;    // seconds
  std::optional<double> length;  // seconds
  bool chances = false;          // in a table, the mover's before and after each turn

  bool of_a_recording() const { return width || height || speed || idle || length; }
};

struct ExportedGame {
  StoreReader& store;
  const std::string& id;
  const ExportOptions& options;
  /// For a page: the proof that this commit, the game's head, is in the store's log; or none.
  std::function<std::optional<ProofInLog>(const Commit& head)> prove = [](const Commit&) {
    return std::nullopt;
  };
};

/// Takes a file's bytes in parts.
using Sink = std::function<void(std::string_view)>;

struct ExportFormat {
  enum class Takes : std::uint8_t { nothing, turn, recording, chances };
  enum class Holds : std::uint8_t {
    whole_log,  // proven first; it holds the seed, and so all dice to come
    turns,      // the turns in force, as the log has them
  };

  std::string_view name;
  std::string_view ending;  // the ending of its files' names
  std::string_view about;   // the content, for the help
  Takes takes;              // which of ExportOptions
  Holds holds;
  std::string_view media_type;
  /// Throws NotExportable for a game that the format can't hold, and StoreError. It throws before
  /// it writes anything, unless the log turns out to be damaged on the way.
  void (*write)(const ExportedGame& game, const Sink& sink);
  /// Writes all games of a store, ordered by ID; null if a file of this form holds one game.
  void (*write_all)(StoreReader& store, const ExportOptions& options, const Sink& sink) = nullptr;
};

/// The first one is the default.
std::span<const ExportFormat> export_formats();

/// The form of this name; null if there is none.
const ExportFormat* find_export_format(std::string_view name);

/// The form whose ending or name is the ending of this file's name; null if there is none.
const ExportFormat* export_format_of_file(std::string_view file);

}  // namespace snl::cli
