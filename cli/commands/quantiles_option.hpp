// --quantiles of what tells how long games take.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace snl::cli {

/// Shares of all games that are over by a turn that is asked for.
struct QuantilesOption {
  std::string list;

  void add_to(CLI::App& command);
  /// As they were given; none if they weren't. Throws Failure for what isn't a list of numbers
  /// between 0 and 1.
  std::vector<double> values() const;
};

}  // namespace snl::cli
