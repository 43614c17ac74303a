// The charts that a command draws beside what it says.
#pragma once

#include "cli/drawing/charts.hpp"
#include "cli/session/output.hpp"
#include "cli/session/output_file.hpp"
#include "cli/session/session.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace snl::cli {

/// --svg FILE and --force.
class ChartOptions {
 public:
  void add_to(CLI::App& command);

  bool is_for_a_file() const { return !svg_.empty(); }

  /// Whether charts are to be drawn at all: on a terminal, or into a file. Where the answer is JSON
  /// stdout is for it alone.
  bool wanted(const Session& session, OutputForm form) const;

  /// Adds the exact chance that a piece alone, from `from` on, ever stands on each cell; warns
  /// where it can't be had. `board` outlives the page. On a board too large to draw as
  /// text it is worked out only for a file that is asked for, since it takes seconds.
  void add_heat_map(ChartPage& page, const Board& board, const Rules& rules, Cell from) const;

  /// Throws Failure for a file that can't be written: to be asked before long work.
  void check(const Session& session) const;

  /// Draws `page` on a terminal, unless stdout is for JSON, and into the file, if one was given.
  void draw(const Session& session, OutputForm form, const ChartPage& page) const;

 private:
  std::string svg_;
  Existing existing_ = Existing::keep;
};

}  // namespace snl::cli
