// snl_benchmarks [--json] [--rounds N] [--scale X]: measures every row and prints them. It passes
// no judgement: the exit code says only that it ran.
#include "rows.hpp"

#include <utility>
#include <vector>

int main(int argc, char** argv) {
  using namespace snl::benchmarks;
  const auto options = options_from(argc, argv);
  if (!options) return 2;
  std::vector<Row> rows;
  for (const auto rows_of : {store_rows, engine_rows, simulation_rows, odds_rows})
    for (Row& row : rows_of(*options))
      rows.push_back(std::move(row));
  run(*options, rows);
  return 0;
}
