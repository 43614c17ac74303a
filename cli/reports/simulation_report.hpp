// What `snl simulate` tells of a run.
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
  std::vector<double> quantiles = {};  // between 0 and 1; none: the usual ones
};

/// Field names and their order are a contract. What can't be told without a finished game is null.
boost::json::object report_json(const SimulationReport& report);

/// The same as a table of one row, or of the histogram: a row for each number of turns.
std::string report_csv(const SimulationReport& report);
std::string histogram_csv(const SimulationReport& report);

/// The same for people, in lines.
std::string report_text(const SimulationReport& report);

/// And as charts. At least one game was won.
ChartPage chart_page(const SimulationReport& report);

}  // namespace snl::cli
