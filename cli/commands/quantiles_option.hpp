// --quantiles, for commands that tell how long games take.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace snl::cli {

/// Shares of all games; the command prints the turn by which each share is over.
struct QuantilesOption {
  std::string list;

  void add_to(CLI::App& command);
  /// The shares as given; empty if none were. Throws Failure unless they are a list of numbers
  /// between 0 and 1.
  std::vector<double> values() const;
};

}  // namespace snl::cli
