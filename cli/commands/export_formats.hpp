// The forms that `export` writes a game in: one row of a table for each. A new form is a function
// that writes it, and a row.
#pragma once

#include "domain/game.hpp"
#include "storage/event_store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snl::cli {

/// The options of `export` that not every format has a use for.
struct ExportOptions {
  std::optional<Turn> at;  // the turn that a picture shows
  std::optional<int> width;
  std::optional<int> height;
  std::optional<double> speed;

  bool of_a_recording() const { return width || height || speed; }
};

/// A game that is to be written.
struct ExportedGame {
  StoreReader& store;
  const std::string& id;
  const ExportOptions& options;
};

/// Takes a file's bytes in parts.
using Sink = std::function<void(std::string_view)>;

struct ExportFormat {
  enum class Takes : std::uint8_t { nothing, turn, recording };

  std::string_view name;
  std::string_view about;  // what is written, for the help
  Takes takes;             // which of ExportOptions
  /// Throws Failure for a game that the format can't hold, before it writes anything.
  void (*write)(const ExportedGame& game, const Sink& sink);
};

/// The first is the usual one.
std::span<const ExportFormat> export_formats();

/// None of another name.
const ExportFormat* find_export_format(std::string_view name);

}  // namespace snl::cli
