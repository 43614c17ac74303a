// The options of commands that tell how long games take: --quantiles, and the charts beside the
// text.
#pragma once

#include "cli/drawing/charts.hpp"
#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"
#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace snl::cli {

/// --quantiles: shares of all games; the command prints the turn by which each share is over.
struct QuantilesOption {
  std::string list;

  void add_to(CLI::App& command);
  /// The shares as given; empty if none were. Throws Failure unless they are a list of different
  /// numbers between 0 and 1.
  std::vector<double> values() const;
};

/// --svg FILE and --force.
class ChartOptions {
 public:
  void add_to(CLI::App& command);

  bool is_for_a_file() const { return !svg_.empty(); }

  /// Whether to draw charts: on a terminal, or into a file. With JSON, stdout holds nothing else.
  bool wanted(const Session& session, OutputForm form) const;

  /// Adds the exact chance that a lone piece, starting on `from`, ever stands on each cell. Warns
  /// if that can't be worked out. `board` outlives the page. For a board too large to draw as text,
  /// this takes seconds, so it happens only for a file.
  void add_heat_map(ChartPage& page, const Board& board, const Rules& rules, Cell from) const;

  /// Throws Failure for a file that can't be written, or that is the board's. Call it before long
  /// work.
  void check(const Session& session, const std::string& file_of_board) const;

  /// Draws `page` on a terminal, unless stdout is for JSON, and into the file if there is one.
  void draw(const Session& session, OutputForm form, const ChartPage& page) const;

 private:
  std::string svg_;
  Occupied occupied_ = Occupied::refuse;
};

}  // namespace snl::cli
