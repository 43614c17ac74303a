// The report of `snl simulate` on a run.
#pragma once

#include "cli/drawing/charts.hpp"
#include "domain/analysis/simulation.hpp"
#include "storage/series/recorded_simulation.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snl::cli {

struct SimulationReport {
  SimulationResult result;
  std::uint64_t seed = 0;
  Turn max_turns = 0;
  std::optional<SavedGames> saved;
  std::vector<double> quantiles = {};  // between 0 and 1; none: the default ones
};

/// Names of fields and their order are a contract. A field that needs a finished game is null
/// without one.
boost::json::object report_json(const SimulationReport& report);

/// The same as a table of one row, and the histogram as a table with a row for each number of
/// turns.
std::string report_csv(const SimulationReport& report);
std::string histogram_csv(const SimulationReport& report);

/// The same for people, in lines.
std::string report_text(const SimulationReport& report);

/// The same as charts. At least one game must have been won.
ChartPage chart_page(const SimulationReport& report);

}  // namespace snl::cli
